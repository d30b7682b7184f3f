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

/* Finds the first puzzle after that ply: the played move lost 20 % of the chances or a win
 * in at most 5 plies, and so would every other move but the solution. Searches each of
 * them for a moment, which takes a second or two for a puzzle. Returns false if there is
 * none. */
bool puzzle_find(const struct analysis *analysis, int after_ply,
                 struct puzzle *out) MUST_USE;

#endif
