/* See feed.h. */
#include "server/room/feed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/event.h"
#include "server/net/session.h"

enum {
    FEED_BYTES_FIRST = 1024,
    FEED_LINES_FIRST = 16,
    PUMP_BYTES = 8192 /* what may wait for one reader, beyond what its kernel holds */
};

void feed_init(struct feed *feed, bool (*draw)(void *owner, struct session *session),
               void *owner)
{
    *feed = (struct feed){.draw = draw, .owner = owner};
}

void feed_clear(struct feed *feed)
{
    assert(feed->players == NULL && feed->watchers == NULL);
    free(feed->bytes);
    free(feed->line);
    *feed = (struct feed){0};
}

static void make_room(struct feed *feed, size_t bytes)
{
    assert(feed->size < UINT32_MAX / 4); /* room.c ends takebacks long before */
    if (feed->size + bytes > feed->room) {
        feed->room = feed->room == 0 ? FEED_BYTES_FIRST : feed->room * 2;
        feed->bytes = mem_resize(feed->bytes, feed->room, 1);
    }
    if (feed->lines == feed->line_room) {
        feed->line_room = feed->line_room == 0 ? FEED_LINES_FIRST : feed->line_room * 2;
        feed->line =
            mem_resize(feed->line, (size_t)feed->line_room, sizeof *feed->line);
    }
}

void feed_add(struct feed *feed, int64_t game, const char *text)
{
    char line[EVENT_BYTES + 64];
    struct text out = text_into(line, sizeof line);

    text_addf(&out, "! game %lld %d %s\n", (long long)game, feed->lines, text);
    assert(!out.is_cut);
    make_room(feed, out.len);
    feed->line[feed->lines++] = feed->size;
    memcpy(feed->bytes + feed->size, line, out.len);
    feed->size += (uint32_t)out.len;
}

int feed_count(const struct feed *feed)
{
    int count = feed->lines;

    while (count > 0 && feed->line[count - 1] >= feed->visible)
        count--;
    return count;
}

void feed_show(struct feed *feed)
{
    struct cursor *cursor;

    feed->visible = feed->size;
    DL_FOREACH (feed->players, cursor)
        feed_pump(cursor);
    DL_FOREACH (feed->watchers, cursor)
        feed_pump(cursor);
}

struct cursor *feed_find(const struct feed *feed, const struct session *session)
{
    struct cursor *cursor;

    DL_FOREACH2 (session->cursors, cursor, session_next)
        if (cursor->feed == feed)
            return cursor;
    return NULL;
}

static void link_cursor(struct cursor *cursor)
{
    struct feed *feed = cursor->feed;

    if (cursor->role == CURSOR_PLAYER) {
        DL_APPEND(feed->players, cursor);
    } else {
        DL_APPEND(feed->watchers, cursor);
        feed->watcher_count++;
    }
    DL_APPEND2(cursor->session->cursors, cursor, session_prev, session_next);
    cursor->session->cursor_count++;
}

struct cursor *feed_follow(struct feed *feed, struct session *session,
                           enum cursor_role role, int number)
{
    struct cursor *cursor = feed_find(feed, session);

    assert(number >= 0 && number <= feed_count(feed));
    if (cursor != NULL &&
        cursor->role != role) { /* a watcher has turned out to play here */
        feed_unfollow(cursor);
        cursor = NULL;
    }
    if (cursor == NULL) {
        cursor = mem_new(sizeof *cursor);
        cursor->feed = feed;
        cursor->session = session;
        cursor->role = role;
        link_cursor(cursor);
    }
    cursor->offset = number < feed_count(feed) ? feed->line[number] : feed->visible;
    cursor->is_drawn = cursor->offset == feed->visible;
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

/* The end of the last whole line that begins at from and is no further than PUMP_BYTES;
 * one line at least. */
static uint32_t chunk_end(const struct feed *feed, uint32_t from)
{
    uint32_t end = feed->visible;

    if (end - from <= PUMP_BYTES)
        return end;
    for (end = from + PUMP_BYTES; feed->bytes[end - 1] != '\n'; end--)
        ;
    return end;
}

void feed_pump(struct cursor *cursor)
{
    const struct feed *feed = cursor->feed;
    struct wire *wire = cursor->session->wire;

    if (cursor->session->state == SESSION_LEAVING)
        return;
    if (cursor->offset < feed->visible) {
        uint32_t end = chunk_end(feed, cursor->offset);

        if (wire_unsent_bytes(wire) > PUMP_BYTES) {
            wire_want_drain(wire);
            return;
        }
        session_send(cursor->session, feed->bytes + cursor->offset,
                     end - cursor->offset);
        cursor->offset = end;
        cursor->is_drawn = false;
        if (end < feed->visible) {
            wire_want_drain(wire);
            return;
        }
    }
    if (!cursor->is_drawn)
        cursor->is_drawn =
            !cursor->session->wants_board || feed->draw(feed->owner, cursor->session);
}

void feed_drained(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        feed_pump(cursor);
}
