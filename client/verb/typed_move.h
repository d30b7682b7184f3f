/* Parses a move in the forms that people type: Martin's coordinates, a piece and its
 * target, the notation of Game Courier, or the digits of Korean records. The position
 * decides which notation is meant; if two interpretations are possible, the move is
 * refused as ambiguous. Pure. */
#ifndef CLIENT_VERB_TYPED_MOVE_H
#define CLIENT_VERB_TYPED_MOVE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/move.h"
#include "common/game/rules.h"
#include "common/game/side.h"

enum { TYPED_MOVE_WHY_BYTES = 240 };

struct typed_move {
    bool is_clear; /* false: the text can mean several moves, or no move in this
                    * position; `why` tells the player what is wrong */
    struct move move;
    enum kind claimed; /* the kind of piece that the player named; KIND_NONE: the player
                        * named no piece */
    char why[TYPED_MOVE_WHY_BYTES];
};

/* The board that a typed move refers to. */
struct typed_board {
    const struct ruleset *rules;
    const struct position *position; /* NULL: unknown */
};

/* Parses `text`. Returns false if it is not a move in any of these notations. Spaces
 * around it do not matter.
 *
 *   b0c2, B0-C2, b0 c2, nB0-C2, N b0-c2, pass
 *   Nc2                  the only knight that can go to C2
 *   horse b0c2, 마 c2    a name that names_find_kind() knows, in place of the letter
 *   N b1-c3, b10-c8      Game Courier: rows from 1 to 10; letters R N E F G C P
 *   7978, 79-78, 79졸78, 한수쉼    Korean records */
bool typed_move_read(const char *text, const struct typed_board *board,
                     struct typed_move *out) MUST_USE;

#endif
