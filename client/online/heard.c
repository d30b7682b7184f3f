/* See heard.h. */
#include "client/online/heard.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/online/client.h"
#include "client/play/screen.h"
#include "client/verb/answers.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "common/base/error_words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { RETRY_MAX_S = 3600 };

/* --- Events --- */

/* Writes an event to the file of --log. If that fails, prints the reason and closes the
 * file. */
static void log_event(struct client *client, int64_t id, int number, const char *text)
{
    if (client->log == NULL)
        return;
    if (fprintf(client->log, "%lld %d %s\n", (long long)id, number, text) >= 0 &&
        fflush(client->log) == 0)
        return;
    console_sayf(client->talk.console, "janggi: %s: %s\n", client->talk.prefs->log_path,
                 error_words(errno));
    fclose(client->log);
    client->log = NULL;
}

void heard_resume(struct client *client, struct model_game *game)
{
    if (game->is_asked || game->is_left)
        return;
    game->is_asked = true;
    visit_resume(client->talk.visit, game->id, game->next_event, game->code);
}

/* When the last requested event of a game has arrived, asks who watches it, and shows
 * which side is choosing its line-up. The server sends its notice about this only once:
 * not again after a reconnection, and not to a later spectator. */
static void end_catch_up(struct client *client, const struct model_news *news)
{
    struct model_game *game = news->game;

    if (news->is_late || !game->is_catching_up)
        return;
    game->is_catching_up = false;
    lookup_watchers(&client->lookup, game);
    if (game->game.phase != GAME_SETUP)
        return;
    if (model_is_our_turn(game))
        screen_setup_choice(&client->talk, game);
    else if (!game->is_ours)
        screen_setup_of_others(&client->talk, game);
}

void heard_on_event(void *owner, int64_t id, int number, const char *text,
                    int64_t now_ms)
{
    struct client *client = owner;
    struct model_news news = {.took = MODEL_OLD};

    screen_say_after_end(&client->talk);
    save_take_event(&client->save, id, number, text);
    model_take_event(&client->talk.model, id, number, text, now_ms, &news);
    if (news.took == MODEL_OLD)
        return;
    if (news.took == MODEL_GAP) {
        heard_resume(client, news.game);
        return;
    }
    log_event(client, id, number, text);
    if (news.took == MODEL_BROKEN)
        console_sayf(
            client->talk.console,
            _("-- game %lld: event %d does not fit the events before it: %s\n"),
            (long long)id, number, text);
    if (news.took == MODEL_NEW) {
        if (news.is_found)
            doubt_say_found(&client->doubt, news.game);
        if (news.event.kind == EVENT_START)
            lookup_ratings(&client->lookup, news.game);
        screen_event(&client->talk, &news, now_ms);
        hook_take_event(&client->hook, &news);
        end_catch_up(client, &news);
    }
    console_go_on(client->talk.console);
}

/* --- Notices --- */

void heard_on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);
    enum notice_use use = notice_use(line);
    const struct model_game *game;
    int running = 0; /* games that we play or watch */

    for (game = client->talk.model.games; game != NULL; game = game->next)
        running += !game->is_left && game->game.phase != GAME_OVER;
    if (proto_line_number(line, "game", -1) != client->talk.ended_game)
        screen_say_after_end(&client->talk);
    notice_say(&text, &client->talk.model, line, running > 1);
    notice_take(&client->talk.model, line, now_ms);
    lookup_take_notice(&client->lookup, line);
    known_note(&client->known, line);
    reconnect_take_notice(&client->reconnect, line);
    hook_take_notice(&client->hook, line);
    if (notice_rings(&client->talk.model, line, now_ms))
        screen_ring(&client->talk);
    if (use == NOTICE_OWN_GAME && console_is_screen(client->talk.console))
        lookup_take_own_game(&client->lookup, line);
    else
        console_notice(client->talk.console, line, words);
    game = model_find(&client->talk.model, proto_line_number(line, "game", -1));
    if (use == NOTICE_LINEUP && game != NULL && notice_asks_lineup(game, line))
        screen_setup_choice(&client->talk, game);
    console_prompt(client->talk.console);
}

/* --- Answers --- */

/* Handles the server's refusal to send the events of a game. After slow-down, client.c
 * asks again later; otherwise the client stops following the game. */
static void refuse_resume(struct client *client, const struct visit_request *asked,
                          const struct proto_line *line, int64_t now_ms)
{
    struct model *model = &client->talk.model;
    struct model_game *game = model_find(model, asked->game);

    if (game == NULL)
        return;
    game->is_asked = false;
    if (line->words > 0 && strcmp(line->word[0], "slow-down") == 0) {
        game->resume_at_ms =
            now_ms + model_number(line, "retry", 1, RETRY_MAX_S, 1) * 1000;
        return;
    }
    game->is_left = true;
    if (model->current == game && !game->is_ours)
        model->current = NULL;
}

/* Passes an answer to the part of the client that sent the command. */
static void take_errand(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line, int64_t now_ms)
{
    static const char key[] = " code=";
    const char *verb = asked->verb, *code = strstr(asked->line, key);
    struct model_game *game;

    if (strcmp(verb, "resume") == 0 && line->mark == PROTO_OK) {
        game = model_get(&client->talk.model, asked->game);
        client->reconnect.missed += model_follow(game, line, now_ms);
        if (!game->is_catching_up) /* otherwise end_catch_up() asks */
            lookup_watchers(&client->lookup, game);
    } else if (strcmp(verb, "resume") == 0) {
        refuse_resume(client, asked, line, now_ms);
    } else if (strcmp(verb, "watch") == 0 && line->mark == PROTO_OK) {
        game = model_get(&client->talk.model, asked->game);
        if (code != NULL) /* the command resume needs it too */
            (void)!text_copy(game->code, sizeof game->code, code + strlen(key));
    } else if (strcmp(verb, "join") == 0 && line->mark == PROTO_OK) {
        errand_take_join(&client->errand, line);
    } else if (strcmp(verb, "join") == 0) {
        errand_refuse_join(&client->errand, line);
    } else if (strcmp(verb, "games") == 0 && line->mark == PROTO_OK &&
               asked->is_quiet) {
        errand_take_games(&client->errand);
    }
    lookup_take_answer(&client->lookup, asked, line);
}

/* Returns true if the answer must be shown to the player. If the client has sent the
 * command by itself, the answer is shown only if the server has refused the command and
 * the command is in `told`. The player must know of such a refusal: a game will not
 * arrive, or the client no longer waits for a game or for news of seeks. */
static bool is_said(const struct visit_request *asked, const struct proto_line *line)
{
    static const char *const told[] = {"resume", "record", "watch", "tv", "seeks"};

    for (size_t i = 0; i < ARRAY_LEN(told) && line->mark == PROTO_ERR; i++)
        if (strcmp(told[i], asked->verb) == 0)
            return true;
    return !asked->is_quiet;
}

void heard_on_answer(void *owner, const struct visit_request *asked,
                     const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    struct verb_server server = {client->talk.to, visit_is_loopback(client->talk.visit),
                                 visit_key(client->talk.visit)};
    struct verb_answer answer = {&client->talk.model, line,   asked->about,
                                 asked->game,         now_ms, &server};
    char words[PROTO_LINE_MAX + 4096];
    struct text text = text_into(words, sizeof words);

    screen_say_after_end(&client->talk);
    lookup_say_own_games(&client->lookup);
    save_take_answer(&client->save, asked, line);
    reconnect_take_answer(&client->reconnect, asked, line);
    if (line->mark == PROTO_ERR && strcmp(asked->verb, "join") == 0 &&
        errand_goes_on(&client->errand, line)) {
        console_prompt(client->talk.console);
        return;
    }
    if (line->words > 0 && is_said(asked, line)) {
        if (line->mark == PROTO_ERR)
            told_refusal(&text, line);
        else if (!partner_take_invite(&client->partner, asked, line))
            answers_add(&text, &answer);
        console_answer(client->talk.console, asked->verb, line, words);
    }
    if (strcmp(asked->verb, "help") == 0)
        client->talk.model.help[0] = '\0';
    if (line->words > 0 && !answers_take(asked->verb, &answer))
        console_note_refusal(client->talk.console);
    take_errand(client, asked, line, now_ms);
    console_prompt(client->talk.console);
}

/* --- Text blocks --- */

void heard_on_text(void *owner, const struct visit_request *asked, const char *line)
{
    struct client *client = owner;
    struct model *model = &client->talk.model;
    bool has_rows = answers_has_rows(asked->verb);
    char words[PROTO_LINE_MAX + 256], copy[TOLD_ROW_BYTES];
    struct text text = text_into(words, sizeof words);
    struct proto_line row;

    screen_say_after_end(&client->talk);
    if (has_rows)
        known_note_row(&client->known, line);
    told_parse_row(line, copy, &row);
    if (strcmp(asked->verb, "seeks") == 0)
        model_take_seek(model, &row);
    lookup_take_row(&client->lookup, asked, line);
    if (asked->is_quiet && strcmp(asked->verb, "record") == 0)
        save_take_line(&client->save, line);
    else if (asked->is_quiet && strcmp(asked->verb, "games") == 0)
        errand_note_game(&client->errand, line);
    else if (asked->is_quiet && strcmp(asked->verb, "help") == 0)
        model_take_verb(model, &row);
    if (asked->is_quiet)
        return;
    if (has_rows)
        told_row(&text, model, line);
    else if (strcmp(asked->verb, "help") == 0)
        snprintf(model->help + strlen(model->help),
                 sizeof model->help - strlen(model->help), "%s\n", line);
    else
        text_addf(&text, "%s\n", line);
    console_item(client->talk.console, asked->verb, line, words);
}

/* --- Any line --- */

void heard_on_heard(void *owner)
{
    struct client *client = owner;

    reconnect_hear(&client->reconnect);
    doubt_look_at_moves(&client->doubt);
    console_go_on(client->talk.console);
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
    if (count > 0 && visit_state(client->talk.visit) != VISIT_LEAVING)
        console_sayf(
            client->talk.console,
            translate_count(
                "-- %d line from the server cannot be shown here and was left out\n",
                "-- %d lines from the server cannot be shown here and were left out\n",
                count),
            count);
}
