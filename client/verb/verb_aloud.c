/* Verbs for players who use a screen reader. All players can use them. */
#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "common/base/translate.h"

/* Returns the game to describe; sets the action to ACTION_SAY. */
static struct model_game *speak_of_game(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game != NULL)
        call->action->kind = ACTION_SAY;
    return game;
}

static void describe_run(struct verb_call *call)
{
    const struct model_game *game = speak_of_game(call);
    struct facts facts;

    if (game == NULL)
        return;
    facts_take_game(&facts, game, call->now_ms);
    speech_describe(&call->words, &facts);
}

const struct verb verb_describe = {
    .name = "describe",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the position in sentences: turn, clocks, pieces"),
    .more = N_("describe\ndescribe 17"),
    .see = "where, scan, last, opponent",
    .run = describe_run,
};

static void where_run(struct verb_call *call)
{
    const struct model_game *game = speak_of_game(call);

    if (game != NULL)
        speech_where(&call->words, &game->game.position, call->args.piece);
}

const struct verb verb_where = {
    .name = "where",
    .group = VERB_SEE,
    .args = {{.kind = ARG_PIECE}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the points on which those pieces stand, of both sides"),
    .more = N_("where knights\nwhere horses   the same: every name of a piece works"),
    .see = "scan, describe, legal",
    .run = where_run,
};

static void scan_run(struct verb_call *call)
{
    const struct model_game *game = speak_of_game(call);

    if (game != NULL)
        (void)speech_line(&call->words, &game->game.position,
                          call->args.text[ARG_LINE]);
}

const struct verb verb_scan = {
    .name = "scan",
    .group = VERB_SEE,
    .args = {{.kind = ARG_LINE}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("what stands on a file or a row, from its low end"),
    .more = N_("scan E      file E, from E0 up\n"
               "scan 3      row 3, from A3 on"),
    .see = "where, describe",
    .run = scan_run,
};

static void opponent_run(struct verb_call *call)
{
    const struct model_game *game = speak_of_game(call);
    struct facts facts;

    if (game == NULL)
        return;
    facts_take_game(&facts, game, call->now_ms);
    speech_opponent(&call->words, &facts);
}

const struct verb verb_opponent = {
    .name = "opponent",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("your opponent: name, presence, time left, captured pieces"),
    .more = N_("opponent"),
    .see = "clock, captured, describe",
    .run = opponent_run,
};
