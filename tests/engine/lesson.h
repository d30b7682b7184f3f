/* What the engine learns from: a position of a game that it played against itself, as
 * selfplay writes it and train reads it, on the same machine. */
#ifndef TESTS_ENGINE_LESSON_H
#define TESTS_ENGINE_LESSON_H

#include <stdint.h>

#include "common/game/side.h"

struct lesson {
    uint8_t at[BOARD_POINTS]; /* as in struct position */
    uint8_t side;             /* to move */
    uint8_t rules;            /* 0 kja, 1 martin */
    uint16_t quiet;           /* plies since the last capture */
    uint16_t ply;             /* of the game */
    int16_t score;            /* of a short search, for the side to move */
    int8_t result;            /* of the game: 1 red, -1 blue, 0 a draw */
    uint8_t unused;
};

#endif
