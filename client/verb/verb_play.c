/* Verbs of a player in a game: moves, setup, draw, takeback, resign, abort, rematch,
 * say. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/formats/notation.h"
#include "client/verb/verb.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* --- Moves --- */

/* Returns true if a move was sent and has not been answered. If the connection was lost
 * before the answer and the player was asked what to do, returns false, because a new
 * move replaces the lost one. */
static bool is_on_its_way(const struct model_pending *pending)
{
    return pending->state == PENDING_SENT ||
           (pending->state == PENDING_LOST && !pending->is_told);
}

/* Refuses a move in a game that is over. If the current game is over and another game
 * of ours goes on, says how the player goes there. */
static void refuse_over(struct verb_call *call, const struct model_game *game)
{
    const struct model_game *next = model_next_game(call->model, call->view->now_ms);

    if (next != NULL)
        verb_refuse(
            call, _("Game %lld is over. Game %lld goes on: \"game %lld\" goes there."),
            (long long)game->id, (long long)next->id, (long long)next->id);
    else
        verb_refuse(call, _("Game %lld is over. \"rematch\" asks for another."),
                    (long long)game->id);
}

/* Refuses a move that the server would refuse: this saves a round trip. Returns false
 * after a refusal. */
static bool may_move_now(struct verb_call *call, const struct model_game *game)
{
    char move[TERM_MOVE_BYTES];

    if (game->is_broken)
        return true; /* our own board may be wrong: let the server judge */
    if (game->game.phase == GAME_SETUP) {
        verb_refuse(
            call, _("Both sides must set up first, with \"setup 1\" to \"setup 4\"."));
    } else if (game->game.phase == GAME_OVER) {
        refuse_over(call, game);
    } else if (game->game.is_adjourned) {
        verb_refuse(call, _("Game %lld is adjourned. \"continue\" asks to go on."),
                    (long long)game->id);
    } else if (game_turn(&game->game) == SIDE_NONE) {
        verb_refuse(call, _("The game has just ended; the server will say how."));
    } else if (game_turn(&game->game) != game->side) {
        verb_refuse(call, _("It is %s's turn; you play %s."),
                    term_side(game_turn(&game->game)), term_side(game->side));
    } else if (is_on_its_way(&game->pending)) {
        verb_refuse(
            call,
            game->pending.state == PENDING_SENT
                ? _("Your move %s has been sent; the server has not answered yet.")
                : _("Your move %s may have arrived; you will see that when the "
                    "connection is back."),
            term_move(move, game->pending.move));
    } else {
        return true;
    }
    return false;
}

static void play(struct verb_call *call, struct model_game *game,
                 const struct typed_move *typed)
{
    char words[SENTENCE_BYTES], text[TERM_MOVE_BYTES];
    struct fault fault = {.code = FAULT_NONE};
    struct move move;

    if (!may_move_now(call, game) || !verb_is_clear(call, typed))
        return;
    move = rules_read_move(game->game.rules, &game->game.position, game->side,
                           typed->move);
    if (!game->is_broken)
        fault = rules_judge_claim(&game->game.position, move, typed->claimed);
    if (!game->is_broken && fault.code == FAULT_NONE)
        fault = rules_judge(game->game.rules, &game->game.position, move);
    if (fault.code != FAULT_NONE) {
        if (game->is_shared)
            sentence_fault_of_both(words, fault);
        else
            sentence_fault(words, fault);
        verb_refuse(call, _("-- %s not played: %s"), term_move(text, move), words);
        return;
    }
    call->action->kind = ACTION_MOVE;
    call->action->game = game;
    call->action->ply = game->game.plies + 1;
    call->action->move = move;
}

void verb_play_typed(struct verb_call *call, const struct typed_move *typed)
{
    struct model_game *game = verb_our_game(call);

    if (game != NULL)
        play(call, game, typed);
}

static void move_run(struct verb_call *call)
{
    call->book->on_move(call, &call->args.move);
}

const struct verb verb_move = {
    .name = "move",
    .group = VERB_PLAY,
    .shown = "b0c2",
    .brief = N_("a move: from, to"),
    .args = {{.kind = ARG_MOVE}},
    .help = N_("play a move: the point a piece stands on, and where it goes"),
    .more = N_("b0c2      also B0-C2, b0 c2, nB0-C2\n"
               "e3e4      a pawn from E3 to E4\n"
               "pass      where the rules allow it"),
    .see = "legal, show, pass, takeback, rules",
    .run = move_run,
};

static void pass_run(struct verb_call *call)
{
    const struct typed_move pass = {.is_clear = true, .move = move_pass()};

    call->book->on_move(call, &pass);
}

const struct verb verb_pass = {
    .name = "pass",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("make no move, where the rules allow it"),
    .see = "legal, rules, hint",
    .run = pass_run,
};

/* --- setup --- */

static bool is_ours_to_set_up(const struct model_game *game)
{
    return game->game.phase == GAME_SETUP && model_is_our_turn(game);
}

/* Returns true if we may choose a line-up in this game of ours. While the line-ups of
 * both sides are hidden, we may choose at any time, and choose again. */
static bool may_set_up(const struct model_game *game)
{
    return is_ours_to_set_up(game) || game_is_sealed(&game->game);
}

/* Returns the game for which a line-up was typed: the game that was named; else the
 * current game if we may choose there; else any game where we are to choose. */
static struct model_game *find_setup(struct verb_call *call)
{
    struct model_game *current = call->model->current;

    if (args_has(&call->args, ARG_GAME) ||
        (current != NULL && current->is_ours && may_set_up(current)))
        return verb_our_game(call);
    for (struct model_game *game = call->model->games; game != NULL; game = game->next)
        if (is_ours_to_set_up(game))
            return game;
    return verb_our_game(call);
}

static void send_lineup(struct verb_call *call, struct model_game *game,
                        enum lineup lineup)
{
    call->action->kind = ACTION_SEND;
    call->action->game = game;
    text_addf(&call->line, "setup %lld %s", (long long)game->id, lineup_name(lineup));
}

bool verb_awaits_lineup(const struct model *model)
{
    const struct model_game *current = model->current;

    return current != NULL && current->is_ours && is_ours_to_set_up(current);
}

void verb_take_usual_lineup(struct verb_call *call)
{
    struct model_game *current = call->model->current;

    if (verb_awaits_lineup(call->model))
        send_lineup(call, current, game_usual_lineup(&current->game));
}

/* Says why we cannot choose a line-up in our game now. */
static void refuse_setup(struct verb_call *call, const struct model_game *game)
{
    if (game->game.phase != GAME_SETUP)
        verb_refuse(
            call, _("Both sides have chosen their line-ups. Now make a move, like %s."),
            game->side == SIDE_BLUE ? "a6a5" : "a3a4");
    else if (game->game.has_lineup[game->side])
        verb_refuse(call, _("You have set up already (%s); now your opponent chooses."),
                    lineup_name(game->game.lineup[game->side]));
    else
        verb_refuse(call, _("Your opponent chooses a line-up first; then you choose."));
}

/* Returns the game in which we may choose a line-up now; NULL after a refusal. */
static struct model_game *find_our_setup(struct verb_call *call)
{
    struct model_game *game = find_setup(call);

    if (game == NULL || may_set_up(game))
        return game;
    refuse_setup(call, game);
    return NULL;
}

bool verb_takes_lineup(const struct model *model)
{
    const struct model_game *game = model->current;

    return game != NULL && game->is_ours && may_set_up(game);
}

bool verb_refuse_lineup(struct verb_call *call, const char *typed)
{
    const struct model_game *game = call->model->current;

    if (game == NULL || !model_is_playing(game) || !args_is_lineup(typed))
        return false;
    if (game->game.phase == GAME_PLAY && strlen(typed) == 1)
        return false; /* "3" is not always meant as a line-up */
    refuse_setup(call, game);
    return true;
}

static void setup_run(struct verb_call *call)
{
    struct model_game *game = find_our_setup(call);
    enum lineup lineup;

    if (game == NULL)
        return;
    if (call->args.has_lineup)
        send_lineup(call, game, args_lineup(&call->args, game->side));
    else if (game_find_lineup(&game->game, "same", &lineup))
        send_lineup(call, game, lineup);
    else
        verb_refuse(call, _("Your opponent has no line-up yet: you choose first."));
}

const struct verb verb_setup = {
    .name = "setup",
    .group = VERB_PLAY,
    .shown = "setup 1-4",
    .brief = N_("choose a line-up"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL},
             {.kind = ARG_LINEUP, .label = "1|2|3|4|NBBN|BNBN|NBNB|BNNB|same"}},
    .help = N_("choose how your knights (N) and bishops (B) stand on B, C, G and H"),
    .more = N_(
        "setup 1     NBBN, knights outside\n"
        "setup 3     NBNB: figure 2 of Martin's rules, the default of JANGKI\n"
        "setup 4     BNNB, bishops outside\n"
        "setup NBNB  the same as setup 3; or in hangul, then as seen from your side\n"
        "setup same  the same columns as your opponent, as Martin advises\n"
        "Enter       takes setup same, or setup 3 if you choose first"),
    .see = "move, rules",
    .run = setup_run,
};

/* Parses a swap of two pieces in the form of Game Courier, "b1 c1". Each pair may be
 * swapped only once. Returns false after a refusal. */
static bool take_swap(struct verb_call *call, const char *pair, enum side side,
                      unsigned *wings)
{
    char swap[32];
    enum side whose;
    enum wing wing;

    snprintf(swap, sizeof swap, "swap %s", pair);
    if (!notation_parse_swap(swap, &whose, &wing) || (*wings & (unsigned)wing) != 0)
        verb_refuse(call,
                    _("\"%s\" are not the points of a knight and a bishop that can "
                      "change places. Nothing was done."),
                    pair);
    else if (whose != side)
        verb_refuse(call,
                    _("\"%s\" are points of your opponent's pieces. Nothing was done."),
                    pair);
    else
        *wings |= (unsigned)wing;
    return call->action->kind != ACTION_REFUSE;
}

/* Parses "b1 c1; swap g1 h1". Returns false after a refusal. */
static bool take_swaps(struct verb_call *call, const char *text, enum side side,
                       unsigned *wings)
{
    char pair[24];

    *wings = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, ";"), used = len;

        while (used > 0 && text[used - 1] == ' ')
            used--;
        snprintf(pair, sizeof pair, "%.*s", (int)used, text);
        if (!take_swap(call, pair, side, wings))
            return false;
        text += len + strspn(text + len, "; ");
        if (strncmp(text, "swap ", 5) == 0)
            text += 5;
    }
    return true;
}

/* Sends the line-up NBBN with the typed pairs swapped. Asks first, unless "swap!" was
 * typed. */
static void swap_run(struct verb_call *call)
{
    struct model_game *game = find_our_setup(call);
    unsigned wings;

    if (game == NULL ||
        !take_swaps(call, call->args.text[ARG_TEXT], game->side, &wings))
        return;
    send_lineup(call, game, (enum lineup)wings);
    if (call->action->is_certain)
        return;
    call->action->kind = ACTION_ASK;
    text_addf(&call->words, _("Set up %s?"), lineup_name((enum lineup)wings));
}

const struct verb verb_swap = {
    .name = "swap",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_TEXT, .label = N_("POINT POINT")}},
    .may_be_certain = true,
    .help = N_("choose a line-up as Game Courier does: a knight and a bishop change "
               "places"),
    .more =
        N_("swap b1 c1              Red's left pair (rows are counted from 1): BNBN\n"
           "swap b10 c10            Blue's\n"
           "swap b1 c1; swap g1 h1  both pairs: BNNB"),
    .see = "setup",
    .run = swap_run,
};

/* --- draw, takeback, resign, abort, rematch, say --- */

const struct verb verb_draw = {
    .name = "draw",
    .group = VERB_PLAY,
    .brief = N_("offer or agree"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("offer a draw, or agree to the one offered"),
    .more = "draw\n"
            "draw 17",
    .see = "decline, withdraw, takeback",
    .run = verb_send_for_game,
};

static void takeback_run(struct verb_call *call)
{
    int64_t back = call->args.number[ARG_NUMBER];
    int plies;

    verb_send_for_game(call);
    if (call->action->kind != ACTION_SEND || !args_has(&call->args, ARG_NUMBER))
        return;
    plies = call->action->game->game.plies;
    if (back > plies)
        verb_refuse(
            call,
            _("The game has fewer plies: \"takeback N\" takes back the last N plies."));
    else
        text_addf(&call->line, " to=%d", plies - (int)back);
}

const struct verb verb_takeback = {
    .name = "takeback",
    .group = VERB_PLAY,
    .brief = N_("ask to undo a move"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = "N",
              .low = 1,
              .high = VERB_PLIES_MOST}},
    .help = N_("ask to take back your last move, or the last N plies"),
    .more = "takeback\n"
            "takeback 2",
    .see = "accept, decline, abort",
    .run = takeback_run,
};

static void resign_run(struct verb_call *call)
{
    verb_send_for_game(call);
    verb_ask_first(call, _("Give up game %lld?"));
}

const struct verb verb_resign = {
    .name = "resign",
    .group = VERB_PLAY,
    .brief = N_("give up the game"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .may_be_certain = true,
    .help = N_("give up the game; \"resign!\" does not ask you first"),
    .more = "resign\n"
            "resign!",
    .see = "draw, abort, quit",
    .run = resign_run,
};

/* Returns true if the command "abort" ends the game at once. At a server, it is only an
 * offer after both sides have moved, unless the opponent has made the same offer. */
static bool is_abort_certain(const struct verb_call *call,
                             const struct model_game *game)
{
    for (int i = 0; i < game->offers.count; i++)
        if (strcmp(game->offers.at[i].kind, "abort") == 0 &&
            !model_is_same_name(game->offers.at[i].by, call->model->name))
            return true;
    return !call->book->has_games || game->is_broken || game->game.plies < SIDES;
}

/* Asks first, unless the command is only an offer. */
static void abort_run(struct verb_call *call)
{
    verb_send_for_game(call);
    if (call->action->kind == ACTION_SEND && is_abort_certain(call, call->action->game))
        verb_ask_first(call, _("End game %lld without a result?"));
}

const struct verb verb_abort = {
    .name = "abort",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .may_be_certain = true,
    .help = N_("end the game without a result; once both have moved, both must agree"),
    .more = "abort\n"
            "abort!",
    .see = "resign, draw",
    .run = abort_run,
};

/* The first word is the number of a game of ours, or begins the terms, which the server
 * reads. */
static void rematch_run(struct verb_call *call)
{
    const char *terms =
        args_has(&call->args, ARG_TEXT) ? call->args.text[ARG_TEXT] : "";
    size_t digits = strspn(terms, "0123456789");
    char word[24];
    int64_t id;

    snprintf(word, sizeof word, "%.*s", (int)digits, terms);
    if (text_to_int(word, 0, INT64_MAX, &id) && strchr(" ", terms[digits]) != NULL) {
        if (model_find(call->model, id) != NULL) {
            call->args.text[ARG_GAME] = terms;
            call->args.number[ARG_GAME] = id;
            terms += digits;
        } else if (terms[digits] == '\0') {
            verb_refuse(call,
                        _("You have no game %lld here. If you mean minutes, type "
                          "\"rematch %lldm\"."),
                        (long long)id, (long long)id);
            return;
        }
    }
    terms += strspn(terms, " ");
    verb_send_for_game(call);
    if (call->action->kind == ACTION_SEND && terms[0] != '\0')
        text_addf(&call->line, " %s", terms);
}

const struct verb verb_rematch = {
    .name = "rematch",
    .group = VERB_PLAY,
    .brief = N_("once more"),
    .args = {{.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = N_("TERMS")}},
    .help = N_("after the end, ask for another game with sides changed"),
    .more = N_("rematch\n"
               "rematch 5m         the same with other clocks\n"
               "rematch 10 5       10 minutes, plus 5 seconds for each move\n"
               "rematch kja red    with other rules, and you play red"),
    .see = "challenge, decline, save",
    .run = rematch_run,
};

const struct verb verb_rematch_here = {
    .name = "rematch",
    .group = VERB_PLAY,
    .brief = N_("once more"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("after the end, ask for another game with sides changed"),
    .see = "new, save",
    .run = verb_send_for_game,
};

static void say_run(struct verb_call *call)
{
    struct model_game *game = verb_game(call);

    if (game == NULL)
        return;
    if (!game->is_ours && game->game.phase == GAME_OVER) {
        verb_refuse(
            call,
            _("Game %lld is over, and you only watched it. After \"watch %lld\" "
              "you can whisper to others who watch it."),
            (long long)game->id, (long long)game->id);
        return;
    }
    if (!game->is_ours) {
        verb_refuse(call,
                    _("You only watch game %lld; \"whisper\" speaks to the others who "
                      "watch."),
                    (long long)game->id);
        return;
    }
    call->action->kind = ACTION_SEND;
    call->action->game = game;
    text_addf(&call->line, "say game=%lld %s", (long long)game->id,
              call->args.text[ARG_TEXT]);
}

const struct verb verb_say = {
    .name = "say",
    .group = VERB_PLAY,
    .shown = N_("say TEXT"),
    .brief = N_("to your opponent"),
    .args = {{.kind = ARG_TEXT}},
    .help = N_("tell your opponent something"),
    .more = "say good luck",
    .see = "whisper",
    .run = say_run,
};

/* --- claim --- */

/* Returns true if the server would refuse the claim: the opponent is present, or has
 * not been absent long enough. */
static bool is_in_vain(const struct model_game *game, int64_t now_ms)
{
    int64_t left_ms;

    return !game->is_away[side_other(game->side)] ||
           (model_claim_left(game, now_ms, &left_ms) && left_ms > 0);
}

static void claim_run(struct verb_call *call)
{
    bool is_win = strcasecmp(call->args.text[ARG_CHOICE], "win") == 0;

    verb_send_for_game(call);
    if (call->action->kind != ACTION_SEND)
        return;
    text_add(&call->line, is_win ? " win" : " draw");
    /* Do not ask about a claim that the server will refuse. */
    if (!is_in_vain(call->action->game, call->view->now_ms))
        verb_ask_first(
            call, is_win
                      ? _("Claim the win of game %lld, because your opponent is away?")
                      : _("Claim a draw in game %lld?"));
}

const struct verb verb_claim = {
    .name = "claim",
    .group = VERB_PLAY,
    .args = {{.kind = ARG_CHOICE, .label = "win|draw"},
             {.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .may_be_certain = true,
    .help =
        N_("end a game because your opponent has been away too long; asks you first"),
    .more =
        N_("claim win     only while your opponent is away; you may also wait longer\n"
           "claim draw    also in an adjourned game, after many days"),
    .see = "adjourn, abort",
    .run = claim_run,
};

/* --- record, save --- */

/* Returns the typed number of a game; the model need not have this game. If no number
 * was typed, returns the number of the current game. Returns -1 after a refusal. */
static int64_t take_number(struct verb_call *call)
{
    if (args_has(&call->args, ARG_GAME))
        return call->args.number[ARG_GAME];
    if (call->model->current != NULL)
        return call->model->current->id;
    verb_refuse(call,
                _("Of which game? Type \"%s NUMBER\" (\"history\" lists your games)."),
                call->verb->name);
    return -1;
}

static void record_run(struct verb_call *call)
{
    int64_t id = take_number(call);

    if (id < 0)
        return;
    call->action->kind = ACTION_SEND;
    text_addf(&call->line, "record %lld", (long long)id);
}

const struct verb verb_record = {
    .name = "record",
    .group = VERB_FIND,
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}},
    .help = N_("show the signed record of a game that has ended"),
    .more = "record 17",
    .see = "save, history, moves",
    .run = record_run,
};

static void save_run(struct verb_call *call)
{
    int64_t id = take_number(call);

    if (id < 0)
        return;
    call->action->kind = ACTION_SAVE;
    call->action->number = id;
    if (args_has(&call->args, ARG_FILE))
        text_add(&call->words, call->args.text[ARG_FILE]);
}

const struct verb verb_save = {
    .name = "save",
    .group = VERB_PLAY,
    .shown = N_("save [FILE]"),
    .brief = N_("keep the game"),
    .args = {{.kind = ARG_GAME, .need = ARG_OPTIONAL},
             {.kind = ARG_FILE, .need = ARG_OPTIONAL}},
    .help = N_("keep a game in a file, for \"janggi replay\" and \"janggi convert\""),
    .more =
        N_("save            the current game, as game-NUMBER.record in this directory\n"
           "save 17 a.record"),
    .see = "record, history",
    .run = save_run,
};
