/* See impair.h. A link is one relayed connection. It has two pipes, one for each
 * direction; a pipe is a list of pieces of data, each with a due time. A trap watches
 * the bytes that a pipe receives and passes on, and cuts the link at a chosen moment. A
 * link always ends in impair_cut() or link_free(). */
#include "tests/bot/impair.h"

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
#include "common/base/mono.h"

enum { SMALL_BYTES = 100, PIECE_BYTES = 16384, PIPE_BYTES_MAX = 262144 };

/* Bytes that were read from one end and are due at the other end. len 0: the end of the
 * stream. */
struct piece {
    struct piece *prev, *next;
    int64_t due_us;
    size_t len, sent;
    char bytes[];
};

struct pipe {
    struct impair_link *link;
    enum impair_way way;
    int from, to;
    struct event *readable, *writable, *timer;
    struct piece *pieces;
    size_t waiting;      /* number of bytes in `pieces` that were not passed on yet */
    int64_t last_due_us; /* due time of the last piece: no piece overtakes another */
    int64_t received, sent;
    bool is_drained; /* the end of the stream was read */
    bool is_ended;   /* the end of the stream was passed on */
};

enum trap_state { TRAP_NONE, TRAP_SET, TRAP_ASKED /* waits for the reply */ };

struct trap {
    enum trap_state state;
    enum impair_moment moment;
    int64_t bytes; /* number of bytes in pipe->sent at which the trap triggers; 0:
                    * none */
    enum impair_manner manner;
    int mark;
};

struct impair_link {
    struct impair *of;
    struct impair_link *prev, *next;
    uint32_t address;
    int client, server; /* -1: closed */
    struct pipe pipe[IMPAIR_WAYS];
    size_t piece_max; /* maximum number of bytes that one write passes on */
    struct trap trap;
    bool is_cut; /* one end is open and must not notice the cut */
};

struct impair {
    struct event_base *base;
    struct evconnlistener *listener;
    struct impair_weather weather;
    const struct impair_calls *calls;
    void *arg;
    uint64_t random;
    struct sockaddr_in server;
    int port;
    struct impair_link *links;
    struct impair_counts counts;
};

/* Frees the link and closes its open ends. Calls on_gone, unless impair_cut() already
 * has. */
static void link_free(struct impair_link *link);

const char *impair_manner_name(enum impair_manner manner)
{
    static const char *const names[] = {"reset", "close", "client-vanishes",
                                        "server-vanishes", "garble"};

    _Static_assert(ARRAY_LEN(names) == IMPAIR_MANNERS, "a name for each manner");
    return names[manner];
}

/* Returns a random number below `below`, with splitmix64. */
static uint32_t draw(struct impair *impair, uint32_t below)
{
    uint64_t z = (impair->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

/* --- Traps --- */

bool impair_trap(struct impair_link *link, enum impair_moment moment, int bytes,
                 enum impair_manner manner, int mark)
{
    if (link->is_cut || link->trap.state != TRAP_NONE)
        return false;
    link->trap = (struct trap){.state = TRAP_SET,
                               .moment = moment,
                               .bytes = bytes,
                               .manner = manner,
                               .mark = mark};
    return true;
}

/* Flips one random bit in the bytes. */
static void garble(struct impair *impair, char *bytes, size_t len)
{
    uint32_t at = draw(impair, (uint32_t)len);

    bytes[at] = (char)(bytes[at] ^ (1 << draw(impair, 8)));
}

/* Cuts the link, or changes the bytes (IMPAIR_GARBLE), as the trap demands. Returns
 * false if the link has ended. */
static bool close_trap(struct impair_link *link, char *bytes, size_t len)
{
    struct impair *impair = link->of;
    struct trap trap = link->trap;

    link->trap.state = TRAP_NONE;
    if (impair->calls->on_cut != NULL)
        impair->calls->on_cut(impair->arg, link, trap.mark, trap.manner);
    if (trap.manner == IMPAIR_GARBLE && bytes != NULL) {
        garble(impair, bytes, len);
        return true;
    }
    impair_cut(link, trap.manner == IMPAIR_GARBLE ? IMPAIR_RESET : trap.manner);
    return false;
}

/* Handles the trap when bytes have arrived from one end and are not passed on yet.
 * Returns false if the link has ended. */
static bool spring_on_received(struct pipe *pipe, char *bytes, size_t len)
{
    struct trap *trap = &pipe->link->trap;

    if (trap->state == TRAP_SET && pipe->way == IMPAIR_UP) {
        if (trap->moment == IMPAIR_BEFORE_BYTES)
            return close_trap(pipe->link, bytes, len);
        if (trap->moment == IMPAIR_BEFORE_REPLY)
            trap->bytes = pipe->received + (int64_t)len;
    }
    if (trap->state == TRAP_ASKED && pipe->way == IMPAIR_DOWN)
        return close_trap(pipe->link, bytes, len);
    return true;
}

/* Returns how many of `len` bytes may be passed on before the trap triggers. */
static size_t up_to_trap(const struct pipe *pipe, size_t len)
{
    const struct trap *trap = &pipe->link->trap;
    int64_t left = trap->bytes - pipe->sent;

    if (trap->state != TRAP_SET || left <= 0 ||
        trap->moment != (pipe->way == IMPAIR_UP ? IMPAIR_AFTER_UP : IMPAIR_AFTER_DOWN))
        return len;
    return (int64_t)len > left ? (size_t)left : len;
}

/* Handles the trap when bytes have been passed on to the other end. Returns false if
 * the link has ended. */
static bool spring_on_sent(struct pipe *pipe)
{
    struct trap *trap = &pipe->link->trap;
    bool is_up = pipe->way == IMPAIR_UP;

    if (trap->state != TRAP_SET || trap->bytes == 0 || pipe->sent < trap->bytes)
        return true;
    if (trap->moment == IMPAIR_BEFORE_REPLY && is_up)
        trap->state = TRAP_ASKED;
    else if (trap->moment == (is_up ? IMPAIR_AFTER_UP : IMPAIR_AFTER_DOWN))
        return close_trap(pipe->link, NULL, 0);
    return true;
}

/* --- Passing on --- */

static void arm(struct pipe *pipe)
{
    int64_t wait_us = pipe->pieces != NULL ? pipe->pieces->due_us - mono_now_us() : 0;
    struct timeval delay = {0, 0};

    if (pipe->pieces == NULL)
        return;
    if (wait_us > 0)
        delay =
            (struct timeval){.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};
    evtimer_add(pipe->timer, &delay);
}

static void drop_piece(struct pipe *pipe)
{
    struct piece *piece = pipe->pieces;

    DL_DELETE(pipe->pieces, piece);
    free(piece);
}

/* Passes on the end of the stream. If the other pipe has ended too, frees the link and
 * returns false. */
static bool pass_end(struct pipe *pipe)
{
    struct impair_link *link = pipe->link;

    drop_piece(pipe);
    shutdown(pipe->to, SHUT_WR);
    pipe->is_ended = true;
    if (!link->pipe[!pipe->way].is_ended)
        return true;
    link_free(link);
    return false;
}

/* Writes once, at most piece_max bytes. Returns false if the link has ended. */
static bool pass_some(struct pipe *pipe)
{
    struct impair *impair = pipe->link->of;
    struct piece *piece = pipe->pieces;
    size_t len = piece->len - piece->sent;
    ssize_t sent;

    if (piece->len == 0)
        return pass_end(pipe);
    if (len > pipe->link->piece_max)
        len = pipe->link->piece_max;
    len = up_to_trap(pipe, len);
    sent = send(pipe->to, piece->bytes + piece->sent, len, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        event_add(pipe->writable, NULL);
        return true;
    }
    if (sent < 0) {
        impair_cut(pipe->link, IMPAIR_RESET);
        return false;
    }
    impair->counts.bytes[pipe->way] += sent;
    impair->counts.pieces[pipe->way]++;
    pipe->sent += sent;
    piece->sent += (size_t)sent;
    pipe->waiting -= (size_t)sent;
    if (piece->sent == piece->len)
        drop_piece(pipe);
    return spring_on_sent(pipe);
}

/* Passes on the first piece that is due, and no other piece in this turn of the event
 * loop. So the pieces of many links interleave, and the peer can read between two
 * pieces. */
static void on_due(evutil_socket_t fd, short what, void *arg)
{
    struct pipe *pipe = arg;

    (void)fd;
    (void)what;
    if (pipe->pieces == NULL || event_pending(pipe->writable, EV_WRITE, NULL))
        return;
    if (mono_now_us() >= pipe->pieces->due_us && !pass_some(pipe))
        return;
    if (pipe->waiting < PIPE_BYTES_MAX && !pipe->is_drained)
        event_add(pipe->readable, NULL);
    if (!event_pending(pipe->writable, EV_WRITE, NULL))
        arm(pipe);
}

static int64_t due_us(struct pipe *pipe)
{
    struct impair *impair = pipe->link->of;
    const struct impair_weather *weather = &impair->weather;
    int64_t ms = weather->delay_ms - weather->jitter_ms, at_us;

    ms += draw(impair, (uint32_t)weather->jitter_ms * 2 + 1);
    at_us = mono_now_us() + ms * 1000;
    if (at_us < pipe->last_due_us)
        at_us = pipe->last_due_us;
    if (weather->stalls_per_mille > 0 &&
        draw(impair, 1000) < (uint32_t)weather->stalls_per_mille) {
        at_us += (int64_t)draw(impair, (uint32_t)weather->stall_ms + 1) * 1000;
        impair->counts.stalls++;
    }
    pipe->last_due_us = at_us;
    return at_us;
}

static void add_piece(struct pipe *pipe, const char *bytes, size_t len)
{
    struct piece *piece = mem_new(sizeof *piece + len);
    bool is_first = pipe->pieces == NULL;

    memcpy(piece->bytes, bytes, len);
    piece->len = len;
    piece->due_us = due_us(pipe);
    DL_APPEND(pipe->pieces, piece);
    pipe->waiting += len;
    if (is_first)
        arm(pipe);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct pipe *pipe = arg;
    char bytes[PIECE_BYTES];
    ssize_t got = recv(fd, bytes, sizeof bytes, 0);

    (void)what;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    if (got < 0) {
        impair_cut(pipe->link, IMPAIR_RESET);
        return;
    }
    if (got > 0 && !spring_on_received(pipe, bytes, (size_t)got))
        return;
    pipe->received += got;
    pipe->is_drained = got == 0;
    if (got == 0 || pipe->waiting + (size_t)got >= PIPE_BYTES_MAX)
        event_del(pipe->readable);
    add_piece(pipe, bytes, (size_t)got);
}

/* --- Beginning and end --- */

static void pipe_init(struct impair_link *link, enum impair_way way)
{
    struct pipe *pipe = &link->pipe[way];
    struct event_base *base = link->of->base;

    pipe->link = link;
    pipe->way = way;
    pipe->from = way == IMPAIR_UP ? link->client : link->server;
    pipe->to = way == IMPAIR_UP ? link->server : link->client;
    pipe->readable =
        event_new(base, pipe->from, EV_READ | EV_PERSIST, on_readable, pipe);
    pipe->writable = event_new(base, pipe->to, EV_WRITE, on_due, pipe);
    pipe->timer = evtimer_new(base, on_due, pipe);
    if (pipe->readable == NULL || pipe->writable == NULL || pipe->timer == NULL ||
        event_add(pipe->readable, NULL) != 0)
        log_die("impair no events");
}

static void pipe_clear(struct pipe *pipe)
{
    struct piece *piece, *next;

    DL_FOREACH_SAFE (pipe->pieces, piece, next)
        free(piece);
    pipe->pieces = NULL;
    if (pipe->readable != NULL)
        event_free(pipe->readable);
    if (pipe->writable != NULL)
        event_free(pipe->writable);
    if (pipe->timer != NULL)
        event_free(pipe->timer);
    pipe->readable = pipe->writable = pipe->timer = NULL;
}

/* --- The end of a link --- */

/* Closes one end, if it is open. is_reset: with RST; otherwise with FIN. */
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

static void link_free(struct impair_link *link)
{
    if (!link->is_cut)
        forget(link);
    for (int way = 0; way < IMPAIR_WAYS; way++)
        pipe_clear(&link->pipe[way]);
    close_end(&link->client, false);
    close_end(&link->server, false);
    DL_DELETE(link->of->links, link);
    free(link);
}

/* An end that must not notice the cut remains open, but is neither read nor written
 * until link_free() closes it. */
void impair_cut(struct impair_link *link, enum impair_manner manner)
{
    if (link->is_cut)
        return;
    for (int way = 0; way < IMPAIR_WAYS; way++)
        pipe_clear(&link->pipe[way]);
    forget(link);
    link->is_cut = true;
    if (manner != IMPAIR_SERVER_VANISHES)
        close_end(&link->client, manner != IMPAIR_CLOSE);
    if (manner != IMPAIR_CLIENT_VANISHES)
        close_end(&link->server, manner != IMPAIR_CLOSE);
    if (link->client < 0 && link->server < 0)
        link_free(link);
}

/* --- Beginnings --- */

static size_t choose_piece_max(struct impair *impair)
{
    uint32_t kind = impair->weather.is_in_pieces ? draw(impair, 3) : 2;

    return kind == 0 ? 1 : kind == 1 ? 1 + draw(impair, SMALL_BYTES) : PIECE_BYTES;
}

static int connect_server(const struct impair *impair)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        log_die("impair no socket: %s", strerror(errno));
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
        pipe_init(link, (enum impair_way)way);
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
        close_end(&client, true); /* as if nobody listened on the relay's port */
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
        log_die("impair no port: %s", strerror(errno));
    impair->port = ntohs(here.sin_port);
    return impair;
}

void impair_free(struct impair *impair)
{
    struct impair_link *link, *next;

    if (impair == NULL)
        return;
    DL_FOREACH_SAFE (impair->links, link, next)
        link_free(link);
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
