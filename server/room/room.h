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
#include "server/store/store.h"

struct event_base;
struct rooms;
struct session;
struct waiter;

enum offer_kind {
    OFFER_NONE,
    OFFER_DRAW,
    OFFER_TAKEBACK,
    OFFER_ABORT,
    OFFER_ADJOURN,
    OFFER_CONTINUE,
    OFFER_REMATCH
};

/* At most one of each kind stands in a room. */
struct offer {
    int64_t id;
    enum offer_kind kind;
    enum side by;
    int to;               /* takeback: plies that remain */
    bool is_taken;        /* agreed to; what follows is on its way to the disk */
    uint64_t told[SIDES]; /* the session of each player that was told of it; 0: none */
};
enum { ROOM_OFFERS_MAX = OFFER_REMATCH };

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

struct sessions;
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

/* Offers. An offer that meets the same one of the opponent, or an abort before both
 * have moved, is done at once: *offer_id is 0 and the OK follows from the disk.
 * Otherwise *offer_id is its number (next_id) and the caller answers. */
struct fault room_offer(struct room *room, enum side side, enum offer_kind kind, int to,
                        int64_t next_id, int64_t now_ms, const struct asker *asker,
                        int64_t *offer_id);
/* Would the other be told of that offer? Not of one that stands already, of one that is
 * done at once, and of one that is refused. */
bool room_is_new_offer(const struct room *room, enum side side, enum offer_kind kind,
                       int to, int64_t now_ms);
struct offer *room_find_offer(struct room *room, int64_t offer_id);
/* Takes up an offer, but no rematch. */
struct fault room_accept(struct room *room, struct offer *offer, int64_t now_ms,
                         const struct asker *asker);
/* An offer of side's, not agreed to yet, that has both play at once: a rematch, or to
 * continue, unless by correspondence. NULL: there is none. */
struct offer *room_find_call_to_play(struct room *room, enum side side);
/* "! offer 14 game=3 kind=draw by=hong" */
enum { OFFER_WORDS_BYTES = 160 };
void room_offer_words(const struct room *room, const struct offer *offer,
                      char out[OFFER_WORDS_BYTES]);
/* Tells session, if it plays here and can take that now, of the offers it was not told
 * of: when it comes, and when a slow reader has read. */
void room_tell_offers(struct room *room, struct session *session);
/* Removes an offer and tells both players that were told of it. */
void room_drop_offer(struct room *room, struct offer *offer, const char *why);
const char *offer_kind_name(enum offer_kind kind);

/* --- Absence --- */

bool room_is_here(const struct room *room, enum side side);
/* Somebody who is away lets the other wait: the absence counts. Not by correspondence,
 * while adjourned, or while an event is on its way to the disk. */
bool room_is_waited_for(const struct room *room);

/* Whether side may claim because the other has been away too long. Not asked about a
 * game that is over or set up. */
enum claim {
    CLAIM_OPEN,
    CLAIM_EARLY,   /* not yet: *left_ms says how much longer */
    CLAIM_PRESENT, /* the other is here */
    CLAIM_NEVER    /* by correspondence both may be away */
};
enum claim room_judge_claim(const struct room *room, enum side side, int64_t now_ms,
                            int64_t *left_ms);
/* side claims a win or a draw: the claim is open. */
struct fault room_claim(struct room *room, enum side side, bool wants_win,
                        int64_t now_ms, const struct asker *asker);

/* --- Readers --- */

/* The side that the session's account sits on, or SIDE_NONE. */
enum side room_side_of(const struct room *room, const struct session *session);

/* Games that the session follows and does not play. */
int room_count_watched(const struct session *session);

/* Somebody reads from side's seat, and hears what is offered there. After the end a
 * player may be here and have left the room. */
bool room_is_attended(const struct room *room, enum side side);

/* A player's session has come (it follows from the end) or gone. */
void room_arrive(struct room *room, enum side side, struct session *session);
void room_leave(struct room *room, struct session *session);
void room_watch(struct room *room, struct session *session, int number);

/* The session's command waits until the room is settled; true if it has to. */
bool room_wait(struct room *room, struct session *session, const char *raw) MUST_USE;

/* "setup", "play", "adjourned", "frozen", "over": as far as the disk has it. */
const char *room_phase_name(const struct room *room);

#endif
