/* See portmap.h. The thread owns its requests. It passes results to the loop under the
 * lock. The thread and the loop can wake each other. */
#include "server/net/portmap.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"
#include "server/net/portmap_ask.h"

enum { RETRY_S = 300 }; /* until the next request, after a failed one */

struct portmap {
    /* set before the thread starts */
    int port, lease_s;
    struct wakeup to_thread, to_loop;
    pthread_t thread;
    struct event *on_wakeup;
    portmap_fn *on_news;
    void *arg;
    /* under the lock */
    pthread_mutex_t lock;
    bool is_ending;
    struct portmap_news news;
    bool has_news;
};

/* --- The thread --- */

static bool is_ending(struct portmap *portmap)
{
    bool answer;

    pthread_mutex_lock(&portmap->lock);
    answer = portmap->is_ending;
    pthread_mutex_unlock(&portmap->lock);
    return answer;
}

static void tell(struct portmap *portmap, const struct portmap_news *news)
{
    pthread_mutex_lock(&portmap->lock);
    portmap->news = *news;
    portmap->has_news = true;
    pthread_mutex_unlock(&portmap->lock);
    wakeup_signal(&portmap->to_loop);
}

static bool is_same(const struct portmap_news *a, const struct portmap_news *b)
{
    return a->result == b->result && a->port == b->port &&
           strcmp(a->address, b->address) == 0;
}

/* Waits until the next request is due, or until the end. */
static void sleep_s(struct portmap *portmap, int seconds)
{
    struct pollfd end = {.fd = portmap->to_thread.read_fd, .events = POLLIN};
    int64_t until_ms = mono_now_ms() + (int64_t)seconds * 1000, left_ms;

    while (!is_ending(portmap) && (left_ms = until_ms - mono_now_ms()) > 0)
        if (poll(&end, 1, (int)left_ms) < 0 && errno != EINTR)
            log_die("portmap poll: %s", strerror(errno));
}

void portmap_check(struct portmap_news *news)
{
    bool is_address = address_is_numeric(news->address);

    if (!is_address)
        news->address[0] = '\0';
    if (news->result == PORTMAP_OPEN &&
        (!is_address || news->port < 1 || news->port > UINT16_MAX))
        news->result = PORTMAP_REFUSED;
    if ((news->result == PORTMAP_OPEN || news->result == PORTMAP_REFUSED ||
         news->result == PORTMAP_TAKEN) &&
        (address_is_private(news->address) || address_is_loopback(news->address)))
        news->result = PORTMAP_PRIVATE;
}

static void *run(void *arg)
{
    struct portmap *portmap = arg;
    struct portmap_ask *ask = portmap_ask_new(portmap->port, portmap->lease_s);
    struct portmap_news last = {.result = PORTMAP_NO_WAY, .port = -1};

    while (!is_ending(portmap)) {
        struct portmap_news news = {.port = portmap->port};

        portmap_ask_map(ask, &news);
        portmap_check(&news);
        if (!is_same(&news, &last))
            tell(portmap, &news);
        last = news;
        sleep_s(portmap, news.result == PORTMAP_OPEN ? portmap->lease_s / 2 : RETRY_S);
    }
    portmap_ask_free(ask);
    return NULL;
}

/* --- The loop --- */

static void on_wakeup(evutil_socket_t fd, short what, void *arg)
{
    struct portmap *portmap = arg;
    struct portmap_news news;
    bool has_news;

    (void)fd;
    (void)what;
    wakeup_clear(&portmap->to_loop);
    pthread_mutex_lock(&portmap->lock);
    news = portmap->news;
    has_news = portmap->has_news;
    portmap->has_news = false;
    pthread_mutex_unlock(&portmap->lock);
    if (has_news)
        portmap->on_news(portmap->arg, &news);
}

static void free_all(struct portmap *portmap)
{
    if (portmap->on_wakeup != NULL)
        event_free(portmap->on_wakeup);
    wakeup_close(&portmap->to_thread);
    wakeup_close(&portmap->to_loop);
    pthread_mutex_destroy(&portmap->lock);
    free(portmap);
}

struct portmap *portmap_start(struct event_base *base, int port, int lease_s,
                              portmap_fn *on_news, void *arg)
{
    struct portmap *portmap = mem_new(sizeof *portmap);

    portmap->port = port;
    portmap->lease_s = lease_s;
    portmap->on_news = on_news;
    portmap->arg = arg;
    portmap->to_thread = portmap->to_loop = (struct wakeup){-1, -1};
    pthread_mutex_init(&portmap->lock, NULL);
    if (!wakeup_open(&portmap->to_thread) || !wakeup_open(&portmap->to_loop))
        goto fail;
    portmap->on_wakeup = event_new(base, portmap->to_loop.read_fd, EV_READ | EV_PERSIST,
                                   on_wakeup, portmap);
    if (portmap->on_wakeup == NULL || event_add(portmap->on_wakeup, NULL) != 0 ||
        thread_start(&portmap->thread, run, portmap) != 0)
        goto fail;
    return portmap;

fail:
    log_warn("portmap why=\"cannot start its thread\"");
    free_all(portmap);
    return NULL;
}

void portmap_stop(struct portmap *portmap)
{
    if (portmap == NULL)
        return;
    pthread_mutex_lock(&portmap->lock);
    portmap->is_ending = true;
    pthread_mutex_unlock(&portmap->lock);
    wakeup_signal(&portmap->to_thread);
    pthread_join(portmap->thread, NULL);
    free_all(portmap);
}
