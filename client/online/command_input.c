/* See client.h: lines that were typed, read from a pipe or given with -c: commands, and
 * answers to questions of the client. */
#include "client/online/client.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/view/words.h"
#include "common/base/translate.h"

enum { GAME_CODE_LETTERS = 16 };

/* --- Actions --- */

static void send_move(struct client *client, const struct action *action)
{
    struct model_game *game = action->game;

    game->pending = (struct model_pending){
        .state = visit_is_ready(client->visit) ? PENDING_SENT : PENDING_TYPED,
        .ply = action->ply,
        .move = action->move,
    };
    if (game->pending.state == PENDING_SENT)
        client_send_pending(client, game);
    else
        console_say(client->console,
                    _("-- not connected: when the connection is back, janggi asks you "
                      "whether to send the move\n"));
}

enum {
    WAY_BYTES = LINK_SERVER_BYTES + LINK_CODE_BYTES + TLS_KEY_TEXT_BYTES + 32,
    BACK_BYTES = WAY_BYTES + 8
};

/* Writes what to type after "janggi" to come back. A spectator without a name needs the
 * link. Others need only the address, except where another key is stored for it. */
static void format_way(char out[WAY_BYTES], const struct client *client)
{
    const struct link *to = client->to;
    char server[LINK_SERVER_BYTES];

    if (to->kind == LINK_WATCH) {
        link_format_pasted(server, to);
        snprintf(out, WAY_BYTES, "janggi://%s/watch/%s%s%s", server, to->code,
                 to->code[0] != '\0' ? "/" : "", to->key);
        return;
    }
    link_format_typed(server, to);
    if (client->keeps_other && to->key[0] != '\0')
        snprintf(out, WAY_BYTES, "--pin %s %s", to->key, server);
    else
        text_copy(out, WAY_BYTES, server);
}

/* Tells the player how to come back. If `make play` started the server, says only that
 * the player remains in the game: the script of `make play` prints the command later,
 * after it has stopped the server. */
static void say_farewell(struct client *client)
{
    const struct model_game *game = client->model.current;
    const char *command = getenv("JANGGI_COME_BACK");
    char way[WAY_BYTES], back[BACK_BYTES];

    if (game != NULL && !model_is_playing(game))
        game = NULL;
    if (!console_is_screen(client->console) || (game == NULL && client->is_own_server))
        return;
    if (client->is_own_server) {
        console_sayf(client->console, _("Your seat in game %lld is kept.\n"),
                     (long long)game->id);
        return;
    }
    format_way(way, client);
    if (command == NULL || !text_copy(back, sizeof back, command))
        snprintf(back, sizeof back, "janggi %s", way);
    if (game == NULL) {
        console_sayf(client->console, _("Come back with:\n  %s\n"), back);
        return;
    }
    console_sayf(
        client->console,
        model_is_slow(game) || game->game.clock.terms.is_untimed
            ? _("Your seat in game %lld is kept. Come back with:\n  %s\n")
            : _("Game %lld goes on, and so does its clock; your seat is kept. Come "
                "back with:\n  %s\n"),
        (long long)game->id, back);
}

static bool run_own(void *owner, const struct action *action)
{
    struct client *client = owner;

    switch (action->kind) {
    case ACTION_MOVE:
        send_move(client, action);
        break;
    case ACTION_NOTHING:
        reconnect_try_now(client);
        break;
    case ACTION_CHOOSE:
        client->model.current = action->game;
        if (!console_is_screen(client->console))
            break;
        if (action->game->game.phase == GAME_SETUP && model_is_our_turn(action->game))
            screen_setup_choice(client, action->game);
        else
            session_show_board(&client->session, action->game);
        break;
    case ACTION_SAVE:
        save_begin(client, action->number, action->words);
        break;
    case ACTION_COMPUTER:
        programs_want_computer(client, (int)action->number);
        break;
    case ACTION_STOP:
        reconnect_give_up(client);
        break;
    case ACTION_QUIT:
        say_farewell(client);
        console_finish(client->console);
        break;
    default:
        return false;
    }
    return true;
}

static void send_line(void *owner, const char *line, int64_t game)
{
    struct client *client = owner;

    client_send(client, line, game, false);
}

static void on_set(void *owner)
{
    struct client *client = owner;

    visit_set_reconnects(client->visit, client->prefs->reconnects);
}

static bool is_ready(void *owner)
{
    const struct client *client = owner;

    return visit_is_ready(client->visit);
}

const struct session_referee command_input_referee = {
    .send = send_line, .run = run_own, .on_set = on_set, .is_ready = is_ready};

/* Returns true if `line` contains a code or a token, and therefore must not be kept in
 * the history. With it, another person could take the player's place in a game, watch a
 * private game or enter the server. Also recognises abbreviated verbs and pasted links:
 * a code can follow a part of a link such as "/join/", or the name of an argument such as
 * "code="; the code of a private game, "17-K7Q29F3MW4XHT6PB", can be anywhere. */
static bool is_secret(const char *line)
{
    static const char *const before[] = {
        "/join/",  "/join#", "/enter/", "/enter#", "/owner/",
        "/owner#", "token=", "code=",   "invite=", "owner="};
    static const char letters[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char word[16];
    const char *at = line + strspn(line, " ");
    size_t len;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    text_lower(word);
    len = strlen(word);
    if ((len > 1 && strncmp(word, "join", len) == 0) || strcmp(word, "login") == 0 ||
        (len > 1 && strncmp(word, "owner", len) == 0))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(before); i++)
        if (strstr(line, before[i]) != NULL)
            return true;
    for (at = strchr(line, '-'); at != NULL; at = strchr(at + 1, '-'))
        if (at > line && strchr("0123456789", at[-1]) != NULL &&
            strspn(at + 1, letters) == GAME_CODE_LETTERS)
            return true;
    return false;
}

/* --- From the console --- */

/* Writes the command for an owner link of this server, alone or behind the word
 * "janggi": it makes the name that is here an owner. False: the line is something
 * else. */
static bool read_owner_link(const struct client *client, const char *line,
                            char out[LINK_CODE_BYTES + 8])
{
    char text[LINK_SERVER_BYTES + 128], why[LINK_WHY_BYTES];
    struct link link;

    line += strspn(line, " ");
    if (strncasecmp(line, "janggi ", 7) == 0)
        line += 7 + strspn(line + 7, " ");
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, " "), line);
    if (!link_parse(text, &link, why) || link.kind != LINK_OWNER ||
        !tls_key_matches(visit_key(client->visit), link.key))
        return false;
    snprintf(out, LINK_CODE_BYTES + 8, "owner %s", link.code);
    return true;
}

void command_input_line(void *owner, const char *line)
{
    struct client *client = owner;
    char command[LINK_CODE_BYTES + 8];

    screen_say_after_end(client);
    if (read_owner_link(client, line, command))
        line = command;
    if (!is_secret(line))
        console_remember(client->console, line);
    session_line(&client->session, line);
    reconnect_check_moves(client);
}

void command_input_answer(void *owner, int id, const char *line)
{
    struct client *client = owner;

    switch ((enum client_question)id) {
    case QUESTION_KEY:
        login_take_key(client, line);
        break;
    case QUESTION_NAME:
        login_take_name(client, line);
        break;
    case QUESTION_SURE:
        if (!words_is_yes(line) && !words_is_no(line) && !is_secret(line))
            console_remember(client->console, line);
        session_answer(&client->session, line);
        break;
    case QUESTION_MOVE:
        if (!reconnect_answer_move(client, line))
            command_input_line(client,
                               line); /* the question is asked again afterwards */
        break;
    }
    reconnect_check_moves(client);
}

void command_input_end(void *owner)
{
    struct client *client = owner;
    bool was_ready = visit_was_ready(client->visit);

    if (!console_is_screen(client->console)) {
        console_finish(client->console);
        return;
    }
    say_farewell(client);
    console_leave(client->console, was_ready ? CLIENT_EXIT_OK : CLIENT_EXIT_ERROR);
}

bool command_input_interrupt(void *owner, bool is_last)
{
    struct client *client = owner;
    const struct model_game *game = client->model.current;

    if (session_stop_analysis(&client->session))
        return true;
    if (!is_last && visit_is_away(client->visit) &&
        !visit_loss(client->visit)->is_resting) {
        reconnect_give_up(client);
        return true;
    }
    if (is_last || !visit_is_ready(client->visit)) {
        say_farewell(client);
        console_leave(client->console, CLIENT_EXIT_INTERRUPT);
        return true;
    }
    if (console_question(client->console) == QUESTION_MOVE)
        (void)reconnect_answer_move(client, "no");
    if (game == NULL || !model_is_playing(game))
        return false;
    console_drop_question(client->console);
    console_sayf(client->console,
                 _("Type \"quit\" to leave, or Ctrl-C once more. Game %lld goes on.\n"),
                 (long long)game->id);
    return true;
}

const char *command_input_complete(void *owner, const char *before, const char *word,
                                   size_t i)
{
    struct client *client = owner;

    return session_complete(&client->session, before, word, i);
}
