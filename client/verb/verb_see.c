/* Verbs of looking, answered from the model without a round trip. */
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/term.h"

static void board_run(struct verb_call *call)
{
    call->deed->game = verb_game(call, 1);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_BOARD;
}

const struct verb verb_board = {
    .name = "board",
    .alias = "refresh",
    .usage = N_("board [GAME]"),
    .help = N_("show the board"),
    .more = "board\n"
            "board 17",
    .see = "flip, moves, clock",
    .takes = TAKES_GAME,
    .run = board_run,
};

static void flip_run(struct verb_call *call)
{
    call->deed->game = verb_game(call, 1);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_FLIP;
}

const struct verb verb_flip = {
    .name = "flip",
    .usage = "flip",
    .help = N_("turn the board round"),
    .more = "flip",
    .see = "board",
    .run = flip_run,
};

static void choice_run(struct verb_call *call)
{
    call->deed->game = verb_game(call, 1);
    if (call->deed->game != NULL)
        call->deed->kind = DEED_CHOOSE;
}

const struct verb verb_game_choice = {
    .name = "game",
    .usage = "game N",
    .help =
        N_("of several games you play or watch, choose the one that moves are about"),
    .more = "game 17",
    .see = "games, board",
    .takes = TAKES_GAME,
    .run = choice_run,
};

/* --- From the model --- */

/* The game to speak of, with the deed set to saying something. */
static struct model_game *say_about_game(struct verb_call *call, int i)
{
    struct model_game *game = verb_game(call, i);

    if (game != NULL)
        call->deed->kind = DEED_SAY;
    return game;
}

static void moves_run(struct verb_call *call)
{
    const struct model_game *game = say_about_game(call, 1);

    if (game != NULL)
        render_moves(&call->words, game);
}

const struct verb verb_moves = {
    .name = "moves",
    .usage = N_("moves [GAME]"),
    .help = N_("all moves so far"),
    .more = "moves\n"
            "moves 17",
    .see = "last, legal",
    .takes = TAKES_GAME,
    .run = moves_run,
};

static void last_run(struct verb_call *call)
{
    const struct model_game *game = say_about_game(call, 1);
    char words[WORDS_MOVE_BYTES];
    struct model_last last;

    if (game == NULL)
        return;
    if (!model_last(game, &last)) {
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
    .usage = N_("last [GAME]"),
    .help = N_("the last move, in words"),
    .more = "last",
    .see = "moves",
    .takes = TAKES_GAME,
    .run = last_run,
};

static void clock_run(struct verb_call *call)
{
    const struct model_game *game = say_about_game(call, 1);
    char clock[SIDES][RENDER_CLOCK_BYTES], terms[RENDER_TERMS_BYTES];

    if (game == NULL)
        return;
    render_terms(terms, &game->game.clock.terms);
    for (int side = 0; side < SIDES; side++)
        render_clock(clock[side], game, (enum side)side, call->now_ms);
    text_addf(&call->words, _("Red %s, Blue %s (%s)%s%s.\n"), clock[SIDE_RED],
              clock[SIDE_BLUE], terms,
              game->clock.running == SIDE_NONE ? "" : _("; running: "),
              game->clock.running == SIDE_NONE ? "" : term_side(game->clock.running));
}

const struct verb verb_clock = {
    .name = "clock",
    .alias = "time",
    .usage = N_("clock [GAME]"),
    .help = N_("the time that both sides have left"),
    .more = "clock\n"
            "clock 17",
    .see = "opponent, board",
    .takes = TAKES_GAME,
    .run = clock_run,
};

static void captured_run(struct verb_call *call)
{
    const struct model_game *game = say_about_game(call, 1);
    char taken[MODEL_TAKEN_BYTES];

    if (game == NULL)
        return;
    for (int side = 0; side < SIDES; side++) {
        model_taken(game, (enum side)side, taken);
        text_addf(&call->words, _("%s took: %s\n"), term_side_title((enum side)side),
                  taken[0] != '\0' ? taken : _("nothing"));
    }
}

const struct verb verb_captured = {
    .name = "captured",
    .usage = N_("captured [GAME]"),
    .help = N_("which pieces were taken"),
    .more = "captured",
    .see = "score",
    .takes = TAKES_GAME,
    .run = captured_run,
};

static void score_run(struct verb_call *call)
{
    const struct model_game *game = say_about_game(call, 1);

    if (game == NULL)
        return;
    for (int side = 0; side < SIDES; side++) {
        int halves = rules_points_halves(game->game.rules, &game->game.position,
                                         (enum side)side);

        text_addf(&call->words, _("%s has %d%s points on the board\n"),
                  term_side_title((enum side)side), halves / 2, halves % 2 ? ".5" : "");
    }
    text_add(&call->words,
             _("(rook 13, cannon 7, knight 5, bishop 3, guard 3, pawn 2)\n"));
}

const struct verb verb_score = {
    .name = "score",
    .usage = N_("score [GAME]"),
    .help = N_("the points that both sides have on the board"),
    .more = "score",
    .see = "captured",
    .takes = TAKES_GAME,
    .run = score_run,
};

/* --- Of one piece --- */

/* The point in argument 1; POINT_NONE without one. False after a refusal. */
static bool take_point(struct verb_call *call, int *out)
{
    const char *word = verb_arg(call, 1);

    *out = POINT_NONE;
    if (word == NULL)
        return true;
    *out = strlen(word) == 2 ? point_parse(word) : POINT_NONE;
    if (*out == POINT_NONE)
        verb_refuse(
            call, _("\"%s\" is no point: a letter A to I and a digit, like B0."), word);
    return *out != POINT_NONE;
}

static void legal_run(struct verb_call *call)
{
    const struct model_game *game;
    int from;

    if (!take_point(call, &from))
        return;
    game = say_about_game(call, 2);
    if (game != NULL)
        render_legal(&call->words, game, from);
}

const struct verb verb_legal = {
    .name = "legal",
    .usage = "legal [B0]",
    .help = N_("the moves that the rules allow, of all pieces or of one"),
    .more = N_("legal\nlegal b0"),
    .see = "show, move, rules",
    .takes = TAKES_POINT,
    .run = legal_run,
};

static void show_run(struct verb_call *call)
{
    const struct model_game *game;
    int from;

    if (!take_point(call, &from))
        return;
    if (from == POINT_NONE) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    game = say_about_game(call, 2);
    if (game != NULL)
        render_show(&call->words, game, from, call->view);
}

const struct verb verb_show = {
    .name = "show",
    .usage = "show B0",
    .help = N_("the board with the points marked (*) where that piece may go"),
    .more = N_("show b0     a piece that it may take stands in < >"),
    .see = "legal, board",
    .takes = TAKES_POINT,
    .run = show_run,
};
