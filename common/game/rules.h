/* Decides which moves are legal, when a king is in check, and how a game ends. The
 * rules are in RULES.md: sections P, C and the section of each ruleset. All differences
 * between rulesets are in the table in ruleset.c. So other files do not need to test
 * which ruleset a game has. reach.c computes how pieces move. legal.c decides which of
 * these moves are legal. common/words describes moves, faults and results in sentences.
 *
 * Pure: no allocation, no clock, no log, no state. The caller owns every position and
 * list, and nothing is kept after a call, so several threads may call at once. */
#ifndef COMMON_GAME_RULES_H
#define COMMON_GAME_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/move.h"
#include "common/game/side.h"

struct position;
struct position_fault;

/* --- Rulesets --- */

struct ruleset; /* an entry of the table in ruleset.c; its columns are in ruleset.h */

/* Returns the ruleset with that name; NULL if there is none. */
const struct ruleset *ruleset_find(const char *name);
/* Returns the i-th ruleset of the table, from 0; NULL after the last. The first one,
 * martin, is the default. */
const struct ruleset *ruleset_at(size_t i);
const char *ruleset_name(const struct ruleset *rules);
/* Returns the name of the rating pool for games with a clock: "kja", "martin" or
 * "classic". */
const char *ruleset_rating_pool(const struct ruleset *rules);
/* Returns the side that makes the first move (G7). */
enum side ruleset_first_mover(const struct ruleset *rules);
/* The seconds that each side has in a timed game to choose its line-up. If they run
 * out, the line-up is NBBN. Under every ruleset Red chooses first (M1, V1, J9). The
 * sources of the rules do not give a time for the set-up; a minute is close to the time
 * that pychess and others use. */
enum { RULES_SETUP_S = 60 };
bool ruleset_counts_points(const struct ruleset *rules);

/* The chance that Red wins is computed from a score in points for Red:
 *   1 / (1 + exp(-slope * (score - even)))
 * `make chance` computed slope and even from games of our engine against itself. The
 * sample is in tests/MEASURED.md. */
struct ruleset_chance {
    int slope_thousandths;
    int even_hundredths; /* the score of an even game, in hundredths of a point */
};
struct ruleset_chance ruleset_chance(const struct ruleset *rules);

/* --- Results --- */

enum outcome { OUTCOME_NONE, OUTCOME_RED, OUTCOME_BLUE, OUTCOME_DRAW };

enum reason {
    REASON_NONE,
    REASON_CHECKMATE,
    REASON_NAKED_CHECK,
    REASON_MATE_BY_FORFEITED,
    REASON_KING_GUARD,
    REASON_BOTH_FORFEITED,
    REASON_BIKJANG,
    REASON_PERPETUAL_CHECK,
    REASON_DOUBLE_PASS,
    REASON_REPETITION,
    REASON_NO_CAPTURE,
    REASON_RESIGNATION,
    REASON_TIME,
    REASON_ABSENCE,
    REASON_AGREEMENT,
    REASON_ABORTED,
    REASON_HOST /* the host of the server decided */
};
enum { REASONS = REASON_HOST + 1 };

/* Convert outcomes ("red", "blue", "draw", "none") and reasons ("checkmate",
 * "naked_check" ... "host") to words and back. The parsing functions return false for
 * an unknown word; reason_parse() also for "none". */
const char *outcome_name(enum outcome outcome);
bool outcome_parse(const char *word, enum outcome *out) MUST_USE;
const char *reason_name(enum reason reason);
bool reason_parse(const char *word, enum reason *out) MUST_USE;

/* --- Faults: why something is refused --- */

enum fault_code {
    FAULT_NONE,
    FAULT_NOT_YOUR_TURN,
    FAULT_NOT_STARTED, /* still in set-up */
    FAULT_OVER,        /* the game has ended */
    FAULT_TIME,        /* the flag has fallen */
    FAULT_NOT_SETUP,   /* set-up is over, the other side chooses now, or another line-up
                        * is agreed */
    FAULT_ADJOURNED,   /* the game is adjourned: no moves until it continues */
    FAULT_NOT_ADJOURNED,
    FAULT_NO_PIECE,      /* no piece on `at` */
    FAULT_NOT_YOURS,     /* the piece on `at` is the opponent's */
    FAULT_WRONG_PIECE,   /* the piece letter differs from the piece on `at` */
    FAULT_SAME_POINT,    /* `from` and `to` are the same point */
    FAULT_OWN_TARGET,    /* the piece on the target, `at`, belongs to the mover */
    FAULT_SHAPE,         /* this piece does not move like that */
    FAULT_PATH_BLOCKED,  /* rook: the piece on `at` is in the way */
    FAULT_LEG_BLOCKED,   /* knight, bishop: the piece on `at` blocks the step */
    FAULT_NO_SCREEN,     /* cannon: no piece to jump */
    FAULT_TWO_SCREENS,   /* cannon: a second piece, on `at`, is in the way */
    FAULT_SCREEN_CANNON, /* the piece to jump, on `at`, is a cannon */
    FAULT_TARGET_CANNON, /* a cannon cannot take the cannon on `at` */
    FAULT_LEAVES_FORTRESS,
    FAULT_PAWN_BACKWARD,
    FAULT_IN_CHECK,         /* the piece on `at` would give check to the mover's king */
    FAULT_MUST_ANSWER_BARE, /* before and after the move, the kings face each other with
                             * no piece between them (C4) */
    FAULT_MAY_NOT_BARE, /* the king takes a checking piece and so bares the kings, which
                         * rule 7b forbids (M7) */
    FAULT_PASS_HAS_MOVE, /* the side may not pass, because the piece on `at` has a legal
                          * move */
    FAULT_PASS_IN_CHECK,
    FAULT_PASS_BARE,
    FAULT_NO_SUCH_PLY /* takeback beyond the start */
};
enum { FAULTS = FAULT_NO_SUCH_PLY + 1 };

struct fault {
    enum fault_code code;
    enum kind kind;          /* the moving piece, or KIND_NONE */
    int at;                  /* the point that explains the fault, or POINT_NONE */
    enum kind by;            /* the piece on `at`, or KIND_NONE */
    enum side side, by_side; /* whose pieces `kind` and `by` are, or SIDE_NONE */
    struct move move; /* the refused move; with FAULT_PASS_HAS_MOVE, a legal move */
};

/* Returns the name that the protocol uses for this fault, for example "leg-blocked". */
const char *fault_name(enum fault_code code);

/* --- Positions --- */

/* Checks the part of G9 that position_parse() does not check. The side that is not to
 * move must not be in check. If the ruleset does not have forfeits, the position must
 * not have forfeits. If the ruleset has forfeits, kings may be bare only if the side
 * that is not to move has forfeited. */
bool rules_position_ok(const struct ruleset *rules, const struct position *position,
                       struct position_fault *why) MUST_USE;

enum check { CHECK_NONE, CHECK_PIECE, CHECK_KINGS, CHECK_BOTH };
/* Returns what threatens the king of the side to move: a piece (C1), the enemy king,
 * which faces it with no piece between them (bare kings, C4), or both. */
enum check rules_check(const struct position *position);
const char *check_name(enum check check); /* "none", "piece", "kings", "both" */
bool rules_kings_are_bare(const struct position *position);

enum { MOVES_MAX = 256 };
struct move_list {
    int count;
    struct move move[MOVES_MAX];
};

/* Lists all legal moves of the side to move; if a pass is legal, it is the last. The
 * list can have moves although the game is over (M6, M10 ...): see rules_ending(). */
void rules_legal_moves(const struct ruleset *rules, const struct position *position,
                       struct move_list *out);

/* Lists the moves that the piece on `from` could make if check did not matter,
 * whichever side is to move. Also works for a diagram (position_parse_diagram()). */
void rules_free_moves(const struct position *position, int from, struct move_list *out);

/* Returns FAULT_WRONG_PIECE if the player typed the move with the name of another piece
 * ("nB0-C2" says that a knight is on B0), otherwise FAULT_NONE. claimed: the piece that
 * was named; KIND_NONE if none was. */
struct fault rules_judge_claim(const struct position *position, struct move move,
                               enum kind claimed);

/* Returns FAULT_NONE when move is legal for the side to move. Otherwise returns the
 * first fault that is found, in this order: whose piece it is, how the piece moves,
 * what is in the way, check. */
struct fault rules_judge(const struct ruleset *rules, const struct position *position,
                         struct move move);

/* Returns the meaning of the move that `side` typed. Under a ruleset with V1 (vchess),
 * a move of the king onto the enemy king means a pass. Any other move is returned
 * unchanged. */
struct move rules_read_move(const struct ruleset *rules,
                            const struct position *position, enum side side,
                            struct move typed);

/* --- Moving --- */

/* The data that rules_unmake() needs besides the move. */
struct undo {
    uint64_t key;
    uint32_t quiet;
    uint32_t move_number;
    uint16_t passes;
    uint8_t forfeits;
    uint8_t captured; /* code of the piece taken, 0 for none */
};

/* rules_make() plays a move that rules_judge() or rules_legal_moves() allows.
 * rules_unmake() takes the move back; every byte of the position is then as before.
 * Each takes a few nanoseconds. */
void rules_make(const struct ruleset *rules, struct position *position,
                struct move move, struct undo *undo);
void rules_unmake(struct position *position, struct move move, const struct undo *undo);

/* --- Endings --- */

/* The facts about earlier plies that rules_ending() needs. The caller supplies them,
 * because a position does not contain its history. */
struct history_view {
    bool was_bare;       /* the kings were bare before the last ply */
    int occurrences;     /* how often the position has occurred, including now; 1: it is
                      * new */
    enum side perpetual; /* for J7: the side that gave check with every ply since the
                          * first occurrence; SIDE_NONE: neither side, or both */
};
/* The history of a position without earlier plies, for rules_ending(). */
extern const struct history_view rules_no_history;
/* Returns the reason why the game ends at position. Returns REASON_NONE if the game
 * does not end. The endings are tested in the order of the ruleset (M13, K9, J9).
 * *outcome gets the result, or OUTCOME_NONE if the game does not end. */
enum reason rules_ending(const struct ruleset *rules, const struct position *position,
                         const struct history_view *history, enum outcome *outcome);
/* Returns true if a game that begins at position is over at once, even if legal moves
 * exist. */
bool rules_is_over(const struct ruleset *rules, const struct position *position);

/* Returns the reason of an ending that does not depend on whether a legal move exists:
 * both_forfeited, double_pass or bikjang, where the ruleset has it. Returns REASON_NONE
 * if there is no such ending. Used to count move sequences. */
enum reason rules_ends_at_once(const struct ruleset *rules,
                               const struct position *position, bool was_bare);

/* The plies that led to a position, numbered from 0: for each ply the key of the
 * position before it, and whether it gave check. The caller owns the arrays; stride is
 * the number of bytes from one element to the next. The arrays may lack the element of
 * the last ply, because it is never read: last_gave_check says whether that ply gave
 * check. */
struct past_view {
    const uint64_t *key;
    const bool *gave_check;
    size_t stride;
    int plies;
    int first; /* no position before this ply can occur again */
    int own;   /* the ply at which a search begins. A position that occurred since then
                * counts twice, because the search can repeat it again. INT_MAX: no
                * search */
    bool last_gave_check;
};
/* Sets history->occurrences to how often position has occurred, and history->perpetual
 * to the side that gave perpetual check (M11, J7). Leaves was_bare unchanged. */
void rules_look_back(const struct position *position, const struct past_view *past,
                     struct history_view *history);

/* Returns the result when loser resigns or runs out of time (M5). */
enum outcome rules_outcome_of_loss(const struct ruleset *rules,
                                   const struct position *position, enum side loser);

/* Returns the points of `side` (J1), in half points. A rook has 13 points, a cannon 7,
 * a knight 5, a bishop 3, a guard 3 and a pawn 2. If the ruleset counts points, the
 * side that moves second has 1.5 points more. */
int rules_points_halves(const struct ruleset *rules, const struct position *position,
                        enum side side);

/* Writes both sides' points, Red's first: "72/73.5". */
enum { POINTS_BYTES = 16 };
void rules_points_format(char out[POINTS_BYTES], const struct ruleset *rules,
                         const struct position *position);

/* Returns the number of sequences of `depth` legal plies, as RULES.md "perft" counts
 * them. was_bare: the kings were bare before the last ply. */
uint64_t rules_perft(const struct ruleset *rules, struct position *position, int depth,
                     bool was_bare);

#endif
