/* Verbs for players who use a screen reader. All players can use them. */
#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "common/base/translate.h"

static void describe_tell(struct verb_call *call, const struct model_game *game)
{
    struct facts facts;

    facts_take_game(&facts, game, call->view->now_ms);
    speech_describe(&call->words, &facts);
}

const struct verb verb_describe = {
    .name = "describe",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the position in sentences: turn, clocks, pieces"),
    .more = N_("describe\ndescribe 17"),
    .see = "where, scan, last, opponent",
    .tell = describe_tell,
};

static void where_tell(struct verb_call *call, const struct model_game *game)
{
    speech_where(&call->words, &game->game.position, call->args.piece);
}

const struct verb verb_where = {
    .name = "where",
    .group = VERB_SEE,
    .args = {{.kind = ARG_PIECE}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("all points where pieces of that kind stand, of both sides"),
    .more = N_("where knights\nwhere horses   the same: every name of a piece works"),
    .see = "scan, describe, legal",
    .tell = where_tell,
};

static void scan_tell(struct verb_call *call, const struct model_game *game)
{
    (void)speech_line(&call->words, &game->game.position, call->args.text[ARG_LINE]);
}

const struct verb verb_scan = {
    .name = "scan",
    .group = VERB_SEE,
    .args = {{.kind = ARG_LINE}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("what stands on a file or a row, from its low end"),
    .more = N_("scan E      file E, from E0 up\n"
               "scan 3      row 3, from A3 on"),
    .see = "where, describe",
    .tell = scan_tell,
};

static void opponent_tell(struct verb_call *call, const struct model_game *game)
{
    struct facts facts;

    facts_take_game(&facts, game, call->view->now_ms);
    speech_opponent(&call->words, &facts);
}

const struct verb verb_opponent = {
    .name = "opponent",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("your opponent: name, presence, time left, captured pieces"),
    .more = N_("opponent"),
    .see = "clock, captured, describe",
    .tell = opponent_tell,
};
