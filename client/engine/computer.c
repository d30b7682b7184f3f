/* See computer.h. */
#include "client/engine/computer.h"

#include <stdio.h>
#include <string.h>

#include "client/engine/timeman.h"
#include "common/base/text.h"

static const char name_begin[] = "computer-";

void computer_name(char out[EVENT_NAME_BYTES], int level)
{
    snprintf(out, EVENT_NAME_BYTES, "%s%d", name_begin, level);
}

int computer_level_of(const char *name)
{
    int level;

    return strncmp(name, name_begin, sizeof name_begin - 1) == 0 &&
                   text_to_int32(name + sizeof name_begin - 1, 1, SEARCH_LEVEL_MAX,
                                 &level)
               ? level
               : 0;
}

/* The limits for a move without a clock. The search completes the iteration that runs
 * at the soft limit, so a move takes about 2.5 seconds. */
enum { UNTIMED_SOFT_MS = 2000, UNTIMED_HARD_MS = 3000 };

void computer_take_game(struct search_task *task, const struct game *game, int level,
                        uint64_t seed, int64_t now_ms)
{
    struct timeman_clock clock;

    search_take_game(task, game);
    task->level = level;
    task->seed = seed;
    if (timeman_read_clock(&game->clock, (enum side)game->position.side, now_ms,
                           &clock)) {
        timeman_allot(&task->limits, &clock);
    } else {
        task->limits.soft_ms = UNTIMED_SOFT_MS;
        task->limits.hard_ms = UNTIMED_HARD_MS;
    }
}

enum lineup computer_lineup(uint64_t seed)
{
    return (enum lineup)((seed * UINT64_C(0x9e3779b97f4a7c15) >> 33) % LINEUPS);
}

/* The computer accepts a draw only after the opening, and only while it is behind by
 * more than a point. */
enum { DRAW_PLIES = 30, DRAW_SCORE = -100 };

bool computer_takes_draw(const struct game *game, const struct search_report *report)
{
    return game->plies >= DRAW_PLIES && report->has_move && report->score < DRAW_SCORE;
}
