/* All output. On a screen a game is a board after each move; in --plain every event is
 * one line. */
#include <stdarg.h>
#include <string.h>

#include "client/play/inside.h"
#include "client/view/json.h"
#include "client/view/render.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static void print(struct client *client, const char *words)
{
    size_t len = strlen(words);

    if (len > 0 && !edit_print(client->edit, words, len))
        client_leave(client, CLIENT_EXIT_ERROR); /* nobody reads us any more */
}

/* A text that does not fit into the buffer is printed as it is. */
static void print_wrapped(struct client *client, const char *words)
{
    char wrapped[RENDER_SCREEN_BYTES + 1024];
    struct text text = text_into(wrapped, sizeof wrapped);

    render_wrapped(&text, words, edit_columns());
    print(client, text.is_cut ? words : wrapped);
}

/* --- JSON --- */

static void say_json(struct client *client, const char *words)
{
    char object[JSON_BYTES];

    while (*words != '\0') {
        struct text text = text_into(object, sizeof object);

        words = json_say(&text, words);
        print(client, object);
    }
}

void screen_notice(struct client *client, const struct proto_line *line,
                   const char *words)
{
    char object[JSON_BYTES];
    struct text text = text_into(object, sizeof object);

    if (!client->prefs->is_json) {
        screen_say(client, words);
        return;
    }
    json_notice(&text, line, words);
    print(client, object);
}

void screen_answer(struct client *client, const char *verb,
                   const struct proto_line *line, const char *words)
{
    char object[JSON_BYTES];
    struct text text = text_into(object, sizeof object);

    if (!client->prefs->is_json) {
        screen_say(client, words);
        return;
    }
    json_answer(&text, verb, line, words);
    print(client, object);
}

void screen_item(struct client *client, const char *verb, const char *line,
                 const char *words)
{
    char object[JSON_BYTES];
    struct text text = text_into(object, sizeof object);

    if (!client->prefs->is_json) {
        screen_say(client, words);
        return;
    }
    json_item(&text, verb, line);
    print(client, object);
}

void screen_refuse(struct client *client, const char *words)
{
    char object[JSON_BYTES];
    struct text text = text_into(object, sizeof object);

    if (!client->prefs->is_json) {
        screen_say(client, words);
        return;
    }
    json_refusal(&text, words);
    print(client, object);
}

/* --- Words --- */

/* A listener hears no marks that lines begin with. */
static const char *spoken(const char *words)
{
    return strncmp(words, "-- ", 3) == 0 ? words + 3 : words;
}

void screen_say(struct client *client, const char *words)
{
    if (client->prefs->is_json) {
        say_json(client, words);
        return;
    }
    if (client->prefs->is_speech)
        words = spoken(words);
    if (client->is_screen)
        print_wrapped(client, words);
    else
        print(client, words);
}

void screen_sayf(struct client *client, const char *format, ...)
{
    char words[PROTO_LINE_MAX + 512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    screen_say(client, words);
}

/* What the setting means for game. */
static enum look_board board_for(const struct client *client,
                                 const struct model_game *game)
{
    enum side other = game->is_ours ? side_other(game->side) : SIDE_NONE;

    if (client->prefs->board != LOOK_BOARD_AUTO)
        return client->prefs->board;
    return other != SIDE_NONE && model_is_bot(game->game.name[other]) ? LOOK_BOARD_MINE
                                                                      : LOOK_BOARD_EACH;
}

static bool is_board_due(const struct client *client, const struct model_game *game)
{
    struct render_view view = {.board = board_for(client, game)};

    return game == client->model.current && render_wants_board(game, &view);
}

struct render_view screen_view(const struct client *client)
{
    const struct model_game *game = client->model.current;
    bool is_tried = game != NULL && trial_is_of(&client->trial, game);

    return (struct render_view){
        .now_ms = mono_now_ms(),
        .has_color = client->has_color,
        .is_marked = client->is_editing,
        .is_spoken = client->prefs->is_speech,
        .tried = is_tried ? client->trial.tried : 0,
        .takes_enter = client->is_screen && !visit_is_away(client->visit),
        .pieces = client->prefs->pieces,
    };
}

void screen_board(struct client *client, const struct model_game *game)
{
    char board[RENDER_SCREEN_BYTES];
    struct text text = text_into(board, sizeof board);
    struct render_view view = screen_view(client);

    if (client->prefs->is_json) {
        struct text object = text_into(board, sizeof board);

        json_board(&object, game, view.now_ms);
        print(client, board);
        return;
    }
    if (view.is_spoken) {
        speech_describe(&text, game, view.now_ms);
        screen_say(client, board);
        return;
    }
    text_add(&text, "\n");
    render_screen(&text, &client->model, game, &view);
    print(client, client->is_screen ? board : board + 1);
}

void screen_setup_choice(struct client *client, const struct model_game *game)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!client->is_screen)
        return;
    if (game != client->model.current)
        text_addf(&text, _("-- game %lld:\n"), (long long)game->id);
    if (client->prefs->is_speech)
        speech_setup_choice(&text, &client->model, game, mono_now_ms());
    else
        render_setup_choice(&text, &client->model, game, mono_now_ms());
    screen_say(client, words);
}

/* --- The prompt --- */

void screen_prompt(struct client *client)
{
    char prompt[RENDER_PROMPT_BYTES];
    struct text text = text_into(prompt, sizeof prompt);
    struct render_view view = screen_view(client);

    if (!client->is_screen || client->question != QUESTION_NONE)
        return;
    lost_add_prompt(&text, client, view.now_ms);
    if (visit_was_ready(client->visit))
        render_prompt(&text, &client->model, &view);
    edit_prompt(client->edit, prompt);
    attention_title(client);
}

void screen_ask(struct client *client, enum client_question question, const char *words)
{
    char object[JSON_BYTES];

    client->question = question;
    if (client->prefs->is_json) {
        struct text text = text_into(object, sizeof object);

        json_question(&text, words);
        print(client, object);
    } else if (client->is_editing) {
        edit_prompt(client->edit, words);
    } else {
        screen_sayf(client, "%s\n", words);
    }
    edit_drop_paste(client->edit);
    edit_hold(client->edit, false);
}

/* --- Events --- */

/* Of several games of ours none is chosen for us that nobody sits waiting in, unless it
 * begins right now. */
static bool may_jump(const struct client *client, const struct model_news *news)
{
    const struct model_game *game = news->game;
    int running = 0;

    if (news->event.kind == EVENT_START)
        return true;
    for (const struct model_game *g = client->model.games; g != NULL; g = g->next)
        running += model_is_playing(g) || (g->game.phase == GAME_EMPTY && g->is_asked);
    return running <= 1 || !game->is_ours || !model_is_slow(game);
}

/* A game takes the player's attention when there is none, or when it is his and the
 * other is not, or is over, or can wait. What becomes of it shows at its last event. */
static void notice_game(struct client *client, const struct model_news *news)
{
    struct model_game *current = client->model.current, *game = news->game;
    bool is_running = game->game.phase != GAME_OVER;
    bool is_now = !model_is_slow(game) || news->event.kind == EVENT_START;

    if (current == game || news->is_late || !may_jump(client, news))
        return;
    if (current == NULL || current->game.phase == GAME_OVER ||
        (game->is_ours && is_running && !current->is_ours) ||
        (game->is_ours && is_running && is_now && model_is_slow(current)))
        model_choose(&client->model, game);
}

static void say_event(struct client *client, const struct model_news *news,
                      int64_t now_ms)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    if (client->prefs->is_json) {
        json_event(&text, news, now_ms);
        print(client, words);
        return;
    }
    if (!client->prefs->is_speech) {
        words_event(&text, news, now_ms);
    } else {
        if (news->game != client->model.current)
            text_addf(&text, _("Game %lld: "), (long long)news->game->id);
        speech_event(&text, news, now_ms);
    }
    screen_say(client, words);
}

static void say_aside(struct client *client, const struct model_news *news)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_event_aside(&text, news);
    if (text.len > 0 && news->game != client->model.current &&
        news->event.kind == EVENT_SETUP)
        screen_sayf(client, _("-- game %lld: %s"), (long long)news->game->id,
                    words + strlen("-- "));
    else
        screen_say(client, words);
}

/* Every event is a sentence or two; the board is there for the asking. */
static void speak_on_screen(struct client *client, const struct model_news *news,
                            int64_t now_ms)
{
    if (news->is_late)
        return; /* what comes last is told */
    say_event(client, news, now_ms);
    if (news->event.kind == EVENT_END && news->game->is_ours)
        screen_say(client, _("Type \"rematch\" for another game, or \"quit\".\n"));
    if (model_is_our_turn(news->game))
        attention_ring(client);
}

/* A move without its board. */
static void say_played(struct client *client, const struct model_game *game)
{
    char words[WORDS_PLAYED_BYTES];
    struct text text = text_into(words, sizeof words);

    words_played(&text, &client->model, game);
    screen_say(client, words);
    if (game != client->model.current && model_is_our_turn(game))
        screen_sayf(client, _("-- your move in game %lld: \"game %lld\" goes there\n"),
                    (long long)game->id, (long long)game->id);
}

static void show_on_screen(struct client *client, const struct model_news *news)
{
    struct model_game *game = news->game;

    if (news->is_late)
        return; /* what comes last is shown */
    if (game != client->model.current && game->is_catching_up && game->is_from_zero)
        return; /* the table of our games has said it */
    if (news->event.kind == EVENT_END)
        screen_prompt(client);
    if (news->event.kind != EVENT_END)
        say_aside(client, news);
    if (is_board_due(client, game))
        screen_board(client, game);
    else if (news->event.kind == EVENT_MOVE)
        say_played(client, game);
    if (news->event.kind == EVENT_END)
        say_aside(client, news);
    if (model_is_our_turn(game))
        attention_ring(client);
}

/* The game has gone on: moves that are typed now are the game's again. */
static void end_trial(struct client *client, const struct model_game *game)
{
    struct trial *trial = &client->trial;

    if (!trial->is_on || trial->board.id != game->id || trial_is_of(trial, game))
        return;
    trial_end(trial);
    screen_say(client, _("-- the game has gone on: the private board is gone\n"));
}

void screen_event(struct client *client, const struct model_news *news, int64_t now_ms)
{
    end_trial(client, news->game);
    notice_game(client, news);
    if (client->is_screen && client->prefs->is_speech)
        speak_on_screen(client, news, now_ms);
    else if (client->is_screen)
        show_on_screen(client, news);
    else
        say_event(client, news, now_ms);
    screen_prompt(client);
}
