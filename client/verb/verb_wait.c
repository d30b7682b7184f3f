/* Verbs for a game that is interrupted (claim, adjourn, continue) and for its record
 * (record, save). */
#include <strings.h>

#include "client/verb/verb.h"
#include "common/base/translate.h"

/* --- adjourn, continue --- */

const struct verb verb_adjourn = {
    .name = "adjourn",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help =
        N_("ask to stop the game and its clocks until both players type \"continue\""),
    .more =
        N_("adjourn     needs no agreement when your opponent has been away too long\n"
           "A game of an evening cannot be adjourned."),
    .see = "continue, claim, abort",
    .run = verb_send_for_game,
    .answer = verb_answer_offer,
};

static void continue_run(struct verb_call *call)
{
    verb_send_for_game(call);
    if (call->action->kind == ACTION_SEND && !call->action->game->game.is_adjourned)
        verb_refuse(call, _("Game %lld is not adjourned."),
                    (long long)call->action->game->id);
}

const struct verb verb_continue = {
    .name = "continue",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("ask to continue an adjourned game, or agree to it"),
    .more = "continue\n"
            "continue 17",
    .see = "adjourn, games",
    .run = continue_run,
    .answer = verb_answer_offer,
};

/* --- claim --- */

/* Returns true if the server would refuse the claim: the opponent is present, or has
 * not been absent long enough. */
static bool is_in_vain(const struct model_game *game, int64_t now_ms)
{
    int64_t left_ms;

    return !game->is_away[side_other(game->side)] ||
           (model_claim_left(game, now_ms, &left_ms) && left_ms > 0);
}

static void claim_run(struct verb_call *call)
{
    bool is_win = strcasecmp(call->args.text[ARG_CHOICE], "win") == 0;

    verb_send_for_game(call);
    if (call->action->kind != ACTION_SEND)
        return;
    text_add(&call->line, is_win ? " win" : " draw");
    /* Do not ask about a claim that the server will refuse. */
    if (!is_in_vain(call->action->game, call->view->now_ms))
        verb_ask_first(
            call, is_win
                      ? _("Claim the win of game %lld, because your opponent is away?")
                      : _("Claim a draw in game %lld?"));
}

const struct verb verb_claim = {
    .name = "claim",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_CHOICE, .label = "win|draw"},
             {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .may_be_certain = true,
    .help =
        N_("end a game because your opponent has been away too long; asks you first"),
    .more =
        N_("claim win     only while your opponent is away; you may also wait longer\n"
           "claim draw    also in an adjourned game, after many days"),
    .see = "adjourn, abort",
    .run = claim_run,
    .answer = verb_answer_nothing,
};

/* --- record, save --- */

/* Returns the typed number of a game; the model need not have this game. If no number
 * was typed, returns the number of the current game. Returns -1 after a refusal. */
static int64_t take_number(struct verb_call *call)
{
    if (args_has(&call->args, ARG_GAME))
        return call->args.number[ARG_GAME];
    if (call->model->current != NULL)
        return call->model->current->id;
    verb_refuse(call,
                _("Of which game? Type \"%s NUMBER\" (\"history\" lists your games)."),
                call->verb->name);
    return -1;
}

static void record_run(struct verb_call *call)
{
    int64_t id = take_number(call);

    if (id < 0)
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "record %lld", (long long)id);
}

const struct verb verb_record = {
    .name = "record",
    .group = VERB_FIND,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("show the signed record of a game that has ended"),
    .more = "record 17",
    .see = "save, history, moves",
    .run = record_run,
    .use = VERB_LOOKS,
};

static void save_run(struct verb_call *call)
{
    int64_t id = take_number(call);

    if (id < 0)
        return;
    call->action->kind = ACTION_SAVE;
    call->action->number = id;
    if (args_has(&call->args, ARG_FILE))
        text_add(&call->words, call->args.text[ARG_FILE]);
}

const struct verb verb_save = {
    .name = "save",
    .group = VERB_PLAY,
    .shown = N_("save [FILE]"),
    .brief = N_("keep the game"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL},
             {.kind = ARG_FILE, .need = ARG_OPTIONAL}},
    .help = N_("keep a game in a file, for \"janggi replay\" and \"janggi convert\""),
    .more =
        N_("save            the current game, as game-NUMBER.record in this directory\n"
           "save 17 a.record"),
    .see = "record, history",
    .run = save_run,
};
