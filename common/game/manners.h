/* Some terms of a game: what is allowed in the game, and how the game begins. (The
 * players, rules, time and sides of a game are in other modules.) For each term, zero
 * is the usual value. Converts the terms to text and back. The text is the same in an
 * offer and in the start event. The text does not contain terms with the usual value.
 * Pure. */
#ifndef COMMON_GAME_MANNERS_H
#define COMMON_GAME_MANNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

struct position;
struct ruleset;

enum watchers { WATCHERS_ALL, WATCHERS_MEMBERS, WATCHERS_NONE };
enum { DELAY_PLIES_MOST = 20 };
enum { CLAIM_S_LEAST = 30, CLAIM_S_MOST = 600, CLAIM_NONE = UINT16_MAX };

struct manners {
    bool is_private;     /* only the players and people with their permission may read
                          * the game */
    bool bars_takebacks; /* takebacks are not allowed */
    bool bars_talk;      /* the players may not talk to each other */
    bool bars_lag;       /* the lag of a connection is charged to its player */
    uint8_t watchers;    /* enum watchers: who may watch before the end */
    uint8_t delay_plies; /* until the end, watchers see the game this many plies late */
    uint16_t claim_s;    /* seconds of a player's absence after which the opponent may
                          * claim the result; 0: the server's setting; CLAIM_NONE: the
                          * opponent may never claim it */
    bool has_odds;       /* odds_side begins without some of its pieces */
    uint8_t odds_side;
    uint8_t odds[KINDS];  /* number of pieces that odds_side lacks, by kind */
    bool is_rated;        /* the result of the game changes the ratings of its
                           * players */
    bool is_sealed;       /* both sides choose their line-ups at the same time, in
                           * secret */
    bool has_setup;       /* the line-ups are agreed, and nobody chooses one */
    uint8_t setup[SIDES]; /* enum lineup; 0 unless has_setup */
};

/* Sets the term `key` to value. MANNERS_BAD: value is not possible for this key;
 * *manners may have changed. MANNERS_UNKNOWN: no term has this key. */
enum manners_set { MANNERS_SET, MANNERS_BAD, MANNERS_UNKNOWN };
enum manners_set manners_set(struct manners *manners, const char *key,
                             const char *value) MUST_USE;

/* Writes the terms that differ from the usual ones, each after a space: " private=yes
 * takebacks=no setup=NBNB/NBBN handicap=red:r". */
enum { MANNERS_BYTES = 192 };
void manners_format(char out[MANNERS_BYTES], const struct manners *manners);

/* Makes the start position of a game with a handicap. The position has the agreed
 * line-ups, but odds_side begins without odds[kind] pieces of each kind. These are the
 * leftmost pieces of the kind, as odds_side sees the board. False: the terms lack a
 * handicap or agreed line-ups. */
bool manners_handicap(const struct manners *manners, const struct ruleset *rules,
                      struct position *out) MUST_USE;

/* Returns "all", "members" or "none". */
const char *manners_watchers_name(const struct manners *manners);

bool manners_is_same(const struct manners *a, const struct manners *b);

#endif
