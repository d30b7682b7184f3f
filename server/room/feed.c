/* See feed.h. */
#include "server/room/feed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "common/net/proto.h"
#include "server/net/session.h"

enum {
    FEED_BYTES_MORE = EVENT_BYTES + 64, /* minimum growth of the block; one line fits
                                         * into it */
    FEED_LINES_FIRST = 16,
    PUMP_BYTES = 8192 /* limit of unsent bytes for one reader, beyond the kernel's
                       * buffer */
};

void feed_clear(struct feed *feed)
{
    assert(feed->players == NULL && feed->watchers == NULL);
    free(feed->bytes);
    free(feed->line);
    free(feed->asides);
    *feed = (struct feed){0};
}

void feed_add(struct feed *feed, int64_t game, const char *text)
{
    char line[FEED_BYTES_MORE];
    struct text out = text_into(line, sizeof line);

    text_add(&out, "! game ");
    text_add_int(&out, game);
    text_add(&out, " ");
    text_add_int(&out, feed->lines);
    text_add(&out, " ");
    text_add(&out, text);
    text_add(&out, "\n");
    assert(!out.is_cut);
    assert(feed->size < UINT32_MAX / 4); /* room.c ends a game long before that */
    if (feed->size + out.len > feed->room) {
        feed->room +=
            feed->room / 2 > FEED_BYTES_MORE ? feed->room / 2 : FEED_BYTES_MORE;
        feed->bytes = mem_resize(feed->bytes, feed->room, 1);
    }
    feed->line = mem_grow(feed->line, feed->lines, &feed->line_room, FEED_LINES_FIRST,
                          sizeof *feed->line);
    feed->line[feed->lines++] = feed->size;
    memcpy(feed->bytes + feed->size, line, out.len);
    feed->size += (uint32_t)out.len;
}

bool feed_read(const struct feed *feed, int number, struct event *out)
{
    char line[FEED_BYTES_MORE];
    const char *from = feed->bytes + feed->line[number], *text;
    const char *end = memchr(from, '\n', feed->size - feed->line[number]);
    size_t len = (size_t)(end - from);
    int64_t game;
    int found;

    assert(len < sizeof line);
    memcpy(line, from, len);
    line[len] = '\0';
    return proto_cut_event(line, &game, &found, &text) && found == number &&
           event_parse(text, out) == EVENT_OK;
}

char *feed_copy(const struct feed *feed, int count)
{
    char *log = mem_new(feed->size + 1), *at = log;

    for (int i = 0; i < count; i++) {
        const char *from = feed->bytes + feed->line[i], *end;

        for (int word = 0; word < 4; word++) /* "! game GAME NUMBER " */
            from = strchr(from, ' ') + 1;
        end = memchr(from, '\n', feed->size) + 1;
        memcpy(at, from, (size_t)(end - from));
        at += end - from;
    }
    return log;
}

void feed_cut(struct feed *feed, int number)
{
    assert(number < feed->lines && feed->players == NULL && feed->watchers == NULL);
    feed->size = feed->line[number];
    feed->lines = number;
}

/* Returns the offset up to which the cursor may read. */
static uint32_t limit_of(const struct cursor *cursor)
{
    return cursor->role == CURSOR_PLAYER ? cursor->feed->size : cursor->feed->watched;
}

int feed_count_for(const struct feed *feed, enum cursor_role role)
{
    int count = feed->lines;

    while (role == CURSOR_WATCHER && count > 0 &&
           feed->line[count - 1] >= feed->watched)
        count--;
    return count;
}

struct cursor *feed_find(const struct feed *feed, const struct session *session)
{
    struct cursor *cursor;

    DL_FOREACH2 (session->cursors, cursor, session_next)
        if (cursor->feed == feed)
            return cursor;
    return NULL;
}

void feed_show(struct feed *feed, int watched)
{
    struct cursor *cursor;

    feed->watched = watched < feed->lines ? feed->line[watched] : feed->size;
    DL_FOREACH (feed->players, cursor)
        feed_pump(cursor);
    DL_FOREACH (feed->watchers, cursor)
        feed_pump(cursor);
}

struct cursor *feed_follow(struct feed *feed, struct session *session,
                           enum cursor_role role, int number)
{
    struct cursor *cursor = feed_find(feed, session);

    assert(number >= 0 && number <= feed_count_for(feed, role));
    if (cursor != NULL && cursor->role != role) { /* a spectator has become a player */
        feed_unfollow(cursor);
        cursor = NULL;
    }
    if (cursor == NULL) {
        cursor = mem_new(sizeof *cursor);
        cursor->feed = feed;
        cursor->session = session;
        cursor->role = role;
        if (role == CURSOR_PLAYER) {
            DL_APPEND(feed->players, cursor);
        } else {
            DL_APPEND(feed->watchers, cursor);
            feed->watcher_count++;
        }
        DL_APPEND2(session->cursors, cursor, session_prev, session_next);
        session->cursor_count++;
    }
    cursor->offset =
        number < feed_count_for(feed, role) ? feed->line[number] : limit_of(cursor);
    cursor->is_drawn = cursor->offset == limit_of(cursor);
    return cursor;
}

void feed_unfollow(struct cursor *cursor)
{
    struct feed *feed = cursor->feed;

    if (cursor->role == CURSOR_PLAYER) {
        DL_DELETE(feed->players, cursor);
    } else {
        DL_DELETE(feed->watchers, cursor);
        feed->watcher_count--;
    }
    DL_DELETE2(cursor->session->cursors, cursor, session_prev, session_next);
    cursor->session->cursor_count--;
    free(cursor);
}

/* --- Beside the log --- */

void feed_add_aside(struct feed *feed, const char *line, size_t len)
{
    struct cursor *cursor;

    assert(len <= FEED_ASIDES_BYTES && line[len - 1] == '\n');
    while (feed->aside_bytes + len > FEED_ASIDES_BYTES) {
        const char *end = memchr(feed->asides, '\n', feed->aside_bytes);
        uint32_t oldest = (uint32_t)(end + 1 - feed->asides);

        feed->aside_bytes -= oldest;
        feed->asides_dropped += oldest;
        memmove(feed->asides, feed->asides + oldest, feed->aside_bytes);
    }
    feed->asides = mem_resize(feed->asides, feed->aside_bytes + len, 1);
    memcpy(feed->asides + feed->aside_bytes, line, len);
    feed->aside_bytes += (uint32_t)len;
    DL_FOREACH (feed->players, cursor)
        feed_pump(cursor);
}

/* Returns where in feed->asides (the lines outside the log) the cursor continues. */
static uint32_t aside_offset(const struct cursor *cursor)
{
    uint64_t dropped = cursor->feed->asides_dropped;

    return cursor->aside > dropped ? (uint32_t)(cursor->aside - dropped) : 0;
}

static bool has_aside(const struct cursor *cursor)
{
    const struct feed *feed = cursor->feed;

    return feed->has_open_asides && cursor->role == CURSOR_PLAYER &&
           aside_offset(cursor) < feed->aside_bytes;
}

bool feed_has_unread(const struct cursor *cursor)
{
    return cursor->offset < limit_of(cursor) || has_aside(cursor);
}

/* --- Sending --- */

/* Sends the whole lines of `bytes` from offset `from` to offset `end`, but only as many
 * as the session accepts now: at most PUMP_BYTES, or a single longer line. Returns the
 * end of the sent part. If lines remain, asks for a call of feed_drained() when the
 * output of the session has drained. A player may have a long answer in front of the
 * events, such as that of "help verbs": otherwise notices would overtake them. */
static uint32_t send_chunk(const struct cursor *cursor, const char *bytes,
                           uint32_t from, uint32_t end, uint64_t stamp)
{
    struct session *session = cursor->session;
    size_t most = cursor->role == CURSOR_PLAYER ? 3 * PUMP_BYTES : PUMP_BYTES;
    uint32_t sent = from;

    if (wire_unsent_bytes(session->wire) <= most) {
        sent = end;
        if (end - from > PUMP_BYTES)
            for (sent = from + PUMP_BYTES; bytes[sent - 1] != '\n'; sent--)
                ;
        session_send_after(session, bytes + from, sent - from, stamp);
    }
    if (sent < end)
        wire_want_drain(session->wire);
    return sent;
}

/* Charges sent bytes to the budget of a spectator's network address. Players are not
 * charged: a game has only two. */
static void charge(const struct cursor *cursor, size_t bytes)
{
    if (cursor->role == CURSOR_WATCHER && bytes > 0)
        usage_charge_watching(&cursor->session->usage, bytes);
}

void feed_pump(struct cursor *cursor)
{
    enum { BOARD_BYTES = 1300 };
    const struct feed *feed = cursor->feed;
    struct session *session = cursor->session;
    uint32_t from = cursor->offset, limit = limit_of(cursor);
    bool owes_board = !cursor->is_drawn && session->wants_board;

    /* While the budget of a spectator's network address is exhausted, nothing is sent
     * to the spectator, as if the spectator read slowly. */
    if (session->state == SESSION_LEAVING ||
        (cursor->role == CURSOR_WATCHER && (from < limit || owes_board) &&
         !usage_may_watch(&session->usage)))
        return;
    if (from < limit) {
        cursor->offset = send_chunk(cursor, feed->bytes, from, limit, feed->stamp);
        charge(cursor, cursor->offset - from);
        cursor->is_drawn = cursor->is_drawn && cursor->offset == from;
        if (cursor->offset < limit)
            return;
    }
    if (!cursor->is_drawn) {
        cursor->is_drawn = true;
        if (session->wants_board) {
            feed->calls->draw(feed->owner, session);
            charge(cursor, BOARD_BYTES);
        }
    }
    if (!has_aside(cursor))
        return;
    /* one line at a time, because the session may want only some of them */
    for (uint32_t at = aside_offset(cursor), next; at < feed->aside_bytes; at = next) {
        const char *line = feed->asides + at;
        const char *end = memchr(line, '\n', feed->aside_bytes - at);

        next = at + (uint32_t)(end + 1 - line);
        if (feed->calls->wants(feed->owner, session, line, next - at) &&
            send_chunk(cursor, feed->asides, at, next, feed->stamp) == at)
            return; /* continues when the session is drained */
        cursor->aside = feed->asides_dropped + next;
    }
}

void feed_drained(struct session *session)
{
    struct cursor *cursor;

    DL_FOREACH2 (session->cursors, cursor, session_next)
        feed_pump(cursor);
}

/* --- What watchers of a game with a delay see --- */

struct delay *delay_new(int plies)
{
    struct delay *delay = mem_new(sizeof *delay);

    delay->plies = plies;
    game_init(&delay->game);
    return delay;
}

void delay_free(struct delay *delay)
{
    if (delay == NULL)
        return;
    game_clear(&delay->game);
    free(delay);
}

/* Returns event number i. It is valid, because the room has checked it before. */
static struct event event_at(const struct feed *feed, int i)
{
    struct event event;
    bool is_event = feed_read(feed, i, &event);

    assert(is_event);
    return event;
}

int delay_advance(struct delay *delay, const struct feed *feed)
{
    int events = feed->lines;

    for (; delay->read < events; delay->read++)
        delay->moves += event_at(feed, delay->read).kind == EVENT_MOVE;
    while (delay->game.events < events) {
        struct event event = event_at(feed, delay->game.events);
        bool is_move = event.kind == EVENT_MOVE, follows;

        if (is_move && delay->shown >= delay->moves - delay->plies)
            break;
        follows = game_apply(&delay->game, &event, 0);
        assert(follows);
        delay->shown += is_move;
    }
    return delay->game.events;
}
