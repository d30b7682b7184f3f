/* How the pieces move. The functions return the points that a piece reaches, if the
 * other pieces stand on the given points (RULES.md section P; "The piece movement
 * rules" 1-8 of Martin's text). The functions do not distinguish own and enemy pieces,
 * so a result also contains points with own pieces. The caller removes these points.
 * Pure: the tables are constants, computed before main(). */
#ifndef COMMON_GAME_REACH_H
#define COMMON_GAME_REACH_H

#include <stdbool.h>

#include "common/game/points.h"
#include "common/game/position.h"

/* The pieces on the board, as far as they limit how another piece moves. */
struct crowd {
    struct points taken;   /* every piece */
    struct points cannons; /* all cannons; a cannon may neither jump nor take one */
};

/* Returns the points that have a piece. */
static inline struct points position_taken(const struct position *position)
{
    return points_or(position->of_side[SIDE_RED], position->of_side[SIDE_BLUE]);
}

struct points reach_rook(int from, struct points taken);         /* P1 */
struct points reach_knight(int from, struct points taken);       /* P2 */
struct points reach_bishop(int from, struct points taken);       /* P3 */
struct points reach_king(int from);                              /* P4, guards too */
struct points reach_cannon(int from, const struct crowd *crowd); /* P5 */
struct points reach_pawn(int from, enum side side);              /* P6 */

/* Returns the points that a piece of any kind reaches. A cannon can never take a
 * cannon. So for a cannon, the result does not contain the points of other cannons. */
struct points reach_of(enum kind kind, enum side side, int from,
                       const struct crowd *crowd);

/* Returns the rooks, knights, bishops, cannons and pawns in `attackers` that could move
 * onto `point` if an enemy piece stood there. Guards and kings are left out, because
 * they never reach the enemy king (C1). All `attackers` belong to `side`. kinds[k]
 * contains all pieces of kind k; the function uses it to find the kind of each
 * attacker. */
struct points reach_attackers(int point, enum side side, struct points attackers,
                              const struct points kinds[KINDS],
                              const struct crowd *crowd);

/* Returns the points on the paths of `attackers` to `point`. If a piece is added or
 * removed on one of these points, an attack on `point` can begin or end. A move of the
 * defending side from and to other points cannot begin an attack on `point`. Such a
 * move can end an attack only if it takes the attacker. The set may contain too many
 * points, but never too few. */
struct points reach_watch(int point, struct points attackers,
                          const struct points kinds[KINDS]);

/* True when kings on a and b face each other: on one file with no piece between them
 * (C4). */
bool reach_are_bare(int a, int b, struct points taken);

/* --- Lines and legs, to explain a move --- */

/* True when a and b lie on one straight painted line: a file, a row, or a diagonal of a
 * fortress (G4). *between gets the points between them. */
bool reach_is_line(int a, int b, struct points *between);

/* A knight or a bishop passes one or two points when it moves from `from` to `to`.
 * Writes these points to legs, in the order of the move. Returns the number of these
 * points; 0 if a piece of this kind does not move like that. */
int reach_legs(enum kind kind, int from, int to, int legs[2]);

#endif
