/* See web_listener.h. */
#include "server/web/web_listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/listener.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/base/rest.h"

enum { ADDRESS_BYTES = 256, SOCKET_MODE = 0666 };
static const char unix_prefix[] = "unix:";

struct web_listener {
    struct evconnlistener *socket;
    struct rest *rest;
    web_listener_fn *on_accept;
    void *arg;
};

static void on_connection(struct evconnlistener *socket, evutil_socket_t fd,
                          struct sockaddr *from, int from_len, void *arg)
{
    struct web_listener *listener = arg;

    (void)socket;
    (void)from;
    (void)from_len;
    listener->on_accept(listener->arg, fd);
}

static void on_accept_fault(struct evconnlistener *socket, void *arg)
{
    (void)socket;
    rest_begin(((struct web_listener *)arg)->rest, errno);
}

/* The address of a listening socket. */
struct place {
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_in6 six;
        struct sockaddr_storage room;
    } at;
    int len;
};

/* Parses `where`. Returns NULL, or what is wrong with it. */
static const char *parse(const char *where, struct place *out)
{
    bool is_named = strncmp(where, "localhost:", 10) == 0;
    struct sockaddr_in *four = (struct sockaddr_in *)(void *)&out->at.any;
    const char *path = where + strlen(unix_prefix);
    char text[ADDRESS_BYTES];
    struct stat found;

    memset(out, 0, sizeof *out);
    if (strncmp(where, unix_prefix, strlen(unix_prefix)) != 0) {
        snprintf(text, sizeof text, "%s%s", is_named ? "127.0.0.1:" : where,
                 is_named ? where + 10 : "");
        out->len = sizeof out->at;
        if (evutil_parse_sockaddr_port(text, &out->at.any, &out->len) != 0)
            return "not an address with a port";
        if (out->at.any.sa_family == AF_INET
                ? ntohl(four->sin_addr.s_addr) >> 24 != IN_LOOPBACKNET
                : !IN6_IS_ADDR_LOOPBACK(&out->at.six.sin6_addr))
            return "without TLS it must be an address of this machine alone, or "
                   "unix:/PATH";
        return NULL;
    }
    out->at.local.sun_family = AF_UNIX;
    out->len = sizeof out->at.local;
    if (path[0] != '/' ||
        !text_copy(out->at.local.sun_path, sizeof out->at.local.sun_path, path))
        return "the path of a socket must begin with / and be short (about 100 bytes)";
    if (lstat(path, &found) == 0 && !S_ISSOCK(found.st_mode))
        return "there is a file of that name, which is not a socket";
    return NULL;
}

struct web_listener *web_listener_open(struct event_base *base, const char *where,
                                       web_listener_fn *on_accept, void *arg)
{
    struct web_listener *listener = mem_new(sizeof *listener);
    struct place place;
    const char *why = parse(where, &place);
    bool is_unix = place.at.any.sa_family == AF_UNIX;

    *listener = (struct web_listener){.on_accept = on_accept, .arg = arg};
    if (why == NULL && is_unix)
        unlink(place.at.local.sun_path);
    if (why == NULL)
        listener->socket = evconnlistener_new_bind(
            base, on_connection, listener,
            LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE, -1,
            &place.at.any, place.len);
    if (listener->socket == NULL) {
        why = why != NULL ? why : strerror(errno);
        if (!log_advise(
                "janggid cannot listen at %s: %s. --web-listen takes a loopback "
                "address and a free port, as in 127.0.0.1:9080, or unix:/PATH.",
                where, why))
            log_warn("web-listen on=%s why=\"%s\"", where, why);
        free(listener);
        return NULL;
    }
    listener->rest = rest_new(base, listener->socket, "web-listen");
    evconnlistener_set_error_cb(listener->socket, on_accept_fault);
    /* Lets all programs on this machine connect to the socket. Programs can connect to
     * a port in the same way. */
    if (is_unix)
        chmod(place.at.local.sun_path, SOCKET_MODE);
    return listener;
}

void web_listener_free(struct web_listener *listener)
{
    if (listener == NULL)
        return;
    rest_free(listener->rest);
    evconnlistener_free(listener->socket);
    free(listener);
}
