/* All rooms: the registry, the lists of games that are shown, and the memory limit of
 * ended games. room.h describes one room and its events. */
#ifndef SERVER_ROOM_ROOMS_H
#define SERVER_ROOM_ROOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/game/game.h"
#include "server/account/accounts.h"
#include "server/base/budget.h"
#include "server/room/feed.h"
#include "server/room/offer.h"
#include "server/room/presence.h"

struct chatlogs;
struct delay;
struct event_base;
struct rooms;
struct sessions;
struct session;

/* The answer to an act. session NULL: no answer. */
struct asker {
    struct session *session;
    char words[200];
};

/* A command that waits until the events of its game have been read and applied. */
struct waiter {
    uint64_t session;
    char *raw;
    struct waiter *prev, *next;
};

enum room_state {
    ROOM_READY,  /* all its events are applied to the game */
    ROOM_ASLEEP, /* a running game whose events were read at the server's start, and are
                   * not applied yet; room_find() does that */
    ROOM_READING, /* its events are being read from disk */
    ROOM_FOLDING  /* the game is over; its events are being applied */
};

/* The clock of a game in play whose events are on disk. */
enum room_clock {
    ROOM_CLOCK_GOES,
    ROOM_CLOCK_WAITS, /* since the server's restart: for the side to move, until due_ms */
    ROOM_CLOCK_HELD   /* until writes go on: rooms_release() starts it */
};

/* The kind of a game in the lists of games. */
enum room_kind {
    ROOM_HIDDEN, /* not listed: the game has ended, or its events are not applied */
    ROOM_LIVE,   /* in play, and of none of the kinds below */
    ROOM_CORRESPONDENCE,
    ROOM_ADJOURNED,
    ROOM_FROZEN
};
enum { ROOM_KINDS = ROOM_FROZEN + 1 };

/* Whether both players had the same network address when the game started. */
enum room_near { ROOM_NEAR_UNKNOWN, ROOM_NEAR, ROOM_APART };

/* Limits how often a player's coming and going is reported. */
struct late_presence {
    struct budget budget; /* for the reports */
    bool is_owed;         /* the last coming or going is not reported yet */
};

/* Owned by struct rooms; freed some time after the end, when every reader has read to
 * the end. Other files may read it and must not write. */
struct room {
    int64_t id;
    struct rooms *of;
    UT_hash_handle hh;

    /* The game and its log. */
    struct game game;
    struct feed feed;
    struct delay
        *delay; /* the game as watchers see it, some plies late; NULL: without a
                          * delay */
    enum room_state state;
    bool is_frozen;         /* the log on disk is damaged after these events */
    enum event_kind last;   /* the kind of the last event */
    int64_t last_age_ms;    /* store_age_ms() at the last event */
    int64_t last_held_ms;   /* rooms_held_ms() at the last event */
    int64_t rematch_of;     /* number of the previous game; 0: none */
    struct waiter *waiters; /* unless `state` is ROOM_READY */

    /* The disk. */
    uint64_t opened; /* the number (gate.h) of its first row; feed.stamp is that of its
                      * last row */
    struct room *unsettled_prev, *unsettled_next; /* in the list `unsettled`, while its
                                                   * last row is not on disk */

    /* The players. */
    struct account *seat[SIDES]; /* NULL: the name is free or has another owner, or the
                                  * game has ended and its log is damaged */
    enum room_near near;         /* ROOM_NEAR_UNKNOWN after a restart */
    bool has_acted[SIDES];       /* chose a line-up since this process started */
    uint8_t sealed[SIDES];       /* 1 + the line-up that the side has chosen while the
                                  * other one has not; 0: none. Not on disk */
    struct offer *offer;         /* array of ROOM_OFFERS_MAX offers, one for each kind;
                                  * NULL: no offer was made yet */
    struct budget offers[SIDES]; /* for each side's unanswered offers */
    struct absence absence;
    enum side claim_told; /* "! claim" was sent about this side, which has not
                           * returned */
    bool owes_absence;    /* writes have waited: as soon as its events are on disk, its
                           * players are told again how long to wait for a claim */

    /* Time. */
    enum room_clock clock;
    bool is_awaited[SIDES]; /* the side has not returned since the restart: its clock
                             * waits until due_ms */
    int64_t due_ms;     /* limit of a set-up or a grace period, or time of the removal.
                             * Flags and claims have others: see next_due_ms() */
    int64_t due_set_ms; /* when the wait for due_ms began */
    struct event *timer;
    int64_t armed_ms; /* when the timer fires; INT64_MAX: it is not armed */
    int64_t ended_ms;

    /* Spectators, and reports of who comes and goes (presence.h). */
    struct budget comings; /* for the lines that announce spectators to the players */
    uint64_t comings_ever;
    struct late_presence late_presence[SIDES][2]; /* of the player of each side: [0] to
                                                   * the opponent, [1] to spectators */
    int64_t late_ms; /* time of the next late report; INT64_MAX: none */
    bool
        is_ahead[2]; /* a spectator ([0]) or a player ([1]) said that it has seen events
                       * that are not there; this was logged */

    /* Lists, and memory after the end. */
    enum room_kind kind;
    struct room *shown_prev, *shown_next; /* in a list `shown` of struct rooms, unless
                                           * `kind` is ROOM_HIDDEN */
    bool is_read_back;                    /* read from disk after its end */
    int64_t read_back_bytes;              /* its size in memory, if is_read_back */
    struct room *prev, *next; /* in the list `read_back`, `folding` or `asleep` of
                               * struct rooms */
    int64_t ended_bytes;      /* its size in memory while it is in the list of ended
                               * rooms; 0: not in it */
    struct room *ended_prev, *ended_next;
};

struct room_calls {
    /* A new game has begun, or an adjourned one goes on. */
    void (*on_begun)(void *arg, struct room *room);
    /* A game has ended. Rows that the callee queues for the store are written in one
     * batch with the end. */
    void (*on_ending)(void *arg, struct room *room);
    /* A game has ended, and its readers were told. */
    void (*on_over)(void *arg, struct room *room);
    /* True if the game may be adjourned. NULL: any game may. */
    bool (*may_adjourn)(void *arg, const struct room *room);
    /* Runs a waiting command again. raw is the line as it was received. */
    void (*on_retry)(void *arg, struct session *session, char *raw, int64_t now_ms);
};

struct room_settings {
    int64_t setup_ms;        /* time to choose a line-up; 0: the ruleset's */
    int64_t grace_ms;        /* after a restart: time until the clocks run again for
                              * players who have not returned */
    int64_t keep_ms;         /* time that an ended room stays in memory */
    int64_t aborted_keep_ms; /* time that an aborted game stays in memory */
    int64_t unmoved_ms;      /* age at which a game is aborted if one side never moved;
                              * 0: never */
    int64_t ended_bytes;     /* memory limit of ended rooms; above it the oldest are
                              * evicted early */
    int64_t absence_ms; /* total absence allowed while the other player waits; ten times
                         * this in an untimed game */
    int lag_ms;         /* limit, in each turn, of the lag that the clock does not
                         * charge; 0: all lag is charged */
    int64_t adjourned_ms; /* time until the waiting player of an adjourned game may
                           * claim a draw */
};

/* All rooms. Only the files of this folder write its members. */
struct rooms {
    struct event_base *base;
    struct store *store;
    const struct gate *gate; /* of the store */
    struct sessions *sessions;
    struct accounts *accounts;
    struct chatlogs *chatlogs; /* the chat of all games; freed with the rooms */
    struct room_settings settings;
    const struct room_calls *calls;
    void *arg;
    struct room *by_id;
    struct room
        *unsettled;       /* rooms whose last row is not on disk, in the order of these
                             * rows */
    struct room *asleep;  /* in the order of their ids */
    struct event *alarm;  /* wakes games that are asleep, some in each turn; NULL:
                           * rooms_wake() was not called yet */
    struct room *folding; /* games that are over, and whose events are being applied */
    struct event *fold_timer; /* applies events of `folding`; NULL: no such game was
                               * read yet */
    int64_t began_ms;         /* time at which the running games were read, when the
                               * server started */
    struct room *read_back;   /* rooms read from disk after their end */
    int read_back_count;
    int64_t read_back_bytes; /* memory of the rooms in `read_back` */
    struct room *shown[2];   /* listed public games; listed private games */
    int shown_count[2];
    struct room *ended;    /* rooms whose games ended in memory, the oldest first */
    int64_t ended_bytes;   /* memory of the rooms in `ended` */
    int count[ROOM_KINDS]; /* all rooms by kind */
    uint64_t moves;        /* since the server's start */
    bool is_held;          /* writes wait: see rooms_hold() */
    int64_t held_ms;       /* time at which is_held became true */
    int64_t held_total_ms; /* total of the earlier times for which is_held was true */
    int64_t released_ms;   /* when is_held became false the last time; 0: never */
    int64_t *unreadable;   /* running games whose first event is damaged: not even the
                            * players are known, so they have no room */
    int unreadable_count;
};

struct rooms *rooms_new(struct event_base *base, struct store *store,
                        struct sessions *sessions, struct accounts *accounts,
                        const struct room_settings *settings,
                        const struct room_calls *calls, void *arg) MUST_USE;
void rooms_free(struct rooms *rooms);

/* True if writes waited at some time after then_ms (rooms_hold()). */
bool rooms_were_held(const struct rooms *rooms, int64_t then_ms);

/* Returns the room with that id, or NULL. The room may be asleep: use room_find() to
 * read more of it than its id, its players and its terms. */
struct room *rooms_peek(const struct rooms *rooms, int64_t id);
/* Return all rooms, also those that are asleep; NULL: no more. */
struct room *rooms_first(struct rooms *rooms);
struct room *rooms_next(struct room *room);
/* Return the listed games, in the order in which they started, and their number. */
struct room *rooms_first_shown(const struct rooms *rooms, bool is_private);
struct room *rooms_next_shown(const struct room *room);
int rooms_count_shown(const struct rooms *rooms, bool is_private);
int rooms_count(const struct rooms *rooms, enum room_kind kind);

/* True when all events of the game are applied and on disk; only then its clock runs. */
bool room_is_settled(const struct room *room);
/* Returns the stamp (gate.h) of what is said in the game: it tells only that there is
 * such a game. So people can talk while a move waits for the disk. */
uint64_t room_talk_stamp(const struct room *room);
bool room_is_correspondence(const struct room *room);
/* False: the game must not be adjourned now; see may_adjourn in struct room_calls. */
bool room_may_adjourn(const struct room *room);
/* Returns the game as `session` is allowed to see it now: a watcher may get it some
 * plies late. */
const struct game *room_game_for(const struct room *room,
                                 const struct session *session);
/* Returns the game as any watcher may see it now. */
const struct game *room_watched_game(const struct room *room);
/* Returns the number of events that `session` may see. */
int room_events_for(const struct room *room, const struct session *session);
/* Returns "setup", "play", "adjourned", "frozen" or "over": the phase of the game as
 * `session` may see it now (room_game_for()). */
const char *room_phase_name_for(const struct room *room, const struct session *session);
/* Returns "setup", "play", "adjourned", "frozen" or "over". */
const char *room_phase_name(const struct room *room);

/* --- For room.c --- */

/* Removes and frees a room, with its cursors and waiters. */
void rooms_remove(struct room *room);
/* Moves the room to the list for games of that kind. The lists are in the order of the
 * ids. */
void rooms_set_kind(struct room *room, enum room_kind kind);
/* Adds a room that was read from disk after its end. If the limits are reached, evicts
 * old rooms of this kind before that, preferably those that all readers have read to
 * the end. */
void rooms_add_read_back(struct room *room);
/* Adds a room whose game has ended while the room was in memory. If such rooms take
 * more memory than the limit, evicts the oldest of them. */
void rooms_add_ended(struct room *room);
/* Makes `account` the player of `side` (NULL: nobody), and updates each account's count
 * of rooms that point to it. */
void rooms_take_seat(struct room *room, enum side side, struct account *account);
/* Frees a room that is over; readers who have not read to the end are told. */
void rooms_evict(struct room *room);
/* Call it before a reader is removed from a room. If the reader has not read to the
 * end, tells the reader that the game is no longer in memory. */
void rooms_tell_closed(const struct cursor *cursor);
/* True when some reader has not read to the end, and may do so now. */
bool room_has_unread(const struct room *room);

#endif
