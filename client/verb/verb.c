/* See verb.h. The functions that the verbs share: refusals, finding the game that is
 * meant, answers. */
#include "client/verb/verb.h"

#include <stdarg.h>
#include <stdio.h>

#include "client/view/words.h"
#include "common/base/translate.h"

void verb_refuse(struct verb_call *call, const char *format, ...)
{
    char words[2560];
    struct text text = text_into(call->action->words, sizeof call->action->words);
    va_list args;

    call->action->kind = ACTION_REFUSE;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    text_addf(&text, "%s\n", words);
}

bool verb_is_clear(struct verb_call *call, const struct typed_move *typed)
{
    if (!typed->is_clear)
        verb_refuse(call, _("%s Nothing was done."), typed->why);
    return typed->is_clear;
}

struct model_game *verb_game(struct verb_call *call)
{
    struct model_game *game = call->model->current;
    int64_t id = call->args.number[ARG_GAME];

    if (args_has(&call->args, ARG_GAME)) {
        game = model_find(call->model, id);
        if (game == NULL)
            verb_refuse(call,
                        _("You are not watching game %lld; \"watch %lld\" shows it."),
                        (long long)id, (long long)id);
    } else if (game == NULL) {
        verb_refuse(call, _("You have no game here. \"seek\" or \"games\" finds one."));
    }
    if (game != NULL && game->game.phase == GAME_EMPTY) {
        verb_refuse(call, _("The server has not sent anything about game %lld yet."),
                    (long long)game->id);
        return NULL;
    }
    return game;
}

struct model_game *verb_our_game(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game != NULL && !game->is_ours) {
        verb_refuse(call, _("You only watch game %lld; its players make the moves."),
                    (long long)game->id);
        return NULL;
    }
    return game;
}
