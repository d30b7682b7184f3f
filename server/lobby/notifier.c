/* See notifier.h. A write to the pipe does not wait: a line of fewer than PIPE_BUF
 * bytes is written completely or not at all. */
#include "server/lobby/notifier.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/system/fd.h"
#include "common/system/program.h"

enum { NOT_STARTED = 127 };

struct notifier {
    int input;    /* the program's standard input; -1: the program has ended */
    bool is_slow; /* the program does not read, and this has been logged */
    struct event *on_end;
};

static void close_input(struct notifier *notifier)
{
    event_del(notifier->on_end);
    close(notifier->input);
    notifier->input = -1;
}

/* Called when the reading end of the pipe is closed. */
static void on_end(evutil_socket_t fd, short what, void *arg)
{
    struct notifier *notifier = arg;

    (void)fd;
    (void)what;
    log_warn("notify-program why=ended : players are not notified until janggid is "
             "started again");
    close_input(notifier);
}

/* Runs in the child. Nobody waits for the child: the server ignores SIGCHLD. */
static void run(const char *path, int input)
{
    char *const arguments[] = {(char *)(uintptr_t)path, NULL};

    program_detach(input, STDERR_FILENO);
    execv(path, arguments);
    _exit(NOT_STARTED);
}

static bool start(int ends[2], const char *path)
{
    pid_t pid;

    if (access(path, X_OK) != 0 || !fd_pipe(ends, FD_WAITS))
        return false;
    signal(SIGCHLD, SIG_IGN);
    pid = fork();
    if (pid == 0)
        run(path, ends[0]);
    close(ends[0]);
    if (pid > 0 && evutil_make_socket_nonblocking(ends[1]) == 0)
        return true;
    close(ends[1]);
    return false;
}

struct notifier *notifier_start(struct event_base *base, const char *path)
{
    struct notifier *notifier;
    int ends[2];

    if (!start(ends, path)) {
        int why = errno;

        log_warn("notify-program path=%s why=\"%s\"", path, strerror(why));
        errno = why;
        return NULL;
    }
    notifier = mem_new(sizeof *notifier);
    notifier->input = ends[1];
    notifier->on_end = event_new(base, notifier->input, EV_READ, on_end, notifier);
    if (notifier->on_end == NULL || event_add(notifier->on_end, NULL) != 0)
        log_die("notify-program no event");
    return notifier;
}

void notifier_stop(struct notifier *notifier)
{
    if (notifier == NULL)
        return;
    if (notifier->input != -1)
        close_input(notifier);
    event_free(notifier->on_end);
    free(notifier);
}

bool notifier_is_running(const struct notifier *notifier)
{
    return notifier != NULL && notifier->input != -1;
}

/* Returns true if the line was written. If the program does not read several lines in a
 * row, logs only the first failure. */
static bool is_sent(struct notifier *notifier, ssize_t written)
{
    if (written < 0 && !notifier->is_slow)
        log_warn("notify-program why=\"%s\" : it does not read", strerror(errno));
    notifier->is_slow = written < 0;
    return written > 0;
}

bool notifier_send(struct notifier *notifier, const char *line)
{
    char bytes[PIPE_BUF];
    int len = snprintf(bytes, sizeof bytes, "%s\n", line);

    if (!notifier_is_running(notifier) || len < 0 || (size_t)len >= sizeof bytes)
        return false;
    return is_sent(notifier, write(notifier->input, bytes, (size_t)len));
}
