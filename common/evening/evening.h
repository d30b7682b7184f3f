/* The state of a club evening, which is a small tournament: players, rounds, pairings
 * and results. The state is computed from a log of events, like the state of a game
 * (struct game). The server appends an event after evening_apply() has accepted it.
 * Every reader applies the same events and gets the same state. The maker of an evening
 * is the user who created it. The texts of the events:
 *
 *   new NAME maker=M system=swiss rounds=5 score=wins time=20m+3x40s rules=kja
 *       first=blue noshow_s=300 shown_s=60 pairs=auto [at_s=N] [account=N]
 *       [rated=yes]; other keys are ignored
 *   join N PLAYER              if N is the next number, this is a new player;
 *                              otherwise player N comes back
 *   leave N [WHY]
 *   round R 1-4 3-2 5-0        the player before the dash moves first; 0 is a bye
 *   game BOARD GAME            the game of a board of the last round has begun
 *   result R BOARD first|second|draw|none REASON [WORDS]
 *                              if REASON is "host", the maker corrects the result, and
 *                              WORDS say why
 *   miss R BOARD first|second|both
 *                              this player, or both players, did not come; if only one
 *                              player did not come, the other player wins
 *   adjust N HALVES REASON     half points added to the player's score in the table
 *   pause                      was written by older servers after rounds that came from
 *                              a file; the next round is paired at at_s, or when the
 *                              maker says so
 *   end
 *
 * Events refer to a player by a number, 1 2 3 ... in the order of joining, so that the
 * log has each name once. Unknown keys and kinds are skipped. Pure: does not use a
 * clock, a log or a socket. Allocates memory for players and pairs. */
#ifndef COMMON_EVENING_EVENING_H
#define COMMON_EVENING_EVENING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/rules.h"
#include "common/game/side.h"

enum {
    EVENING_PLAYERS_MAX = 200,
    EVENING_CIRCLE_MAX = 12, /* limit of players in a round robin */
    EVENING_ROUNDS_MAX = 20,
    EVENING_BOARDS_MAX = (EVENING_PLAYERS_MAX + 1) / 2,
    EVENING_MISSES_MAX = 2, /* a player who has missed this many rounds is removed */
    EVENING_NAME_BYTES = 48,
    EVENING_PLAYER_BYTES = 32,
    EVENING_TERM_BYTES = 40,
    EVENING_EVENT_BYTES = 4096
};

enum evening_system { EVENING_ROUND_ROBIN, EVENING_SWISS };
enum evening_score { EVENING_BY_WINS, EVENING_BY_7421 };
enum evening_phase { EVENING_OPEN, EVENING_PLAYING, EVENING_OVER };

enum evening_result {
    EVENING_UNDECIDED,
    EVENING_FIRST_WON,
    EVENING_SECOND_WON,
    EVENING_DRAWN,
    EVENING_NO_RESULT,     /* nobody gets a point */
    EVENING_SECOND_MISSED, /* the first player wins without a game */
    EVENING_FIRST_MISSED,
    EVENING_BOTH_MISSED,
    EVENING_BYE /* the first player has no opponent, and gets a win */
};

struct evening_player {
    char name[EVENING_PLAYER_BYTES]; /* in the spelling that is shown */
    bool is_here;                    /* takes part in the next round */
    int missed;                      /* rounds missed since the player last joined */
    int missed_ever;                 /* rounds missed in the whole evening */
    int forgiven_round;              /* `missed` counts rounds after this one */
    int adjusted_halves;             /* half points that "adjust" events have added */
};

struct evening_pair {
    int round, board;  /* from 1 */
    int first, second; /* numbers of players; second 0: a bye */
    int64_t game;      /* number of the game; 0: it has not begun */
    enum evening_result result;
    enum reason reason;
};

/* All zero: an evening before its first event. Other files may read the members, but
 * not change them. */
struct evening {
    char name[EVENING_NAME_BYTES], maker[EVENING_PLAYER_BYTES];
    int64_t maker_account; /* the maker's account number, because the name may pass to
                            * another owner; 0: the host is the maker, or an older
                            * version wrote this evening */
    enum evening_system system;
    enum evening_score score;
    enum evening_phase phase;
    enum side first; /* the side that moves first */
    char time[EVENING_TERM_BYTES], rules[EVENING_TERM_BYTES];
    int rounds;       /* planned rounds; for a round robin, computed when round 1 is
                       * paired */
    bool is_rated;    /* its games change the ratings of their players */
    bool is_by_hand;  /* a round is paired only when the maker says so */
    bool is_paused;   /* the next round is paired at at_s, or when the maker says so */
    int64_t noshow_s; /* a player who neither chooses a line-up nor moves in this many
                       * seconds misses the game */
    int64_t shown_s; /* seconds from the pairing of a round to the start of its games */
    int64_t at_s;    /* when to pair the first round, or the next round after a pause;
                      * seconds since 1970; 0: when the maker says so */
    int round;       /* the last round that was paired; 0: none */
    int events;      /* number of events that were applied */
    int players;
    struct evening_player *player; /* number n is player[n - 1] */
    int pairs;
    struct evening_pair *pair; /* in the order of rounds and boards */
};

/* Applies one event. Returns false if the event cannot come next; `evening` is then
 * unchanged. */
bool evening_apply(struct evening *evening, const char *text) MUST_USE;
/* Writes the event "new ..." from the members of evening that such an event sets. */
void evening_format_new(char out[EVENING_EVENT_BYTES], const struct evening *evening);
/* Frees the players and pairs, and sets the evening to all zero. */
void evening_clear(struct evening *evening);

/* Returns the player with that number, or NULL. */
const struct evening_player *evening_player(const struct evening *evening, int number);
/* Returns the number of the player with that name; 0: none. Upper and lower case do not
 * matter (utf8_fold_name()). */
int evening_find(const struct evening *evening, const char *name);
/* Returns the pair of that round and board, or NULL. */
const struct evening_pair *evening_board(const struct evening *evening, int round,
                                         int board);
/* Returns the pair whose game has that number, or NULL. */
const struct evening_pair *evening_board_of_game(const struct evening *evening,
                                                 int64_t game);
/* Returns the pair of player `number` in round `round`, or NULL. */
const struct evening_pair *evening_pair_of(const struct evening *evening, int round,
                                           int number);
/* Returns the number of players who take part in the next round. */
int evening_count_here(const struct evening *evening);
/* Returns the number of boards of the last round that have no result. */
int evening_count_undecided(const struct evening *evening);
/* Returns true if all planned rounds were paired and every board of the last one has a
 * result. */
bool evening_is_complete(const struct evening *evening);

/* Returns true if the two players played their game to a win or a draw. */
bool evening_was_played(const struct evening_pair *pair);
/* Returns the half points that the first (`is_first`) or the second player of `pair`
 * has got: 2 for a win, 1 for a draw. The scoring of the evening does not matter. */
int evening_halves(const struct evening_pair *pair, bool is_first);
/* Like evening_halves(), but counts by the scoring of the evening, as its table
 * does. */
int evening_table_halves(const struct evening *evening, const struct evening_pair *pair,
                         bool is_first);

/* These functions convert between the enums and the words in events: "rr", "swiss";
 * "wins", "7421"; "open", "playing", "over". The parsing functions return false for an
 * unknown word. */
const char *evening_system_name(enum evening_system system);
const char *evening_score_name(enum evening_score score);
const char *evening_phase_name(enum evening_phase phase);
bool evening_system_parse(const char *word, enum evening_system *out) MUST_USE;
bool evening_score_parse(const char *word, enum evening_score *out) MUST_USE;
/* Returns "first", "second", "draw" or "none". For a missed game: the player who wins,
 * or "none". For a bye: "first". For an undecided game: "". */
const char *evening_result_name(enum evening_result result);
/* Converts half points to points, as text. `halves` is the number of half points: 5
 * gives "2.5", and -2 gives "-1". */
enum { EVENING_POINTS_BYTES = 16 };
void evening_points_format(char out[EVENING_POINTS_BYTES], int halves);

#endif
