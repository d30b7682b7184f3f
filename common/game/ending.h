/* Which end a position is by itself, without asking whether a move is left: for
 * counting lines of play. The whole of endings is rules_ending() in rules.h. Pure. */
#ifndef COMMON_GAME_ENDING_H
#define COMMON_GAME_ENDING_H

#include <stdbool.h>

#include "common/game/rules.h"

/* both_forfeited, double_pass or bikjang, where the ruleset has it, or REASON_NONE. */
enum reason ending_at_once(const struct ruleset *rules, const struct position *position,
                           bool was_bare);

#endif
