/* The terms of the game in the reader's language: sides, pieces, roles and results. Files and
 * the protocol use words that never change: side_name(), kind_name(), outcome_name()
 * and reason_name() of common/game. Pure. */
#ifndef COMMON_WORDS_TERM_H
#define COMMON_WORDS_TERM_H

#include "common/game/move.h"
#include "common/game/rules.h"
#include "common/game/side.h"

/* All functions below return borrowed text, valid until the language changes. */

/* Returns "red", "blue" or "none". */
const char *term_side(enum side side);
/* Like term_side(), with a capital: "Red", "Blue", "Nobody". */
const char *term_side_title(enum side side);
/* Returns "rook" ... "pawn"; "" for KIND_NONE. */
const char *term_kind(enum kind kind);
/* Like term_kind(), for a piece of `side`: Korean has two words for the pawn. */
const char *term_piece(enum kind kind, enum side side);
/* Returns the name of a role, such as "moderator"; an unknown role as it is. */
const char *term_role(const char *role);
/* Writes "B0-C2", or the word for a pass, to out, and returns out. */
enum { TERM_MOVE_BYTES = 32 };
const char *term_move(char out[TERM_MOVE_BYTES], struct move move);
/* Return "red", "blue", "draw" or "none"; "checkmate", "naked_check" ... */
const char *term_outcome(enum outcome outcome);
const char *term_reason(enum reason reason);

#endif
