/* See verb.h. The functions that the verbs share: refusals, finding the game that is
 * meant, answers. */
#include "client/verb/verb.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool verb_take_game(struct verb_call *call, int64_t *id)
{
    const struct model_game *game;

    if (args_has(&call->args, ARG_GAME)) {
        *id = call->args.number[ARG_GAME];
        return true;
    }
    game = verb_game(call);
    if (game != NULL)
        *id = game->id;
    return game != NULL;
}

void verb_send(struct verb_call *call)
{
    const struct arg *arg = call->verb->args;

    call->action->kind = ACTION_SEND;
    text_add(&call->line, call->verb->name);
    for (int i = 0; i < ARGS_MAX && arg[i].kind != ARG_NONE; i++)
        if (arg[i].kind == ARG_TERMS)
            text_add(&call->line, call->args.terms);
        else if (args_has(&call->args, arg[i].kind))
            text_addf(&call->line, " %s", call->args.text[arg[i].kind]);
}

void verb_send_for_game(struct verb_call *call)
{
    struct model_game *game = verb_our_game(call);

    if (game == NULL)
        return;
    call->action->kind = ACTION_SEND;
    call->action->game = game;
    text_addf(&call->line, "%s %lld", call->verb->name, (long long)game->id);
}

void verb_ask_first(struct verb_call *call, const char *question)
{
    if (call->action->kind != ACTION_SEND || call->action->is_certain)
        return;
    if (call->action->game->game.phase == GAME_OVER)
        return; /* the server will refuse the command and say why */
    call->action->kind = ACTION_ASK;
    text_addf(&call->words, question, (long long)call->action->game->id);
}

/* --- Answers --- */

void verb_answer_nothing(struct text *out, const struct verb_answer *answer)
{
    (void)out;
    (void)answer;
}

void verb_answer_human(struct text *out, const struct verb_answer *answer)
{
    text_add(out, answer->line->human);
}

void verb_answer_offer(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    const struct model_game *game =
        model_find(answer->model, proto_line_number(line, "game", -1));
    const char *offer = proto_line_value(line, "offer");
    int64_t to = model_number(line, "to", 0, MODEL_COUNT_MAX, -1);

    if (offer == NULL) {
        verb_answer_human(out, answer);
        return;
    }
    text_addf(out, _(words_offer(line->word[0]).asked),
              game != NULL && game->side != SIDE_NONE
                  ? game->game.name[side_other(game->side)]
                  : _("your opponent"));
    if (to == 0)
        text_add(out, _(" to the start"));
    else if (to > 0)
        text_addf(out, _(" to ply %lld"), (long long)to);
    text_addf(out, _(" (offer %s)"), offer);
}

const char *verb_terms(char out[VERB_TERMS_BYTES], const struct proto_line *line)
{
    const char *side = words_value(line, "side", "any");
    struct text text = text_into(out, VERB_TERMS_BYTES);
    char manners[WORDS_MANNERS_BYTES];

    if (proto_line_value(line, "time") == NULL)
        return out;
    text_addf(&text, " (%s, %s", words_time_terms(line),
              words_value(line, "rules", "?"));
    if (strcmp(side, "any") != 0)
        text_addf(&text, _(", you play %s"), words_side(side));
    text_addf(&text, "%s)", words_manners(manners, line));
    return out;
}

void verb_follow_game(const struct verb_answer *answer, int64_t id)
{
    struct model *model = answer->model;
    struct model_game *game = model_get(model, id);

    (void)model_follow(game, answer->line, answer->now_ms);
    if (model->current == NULL || !model_is_playing(model->current))
        model->current = game;
}

bool verb_take_closed(const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    bool is_gone = line->mark == PROTO_OK ||
                   (line->words > 0 && strcmp(line->word[0], "no-such") == 0);
    int64_t id;

    if (is_gone && text_to_int(answer->about, 1, INT64_MAX, &id))
        model_close_offer(answer->model, id);
    return true;
}

void verb_make_link(struct verb_link *link, const struct verb_answer *answer)
{
    const struct verb_server *server = answer->server;

    link->reach = link_outside(&link->to, server->to, server->is_loopback,
                               proto_line_value(answer->line, "public"),
                               proto_line_value(answer->line, "addresses"));
    link_format_pasted(link->where, &link->to);
    tls_key_format(link->key, server->key);
}

void verb_add_web_link(struct text *out, const struct verb_answer *answer,
                       const char *word, const char *code)
{
    const char *origin = proto_line_value(answer->line, "web");

    if (origin != NULL && strncmp(origin, "https://", 8) == 0)
        text_addf(out, _("In a browser, with nothing to install:\n  %s/%s#%s\n"),
                  origin, word, code);
}

const char *verb_take_code(struct verb_link *link, const struct verb_answer *answer,
                           struct text *out)
{
    const char *code = proto_line_value(answer->line, "code");

    if (code == NULL || answer->server == NULL) {
        verb_answer_human(out, answer);
        return NULL;
    }
    verb_make_link(link, answer);
    return code;
}
