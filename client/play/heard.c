/* Lines from the server: events to the model and the screen, answers to what was asked,
 * notices to the player. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/device.h"
#include "client/play/inside.h"
#include "client/play/partner.h"
#include "client/view/notice.h"
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
    screen_sayf(client, _("-- game %lld event %d does not follow here: %s\n"),
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
    client_go_on(client);
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

    notice_say(&text, &client->model, line, !client->is_screen || has_several(client));
    notice_take(&client->model, line, now_ms);
    known_note(&client->known, line);
    if (notice_rings(&client->model, line, now_ms))
        attention_ring(client);
    if (use == NOTICE_OWN_GAME && client->is_screen)
        mine_take(client, line);
    else
        screen_notice(client, line, words);
    game = model_find(&client->model, proto_line_number(line, "game", -1));
    if (use == NOTICE_LINEUP && game != NULL && game->game.phase == GAME_SETUP &&
        model_is_our_turn(game))
        screen_setup_choice(client, game);
    screen_prompt(client);
}

/* --- Answers --- */

static void take_follow(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line, int64_t now_ms)
{
    struct model_game *game = model_get(&client->model, asked->game);
    int before = game->next_event;

    game->is_asked = game->is_left = false;
    model_take_clock(game, line, now_ms);
    game->is_catching_up = game->next_event < game->known_events;
    game->is_from_zero = before == 0;
    if (strcmp(asked->verb, "resume") == 0)
        client->missed += game->known_events - before;
    else if (client->model.current == NULL || !model_is_playing(client->model.current))
        model_choose(&client->model, game);
}

static void take_invite(struct client *client, const struct proto_line *line)
{
    char words[1024];
    struct text text = text_into(words, sizeof words);

    if (!client->is_screen)
        text_add(&text, "-- ");
    if (device_add_invite(&text, line, client->to, visit_is_loopback(client->visit),
                          visit_key(client->visit)))
        screen_say(client, words);
}

static void take_unwatch(struct client *client, const struct proto_line *line)
{
    struct model_game *game =
        model_find(&client->model, proto_line_number(line, "game", -1));

    if (game == NULL)
        return;
    game->is_left = true;
    if (client->model.current == game)
        model_choose(&client->model, NULL);
}

static void take_ok(struct client *client, const struct visit_request *asked,
                    const struct proto_line *line, int64_t now_ms)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);
    const char *verb = asked->verb;

    if (strcmp(verb, "resume") == 0 || strcmp(verb, "watch") == 0)
        take_follow(client, asked, line, now_ms);
    else if (strcmp(verb, "unwatch") == 0)
        take_unwatch(client, line);
    else if (strcmp(verb, "join") == 0)
        entry_take_join(client, line);
    else if (strcmp(verb, "invite") == 0 && !partner_take_invite(client, asked, line))
        take_invite(client, line);
    else if (strcmp(verb, "games") == 0 && asked->is_quiet)
        entry_take_games(client);
    if (asked->is_quiet)
        return;
    if (strcmp(verb, "device") != 0 ||
        !device_add_code(&text, line, client->model.name, client->to,
                         visit_is_loopback(client->visit), visit_key(client->visit)))
        words_answer(&text, &client->model, line, asked->about);
    screen_answer(client, verb, line, words);
}

/* What we have answered, or what the server does not know, is not open to us any more.
 */
static void close_offer(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line)
{
    bool is_about_offer = strcmp(asked->verb, "accept") == 0 ||
                          strcmp(asked->verb, "decline") == 0 ||
                          strcmp(asked->verb, "withdraw") == 0;
    bool is_gone = line->mark == PROTO_OK ||
                   (line->words > 0 && strcmp(line->word[0], "no-such") == 0);
    int64_t id;

    if (is_about_offer && is_gone && text_to_int(asked->about, 1, INT64_MAX, &id))
        model_close_offer(&client->model, id);
}

/* The move is no longer under way, unless it only came too fast. */
static void refuse_move(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line)
{
    struct model_game *game = model_find(&client->model, asked->game);
    bool is_passing =
        strcmp(line->word[0], "slow-down") == 0 || strcmp(line->word[0], "later") == 0;

    if (game == NULL || game->pending.state != PENDING_SENT)
        return;
    if (is_passing) {
        game->pending.again_ms = visit_heard_ms(client->visit) +
                                 model_number(line, "retry", 1, RETRY_MAX_S, 1) * 1000;
        return;
    }
    game->pending.state = PENDING_NONE;
    client->is_refused = true;
}

static void take_err(struct client *client, const struct visit_request *asked,
                     const struct proto_line *line)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);

    if (line->words == 0)
        return;
    words_refusal(&text, line);
    if (!asked->is_quiet || strcmp(asked->verb, "resume") == 0 ||
        strcmp(asked->verb, "record") == 0 || strcmp(asked->verb, "watch") == 0)
        screen_answer(client, asked->verb, line, words);
    if (strcmp(asked->verb, "move") == 0)
        refuse_move(client, asked, line);
    else if (strcmp(asked->verb, "join") == 0)
        entry_refuse_join(client, line);
}

void heard_on_answer(void *owner, const struct visit_request *asked,
                     const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;

    mine_say(client);
    save_take_answer(client, asked, line);
    if (line->mark == PROTO_OK)
        take_ok(client, asked, line, now_ms);
    else
        take_err(client, asked, line);
    close_offer(client, asked, line);
    screen_prompt(client);
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

static bool is_list(const char *verb)
{
    static const char *const lists[] = {"seeks",    "pending", "games",
                                        "watchers", "who",     "history"};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (strcmp(lists[i], verb) == 0)
            return true;
    return false;
}

void heard_on_text(void *owner, const struct visit_request *asked, const char *line)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);

    if (is_list(asked->verb))
        known_note_row(&client->known, line);
    if (asked->is_quiet && strcmp(asked->verb, "record") == 0)
        save_take_line(client, line);
    else if (asked->is_quiet)
        note_running(client, line);
    if (asked->is_quiet)
        return;
    if (client->is_screen && strcmp(asked->verb, "devices") == 0)
        device_add_row(&text, line);
    else if (client->is_screen && is_list(asked->verb))
        words_list_line(&text, &client->model, line);
    else
        text_addf(&text, "%s\n", line);
    screen_item(client, asked->verb, line, words);
}

/* --- Any line --- */

void heard_on_heard(void *owner)
{
    lost_look_at_moves(owner);
    client_go_on(owner);
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
        screen_sayf(
            client,
            translate_count(
                "-- %d line from the server cannot be shown here and was left out\n",
                "-- %d lines from the server cannot be shown here and were left out\n",
                count),
            count);
}
