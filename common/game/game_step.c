/* See game_step.h. */
#include "common/game/game_step.h"

bool game_is_due(const struct game *game)
{
    return game->due_reason != REASON_NONE;
}

/* Whether side gave check with each of its plies from number first on, the last of them
 * being the one of step. step->after has the next side to move. */
static bool checked_always(const struct game *game, const struct game_step *step,
                           int first, enum side side)
{
    bool is_last_mover = side != (enum side)step->after.side;

    if (is_last_mover && !step->gave_check)
        return false;
    for (int i = is_last_mover ? game->plies - 2 : game->plies - 1; i >= first; i -= 2)
        if (!game->ply[i].gave_check)
            return false;
    return true;
}

/* What the rules need to know of the past at step->after, which game->plies + 1 plies
 * have led to. A capture never comes back, so only the plies since the last one count,
 * and of them every other, in which the same side was to move. */
static struct history_view history_of(const struct game *game,
                                      const struct game_step *step)
{
    struct history_view history = {.was_bare = rules_kings_are_bare(&game->position),
                                   .occurrences = 1,
                                   .perpetual = SIDE_NONE};
    int first = game->plies + 1;
    bool red, blue;

    for (int back = 2; back <= game->plies + 1 && back <= (int)step->after.quiet;
         back += 2)
        if (game->ply[game->plies + 1 - back].undo.key == step->after.key) {
            first = game->plies + 1 - back;
            history.occurrences++;
        }
    if (history.occurrences > 1) {
        red = checked_always(game, step, first, SIDE_RED);
        blue = checked_always(game, step, first, SIDE_BLUE);
        if (red != blue)
            history.perpetual = red ? SIDE_RED : SIDE_BLUE;
    }
    return history;
}

void game_look_ahead(const struct game *game, struct move move, struct game_step *step)
{
    struct history_view history;
    enum check check;

    step->after = game->position;
    rules_make(game->rules, &step->after, move, &step->undo);
    check = rules_check(&step->after);
    step->gave_check = check == CHECK_PIECE || check == CHECK_BOTH;
    history = history_of(game, step);
    step->reason = rules_ending(game->rules, &step->after, &history, &step->outcome);
}
