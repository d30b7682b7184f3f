/* Puzzles from a game that was analysed: positions in which one move was far better than
 * all others, and another one was played. */
#ifndef CLIENT_ANALYSE_PUZZLE_H
#define CLIENT_ANALYSE_PUZZLE_H

#include "client/analyse/analysis.h"

struct puzzle {
    int ply; /* in which another move was played, from 1; 0: none */
    enum side side;
    struct move solution, played;
};

/* A hunt goes through a game from its beginning. A puzzle is a ply whose move lost 20 % of
 * the chances, or missed a win that analysis_judge() reports, where every other move but
 * the solution would have lost as much. Whether the move before was a mistake does not
 * matter: the player had one right answer, and did not find it. */
struct puzzle_hunt;
enum puzzle_step {
    PUZZLE_GOES_ON,
    PUZZLE_FOUND,
    PUZZLE_END /* of the game */
};

/* Borrows analysis. The caller owns the result. */
struct puzzle_hunt *puzzle_hunt_new(const struct analysis *analysis) MUST_USE;
/* Accepts NULL. */
void puzzle_hunt_free(struct puzzle_hunt *hunt);

/* Searches the position after one move, which takes some milliseconds. *out is written
 * when a puzzle is found. */
enum puzzle_step puzzle_hunt_step(struct puzzle_hunt *hunt,
                                  struct puzzle *out) MUST_USE;

#endif
