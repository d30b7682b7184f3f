/* See impair.h. A link is two pipes. Any end leads through impair_cut() or
 * impair_link_free(). */
#include "tests/lib/impair.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/listener.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "tests/lib/impair_parts.h"

enum { SMALL_BYTES = 100 };

const char *impair_manner_name(enum impair_manner manner)
{
    static const char *const names[] = {"reset", "close", "client-vanishes",
                                        "server-vanishes", "garble"};

    _Static_assert(ARRAY_LEN(names) == IMPAIR_MANNERS, "a name for each manner");
    return names[manner];
}

/* splitmix64 */
uint32_t impair_draw(struct impair *impair, uint32_t below)
{
    uint64_t z = (impair->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

/* --- The end of a link --- */

/* RST, whatever waits in the socket; or FIN, also when something waits. */
static void close_end(int *fd, bool is_reset)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    if (*fd < 0)
        return;
    if (is_reset)
        setsockopt(*fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    else
        shutdown(*fd, SHUT_WR);
    close(*fd);
    *fd = -1;
}

static void forget(struct impair_link *link)
{
    struct impair *impair = link->of;

    if (impair->calls->on_gone != NULL)
        impair->calls->on_gone(impair->arg, link);
}

void impair_link_free(struct impair_link *link)
{
    if (!link->is_cut)
        forget(link);
    for (int way = 0; way < IMPAIR_WAYS; way++)
        impair_pipe_clear(&link->pipe[way]);
    close_end(&link->client, false);
    close_end(&link->server, false);
    DL_DELETE(link->of->links, link);
    free(link);
}

/* An end that must hear nothing stays open, and nobody reads it or writes to it, until
 * all is over. */
void impair_cut(struct impair_link *link, enum impair_manner manner)
{
    if (link->is_cut)
        return;
    for (int way = 0; way < IMPAIR_WAYS; way++)
        impair_pipe_clear(&link->pipe[way]);
    forget(link);
    link->is_cut = true;
    if (manner != IMPAIR_SERVER_VANISHES)
        close_end(&link->client, manner != IMPAIR_CLOSE);
    if (manner != IMPAIR_CLIENT_VANISHES)
        close_end(&link->server, manner != IMPAIR_CLOSE);
    if (link->client < 0 && link->server < 0)
        impair_link_free(link);
}

/* --- Beginnings --- */

static size_t choose_piece_max(struct impair *impair)
{
    uint32_t kind = impair->weather.is_in_pieces ? impair_draw(impair, 3) : 2;

    return kind == 0   ? 1
           : kind == 1 ? 1 + impair_draw(impair, SMALL_BYTES)
                       : IMPAIR_PIECE_BYTES;
}

static int connect_server(const struct impair *impair)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        die("impair no socket: %s", strerror(errno));
    if (connect(fd, (const struct sockaddr *)&impair->server, sizeof impair->server) ==
            0 ||
        errno == EINPROGRESS)
        return fd;
    close(fd);
    return -1;
}

static void send_at_once(int fd)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void open_link(struct impair *impair, int client, int server, uint32_t address)
{
    struct impair_link *link = mem_new(sizeof *link);

    link->of = impair;
    link->client = client;
    link->server = server;
    link->address = address;
    link->piece_max = choose_piece_max(impair);
    send_at_once(client);
    send_at_once(server);
    DL_APPEND(impair->links, link);
    for (int way = 0; way < IMPAIR_WAYS; way++)
        impair_pipe_init(link, (enum impair_way)way);
    impair->counts.links++;
    if (impair->calls->on_link != NULL)
        impair->calls->on_link(impair->arg, link);
}

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd,
                          struct sockaddr *from, int from_len, void *arg)
{
    struct impair *impair = arg;
    const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)from;
    int client = (int)fd, server = connect_server(impair);

    (void)listener;
    (void)from_len;
    if (server < 0)
        close_end(&client, true); /* as if nobody listened here either */
    else
        open_link(impair, client, server, ntohl(in->sin_addr.s_addr));
}

struct impair *impair_new(struct event_base *base, int server_port,
                          const struct impair_weather *weather,
                          const struct impair_calls *calls, void *arg)
{
    struct impair *impair = mem_new(sizeof *impair);
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t len = sizeof here;

    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    impair->base = base;
    impair->weather = *weather;
    impair->random = weather->seed;
    impair->calls = calls;
    impair->arg = arg;
    impair->server = here;
    impair->server.sin_port = htons((uint16_t)server_port);
    impair->listener = evconnlistener_new_bind(
        base, on_connection, impair, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC,
        1024, (struct sockaddr *)&here, sizeof here);
    if (impair->listener == NULL || getsockname(evconnlistener_get_fd(impair->listener),
                                                (struct sockaddr *)&here, &len) != 0)
        die("impair no port: %s", strerror(errno));
    impair->port = ntohs(here.sin_port);
    return impair;
}

void impair_free(struct impair *impair)
{
    struct impair_link *link, *next;

    if (impair == NULL)
        return;
    DL_FOREACH_SAFE (impair->links, link, next)
        impair_link_free(link);
    evconnlistener_free(impair->listener);
    free(impair);
}

int impair_port(const struct impair *impair)
{
    return impair->port;
}

struct impair_counts impair_counts(const struct impair *impair)
{
    return impair->counts;
}

uint32_t impair_link_address(const struct impair_link *link)
{
    return link->address;
}
