/* Verbs of a player in a game, and those that find one: moves, setup, draw, takeback,
 * resign, rematch, say, accept, watch. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/formats/notation.h"
#include "client/verb/verb.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { LEVEL_USUAL = 5, LEVEL_MOST = 10, USES_MOST = 1000 };

/* --- Moves --- */

/* Refuses a move that the server would refuse: this saves a round trip. Returns false
 * after a refusal. */
static bool may_move_now(struct verb_call *call, const struct model_game *game)
{
    const struct model_game *next = model_next_game(call->model, call->view->now_ms);
    char move[TERM_MOVE_BYTES];

    if (game->is_broken)
        return true; /* our own board may be wrong: let the server judge */
    if (game->game.phase == GAME_SETUP) {
        verb_refuse(
            call, _("Both sides must set up first, with \"setup 1\" to \"setup 4\"."));
    } else if (game->game.phase == GAME_OVER && next != NULL) {
        verb_refuse(
            call, _("Game %lld is over. Game %lld goes on: \"game %lld\" goes there."),
            (long long)game->id, (long long)next->id, (long long)next->id);
    } else if (game->game.phase == GAME_OVER) {
        verb_refuse(call, _("Game %lld is over. \"rematch\" asks for another."),
                    (long long)game->id);
    } else if (game->game.is_adjourned) {
        verb_refuse(call, _("Game %lld is adjourned. \"continue\" asks to go on."),
                    (long long)game->id);
    } else if (game_turn(&game->game) == SIDE_NONE) {
        verb_refuse(call, _("The game has just ended; the server will say how."));
    } else if (game_turn(&game->game) != game->side) {
        verb_refuse(call, _("It is %s's turn; you play %s."),
                    term_side(game_turn(&game->game)), term_side(game->side));
    } else if (game->pending.state == PENDING_SENT ||
               (game->pending.state == PENDING_LOST && !game->pending.is_told)) {
        /* once the player was asked about a lost move, a new one replaces it */
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

void verb_play_typed(struct verb_call *call, const struct typed_move *typed)
{
    struct model_game *game = verb_our_game(call);
    char words[SENTENCE_BYTES], text[TERM_MOVE_BYTES];
    struct fault fault = {.code = FAULT_NONE};
    struct move move;

    if (game == NULL || !may_move_now(call, game) || !verb_is_clear(call, typed))
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

static void move_run(struct verb_call *call)
{
    call->book->on_move(call, &call->args.move);
}

static void pass_run(struct verb_call *call)
{
    const struct typed_move pass = {.is_clear = true, .move = move_pass()};

    call->book->on_move(call, &pass);
}

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

static void send_lineup(struct verb_call *call, struct model_game *game,
                        enum lineup lineup)
{
    call->action->kind = ACTION_SEND;
    call->action->game = game;
    text_addf(&call->line, "setup %lld %s", (long long)game->id, lineup_name(lineup));
}

void verb_take_usual_lineup(struct verb_call *call)
{
    struct model_game *current = call->model->current;

    if (current != NULL && current->is_ours && is_ours_to_set_up(current))
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

bool verb_takes_lineup(const struct model *model)
{
    const struct model_game *game = model->current;

    return game != NULL && game->is_ours && may_set_up(game);
}

/* Returns the game for which a line-up was typed: the game that was named; else the
 * current game if we may choose there; else any game where we are to choose. NULL after a
 * refusal. */
static struct model_game *find_our_setup(struct verb_call *call)
{
    struct model_game *game = NULL;

    if (!args_has(&call->args, ARG_GAME) && !verb_takes_lineup(call->model))
        for (game = call->model->games; game != NULL && !is_ours_to_set_up(game);)
            game = game->next;
    if (game == NULL)
        game = verb_our_game(call);
    if (game == NULL || may_set_up(game))
        return game;
    refuse_setup(call, game);
    return NULL;
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

/* Sends the line-up NBBN with the typed pairs swapped, in the form of Game Courier: "b1 c1; swap
 * g1 h1". Each pair may be swapped only once. Asks first, unless "swap!" was typed. */
static void swap_run(struct verb_call *call)
{
    struct model_game *game = find_our_setup(call);
    const char *text = call->args.text[ARG_TEXT];
    unsigned wings = 0;

    if (game == NULL)
        return;
    while (*text != '\0') {
        size_t len = strcspn(text, ";"), used = len;
        char swap[32];
        enum side whose;
        enum wing wing;

        while (used > 0 && text[used - 1] == ' ')
            used--;
        snprintf(swap, sizeof swap, "swap %.*s", used < 24 ? (int)used : 23, text);
        if (!notation_parse_swap(swap, &whose, &wing) ||
            (wings & (unsigned)wing) != 0) {
            verb_refuse(call,
                        _("\"%s\" are not the points of a knight and a bishop that can "
                          "change places. Nothing was done."),
                        swap + 5);
            return;
        }
        if (whose != game->side) {
            verb_refuse(
                call,
                _("\"%s\" are points of your opponent's pieces. Nothing was done."),
                swap + 5);
            return;
        }
        wings |= (unsigned)wing;
        text += len + strspn(text + len, "; ");
        if (strncmp(text, "swap ", 5) == 0)
            text += 5;
    }
    send_lineup(call, game, (enum lineup)wings);
    if (call->action->is_certain)
        return;
    call->action->kind = ACTION_ASK;
    text_addf(&call->words, _("Set up %s?"), lineup_name((enum lineup)wings));
}

/* --- draw, takeback, resign, abort, rematch, say --- */

/* Sends "VERB GAME". */
static void send_for_game(struct verb_call *call)
{
    text_addf(&call->line, "%s %lld", call->verb->name, (long long)call->game->id);
}

/* Turns the action, which would send a command, into the question `question`, in which
 * %lld is the game's number. Does nothing if the verb was typed with "!", as "resign!", or
 * if the game is over: then the server refuses the command and says why. */
static void ask_first(struct verb_call *call, const char *question)
{
    if (call->action->is_certain || call->game->game.phase == GAME_OVER)
        return;
    call->action->kind = ACTION_ASK;
    text_addf(&call->words, question, (long long)call->game->id);
}

static void takeback_run(struct verb_call *call)
{
    int64_t back = call->args.number[ARG_NUMBER];
    int plies = call->game->game.plies;

    send_for_game(call);
    if (back > plies)
        verb_refuse(
            call,
            _("The game has fewer plies: \"takeback N\" takes back the last N plies."));
    else if (back > 0)
        text_addf(&call->line, " to=%d", plies - (int)back);
}

static void resign_run(struct verb_call *call)
{
    send_for_game(call);
    ask_first(call, _("Give up game %lld?"));
}

/* Asks first if the command ends the game at once. At a server, it is only an offer after
 * both sides have moved, unless the opponent has made the same offer. */
static void abort_run(struct verb_call *call)
{
    const struct model_game *game = call->game;
    bool is_certain =
        !call->book->has_games || game->is_broken || game->game.plies < SIDES;

    for (int i = 0; i < game->offers.count; i++)
        is_certain |= strcmp(game->offers.at[i].kind, "abort") == 0 &&
                      !model_is_same_name(game->offers.at[i].by, call->model->name);
    send_for_game(call);
    if (is_certain)
        ask_first(call, _("End game %lld without a result?"));
}

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
    call->game = call->action->game = verb_our_game(call);
    if (call->game == NULL)
        return;
    send_for_game(call);
    if (terms[0] != '\0')
        text_addf(&call->line, " %s", terms);
}

static void say_run(struct verb_call *call)
{
    long long id = (long long)call->game->id;

    if (call->game->is_ours)
        text_addf(&call->line, "say game=%lld %s", id, call->args.text[ARG_TEXT]);
    else if (call->game->game.phase == GAME_OVER)
        verb_refuse(
            call,
            _("Game %lld is over, and you only watched it. After \"watch %lld\" "
              "you can whisper to others who watch it."),
            id, id);
    else
        verb_refuse(call,
                    _("You only watch game %lld; \"whisper\" speaks to the others who "
                      "watch."),
                    id);
}

/* --- claim --- */

/* Does not ask about a claim that the server will refuse, because the opponent is present
 * or has not been absent long enough. */
static void claim_run(struct verb_call *call)
{
    const struct model_game *game = call->game;
    int64_t left_ms;
    bool is_in_vain =
        !game->is_away[side_other(game->side)] ||
        (model_claim_left(game, call->view->now_ms, &left_ms) && left_ms > 0);
    bool is_win = strcasecmp(call->args.text[ARG_CHOICE], "win") == 0;

    send_for_game(call);
    text_add(&call->line, is_win ? " win" : " draw");
    if (!is_in_vain)
        ask_first(call,
                  is_win
                      ? _("Claim the win of game %lld, because your opponent is away?")
                      : _("Claim a draw in game %lld?"));
}

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
    text_addf(&call->line, "record %lld", (long long)take_number(call));
}

static void save_run(struct verb_call *call)
{
    call->action->number = take_number(call);
    if (call->action->number >= 0 && args_has(&call->args, ARG_FILE))
        text_add(&call->words, call->args.text[ARG_FILE]);
}

/* --- computer, accept, decline, watch --- */

static void door_run(struct verb_call *call)
{
    text_add(&call->line, "invite door");
    if (args_has(&call->args, ARG_NUMBER))
        text_addf(&call->line, " uses=%lld", (long long)call->args.number[ARG_NUMBER]);
}

static void computer_run(struct verb_call *call)
{
    call->action->number =
        args_has(&call->args, ARG_NUMBER) ? call->args.number[ARG_NUMBER] : LEVEL_USUAL;
}

/* Accepts or declines the offer whose number was typed. If no number was typed, and
 * exactly one offer is open, accepts or declines that offer. Otherwise refuses. */
static void answer_offer(struct verb_call *call)
{
    struct model_open open[MODEL_OPEN_MAX];
    int count = model_list_open(call->model, open);
    bool is_reply = words_is_yes(call->word) || words_is_no(call->word);
    int64_t id = args_has(&call->args, ARG_OFFER) ? call->args.number[ARG_OFFER]
                 : count == 1                     ? open[0].offer->id
                                                  : 0;
    const struct model_game *game = call->model->current;
    char words[2048];
    struct text list = text_into(words, sizeof words);

    if (id == 0 && count == 0 && !is_reply && strcmp(call->verb->name, "accept") == 0 &&
        (game == NULL || !model_is_playing(game)))
        id = call->model->seek_id;
    if (is_reply && (call->view->is_private || (id == 0 && count == 0))) {
        verb_refuse(call, _("There is nothing to answer."));
    } else if (id != 0) {
        text_addf(&call->line, "%s %lld", call->verb->name, (long long)id);
    } else if (count > 1) {
        for (int i = 0; i < count; i++) {
            text_addf(&list, "\n  %s %-4lld ", call->verb->name,
                      (long long)open[i].offer->id);
            told_offer(&list, call->model, &open[i], "=open_offer");
        }
        verb_refuse(call, _("Which one? Nothing was done.%s"), words);
    } else {
        verb_refuse(call,
                    _("Nothing is offered to you. \"seeks\" lists games on offer."));
    }
}

static void watch_run(struct verb_call *call)
{
    call->action->number = call->args.number[ARG_GAME];
    text_addf(&call->line, "watch %s", call->args.text[ARG_GAME]);
    if (args_has(&call->args, ARG_WORD))
        text_addf(&call->line, " code=%s", call->args.text[ARG_WORD]);
}

/* --- The table --- */

static const struct arg a_game[ARGS_MAX] = {{.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg a_move[ARGS_MAX] = {{.kind = ARG_MOVE}};
static const struct arg lineup[ARGS_MAX] = {
    {.kind = ARG_GAME, .need = ARG_OPTIONAL},
    {.kind = ARG_LINEUP, .label = "1|2|3|4|NBBN|BNBN|NBNB|BNNB|same"}};
static const struct arg plies[ARGS_MAX] = {
    {ARG_NUMBER, ARG_OPTIONAL, "N", 1, VERB_PLIES_MOST}};
static const struct arg offer[ARGS_MAX] = {{.kind = ARG_OFFER, .need = ARG_OPTIONAL}};
static const struct arg say_words[ARGS_MAX] = {{.kind = ARG_TEXT}};
static const struct arg terms[ARGS_MAX] = {
    {.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = N_("TERMS")}};
static const struct arg save_game[ARGS_MAX] = {
    {.kind = ARG_GAME, .need = ARG_OPTIONAL}, {.kind = ARG_FILE, .need = ARG_OPTIONAL}};
static const struct arg save_file[ARGS_MAX] = {
    {.kind = ARG_FILE, .need = ARG_OPTIONAL}};
static const struct arg load_file[ARGS_MAX] = {{.kind = ARG_FILE}};
static const struct arg level_here[ARGS_MAX] = {
    {ARG_NUMBER, ARG_OPTIONAL, "1-10", 1, LEVEL_MOST}};
static const struct arg swap_points[ARGS_MAX] = {
    {.kind = ARG_TEXT, .label = N_("POINT POINT")}};
static const struct arg claim[ARGS_MAX] = {{.kind = ARG_CHOICE, .label = "win|draw"},
                                           {.kind = ARG_GAME, .need = ARG_OPTIONAL}};
static const struct arg level[ARGS_MAX] = {
    {ARG_NUMBER, ARG_OPTIONAL, N_("LEVEL"), 1, LEVEL_MOST}};
static const struct arg watch[ARGS_MAX] = {
    {.kind = ARG_GAME}, {.kind = ARG_WORD, .need = ARG_OPTIONAL, .label = N_("CODE")}};
static const struct arg uses[ARGS_MAX] = {
    {ARG_NUMBER, ARG_OPTIONAL, N_("NUMBER"), 1, USES_MOST}};

/* name, modes, group, arguments, shown, brief,
 * help, more,
 * see, about, gives, run */
const struct verb verbs_to_play[] = {
    {"move", VERB_GAMES, VERB_PLAY, a_move, "b0c2", N_("a move: from, to"),
     N_("play a move: the point a piece stands on, and where it goes"),
     N_("b0c2      also B0-C2, b0 c2, nB0-C2\n"
        "e3e4      a pawn from E3 to E4\n"
        "pass      where the rules allow it"),
     "legal, show, pass, takeback, rules", VERB_NO_GAME, ACTION_MOVE, move_run},
    {"setup", VERB_GAMES, VERB_PLAY, lineup, "setup 1-4", N_("choose a line-up"),
     N_("choose how your knights (N) and bishops (B) stand on B, C, G and H"),
     N_("setup 1     NBBN, knights outside\n"
        "setup 3     NBNB: figure 2 of Martin's rules, the default of JANGKI\n"
        "setup 4     BNNB, bishops outside\n"
        "setup NBNB  the same as setup 3; or in hangul, then as seen from your side\n"
        "setup same  the same columns as your opponent, as Martin advises\n"
        "Enter       takes setup same, or setup 3 if you choose first"),
     "move, rules", VERB_NO_GAME, ACTION_SEND, setup_run},
    {"takeback", VERB_LOCAL, VERB_PLAY, plies, "takeback [N]", N_("undo"),
     N_("take back your last move, or the last N plies; also after the end"),
     "takeback 2", "moves, new", VERB_NO_GAME, ACTION_TAKEBACK, NULL},
    {"draw", VERB_GAMES, VERB_PLAY, a_game, NULL, N_("offer or agree"),
     N_("offer a draw, or agree to the one offered"), "draw\ndraw 17",
     "decline, withdraw, takeback", VERB_OUR_GAME, ACTION_SEND, send_for_game},
    {"takeback", VERB_ONLINE, VERB_PLAY, plies, NULL, N_("ask to undo a move"),
     N_("ask to take back your last move, or the last N plies"), "takeback\ntakeback 2",
     "accept, decline, abort", VERB_OUR_GAME, ACTION_SEND, takeback_run},
    {"resign", VERB_GAMES | VERB_ASKS, VERB_PLAY, a_game, NULL, N_("give up the game"),
     N_("give up the game; \"resign!\" does not ask you first"), "resign\nresign!",
     "draw, abort, quit", VERB_OUR_GAME, ACTION_SEND, resign_run},
    {"accept", VERB_ONLINE, VERB_PLAY, offer, NULL, N_("what is offered"),
     N_("take what was offered: a draw, a takeback, a challenge, a seek"),
     N_("accept       what is offered to you, or the only game that \"seeks\" has "
        "listed\n"
        "accept 12"),
     "decline, seeks", VERB_NO_GAME, ACTION_SEND, answer_offer},
    {"say", VERB_ONLINE, VERB_PLAY, say_words, N_("say TEXT"), N_("to your opponent"),
     N_("tell your opponent something"), "say good luck", "whisper", VERB_ANY_GAME,
     ACTION_SEND, say_run},
    {"new", VERB_LOCAL | VERB_ASKS, VERB_PLAY, NULL, NULL, N_("another game"),
     N_("another game with the same sides"), NULL, "rematch, level", VERB_NO_GAME,
     ACTION_NEW, NULL},
    {"rematch", VERB_ONLINE, VERB_PLAY, terms, NULL, N_("once more"),
     N_("after the end, ask for another game with sides changed"),
     N_("rematch\n"
        "rematch 5m         the same with other clocks\n"
        "rematch 10 5       10 minutes, plus 5 seconds for each move\n"
        "rematch kja red    with other rules, and you play red"),
     "challenge, decline, save", VERB_NO_GAME, ACTION_SEND, rematch_run},
    {"rematch", VERB_LOCAL, VERB_PLAY, a_game, NULL, N_("once more"),
     N_("after the end, ask for another game with sides changed"), NULL, "new, save",
     VERB_ANY_GAME, ACTION_SEND, send_for_game},
    {"save", VERB_ONLINE, VERB_PLAY, save_game, N_("save [FILE]"), N_("keep the game"),
     N_("keep a game in a file, for \"janggi replay\" and \"janggi convert\""),
     N_("save            the current game, as game-NUMBER.record in this directory\n"
        "save 17 a.record"),
     "record, history", VERB_NO_GAME, ACTION_SAVE, save_run},
    {"save", VERB_LOCAL | VERB_ASKS, VERB_PLAY, save_file, N_("save FILE"),
     N_("keep the game"),
     N_("write the game to FILE, as a record that can be loaded, replayed and "
        "converted"),
     "save sunday.record", "load", VERB_NO_GAME, ACTION_SAVE, NULL},
    {"load", VERB_LOCAL | VERB_REPLAY | VERB_ASKS, VERB_PLAY, load_file,
     N_("load FILE"), N_("continue a game"), N_("go on with the game in FILE"),
     "load sunday.record", "save, new, goto", VERB_NO_GAME, ACTION_LOAD, NULL},
    {"level", VERB_LOCAL, VERB_PLAY, level_here, "level 1-10",
     N_("the computer's level"), N_("how strong the computer plays"), "level 3",
     "hint, new", VERB_NO_GAME, ACTION_LEVEL, NULL},
    {"pass", VERB_GAMES | VERB_LEARN, VERB_PLAY, a_game, NULL, NULL,
     N_("make no move, where the rules allow it"), NULL, "legal, rules, hint",
     VERB_NO_GAME, ACTION_MOVE, pass_run},
    {"swap", VERB_GAMES | VERB_ASKS, VERB_PLAY, swap_points, NULL, NULL,
     N_("choose a line-up as Game Courier does: a knight and a bishop change places"),
     N_("swap b1 c1              Red's left pair (rows are counted from 1): BNBN\n"
        "swap b10 c10            Blue's\n"
        "swap b1 c1; swap g1 h1  both pairs: BNNB"),
     "setup", VERB_NO_GAME, ACTION_ASK, swap_run},
    {"abort", VERB_GAMES | VERB_ASKS, VERB_PLAY, a_game, NULL, NULL,
     N_("end the game without a result; once both have moved, both must agree"),
     "abort\nabort!", "resign, draw", VERB_OUR_GAME, ACTION_SEND, abort_run},
    {"claim", VERB_ONLINE | VERB_ASKS, VERB_PLAY, claim, NULL, NULL,
     N_("end a game because your opponent has been away too long; asks you first"),
     N_("claim win     only while your opponent is away; you may also wait longer\n"
        "claim draw    also in an adjourned game, after many days"),
     "adjourn, abort", VERB_OUR_GAME, ACTION_SEND, claim_run},
    {"decline", VERB_ONLINE, VERB_PLAY, offer, NULL, NULL,
     N_("refuse what was offered"), "decline\ndecline 12", "accept", VERB_NO_GAME,
     ACTION_SEND, answer_offer},
    {"computer", VERB_ONLINE, VERB_FIND, level, "computer 3", N_("play the computer"),
     N_("play against the computer, here at this server"),
     N_("computer 3    at level 3 of 10; without a number, at level 5"), "seek, invite",
     VERB_NO_GAME, ACTION_COMPUTER, computer_run},
    {"record", VERB_ONLINE, VERB_FIND, a_game, NULL, NULL,
     N_("show the signed record of a game that has ended"), "record 17",
     "save, history, moves", VERB_NO_GAME, ACTION_SEND, record_run},
    {"watch", VERB_ONLINE, VERB_WATCH, watch, "watch 3", N_("see game 3"),
     N_("see a game from its beginning, then live"),
     N_("watch 3\n"
        "watch 17 17-K7Q29F3MW4XHT6PB   a private game, with the code of its link"),
     "games, unwatch, whisper, watchlink", VERB_NO_GAME, ACTION_SEND, watch_run},
    {"door", VERB_ONLINE, VERB_STAFF, uses, NULL, NULL,
     N_("for staff: make a link by which NUMBER people can become members"),
     N_("door              a link for 20 people, valid for 7 days\n"
        "door 3            a link for three"),
     "invite", VERB_NO_GAME, ACTION_SEND, door_run},
    {.name = NULL}};
