/* Verbs of the private board: try, back. */
#include "client/verb/verb.h"
#include "common/base/translate.h"

static void try_run(struct verb_call *call)
{
    call->deed->move = call->args.move;
    call->deed->claimed = call->args.claimed;
    call->deed->game = verb_game(call);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_TRY;
}

const struct verb verb_try = {
    .name = "try",
    .args = {{ARG_MOVE}},
    .help = N_("make a move on a private board, and more behind it; nothing is sent"),
    .more = N_("try b0c2\ntry c3c4    goes on from there, for either side\n"
               "back        to the game"),
    .see = "back, show, legal",
    .run = try_run,
};

static void back_run(struct verb_call *call)
{
    call->deed->game = verb_game(call);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_BACK;
}

const struct verb verb_back = {
    .name = "back",
    .help = N_("from the private board to the game"),
    .more = "back",
    .see = "try",
    .run = back_run,
};
