/* Finds puzzles in a game that was analysed: positions in which one move was far better
 * than all others, but another move was played. */
#ifndef CLIENT_ANALYSE_PUZZLE_H
#define CLIENT_ANALYSE_PUZZLE_H

#include "client/analyse/analysis.h"

struct puzzle {
    int ply; /* number of the ply in which the wrong move was played, counted from 1; 0:
              * there is no puzzle */
    enum side side;
    struct move solution, played;
};

/* A hunt looks for puzzles in a game, from its beginning. A ply is a puzzle if both of
 * these conditions are true:
 *   1. The played move lowered the mover's winning chance by at least 20 percentage
 *      points, or the move missed a win that analysis_judge() reports.
 *   2. Every legal move except the best move (the solution) would have lowered the
 *      mover's winning chance by at least 20 percentage points.
 * So the player had only one right move and did not play it. The opponent need not have
 * made a mistake before. */
struct puzzle_hunt;
enum puzzle_step {
    PUZZLE_GOES_ON,
    PUZZLE_FOUND,
    PUZZLE_END /* the whole game has been searched */
};

/* Begins a hunt, which the caller owns. Borrows `analysis`. */
struct puzzle_hunt *puzzle_hunt_new(const struct analysis *analysis) MUST_USE;
/* Frees the hunt. `hunt` may be NULL. */
void puzzle_hunt_free(struct puzzle_hunt *hunt);

/* Does the next part of the hunt, which takes some milliseconds. Writes *out if the
 * result is PUZZLE_FOUND. */
enum puzzle_step puzzle_hunt_step(struct puzzle_hunt *hunt,
                                  struct puzzle *out) MUST_USE;

#endif
