/* Verbs of a game that waits or has been left: claim, adjourn, continue; and of what
 * remains of one: record, save. */
#include <string.h>

#include "client/verb/verb.h"
#include "common/base/translate.h"

/* --- adjourn, continue --- */

static void adjourn_run(struct verb_call *call)
{
    verb_send_for_game(call, "adjourn");
}

const struct verb verb_adjourn = {
    .name = "adjourn",
    .usage = N_("adjourn [GAME]"),
    .help = N_("ask to go on another day: clocks stand still until both continue"),
    .more = N_("adjourn     at once, when the other has been away too long"),
    .see = "continue, claim, abort",
    .takes = TAKES_GAME,
    .run = adjourn_run,
};

static void continue_run(struct verb_call *call)
{
    verb_send_for_game(call, "continue");
    if (call->deed->kind == DEED_SEND && !call->deed->game->game.is_adjourned)
        verb_refuse(call, _("Game %lld is not adjourned."),
                    (long long)call->deed->game->id);
}

const struct verb verb_continue = {
    .name = "continue",
    .usage = N_("continue [GAME]"),
    .help = N_("ask to take up an adjourned game, or agree to it"),
    .more = "continue\n"
            "continue 17",
    .see = "adjourn, games",
    .takes = TAKES_GAME,
    .run = continue_run,
};

/* --- claim --- */

/* "claim win 3" and "claim 3 win" are the same. */
static const char *take_prize(struct verb_call *call)
{
    for (int i = 1; i < call->typed.words; i++) {
        char *word = call->typed.word[i];

        text_lower(word);
        if (strcmp(word, "win") != 0 && strcmp(word, "draw") != 0)
            continue;
        call->typed.words--;
        memmove(&call->typed.word[i], &call->typed.word[i + 1],
                (size_t)(call->typed.words - i) * sizeof call->typed.word[0]);
        return word;
    }
    return NULL;
}

/* The server would refuse: the other is here, or has not been away long enough. */
static bool is_in_vain(const struct model_game *game, int64_t now_ms)
{
    int64_t left_ms;

    return !game->is_away[side_other(game->side)] ||
           (model_claim_left(game, now_ms, &left_ms) && left_ms > 0);
}

static void claim_run(struct verb_call *call)
{
    const char *prize = take_prize(call);

    if (prize == NULL || call->typed.words > 2) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    verb_send_for_game(call, "claim");
    if (call->deed->kind != DEED_SEND)
        return;
    text_addf(&call->line, " %s", prize);
    if (!is_in_vain(call->deed->game, call->now_ms)) /* else the server says why */
        verb_ask_first(call, strcmp(prize, "win") == 0
                                 ? _("End game %lld as won, for the other is away?")
                                 : _("End game %lld as a draw?"));
}

const struct verb verb_claim = {
    .name = "claim",
    .usage = N_("claim win|draw [GAME]"),
    .help = N_("end a game whose other player has been away too long; asks once"),
    .more = N_("claim win     only while the other is away; you may also wait on\n"
               "claim draw    also in an adjourned game, after many days"),
    .see = "adjourn, abort",
    .takes = TAKES_PRIZE,
    .run = claim_run,
};

/* --- record, save --- */

/* The number of the game that is meant: one that is not seen any more will do, and the
 * one that has just ended. -1 after a refusal. */
static int64_t take_number(struct verb_call *call)
{
    const char *word = verb_arg(call, 1);
    int64_t id;

    if (word != NULL && text_to_int(word, 0, INT64_MAX, &id))
        return id;
    if (call->model->current != NULL)
        return call->model->current->id;
    verb_refuse(call, _("Of which game? \"history\" lists yours: %s"),
                _(call->verb->usage));
    return -1;
}

static void record_run(struct verb_call *call)
{
    int64_t id = take_number(call);

    if (id < 0)
        return;
    call->deed->kind = DEED_SEND;
    text_addf(&call->line, "record %lld", (long long)id);
}

const struct verb verb_record = {
    .name = "record",
    .usage = N_("record [GAME]"),
    .help = N_("show the signed record of a game that has ended"),
    .more = "record 17",
    .see = "save, history, moves",
    .takes = TAKES_GAME,
    .run = record_run,
};

static void save_run(struct verb_call *call)
{
    const char *path = verb_arg(call, call->typed.words - 1);
    int64_t id = take_number(call), number;

    if (id < 0)
        return;
    call->deed->kind = DEED_SAVE;
    call->deed->number = id;
    if (call->typed.words > 1 && !text_to_int(path, 0, INT64_MAX, &number))
        text_add(&call->words, path);
}

const struct verb verb_save = {
    .name = "save",
    .usage = N_("save [GAME] [FILE]"),
    .help = N_("keep a game in a file, for \"janggi replay\" and \"janggi convert\""),
    .more = N_("save            the current game, as game-NUMBER.record, right here\n"
               "save 17 a.record"),
    .see = "record, history",
    .takes = TAKES_GAME,
    .run = save_run,
};
