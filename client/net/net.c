/* See net.h. An attempt resolves the name and then tries one address after the other:
 * it connects, does the TLS handshake (wire.h) and checks the key. finish() ends every
 * attempt that fails, and every connection. */
#include "client/net/net.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/link.h"
#include "client/base/loop.h"
#include "client/net/socks.h"
#include "common/base/address.h"
#include "common/base/error_words.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/proto.h"
#include "common/net/resolve.h"
#include "common/net/wire.h"
#include "common/system/fd.h"

enum {
    RETRY_FIRST_MS = 1000,
    RETRY_MAX_MS = 30000,
    GIVE_UP_MS = 60 * 60 * 1000, /* no automatic attempts after a longer outage */
    FAREWELL_MS = 2000           /* limit for an orderly close */
};

enum { HOST_BYTES = 256, PORT_BYTES = 8 };

enum net_state { NET_IDLE, NET_RESOLVING, NET_CONNECTING, NET_UP, NET_WAITING };

struct net {
    struct event_base *base;
    SSL_CTX *ctx;
    const struct trust *trust;
    const struct net_calls *calls;
    void *owner;
    struct wire_hub *hub;
    struct event *retry;
    enum net_state state;
    const char *proxy;                       /* "": none */
    char host[HOST_BYTES], port[PORT_BYTES]; /* where to connect instead of the server's
                                              * own address; "": not set */
    bool reconnects;
    bool is_stopping;
    bool is_resting; /* no automatic attempt before the next net_start() */
    /* state of one attempt */
    struct resolve *resolve;
    struct addrinfo *list, *next;
    const struct addrinfo *used; /* the one in `list` that is used now */
    bool is_last;        /* all other addresses were tried: `silent` is tried now */
    struct socks *socks; /* requests the connection from the proxy */
    struct wire *wire;
    bool is_judged;
    enum trust_verdict verdict;
    struct tls_key key;
    char why[256];
    enum net_end failure; /* reason of the last failure: NET_REFUSED or
                           * NET_UNREACHABLE */
    /* state across attempts */
    struct sockaddr_storage silent; /* the address that no longer responded; ss_family
                                     * 0: none */
    int64_t lost_ms;                /* when the connection was last up; 0: never */
    int64_t wait_ms;
    int attempt; /* attempts since the connection was last up, including the current
                  * one */
};

static void say_why(struct net *net, const char *words)
{
    struct text text = text_into(net->why, sizeof net->why);

    text_add(&text, words);
}

/* Records why an address could not be reached. */
static void note_failure(struct net *net, bool is_refused, const char *words)
{
    net->failure = is_refused ? NET_REFUSED : NET_UNREACHABLE;
    say_why(net, is_refused ? _("connection refused") : words);
}

/* --- The end of an attempt --- */

static void forget_attempt(struct net *net)
{
    resolve_cancel(net->resolve);
    net->resolve = NULL;
    socks_cancel(net->socks);
    net->socks = NULL;
    if (net->list != NULL)
        freeaddrinfo(net->list);
    net->list = net->next = NULL;
    net->used = NULL;
    net->is_last = false;
    net->wire = NULL;
    net->is_judged = false;
}

/* Ends an attempt or an established connection, and reports it. */
static void finish(struct net *net, enum net_end end)
{
    struct net_down down = {.end = end,
                            .words = net->why,
                            .retry_ms = -1,
                            .verdict = net->verdict,
                            .key = net->key};
    uint16_t bits;

    if (net->state == NET_UP)
        net->lost_ms = mono_now_ms();
    net->state = NET_IDLE;
    forget_attempt(net);
    if (end != NET_CLOSED && end != NET_DISTRUST && end != NET_UNADMITTED &&
        net->reconnects && !net->is_stopping && !net->is_resting &&
        mono_now_ms() - net->lost_ms <= GIVE_UP_MS) {
        /* 75 % to 125 % of the wait, so that the clients of a restarted server do not
         * reconnect simultaneously */
        evutil_secure_rng_get_bytes(&bits, sizeof bits);
        down.retry_ms = net->wait_ms * 3 / 4 + net->wait_ms / 2 * bits / UINT16_MAX;
        net->wait_ms =
            net->wait_ms * 2 < RETRY_MAX_MS ? net->wait_ms * 2 : RETRY_MAX_MS;
        loop_add(net->retry, down.retry_ms);
        net->state = NET_WAITING;
    }
    down.attempt = net->attempt + 1;
    net->is_stopping = false;
    if (net->calls != NULL) /* NULL: net_free() is running */
        net->calls->on_down(net->owner, &down);
}

/* --- The wire --- */

static bool on_judge(void *arg, const struct tls_seen *seen)
{
    struct net *net = arg;

    net->is_judged = true;
    net->key = seen->key;
    net->verdict = trust_judge(net->trust, seen);
    return trust_is_good(net->verdict);
}

static void on_open(void *owner)
{
    struct net *net = owner;

    net->state = NET_UP;
    net->wait_ms = RETRY_FIRST_MS;
    net->attempt = 0;
    wire_set_line_max(net->wire, PROTO_LINE_MAX);
    net->calls->on_up(net->owner, net->verdict, &net->key);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct net *net = owner;

    net->calls->on_line(net->owner, line, len, now_ms);
}

static void on_bad_line(void *owner, enum wire_why why)
{
    struct net *net = owner;

    (void)why;
    net->calls->on_bad_line(net->owner);
}

static void try_next(struct net *net);

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct net *net = owner;
    int error = wire_error(net->wire);
    bool is_silent = why == WIRE_TIMEOUT || (why == WIRE_NO_CONNECT && error == 0);
    /* what OpenSSL says when what answers speaks no TLS */
    bool is_other =
        why == WIRE_HANDSHAKE && (strstr(detail, "wrong version number") != NULL ||
                                  strstr(detail, "packet length too long") != NULL ||
                                  strstr(detail, "http request") != NULL);
    const char *words = error != 0          ? error_words(error)
                        : detail[0] != '\0' ? detail
                                            : wire_why_name(why);

    net->wire = NULL;
    if (net->is_stopping) {
        say_why(net, _("closed"));
        finish(net, NET_CLOSED);
    } else if (net->state == NET_UP) {
        say_why(net, why == WIRE_TIMEOUT        ? _("the server did not respond")
                     : why == WIRE_CLOSED_THERE ? _("closed by the server")
                     : why == WIRE_CUT_OFF      ? _("connection interrupted")
                                                : words);
        finish(net, why == WIRE_UNADMITTED ? NET_UNADMITTED : NET_LOST);
    } else if (net->is_judged && !trust_is_good(net->verdict)) {
        say_why(net, _("the key is not accepted"));
        finish(net, NET_DISTRUST);
    } else {
        note_failure(net, why == WIRE_REFUSED,
                     is_other                  ? _("no janggi server answers there")
                     : is_silent && error == 0 ? _("the server did not respond")
                                               : words);
        try_next(net);
    }
}

/* A line with unprintable characters is skipped and does not end the connection,
 * because the server may have newer Unicode tables. Each answer still matches its
 * command, because both have the same tag. */
static const struct wire_calls wire_calls = {
    .on_open = on_open,
    .on_line = on_line,
    .on_bad_line = on_bad_line,
    .on_end = on_end,
};

/* --- Addresses --- */

static const char *host_of(const struct net *net)
{
    return net->host[0] != '\0' ? net->host : net->trust->to->host;
}

static const char *port_of(const struct net *net)
{
    return net->host[0] != '\0' ? net->port : net->trust->to->port;
}

bool net_set_place(struct net *net, const char *place)
{
    struct address parts;
    int port;

    net->host[0] = '\0';
    if (place == NULL)
        return true;
    if (!address_split(place, strlen(place), &parts) || parts.port == NULL ||
        !address_parse_port(&parts, 1, &port) || parts.host_len == 0 ||
        parts.host_len >= HOST_BYTES)
        return false;
    memcpy(net->host, parts.host, parts.host_len);
    net->host[parts.host_len] = '\0';
    snprintf(net->port, sizeof net->port, "%d", port);
    return true;
}

/* Returns a socket with connect() in progress; -1: failed, and net->why has the
 * reason. */
static int open_socket(struct net *net, const struct addrinfo *address)
{
    int fd = fd_socket(address->ai_family, FD_NONBLOCKING);

    if (fd < 0) {
        note_failure(net, false, error_words(errno));
        return -1;
    }
    if (connect(fd, address->ai_addr, address->ai_addrlen) != 0 &&
        errno != EINPROGRESS) {
        note_failure(net, errno == ECONNREFUSED, error_words(errno));
        close(fd);
        return -1;
    }
    return fd;
}

/* Starts TLS on a socket that is, or soon will be, connected to the server. */
static bool open_wire(struct net *net, int fd)
{
    net->wire = wire_connect(net->hub, net->ctx, fd, net->trust->to->host, on_judge,
                             net, &wire_calls, net);
    if (net->wire == NULL)
        note_failure(net, false, _("TLS cannot be set up"));
    return net->wire != NULL;
}

static void on_proxied(void *arg, int fd, const char *why)
{
    struct net *net = arg;

    net->socks = NULL;
    if (fd < 0)
        note_failure(net, false, why);
    else if (open_wire(net, fd))
        return;
    try_next(net);
}

/* Returns the next address to try; NULL: none is left. */
static const struct addrinfo *take_address(struct net *net)
{
    for (;;) {
        const struct addrinfo *address = net->next;

        if (address == NULL && net->is_last)
            return NULL;
        net->is_last = net->is_last || address == NULL;
        net->next = address == NULL ? net->list : address->ai_next;
        if (address != NULL && (address->ai_addrlen <= sizeof net->silent &&
                                memcmp(address->ai_addr, &net->silent,
                                       address->ai_addrlen) == 0) == net->is_last)
            return address;
    }
}

static void try_next(struct net *net)
{
    while ((net->used = take_address(net)) != NULL) {
        int fd = open_socket(net, net->used);

        if (fd < 0)
            continue;
        if (net->proxy[0] != '\0') {
            net->socks =
                socks_start(net->base, fd, host_of(net), port_of(net), on_proxied, net);
            return;
        }
        if (open_wire(net, fd))
            return;
    }
    finish(net, net->failure);
}

static void on_resolved(void *arg, struct addrinfo *list, int error)
{
    struct net *net = arg;

    net->resolve = NULL;
    net->list = net->next = list;
    note_failure(net, false,
                 error == 0            ? ""
                 : error == EAI_NONAME ? _("Name or service not known")
                 : error == EAI_AGAIN  ? _("Temporary failure in name resolution")
                                       : gai_strerror(error));
    net->state = NET_CONNECTING;
    try_next(net);
}

void net_start(struct net *net)
{
    const char *host = host_of(net), *port = port_of(net);
    struct link_proxy proxy;

    net->is_resting = false;
    if (net->state != NET_IDLE && net->state != NET_WAITING)
        return;
    event_del(net->retry);
    net->attempt++;
    net->state = NET_RESOLVING;
    if (link_parse_proxy(net->proxy, &proxy)) {
        host = proxy.host;
        port = proxy.port;
    }
    net->resolve = resolve_start(net->base, host, port, on_resolved, net);
    if (net->resolve == NULL)
        log_die("net: cannot start the resolver thread");
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    net_start(arg);
}

/* --- From above --- */

struct net *net_new(struct event_base *base, SSL_CTX *ctx, const struct trust *trust,
                    const char *proxy, const struct net_calls *calls, void *owner)
{
    struct net *net = mem_new(sizeof *net);
    struct wire_limits limits = wire_limits_default();

    limits.farewell_ms = FAREWELL_MS;
    net->base = base;
    net->ctx = ctx;
    net->trust = trust;
    net->calls = calls;
    net->owner = owner;
    net->proxy = proxy;
    net->wait_ms = RETRY_FIRST_MS;
    net->hub = wire_hub_new(base, &limits);
    net->retry = loop_event(base, -1, 0, on_retry, net);
    if (net->hub == NULL)
        log_die("net: no loop to run on");
    return net;
}

void net_free(struct net *net)
{
    if (net == NULL)
        return;
    if (net->wire != NULL) {
        net->calls = NULL;
        net->reconnects = false;
        wire_drop(net->wire, WIRE_CLOSED_HERE); /* the server may keep sending */
        while (wire_hub_count(net->hub) > 0 &&
               event_base_loop(net->base, EVLOOP_NONBLOCK) == 0)
            ;
    }
    event_free(net->retry);
    forget_attempt(net);
    if (wire_hub_count(net->hub) == 0)
        wire_hub_free(net->hub);
    free(net);
}

void net_wait_next(struct net *net, int64_t wait_ms)
{
    net->wait_ms = wait_ms;
}

void net_rest(struct net *net)
{
    net->is_resting = true;
    event_del(net->retry);
    if (net->state == NET_WAITING)
        net->state = NET_IDLE;
}

void net_set_ctx(struct net *net, SSL_CTX *ctx)
{
    net->ctx = ctx;
}

void net_set_reconnects(struct net *net, bool reconnects)
{
    net->reconnects = reconnects;
}

void net_stop(struct net *net)
{
    net->is_stopping = true;
    event_del(net->retry);
    if (net->wire != NULL) {
        wire_close(net->wire);
        return;
    }
    say_why(net, _("closed"));
    finish(net, NET_CLOSED);
}

bool net_has_other_address(const struct net *net)
{
    for (const struct addrinfo *a = net->list; net->used != NULL && a != NULL;
         a = a->ai_next)
        if (a->ai_family == net->used->ai_family &&
            a->ai_socktype == net->used->ai_socktype &&
            memcmp(a->ai_addr, net->used->ai_addr, a->ai_addrlen) != 0)
            return true;
    return false;
}

void net_drop(struct net *net)
{
    if (net_has_other_address(net))
        memcpy(&net->silent, net->used->ai_addr, net->used->ai_addrlen);
    if (net->wire != NULL)
        wire_drop(net->wire, WIRE_TIMEOUT);
}

bool net_is_up(const struct net *net)
{
    return net->state == NET_UP && !net->is_stopping;
}

bool net_is_loopback(const struct net *net)
{
    return net->wire != NULL && address_is_loopback(wire_peer_address(net->wire));
}

void net_send(struct net *net, const char *line)
{
    if (!net_is_up(net))
        return;
    wire_send(net->wire, line, strlen(line));
    wire_send(net->wire, "\n", 1);
}
