/* How the pieces move: where a piece on a point gets to over given other pieces
 * (RULES.md section P, seed 001 "The piece movement rules" 1-8). Own and enemy pieces
 * are alike here, so an answer holds the points of both that are met; whoever asks
 * takes away the own side's. Pure: the tables behind it are constants, made before
 * main(). */
#ifndef COMMON_GAME_REACH_H
#define COMMON_GAME_REACH_H

#include <stdbool.h>

#include "common/game/board.h"
#include "common/game/points.h"

/* What stands in the way, and what a cannon may neither jump nor take. */
struct crowd {
    struct points taken;   /* every piece */
    struct points cannons; /* the cannons among them, of both sides */
};

struct points reach_rook(int from, struct points taken);         /* P1 */
struct points reach_knight(int from, struct points taken);       /* P2 */
struct points reach_bishop(int from, struct points taken);       /* P3 */
struct points reach_king(int from);                              /* P4, guard too */
struct points reach_cannon(int from, const struct crowd *crowd); /* P5 */
struct points reach_pawn(int from, enum side side);              /* P6 */

/* Any piece of side. What a cannon can never take is left out. */
struct points reach_of(enum kind kind, enum side side, int from,
                       const struct crowd *crowd);

/* Those of attackers, men of one side, that could move onto point if an enemy stood
 * there: rooks, knights, bishops, cannons and pawns, for guards and kings never meet
 * their enemies' kings (C1). kinds are sets by kind; a man counts as what they say. */
struct points reach_attackers(int point, enum side side, struct points attackers,
                              const struct points kinds[KINDS],
                              const struct crowd *crowd);

/* The points on which a piece put down, or left, might open or shut the way of one of
 * attackers to point. A move that touches none of them changes no attack on point but
 * by taking the attacker itself. May name a few too many, never one too few. */
struct points reach_watch(int point, struct points attackers,
                          const struct points kinds[KINDS]);

/* Kings on a and b face each other: on one file with no piece between (C4). */
bool reach_are_bare(int a, int b, struct points taken);

/* --- Lines and legs, to explain a move --- */

/* True when a and b lie on one straight painted line: a file, a row, or a diagonal of a
 * fortress (G4). *between gets the points that lie between them. */
bool reach_is_line(int a, int b, struct points *between);

/* The one or two points that a knight's or bishop's move from - to passes, first first;
 * their number, 0 when that is not such a move. */
int reach_legs(enum kind kind, int from, int to, int legs[2]);

#endif
