/* Makes sentences in the reader's language from the values that the rules core returns:
 * why a move or a position is refused, which move was made, how a game ended, what a
 * ruleset is. Pure: writes into a buffer. */
#ifndef COMMON_WORDS_SENTENCE_H
#define COMMON_WORDS_SENTENCE_H

#include "common/game/rules.h"

struct game_last;

enum { SENTENCE_BYTES = 240 };

/* Writes why a move is refused: "the bishop on C0 blocks the knight's step". */
void sentence_fault(char out[SENTENCE_BYTES], struct fault fault);
/* Does the same for a person who moves the pieces of both sides: does not say that a
 * piece is "not yours", but whose turn it is. */
void sentence_fault_of_both(char out[SENTENCE_BYTES], struct fault fault);

/* Writes why a text is not a position: "row 7 has 8 points, not 9". */
void sentence_position(char out[SENTENCE_BYTES], const struct position_fault *fault);

/* Writes which move was made: "Red knight B0 to C2.", "Blue rook A9 takes pawn A3.",
 * "Red passes." */
void sentence_move(char out[SENTENCE_BYTES], const struct game_last *last);

/* Writes how a game ended: "Red wins by checkmate." */
void sentence_outcome(char out[SENTENCE_BYTES], enum outcome outcome,
                      enum reason reason);

/* Returns one line that describes the ruleset. The text is borrowed, and valid until
 * the language changes. */
const char *sentence_ruleset(const struct ruleset *rules);

#endif
