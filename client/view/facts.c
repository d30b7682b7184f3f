/* See facts.h. */
#include "client/view/facts.h"

#include "common/game/rules.h"

void facts_format_move(char out[MOVE_BYTES], const struct game_last *last)
{
    move_format(out, last->move);
    if (last->taken != KIND_NONE)
        out[2] = 'x';
}

void facts_take_game(struct facts *out, const struct model_game *game, int64_t now_ms)
{
    const struct clock *clock = &game->clock;
    enum game_phase phase = game->game.phase;

    *out = (struct facts){.game = game, .check = CHECK_NONE};
    out->has_last = game_last(&game->game, &out->last);
    if (out->has_last)
        facts_format_move(out->move, &out->last);
    if (phase == GAME_PLAY || phase == GAME_OVER)
        out->check = rules_check(&game->game.position);
    out->turn = game_turn(&game->game);
    out->is_our_turn = model_is_our_turn(game);
    for (enum side side = SIDE_RED; side != SIDE_NONE; side++) {
        out->left_ms[side] = clock_shown_ms(clock, side, now_ms, &out->periods[side]);
        out->more_periods[side] = clock_more_periods(clock, side, now_ms);
    }
    out->is_timed = out->left_ms[SIDE_RED] >= 0 && out->left_ms[SIDE_BLUE] >= 0;
}

void facts_take_event(struct facts *out, const struct model_news *news, int64_t now_ms)
{
    facts_take_game(out, news->game, now_ms);
    out->event = &news->event;
}

bool facts_is_piece_check(const struct facts *facts)
{
    return facts->check == CHECK_PIECE || facts->check == CHECK_BOTH;
}

bool facts_is_bare_kings(const struct facts *facts)
{
    return facts->check == CHECK_KINGS || facts->check == CHECK_BOTH;
}
