/* Verbs of the private board: try, replay, back; and the analysis of a game. */
#include "client/verb/verb.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"

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

/* If the current game is over and another game of ours goes on, chooses that game. */
static bool go_to_next_game(struct verb_call *call)
{
    struct model_game *next = model_next_game(call->model, call->view->now_ms);

    if (next == NULL)
        return false;
    call->action->kind = ACTION_CHOOSE;
    call->action->game = next;
    return true;
}

void verb_take_empty(struct verb_call *call)
{
    if (call->view->is_private && call->view->tried == 0)
        replay(call, -1);
    else if (!call->view->is_private && !go_to_next_game(call))
        verb_take_usual_lineup(call);
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
