/* See session.h. */
#include "client/play/session.h"

#include <stdlib.h>
#include <string.h>

#include "client/verb/verbs.h"
#include "client/view/json.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"

void session_clear(struct session *session)
{
    trial_end(&session->trial);
}

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
    bool is_tried = game != NULL && trial_is_of(&session->trial, game);

    return (struct render_view){
        .now_ms = mono_now_ms(),
        .has_color = console_has_color(console),
        .is_marked = console_is_editing(console),
        .is_spoken = session->prefs->is_speech,
        .tried = is_tried ? session->trial.tried : 0,
        .takes_enter = console_is_screen(console) && is_ready(session),
        .pieces = session->prefs->pieces,
    };
}

void session_show_board(struct session *session, const struct model_game *game)
{
    char board[RENDER_SCREEN_BYTES];
    struct text text = text_into(board, sizeof board);
    struct render_view view = session_view(session);

    if (session->prefs->is_json) {
        json_board(&text, game, view.now_ms);
        console_print(session->console, board);
        return;
    }
    if (view.is_spoken) {
        speech_describe(&text, game, view.now_ms);
        console_say(session->console, board);
        return;
    }
    text_add(&text, "\n");
    render_screen(&text, session->model, game, &view);
    console_print(session->console,
                  console_is_screen(session->console) ? board : board + 1);
}

void session_show_setup_choice(struct session *session, const struct model_game *game,
                               const char *head)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!console_is_screen(session->console))
        return;
    text_add(&text, head);
    if (session->prefs->is_speech)
        speech_setup_choice(&text, session->model, game, mono_now_ms());
    else
        render_setup_choice(&text, session->model, game, mono_now_ms());
    console_say(session->console, words);
}

/* What the setting means for game: against a computer the board after its answer is
 * enough. */
static bool is_board_due(const struct session *session, const struct model_game *game)
{
    enum side other = game->is_ours ? side_other(game->side) : SIDE_NONE;
    bool is_computer = session->is_against_computer ||
                       (other != SIDE_NONE && model_is_bot(game->game.name[other]));
    struct render_view view = {.board = session->prefs->board};

    if (view.board == LOOK_BOARD_AUTO)
        view.board = is_computer ? LOOK_BOARD_MINE : LOOK_BOARD_EACH;
    return game == session->model->current && render_wants_board(game, &view);
}

/* An event as one line, for a pipe or to be read aloud. */
static void show_line(struct session *session, const struct model_news *news,
                      int64_t now_ms)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    if (session->prefs->is_json) {
        json_event(&text, news, now_ms);
        console_print(session->console, words);
        return;
    }
    if (!session->prefs->is_speech) {
        words_event(&text, news, now_ms);
    } else {
        if (news->game != session->model->current)
            text_addf(&text, _("Game %lld: "), (long long)news->game->id);
        speech_event(&text, news, now_ms);
    }
    console_say(session->console, words);
}

/* What a board does not show of an event. */
static void show_aside(struct session *session, const struct model_news *news)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_event_aside(&text, news);
    if (text.len > 0 && news->game != session->model->current &&
        news->event.kind == EVENT_SETUP)
        console_sayf(session->console, _("-- game %lld: %s"), (long long)news->game->id,
                     words + strlen("-- "));
    else
        console_say(session->console, words);
}

/* A move without its board. */
static void show_played(struct session *session, const struct model_game *game)
{
    char words[WORDS_PLAYED_BYTES];
    struct text text = text_into(words, sizeof words);

    words_played(&text, session->model, game);
    console_say(session->console, words);
    if (game != session->model->current && model_is_our_turn(game))
        console_sayf(session->console,
                     _("-- your move in game %lld: \"game %lld\" goes there\n"),
                     (long long)game->id, (long long)game->id);
}

void session_show_event(struct session *session, const struct model_news *news,
                        int64_t now_ms)
{
    const struct model_game *game = news->game;
    bool is_end = news->event.kind == EVENT_END;

    if (!console_is_screen(session->console) || session->prefs->is_speech) {
        show_line(session, news, now_ms);
        return;
    }
    if (!is_end)
        show_aside(session, news);
    if (is_board_due(session, game))
        session_show_board(session, game);
    else if (news->event.kind == EVENT_MOVE)
        show_played(session, game);
    if (is_end)
        show_aside(session, news);
}

void session_add_prompt(const struct session *session, struct text *out)
{
    struct render_view view = session_view(session);

    render_prompt(out, session->model, &view);
}

void session_follow(struct session *session, const struct model_game *game)
{
    struct trial *trial = &session->trial;

    if (!trial->is_on || trial->board.id != game->id || trial_is_of(trial, game))
        return;
    trial_end(trial);
    console_say(session->console,
                _("-- the game has gone on: the private board is gone\n"));
}

/* --- Deeds --- */

/* Said behind the board, so that it is not mistaken for the game's. */
static void do_try(struct session *session, const struct deed *deed)
{
    struct trial *trial = &session->trial;
    char words[SENTENCE_BYTES];
    struct fault fault;

    if (!trial_move(trial, deed->game, deed->move, &fault)) {
        sentence_fault(words, fault);
        console_refusef(session->console, _("-- not made: %s\n"), words);
        return;
    }
    session_show_board(session, &trial->board);
    console_sayf(session->console,
                 _("-- a private board, %d from the game; nothing is sent; "
                   "\"back\" returns\n"),
                 trial->tried);
}

static void do_back(struct session *session, const struct deed *deed)
{
    if (!session->trial.is_on) {
        console_refuse(session->console,
                       _("No private board is on. Nothing was done.\n"));
        return;
    }
    trial_end(&session->trial);
    session_show_board(session, deed->game);
}

static void do_flip(struct session *session, const struct deed *deed)
{
    deed->game->is_turned = !deed->game->is_turned;
    if (session->referee->on_flip != NULL)
        session->referee->on_flip(session->owner, deed->game);
    session_show_board(session, deed->game);
}

static void do_set(struct session *session, const struct deed *deed)
{
    char words[RENDER_SCREEN_BYTES] = "";

    if (deed->line[0] == '\0') {
        prefs_list(session->prefs, words, sizeof words);
        console_say(session->console, words);
    } else if (!prefs_set(session->prefs, deed->line, deed->words, words)) {
        console_refusef(session->console, "-- %s\n", words);
    } else if (console_is_screen(session->console)) {
        console_sayf(session->console, "-- %s: %s\n", deed->line, deed->words);
    }
    console_take_prefs(session->console);
    if (session->referee->on_set != NULL)
        session->referee->on_set(session->owner);
}

static void do_ask(struct session *session, const struct deed *deed)
{
    char words[128];
    struct text text = text_into(words, sizeof words);

    if (!console_is_screen(session->console) || !is_ready(session)) {
        session->referee->send(session->owner, deed->line, -1);
        return;
    }
    text_copy(session->sure_line, sizeof session->sure_line, deed->line);
    text_addf(&text, _("%.100s (yes or no) "), deed->words);
    console_ask(session->console, SESSION_QUESTION_SURE, words);
}

void session_answer(struct session *session, const char *line)
{
    if (words_is_yes(line))
        session->referee->send(session->owner, session->sure_line, -1);
    else
        console_say(session->console, _("Nothing was done.\n"));
}

static void carry_out(struct session *session, const struct deed *deed)
{
    switch (deed->kind) {
    case DEED_REFUSE:
        console_refuse(session->console, deed->words);
        break;
    case DEED_SAY:
        console_say(session->console, deed->words);
        break;
    case DEED_SEND:
        session->referee->send(session->owner, deed->line,
                               deed->game != NULL ? deed->game->id : deed->number);
        break;
    case DEED_ASK:
        do_ask(session, deed);
        break;
    case DEED_MOVE:
        session->referee->move(session->owner, deed);
        break;
    case DEED_FLIP:
        do_flip(session, deed);
        break;
    case DEED_BOARD:
        session_show_board(session, deed->game);
        break;
    case DEED_SET:
        do_set(session, deed);
        break;
    case DEED_TRY:
        do_try(session, deed);
        break;
    case DEED_BACK:
        do_back(session, deed);
        break;
    default:
        session->referee->run(session->owner, deed);
        break;
    }
}

void session_line(struct session *session, const char *line)
{
    struct deed *deed = mem_new(sizeof *deed);
    struct render_view view = session_view(session);
    const struct game *tried = &session->trial.board.game;
    struct typed_board board = {tried->rules, &tried->position};

    verbs_read(session->verbs, session->model, view.tried > 0 ? &board : NULL, line,
               &view, deed);
    carry_out(session, deed);
    free(deed);
}

const char *session_complete(struct session *session, const char *before,
                             const char *word, size_t i)
{
    return complete_word(&session->complete, session->verbs, session->model,
                         session->known, before, word, i);
}
