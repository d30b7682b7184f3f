/* The log of one game as lines on the wire, and everybody who reads it. Each event is
 * formatted once, into one growing block of whole lines; a reader is a cursor into that
 * block. A reader whose socket is full stands still, owns no queue, and goes on when
 * the socket drains. Does not know what the lines say. */
#ifndef SERVER_ROOM_FEED_H
#define SERVER_ROOM_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct feed;
struct session;

enum cursor_role { CURSOR_PLAYER, CURSOR_WATCHER };

/* One reader of one feed: in the feed's list (players first) and in the session's list.
 */
struct cursor {
    struct feed *feed;
    struct session *session;
    enum cursor_role role;
    bool is_drawn;   /* for a session that wants the board: its figure is up to date */
    bool is_known;   /* the players were told of this watcher; written by the room */
    uint32_t offset; /* of the next byte to send; always the start of a line */
    uint64_t aside;  /* the same of the asides, counted from the first ever */
    struct cursor *prev, *next;                 /* in the feed */
    struct cursor *session_prev, *session_next; /* in the session */
};

struct feed {
    char *bytes;
    uint32_t size, room;
    uint32_t visible; /* what is on disk; beyond it nobody reads */
    uint32_t *line;   /* offset of each event's line */
    int lines, line_room;
    struct cursor *players, *watchers;
    int watcher_count;
    char *asides; /* the latest lines beside the log, for players */
    uint32_t aside_bytes;
    uint64_t asides_dropped; /* bytes, from the front */
    bool has_open_asides;
    /* A session that wants the board has all that is visible: draw for it. False: not
     * now; it is asked again at the next feed_show(). */
    bool (*draw)(void *owner, struct session *session);
    void *owner;
};

void feed_init(struct feed *feed, bool (*draw)(void *owner, struct session *session),
               void *owner);
/* Every cursor must have gone. */
void feed_clear(struct feed *feed);

/* Appends "! game GAME NUMBER TEXT": the next event, not yet visible. */
void feed_add(struct feed *feed, int64_t game, const char *text);
/* All that was added may be read; moves every cursor, players first. */
void feed_show(struct feed *feed);
/* One line, with its LF, beside the log: players read it after feed_open_asides(), once
 * they have all events. No more than FEED_ASIDES_BYTES are kept: the oldest lines go. */
enum { FEED_ASIDES_BYTES = 8192 };
void feed_add_aside(struct feed *feed, const char *line, size_t len);
/* Takes effect with the next feed_show(). */
void feed_open_asides(struct feed *feed);
/* Something waits for the cursor's session. */
bool feed_has_unread(const struct cursor *cursor);
/* Events that are visible. */
int feed_count(const struct feed *feed);

/* session reads from event number on (at most feed_count()). One cursor a session and
 * feed: a second call moves it. Sends nothing yet: feed_pump() does, after the answer.
 */
struct cursor *feed_follow(struct feed *feed, struct session *session,
                           enum cursor_role role, int number);
struct cursor *feed_find(const struct feed *feed, const struct session *session);
void feed_unfollow(struct cursor *cursor);

/* Sends what the cursor's session can take now. */
void feed_pump(struct cursor *cursor);
/* The session's output has drained: pumps all its cursors. */
void feed_drained(struct session *session);

#endif
