/* See store_reader.h. */
#include "server/store/store_reader.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"

enum { RETRY_MS = 1000 };

struct store_reader {
    const struct store_engine *engine;
    void *log; /* the engine's reader */
    store_reader_done_fn *done;
    void *arg;
    pthread_t thread;
    struct wakeup wakeup;

    /* Shared, under the lock. */
    pthread_mutex_t lock;
    struct store_job *inbox;
    bool is_closing;
};

bool store_reader_run(const struct store_engine *engine, void *log,
                      struct store_job *job)
{
    int count = 0;
    bool is_read =
        job->kind == STORE_JOB_GAME
            ? engine->read_game(log, job->query.game, store_job_add_event, job, &count)
        : job->kind == STORE_JOB_HISTORY
            ? engine->read_history(log, job->query.folded, job->query.game,
                                   job->query.limit, store_job_add_past, job)
            : engine->read_unseen(log, job->query.folded, store_job_add_past, job);

    if (!is_read)
        store_job_free_rows(job);
    else if (job->kind == STORE_JOB_GAME)
        job->row_count = count;
    return is_read;
}

/* --- The thread --- */

static struct store_job *take(struct store_reader *reader, bool *is_closing)
{
    struct store_job *job;

    pthread_mutex_lock(&reader->lock);
    job = reader->inbox;
    *is_closing = reader->is_closing;
    if (job != NULL && !*is_closing)
        DL_DELETE(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
    return *is_closing ? NULL : job;
}

static void give_back(struct store_reader *reader, struct store_job *job)
{
    pthread_mutex_lock(&reader->lock);
    DL_PREPEND(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
}

static void sleep_for(struct store_reader *reader, int ms)
{
    struct pollfd wakeup = {.fd = reader->wakeup.read_fd, .events = POLLIN};

    if (poll(&wakeup, 1, ms) > 0)
        wakeup_clear(&reader->wakeup);
}

static void *work(void *arg)
{
    struct store_reader *reader = arg;
    bool is_closing;

    for (;;) {
        struct store_job *job = take(reader, &is_closing);

        if (is_closing)
            return NULL;
        if (job == NULL) {
            sleep_for(reader, -1);
        } else if (store_reader_run(reader->engine, reader->log, job)) {
            reader->done(reader->arg, job);
        } else {
            give_back(reader, job);
            sleep_for(reader, RETRY_MS);
        }
    }
}

/* --- Life --- */

static void free_reader(struct store_reader *reader)
{
    struct store_job *job, *next;

    DL_FOREACH_SAFE (reader->inbox, job, next)
        store_job_free(job);
    reader->engine->close_reader(reader->log);
    wakeup_close(&reader->wakeup);
    pthread_mutex_destroy(&reader->lock);
    free(reader);
}

struct store_reader *store_reader_start(const struct store_engine *engine, void *log,
                                        store_reader_done_fn *done, void *arg)
{
    struct store_reader *reader = mem_new(sizeof *reader);
    int code;

    reader->engine = engine;
    reader->done = done;
    reader->arg = arg;
    reader->wakeup = (struct wakeup){-1, -1};
    pthread_mutex_init(&reader->lock, NULL);
    reader->log = engine->open_reader(log);
    if (wakeup_open(&reader->wakeup)) {
        code = thread_start(&reader->thread, work, reader);
        if (code == 0)
            return reader;
        log_warn("store thread why=\"%s\"", strerror(code));
    }
    free_reader(reader);
    return NULL;
}

void store_reader_stop(struct store_reader *reader)
{
    if (reader == NULL)
        return;
    pthread_mutex_lock(&reader->lock);
    reader->is_closing = true;
    pthread_mutex_unlock(&reader->lock);
    wakeup_signal(&reader->wakeup);
    pthread_join(reader->thread, NULL);
    free_reader(reader);
}

void store_reader_add(struct store_reader *reader, struct store_job *job)
{
    pthread_mutex_lock(&reader->lock);
    DL_APPEND(reader->inbox, job);
    pthread_mutex_unlock(&reader->lock);
    wakeup_signal(&reader->wakeup);
}
