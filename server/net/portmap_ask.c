/* See portmap_ask.h. */
#include "server/net/portmap_ask.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_NATPMP
#include <natpmp.h>
#endif
#ifdef HAVE_MINIUPNPC
#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <miniupnpc/upnperrors.h>
#endif

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/net/portmap.h"

enum {
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

struct portmap_ask {
    int port, lease_s;
    const struct way *way; /* how the port is mapped now; NULL: it is not mapped */
    int outside;           /* the router's port that is mapped to ours */
};

struct portmap_ask *portmap_ask_new(int port, int lease_s)
{
    struct portmap_ask *ask = mem_new(sizeof *ask);

    ask->port = ask->outside = port;
    ask->lease_s = lease_s;
    return ask;
}

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

static bool is_refusal(int status)
{
    return status == NATPMP_ERR_NOTAUTHORIZED || status == NATPMP_ERR_NETWORKFAILURE ||
           status == NATPMP_ERR_OUTOFRESOURCES;
}

/* Asks the router to forward one of its ports to our port for lease_s seconds. lease_s
 * 0: asks the router to stop this. Sets *outside to the number of the router's port.
 * Returns 0, or an error of the library. */
static int natpmp_ask_port(natpmp_t *router, const struct portmap_ask *ask, int lease_s,
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

static void natpmp_map(struct portmap_ask *ask, struct portmap_news *news)
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
    else if (is_refusal(status))
        note(news, PORTMAP_REFUSED, "NAT-PMP");
    closenatpmp(&router);
}

static void natpmp_unmap(const struct portmap_ask *ask)
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

static enum portmap_result judge_upnp(int status, const char *address)
{
    if (status == UPNPCOMMAND_SUCCESS && address[0] != '\0')
        return PORTMAP_OPEN;
    return status == UPNP_CONFLICT ? PORTMAP_TAKEN : PORTMAP_REFUSED;
}

static void upnp_map(struct portmap_ask *ask, struct portmap_news *news)
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
    note(news, judge_upnp(status, news->address), "UPnP");
    if (status != UPNPCOMMAND_SUCCESS)
        log_info("portmap way=UPnP port=%s status=%d why=\"%s\"", port, status,
                 strupnperror(status) != NULL ? strupnperror(status) : "refused");
    FreeUPNPUrls(&igd.urls);
}

static void upnp_unmap(const struct portmap_ask *ask)
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
    void (*map)(struct portmap_ask *ask, struct portmap_news *news);
    void (*unmap)(const struct portmap_ask *ask);
} ways[] = {
#ifdef HAVE_NATPMP
    {natpmp_map, natpmp_unmap},
#endif
#ifdef HAVE_MINIUPNPC
    {upnp_map, upnp_unmap},
#endif
    {NULL, NULL}, /* after the last */
};

void portmap_ask_map(struct portmap_ask *ask, struct portmap_news *news)
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

void portmap_ask_free(struct portmap_ask *ask)
{
    if (ask->way != NULL)
        ask->way->unmap(ask);
    free(ask);
}
