/* See portmap.h. The thread owns its requests. It passes results to the loop under the
 * lock. The thread and the loop can wake each other. */
#include "server/net/portmap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#ifdef HAVE_NATPMP
#include <natpmp.h>
#endif
#ifdef HAVE_MINIUPNPC
#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <miniupnpc/upnperrors.h>
#endif

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/thread.h"
#include "common/system/wakeup.h"

enum {
    RETRY_S = 300,         /* until the next request, after a failed one */
    NATPMP_WAIT_MS = 2000, /* for an answer; the library would wait for two minutes */
    UPNP_DISCOVER_MS = 2000,
    UPNP_TTL = 2,
    /* Results of UPNP_GetValidIGD: a connected router, and one that is not connected or
     * whose address is private. */
    UPNP_GATEWAY = 1,
    UPNP_GATEWAY_CUT_OFF = 2,
    UPNP_CONFLICT = 718 /* ConflictInMappingEntry: another machine has the port */
};

#if defined(HAVE_NATPMP) || defined(HAVE_MINIUPNPC)
/* Records the result, and the protocol (`way`) by which the router answered. */
static void note(struct portmap_news *news, enum portmap_result result, const char *way)
{
    news->result = result;
    text_copy(news->way, sizeof news->way, way);
}
#endif

/* Requests to the router. They are made in the thread and block for a few seconds at
 * most. Each of the two libraries may be missing. */
struct ask {
    int port, lease_s;
    const struct way *way; /* how the port is mapped now; NULL: it is not mapped */
    int outside;           /* the router's port that is mapped to ours */
};

/* --- NAT-PMP --- */

#ifdef HAVE_NATPMP

/* Waits for the answer to the request that was sent. Does not use select(), which takes
 * no descriptor above 1023: a server with many connections has higher descriptors. */
static int natpmp_answer(natpmp_t *router, natpmpresp_t *answer)
{
    int64_t until_ms = mono_now_ms() + NATPMP_WAIT_MS;
    int status;

    do {
        struct pollfd ready = {.fd = router->s, .events = POLLIN};
        struct timeval wait = {0, 0}; /* time until the library repeats the request;
                                       * negative: it is due */
        int wait_ms;

        getnatpmprequesttimeout(router, &wait);
        wait_ms = (int)(wait.tv_sec * 1000 + wait.tv_usec / 1000);
        (void)poll(&ready, 1, wait_ms > 0 ? wait_ms : 0);
        status = readnatpmpresponseorretry(router, answer);
    } while (status == NATPMP_TRYAGAIN && mono_now_ms() < until_ms);
    return status;
}

/* Asks for the router's public address. Returns 0, or an error of the library. */
static int natpmp_ask_address(natpmp_t *router, struct portmap_news *news)
{
    natpmpresp_t answer;
    int status = sendpublicaddressrequest(router);

    if (status >= 0)
        status = natpmp_answer(router, &answer);
    if (status == 0)
        inet_ntop(AF_INET, &answer.pnu.publicaddress.addr, news->address,
                  sizeof news->address);
    return status;
}

/* Asks the router to forward one of its ports to our port for lease_s seconds. lease_s
 * 0: asks the router to stop this. Sets *outside to the number of the router's port.
 * Returns 0, or an error of the library. */
static int natpmp_ask_port(natpmp_t *router, const struct ask *ask, int lease_s,
                           int *outside)
{
    natpmpresp_t answer;
    int status = sendnewportmappingrequest(
        router, NATPMP_PROTOCOL_TCP, (uint16_t)ask->port,
        lease_s > 0 ? (uint16_t)ask->outside : 0, (uint32_t)lease_s);

    if (status >= 0)
        status = natpmp_answer(router, &answer);
    if (status == 0)
        *outside = answer.pnu.newportmapping.mappedpublicport;
    return status;
}

static void natpmp_map(struct ask *ask, struct portmap_news *news)
{
    natpmp_t router;
    int status;

    if (initnatpmp(&router, 0, 0) < 0)
        return;
    status = natpmp_ask_address(&router, news);
    if (status == 0) /* a router is there */
        note(news,
             natpmp_ask_port(&router, ask, ask->lease_s, &news->port) == 0
                 ? PORTMAP_OPEN
                 : PORTMAP_REFUSED,
             "NAT-PMP");
    else if (status == NATPMP_ERR_NOTAUTHORIZED ||
             status == NATPMP_ERR_NETWORKFAILURE || status == NATPMP_ERR_OUTOFRESOURCES)
        note(news, PORTMAP_REFUSED, "NAT-PMP");
    closenatpmp(&router);
}

static void natpmp_unmap(const struct ask *ask)
{
    natpmp_t router;
    int outside;

    if (initnatpmp(&router, 0, 0) < 0)
        return;
    if (natpmp_ask_port(&router, ask, 0, &outside) != 0)
        log_info("portmap way=NAT-PMP why=\"the lease was not given back; it ends by "
                 "itself\"");
    closenatpmp(&router);
}

#endif

/* --- UPnP IGD --- */

#ifdef HAVE_MINIUPNPC

struct igd {
    struct UPNPUrls urls;
    struct IGDdatas data;
    char here[64]; /* our address in the router's network */
};

/* Finds the router. False: no usable router answered. */
static bool igd_find(struct igd *igd)
{
    int error = 0, found;
    struct UPNPDev *devices = upnpDiscover(UPNP_DISCOVER_MS, NULL, NULL,
                                           UPNP_LOCAL_PORT_ANY, 0, UPNP_TTL, &error);

    if (devices == NULL)
        return false;
#if MINIUPNPC_API_VERSION >= 18
    found = UPNP_GetValidIGD(devices, &igd->urls, &igd->data, igd->here,
                             sizeof igd->here, NULL, 0);
#else
    found =
        UPNP_GetValidIGD(devices, &igd->urls, &igd->data, igd->here, sizeof igd->here);
#endif
    freeUPNPDevlist(devices);
    if (found > UPNP_GATEWAY_CUT_OFF)
        FreeUPNPUrls(&igd->urls);
    return found == UPNP_GATEWAY || found == UPNP_GATEWAY_CUT_OFF;
}

static void upnp_map(struct ask *ask, struct portmap_news *news)
{
    char port[12], lease[12];
    struct igd igd;
    int status;

    if (!igd_find(&igd))
        return;
    snprintf(port, sizeof port, "%d", ask->port);
    snprintf(lease, sizeof lease, "%d", ask->lease_s);
    if (UPNP_GetExternalIPAddress(igd.urls.controlURL, igd.data.first.servicetype,
                                  news->address) != UPNPCOMMAND_SUCCESS)
        news->address[0] = '\0';
    status = UPNP_AddPortMapping(igd.urls.controlURL, igd.data.first.servicetype, port,
                                 port, igd.here, "janggid", "TCP", NULL, lease);
    news->port = ask->port;
    note(news,
         status == UPNPCOMMAND_SUCCESS && news->address[0] != '\0' ? PORTMAP_OPEN
         : status == UPNP_CONFLICT                                 ? PORTMAP_TAKEN
                                                                   : PORTMAP_REFUSED,
         "UPnP");
    if (status != UPNPCOMMAND_SUCCESS)
        log_info("portmap way=UPnP port=%s status=%d why=\"%s\"", port, status,
                 strupnperror(status) != NULL ? strupnperror(status) : "refused");
    FreeUPNPUrls(&igd.urls);
}

static void upnp_unmap(const struct ask *ask)
{
    char port[12];
    struct igd igd;

    if (!igd_find(&igd))
        return;
    snprintf(port, sizeof port, "%d", ask->outside);
    if (UPNP_DeletePortMapping(igd.urls.controlURL, igd.data.first.servicetype, port,
                               "TCP", NULL) != UPNPCOMMAND_SUCCESS)
        log_info("portmap way=UPnP why=\"the lease was not given back; it ends by "
                 "itself\"");
    FreeUPNPUrls(&igd.urls);
}

#endif

/* --- Both --- */

static const struct way {
    void (*map)(struct ask *ask, struct portmap_news *news);
    void (*unmap)(const struct ask *ask);
} ways[] = {
#ifdef HAVE_NATPMP
    {natpmp_map, natpmp_unmap},
#endif
#ifdef HAVE_MINIUPNPC
    {upnp_map, upnp_unmap},
#endif
    {NULL, NULL}, /* after the last */
};

/* Maps the port, or renews the mapping. Sets all members of news. */
static void map_port(struct ask *ask, struct portmap_news *news)
{
    const struct way *way = ways;

    *news = (struct portmap_news){
        .result = way->map != NULL ? PORTMAP_NONE : PORTMAP_NO_WAY, .port = ask->port};
    for (; way->map != NULL && news->result != PORTMAP_OPEN; way++) {
        way->map(ask, news);
        ask->way = news->result == PORTMAP_OPEN ? way : NULL;
    }
    ask->outside = news->result == PORTMAP_OPEN ? news->port : ask->port;
}

/* --- The thread --- */

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

static bool is_ending(struct portmap *portmap)
{
    bool answer;

    pthread_mutex_lock(&portmap->lock);
    answer = portmap->is_ending;
    pthread_mutex_unlock(&portmap->lock);
    return answer;
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
    struct ask ask = {
        .port = portmap->port, .lease_s = portmap->lease_s, .outside = portmap->port};
    struct portmap_news last = {.result = PORTMAP_NO_WAY, .port = -1};

    while (!is_ending(portmap)) {
        struct portmap_news news = {.port = portmap->port};

        map_port(&ask, &news);
        portmap_check(&news);
        if (news.result != last.result || news.port != last.port ||
            strcmp(news.address, last.address) != 0) {
            pthread_mutex_lock(&portmap->lock);
            portmap->news = news;
            portmap->has_news = true;
            pthread_mutex_unlock(&portmap->lock);
            wakeup_signal(&portmap->to_loop);
        }
        last = news;
        sleep_s(portmap, news.result == PORTMAP_OPEN ? portmap->lease_s / 2 : RETRY_S);
    }
    if (ask.way != NULL)
        ask.way->unmap(&ask);
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
