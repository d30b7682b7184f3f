/* See thinker.h. The thread writes each report into a pipe with one write(), which the
 * kernel does not divide; the loop reads the reports there. The last report tells the
 * loop to join the thread. */
#include "client/engine/thinker.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/system/fd.h"
#include "common/system/thread.h"

struct message {
    bool is_last;
    struct search_report report;
};
static_assert(sizeof(struct message) <= PIPE_BUF, "a report is written whole");

struct thinker {
    /* used by the loop only */
    const struct thinker_calls *calls;
    void *owner;
    struct event *heard;
    bool is_busy;
    bool is_nice;
    pthread_t thread;
    /* used by the thread while a task runs, otherwise by the loop */
    struct search *search;
    struct search_task task;
    int64_t began_ms;
    /* used by both */
    int pipe[2];
    atomic_bool must_stop;
};

/* --- The thread --- */

static void tell(struct thinker *thinker, bool is_last,
                 const struct search_report *report)
{
    struct message message;
    ssize_t written;

    memset(&message, 0, sizeof message); /* write() below also sends the padding bytes,
                                          * so they must be initialized */
    message.is_last = is_last;
    message.report = *report;
    do
        written = write(thinker->pipe[1], &message, sizeof message);
    while (written < 0 && errno == EINTR);
    if (written != (ssize_t)sizeof message)
        log_die("thinker: cannot tell: %s", strerror(errno));
}

static void on_depth(void *arg, const struct search_report *report)
{
    tell(arg, false, report);
}

static int64_t spent_ms(void *arg)
{
    struct thinker *thinker = arg;

    if (atomic_load(&thinker->must_stop))
        return SEARCH_STOP_MS;
    return mono_now_ms() - thinker->began_ms;
}

static void *think(void *arg)
{
    struct thinker *thinker = arg;
    struct search_report report;

    if (thinker->is_nice)
        thread_be_nice();
    search_run(thinker->search, &thinker->task, on_depth, thinker, &report);
    tell(thinker, true, &report);
    return NULL;
}

/* --- The loop --- */

static void hear(const struct thinker *thinker, struct message *message)
{
    ssize_t got;

    do
        got = read(thinker->pipe[0], message, sizeof *message);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *message)
        log_die("thinker: cannot hear: %s", strerror(errno));
}

static void finish(struct thinker *thinker)
{
    pthread_join(thinker->thread, NULL);
    thinker->is_busy = false;
}

static void on_heard(evutil_socket_t fd, short what, void *arg)
{
    struct thinker *thinker = arg;
    struct message message;

    (void)fd;
    (void)what;
    hear(thinker, &message);
    if (message.is_last) {
        finish(thinker);
        thinker->calls->on_done(thinker->owner, &message.report);
    } else if (thinker->calls->on_report != NULL) {
        thinker->calls->on_report(thinker->owner, &message.report);
    }
}

/* Makes sure that on_heard() is not called for messages that thinker_cancel() has
 * already read. libevent may have found the pipe readable before, so a call of
 * on_heard() can be pending; event_del() cancels this call. Then waits for the pipe
 * again. */
static void listen_anew(struct thinker *thinker)
{
    if (event_del(thinker->heard) != 0 || event_add(thinker->heard, NULL) != 0)
        log_die("thinker: cannot add an event");
}

struct thinker *thinker_new(struct event_base *base, size_t table_mb,
                            const struct thinker_calls *calls, void *owner)
{
    struct thinker *thinker = mem_new(sizeof *thinker);

    if (!fd_pipe(thinker->pipe, FD_WAITS)) {
        log_warn("thinker pipe error=%s", strerror(errno));
        free(thinker);
        return NULL;
    }
    thinker->calls = calls;
    thinker->owner = owner;
    thinker->search = search_new(table_mb);
    thinker->heard =
        event_new(base, thinker->pipe[0], EV_READ | EV_PERSIST, on_heard, thinker);
    if (thinker->heard == NULL)
        log_die("thinker: cannot add an event");
    listen_anew(thinker);
    return thinker;
}

void thinker_free(struct thinker *thinker)
{
    if (thinker == NULL)
        return;
    thinker_cancel(thinker);
    event_free(thinker->heard);
    close(thinker->pipe[0]);
    close(thinker->pipe[1]);
    search_free(thinker->search);
    free(thinker);
}

void thinker_start(struct thinker *thinker, const struct search_task *task)
{
    int error;

    assert(!thinker->is_busy);
    thinker->task = *task;
    thinker->task.limits.spent_ms = spent_ms;
    thinker->task.limits.arg = thinker;
    thinker->began_ms = mono_now_ms();
    atomic_store(&thinker->must_stop, false);
    error = thread_start(&thinker->thread, think, thinker);
    if (error != 0)
        log_die("thinker: cannot start its thread: %s", strerror(error));
    thinker->is_busy = true;
}

bool thinker_is_busy(const struct thinker *thinker)
{
    return thinker->is_busy;
}

void thinker_stop(struct thinker *thinker)
{
    atomic_store(&thinker->must_stop, true);
}

void thinker_cancel(struct thinker *thinker)
{
    struct message message = {.is_last = false};

    if (!thinker->is_busy)
        return;
    thinker_stop(thinker);
    while (!message.is_last)
        hear(thinker, &message);
    finish(thinker);
    listen_anew(thinker);
}

void thinker_be_nice(struct thinker *thinker)
{
    thinker->is_nice = true;
}

void thinker_forget(struct thinker *thinker)
{
    assert(!thinker->is_busy);
    search_forget(thinker->search);
}

void thinker_set_table(struct thinker *thinker, size_t table_mb)
{
    assert(!thinker->is_busy);
    search_free(thinker->search);
    thinker->search = search_new(table_mb);
}
