/* The analysis of a game: what each position was worth, and what each move changed.
 * Chooses which position a search looks at next: every position for a moment, so that a
 * first graph is there at once, every position for a short time, and then, for longer,
 * both positions around each large change. Pure, except that it allocates memory:
 * analyst.h runs the searches. */
#ifndef CLIENT_ANALYSE_ANALYSIS_H
#define CLIENT_ANALYSE_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/search.h"
#include "common/base/base.h"
#include "common/game/game.h"

/* The nodes of a search in each pass. */
enum {
    ANALYSIS_NODES_FIRST = 2000,
    ANALYSIS_NODES = 20000,
    ANALYSIS_NODES_AGAIN = 200000
};

/* A position, after a number of plies. The numbers are from Red's side. */
struct analysis_place {
    uint64_t nodes; /* limit of the search that looked at it; 0: none did */
    double points;  /* the score in points, within ANALYSIS_POINTS_MAX */
    double chance;  /* that Red wins, 0 to 1 */
    int end_plies;  /* plies to the end that was found: >0 Red wins, <0 Blue; 0 none */
    int line_plies; /* the best play from here */
    struct move line[SEARCH_LINE_MAX];
};
/* The score of a won game, in points. */
#define ANALYSIS_POINTS_MAX 20.0

struct analysis {
    const struct ruleset *rules;
    enum outcome outcome; /* of the game */
    bool has_ended_by_rules;
    uint64_t nodes; /* of every position; 0: in passes */
    int plies;
    struct position *position;    /* [plies + 1] */
    struct search_ply *past;      /* [plies] */
    struct move *move;            /* [plies] */
    struct analysis_place *place; /* [plies + 1] */
};

/* Copies what it needs of game, whose set-up must be done. nodes 0: in passes. */
void analysis_init(struct analysis *analysis, const struct game *game, uint64_t nodes);
void analysis_clear(struct analysis *analysis);

/* Returns the position to search next, with the task in *task, limited by nodes; -1 if
 * there is none. */
int analysis_next(const struct analysis *analysis, struct search_task *task) MUST_USE;
/* Stores the result of a whole search of that position. */
void analysis_take(struct analysis *analysis, int place,
                   const struct search_report *report, uint64_t nodes);
/* Red's chance of winning, by the score of a search in which side was to move. */
double analysis_chance(const struct ruleset *rules, enum side side,
                       const struct search_report *report);
/* How many positions have been searched as long as each of them should be. */
int analysis_done(const struct analysis *analysis);

/* --- Judgement --- */

enum analysis_mark {
    ANALYSIS_UNMARKED,
    ANALYSIS_DOUBTFUL, /* ?! loses 10 % */
    ANALYSIS_MISTAKE,  /* ?  20 % */
    ANALYSIS_BLUNDER   /* ?? 30 % */
};
/* "", "?!", "?", "??". */
const char *analysis_mark_text(enum analysis_mark mark);

struct analysis_move {
    enum side side;
    struct move move;
    enum analysis_mark mark;
    double before, after; /* Red's chances, 0 to 1 */
    double lost;          /* the mover's, 0 to 1 */
    double points_lost;
    int missed_plies; /* the mover overlooked a win in this many plies; 0: none */
    bool has_better;  /* line begins with another move than the one that was played */
    int line_plies;
    const struct move *line; /* the best play instead; borrowed */
};

/* The chance of side, given Red's. */
double analysis_chance_of(enum side side, double red_chance);

/* Judges ply number ply, from 1. Returns false if the positions around it have not been
 * searched. */
bool analysis_judge(const struct analysis *analysis, int ply,
                    struct analysis_move *out) MUST_USE;

/* The figures of one player; moves 0: nothing is known. */
struct analysis_player {
    int moves;
    double points_lost; /* a move, on average */
    double accuracy;    /* 0 to 100 */
};
struct analysis_player analysis_player(const struct analysis *analysis, enum side side);

#endif
