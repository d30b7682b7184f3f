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
#include <uthash.h>

#include "common/base/fd.h"
#include "common/base/hostport.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"

enum { TOLD_MAX = 16 }; /* limit of concurrent refused connections that get a message */
enum { REST_MS = 200, BACKLOG = 1024, LOG_EVERY_MS = 10000 };

/* The unit of per-source limits: an IPv4 address, or the /64 of an IPv6 one. */
struct address {
    unsigned char bytes[8];
    uint32_t number;
    int connections;
    UT_hash_handle hh;        /* by the bytes of the address */
    UT_hash_handle by_number; /* by its number */
};

/* One socket for each family: not every system lets one socket accept both. */
enum { SOCKETS_MAX = 2, PORT_TRIES = 16 };

struct listener {
    struct evconnlistener *sockets[SOCKETS_MAX]; /* NULL after the last */
    char name[LISTENER_NAME_BYTES];
    int port;
    struct event *rest_timer; /* ends a pause of accepting */
    struct listener_settings settings;
    listener_accept_fn *on_accept;
    void *arg;
    int spare_fd; /* closed to accept and refuse one more connection */
    int connections;
    struct address *addresses, *numbers;
    uint32_t last_number;
    int64_t accept_window_ms;
    int accepts_in_window;
    int64_t logged_ms;
    int refused; /* connections refused since logged_ms */
};

/* --- Addresses --- */

static void address_bytes(unsigned char out[8], const struct sockaddr *from)
{
    memset(out, 0, 8);
    if (from->sa_family == AF_INET) {
        out[0] = 4;
        memcpy(out + 4, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
    } else if (from->sa_family == AF_INET6) {
        const struct in6_addr *v6 =
            &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;

        if (IN6_IS_ADDR_V4MAPPED(v6)) {
            out[0] = 4;
            memcpy(out + 4, v6->s6_addr + 12, 4);
        } else {
            memcpy(out, v6->s6_addr, 8);
        }
    }
}

static struct address *address_of(struct listener *listener,
                                  const struct sockaddr *from)
{
    unsigned char bytes[8];
    struct address *address;

    address_bytes(bytes, from);
    HASH_FIND(hh, listener->addresses, bytes, sizeof bytes, address);
    if (address != NULL)
        return address;
    address = mem_new(sizeof *address);
    memcpy(address->bytes, bytes, sizeof bytes);
    address->number = ++listener->last_number;
    HASH_ADD(hh, listener->addresses, bytes, sizeof address->bytes, address);
    HASH_ADD(by_number, listener->numbers, number, sizeof address->number, address);
    return address;
}

static void address_put(struct listener *listener, struct address *address)
{
    if (address->connections > 0)
        return;
    HASH_DELETE(hh, listener->addresses, address);
    HASH_DELETE(by_number, listener->numbers, address);
    free(address);
}

void listener_release(struct listener *listener, uint32_t number)
{
    struct address *address;

    HASH_FIND(by_number, listener->numbers, &number, sizeof number, address);
    if (address == NULL)
        return;
    address->connections--;
    listener->connections--;
    address_put(listener, address);
}

/* --- When not to accept --- */

static void note_refusal(struct listener *listener, const char *why)
{
    int64_t now_ms = mono_now_ms();

    listener->refused++;
    if (now_ms - listener->logged_ms < LOG_EVERY_MS && listener->logged_ms != 0)
        return;
    log_warn("listener refused=%d why=%s connections=%d", listener->refused, why,
             listener->connections);
    listener->logged_ms = now_ms;
    listener->refused = 0;
}

static void rest(struct listener *listener)
{
    struct timeval delay = {.tv_sec = 0, .tv_usec = (suseconds_t)REST_MS * 1000};

    for (int i = 0; i < SOCKETS_MAX && listener->sockets[i] != NULL; i++)
        evconnlistener_disable(listener->sockets[i]);
    event_add(listener->rest_timer, &delay);
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    struct listener *listener = arg;

    (void)fd;
    (void)what;
    for (int i = 0; i < SOCKETS_MAX && listener->sockets[i] != NULL; i++)
        evconnlistener_enable(listener->sockets[i]);
}

/* Out of descriptors: the spare one lets us accept one connection and close it, then
 * the listener pauses. Without the pause the loop would spin, because the socket stays
 * readable. */
static void on_error(struct evconnlistener *socket, void *arg)
{
    struct listener *listener = arg;
    int fd;

    note_refusal(listener, strerror(errno));
    if (errno == EMFILE || errno == ENFILE) {
        close(listener->spare_fd);
        fd = accept(evconnlistener_get_fd(socket), NULL, NULL);
        if (fd >= 0)
            close(fd);
        listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    rest(listener);
}

static bool is_too_fast(struct listener *listener)
{
    int64_t now_ms = mono_now_ms();

    if (listener->settings.accepts_per_s == 0)
        return false;
    if (now_ms - listener->accept_window_ms >= REST_MS) {
        listener->accept_window_ms = now_ms;
        listener->accepts_in_window = 0;
    }
    return ++listener->accepts_in_window >=
           listener->settings.accepts_per_s * REST_MS / 1000;
}

static void on_connection(struct evconnlistener *socket, evutil_socket_t fd,
                          struct sockaddr *from, int from_len, void *arg)
{
    struct listener *listener = arg;
    struct address *address = address_of(listener, from);
    bool is_too_many;

    (void)socket;
    (void)from_len;
    if (is_too_fast(listener))
        rest(listener); /* this connection is still served; the next one waits in the
                         * kernel's queue */
    is_too_many = listener->connections >= listener->settings.connections_max ||
                  address->connections >= listener->settings.per_address_max;
    if (is_too_many)
        note_refusal(listener,
                     address->connections >= listener->settings.per_address_max
                         ? "too many from one address"
                         : "full");
    if (is_too_many &&
        (listener->connections >= listener->settings.connections_max + TOLD_MAX ||
         address->connections >= listener->settings.per_address_max + 1)) {
        evutil_closesocket(fd); /* more than TOLD_MAX: close without a message */
        address_put(listener, address);
        return;
    }
    address->connections++;
    listener->connections++;
    listener->on_accept(listener->arg, fd, address->number, is_too_many);
}

/* --- Opening --- */

enum { HOST_BYTES = 256, PORT_BYTES = 12 };

/* Takes "HOST:PORT" apart; the usual port if it has none. False: not an address,
 * or too long. */
static bool split(const char *where, char host[HOST_BYTES], char port[PORT_BYTES])
{
    struct hostport parts;
    int number = PROTO_PORT;

    if (!hostport_split(where, strlen(where), &parts) || parts.host_len >= HOST_BYTES ||
        (parts.port != NULL && !hostport_parse_port(&parts, 0, &number)))
        return false;
    memcpy(host, parts.host, parts.host_len);
    host[parts.host_len] = '\0';
    snprintf(port, PORT_BYTES, "%d", number);
    return true;
}

static struct addrinfo *resolve(const char *where)
{
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                             .ai_socktype = SOCK_STREAM},
                    *found = NULL;
    char host[HOST_BYTES], port[PORT_BYTES];
    int status;

    if (!split(where, host, port)) {
        log_warn("listen on=%s why=\"not an address\"", where);
        return NULL;
    }
    status = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &found);
    if (status != 0)
        log_warn("listen on=%s why=\"%s\"", where, gai_strerror(status));
    return status == 0 ? found : NULL;
}

/* In network order. */
static in_port_t *port_in(struct sockaddr *address)
{
    if (address->sa_family == AF_INET6)
        return &((struct sockaddr_in6 *)(void *)address)->sin6_port;
    return &((struct sockaddr_in *)(void *)address)->sin_port;
}

static in_port_t port_of(int fd)
{
    struct sockaddr_storage own = {0};
    socklen_t len = sizeof own;

    if (getsockname(fd, (struct sockaddr *)&own, &len) != 0)
        die("listener getsockname: %s", strerror(errno));
    return *port_in((struct sockaddr *)&own);
}

/* Returns -1 with errno. */
static int bind_socket(const struct addrinfo *address)
{
    int on = 1, why;
    int fd = fd_socket(address->ai_family, FD_NONBLOCKING);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
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

/* True when this system lacks the family or has no address of it. */
static bool is_family_missing(int why)
{
    return why == EAFNOSUPPORT || why == EADDRNOTAVAIL || why == EPROTONOSUPPORT;
}

static void close_all(int fds[SOCKETS_MAX], int *count)
{
    while (*count > 0)
        close(fds[--*count]);
}

/* Binds the first address of each family, IPv6 first, all to the port of the first.
 * Returns the number of sockets; 0 with errno. */
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
        if (count > 0)
            *port_in(a->ai_addr) = port_of(fds[0]);
        fds[count] = bind_socket(a);
        if (fds[count] >= 0) {
            count++;
        } else if (!is_family_missing(errno)) {
            int why = errno;

            close_all(fds, &count);
            errno = why;
            return 0;
        }
    }
    return count;
}

/* The port that the system chose for one family may be in use in the other: tries
 * again. */
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
    socklen_t len = sizeof own;
    char host[INET6_ADDRSTRLEN] = "?";

    if (getsockname(fd, (struct sockaddr *)&own, &len) != 0)
        die("listener getsockname: %s", strerror(errno));
    getnameinfo((struct sockaddr *)&own, len, host, sizeof host, NULL, 0,
                NI_NUMERICHOST);
    listener->port = ntohs(*port_in((struct sockaddr *)&own));
    snprintf(listener->name, sizeof listener->name,
             own.ss_family == AF_INET6 ? "[%s]:%d" : "%s:%d", host, listener->port);
}

static void add_socket(struct listener *listener, struct event_base *base, int at,
                       int fd)
{
    listener->sockets[at] =
        evconnlistener_new(base, on_connection, listener,
                           LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    if (listener->sockets[at] == NULL)
        die("listener no memory");
    evconnlistener_set_error_cb(listener->sockets[at], on_error);
}

struct listener *listener_open(struct event_base *base, const char *where,
                               const struct listener_settings *settings,
                               listener_accept_fn *on_accept, void *arg)
{
    struct addrinfo *found = resolve(where);
    struct listener *listener;
    int fds[SOCKETS_MAX], count;

    if (found == NULL)
        return NULL;
    count = bind_all(found, fds);
    if (count == 0)
        log_warn("listen on=%s why=\"%s\"", where, strerror(errno));
    freeaddrinfo(found);
    if (count == 0)
        return NULL;
    listener = mem_new(sizeof *listener);
    listener->settings = *settings;
    listener->on_accept = on_accept;
    listener->arg = arg;
    listener->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    listener->rest_timer = evtimer_new(base, on_rested, listener);
    if (listener->rest_timer == NULL)
        die("listener no memory");
    learn_name(listener, fds[0]);
    for (int i = 0; i < count; i++)
        add_socket(listener, base, i, fds[i]);
    return listener;
}

void listener_close(struct listener *listener)
{
    for (int i = 0; i < SOCKETS_MAX && listener->sockets[i] != NULL; i++) {
        evconnlistener_free(listener->sockets[i]);
        listener->sockets[i] = NULL;
    }
    event_del(listener->rest_timer);
}

void listener_free(struct listener *listener)
{
    if (listener == NULL)
        return;
    listener_close(listener);
    event_free(listener->rest_timer);
    close(listener->spare_fd);
    free(listener);
}

int listener_port(const struct listener *listener)
{
    return listener->port;
}

void listener_name(const struct listener *listener, char out[LISTENER_NAME_BYTES])
{
    text_copy(out, LISTENER_NAME_BYTES, listener->name);
}
