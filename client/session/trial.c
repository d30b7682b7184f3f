/* See trial.h. The copy starts from the position after the line-ups; its clocks do not
 * run. */
#include "client/session/trial.h"

#include "common/base/text.h"
#include "common/game/event.h"

void trial_end(struct trial *trial)
{
    game_clear(&trial->board.game);
    *trial = (struct trial){.is_on = false};
}

/* Copies `game` with only its first `plies` plies. Returns false if they cannot be
 * replayed; the caller then ends the trial. */
static bool copy_game(struct trial *trial, const struct model_game *game, int plies)
{
    struct game *copy = &trial->board.game;
    struct event start = {.kind = EVENT_START,
                          .rules = game->game.rules,
                          .terms = game->game.clock.terms,
                          .has_position = true};

    trial_end(trial);
    game_init(copy);
    trial->board.id = game->id;
    trial->board.side = game->side;
    trial->board.is_turned = game->is_turned;
    trial->board.clock = game->clock;
    trial->events = game->next_event;
    trial->at = plies;
    if (game->game.phase < GAME_PLAY)
        return false;
    start.position = game_start(&game->game);
    for (int side = 0; side < SIDES; side++)
        text_copy(start.name[side], sizeof start.name[side], game->game.name[side]);
    if (!game_apply(copy, &start, 0))
        return false;
    for (int i = 0; i < plies; i++)
        if (game_play(copy, game->game.ply[i].move).code != FAULT_NONE)
            return false;
    return true;
}

bool trial_is_of(const struct trial *trial, const struct model_game *game)
{
    return trial->is_on && trial->board.id == game->id &&
           trial->events == game->next_event;
}

bool trial_move(struct trial *trial, const struct model_game *game, struct move move,
                struct fault *fault)
{
    if (!trial_is_of(trial, game) && !copy_game(trial, game, game->game.plies)) {
        trial_end(trial);
        *fault = (struct fault){.code = FAULT_NOT_STARTED, .at = POINT_NONE};
        return false;
    }
    *fault = game_play(&trial->board.game, move);
    trial->board.clock = game->clock;
    trial->is_on = trial->is_on || fault->code == FAULT_NONE;
    trial->tried += fault->code == FAULT_NONE;
    if (!trial->is_on)
        trial_end(trial);
    return fault->code == FAULT_NONE;
}

bool trial_replay(struct trial *trial, const struct model_game *game, int plies)
{
    struct clock *clock = &trial->board.clock;

    if (plies > game->game.plies || !copy_game(trial, game, plies)) {
        trial_end(trial);
        return false;
    }
    if (game->game.phase == GAME_OVER) {
        clock->running = SIDE_NONE;
        for (int side = 0; side < SIDES; side++) {
            clock->left[side] = model_left_before(game, plies, (enum side)side);
            clock->used_ms[side] = 0;
        }
    }
    trial->is_on = true;
    return true;
}
