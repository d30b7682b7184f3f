/* See resolve.h. The loop and the thread share one struct. Whichever of the two
 * finishes second frees the struct, so a cancellation does not wait for the thread. */
#include "common/net/resolve.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/system/fd.h"
#include "common/system/thread.h"

struct resolve {
    /* used only by the thread until it has written to the pipe */
    char *host, *port;
    struct addrinfo *list;
    int error;
    int pipe[2];
    atomic_bool is_one_done; /* the loop or the thread has finished with the struct */
    /* used only by the loop */
    struct event *answered;
    resolve_fn *done;
    void *arg;
};

static void let_go(struct resolve *resolve)
{
    if (!atomic_exchange(&resolve->is_one_done, true))
        return;
    if (resolve->list != NULL)
        freeaddrinfo(resolve->list);
    close(resolve->pipe[0]);
    close(resolve->pipe[1]);
    free(resolve->host);
    free(resolve->port);
    free(resolve);
}

static void *look_up(void *arg)
{
    struct resolve *resolve = arg;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};

    resolve->error = getaddrinfo(resolve->host, resolve->port, &hints, &resolve->list);
    if (resolve->error != 0) {
        /* Without an external network interface, AI_ADDRCONFIG hides even ::1. */
        hints.ai_flags = 0;
        resolve->error =
            getaddrinfo(resolve->host, resolve->port, &hints, &resolve->list);
    }
    if (write(resolve->pipe[1], "", 1) != 1)
        log_warn("resolve pipe error=%s", strerror(errno));
    let_go(resolve);
    return NULL;
}

static void on_answered(evutil_socket_t fd, short what, void *arg)
{
    struct resolve *resolve = arg;
    resolve_fn *done = resolve->done;
    void *done_arg = resolve->arg;
    struct addrinfo *list;
    int error;
    char byte;

    (void)what;
    /* The other thread stored the result and then called write(). After read(), this
     * thread is certain to see the result. A readable descriptor alone does not
     * guarantee this. */
    if (read(fd, &byte, 1) != 1)
        log_warn("resolve pipe error=%s", strerror(errno));
    list = resolve->list;
    error = resolve->error;
    resolve->list = NULL;
    event_free(resolve->answered);
    let_go(resolve);
    done(done_arg, list, error);
}

static bool start_thread(struct resolve *resolve)
{
    pthread_t thread;
    int error = thread_start(&thread, look_up, resolve);

    if (error != 0) {
        log_warn("resolve thread error=%s", strerror(error));
        return false;
    }
    pthread_detach(thread);
    return true;
}

struct resolve *resolve_start(struct event_base *base, const char *host,
                              const char *port, resolve_fn *done, void *arg)
{
    struct resolve *resolve = mem_new(sizeof *resolve);

    if (!fd_pipe(resolve->pipe, FD_WAITS)) {
        log_warn("resolve pipe error=%s", strerror(errno));
        free(resolve);
        return NULL;
    }
    resolve->host = mem_copy_text(host);
    resolve->port = mem_copy_text(port);
    resolve->done = done;
    resolve->arg = arg;
    resolve->answered =
        event_new(base, resolve->pipe[0], EV_READ, on_answered, resolve);
    if (resolve->answered == NULL || event_add(resolve->answered, NULL) != 0)
        log_die("resolve: cannot add an event");
    if (start_thread(resolve))
        return resolve;
    event_free(resolve->answered);
    atomic_store(&resolve->is_one_done, true);
    let_go(resolve);
    return NULL;
}

void resolve_cancel(struct resolve *resolve)
{
    if (resolve == NULL)
        return;
    event_free(resolve->answered);
    let_go(resolve);
}
