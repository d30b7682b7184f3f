/* One game between two seats: whose act it is, the flag, the log, the offers, who is
 * here and who has been away too long. A room is the only writer of its game. What it
 * decides is put into the log, handed to the store, and told to nobody until it is on
 * disk; then the asker gets the OK, and the feed moves everybody else, players before
 * watchers.
 *
 * Between those two moments the room is unsettled: its clock stands still, and whoever
 * wants something from it waits (room_wait), so that nobody learns of an event that a
 * crash could still take back. */
#ifndef SERVER_ROOM_ROOM_H
#define SERVER_ROOM_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "common/base/base.h"
#include "common/game/game.h"
#include "server/account/accounts.h"
#include "server/room/absence.h"
#include "server/room/feed.h"
#include "server/room/offer.h"
#include "server/room/presence.h"
#include "server/store/store.h"

struct event_base;
struct rooms;
struct sessions;
struct session;
struct waiter;

/* Who gets the OK, and its words, once an act is on disk. session 0: nobody. */
struct asker {
    uint64_t session;
    char words[200];
};

/* Owned by struct rooms; freed some time after the end, once nobody has anything left
 * to read. Read freely. */
struct room {
    int64_t id;
    struct rooms *of;
    struct game game;
    struct feed feed;
    struct account *seat[SIDES]; /* NULL: the name is free or has another owner, or the
                                    game has ended and its log is damaged */
    bool is_settled;             /* nothing is on its way to the disk */
    enum event_kind last;        /* of the events last written */
    int shown_plies; /* as of the last event that is on disk: what lists may print */
    enum side shown_turn;
    enum game_phase shown_phase;
    bool is_shown_adjourned;
    int64_t shown_left_ms; /* while unsettled: what notice_left_ms() is to say */
    int64_t last_age_ms;   /* the store's age at the last event */
    bool is_frozen;        /* its log on disk is damaged after these events */
    bool is_ahead[2];      /* logged: a watcher, a player has seen more than the disk */
    struct absence absence;
    enum side claim_told; /* "! claim" was said about it, and it has not come back */
    int64_t ended_ms;     /* when the end was on disk */
    bool is_paused; /* a restart interrupted it: the clock waits for the side to move */
    bool is_held;   /* the same for a full disk, and the clock waits for that */
    int64_t rematch_of; /* the older room; 0: none */
    struct asker asker;
    struct waiter *waiters;
    struct offer offer[ROOM_OFFERS_MAX];
    int64_t due_ms; /* set-up, grace or sweep: when the timer is to act. The flag has
                       its own */
    struct event *timer;
    bool is_read_back; /* from the disk after its end: one of a few, oldest in front */
    struct room *prev, *next;
    UT_hash_handle hh;
};

struct room_calls {
    /* A new game's start, or that an adjourned one continues, is on disk. */
    void (*on_begun)(void *arg, struct room *room);
    /* A room has ended, and the end is on disk. */
    void (*on_over)(void *arg, struct room *room);
    /* A waiting command may be tried again. raw is the line as it came. */
    void (*on_retry)(void *arg, struct session *session, char *raw, int64_t now_ms);
};

struct room_settings {
    int64_t
        setup_ms; /* to choose a line-up in a timed game; 0: what its ruleset gives */
    int64_t grace_ms;   /* for the side to move to come back after a restart */
    int64_t keep_ms;    /* how long a room stays after its end */
    int64_t absence_ms; /* a player may be away in all while the other waits; ten times
                           that in an untimed game */
    int64_t adjourned_ms; /* until the one who waits may claim a draw */
};

/* All rooms. Only the files of this folder read it. */
struct rooms {
    struct event_base *base;
    struct store *store;
    struct sessions *sessions;
    struct room_settings settings;
    const struct room_calls *calls;
    void *arg;
    struct room *by_id;
    struct room *read_back; /* after their end */
    int read_back_count;
    bool is_held;    /* the disk is full: no clock runs, nothing falls due */
    int64_t held_ms; /* since then */
};

struct rooms *rooms_new(struct event_base *base, struct store *store,
                        struct sessions *sessions, const struct room_settings *settings,
                        const struct room_calls *calls, void *arg) MUST_USE;
void rooms_free(struct rooms *rooms);
struct room *room_find(struct rooms *rooms, int64_t id);
struct room *rooms_first(struct rooms *rooms);
struct room *rooms_next(struct room *room);
/* The disk is full: no clock runs and nothing falls due until rooms_release(). */
void rooms_hold(struct rooms *rooms, int64_t now_ms);
void rooms_release(struct rooms *rooms, int64_t now_ms);

/* --- Beginnings --- */

/* A new game from its start event, between two accounts. Both present players follow
 * it. */
struct room *room_open(struct rooms *rooms, int64_t id, const struct event *start,
                       struct account *const seat[SIDES], int64_t rematch_of,
                       const struct asker *asker);

/* One event of a game from the disk, in order. If it is not sound, or does not follow
 * by the rules core, the game is frozen: what came before it can be read, the rest is
 * left out. False: there is no such room, because not even its first event was sound.
 */
bool room_restore(struct rooms *rooms, const struct store_event *row) MUST_USE;
/* All its events are there: seats are taken (NULL: none can be), timers start. */
void room_restored(struct room *room, struct account *const seat[SIDES]);

/* --- Acts of a player: FAULT_NONE means that the OK follows from the disk --- */

struct fault room_setup(struct room *room, enum side side, enum lineup lineup,
                        int64_t now_ms, const struct asker *asker);
struct fault room_move(struct room *room, enum side side, struct move move,
                       int64_t now_ms, const struct asker *asker);
struct fault room_resign(struct room *room, enum side side, int64_t now_ms,
                         const struct asker *asker);

/* The session's command waits until the room is settled; true if it has to. */
bool room_wait(struct room *room, struct session *session, const char *raw) MUST_USE;

/* "setup", "play", "adjourned", "frozen", "over": as far as the disk has it. */
const char *room_phase_name(const struct room *room);

/* --- For offer.c and presence.c --- */

/* The one way into the log: what was judged becomes the next events, folded in,
 * formatted once and queued for the disk. The room must be settled. asker may be NULL.
 */
void room_commit(struct room *room, const struct game_news *news,
                 const struct asker *asker, int64_t now_ms);
/* Looks again when something is due. */
void room_arm_timer(struct room *room, int64_t now_ms);
/* A move or a return shows that the side for which the clock waits is back. */
void room_end_pause(struct room *room, enum side side, int64_t now_ms);

#endif
