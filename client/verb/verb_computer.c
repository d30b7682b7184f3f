/* The verb that brings a computer to play against. */
#include "client/verb/verb.h"
#include "common/base/translate.h"

enum { LEVEL_USUAL = 5, LEVEL_MOST = 10 };

static void computer_run(struct verb_call *call)
{
    const char *word = verb_arg(call, 1);
    int64_t level = LEVEL_USUAL;

    if (word != NULL && !text_to_int(word, 1, LEVEL_MOST, &level)) {
        verb_refuse(call, _("Usage: %s (the level is 1 to %d)"), _(call->verb->usage),
                    LEVEL_MOST);
        return;
    }
    call->deed->kind = DEED_COMPUTER;
    call->deed->ply = (int)level;
}

const struct verb verb_computer = {
    .name = "computer",
    .usage = N_("computer [LEVEL]"),
    .help = N_("play against the computer, here at this server"),
    .more = N_("computer 3    at level 3 of 10; 5 without it"),
    .see = "seek, invite",
    .run = computer_run,
};
