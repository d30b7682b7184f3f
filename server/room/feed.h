/* The log of one game as lines of the protocol, and its readers. Each event is
 * formatted once, into one growing block of whole lines; a reader is a cursor into that
 * block. A cursor does not advance while its socket is full; it has no queue, and
 * continues when the socket drains. */
#ifndef SERVER_ROOM_FEED_H
#define SERVER_ROOM_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/game.h"

struct feed;
struct session;

enum cursor_role { CURSOR_PLAYER, CURSOR_WATCHER };

/* The part of a cursor for reports about spectators. Such a report tells a player that
 * spectators have come or left. */
struct comings {
    uint64_t number; /* number of a spectator: 1 for the first who came, then 2, 3
                      * ... */
    /* The next four members are for a player who has set "quiet" and gets few
     * reports. */
    int64_t next_ms; /* no report before this time */
    int came, left;  /* how many came, and left, since the last report */
    uint64_t from;   /* spectators with this number or a higher one came after the last
                      * report */
};

/* One reader of one feed. It is in the feed's list, where players come first, and in
 * the session's list. */
struct cursor {
    struct feed *feed;
    struct session *session;
    enum cursor_role role;
    bool is_drawn; /* the session needs no new board: it is not a board view, or its
                    * board is up to date */
    bool has_code; /* the session gave the right code of the watch link of a private
                    * game; written by the verbs */
    bool is_known; /* the players were notified of this spectator; written by
                    * presence.c */
    struct comings comings; /* written by presence.c */
    uint32_t
        offset;     /* offset of the next byte to send, always at the start of a line */
    uint64_t aside; /* offset of the next byte of asides (lines outside the log);
                     * includes dropped bytes */
    struct cursor *prev, *next;                 /* in the feed's list */
    struct cursor *session_prev, *session_next; /* in the session's list */
};

/* A new feed has only `calls` and `owner`, which are borrowed. */
struct feed {
    char *bytes;
    uint32_t size, room;
    uint32_t watched; /* the limit for watchers; at most `size` */
    uint64_t stamp; /* of its lines (gate.h): the number of the last row of the game */
    uint32_t *line; /* offset of each event's line */
    int lines, line_room;
    struct cursor *players, *watchers;
    int watcher_count;
    char *asides; /* the latest lines outside the log, for players */
    uint32_t aside_bytes;
    uint64_t asides_dropped; /* bytes evicted from the front */
    bool
        has_open_asides; /* players may read the asides, from the next feed_show() on */
    const struct feed_calls *calls;
    void *owner;
};

struct feed_calls {
    /* Draws the board for a board view that has received all events. */
    void (*draw)(void *owner, struct session *session);
    /* True when the session wants `line`, one of the lines outside the log (asides). */
    bool (*wants)(void *owner, const struct session *session, const char *line,
                  size_t len);
};

/* Frees the memory of the feed. Remove all cursors first. */
void feed_clear(struct feed *feed);

/* Appends "! game GAME NUMBER TEXT", the next event. */
void feed_add(struct feed *feed, int64_t game, const char *text);
/* Returns the texts of the first `count` events, each with an LF. The caller frees it. */
char *feed_copy(const struct feed *feed, int count) MUST_USE;
/* Parses event `number`, which was appended. Returns false if its text is not an
 * event. */
bool feed_read(const struct feed *feed, int number, struct event *out) MUST_USE;
/* Drops event `number` and all later ones, while there is no reader. */
void feed_cut(struct feed *feed, int number);
/* Lets watchers read the first `watched` events of the feed. Then advances every
 * cursor, players first. */
void feed_show(struct feed *feed, int watched);
/* Appends one line, with its LF, outside the log: players read it when has_open_asides
 * is set and they have received all events. At most FEED_ASIDES_BYTES are kept; the
 * oldest lines are evicted. */
enum { FEED_ASIDES_BYTES = 8192 };
void feed_add_aside(struct feed *feed, const char *line, size_t len);
/* True when something is unsent for the cursor's session. */
bool feed_has_unread(const struct cursor *cursor);
/* Returns the number of events that readers of `role` may see. */
int feed_count_for(const struct feed *feed, enum cursor_role role);

/* Makes `session` read the events from event `number` on. `number` is at most
 * feed_count_for(role). A session has one cursor in a feed: a second call moves this
 * cursor. Sends nothing; call feed_pump() after the answer to the command. */
struct cursor *feed_follow(struct feed *feed, struct session *session,
                           enum cursor_role role, int number);
struct cursor *feed_find(const struct feed *feed, const struct session *session);
void feed_unfollow(struct cursor *cursor);

/* Sends as much as the cursor's session accepts now. */
void feed_pump(struct cursor *cursor);
/* Call it when the session's output has drained: pumps all its cursors. */
void feed_drained(struct session *session);

/* If the terms of a game have delay=N, watchers see the game N moves late. A struct
 * delay computes the game that watchers see. It applies the events of the game a second
 * time, and stays N moves behind until the game is over. A move that is taken back
 * counts too, so an event that watchers have seen is never hidden again. */
struct delay {
    struct game game; /* as watchers see it; its clock does not run */
    int plies;
    int read;  /* number of events of the feed whose moves are counted */
    int moves; /* number of moves in those events, including moves taken back */
    int shown; /* number of moves applied to `game`, including moves taken back */
};
struct delay *delay_new(int plies);
/* Accepts NULL. */
void delay_free(struct delay *delay);
/* Applies the events that watchers may see now. Returns the number of events, from
 * event 0, that watchers may see. */
int delay_advance(struct delay *delay, const struct feed *feed);

#endif
