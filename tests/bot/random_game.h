/* Random legal games that are made in advance, so that playing them costs little and
 * their length is known. */
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

/* Makes a game of exactly `plies` plies. The game is not over after the last ply. The
 * same seed makes the same game. Captures are kept rare, so that the rules do not end
 * the game early. */
void random_game_init(struct random_game *book, uint64_t seed, int plies);
void random_game_clear(struct random_game *book);

#endif
