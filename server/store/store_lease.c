/* See store_lease.h. */
#include "server/store/store_lease.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"
#include "server/store/store.h"

enum {
    RENEW_MS = 1000,
    LOOK_MS = 200,
    OPEN_TRIES = 3, /* how often the first look is tried at the start: it may fail when
                     * two nodes create the tables at the same time */
    PREDECESSOR_MS = 4000 /* maximum wait until the lease of an earlier process runs
                           * out; longer than a lease */
};

struct store_leaser {
    const struct store_engine *engine;
    void *lease; /* the engine's lease; while the thread runs, only the thread uses
                  * it */
    store_lease_fn *on_change;
    void *arg;
    pthread_t thread;
    bool is_running;
    struct wakeup to_thread, to_loop;
    struct event *on_wakeup;
    struct store_lease now; /* the loop's copy of `seen` */

    /* Shared, under the lock. */
    pthread_mutex_t lock;
    struct store_lease seen;
    enum store_lease_wish wish;
    bool is_wish_new; /* engine->look() has not yet succeeded with this wish */
    bool is_answered; /* the first look with the wish has succeeded, and the loop does
                       * not know it yet */
    bool is_closing;
};

/* --- The thread --- */

static bool is_other(const struct store_lease *a, const struct store_lease *b)
{
    return a->state != b->state || a->is_behind != b->is_behind ||
           strcmp(a->at, b->at) != 0;
}

static void sleep_for(struct store_leaser *leaser, int64_t ms)
{
    struct pollfd wakeup = {.fd = leaser->to_thread.read_fd, .events = POLLIN};

    if (poll(&wakeup, 1, (int)ms) > 0)
        wakeup_clear(&leaser->to_thread);
}

static void *work(void *arg)
{
    struct store_leaser *leaser = arg;
    struct store_lease seen = leaser->seen;

    for (;;) {
        int64_t began_ms = mono_now_ms(), due_ms = began_ms + LOOK_MS;
        enum store_lease_wish wish;
        bool is_closing, is_news;

        pthread_mutex_lock(&leaser->lock);
        wish = leaser->wish;
        is_closing = leaser->is_closing;
        pthread_mutex_unlock(&leaser->lock);
        if (is_closing)
            break;
        if (leaser->engine->look(leaser->lease, wish, &seen)) {
            pthread_mutex_lock(&leaser->lock);
            if (leaser->is_wish_new && leaser->wish == wish) {
                leaser->is_wish_new = false;
                leaser->is_answered = true;
            }
            is_news = leaser->is_answered || is_other(&seen, &leaser->seen) ||
                      seen.epoch != leaser->seen.epoch;
            leaser->seen = seen;
            pthread_mutex_unlock(&leaser->lock);
            if (is_news)
                wakeup_signal(&leaser->to_loop);
            if (seen.state == STORE_LEASE_OURS)
                due_ms = began_ms + RENEW_MS;
        }
        if (due_ms > mono_now_ms())
            sleep_for(leaser, due_ms - mono_now_ms());
    }
    if (seen.state == STORE_LEASE_OURS)
        (void)leaser->engine->look(leaser->lease, STORE_LEASE_NOT, &seen);
    return NULL;
}

/* --- The loop --- */

static void on_wakeup(evutil_socket_t fd, short what, void *arg)
{
    struct store_leaser *leaser = arg;
    struct store_lease before = leaser->now;
    bool is_answered;

    (void)fd;
    (void)what;
    wakeup_clear(&leaser->to_loop);
    pthread_mutex_lock(&leaser->lock);
    leaser->now = leaser->seen;
    is_answered = leaser->is_answered;
    leaser->is_answered = false;
    pthread_mutex_unlock(&leaser->lock);
    if (is_answered || is_other(&leaser->now, &before))
        leaser->on_change(leaser->arg);
}

const struct store_lease *store_lease_now(const struct store_leaser *leaser)
{
    return &leaser->now;
}

void store_lease_wish(struct store_leaser *leaser, enum store_lease_wish wish)
{
    pthread_mutex_lock(&leaser->lock);
    leaser->wish = wish;
    leaser->is_wish_new = true;
    pthread_mutex_unlock(&leaser->lock);
    wakeup_signal(&leaser->to_thread);
}

/* --- Life --- */

static bool look_at_start(struct store_leaser *leaser, const char *at)
{
    const struct store_engine *engine = leaser->engine;
    int64_t end_ms = mono_now_ms() + PREDECESSOR_MS;
    int tries = 0;

    for (;;) {
        bool is_seen = engine->look(leaser->lease, STORE_LEASE_TAKE, &leaser->seen);

        if (!is_seen && (errno != EAGAIN || ++tries == OPEN_TRIES))
            return false;
        if (is_seen && leaser->seen.is_behind) {
            errno = ESTALE;
            return false;
        }
        if (is_seen &&
            (leaser->seen.state == STORE_LEASE_OURS || mono_now_ms() > end_ms ||
             (strcmp(leaser->seen.at, at) != 0 && !leaser->seen.has_other_key)))
            break;
        sleep_for(leaser, LOOK_MS);
    }
    if (leaser->seen.state != STORE_LEASE_OTHERS || !leaser->seen.has_other_key)
        return true;
    log_warn(
        "store why=\"the node at %s has another key\" : all nodes need one key; copy "
        "key.pem and cert.pem from there",
        leaser->seen.at);
    errno = EINVAL;
    return false;
}

struct store_leaser *store_lease_open(struct event_base *base,
                                      const struct store_place *place,
                                      store_lease_fn *on_change, void *arg)
{
    const struct store_engine *engine = store_load_postgres();
    struct store_leaser *leaser;
    int code, why;

    if (engine == NULL)
        return NULL;
    leaser = mem_new(sizeof *leaser);
    leaser->engine = engine;
    leaser->on_change = on_change;
    leaser->arg = arg;
    leaser->wish = STORE_LEASE_TAKE;
    leaser->to_thread = leaser->to_loop = (struct wakeup){-1, -1};
    pthread_mutex_init(&leaser->lock, NULL);
    leaser->lease = engine->open_lease(place);
    if (leaser->lease == NULL)
        goto fail;
    if (!wakeup_open(&leaser->to_thread) || !wakeup_open(&leaser->to_loop)) {
        errno = EAGAIN; /* there may be free descriptors later */
        goto fail;
    }
    if (!look_at_start(leaser, place->at))
        goto fail;
    leaser->now = leaser->seen;
    leaser->on_wakeup = event_new(base, leaser->to_loop.read_fd, EV_READ | EV_PERSIST,
                                  on_wakeup, leaser);
    code = ENOMEM;
    if (leaser->on_wakeup != NULL && event_add(leaser->on_wakeup, NULL) == 0)
        code = thread_start(&leaser->thread, work, leaser);
    leaser->is_running = code == 0;
    if (leaser->is_running)
        return leaser;
    log_warn("store thread why=\"%s\"", strerror(code));
    errno = EAGAIN;

fail:
    why = errno;
    store_lease_close(leaser);
    errno = why;
    return NULL;
}

void store_lease_close(struct store_leaser *leaser)
{
    if (leaser == NULL)
        return;
    if (leaser->is_running) {
        pthread_mutex_lock(&leaser->lock);
        leaser->is_closing = true;
        pthread_mutex_unlock(&leaser->lock);
        wakeup_signal(&leaser->to_thread);
        pthread_join(leaser->thread, NULL);
    }
    leaser->engine->close_lease(leaser->lease);
    if (leaser->on_wakeup != NULL)
        event_free(leaser->on_wakeup);
    wakeup_close(&leaser->to_thread);
    wakeup_close(&leaser->to_loop);
    pthread_mutex_destroy(&leaser->lock);
    free(leaser);
}
