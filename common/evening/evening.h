/* A club evening: players, rounds, pairings and results, folded from a log of events.
 * An evening is to a tournament what struct game is to a game: the server appends an
 * event after evening_apply() has taken it, and every reader folds the same events to
 * the same table. The texts of the events:
 *
 *   new NAME maker=M system=swiss rounds=5 score=wins time=20m+3x40s rules=kja
 *       first=blue noshow_s=300 shown_s=60 pairs=auto [at_s=N] [every_s=N]
 *       [account=N] [rated=yes]
 *   join N PLAYER              the next number is a new player, another one comes back
 *   leave N [WHY]
 *   round R 1-4 3-2 5-0        the player before the dash moves first; 0 is a bye
 *   game BOARD GAME            the game of a board of the last round has begun
 *   result R BOARD first|second|draw|none REASON [WORDS]   "host": the maker corrects it,
 *                              and says why
 *   miss R BOARD first|second|both   that player did not come: the other one wins
 *   adjust N HALVES REASON     half points added to the player's score in the table
 *   pause                      the rounds come from a file: the next one is paired at
 *                              at_s, or when the maker says so
 *   end
 *
 * A player is a number, 1 2 3 ... in the order of joining, so that a name is in the log
 * once. Unknown keys and kinds are skipped. Pure: no clock, no log, no socket; it
 * allocates for players and pairs. */
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
    EVENING_CIRCLE_MAX = 12, /* players of a round robin */
    EVENING_ROUNDS_MAX = 20,
    EVENING_BOARDS_MAX = (EVENING_PLAYERS_MAX + 1) / 2,
    EVENING_MISSES_MAX = 2, /* rounds that a player may miss before being removed */
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
    char name[EVENING_PLAYER_BYTES]; /* in its shown spelling */
    bool is_here;                    /* takes part in the next round */
    int missed;                      /* rounds, since the player last joined */
    int missed_ever;
    int adjusted_halves;
};

struct evening_pair {
    int round, board;  /* from 1 */
    int first, second; /* numbers of players; second 0: a bye */
    int64_t game;      /* 0: it has not begun */
    enum evening_result result;
    enum reason reason;
};

/* All zero: an evening before its first event. Other files may read it. */
struct evening {
    char name[EVENING_NAME_BYTES], maker[EVENING_PLAYER_BYTES];
    int64_t maker_account; /* the maker's account number, because a name may get another
                            * owner; 0: the host, or an evening that an older version
                            * wrote */
    enum evening_system system;
    enum evening_score score;
    enum evening_phase phase;
    enum side first; /* the side that moves first */
    char time[EVENING_TERM_BYTES], rules[EVENING_TERM_BYTES];
    int rounds;       /* planned; a round robin gets its number of rounds in round 1 */
    bool is_rated;    /* its games change the ratings of their players */
    bool is_by_hand;  /* a round is paired only when the maker says so */
    bool is_paused;   /* the same for the next round only */
    int64_t noshow_s; /* time to choose a line-up or to move */
    int64_t shown_s;  /* from the pairing of a round to its games */
    int64_t at_s;     /* when the first round is paired; 0: when the maker starts it */
    int64_t every_s;  /* the next evening of the series begins this much later; 0: no
                       * series */
    int round;        /* the last one that was paired; 0: none */
    int events;       /* that were applied */
    int players;
    struct evening_player *player; /* number n is player[n - 1] */
    int pairs;
    struct evening_pair *pair; /* in the order of rounds and boards */
};

/* Folds one event. False: it does not fit this evening, which is unchanged. */
bool evening_apply(struct evening *evening, const char *text) MUST_USE;
/* Writes the event "new ..." from the members of evening that such an event sets. */
void evening_format_new(char out[EVENING_EVENT_BYTES], const struct evening *evening);
/* Frees what it has allocated. */
void evening_clear(struct evening *evening);

/* The player with that number, or NULL. */
const struct evening_player *evening_player(const struct evening *evening, int number);
/* The number of the player with that name; 0: none. Names are the same if they fold to
 * the same text. */
int evening_find(const struct evening *evening, const char *name);
/* The same for a name of a file, which may be one that no account can have. */
int evening_find_written(const struct evening *evening, const char *name);
/* The pair of that board, or NULL. */
const struct evening_pair *evening_board(const struct evening *evening, int round,
                                         int board);
/* The pair of that game, or NULL. */
const struct evening_pair *evening_board_of_game(const struct evening *evening,
                                                 int64_t game);
/* The pair of the player in that round, or NULL. */
const struct evening_pair *evening_pair_of(const struct evening *evening, int round,
                                           int number);
int evening_count_here(const struct evening *evening);
/* The boards of the last round without a result. */
int evening_count_undecided(const struct evening *evening);
/* True when the last planned round is decided. */
bool evening_is_complete(const struct evening *evening);

/* True if the two players played their game to a win or a draw. */
bool evening_was_played(const struct evening_pair *pair);
/* The half points that the first or the second player gets for the result, where only
 * wins and draws count. */
int evening_halves(const struct evening_pair *pair, bool is_first);
/* The same by the scoring of the evening, which its table uses. */
int evening_table_halves(const struct evening *evening, const struct evening_pair *pair,
                         bool is_first);

/* "rr", "swiss"; "wins", "7421"; "open", "playing", "over". */
const char *evening_system_name(enum evening_system system);
const char *evening_score_name(enum evening_score score);
const char *evening_phase_name(enum evening_phase phase);
bool evening_system_parse(const char *word, enum evening_system *out) MUST_USE;
bool evening_score_parse(const char *word, enum evening_score *out) MUST_USE;
/* "first", "second", "draw", "none"; for a missed game the player who wins, or "none";
 * "first" for a bye; "" while it is undecided. */
const char *evening_result_name(enum evening_result result);
/* Half points as "2.5" or "+1". */
enum { EVENING_POINTS_BYTES = 16 };
void evening_points_format(char out[EVENING_POINTS_BYTES], int halves);

#endif
