/* See impair.h. A pipe is a list of pieces that are due at some time; a trap looks at
 * what comes and at what was passed on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/impair_parts.h"

enum { PIPE_BYTES_MAX = 262144 };

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

/* One bit of the first bytes that come: of a record's head or of what it holds. */
static void garble(struct impair *impair, char *bytes, size_t len)
{
    uint32_t at = impair_draw(impair, (uint32_t)len);

    bytes[at] = (char)(bytes[at] ^ (1 << impair_draw(impair, 8)));
}

/* False: the link is no more. bytes may have been garbled. */
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

/* Bytes have come from one end and are not passed on yet. False as above. */
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

/* Of len bytes those that may be passed on before a trap closes. */
static size_t up_to_trap(const struct pipe *pipe, size_t len)
{
    const struct trap *trap = &pipe->link->trap;
    int64_t left = trap->bytes - pipe->sent;

    if (trap->state != TRAP_SET || left <= 0 ||
        trap->moment != (pipe->way == IMPAIR_UP ? IMPAIR_AFTER_UP : IMPAIR_AFTER_DOWN))
        return len;
    return (int64_t)len > left ? (size_t)left : len;
}

/* Bytes have been passed on to the other end. */
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

/* The end of the stream has arrived at the other end as well. False: the link is gone.
 */
static bool pass_end(struct pipe *pipe)
{
    struct impair_link *link = pipe->link;

    drop_piece(pipe);
    shutdown(pipe->to, SHUT_WR);
    pipe->is_ended = true;
    if (!link->pipe[!pipe->way].is_ended)
        return true;
    impair_link_free(link);
    return false;
}

/* One write, of no more bytes than this link takes at a time. False as above. */
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

/* One piece a turn, so that small ones of many links mix, and the peer may read between
 * two of them. */
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

    ms += impair_draw(impair, (uint32_t)weather->jitter_ms * 2 + 1);
    at_us = mono_now_us() + ms * 1000;
    if (at_us < pipe->last_due_us)
        at_us = pipe->last_due_us;
    if (weather->stalls_per_mille > 0 &&
        impair_draw(impair, 1000) < (uint32_t)weather->stalls_per_mille) {
        at_us += (int64_t)impair_draw(impair, (uint32_t)weather->stall_ms + 1) * 1000;
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
    char bytes[IMPAIR_PIECE_BYTES];
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

void impair_pipe_init(struct impair_link *link, enum impair_way way)
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
        die("impair no events");
}

void impair_pipe_clear(struct pipe *pipe)
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
