/* See listener.h. */
#include "server/net/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/listener.h>
#include <utlist.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/system/fd.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/base/rest.h"
#include "server/base/timer.h"
#include "server/net/proxy.h"

enum {
    BACKLOG = 4096,    /* connections that may wait for accept(); many come while the
                        * loop is busy. The system may set a lower limit */
    HEADER_S = 3,      /* time limit for a balancer's header */
    PROXIED_MAX = 512, /* limit of connections without a complete header */
    LONG_AFTER_MS = 3600 * 1000 /* longer than any connection waits for its handshake */
};
/* Buffers of an accepted socket: the kernel holds this much for a slow reader. */
enum { SEND_BUFFER_BYTES = 64 * 1024, RECEIVE_BUFFER_BYTES = 16 * 1024 };

/* The listener has one socket for each address family, IPv4 and IPv6, because not every
 * system lets one socket accept both. */
enum { SOCKETS_MAX = 2, PORT_TRIES = 16 };

struct listener {
    struct evconnlistener *sockets[SOCKETS_MAX]; /* NULL after the last */
    struct rest *rests[SOCKETS_MAX];             /* one for each socket */
    char name[LISTENER_NAME_BYTES];
    int port;
    struct event_base *base;
    struct listener_settings settings;
    struct proxied *proxied; /* connections whose header is not complete */
    int proxied_count;
    struct event *turn_timer; /* fires when the next waiting connection may begin its
                               * handshake */
    struct admission *admission;
    listener_accept_fn *on_accept;
    void *arg;
    int spare_fd; /* when descriptors run out, it is closed, so that one connection can
                   * be accepted and refused */
};

/* --- When not to accept --- */

void listener_pause(struct listener *listener, bool is_paused)
{
    for (int i = 0; i < SOCKETS_MAX && listener->sockets[i] != NULL; i++)
        rest_pause(listener->rests[i], is_paused);
}

static void on_error(struct evconnlistener *socket, void *arg)
{
    struct listener *listener = arg;
    int why = errno, i = 0;

    if (why == EMFILE || why == ENFILE) { /* the spare descriptor refuses one */
        int fd;

        close(listener->spare_fd);
        fd = accept(evconnlistener_get_fd(socket), NULL, NULL);
        if (fd >= 0)
            close(fd);
        listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    while (listener->sockets[i] != socket)
        i++;
    rest_begin(listener->rests[i], why);
}

/* --- Callers --- */

/* With `on`, closing the socket sends a reset, and the kernel keeps no state of the
 * connection. Accepted sockets inherit this from the listening one, so a refusal needs
 * no further system call. */
static void set_reset(evutil_socket_t fd, int on)
{
    struct linger at_once = {.l_onoff = on, .l_linger = 0};

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

static void refuse_late(struct listener *listener, int64_t now_ms)
{
    struct slot *slot;

    while ((slot = admission_late(listener->admission, now_ms)) != NULL) {
        evutil_closesocket(slot_fd(slot));
        admission_leave(listener->admission, slot);
    }
}

/* Passes each waiting connection to on_accept when its turn has come. Refuses the
 * connections that have waited too long. Sets the timer for the next connection. */
static void serve(struct listener *listener, int64_t now_ms)
{
    struct slot *slot;
    int64_t wait_ms;

    while ((slot = admission_next(listener->admission, now_ms)) != NULL) {
        set_reset(slot_fd(slot), 0);
        listener->on_accept(listener->arg, slot_fd(slot), slot);
    }
    refuse_late(listener, now_ms);
    wait_ms = admission_wait_ms(listener->admission, now_ms);
    if (wait_ms >= 0)
        timer_start(listener->turn_timer, wait_ms);
}

static void on_turn(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    serve(arg, mono_now_ms());
}

static void admit(struct listener *listener, const struct prefix *from,
                  evutil_socket_t fd)
{
    int64_t now_ms = mono_now_ms();

    if (admission_arrive(listener->admission, from, fd, now_ms) == NULL)
        evutil_closesocket(fd);
    else
        serve(listener, now_ms);
}

/* --- Callers behind a balancer --- */

/* A connection whose header is incomplete. */
struct proxied {
    struct listener *listener;
    struct prefix from; /* the balancer */
    evutil_socket_t fd;
    struct event *readable;
    unsigned char header[PROXY_HEADER_MAX];
    size_t len;
    struct proxied *prev, *next;
};

static void end_proxied(struct proxied *proxied)
{
    DL_DELETE(proxied->listener->proxied, proxied);
    proxied->listener->proxied_count--;
    event_free(proxied->readable);
    free(proxied);
}

static void refuse_proxied(struct proxied *proxied)
{
    evutil_closesocket(proxied->fd);
    end_proxied(proxied);
}

/* Returns how many bytes of the header remain to be read; the data after the header is
 * not read here. 0: not a header. */
static size_t wanted(const struct proxied *proxied)
{
    size_t len = PROXY_HEAD_BYTES;

    if (proxied->len >= PROXY_HEAD_BYTES)
        len = proxy_header_len(proxied->header);
    return len > proxied->len ? len - proxied->len : 0;
}

static bool is_whole(const struct proxied *proxied)
{
    return proxied->len >= PROXY_HEAD_BYTES &&
           proxied->len == proxy_header_len(proxied->header);
}

static void on_header(evutil_socket_t fd, short what, void *arg)
{
    struct proxied *proxied = arg;
    struct listener *listener = proxied->listener;
    struct prefix from = proxied->from;
    ssize_t got = 0;

    if ((what & EV_READ) != 0)
        got = recv(fd, proxied->header + proxied->len, wanted(proxied), MSG_DONTWAIT);
    if (got > 0)
        proxied->len += (size_t)got;
    if (is_whole(proxied) && proxy_read(proxied->header, proxied->len, &from)) {
        end_proxied(proxied);
        admit(listener, &from, fd);
    } else if (got <= 0 || is_whole(proxied) || wanted(proxied) == 0) {
        rest_note_refusal(listener->rests[0], "no-proxy-header");
        refuse_proxied(proxied);
    }
}

static void await_header(struct listener *listener, const struct prefix *from,
                         evutil_socket_t fd)
{
    static const struct timeval patience = {.tv_sec = HEADER_S};
    struct proxied *proxied;

    if (listener->proxied_count >= PROXIED_MAX) {
        evutil_closesocket(fd);
        return;
    }
    proxied = mem_new(sizeof *proxied);
    proxied->listener = listener;
    proxied->from = *from;
    proxied->fd = fd;
    proxied->readable =
        event_new(listener->base, fd, EV_READ | EV_PERSIST, on_header, proxied);
    if (proxied->readable == NULL || event_add(proxied->readable, &patience) != 0)
        log_die("listener no event");
    DL_APPEND(listener->proxied, proxied);
    listener->proxied_count++;
}

static void on_connection(struct evconnlistener *socket, evutil_socket_t fd,
                          struct sockaddr *from, int from_len, void *arg)
{
    struct listener *listener = arg;
    struct prefix address = prefix_of_sockaddr(from);

    (void)socket;
    (void)from_len;
    if (prefix_list_has(&listener->settings.proxy, &address))
        await_header(listener, &address, fd);
    else
        admit(listener, &address, fd);
}

/* --- Opening --- */

enum { HOST_BYTES = 256, PORT_BYTES = 12 };

static struct addrinfo *resolve(const char *where)
{
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                             .ai_socktype = SOCK_STREAM},
                    *found = NULL;
    char host[HOST_BYTES], port[PORT_BYTES];
    struct address parts;
    int status, number = PROTO_PORT;

    if (!address_split(where, strlen(where), &parts) || parts.host_len >= HOST_BYTES ||
        (parts.port != NULL && !address_parse_port(&parts, 0, &number))) {
        log_warn("listen on=%s why=\"not an address\"", where);
        return NULL;
    }
    memcpy(host, parts.host, parts.host_len);
    host[parts.host_len] = '\0';
    snprintf(port, sizeof port, "%d", number);
    status = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &found);
    if (status != 0 &&
        !log_advise(
            "janggid cannot listen at \"%s\": --listen takes an address of this "
            "machine and a port, as in 192.0.2.1:9032, or a port alone, as in "
            ":9032.",
            where))
        log_warn("listen on=%s why=\"%s\"", where, gai_strerror(status));
    return status == 0 ? found : NULL;
}

/* Returns a pointer to the port in `address`. The port is in network byte order. */
static in_port_t *port_in(struct sockaddr *address)
{
    if (address->sa_family == AF_INET6)
        return &((struct sockaddr_in6 *)(void *)address)->sin6_port;
    return &((struct sockaddr_in *)(void *)address)->sin_port;
}

/* Returns the length of the address. */
static socklen_t own_address(int fd, struct sockaddr_storage *own)
{
    socklen_t len = sizeof *own;

    if (getsockname(fd, (struct sockaddr *)own, &len) != 0)
        log_die("listener getsockname: %s", strerror(errno));
    return len;
}

/* Makes a listening socket. Accepted sockets inherit its options. On failure
 * returns -1 and sets errno. */
static int bind_socket(const struct addrinfo *address)
{
    int on = 1, send_bytes = SEND_BUFFER_BYTES, receive_bytes = RECEIVE_BUFFER_BYTES;
    int why;
    int fd = fd_socket(address->ai_family, FD_NONBLOCKING);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    set_reset(fd, 1);
    if (address->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 &&
        listen(fd, BACKLOG) == 0)
        return fd;
    why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Binds the first IPv6 address, then the first IPv4 address. The second socket gets the
 * same port as the first. Skips a family that this system lacks. Returns the number of
 * sockets. 0: failed, and errno is set. */
static int bind_families(struct addrinfo *found, int fds[SOCKETS_MAX])
{
    static const int families[SOCKETS_MAX] = {AF_INET6, AF_INET};
    int count = 0;

    errno = EADDRNOTAVAIL;
    for (int i = 0; i < SOCKETS_MAX; i++) {
        struct addrinfo *a = found;

        while (a != NULL && a->ai_family != families[i])
            a = a->ai_next;
        if (a == NULL)
            continue;
        if (count > 0) {
            struct sockaddr_storage first = {0};

            (void)own_address(fds[0], &first);
            *port_in(a->ai_addr) = *port_in((struct sockaddr *)&first);
        }
        fds[count] = bind_socket(a);
        if (fds[count] >= 0) {
            count++;
        } else if (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL &&
                   errno != EPROTONOSUPPORT) {
            int why = errno;

            while (count > 0)
                close(fds[--count]);
            errno = why;
            return 0;
        }
    }
    return count;
}

/* Binds a socket of each family to one port. If the system chooses the port for the
 * first family, and that port is in use in the other family, tries again with another
 * port. Returns the same as bind_families(). */
static int bind_all(struct addrinfo *found, int fds[SOCKETS_MAX])
{
    bool may_choose = *port_in(found->ai_addr) == 0;
    int count = 0;

    for (int i = 0; i < (may_choose ? PORT_TRIES : 1) && count == 0; i++) {
        for (struct addrinfo *a = found; may_choose && a != NULL; a = a->ai_next)
            *port_in(a->ai_addr) = 0;
        count = bind_families(found, fds);
    }
    return count;
}

static void learn_name(struct listener *listener, int fd)
{
    struct sockaddr_storage own = {0};
    socklen_t len = own_address(fd, &own);
    char host[INET6_ADDRSTRLEN] = "?";

    getnameinfo((struct sockaddr *)&own, len, host, sizeof host, NULL, 0,
                NI_NUMERICHOST);
    listener->port = ntohs(*port_in((struct sockaddr *)&own));
    snprintf(listener->name, sizeof listener->name,
             own.ss_family == AF_INET6 ? "[%s]:%d" : "%s:%d", host, listener->port);
}

struct listener *listener_open(struct event_base *base,
                               const struct listener_settings *settings,
                               struct admission *admission,
                               listener_accept_fn *on_accept, void *arg)
{
    const char *where = settings->listen;
    struct addrinfo *found = resolve(where);
    struct listener *listener;
    int fds[SOCKETS_MAX], count;

    if (found == NULL)
        return NULL;
    count = bind_all(found, fds);
    if (count == 0) {
        int why = errno;

        if (!log_advise(
                "janggid cannot listen at %s: %s", where,
                why == EADDRINUSE
                    ? "another program has this port, perhaps a janggid that runs "
                      "already (janggid ctl status). Stop it, or choose another port: "
                      "--listen :9033"
                : why == EACCES
                    ? "only root may use a port below 1024; the usual one is "
                      "--listen :9032"
                    : "use an address of this machine, or a port alone: --listen "
                      ":9032"))
            log_warn("listen on=%s why=\"%s\"", where, strerror(why));
    }
    freeaddrinfo(found);
    if (count == 0)
        return NULL;
    listener = mem_new(sizeof *listener);
    listener->base = base;
    listener->settings = *settings;
    listener->settings.listen = NULL;
    listener->admission = admission;
    listener->on_accept = on_accept;
    listener->arg = arg;
    listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    listener->turn_timer = timer_new(base, on_turn, listener);
    learn_name(listener, fds[0]);
    for (int i = 0; i < count; i++) {
        listener->sockets[i] = evconnlistener_new(
            base, on_connection, listener,
            LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fds[i]);
        if (listener->sockets[i] == NULL)
            log_die("listener no memory");
        evconnlistener_set_error_cb(listener->sockets[i], on_error);
        listener->rests[i] = rest_new(base, listener->sockets[i], "listener");
    }
    return listener;
}

void listener_close(struct listener *listener)
{
    for (int i = 0; i < SOCKETS_MAX && listener->sockets[i] != NULL; i++) {
        rest_free(listener->rests[i]);
        evconnlistener_free(listener->sockets[i]);
        listener->sockets[i] = NULL;
    }
    event_del(listener->turn_timer);
    refuse_late(listener, mono_now_ms() + LONG_AFTER_MS);
    while (listener->proxied != NULL)
        refuse_proxied(listener->proxied);
}

void listener_free(struct listener *listener)
{
    if (listener == NULL)
        return;
    listener_close(listener);
    event_free(listener->turn_timer);
    close(listener->spare_fd);
    free(listener);
}

int listener_port(const struct listener *listener)
{
    return listener->port;
}

const char *listener_name(const struct listener *listener)
{
    return listener->name;
}
