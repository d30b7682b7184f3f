/* The computer as a player: makes the search task of a game and decides on draw offers.
 * Used in local games and by the bot; a thinker runs the search. Pure. */
#ifndef CLIENT_ENGINE_COMPUTER_H
#define CLIENT_ENGINE_COMPUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/search.h"
#include "common/game/event.h"
#include "common/game/game.h"

enum { COMPUTER_TABLE_MB = 32, COMPUTER_LEVEL_USUAL = 5 };

/* computer_name() writes the computer's name, such as "computer-5" for level 5.
 * computer_level_of() returns the level in such a name, or 0 for any other name. */
void computer_name(char out[EVENT_NAME_BYTES], int level);
int computer_level_of(const char *name);

/* Makes the search task for the side to move. Its time limit comes from that side's
 * clock at now_ms; in an untimed game it is two or three seconds. */
void computer_take_game(struct search_task *task, const struct game *game, int level,
                        uint64_t seed, int64_t now_ms);

/* Returns a random line-up; the same seed gives the same one. */
enum lineup computer_lineup(uint64_t seed);

/* Returns true if the computer accepts a draw. report: the result of its last
 * search. */
bool computer_takes_draw(const struct game *game, const struct search_report *report);

#endif
