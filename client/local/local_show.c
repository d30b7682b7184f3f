/* All output of a game at one terminal: on a screen a board after each move, else every
 * event as one line, in the words of the client. See local_parts.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/local/local_parts.h"
#include "client/view/json.h"
#include "client/view/render.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/words/term.h"

static void print(struct local *local, const char *words)
{
    size_t len = strlen(words);

    if (len > 0 && !edit_print(local->edit, words, len))
        local_leave(local, CLIENT_EXIT_ERROR); /* nobody reads us any more */
}

/* A text that does not fit into the buffer is printed as it is. */
static void print_wrapped(struct local *local, const char *words)
{
    char wrapped[RENDER_SCREEN_BYTES + 1024];
    struct text text = text_into(wrapped, sizeof wrapped);

    render_wrapped(&text, words, edit_columns());
    print(local, text.is_cut ? words : wrapped);
}

static void say_json(struct local *local, const char *words)
{
    char object[JSON_BYTES];

    while (*words != '\0') {
        struct text text = text_into(object, sizeof object);

        words = json_say(&text, words);
        print(local, object);
    }
}

void show_refusal(struct local *local, const char *words)
{
    char object[JSON_BYTES];
    struct text text = text_into(object, sizeof object);

    if (!local->prefs.is_json) {
        show_words(local, words);
        return;
    }
    json_refusal(&text, words);
    print(local, object);
}

void show_words(struct local *local, const char *words)
{
    if (local->prefs.is_json) {
        say_json(local, words);
        return;
    }
    if (local->prefs.is_speech && strncmp(words, "-- ", 3) == 0)
        words += 3; /* a listener hears no marks */
    if (local->is_screen)
        print_wrapped(local, words);
    else
        print(local, words);
}

void show_say(struct local *local, const char *format, ...)
{
    char words[PROTO_LINE_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    show_words(local, words);
}

struct render_view show_view(const struct local *local)
{
    bool is_tried = trial_is_of(&local->trial, local->game);

    return (struct render_view){
        .now_ms = mono_now_ms(),
        .has_color = local->has_color,
        .is_marked = local->is_editing,
        .is_spoken = local->prefs.is_speech,
        .takes_enter = local->is_screen,
        .tried = is_tried ? local->trial.tried : 0,
        .pieces = local->prefs.pieces,
    };
}

void show_board(struct local *local)
{
    show_board_of(local, local->game);
}

void show_board_of(struct local *local, const struct model_game *game)
{
    char board[RENDER_SCREEN_BYTES];
    struct text text = text_into(board, sizeof board);
    struct render_view view = show_view(local);

    if (local->prefs.is_json) {
        json_board(&text, game, view.now_ms);
        print(local, board);
        return;
    }
    if (view.is_spoken) {
        speech_describe(&text, game, view.now_ms);
        show_words(local, board);
        return;
    }
    text_add(&text, "\n");
    render_screen(&text, &local->model, game, &view);
    show_words(local, local->is_screen ? board : board + 1);
}

void show_setup_choice(struct local *local)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!local->is_screen || local->game->game.phase != GAME_SETUP ||
        table_is_computers_turn(local))
        return;
    text_addf(&text, _("%s sets up:\n"), term_side_title(table_turn(local)));
    if (local->prefs.is_speech)
        speech_setup_choice(&text, &local->model, local->game, mono_now_ms());
    else
        render_setup_choice(&text, &local->model, local->game, mono_now_ms());
    show_words(local, words);
}

/* --- Events --- */

static const char after_end[] =
    N_("Type \"new\" for another game, \"takeback\" to try again, \"save FILE\" or "
       "\"quit\".\n");

/* Against the computer the board after its answer is enough. */
static bool is_board_due(const struct local *local, const struct model_game *game)
{
    struct render_view view = {.board = local->prefs.board};

    if (view.board == LOOK_BOARD_AUTO)
        view.board = table_has_computer(local) ? LOOK_BOARD_MINE : LOOK_BOARD_EACH;
    return render_wants_board(game, &view);
}

/* A move without its board. */
static void show_played(struct local *local)
{
    char words[WORDS_PLAYED_BYTES];
    struct text text = text_into(words, sizeof words);

    words_played(&text, &local->model, local->game);
    show_words(local, words);
}

static void show_on_screen(struct local *local, const struct model_news *news)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);
    bool is_end = news->event.kind == EVENT_END;

    words_event_aside(&text, news);
    if (!is_end)
        show_words(local, words);
    if (is_board_due(local, news->game))
        show_board(local);
    else if (news->event.kind == EVENT_MOVE)
        show_played(local);
    if (!is_end)
        return;
    show_words(local, words);
    show_say(local, "%s", _(after_end));
}

/* Moves that are typed now are the game's again. */
static void end_trial(struct local *local)
{
    if (!local->trial.is_on || trial_is_of(&local->trial, local->game))
        return;
    trial_end(&local->trial);
    show_say(local, _("-- the game has gone on: the private board is gone\n"));
}

void show_event(struct local *local, const struct model_news *news)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    end_trial(local);
    if (local->is_screen && !local->prefs.is_speech) {
        show_on_screen(local, news);
        return;
    }
    if (local->prefs.is_json) {
        json_event(&text, news, mono_now_ms());
        print(local, words);
        return;
    }
    if (local->prefs.is_speech)
        speech_event(&text, news, mono_now_ms());
    else
        words_event(&text, news, mono_now_ms());
    show_words(local, words);
    if (local->is_screen && news->event.kind == EVENT_END)
        show_say(local, "%s", _(after_end));
}

void show_reopened(struct local *local)
{
    show_say(local, _("-- the end is taken back; the game goes on\n"));
    if (local->is_screen)
        show_board(local);
}

/* --- Hints --- */

/* "+1.2" of points for side, or the end that is seen. */
static void add_score(struct text *out, const struct search_report *report)
{
    int tenths = (report->score < 0 ? -report->score : report->score) / 10;

    if (report->end_plies > 0)
        text_addf(out, _("wins in %d"), (report->end_plies + 1) / 2);
    else if (report->end_plies < 0)
        text_addf(out, _("loses in %d"), -report->end_plies / 2);
    else
        text_addf(out, _("%s%d.%d points"), report->score < 0 ? "-" : "+", tenths / 10,
                  tenths % 10);
}

enum { HINT_PLIES = 5 };

void show_hint(struct local *local, const struct search_report *report)
{
    char words[256], move[MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!report->has_move) {
        show_say(local, _("-- there is no move\n"));
        return;
    }
    move_format(move, report->move);
    text_addf(&text, _("-- hint: %s ("), move);
    add_score(&text, report);
    for (int i = 1; i < report->line_plies && i < HINT_PLIES; i++) {
        move_format(move, report->line[i]);
        text_addf(&text, "%s%s", i == 1 ? _("; then ") : " ", move);
    }
    text_add(&text, ")\n");
    show_words(local, words);
}

/* --- The prompt --- */

void show_prompt(struct local *local)
{
    char prompt[RENDER_PROMPT_BYTES];
    struct text text = text_into(prompt, sizeof prompt);
    struct render_view view = show_view(local);

    if (!local->is_screen || local->question != ASK_NOTHING)
        return;
    render_prompt(&text, &local->model, &view);
    edit_prompt(local->edit, prompt);
}

void show_question(struct local *local, enum local_question question, const char *words)
{
    local->question = question;
    if (local->is_editing)
        edit_prompt(local->edit, words);
    else
        show_say(local, "%s\n", words);
}
