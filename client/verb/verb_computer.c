/* The verb that starts a computer opponent. */
#include "client/verb/verb.h"
#include "common/base/translate.h"

enum { LEVEL_USUAL = 5, LEVEL_MOST = 10 };

static void computer_run(struct verb_call *call)
{
    call->action->kind = ACTION_COMPUTER;
    call->action->number =
        args_has(&call->args, ARG_NUMBER) ? call->args.number[ARG_NUMBER] : LEVEL_USUAL;
}

const struct verb verb_computer = {
    .name = "computer",
    .group = VERB_FIND,
    .shown = "computer 3",
    .brief = N_("play the computer"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = N_("LEVEL"),
              .low = 1,
              .high = LEVEL_MOST}},
    .help = N_("play against the computer, here at this server"),
    .more = N_("computer 3    at level 3 of 10; without a number, at level 5"),
    .see = "seek, invite",
    .run = computer_run,
};
