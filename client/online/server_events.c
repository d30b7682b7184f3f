/* See client.h: lines from the server. Events update the model and the screen, answers
 * are matched with commands, notices are shown. */
#include "client/online/client.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "client/verb/answers.h"
#include "client/view/manner.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/error_words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

enum {
    RETRY_MAX_S = 3600,
    ASKS_PER_S = 8,  /* about the watchers of a game */
    WAITING_MAX = 16 /* requests that wait for answers, until no rating is asked for */
};

/* --- What the client asks by itself --- */

/* Asks who watches `game` (may be NULL), if it is a running game of ours and there is a
 * screen. The server's notices are not enough: they say nothing about those who watched
 * before we came, and they only count those who come and go while we are quiet. A server
 * that sends notices without end must not make the client ask without end. */
static void ask_watchers(struct client *client, struct model_game *game)
{
    int64_t now_ms = mono_now_ms();

    if (game == NULL || !model_is_playing(game) || !console_is_screen(client->console))
        return;
    if (now_ms - game->watchers_asked_ms >= 1000) {
        game->watchers_asked_ms = now_ms;
        game->watchers_asked = 0;
    }
    if (++game->watchers_asked <= ASKS_PER_S)
        (void)client_sendf(client, game->id, true, "watchers %lld",
                           (long long)game->id);
}

static struct model_game *find_game(const struct client *client,
                                    const struct proto_line *line)
{
    return model_find(&client->model, proto_line_number(line, "game", -1));
}

/* Takes the end of the answer to "watchers". A watcher of a game gets no news of the
 * others, so only the list of our own game is kept. */
static void take_watchers(struct client *client, const struct proto_line *line)
{
    struct model_game *game = find_game(client, line);
    int64_t count = proto_line_number(line, "count", -1);

    if (line->mark == PROTO_OK && game != NULL && game->is_ours &&
        count >= client->lookup.names && count <= INT_MAX) {
        memcpy(game->watcher, client->lookup.name, sizeof game->watcher);
        game->watchers = client->lookup.names;
        game->unnamed_watchers = (int)count - client->lookup.names;
    }
    client->lookup.names = 0;
}

static void ask_ratings(struct client *client, const struct model_game *game)
{
    int count = 0;

    for (const struct visit_request *r = visit_requests(client->visit); r != NULL;
         r = r->next)
        if (++count == WAITING_MAX)
            return;
    for (int side = 0; side < SIDES; side++)
        (void)client_sendf(client, game->id, true, "rank %s", game->game.name[side]);
}

/* Returns the side of the player of `game` (may be NULL) whose rating was asked for, or
 * SIDE_NONE. */
static enum side side_asked(const struct model_game *game,
                            const struct visit_request *asked)
{
    for (int side = 0; game != NULL && side < SIDES; side++)
        if (model_is_same_name(game->game.name[side], asked->about))
            return (enum side)side;
    return SIDE_NONE;
}

/* Red's rating was asked for first, Blue's second. So after the answer about Blue,
 * prints the ratings of the current game, as in "hong 1512 4k, kim 1488?": its board was
 * already shown without them. */
static void say_ratings(struct client *client, const struct visit_request *asked)
{
    const struct model_game *game = model_find(&client->model, asked->game);
    char words[256];
    struct text text = text_into(words, sizeof words);

    if (side_asked(game, asked) != SIDE_BLUE || game != client->model.current ||
        game->game.phase != GAME_PLAY)
        return;
    for (int side = 0; side < SIDES; side++)
        if (game->rating[side][0] != '\0')
            text_addf(&text, "%s%s%s", text.len > 0 ? ", " : "", game->game.name[side],
                      game->rating[side]);
    if (text.len > 0)
        console_sayf(client->console, _("-- ratings: %s\n"), words);
}

static void take_own_game(struct client *client, const struct proto_line *line)
{
    struct lookup *lookup = &client->lookup;
    struct text rows = {
        .at = lookup->rows, .size = sizeof lookup->rows, .len = strlen(lookup->rows)};
    struct text turns = {.at = lookup->turns,
                         .size = sizeof lookup->turns,
                         .len = strlen(lookup->turns)};
    struct told told = {.model = &client->model, .line = line};
    bool is_red = model_is_same_name(words_value(line, "red", ""), client->model.name);

    if (!lookup->is_listing)
        return;
    lookup->games++;
    text_add(&rows, "  ");
    (void)told_say(&rows, &told, "=own_game");
    text_add(&rows, "\n");
    if (strcmp(words_value(line, "turn", ""), is_red ? "red" : "blue") == 0)
        text_addf(&turns, "%s%s", turns.len > 0 ? ", " : "",
                  words_value(line, "game", "?"));
}

/* Prints the table of our own games once, after the first login has listed all. A single
 * game is shown with its board instead. */
static void say_own_games(struct client *client)
{
    struct lookup *lookup = &client->lookup;

    if (lookup->is_listing && lookup->games > 1) {
        console_say(client->console,
                    _("-- your games (\"game NUMBER\" goes to one):\n"));
        console_say(client->console, lookup->rows);
        if (lookup->turns[0] != '\0')
            console_sayf(client->console, _("-- it is your move in %s\n"),
                         lookup->turns);
    }
    lookup->is_listing = false;
}

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
    console_sayf(client->console, "janggi: %s: %s\n", client->prefs->log_path,
                 error_words(errno));
    fclose(client->log);
    client->log = NULL;
}

void server_events_resume(struct client *client, struct model_game *game)
{
    if (game->is_asked || game->is_left)
        return;
    game->is_asked = true;
    visit_resume(client->visit, game->id, game->next_event, game->code);
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
    ask_watchers(client, game);
    if (game->game.phase != GAME_SETUP)
        return;
    if (model_is_our_turn(game))
        screen_setup_choice(client, game);
    else if (!game->is_ours)
        screen_setup_of_others(client, game);
}

void server_events_on_event(void *owner, int64_t id, int number, const char *text,
                            int64_t now_ms)
{
    struct client *client = owner;
    struct model_news news = {.took = MODEL_OLD};

    screen_say_after_end(client);
    save_take_event(client, id, number, text);
    model_take_event(&client->model, id, number, text, now_ms, &news);
    if (news.took == MODEL_OLD)
        return;
    if (news.took == MODEL_GAP) {
        server_events_resume(client, news.game);
        return;
    }
    log_event(client, id, number, text);
    if (news.took == MODEL_BROKEN)
        console_sayf(
            client->console,
            _("-- game %lld: event %d does not fit the events before it: %s\n"),
            (long long)id, number, text);
    if (news.took == MODEL_NEW) {
        if (news.is_found)
            reconnect_say_found(client, news.game);
        if (news.event.kind == EVENT_START)
            ask_ratings(client, news.game);
        screen_event(client, &news, now_ms);
        programs_take_event(client, &news);
        end_catch_up(client, &news);
    }
    console_go_on(client->console);
}

/* --- Notices --- */

void server_events_on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);
    enum notice_use use = notice_use(line);
    struct model_game *game;
    int running = 0; /* games that we play or watch */

    for (game = client->model.games; game != NULL; game = game->next)
        running += !game->is_left && game->game.phase != GAME_OVER;
    if (proto_line_number(line, "game", -1) != client->ended_game)
        screen_say_after_end(client);
    notice_say(&text, &client->model, line, running > 1);
    notice_take(&client->model, line, now_ms);
    game = find_game(client, line);
    if (strcmp(line->word[0], "watchers") == 0 && game != NULL &&
        game->unnamed_watchers > 0)
        ask_watchers(client, game); /* the notice has only numbers */
    known_note(&client->known, line);
    reconnect_take_notice(client, line);
    programs_take_notice(client, line);
    if (notice_rings(&client->model, line, now_ms))
        screen_ring(client);
    if (use == NOTICE_OWN_GAME && console_is_screen(client->console))
        take_own_game(client, line);
    else
        console_said(client->console, &(struct said){SAID_NOTICE, words, .line = line});
    if (use == NOTICE_LINEUP && game != NULL && notice_asks_lineup(game, line))
        screen_setup_choice(client, game);
    console_prompt(client->console);
}

/* --- Answers --- */

/* Handles the server's refusal to send the events of a game. After slow-down, client.c
 * asks again later; otherwise the client stops following the game. */
static void refuse_resume(struct client *client, const struct visit_request *asked,
                          const struct proto_line *line, int64_t now_ms)
{
    struct model *model = &client->model;
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

/* Takes an answer to a command that the client may have sent by itself. */
static void take_answer(struct client *client, const struct visit_request *asked,
                        const struct proto_line *line, int64_t now_ms)
{
    static const char key[] = " code=";
    const char *verb = asked->verb, *code = strstr(asked->line, key);
    bool is_ok = line->mark == PROTO_OK;
    struct model_game *game;

    if (strcmp(verb, "resume") == 0 && is_ok) {
        game = model_get(&client->model, asked->game);
        client->reconnect.missed += model_follow(game, line, now_ms);
        if (!game->is_catching_up) /* otherwise end_catch_up() asks */
            ask_watchers(client, game);
    } else if (strcmp(verb, "resume") == 0) {
        refuse_resume(client, asked, line, now_ms);
    } else if (strcmp(verb, "watch") == 0 && is_ok) {
        game = model_get(&client->model, asked->game);
        if (code != NULL) /* the command resume needs it too */
            (void)!text_copy(game->code, sizeof game->code, code + strlen(key));
    } else if (strcmp(verb, "join") == 0 && is_ok) {
        login_take_join(client, line);
    } else if (strcmp(verb, "join") == 0) {
        login_refuse_join(client, line);
    } else if (strcmp(verb, "games") == 0 && is_ok && asked->is_quiet) {
        login_take_games(client);
    } else if (strcmp(verb, "watchers") == 0) {
        take_watchers(client, line);
    } else if (strcmp(verb, "rank") == 0 && asked->is_quiet) {
        say_ratings(client, asked);
    } else if ((strcmp(verb, "unlet") == 0 || strcmp(verb, "watchlink") == 0) &&
               is_ok) {
        ask_watchers(client, find_game(client, line)); /* may have sent some away */
    }
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

void server_events_on_answer(void *owner, const struct visit_request *asked,
                             const struct proto_line *line, int64_t now_ms)
{
    struct client *client = owner;
    struct verb_server server = {client->to, visit_is_loopback(client->visit),
                                 visit_key(client->visit)};
    struct verb_answer answer = {&client->model, line,   asked->about,
                                 asked->game,    now_ms, &server};
    char words[PROTO_LINE_MAX + 4096];
    struct text text = text_into(words, sizeof words);

    screen_say_after_end(client);
    say_own_games(client);
    save_take_answer(client, asked, line);
    reconnect_take_answer(client, asked, line);
    if (line->mark == PROTO_ERR && strcmp(asked->verb, "join") == 0 &&
        login_goes_on(client, line)) {
        console_prompt(client->console);
        return;
    }
    if (line->words > 0 && is_said(asked, line)) {
        if (line->mark == PROTO_ERR)
            told_refusal(&text, line);
        else if (!programs_take_invite(client, asked, line))
            answers_add(&text, &answer);
        console_said(client->console, &(struct said){SAID_ANSWER, words, .line = line,
                                                     .verb = asked->verb});
    }
    if (strcmp(asked->verb, "help") == 0) {
        client->model.help[0] = '\0';
        client->model.has_verbs |=
            asked->is_quiet && line->mark == PROTO_OK && client->model.verb_count > 0;
    }
    if (line->words > 0 && !answers_take(asked->verb, &answer))
        console_note_refusal(client->console);
    take_answer(client, asked, line, now_ms);
    console_prompt(client->console);
}

/* --- Text blocks --- */

/* Takes a row of the answer to a command that the client may have sent by itself. */
static void take_row(struct client *client, const struct visit_request *asked,
                     const struct proto_line *row)
{
    struct lookup *lookup = &client->lookup;
    struct model_game *game = model_find(&client->model, asked->game);
    enum side side = side_asked(game, asked);
    char rating[WORDS_RATING_BYTES];

    if (strcmp(asked->verb, "seeks") == 0) {
        model_take_seek(&client->model, row);
    } else if (strcmp(asked->verb, "watchers") == 0) {
        if (row->words > 1 && strcmp(row->word[0], "watcher") == 0 &&
            lookup->names < MODEL_WATCHERS_MAX &&
            text_copy(lookup->name[lookup->names], NAME_BYTES, row->word[1]))
            lookup->names++;
    } else if (!asked->is_quiet) {
        return;
    } else if (strcmp(asked->verb, "rank") == 0) {
        if (side != SIDE_NONE &&
            strcmp(words_value(row, "pool", ""), model_rating_pool(game)) == 0)
            model_set_rating(game, side, words_rating(rating, row, ""));
    } else if (strcmp(asked->verb, "games") == 0) {
        login_note_game(client, row);
    } else if (strcmp(asked->verb, "help") == 0) {
        model_take_verb(&client->model, row);
    }
}

void server_events_on_text(void *owner, const struct visit_request *asked,
                           const char *line)
{
    struct client *client = owner;
    struct model *model = &client->model;
    bool has_rows = answers_has_rows(asked->verb);
    char words[PROTO_LINE_MAX + 256], copy[TOLD_ROW_BYTES];
    struct text text = text_into(words, sizeof words);
    struct proto_line row;

    screen_say_after_end(client);
    if (has_rows)
        known_note_row(&client->known, line);
    told_parse_row(line, copy, &row);
    take_row(client, asked, &row);
    if (asked->is_quiet) {
        if (strcmp(asked->verb, "record") == 0)
            save_take_line(client, line);
        return;
    }
    if (has_rows)
        told_row(&text, model, line);
    else if (strcmp(asked->verb, "help") == 0)
        snprintf(model->help + strlen(model->help),
                 sizeof model->help - strlen(model->help), "%s\n", line);
    else
        text_addf(&text, "%s\n", line);
    console_said(client->console,
                 &(struct said){SAID_ROW, words, .verb = asked->verb, .row = line});
}

/* --- Any line --- */

void server_events_on_heard(void *owner)
{
    struct client *client = owner;

    if (visit_loss(client->visit)->since_ms == 0)
        client->reconnect.heard_ms = mono_with_sleep_ms();
    reconnect_check_moves(client);
    console_go_on(client->console);
}

void server_events_on_bad_line(void *owner)
{
    struct client *client = owner;

    if (client->bad_lines < INT_MAX)
        client->bad_lines++;
}

void server_events_say_bad_lines(struct client *client)
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
