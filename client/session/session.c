/* See session.h. */
#include "client/session/session.h"

#include <stdlib.h>

#include "client/analyse/analyst.h"
#include "client/analyse/report.h"
#include "client/verb/verbs.h"
#include "client/view/facts.h"
#include "client/view/manner.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

static bool is_ready(const struct session *session)
{
    return session->referee->is_ready == NULL ||
           session->referee->is_ready(session->owner);
}

/* --- What is shown --- */

struct render_view session_view(const struct session *session)
{
    const struct console *console = session->console;
    const struct model_game *game = session->model->current;
    const struct trial *trial = &session->trial;
    bool is_private = game != NULL && trial_is_of(trial, game);

    return (struct render_view){
        .now_ms = session->is_still ? 0 : mono_now_ms(),
        .has_color = console_has_color(console),
        .is_marked = console_is_editing(console),
        .is_spoken = console_is_spoken(console),
        .is_private = is_private || session->is_private,
        .at = is_private ? trial->at : 0,
        .tried = is_private ? trial->tried : 0,
        .takes_enter = console_is_screen(console) && is_ready(session),
        .pieces = session->prefs->pieces,
        .columns = console_columns(console),
    };
}

static struct manner_scene make_scene(const struct session *session)
{
    return (struct manner_scene){
        .model = session->model,
        .view = session_view(session),
        .columns = console_columns(session->console),
    };
}

void session_show_board(struct session *session, const struct model_game *game)
{
    struct manner_scene scene = make_scene(session);
    struct facts facts;

    facts_take_game(&facts, game, scene.view.now_ms);
    console_show(session->console, &scene, &facts);
}

void session_show_setup_choice(struct session *session, const struct model_game *game,
                               const char *head)
{
    struct manner_scene scene = make_scene(session);

    scene.head = head;
    console_show_setup_choice(session->console, &scene, game);
}

/* Returns true if the settings require a board now. In a game against a computer, the
 * default is to show the board only after the computer's move. */
static bool is_board_due(const struct session *session, const struct model_game *game)
{
    enum side other = game->is_ours ? side_other(game->side) : SIDE_NONE;
    bool is_computer = session->is_against_computer ||
                       (other != SIDE_NONE && model_is_bot(game->game.name[other]));
    enum look_board board = session->prefs->board;

    if (board == LOOK_BOARD_AUTO)
        board = is_computer ? LOOK_BOARD_MINE : LOOK_BOARD_EACH;
    return game == session->model->current && render_wants_board(game, board);
}

void session_show_event(struct session *session, const struct model_news *news,
                        int64_t now_ms, const char *after_end)
{
    struct manner_scene scene = make_scene(session);
    struct facts facts;

    scene.wants_board =
        console_has_boards(session->console) && is_board_due(session, news->game);
    scene.after_end = after_end;
    facts_take_event(&facts, news, now_ms);
    console_show(session->console, &scene, &facts);
}

static struct session_target find_target(const struct session *session)
{
    const struct model_game *game = session->model->current;

    return (struct session_target){
        .game = game != NULL ? game->id : 0,
        .is_private = game != NULL && trial_is_of(&session->trial, game),
        .is_choosing = is_ready(session) && verb_takes_lineup(session->model),
    };
}

void session_check_target(struct session *session)
{
    struct session_target before = session->target, now = find_target(session);

    session->target = now;
    if ((before.is_private && !now.is_private) ||
        (now.is_choosing && !before.is_choosing) ||
        (before.game != now.game && before.game != 0 && now.game != 0))
        console_drop_typed(session->console);
}

void session_add_prompt(struct session *session, struct text *out)
{
    struct render_view view;

    session_check_target(session);
    view = session_view(session);
    render_prompt(out, session->model, &view);
}

void session_follow(struct session *session, const struct model_game *game)
{
    struct trial *trial = &session->trial;

    if (!trial->is_on || trial->board.id != game->id || trial_is_of(trial, game))
        return;
    trial_end(trial);
    console_say(session->console,
                _("-- the game has changed, so the private board was closed\n"));
}

/* --- The analysis of a game --- */

static void end_analysis(struct session *session)
{
    analyst_free(session->analyst);
    session->analyst = NULL;
}

static void on_analysed(void *owner)
{
    struct session *session = owner;
    const struct analysis *analysis = analyst_analysis(session->analyst);
    char *text = console_is_spoken(session->console) ? report_write_speech(analysis)
                                                     : report_write_text(analysis);

    end_analysis(session);
    console_say(session->console, text);
    free(text);
    console_go_on(session->console);
}

void session_analyse(struct session *session, const struct game *game)
{
    static const struct analyst_calls calls = {.on_done = on_analysed};
    const struct analyst_wish wish = {.seconds = ANALYST_SECONDS};
    struct console *console = session->console;

    if (session->analyst != NULL) {
        console_refuse(console,
                       _("-- a game is being analysed already; Ctrl-C ends that\n"));
        return;
    }
    if (game->plies == 0) {
        console_refuse(console, _("-- the game has no moves to analyse\n"));
        return;
    }
    session->analyst = analyst_new(console_base(console), game, &wish, &calls, session);
    if (session->analyst != NULL)
        console_sayf(console, _("-- analysing, at most %d seconds; Ctrl-C ends it\n"),
                     ANALYST_SECONDS);
    else
        console_refuse(console, _("-- the analysis cannot start\n"));
}

bool session_stop_analysis(struct session *session)
{
    if (session->analyst != NULL)
        analyst_stop(session->analyst);
    return session->analyst != NULL;
}

/* --- Actions --- */

/* Says why a move on the private board is illegal. The player moves both sides on this
 * board. So if the piece belongs to the side that is not to move, the message says
 * whose turn it is. If no private board is open, also says where the next move that
 * the player types will be played. */
static void refuse_try(const struct session *session, const struct model_game *game,
                       struct fault fault)
{
    const struct trial *trial = &session->trial;
    const struct game *tried = trial->is_on ? &trial->board.game : &game->game;
    char words[SENTENCE_BYTES + 256], why[SENTENCE_BYTES];
    struct text text = text_into(words, sizeof words);

    sentence_fault(why, fault);
    if (fault.code == FAULT_NOT_YOURS)
        text_addf(&text, _("-- move not made: it is %s's turn here"),
                  term_side(game_turn(tried)));
    else
        text_addf(&text, _("-- move not made: %s"), why);
    if (!trial->is_on)
        text_add(&text, verb_no_trial(game));
    console_refusef(session->console, "%s\n", words);
}

/* Tries a move on the private board, shows the board, and says that nothing is sent. */
static void do_try(struct session *session, const struct action *action)
{
    struct trial *trial = &session->trial;
    struct fault fault;

    if (!trial_move(trial, action->game, action->move, &fault)) {
        refuse_try(session, action->game, fault);
        return;
    }
    session_show_board(session, &trial->board);
    if (trial->at == action->game->game.plies)
        console_sayf(
            session->console,
            _("-- a private board, moves tried: %d; nothing is sent; \"back\" returns\n"
              ""),
            trial->tried);
    else
        console_sayf(session->console,
                     _("-- a private board, moves tried: %d, from ply %d; \"replay\" "
                       "continues from that ply, \"back\" returns\n"),
                     trial->tried, trial->at);
}

/* Replays the game on a private board: goes to the ply that was given, or one ply on,
 * or back to the plies before the tried moves. For a screen reader, says the last move
 * instead of the board. */
static void do_replay(struct session *session, const struct action *action)
{
    struct trial *trial = &session->trial;
    int plies = action->game->game.plies, ply = (int)action->number;
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (ply < 0 && trial_is_of(trial, action->game))
        ply = trial->tried > 0 ? trial->at : trial->at + 1;
    else if (ply < 0)
        ply = 0;
    if (ply > plies && action->number < 0) {
        console_say(session->console,
                    _("-- that was the last move; \"back\" returns to "
                      "the game\n"));
        return;
    }
    if (!trial_replay(trial, action->game, ply)) {
        console_refusef(session->console, _("-- the game has %d plies\n"), plies);
        return;
    }
    if (!console_is_spoken(session->console) || ply == 0) {
        session_show_board(session, &trial->board);
    } else {
        speech_last(&text, &trial->board);
        console_say(session->console, words);
    }
    if (ply == 0)
        console_say(session->console,
                    _("-- \"replay\": next move; \"replay 30\": after ply 30; "
                      "\"back\": return to the game\n"));
}

static void do_set(struct session *session, const struct action *action)
{
    char words[RENDER_SCREEN_BYTES] = "";

    if (action->line[0] == '\0') {
        prefs_list(session->prefs, words, sizeof words);
        console_say(session->console, words);
    } else if (!prefs_set(session->prefs, action->line, action->words, words)) {
        console_refusef(session->console, "-- %s\n", words);
    } else if (console_is_screen(session->console)) {
        console_sayf(session->console, "-- %s: %s\n", action->line, action->words);
    }
    console_take_prefs(session->console);
    if (session->referee->on_set != NULL)
        session->referee->on_set(session->owner);
}

void session_ask(struct session *session, const char *line, const char *words)
{
    text_copy(session->sure_line, sizeof session->sure_line, line);
    text_copy(session->sure_words, sizeof session->sure_words, words);
    console_ask(session->console, SESSION_QUESTION_SURE, words);
}

void session_answer(struct session *session, const char *line)
{
    switch (console_take_yes(session->console, line)) {
    case ANSWER_YES:
        session->referee->send(session->owner, session->sure_line, -1);
        break;
    case ANSWER_NO:
        console_say(session->console, _("Nothing was done.\n"));
        break;
    case ANSWER_NEITHER:
        console_ask(session->console, SESSION_QUESTION_SURE, session->sure_words);
        break;
    }
}

static void carry_out(struct session *session, const struct action *action)
{
    const struct session_referee *referee = session->referee;
    char words[sizeof session->sure_words];
    struct text text = text_into(words, sizeof words);

    if (referee->run(session->owner, action))
        return;
    switch (action->kind) {
    case ACTION_REFUSE:
        console_refuse(session->console, action->words);
        break;
    case ACTION_SAY:
        console_say(session->console, action->words);
        break;
    case ACTION_SEND:
        referee->send(session->owner, action->line,
                      action->game != NULL ? action->game->id : action->number);
        break;
    case ACTION_ASK:
        text_addf(&text, _("%.100s (yes or no) "), action->words);
        if (console_is_screen(session->console) && is_ready(session))
            session_ask(session, action->line, words);
        else
            referee->send(session->owner, action->line, -1);
        break;
    case ACTION_FLIP:
        action->game->is_turned = !action->game->is_turned;
        if (referee->on_flip != NULL)
            referee->on_flip(session->owner, action->game);
        session_show_board(session, action->game);
        break;
    case ACTION_BOARD:
        session_show_board(session, action->game);
        break;
    case ACTION_SET:
        do_set(session, action);
        break;
    case ACTION_TRY:
        do_try(session, action);
        break;
    case ACTION_BACK:
        if (!session->trial.is_on) {
            console_refuse(session->console,
                           _("You have no private board. Nothing was done.\n"));
            break;
        }
        trial_end(&session->trial);
        session_show_board(session, action->game);
        break;
    case ACTION_REPLAY:
        do_replay(session, action);
        break;
    case ACTION_ANALYSE:
        session_analyse(session, &action->game->game);
        break;
    default:
        break; /* an action of other modes */
    }
}

void session_line(struct session *session, const char *line)
{
    struct action *action = mem_new(sizeof *action);
    struct render_view view = session_view(session);
    const struct game *tried = &session->trial.board.game;
    struct typed_board board = {tried->rules, &tried->position};
    bool is_tried = find_target(session).is_private;

    verbs_read(session->verbs, session->model, is_tried ? &board : session->board, line,
               &view, action);
    carry_out(session, action);
    free(action);
    session->target = find_target(session);
}

const char *session_complete(struct session *session, const char *before,
                             const char *word, size_t i)
{
    return complete_word(&session->complete, session->verbs, session->model,
                         session->known, before, word, i);
}

/* --- From a console of its own --- */

static void on_line(void *owner, const char *line)
{
    struct session *session = owner;
    const struct session_referee *referee = session->referee;

    console_remember(session->console, line);
    if (referee->take_line == NULL || !referee->take_line(session->owner, line))
        session_line(session, line);
    if (referee->on_done != NULL)
        referee->on_done(session->owner);
}

static void on_answer(void *owner, int id, const char *line)
{
    struct session *session = owner;

    (void)id; /* there is only SESSION_QUESTION_SURE */
    if (!words_is_yes(line) && !words_is_no(line))
        console_remember(session->console, line);
    session_answer(session, line);
    if (session->referee->on_done != NULL)
        session->referee->on_done(session->owner);
}

static void on_end(void *owner)
{
    struct session *session = owner;

    if (session->referee->on_end != NULL)
        session->referee->on_end(session->owner);
    else
        console_finish(session->console);
}

static bool on_interrupt(void *owner, bool is_last)
{
    struct session *session = owner;

    if (!is_last && session->referee->on_interrupt != NULL)
        session->referee->on_interrupt(session->owner);
    return session_stop_analysis(session);
}

static bool is_busy(void *owner)
{
    const struct session *session = owner;

    return session->analyst != NULL || (session->referee->is_busy != NULL &&
                                        session->referee->is_busy(session->owner));
}

static void add_prompt(void *owner, struct text *out)
{
    struct session *session = owner;

    if (session->referee->add_prompt != NULL)
        session->referee->add_prompt(session->owner, out);
    else
        session_add_prompt(session, out);
}

static const char *complete(void *owner, const char *before, const char *word, size_t i)
{
    return session_complete(owner, before, word, i);
}

void session_begin(struct session *session, const char *history_path)
{
    static const struct console_calls calls = {.on_line = on_line,
                                               .on_answer = on_answer,
                                               .on_end = on_end,
                                               .on_interrupt = on_interrupt,
                                               .is_busy = is_busy,
                                               .add_prompt = add_prompt,
                                               .complete = complete};

    session->console = console_new(session->prefs, history_path, &calls, session);
}

void session_clear(struct session *session)
{
    end_analysis(session);
    trial_end(&session->trial);
}

void session_end(struct session *session)
{
    session_clear(session);
    console_free(session->console);
}
