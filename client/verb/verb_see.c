/* Verbs that show something, answered from the model without a request to the server;
 * the private board and the analysis of a game. */

#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
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

/* --- The private board --- */

const char *verb_no_trial(const struct model_game *game)
{
    return game->is_ours && game->game.phase == GAME_PLAY
               ? _("; no private board is open, so a move that you type now is played "
                   "in the game")
               : "";
}

/* Returns true if the piece that the player named with the move stands on the move's
 * first point, or if the player named none. Returns false after a refusal. */
static bool is_that_piece(struct verb_call *call, const struct typed_move *typed)
{
    const struct position *position = call->board.position;
    struct fault fault;
    char fault_words[SENTENCE_BYTES], words[SENTENCE_BYTES + 256];
    struct text text = text_into(words, sizeof words);

    if (position == NULL)
        return true;
    fault = rules_judge_claim(position, typed->move, typed->claimed);
    if (fault.code == FAULT_NONE)
        return true;
    sentence_fault(fault_words, fault);
    text_addf(&text, "%s%s", fault_words,
              call->view->is_private ? "" : verb_no_trial(call->action->game));
    verb_refuse(call, _("-- move not made: %s"), words);
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

void verb_take_move(struct verb_call *call, const struct typed_move *typed)
{
    if (call->view->is_private)
        verb_try_move(call, typed);
    else
        verb_play_typed(call, typed);
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
    .more =
        N_("try b0c2\n"
           "c3c4        another move on the private board, for either side\n"
           "back        returns to the game; the moves that you then type are played"),
    .see = "back, show, legal",
    .run = try_run,
};

static void replay(struct verb_call *call, int64_t ply)
{
    call->action->game = verb_game(call);
    if (call->action->game == NULL)
        return;
    if (call->action->game->game.phase < GAME_PLAY) {
        verb_refuse(call, _("No move has been made yet. Nothing was done."));
        return;
    }
    call->action->kind = ACTION_REPLAY;
    call->action->number = ply;
}

static void replay_run(struct verb_call *call)
{
    bool has_number = args_has(&call->args, ARG_NUMBER);

    replay(call, has_number ? call->args.number[ARG_NUMBER] : -1);
}

void verb_take_empty(struct verb_call *call)
{
    struct model_game *next = model_next_game(call->model, call->view->now_ms);

    if (call->view->is_private && call->view->tried == 0) {
        replay(call, -1);
    } else if (!call->view->is_private && next != NULL) {
        call->action->kind = ACTION_CHOOSE;
        call->action->game = next;
    } else if (!call->view->is_private) {
        verb_take_usual_lineup(call);
    }
}

const struct verb verb_replay = {
    .name = "replay",
    .group = VERB_SEE,
    .brief = N_("the game once more"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = "PLY",
              .high = VERB_PLIES_MOST}},
    .help = N_(
        "show the game from its start on a private board; typed again: its next move"),
    .more =
        N_("replay       from the beginning; then replay or Enter shows the next move\n"
           "replay 30    shows the position after ply 30\n"
           "b0c2         tries a move there\n"
           "back         returns to the game"),
    .see = "try, back, moves, save",
    .run = replay_run,
};

const struct verb verb_back = {
    .name = "back",
    .group = VERB_SEE,
    .help = N_("return from the private board to the game"),
    .see = "try",
    .gives = ACTION_BACK,
    .is_about_game = true,
};

/* --- Analysis --- */

/* Analyses a game that has ended. Refuses a running game, because an analysis would
 * help a player. */
static void analyse_run(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game == NULL)
        return;
    if (game->game.phase != GAME_OVER) {
        verb_refuse(call,
                    _("Game %lld is not over. \"analyse\" is for games that "
                      "have ended."),
                    (long long)game->id);
        return;
    }
    call->action->kind = ACTION_ANALYSE;
    call->action->game = game;
}

const struct verb verb_analyse = {
    .name = "analyse",
    .group = VERB_SEE,
    .brief = N_("after the end"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("which moves lost the game, and what would have been better"),
    .more = N_("analyse      the computer looks at every position, on this machine\n"
               "analyse 17   the same for game 17"),
    .see = "replay, moves, save",
    .run = analyse_run,
};

const struct verb verb_analyse_record = {
    .name = "analyse",
    .help = N_("which moves lost the game, and what would have been better"),
    .more = "analyse",
    .see = "goto, try",
    .gives = ACTION_ANALYSE,
};
