/* What the server told us: games folded from their events with common/game, seats,
 * clocks on our own time, offers, who is there, and what we sent that was not yet
 * acknowledged. Knows no socket and no screen, and is told the time. */
#ifndef CLIENT_VIEW_MODEL_H
#define CLIENT_VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/game/clock.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "common/net/proto.h"

enum {
    MODEL_GAMES_MAX = 256, /* then the one that matters least is forgotten */
    MODEL_OFFERS_MAX = 8,
    MODEL_WATCHERS_MAX = 16,
    MODEL_OFFER_KIND_BYTES = 12,
    MODEL_OFFER_TERMS_BYTES = 64
};

/* An offer in a game, or a challenge. */
struct model_offer {
    int64_t id;
    /* draw takeback abort adjourn continue rematch challenge */
    char kind[MODEL_OFFER_KIND_BYTES];
    char by[NAME_BYTES];
    int to;                              /* takeback: plies that would remain */
    char terms[MODEL_OFFER_TERMS_BYTES]; /* of a challenge: "5m, martin" */
};

struct model_offers {
    struct model_offer at[MODEL_OFFERS_MAX]; /* the newest last */
    int count;
};

/* Clocks as the server said them at one moment, for the position before event. */
struct model_clock {
    bool is_told;
    int event;
    int64_t at_ms;
    int64_t shown_ms[SIDES];
    int periods[SIDES];
    enum side running;
};

/* A move that the player made and the game does not have yet. */
enum model_pending_state {
    PENDING_NONE,
    PENDING_SENT,  /* its answer is on the way */
    PENDING_TYPED, /* without a connection: it was never sent */
    PENDING_LOST   /* sent, and the connection went before the answer came */
};

struct model_pending {
    enum model_pending_state state;
    bool is_told; /* typed or lost: the player knows, and is asked what to do */
    int ply;
    struct move move;
    int64_t again_ms; /* to be sent once more then; 0: not */
};

struct model_game {
    struct model_game *next;
    int64_t id;
    struct game game;
    int next_event;      /* the number we wait for */
    int known_events;    /* how many there are, as far as we were told */
    enum side side;      /* ours; SIDE_NONE: we watch */
    bool is_ours;        /* one of the players is us */
    bool is_broken;      /* an event did not follow: the board is not to be believed */
    bool is_turned;      /* the player turned the board round by hand */
    bool is_left;        /* not followed any more */
    bool is_asked;       /* a resume is under way */
    bool is_catching_up; /* events that happened before it are arriving, */
    bool is_from_zero;   /* and we knew none of them */
    struct clock clock;
    struct model_clock told;
    bool is_low;            /* the player was warned of little time */
    int64_t setup_until_ms; /* 0: no limit is known */
    struct model_offers offers;
    char watcher[MODEL_WATCHERS_MAX][NAME_BYTES];
    int watchers;
    bool is_away[SIDES];
    int64_t claim_at_ms[SIDES]; /* who is away may be claimed against then; 0: never */
    struct model_pending pending;
};

struct model {
    char name[NAME_BYTES]; /* ours at this server, "" before login */
    struct model_game *games;
    int game_count;
    struct model_game *current; /* the one that typed moves are about; may be NULL */
    struct model_offers challenges; /* made to us */
    int64_t restart_at_ms; /* the server ends then and comes back; 0: it stays */
};

void model_init(struct model *model);
void model_clear(struct model *model);

/* NULL when we do not know that game. */
struct model_game *model_find(const struct model *model, int64_t id);
/* Makes it if it is new. Another may be forgotten for it, never current nor one with a
 * move of ours that waits. */
struct model_game *model_get(struct model *model, int64_t id);
/* Current becomes game; NULL for none. */
void model_choose(struct model *model, struct model_game *game);

/* A number that a server said, which may be anything: fallback unless it is lo..hi. */
int64_t model_number(const struct proto_line *line, const char *key, int64_t lo,
                     int64_t hi, int64_t fallback);
/* No span that is shown or waited for is longer. */
#define MODEL_MS_MAX (INT64_C(400) * 24 * 60 * 60 * 1000)
enum { MODEL_COUNT_MAX = 1000000 }; /* of plies and events */

/* --- Taking in --- */

enum model_took {
    MODEL_NEW,     /* folded in */
    MODEL_SKIPPED, /* of a kind that this version does not know */
    MODEL_OLD,     /* had it already */
    MODEL_GAP,     /* some before it are missing: resume at next_event */
    MODEL_BROKEN   /* does not follow from what came before */
};

struct model_news {
    enum model_took took;
    struct model_game *game;
    bool is_late;  /* more events that exist already will follow it */
    bool is_found; /* it is our move of which nobody knew whether it had arrived */
    struct event event;
};

void model_take_event(struct model *model, int64_t id, int number, const char *text,
                      int64_t now_ms, struct model_news *out);

/* The clock of a notice, or of an answer to watch or resume, where events= says for
 * which position it is. */
void model_take_clock(struct model_game *game, const struct proto_line *line,
                      int64_t now_ms);

/* The OK to watch or resume: the game is followed from now on. Returns how many events
 * are still to come. */
int model_follow(struct model_game *game, const struct proto_line *line,
                 int64_t now_ms);

/* In place of one with the same id. The oldest gives way if there are too many. */
void model_add_offer(struct model_offers *offers, const struct model_offer *offer);
/* We have answered the offer or challenge, or the server does not know it: it is not
 * open to us any more, whether we are told so or not. */
void model_close_offer(struct model *model, int64_t id);

/* Nothing is under way any more: the connection is gone. Of a move that was sent nobody
 * knows now whether it arrived. */
void model_lose_connection(struct model *model);

/* All events that we know to exist have arrived. */
bool model_is_caught_up(const struct model_game *game);

/* --- Asking --- */

/* We sit in it and it is our turn to move or to set up. */
bool model_is_our_turn(const struct model_game *game);
/* We sit in it and it is not over. */
bool model_is_playing(const struct model_game *game);
/* Nobody sits waiting in it: adjourned, or by correspondence. */
bool model_is_slow(const struct model_game *game);
/* The opponent is away, and *left_ms gets how long we still have to wait before a
 * claim, not below 0. False: here, or there is no claim. */
bool model_claim_left(const struct model_game *game, int64_t now_ms, int64_t *left_ms);
/* The board stands turned round for this game. */
bool model_is_flipped(const struct model_game *game);

/* Milliseconds to show for side, -1 in an untimed game. */
int64_t model_shown_ms(const struct model_game *game, enum side side, int64_t now_ms,
                       int *periods);

/* The last move, with the kinds of what moved and what was taken. False: none. */
struct model_last {
    struct move move;
    enum side side;
    enum kind mover;
    enum kind taken; /* KIND_NONE */
    int number;      /* of the move, as players count */
};
bool model_last(const struct model_game *game, struct model_last *out) MUST_USE;

/* Side and number of the ply with this index, from 0. */
enum side model_ply_side(const struct model_game *game, int ply);
int model_ply_number(const struct model_game *game, int ply);

/* Letters of what side has taken, most valuable first. */
enum { MODEL_TAKEN_BYTES = 17 };
void model_taken(const struct model_game *game, enum side side,
                 char out[MODEL_TAKEN_BYTES]);

/* The open offer that the opponent made, the newest first; NULL for none. */
const struct model_offer *model_offer_to_us(const struct model *model,
                                            const struct model_game *game);
/* The game in which the offer stands; NULL for none. */
struct model_game *model_find_offer(const struct model *model, int64_t id,
                                    const struct model_offer **offer);

/* What we may accept or decline: offers in our games, then challenges. */
enum { MODEL_OPEN_MAX = 32 };
struct model_open {
    const struct model_offer *offer;
    const struct model_game *game; /* NULL: a challenge */
};
int model_list_open(const struct model *model, struct model_open out[MODEL_OPEN_MAX]);

/* Ends the name of a program that plays at a server: "janggi bot" adds it. */
#define MODEL_BOT_MARK "-bot"
bool model_is_bot(const char *name);

/* Two names are the same player's. */
bool model_is_same_name(const char *a, const char *b);

#endif
