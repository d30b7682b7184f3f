/* A lesson is a position of a game that the engine played against itself. selfplay
 * writes lessons and train reads them, on the same machine. */
#ifndef TESTS_ENGINE_LESSON_H
#define TESTS_ENGINE_LESSON_H

#include <stdint.h>

#include "common/game/side.h"

struct lesson {
    uint8_t at[BOARD_POINTS]; /* as in struct position */
    uint8_t side;             /* the side to move */
    uint8_t rules;            /* 0 kja, 1 martin */
    uint16_t quiet;           /* plies since the last capture */
    uint16_t ply;             /* plies of the game before this position */
    int16_t score;            /* score by a short search, for the side to move */
    int8_t result;            /* result of the game: 1 Red won, -1 Blue won, 0 draw */
    uint8_t unused;
};

#endif
