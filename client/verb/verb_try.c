/* Verbs of the private board: try, back. */
#include "client/verb/verb.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"

/* The piece that was named in front of the move is the one that stands there. False
 * after a refusal. */
static bool is_that_piece(struct verb_call *call, const struct typed_move *typed)
{
    const struct position *position = call->board.position;
    struct fault fault = {.code = FAULT_WRONG_PIECE,
                          .kind = typed->claimed,
                          .at = typed->move.from,
                          .move = typed->move};
    char words[SENTENCE_BYTES];

    if (typed->claimed == KIND_NONE || position == NULL)
        return true;
    fault.by = position_kind(position, typed->move.from);
    if (fault.by == KIND_NONE || fault.by == typed->claimed)
        return true;
    sentence_fault(words, fault);
    verb_refuse(call, _("-- not made: %s"), words);
    return false;
}

void verb_try_move(struct verb_call *call, const struct typed_move *typed)
{
    call->action->game = verb_game(call);
    if (call->action->game == NULL || !verb_is_clear(call, typed) ||
        !is_that_piece(call, typed))
        return;
    call->action->kind = ACTION_TRY;
    call->action->move = typed->move;
}

static void try_run(struct verb_call *call)
{
    verb_try_move(call, &call->args.move);
}

const struct verb verb_try = {
    .name = "try",
    .group = VERB_SEE,
    .shown = "try b0c2",
    .brief = N_("a private board"),
    .args = {{.kind = ARG_MOVE}},
    .help = N_("make moves on a private board; nothing is sent"),
    .more = N_("try b0c2\nc3c4        a move alone goes on there, for either side\n"
               "back        to the game: from then on moves are played"),
    .see = "back, show, legal",
    .run = try_run,
};

static void back_run(struct verb_call *call)
{
    call->action->game = verb_game(call);
    if (call->action->game != NULL)
        call->action->kind = ACTION_BACK;
}

const struct verb verb_back = {
    .name = "back",
    .group = VERB_SEE,
    .help = N_("from the private board to the game"),
    .more = "back",
    .see = "try",
    .run = back_run,
};
