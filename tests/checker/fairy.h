/* Fairy-Stockfish as a second opinion: an independent engine, used over UCI through
 * pipes. Up to FAIRY_BATCH requests may be sent before their answers are read. An error
 * in the dialogue ends the program.
 *
 * The board of the engine is our board, turned by 180 degrees, with the colours
 * swapped. In the engine, White is at the bottom and moves first; White is our Blue
 * (RULES.md D5). The engine writes a guard as the letter "a". */
#ifndef TESTS_CHECKER_FAIRY_H
#define TESTS_CHECKER_FAIRY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game/rules.h"

struct fairy;

/* Maximum number of requests that wait for their answers at the same time. The text of
 * these requests fits into a pipe, so neither side blocks. */
enum { FAIRY_BATCH = 200 };

/* Starts the engine. variant: "janggi", "janggicasual" ... NULL, after printing why, if
 * the program is not installed. */
struct fairy *fairy_start(const char *variant);
void fairy_stop(struct fairy *fairy);

/* Request the legal moves, and read them in the engine's order. */
void fairy_ask_moves(struct fairy *fairy, const struct position *position);
void fairy_read_moves(struct fairy *fairy, struct move_list *out);

/* Request the points of the pieces that give check, and read them. */
void fairy_ask_checkers(struct fairy *fairy, const struct position *position);
struct points fairy_read_checkers(struct fairy *fairy);

/* Returns the number of sequences of `depth` moves. */
uint64_t fairy_perft(struct fairy *fairy, const struct position *position, int depth);

/* Positions and moves in the engine's notation. */
enum { FAIRY_FEN_BYTES = 128, FAIRY_MOVE_BYTES = 8 };
void fairy_fen(char out[FAIRY_FEN_BYTES], const struct position *position);
/* The engine writes a pass as a king that does not move, so the position is needed. */
void fairy_move(char out[FAIRY_MOVE_BYTES], const struct position *position,
                struct move move);

#endif
