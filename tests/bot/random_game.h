/* Random legal games made in advance, so that playing them costs little and their
 * length is known. */
#ifndef TESTS_BOT_RANDOM_GAME_H
#define TESTS_BOT_RANDOM_GAME_H

#include <stdint.h>

#include "common/game/board.h"
#include "common/game/move.h"
#include "common/game/position.h"

struct random_game {
    enum lineup lineup[SIDES];
    int plies;
    struct move *move;
    char (*text)[MOVE_BYTES];
};

/* A game of exactly that many plies, after which it could continue. The same seed makes
 * the same game. Captures are kept rare, so that the rules do not end it early. */
void random_game_init(struct random_game *book, uint64_t seed, int plies);
void random_game_clear(struct random_game *book);

#endif
