/* Verbs that show something, answered from the model without a request to the server; the
 * private board and the analysis of a game; the verbs of a replay and of a lesson. */
#include <stdio.h>

#include "client/verb/verb.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* --- From the model --- */

static void moves_run(struct verb_call *call)
{
    render_moves(&call->words, call->game);
}

static void last_run(struct verb_call *call)
{
    char words[WORDS_MOVE_BYTES];
    struct game_last last;

    if (!game_last(&call->game->game, &last)) {
        text_add(&call->words, _("No move has been made yet.\n"));
        return;
    }
    if (call->view->is_spoken) {
        speech_last(&call->words, call->game);
        return;
    }
    words_move(words, &last);
    text_addf(&call->words, "%d. %s %s\n", last.number, term_side(last.side), words);
}

static void clock_run(struct verb_call *call)
{
    const struct model_game *game = call->game;
    char clock[SIDES][WORDS_CLOCK_BYTES], terms[WORDS_TERMS_BYTES];

    words_terms(terms, &game->game.clock.terms);
    for (int side = 0; side < SIDES; side++)
        words_clock(clock[side], game, (enum side)side, call->view->now_ms);
    if (game->clock.running == SIDE_NONE)
        text_addf(&call->words, _("Red %s, Blue %s (%s).\n"), clock[SIDE_RED],
                  clock[SIDE_BLUE], terms);
    else
        text_addf(&call->words, _("Red %s, Blue %s (%s); running: %s.\n"),
                  clock[SIDE_RED], clock[SIDE_BLUE], terms,
                  term_side(game->clock.running));
    if (game->lag_ms[SIDE_RED] != 0 || game->lag_ms[SIDE_BLUE] != 0)
        text_addf(
            &call->words,
            _("Network delay not charged in the last turn: Red %d ms, Blue %d ms.\n"),
            game->lag_ms[SIDE_RED], game->lag_ms[SIDE_BLUE]);
}

static void captured_run(struct verb_call *call)
{
    const struct model_game *game = call->game;
    char taken[MODEL_TAKEN_BYTES];

    for (int side = 0; side < SIDES; side++) {
        model_taken(game, (enum side)side, taken);
        text_addf(&call->words, _("%s took: %s\n"), term_side_title((enum side)side),
                  taken[0] != '\0' ? taken : _("nothing"));
    }
}

static void score_run(struct verb_call *call)
{
    const struct model_game *game = call->game;

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

/* --- Of one piece --- */

static void legal_run(struct verb_call *call)
{
    render_legal(&call->words, call->game,
                 args_has(&call->args, ARG_POINT) ? call->args.point : POINT_NONE);
}

static void show_run(struct verb_call *call)
{
    render_show(&call->words, call->game, call->args.point, call->view);
}

/* --- For players who use a screen reader; all players can use them --- */

static void describe_run(struct verb_call *call)
{
    struct facts facts;

    facts_take_game(&facts, call->game, call->view->now_ms);
    speech_describe(&call->words, &facts);
}

static void where_run(struct verb_call *call)
{
    speech_where(&call->words, &call->game->game.position, call->args.piece);
}

static void scan_run(struct verb_call *call)
{
    (void)speech_line(&call->words, &call->game->game.position,
                      call->args.text[ARG_LINE]);
}

static void opponent_run(struct verb_call *call)
{
    struct facts facts;

    facts_take_game(&facts, call->game, call->view->now_ms);
    speech_opponent(&call->words, &facts);
}

/* --- The private board --- */

const char *verb_no_trial(const struct model_game *game)
{
    return game->is_ours && game->game.phase == GAME_PLAY
               ? _("; no private board is open, so a move that you type now is played "
                   "in the game")
               : "";
}

void verb_try_move(struct verb_call *call, const struct typed_move *typed)
{
    const struct position *position = call->board.position;
    struct model_game *game = call->action->game = verb_game(call);
    char why[SENTENCE_BYTES], words[SENTENCE_BYTES + 256];
    struct fault fault = {.code = FAULT_NONE};

    if (game == NULL || !verb_is_clear(call, typed))
        return;
    if (position != NULL)
        fault = rules_judge_claim(position, typed->move, typed->claimed);
    call->action->kind = ACTION_TRY;
    call->action->move = typed->move;
    if (fault.code == FAULT_NONE)
        return;
    sentence_fault(why, fault);
    snprintf(words, sizeof words, "%s%s", why,
             call->view->is_private ? "" : verb_no_trial(game));
    verb_refuse(call, _("-- move not made: %s"), words);
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

static void replay_run(struct verb_call *call)
{
    call->action->number =
        args_has(&call->args, ARG_NUMBER) ? call->args.number[ARG_NUMBER] : -1;
    if (call->game->game.phase < GAME_PLAY)
        verb_refuse(call, _("No move has been made yet. Nothing was done."));
}

void verb_take_empty(struct verb_call *call)
{
    struct model_game *next = model_next_game(call->model, call->view->now_ms);

    if (call->view->is_private && call->view->tried == 0) {
        call->action->kind = ACTION_REPLAY;
        call->action->game = call->model->current;
    } else if (!call->view->is_private && next != NULL) {
        call->action->kind = ACTION_CHOOSE;
        call->action->game = next;
    } else if (!call->view->is_private) {
        verb_take_usual_lineup(call);
    }
}

/* --- Analysis --- */

/* Refuses a running game, because an analysis would help a player. */
static void analyse_run(struct verb_call *call)
{
    if (call->game->game.phase != GAME_OVER)
        verb_refuse(call,
                    _("Game %lld is not over. \"analyse\" is for games that "
                      "have ended."),
                    (long long)call->game->id);
}

/* --- A replay, a lesson --- */

static void play_run(struct verb_call *call)
{
    enum { PARTS = 1000 };

    call->action->number = (int64_t)(call->args.factor * PARTS);
}

static void task_setup_run(struct verb_call *call)
{
    call->action->number = args_lineup(&call->args, SIDE_RED);
}

/* --- The tables --- */

static const struct arg a_game[ARGS_MAX] = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg which_game[ARGS_MAX] = {{.kind = ARG_GAME}};
static const struct arg all_or_point[ARGS_MAX] = {
    {.kind = ARG_POINT, .need = ARG_OPTIONAL},
    {.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg point[ARGS_MAX] = {{.kind = ARG_POINT},
                                           {.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg piece[ARGS_MAX] = {{.kind = ARG_PIECE},
                                           {.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg file_or_row[ARGS_MAX] = {
    {.kind = ARG_LINE}, {.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg a_move[ARGS_MAX] = {{.kind = ARG_MOVE}};
static const struct arg next_or_ply[ARGS_MAX] = {
    {ARG_NUMBER, ARG_OPTIONAL, "PLY", 0, VERB_PLIES_MOST}};

static const struct arg ply[ARGS_MAX] = {
    {ARG_NUMBER, ARG_NEEDED, N_("NUMBER"), 0, VERB_PLIES_MOST}};
static const struct arg factor[ARGS_MAX] = {{.kind = ARG_FACTOR, .need = ARG_OPTIONAL}};
static const struct arg lesson[ARGS_MAX] = {
    {.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = N_("LESSON")}};
static const struct arg lineup[ARGS_MAX] = {{.kind = ARG_LINEUP}};

/* name, modes, group, arguments, shown, brief,
 * help, more,
 * see, about, gives, run */
const struct verb verbs_to_see[] = {
    {"board", VERB_BOARDS, VERB_SEE, a_game, NULL, N_("the board again"),
     N_("show the board"), "board\nboard 17", "flip, moves, clock", VERB_ANY_GAME,
     ACTION_BOARD, NULL},
    {"moves", VERB_BOARDS, VERB_SEE, a_game, NULL, N_("what was played"),
     N_("all moves so far"), "moves\nmoves 17", "last, legal", VERB_ANY_GAME,
     ACTION_SAY, moves_run},
    {"legal", VERB_BOARDS, VERB_SEE, all_or_point, "legal B0", N_("where it may go"),
     N_("the moves that the rules allow, of all pieces or of one"),
     N_("legal\nlegal b0"), "show, move, rules", VERB_ANY_GAME, ACTION_SAY, legal_run},
    {"hint", VERB_LOCAL, VERB_SEE, NULL, NULL, N_("ask the computer"),
     N_("what the computer would play here"), NULL, "legal, level", VERB_NO_GAME,
     ACTION_HINT, NULL},
    {"try", VERB_BOARDS, VERB_SEE, a_move, "try b0c2", N_("a private board"),
     N_("make moves on a private board; nothing is sent"),
     N_("try b0c2\n"
        "c3c4        another move on the private board, for either side\n"
        "back        returns to the game; the moves that you then type are played"),
     "back, show, legal", VERB_NO_GAME, ACTION_TRY, try_run},
    {"replay", VERB_GAMES, VERB_SEE, next_or_ply, NULL, N_("the game once more"),
     N_("show the game from its start on a private board; typed again: its next move"),
     N_("replay       from the beginning; then replay or Enter shows the next move\n"
        "replay 30    shows the position after ply 30\n"
        "b0c2         tries a move there\n"
        "back         returns to the game"),
     "try, back, moves, save", VERB_ANY_GAME, ACTION_REPLAY, replay_run},
    {"back", VERB_GAMES, VERB_SEE, NULL, NULL, NULL,
     N_("return from the private board to the game"), NULL, "try", VERB_ANY_GAME,
     ACTION_BACK, NULL},
    {"analyse", VERB_GAMES, VERB_SEE, a_game, NULL, N_("after the end"),
     N_("which moves lost the game, and what would have been better"),
     N_("analyse      the computer looks at every position, on this machine\n"
        "analyse 17   the same for game 17"),
     "replay, moves, save", VERB_ANY_GAME, ACTION_ANALYSE, analyse_run},
    {"analyse", VERB_REPLAY, VERB_OTHER, NULL, NULL, NULL,
     N_("which moves lost the game, and what would have been better"), "analyse",
     "goto, try", VERB_NO_GAME, ACTION_ANALYSE, NULL},
    {"show", VERB_BOARDS, VERB_SEE, point, NULL, NULL,
     N_("the board with the points marked (*) where that piece may go"),
     N_("show b0     where the piece on b0 may go; what it may take is in < >"),
     "legal, board", VERB_ANY_GAME, ACTION_SAY, show_run},
    {"flip", VERB_BOARDS, VERB_SEE, a_game, NULL, NULL, N_("turn the board round"),
     NULL, "board", VERB_ANY_GAME, ACTION_FLIP, NULL},
    {"last", VERB_BOARDS, VERB_SEE, a_game, NULL, NULL, N_("the last move, in words"),
     NULL, "moves", VERB_ANY_GAME, ACTION_SAY, last_run},
    {"clock", VERB_GAMES, VERB_SEE, a_game, NULL, NULL,
     N_("the time that both sides have left"), "clock\nclock 17", "opponent, board",
     VERB_ANY_GAME, ACTION_SAY, clock_run},
    {"captured", VERB_BOARDS, VERB_SEE, a_game, NULL, NULL,
     N_("which pieces were taken"), NULL, "score", VERB_ANY_GAME, ACTION_SAY,
     captured_run},
    {"score", VERB_BOARDS, VERB_SEE, a_game, NULL, NULL,
     N_("the points that both sides have on the board"), NULL, "captured",
     VERB_ANY_GAME, ACTION_SAY, score_run},
    {"opponent", VERB_GAMES, VERB_SEE, a_game, NULL, NULL,
     N_("your opponent: name, presence, time left, captured pieces"), N_("opponent"),
     "clock, captured, describe", VERB_ANY_GAME, ACTION_SAY, opponent_run},
    {"describe", VERB_BOARDS, VERB_SEE, a_game, NULL, NULL,
     N_("the position in sentences: turn, clocks, pieces"), N_("describe\ndescribe 17"),
     "where, scan, last, opponent", VERB_ANY_GAME, ACTION_SAY, describe_run},
    {"where", VERB_BOARDS, VERB_SEE, piece, NULL, NULL,
     N_("all points where pieces of that kind stand, of both sides"),
     N_("where knights\nwhere horses   the same: every name of a piece works"),
     "scan, describe, legal", VERB_ANY_GAME, ACTION_SAY, where_run},
    {"scan", VERB_BOARDS, VERB_SEE, file_or_row, NULL, NULL,
     N_("what stands on a file or a row, from its low end"),
     N_("scan E      file E, from E0 up\n"
        "scan 3      row 3, from A3 on"),
     "where, describe", VERB_ANY_GAME, ACTION_SAY, scan_run},
    {"game", VERB_ONLINE, VERB_SEE, which_game, NULL, NULL,
     N_("choose one of your games: it gets the moves that you type"), "game 17",
     "games, board", VERB_ANY_GAME, ACTION_CHOOSE, NULL},
    {.name = NULL}};

const struct verb verbs_to_tour[] = {
    {"next", VERB_REPLAY, VERB_OTHER, NULL, NULL, NULL,
     N_("show the next move; Enter does the same"), NULL, "back, goto, play",
     VERB_NO_GAME, ACTION_NEXT, NULL},
    {"back", VERB_REPLAY, VERB_OTHER, NULL, NULL, NULL,
     N_("go back one move; from a private board, back to the record"), NULL,
     "next, goto, try", VERB_NO_GAME, ACTION_BACK, NULL},
    {"goto", VERB_REPLAY, VERB_OTHER, ply, NULL, NULL,
     N_("go to that move; 0 is the beginning"), "goto 30\ngoto 0", "next, back",
     VERB_NO_GAME, ACTION_GO_TO, NULL},
    {"play", VERB_REPLAY, VERB_OTHER, factor, NULL, NULL,
     N_("play the moves automatically; Enter stops that"),
     N_("play       at the speed of the game\n"
        "play 4     four times as fast"),
     "pause, next", VERB_NO_GAME, ACTION_PLAY, play_run},
    {"pause", VERB_REPLAY, VERB_OTHER, NULL, NULL, NULL,
     N_("stop the automatic moves and wait for your command"), NULL, "play",
     VERB_NO_GAME, ACTION_PAUSE, NULL},
    {"hint", VERB_LEARN, VERB_OTHER, NULL, NULL, NULL, N_("help with this task"), NULL,
     "skip, board", VERB_NO_GAME, ACTION_HINT, NULL},
    {"skip", VERB_LEARN, VERB_OTHER, NULL, NULL, NULL, N_("go to the next task"), NULL,
     "back, lesson", VERB_NO_GAME, ACTION_NEXT, NULL},
    {"back", VERB_LEARN, VERB_OTHER, NULL, NULL, NULL, N_("go back one task"), NULL,
     "skip, lesson", VERB_NO_GAME, ACTION_BACK, NULL},
    {"board", VERB_LEARN, VERB_OTHER, NULL, NULL, NULL,
     N_("show the board and the task again; so does Enter"), NULL, "hint", VERB_NO_GAME,
     ACTION_BOARD, NULL},
    {"lesson", VERB_LEARN, VERB_OTHER, lesson, NULL, NULL,
     N_("go to a lesson: 5, cannon"), "lesson 5\nlesson cannon", "lessons, skip",
     VERB_NO_GAME, ACTION_LESSON, NULL},
    {"lessons", VERB_LEARN, VERB_OTHER, NULL, NULL, NULL, N_("the list of lessons"),
     NULL, "lesson", VERB_NO_GAME, ACTION_LESSON, NULL},
    {"setup", VERB_LEARN, VERB_OTHER, lineup, NULL, NULL,
     N_("choose a line-up, when you are asked for one"), "setup 3", "hint",
     VERB_NO_GAME, ACTION_SETUP, task_setup_run},
    {.name = NULL}};
