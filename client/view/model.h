/* The client's state as reported by the server: games, seats, clocks, offers, present
 * players, and moves that the server has not acknowledged yet. The games are rebuilt
 * from their events with common/game. The clocks are converted to local time. Does not
 * use a socket or the screen; the caller passes the time. */
#ifndef CLIENT_VIEW_MODEL_H
#define CLIENT_VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/utf8.h"
#include "common/game/clock.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "common/net/proto.h"

enum {
    MODEL_GAMES_MAX = 256, /* before one more game is added, the least important game is
                            * removed */
    MODEL_OFFERS_MAX = 8,
    MODEL_WATCHERS_MAX = 16,
    MODEL_OFFER_KIND_BYTES = 12,
    MODEL_RATING_BYTES = 40,
    MODEL_OFFER_TERMS_BYTES = 480
};

/* A verb of the server, as `help verbs` describes it. */
enum { MODEL_VERBS_MAX = 200, MODEL_VERB_BYTES = 24 };
struct model_verb {
    char name[MODEL_VERB_BYTES];
    char usage[160];
    char group[8];  /* "play", "find", "watch", "other" */
    char brief[48]; /* for the help page; "": none */
    char help[200];
    bool is_for_staff; /* for members or staff; cannot be abbreviated */
};

/* An offer in a game, or a challenge. */
struct model_offer {
    int64_t id;
    /* draw, takeback, abort, adjourn, continue, rematch or challenge */
    char kind[MODEL_OFFER_KIND_BYTES];
    char by[NAME_BYTES];
    char terms[MODEL_OFFER_TERMS_BYTES]; /* for a challenge: "5m, martin, no talk" */
};

struct model_offers {
    struct model_offer at[MODEL_OFFERS_MAX]; /* the newest last */
    int count;
};

/* The clocks as the server last reported them. They belong to the position before event
 * number `event`. */
struct model_clock {
    bool is_told;
    int event;
    int64_t at_ms;
    int64_t shown_ms[SIDES];
    int periods[SIDES];
    bool is_in_period[SIDES]; /* shown_ms is the rest of an overtime period */
    bool has_in_period;       /* the server reported is_in_period; servers of version
                               * 0.1.0 do not */
    enum side running;
};

/* Our move that the game does not contain yet. */
enum model_pending_state {
    PENDING_NONE,
    PENDING_SENT,  /* sent; not answered yet */
    PENDING_TYPED, /* typed while disconnected; not sent */
    PENDING_LOST   /* sent; the connection was lost before the answer came */
};

struct model_pending {
    enum model_pending_state state;
    bool is_told; /* for PENDING_TYPED and PENDING_LOST: the player was informed and is
                   * asked what to do */
    int ply;
    struct move move;
    int64_t again_ms; /* when to send the move again; 0: never */
};

struct model_game {
    struct model_game *next;
    int64_t id;
    char code[40]; /* code of its watch link, needed to resume a private game; "":
                    * none */
    struct game game;
    int next_event;   /* number of the next event expected */
    int known_events; /* number of events that the game has at the server, as far as
                          * we know */
    enum side side;   /* our side; SIDE_NONE: we watch */
    bool is_ours;     /* we are one of the players */
    bool is_shared;   /* we move the pieces of both sides; `side` is the side to move */
    bool is_broken;   /* an event did not fit the game, so the board may be wrong */
    bool is_turned;   /* the player rotated the board by command */
    bool is_left;     /* we no longer follow the game */
    bool is_asked;    /* we sent `resume` and have not received the answer yet */
    bool is_catching_up; /* events that existed at the last resume or watch have not all
                          * arrived */
    bool is_from_zero;   /* the last resume or watch began at event 0: we had no event
                          * of the game */
    struct clock clock;
    struct model_clock told;
    int lag_ms[SIDES];      /* network lag in this side's last turn; its clock was not
                             * charged for it */
    bool is_low;            /* the player was warned that time is short */
    int64_t resume_at_ms;   /* time to request a resume again; 0: never */
    int64_t setup_until_ms; /* when the time to choose a line-up ends; 0: no known
                             * limit */
    bool has_sealed[SIDES]; /* this side has chosen a line-up that stays hidden until
                             * the other side has chosen too */
    struct model_offers offers;
    char watcher[MODEL_WATCHERS_MAX][NAME_BYTES];
    int watchers; /* how many names `watcher` has */
    int unnamed_watchers;
    int64_t watchers_asked_ms; /* begin of the second in which the client asked
                                * watchers_asked times who watches */
    int watchers_asked;
    bool is_of_round; /* the round of an evening that was announced last has this
                          * game */
    char rating[SIDES][MODEL_RATING_BYTES]; /* " 1512 4k", " 1488?"; "": none */
    bool is_away[SIDES];
    bool is_never_adjourned;    /* true for a game of a club evening; set by the first
                              * claim notice */
    int64_t claim_at_ms[SIDES]; /* when the opponent may claim the game because this
                                 * side is absent; 0: never */
    struct model_pending pending;
};

struct model {
    struct model_verb *verbs; /* the verbs of the server, for this connection; owned */
    int verb_count;
    bool has_verbs;  /* the list is complete; before, the server judges unknown words */
    char help[4096]; /* the lines of the server's answer to "help VERB", so far */
    char name[NAME_BYTES]; /* our name at this server; "" before login */
    struct model_game *games;
    int game_count;
    struct model_game *current; /* the game that typed moves apply to; may be NULL */
    struct model_offers challenges; /* challenges made to us */
    int seeks; /* while the list of `seeks` arrives: how many of them are not ours */
    int64_t seek_id; /* the only seek in that list; 0: there was none, or several */
    char round[SIDES][NAME_BYTES]; /* the players of our game in the round of an
                                     * evening that was announced last; "": none */
    int64_t restart_at_ms;         /* when the server will stop for a restart; 0: no
                                     * restart is announced */
};

void model_init(struct model *model);
void model_clear(struct model *model);

/* Takes a row of the answer to "help verbs". Ignores what no person can type. */
void model_take_verb(struct model *model, const struct proto_line *row);
/* Returns the server's verb `name`; NULL if it has none. */
const struct model_verb *model_find_verb(const struct model *model, const char *name);

/* Returns NULL if the game is unknown. */
struct model_game *model_find(const struct model *model, int64_t id);
/* Returns the game, and creates it if it is unknown. A new game may replace another
 * game, but never the current one or one with a pending move. */
struct model_game *model_get(struct model *model, int64_t id);

/* Returns the value of `key` in `line` if it is a number from `lo` to `hi`, otherwise
 * `fallback`. The limits protect the client from a server that sends absurd numbers. */
int64_t model_number(const struct proto_line *line, const char *key, int64_t lo,
                     int64_t hi, int64_t fallback);
/* The longest time, in milliseconds, that is displayed or waited for. */
#define MODEL_MS_MAX (INT64_C(400) * 24 * 60 * 60 * 1000)
enum {
    MODEL_COUNT_MAX = 1000000
}; /* limit for the number of plies or events of a
                                     * game */

/* --- Taking in --- */

enum model_took {
    MODEL_NEW,     /* applied to the game */
    MODEL_SKIPPED, /* its kind is unknown to this version */
    MODEL_OLD,     /* already received */
    MODEL_GAP,     /* earlier events are missing: resume at next_event */
    MODEL_BROKEN   /* does not fit the events before it */
};

struct model_news {
    enum model_took took;
    struct model_game *game;
    bool is_late;  /* later events already exist and will follow */
    bool is_found; /* the event is our move that was in state PENDING_LOST: the server
                    * had received that move */
    struct event event;
};

/* Applies an event to game `id`. `number` is the number of the event, `text` is its
 * text. *out gets the result. */
void model_take_event(struct model *model, int64_t id, int number, const char *text,
                      int64_t now_ms, struct model_news *out);

/* Stores the clocks that `line` reports. `line` is a notice, or the server's OK to a
 * command such as `watch` or `resume`. The value of events= in `line` says to which
 * position the clocks belong. */
void model_take_clock(struct model_game *game, const struct proto_line *line,
                      int64_t now_ms);

/* Handles the server's OK to a command such as `watch` or `resume`, or the notice `tv`.
 * Stores the clocks, and marks the game as one that we follow. Returns how many events
 * of the game are still to come. */
int model_follow(struct model_game *game, const struct proto_line *line,
                 int64_t now_ms);

/* Adds an offer, or replaces the one with the same id. Evicts the oldest if the list is
 * full. */
void model_add_offer(struct model_offers *offers, const struct model_offer *offer);
/* Removes an offer or challenge that we answered or that the server does not know. The
 * server may or may not also report that the offer has ended. */
void model_close_offer(struct model *model, int64_t id);

/* Counts a row of the list of `seeks`, and notes its number. */
void model_take_seek(struct model *model, const struct proto_line *row);
/* Removes the data that is valid only for one connection: requests, offers, watchers,
 * absences, and an announced restart. If a move was sent and not answered, its state
 * becomes PENDING_LOST. */
void model_lose_connection(struct model *model);

/* Returns true if the game is shown for the first time: its events up to now arrive,
 * and we had none of them before. */
bool model_is_first_seen(const struct model_game *game);
/* Returns true if all events known to exist have arrived. */
bool model_is_caught_up(const struct model_game *game);

/* --- Asking --- */

/* Returns true if we are a player and it is our turn to move or to choose a line-up. If
 * the terms of the game contain the line-ups, the server sets up these line-ups by
 * itself. Until then, the function returns false. */
bool model_is_our_turn(const struct model_game *game);
/* If we play in the game and both sides are choosing hidden line-ups, returns our side
 * until we have chosen, and then the other side. Otherwise returns the same as
 * game_turn(). */
enum side model_turn(const struct model_game *game);
/* Returns true if we are a player and the game is not over. */
bool model_is_playing(const struct model_game *game);
/* Returns true if the players need not be present: the game is adjourned, or is played
 * by correspondence. */
bool model_is_slow(const struct model_game *game);
/* Returns the milliseconds that the side whose turn it is has left, to move or to choose
 * a line-up; -1: there is no limit. */
int64_t model_turn_left(const struct model_game *game, int64_t now_ms);
/* If the current game is over, returns another game of ours that goes on. Prefers a
 * game in which it is our turn, then the game with the least time left. Leaves out
 * games in which the players need not be present. Returns NULL if the current game is
 * not over, or if there is no such game. */
struct model_game *model_next_game(const struct model *model, int64_t now_ms);
/* Returns true if the opponent is absent and we may claim the game, now or later.
 * *left_ms gets the milliseconds until we may; 0: now. Otherwise returns false and
 * leaves *left_ms unchanged. */
bool model_claim_left(const struct model_game *game, int64_t now_ms, int64_t *left_ms);
/* Returns true if the board is shown from Blue's side. */
bool model_is_flipped(const struct model_game *game);

/* Returns the time that `side` had left before the ply with index `ply`. If `ply` is
 * the number of plies, returns the time left after the last ply. */
struct time_left model_left_before(const struct model_game *game, int ply,
                                   enum side side);

/* Writes the letters of the pieces that `side` has captured, most valuable first. */
enum { MODEL_TAKEN_BYTES = 17 };
void model_taken(const struct model_game *game, enum side side,
                 char out[MODEL_TAKEN_BYTES]);

/* Returns the newest open offer made by the opponent, or NULL. */
const struct model_offer *model_offer_to_us(const struct model *model,
                                            const struct model_game *game);
/* Returns the game that contains the offer with the number `id`, and lets *offer point
 * to the offer. Returns NULL if no game contains it. */
struct model_game *model_find_offer(const struct model *model, int64_t id,
                                    const struct model_offer **offer);

/* Lists what we may accept or decline: offers in our games, then challenges. */
enum { MODEL_OPEN_MAX = 32 };
struct model_open {
    const struct model_offer *offer;
    const struct model_game *game; /* NULL: a challenge */
};
int model_list_open(const struct model *model, struct model_open out[MODEL_OPEN_MAX]);

/* Suffix in the name of a program that plays at a server; "janggi bot" appends it. */
#define MODEL_BOT_MARK "-bot"
bool model_is_bot(const char *name);

/* Returns the name of the rating pool to which the result of the game belongs, or would
 * belong if the game were rated. */
const char *model_rating_pool(const struct model_game *game);
void model_set_rating(struct model_game *game, enum side side, const char *rating);
/* Returns true if both names belong to the same player. */
bool model_is_same_name(const char *a, const char *b);

#endif
