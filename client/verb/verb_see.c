/* Verbs that show something, answered from the model without a request to the
 * server. */

#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/term.h"

const struct verb verb_board = {
    .name = "board",
    .group = VERB_SEE,
    .brief = N_("the board again"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("show the board"),
    .more = "board\n"
            "board 17",
    .see = "flip, moves, clock",
    .gives = ACTION_BOARD,
    .is_about_game = true,
};

const struct verb verb_flip = {
    .name = "flip",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("turn the board round"),
    .see = "board",
    .gives = ACTION_FLIP,
    .is_about_game = true,
};

const struct verb verb_game_choice = {
    .name = "game",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME}},
    .help = N_("choose one of your games: it gets the moves that you type"),
    .more = "game 17",
    .see = "games, board",
    .gives = ACTION_CHOOSE,
    .is_about_game = true,
};

/* --- From the model --- */

static void moves_tell(struct verb_call *call, const struct model_game *game)
{
    render_moves(&call->words, game);
}

const struct verb verb_moves = {
    .name = "moves",
    .group = VERB_SEE,
    .brief = N_("what was played"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("all moves so far"),
    .more = "moves\n"
            "moves 17",
    .see = "last, legal",
    .tell = moves_tell,
};

static void last_tell(struct verb_call *call, const struct model_game *game)
{
    char words[WORDS_MOVE_BYTES];
    struct game_last last;

    if (!game_last(&game->game, &last)) {
        text_add(&call->words, _("No move has been made yet.\n"));
        return;
    }
    if (call->view->is_spoken) {
        speech_last(&call->words, game);
        return;
    }
    words_move(words, &last);
    text_addf(&call->words, "%d. %s %s\n", last.number, term_side(last.side), words);
}

const struct verb verb_last = {
    .name = "last",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the last move, in words"),
    .see = "moves",
    .tell = last_tell,
};

static void clock_tell(struct verb_call *call, const struct model_game *game)
{
    char clock[SIDES][WORDS_CLOCK_BYTES], terms[WORDS_TERMS_BYTES];

    words_terms(terms, &game->game.clock.terms);
    for (int side = 0; side < SIDES; side++)
        words_clock(clock[side], game, (enum side)side, call->view->now_ms);
    text_addf(&call->words, _("Red %s, Blue %s (%s)%s%s.\n"), clock[SIDE_RED],
              clock[SIDE_BLUE], terms,
              game->clock.running == SIDE_NONE ? "" : _("; running: "),
              game->clock.running == SIDE_NONE ? "" : term_side(game->clock.running));
    if (game->lag_ms[SIDE_RED] != 0 || game->lag_ms[SIDE_BLUE] != 0)
        text_addf(
            &call->words,
            _("Network delay not charged in the last turn: Red %d ms, Blue %d ms.\n"),
            game->lag_ms[SIDE_RED], game->lag_ms[SIDE_BLUE]);
}

const struct verb verb_clock = {
    .name = "clock",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the time that both sides have left"),
    .more = "clock\n"
            "clock 17",
    .see = "opponent, board",
    .tell = clock_tell,
};

static void captured_tell(struct verb_call *call, const struct model_game *game)
{
    char taken[MODEL_TAKEN_BYTES];

    for (int side = 0; side < SIDES; side++) {
        model_taken(game, (enum side)side, taken);
        text_addf(&call->words, _("%s took: %s\n"), term_side_title((enum side)side),
                  taken[0] != '\0' ? taken : _("nothing"));
    }
}

const struct verb verb_captured = {
    .name = "captured",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("which pieces were taken"),
    .see = "score",
    .tell = captured_tell,
};

static void score_tell(struct verb_call *call, const struct model_game *game)
{
    for (int side = 0; side < SIDES; side++) {
        int halves = rules_points_halves(game->game.rules, &game->game.position,
                                         (enum side)side);

        text_addf(&call->words, _("%s has %d%s points\n"),
                  term_side_title((enum side)side), halves / 2, halves % 2 ? ".5" : "");
    }
    text_add(&call->words,
             _("(rook 13, cannon 7, knight 5, bishop 3, guard 3, pawn 2)\n"));
    if (ruleset_counts_points(game->game.rules))
        text_add(&call->words,
                 _("Red has 1.5 of its points because it moves second.\n"));
}

const struct verb verb_score = {
    .name = "score",
    .group = VERB_SEE,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the points that both sides have on the board"),
    .see = "captured",
    .tell = score_tell,
};

/* --- Of one piece --- */

static void legal_tell(struct verb_call *call, const struct model_game *game)
{
    render_legal(&call->words, game,
                 args_has(&call->args, ARG_POINT) ? call->args.point : POINT_NONE);
}

const struct verb verb_legal = {
    .name = "legal",
    .group = VERB_SEE,
    .shown = "legal B0",
    .brief = N_("where it may go"),
    .args = {{.kind = ARG_POINT, .need = ARG_OPTIONAL},
             {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the moves that the rules allow, of all pieces or of one"),
    .more = N_("legal\nlegal b0"),
    .see = "show, move, rules",
    .tell = legal_tell,
};

static void show_tell(struct verb_call *call, const struct model_game *game)
{
    render_show(&call->words, game, call->args.point, call->view);
}

const struct verb verb_show = {
    .name = "show",
    .group = VERB_SEE,
    .args = {{.kind = ARG_POINT}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("the board with the points marked (*) where that piece may go"),
    .more = N_("show b0     where the piece on b0 may go; what it may take is in < >"),
    .see = "legal, board",
    .tell = show_tell,
};

/* --- For players who use a screen reader; all players can use them --- */

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
