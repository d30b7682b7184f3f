/* See attention.h. The bell and the title contain only our own words, never text of the
 * server or of a player. */
#include "client/play/attention.h"

#include "client/console/edit.h"
#include "client/console/title.h"
#include "client/view/render.h"
#include "common/base/text.h"
#include "common/base/translate.h"

void attention_ring(struct talk *talk)
{
    if (console_is_screen(talk->console) && talk->prefs->has_bell)
        edit_bell(console_edit(talk->console));
}

/* --- Little time --- */

/* Rings when less than RENDER_LOW_MS is left. After that, does not ring again until the
 * player has at least 2 * RENDER_LOW_MS. Otherwise the bell would ring at every move in
 * a short byoyomi. */
static void look_at_clock(struct talk *talk, struct model_game *game, int64_t now_ms)
{
    int64_t left_ms = clock_shown_ms(&game->clock, game->side, now_ms, &(int){0});

    if (left_ms >= 2 * RENDER_LOW_MS)
        game->is_low = false;
    if (game->is_low || left_ms >= RENDER_LOW_MS || left_ms < 0)
        return;
    game->is_low = true;
    attention_ring(talk);
}

void attention_look_at_clocks(struct talk *talk, int64_t now_ms)
{
    for (struct model_game *game = talk->model.games; game != NULL; game = game->next)
        if (model_is_playing(game) && game->clock.running == game->side &&
            !model_is_slow(game))
            look_at_clock(talk, game, now_ms);
}

/* --- The title --- */

static const struct model_game *find_turn(const struct model *model)
{
    if (model->current != NULL && model_is_our_turn(model->current))
        return model->current;
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        if (model_is_our_turn(game))
            return game;
    return NULL;
}

static void add_words(struct text *out, const struct talk *talk)
{
    const struct model *model = &talk->model;
    const struct model_game *game = find_turn(model);

    if (!visit_is_ready(talk->visit))
        text_add(out, _("no connection"));
    else if (game != NULL && game->game.phase == GAME_SETUP)
        text_addf(out, _("your line-up, game %lld"), (long long)game->id);
    else if (game != NULL)
        text_addf(out, _("your move, game %lld"), (long long)game->id);
    else if (model->challenges.count > 0)
        text_add(out, _("a challenge"));
    else if (model->current != NULL && model_is_playing(model->current))
        text_addf(out, _("game %lld"), (long long)model->current->id);
    else if (model->current != NULL && !model->current->is_ours)
        text_addf(out, _("watching game %lld"), (long long)model->current->id);
    else
        text_add(out, _("the lobby"));
}

void attention_title(struct talk *talk)
{
    char words[TITLE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!talk->prefs->has_title || !visit_was_ready(talk->visit)) {
        edit_title(console_edit(talk->console), "");
        return;
    }
    text_add(&text, "janggi: ");
    add_words(&text, talk);
    edit_title(console_edit(talk->console), words);
}
