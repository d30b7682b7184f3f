/* Verbs of the private board: try, back. */
#include <string.h>

#include "client/verb/verb.h"
#include "common/base/translate.h"

static void try_run(struct verb_call *call)
{
    enum kind claimed;

    if (!move_parse(call->typed.rest, &call->deed->move, &claimed)) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    call->typed.words = 1; /* the move names no game */
    call->deed->game = verb_game(call, 1);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_TRY;
}

const struct verb verb_try = {
    .name = "try",
    .usage = N_("try MOVE"),
    .help = N_("make a move on a private board, and more behind it; nothing is sent"),
    .more = N_("try b0c2\ntry c3c4    goes on from there, for either side\n"
               "back        to the game"),
    .see = "back, show, legal",
    .run = try_run,
};

static void back_run(struct verb_call *call)
{
    call->deed->game = verb_game(call, 1);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_BACK;
}

const struct verb verb_back = {
    .name = "back",
    .usage = "back",
    .help = N_("from the private board to the game"),
    .more = "back",
    .see = "try",
    .run = back_run,
};
