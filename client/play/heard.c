/* Lines from the server: events to the model and the screen, answers to what was asked,
 * notices to the player. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/inside.h"
#include "client/play/partner.h"
#include "client/verb/verbs.h"
#include "client/view/notice.h"
#include "client/view/row.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { RETRY_MAX_S = 3600 };

/* --- Events --- */

static void log_event(struct client *client, int64_t id, int number, const char *text)
{
    if (client->log == NULL)
        return;
    fprintf(client->log, "%lld %d %s\n", (long long)id, number, text);
    fflush(client->log);
}

/* Some are missing: ask for them, once. */
static void fill_gap(struct client *client, struct model_game *game)
{
    if (game->is_asked || game->is_left)
        return;
    game->is_asked = true;
    visit_resume(client->visit, game->id, game->next_event);
}

static void say_broken(struct client *client, int64_t id, int number, const char *text)
{
    console_sayf(client->console, _("-- game %lld event %d does not follow here: %s\n"),
                 (long long)id, number, text);
}

/* The last of the events that had come to pass before we asked. It may be ours to set
 * up: the notice that says so is sent only once, and not to those who come back. */
static void end_catch_up(struct client *client, const struct model_news *news)
{
    struct model_game *game = news->game;

    if (news->is_late || !game->is_catching_up)
        return;
    game->is_catching_up = false;
    if (game->game.phase == GAME_SETUP && model_is_our_turn(game))
        screen_setup_choice(client, game);
}

void heard_on_event(void *owner, int64_t id, int number, const char *text,
                    int64_t now_ms)
{
    struct client *client = owner;
    struct model_news news = {.took = MODEL_OLD};

    save_take_event(client, id, number, text);
    model_take_event(&client->model, id, number, text, now_ms, &news);
    switch (news.took) {
    case MODEL_OLD:
        return;
    case MODEL_GAP:
        fill_gap(client, news.game);
        return;
    case MODEL_NEW:
        log_event(client, id, number, text);
        if (news.is_found)
            lost_say_found(client, news.game);
        screen_event(client, &news, now_ms);
        end_catch_up(client, &news);
        break;
    case MODEL_BROKEN:
        log_event(client, id, number, text);
        say_broken(client, id, number, text);
        break;
    case MODEL_SKIPPED:
        log_event(client, id, number, text);
        break;
    }
    console_go_on(client->console);
}

/* --- Notices --- */

/* More than one game is seen: say which one it is about. */
static bool has_several(const struct client *client)
{
    int count = 0;

    for (const struct model_game *game = client->model.games; game != NULL;
         game = game->next)
        count += !game->is_left && game->game.phase != GAME_OVER;
    return count > 1;
}

void heard_on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);
    enum notice_use use = notice_use(line);
    const struct model_game *game;

    notice_say(&text, &client->model, line,
               !console_is_screen(client->console) || has_several(client));
    notice_take(&client->model, line, now_ms);
    known_note(&client->known, line);
    if (notice_rings(&client->model, line, now_ms))
        attention_ring(client);
    if (use == NOTICE_OWN_GAME && console_is_screen(client->console))
        mine_take(client, line);
    else
        console_notice(client->console, line, words);
    game = model_find(&client->model, proto_line_number(line, "game", -1));
    if (use == NOTICE_LINEUP && game != NULL && game->game.phase == GAME_SETUP &&
        model_is_our_turn(game))
        screen_setup_choice(client, game);
    console_prompt(client->console);
}

/* --- Answers --- */

/* What the client itself wanted with the answer. */
static void take_errand(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line, int64_t now_ms)
{
    const char *verb = asked->verb;

    if (strcmp(verb, "resume") == 0 && line->mark == PROTO_OK)
        client->missed +=
            model_follow(model_get(&client->model, asked->game), line, now_ms);
    else if (strcmp(verb, "join") == 0 && line->mark == PROTO_OK)
        entry_take_join(client, line);
    else if (strcmp(verb, "join") == 0)
        entry_refuse_join(client, line);
    else if (strcmp(verb, "games") == 0 && line->mark == PROTO_OK && asked->is_quiet)
        entry_take_games(client);
}

/* A request of our own is worth words only when a game cannot be had. */
static bool is_said(const struct visit_request *asked, const struct proto_line *line)
{
    static const char *const told[] = {"resume", "record", "watch"};

    for (size_t i = 0; i < ARRAY_LEN(told) && line->mark == PROTO_ERR; i++)
        if (strcmp(told[i], asked->verb) == 0)
            return true;
    return !asked->is_quiet;
}

static void say_answer(struct client *client, const struct visit_request *asked,
                       const struct verb_answer *answer)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);

    if (answer->line->mark == PROTO_ERR)
        words_refusal(&text, answer->line);
    else if (!partner_take_invite(client, asked, answer->line))
        verbs_add_answer(&text, answer);
    console_answer(client->console, asked->verb, answer->line, words);
}

void heard_on_answer(void *owner, const struct visit_request *asked,
                     const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    struct verb_server server = {client->to, visit_is_loopback(client->visit),
                                 visit_key(client->visit)};
    struct verb_answer answer = {&client->model, line,   asked->about,
                                 asked->game,    now_ms, &server};
    const struct verb *verb = verbs_find_command(asked->verb);

    mine_say(client);
    save_take_answer(client, asked, line);
    if (line->mark == PROTO_ERR && strcmp(asked->verb, "join") == 0 &&
        entry_goes_on(client)) {
        console_prompt(client->console);
        return;
    }
    if (line->words > 0 && is_said(asked, line))
        say_answer(client, asked, &answer);
    if (line->words > 0 && verb != NULL && verb->take != NULL && !verb->take(&answer))
        console_note_refusal(client->console);
    take_errand(client, asked, line, now_ms);
    console_prompt(client->console);
}

/* --- Text blocks --- */

/* A game in a list that we look through by ourselves. */
static void note_running(struct client *client, const char *line)
{
    char word[24] = "";
    int64_t id;
    size_t len;

    if (strncmp(line, "game ", 5) != 0)
        return;
    len = strcspn(line + 5, " ");
    if (len >= sizeof word)
        return;
    memcpy(word, line + 5, len);
    if (!text_to_int(word, 0, INT64_MAX, &id))
        return;
    if (client->running_count < CLIENT_WATCH_MAX)
        client->running[client->running_count++] = id;
}

void heard_on_text(void *owner, const struct visit_request *asked, const char *line)
{
    struct client *client = owner;
    const struct verb *verb = verbs_find_command(asked->verb);
    bool has_rows = verb != NULL && verb->has_rows;
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);

    if (has_rows)
        known_note_row(&client->known, line);
    if (asked->is_quiet && strcmp(asked->verb, "record") == 0)
        save_take_line(client, line);
    else if (asked->is_quiet)
        note_running(client, line);
    if (asked->is_quiet)
        return;
    if (has_rows)
        row_say(&text, &client->model, line);
    else
        text_addf(&text, "%s\n", line);
    console_item(client->console, asked->verb, line, words);
}

/* --- Any line --- */

void heard_on_heard(void *owner)
{
    lost_look_at_moves(owner);
    console_go_on(((struct client *)owner)->console);
}

void heard_on_bad_line(void *owner)
{
    struct client *client = owner;

    if (client->bad_lines < INT_MAX)
        client->bad_lines++;
}

void heard_say_bad_lines(struct client *client)
{
    int count = client->bad_lines;

    client->bad_lines = 0;
    if (count > 0 && visit_state(client->visit) != VISIT_LEAVING)
        console_sayf(
            client->console,
            translate_count(
                "-- %d line from the server cannot be shown here and was left out\n",
                "-- %d lines from the server cannot be shown here and were left out\n",
                count),
            count);
}
