/* The computer as a player of one game: which task its search gets, and what it thinks
 * of offers. Whoever plays it here or over a wire asks this; the search itself runs in
 * a thinker. Pure. */
#ifndef CLIENT_ENGINE_COMPUTER_H
#define CLIENT_ENGINE_COMPUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/engine/search.h"
#include "common/game/event.h"
#include "common/game/game.h"

enum { COMPUTER_TABLE_MB = 32, COMPUTER_LEVEL_USUAL = 5 };

/* "computer-5"; the level of such a name, 0 for the name of anybody else. */
void computer_name(char out[EVENT_NAME_BYTES], int level);
int computer_level_of(const char *name);

/* The task of the side to move: by its clock at now_ms, or for a second or two in an
 * untimed game. */
void computer_take_game(struct search_task *task, const struct game *game, int level,
                        uint64_t seed, int64_t now_ms);

/* The line-up of side: any, by seed. */
enum lineup computer_lineup(uint64_t seed);

/* Whether it agrees to a draw, when report is what it last thought of its position. */
bool computer_takes_draw(const struct game *game, const struct search_report *report);

#endif
