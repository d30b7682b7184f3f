/* The analysis of a game: what each position was worth, and what each move changed.
 * Chooses which position to search next, in three passes. The first pass searches every
 * position very briefly, for a first graph. The second pass searches every position
 * longer. The third pass searches the two positions around each large change, with the
 * longest searches. Pure, except that it allocates memory: analyst.h runs the
 * searches. */
#ifndef CLIENT_ANALYSE_ANALYSIS_H
#define CLIENT_ANALYSE_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/search.h"
#include "common/base/base.h"
#include "common/game/game.h"

/* The node limit for the search of one position, in each of the three passes. */
enum {
    ANALYSIS_NODES_FIRST = 2000,
    ANALYSIS_NODES = 20000,
    ANALYSIS_NODES_AGAIN = 200000
};

/* What the searches found about the position after a certain number of plies. `points`,
 * `chance` and `end_plies` are from Red's side. */
struct analysis_place {
    uint64_t nodes; /* node limit of the last search; 0: not searched; UINT64_MAX:
                     * not searched, because the rules ended the game here */
    double points;  /* the score in points, within ANALYSIS_POINTS_MAX */
    double chance;  /* Red's chance of winning, 0 to 1 */
    int end_plies;  /* number of plies to a forced win: above 0 if Red wins, below 0 if
                     * Blue wins; 0: no forced win was found */
    int line_plies; /* length of `line`, the best play from here */
    struct move line[SEARCH_LINE_MAX];
};
/* The score of a won game, in points. */
#define ANALYSIS_POINTS_MAX 20.0

struct analysis {
    const struct ruleset *rules;
    enum outcome outcome; /* of the game */
    bool has_ended_by_rules;
    uint64_t nodes; /* node limit for every position; 0: the limits of the three
                     * passes */
    int plies;
    struct position *position;    /* [plies + 1]: the positions before each ply, and
                                   * the last position */
    struct search_ply *past;      /* [plies]: for the rule about repetition */
    struct move *move;            /* [plies] */
    struct analysis_place *place; /* [plies + 1] */
};

/* Prepares the analysis of `game` and copies what it needs from it. The players must
 * have chosen their starting positions. nodes: the node limit for every position; 0:
 * use the limits of the three passes. */
void analysis_init(struct analysis *analysis, const struct game *game, uint64_t nodes);
void analysis_clear(struct analysis *analysis);

/* Returns the index of the position to search next, and writes the task with its node
 * limit to *task. Returns -1 if there is none. */
int analysis_next(const struct analysis *analysis, struct search_task *task) MUST_USE;
/* Stores the result of a completed search of the position with the index `place`.
 * nodes: the limit of that search. */
void analysis_take(struct analysis *analysis, int place,
                   const struct search_report *report, uint64_t nodes);
/* Returns how many positions have been searched with at least the required node limit:
 * analysis->nodes or, if that is 0, ANALYSIS_NODES. */
int analysis_done(const struct analysis *analysis);

/* --- Judgement --- */

/* A move gets a mark if the move lost at least two points, and also lowered the mover's
 * winning chance by at least the amount given below for that mark. If the mover is
 * still winning after the move, the mark is at most ANALYSIS_MISTAKE. A move that only
 * misses a forced win gets ANALYSIS_DOUBTFUL. */
enum analysis_mark {
    ANALYSIS_UNMARKED,
    ANALYSIS_DOUBTFUL, /* ?! winning chance at least 10 percentage points lower */
    ANALYSIS_MISTAKE,  /* ? winning chance at least 20 percentage points lower */
    ANALYSIS_BLUNDER   /* ?? winning chance at least 30 percentage points lower */
};
/* Returns the mark as text: "", "?!", "?" or "??". */
const char *analysis_mark_text(enum analysis_mark mark);

struct analysis_move {
    enum side side;
    struct move move;
    enum analysis_mark mark;
    double before, after; /* Red's winning chance before and after the move, 0 to 1 */
    double lost;          /* the winning chance that the move cost the mover, 0 to 1 */
    double points_lost;
    int missed_plies; /* the mover overlooked a forced win in this many plies; 0:
                       * overlooked none */
    bool has_better;  /* the first move of `line` differs from `move` */
    int line_plies;
    const struct move *line; /* the best play instead; borrowed */
};

/* Judges the move with number `ply`, which counts from 1. Returns false if the position
 * before or after the move has not been searched. */
bool analysis_judge(const struct analysis *analysis, int ply,
                    struct analysis_move *out) MUST_USE;

/* How well one player moved, as far as the moves were judged. If `moves` is 0, nothing
 * is known. */
struct analysis_player {
    int moves;
    double points_lost; /* average per move */
    double accuracy;    /* 0 to 100 */
};
struct analysis_player analysis_player(const struct analysis *analysis, enum side side);

#endif
