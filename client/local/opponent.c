/* See opponent.h. */
#include "client/local/opponent.h"

#include "client/engine/computer.h"
#include "common/base/log.h"
#include "common/base/mono.h"

static void on_done(void *owner, const struct search_report *report)
{
    struct opponent *opponent = owner;
    enum opponent_thought thought = opponent->thought;

    opponent->thought = OPPONENT_IDLE;
    if (thought == OPPONENT_MOVE) {
        opponent->last = *report;
        opponent->calls->on_move(opponent->owner, report);
    } else if (thought == OPPONENT_HINT) {
        opponent->calls->on_hint(opponent->owner, report);
    }
}

void opponent_init(struct opponent *opponent, struct event_base *base, uint64_t seed,
                   const struct opponent_calls *calls, void *owner)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_done};

    *opponent = (struct opponent){.calls = calls, .owner = owner, .seed = seed};
    opponent->thinker = thinker_new(base, COMPUTER_TABLE_MB, &thinker_calls, opponent);
    if (opponent->thinker == NULL)
        log_die("opponent: no thinker");
}

void opponent_clear(struct opponent *opponent)
{
    thinker_free(opponent->thinker);
    opponent->thinker = NULL;
}

static uint64_t next_seed(struct opponent *opponent)
{
    opponent->seed = opponent->seed * UINT64_C(6364136223846793005) + 1;
    return opponent->seed;
}

enum lineup opponent_lineup(struct opponent *opponent)
{
    return computer_lineup(next_seed(opponent));
}

static void start(struct opponent *opponent, enum opponent_thought thought,
                  const struct game *game, int level)
{
    struct search_task task;

    opponent_stop(opponent);
    computer_take_game(&task, game, level, next_seed(opponent), mono_now_ms());
    thinker_start(opponent->thinker, &task);
    opponent->thought = thought;
}

void opponent_ask_move(struct opponent *opponent, const struct game *game, int level)
{
    start(opponent, OPPONENT_MOVE, game, level);
}

void opponent_ask_hint(struct opponent *opponent, const struct game *game)
{
    start(opponent, OPPONENT_HINT, game, SEARCH_LEVEL_MAX);
}

void opponent_stop(struct opponent *opponent)
{
    thinker_cancel(opponent->thinker);
    opponent->thought = OPPONENT_IDLE;
}

void opponent_forget(struct opponent *opponent)
{
    opponent_stop(opponent);
    thinker_forget(opponent->thinker);
    opponent->last = (struct search_report){.has_move = false};
}

bool opponent_takes_draw(const struct opponent *opponent, const struct game *game)
{
    return computer_takes_draw(game, &opponent->last);
}
