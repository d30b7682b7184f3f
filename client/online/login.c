/* See client.h: entering and leaving a server. Asks the person whether to trust its key
 * and which name to use, greets after the login, carries out what the link on the command
 * line asks for, and reports why a visit ended. */
#include "client/online/client.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/view/manner.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

enum { CODE_LETTERS = 8, LOOK_AGAIN_MS = 3000 };

/* --- Trust --- */

void login_on_met(void *owner, const char *words, bool keeps_other)
{
    struct client *client = owner;
    char server[LINK_SERVER_BYTES];

    client->keeps_other = keeps_other;
    if (keeps_other) {
        link_format_typed(server, client->to);
        console_sayf(
            client->console,
            _("-- you knew another server at this address; the key of the link "
              "is used. \"janggi forget %s\" forgets the other one\n"),
            server);
    }
    console_say(client->console, words);
}

void login_on_ask_key(void *owner, const char *words)
{
    struct client *client = owner;

    console_say(client->console, words);
    console_ask(client->console, QUESTION_KEY,
                _("Is it the same (yes, no, or the key)? "));
}

void login_take_key(struct client *client, const char *line)
{
    bool is_yes = words_is_yes(line);

    if (words_is_no(line)) {
        client_fail(client, CLIENT_EXIT_TRUST, _("the key was not accepted"));
        return;
    }
    if (!is_yes && !link_is_key(line)) {
        console_ask(client->console, QUESTION_KEY,
                    _("Please type yes, no, or the key: "));
        return;
    }
    if (!is_yes && !tls_key_matches(visit_key(client->visit), line)) {
        client_fail(client, CLIENT_EXIT_TRUST,
                    _("that is not the key of this server. Not connected."));
        return;
    }
    console_hold(client->console, true);
    visit_answer_key(client->visit);
}

/* --- The end --- */

void login_on_end(void *owner, enum visit_end end)
{
    struct client *client = owner;
    char words[VISIT_WORDS_BYTES];

    if (end == VISIT_LOST && reconnect_begin(client))
        return;
    visit_describe_end(words, client->visit, end);
    if (console_is_editing(client->console) && end != VISIT_DISTRUST)
        console_say(client->console, words);
    else
        fputs(words, stderr);
    console_leave(client->console,
                  end == VISIT_TAKEN_OVER && console_is_screen(client->console)
                      ? CLIENT_EXIT_OK /* the game continues in the other terminal */
                      : visit_exit_code(end));
}

/* --- The name --- */

static void ask_name(struct client *client)
{
    char name[NAME_BYTES], words[2 * NAME_BYTES + 96];
    struct text text = text_into(words, sizeof words);

    visit_default_name(client->visit, name);
    if (client->asks_owner)
        text_addf(&text, _("You are %s here: make %s the owner? (Y/n) "), name, name);
    else if (client->has_no_default)
        text_add(&text, _("Another name: "));
    else
        text_addf(&text, _("Your name [%s]: "), name);
    console_ask(client->console, QUESTION_NAME, words);
}

void login_on_beside(void *owner, const char *busy, const char *name)
{
    struct client *client = owner;

    console_sayf(client->console, _("You are %s in another terminal, and %s here.\n"),
                 busy, name);
}

void login_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused)
{
    struct client *client = owner;

    client->has_no_default = is_refused;
    client->asks_owner = false;
    if (bad != NULL)
        console_sayf(client->console, _("Invalid name \"%s\": %s.\n"), bad,
                     visit_name_rule());
    else if (busy != NULL && !is_refused && client->to->kind == LINK_OWNER)
        client->asks_owner = true;
    else if (busy != NULL && !is_refused)
        console_sayf(client->console,
                     _("You are already logged in as %s in another terminal. Choose "
                       "another name.\n"),
                     busy);
    ask_name(client);
}

/* Returns true if `word` is a code such as "K7Q2-9F3M", in upper or lower case and with
 * dashes anywhere. */
static bool is_code(const char *word)
{
    size_t letters = 0;

    for (const char *at = word; *at != '\0'; at++)
        if (isalnum((unsigned char)*at))
            letters++;
        else if (*at != '-')
            return false;
    return letters == CODE_LETTERS;
}

/* Splits "NAME CODE", "NAME code=CODE" or "NAME"; code is "" if it is missing. Returns
 * false for another form, or if a word is too long. */
static bool cut_name(const char *typed, char name[NAME_BYTES],
                     char code[LINK_CODE_BYTES])
{
    size_t len = strcspn(typed, " ");
    const char *at = typed + len + strspn(typed + len, " ");

    if (len >= NAME_BYTES)
        return false;
    memcpy(name, typed, len);
    name[len] = '\0';
    if (strncmp(at, "code=", 5) == 0)
        at += 5;
    return (*at == '\0' || is_code(at)) && text_copy(code, LINK_CODE_BYTES, at);
}

void login_take_name(struct client *client, const char *line)
{
    char name[NAME_BYTES], code[LINK_CODE_BYTES] = "";

    if (client->asks_owner && words_is_yes(line))
        line = ""; /* as Enter: the name that is here */
    client->has_no_default =
        client->has_no_default || (client->asks_owner && words_is_no(line));
    if (client->has_no_default && (line[0] == '\0' || client->asks_owner)) {
        client->asks_owner = false;
        ask_name(client); /* there is no default name */
        return;
    }
    visit_default_name(client->visit, name);
    console_hold(client->console, true);
    if ((line[0] == '\0' || cut_name(line, name, code)) &&
        visit_answer_name(client->visit, name, code))
        return;
    console_sayf(client->console, _("A name is %s.\n"), visit_name_rule());
    ask_name(client);
}

/* --- What the link asks for --- */

static bool is_for(const struct client *client, enum link_kind kind)
{
    return !client->link_action.is_done && client->to->kind == kind;
}

static void look_for_game(struct client *client)
{
    client->link_action.look_at_ms = 0;
    client->link_action.games = 0;
    client_send(client, "games", -1, true);
}

static void begin_link_action(struct client *client)
{
    const char *code = client->to->code;
    struct model_game *game;

    if (is_for(client, LINK_JOIN)) {
        client_sendf(client, -1, false, "join %s", code);
    } else if (is_for(client, LINK_WATCH) && code[0] != '\0') {
        /* A private game, which is in no list. The code begins with its number, and is
         * needed again after a reconnection. */
        game = model_get(&client->model, strtoll(code, NULL, 10));
        client->link_action.is_done = true;
        text_copy(game->code, sizeof game->code, code);
        client_sendf(client, game->id, true, "watch %lld code=%s", (long long)game->id,
                     code);
    } else if (is_for(client, LINK_WATCH)) {
        look_for_game(client);
    }
}

void login_take_join(struct client *client, const struct proto_line *line)
{
    int64_t id = proto_line_number(line, "game", -1);

    client->link_action.is_done =
        true; /* the server keeps our place in the game, even if the
                             * opponent has not come yet */
    if (id < 0 || model_find(&client->model, id) != NULL)
        return;
    /* If the game began earlier, its events must be requested. If it begins now, some
     * events arrive twice, which is harmless. */
    model_get(&client->model, id)->is_asked = true;
    client_sendf(client, id, true, "resume %lld 0", (long long)id);
}

/* True if the game of the invitation has both its players. */
static bool is_used(const struct proto_line *line)
{
    const char *why = proto_line_value(line, "why");

    return why != NULL && strcmp(why, "used") == 0;
}

bool login_goes_on(struct client *client, const struct proto_line *line)
{
    if (!client->is_own_server || !is_for(client, LINK_JOIN))
        return false;
    client->link_action.is_done = true;
    if (!is_used(line))
        return false;
    console_say(client->console,
                _("-- both seats of that game are taken; \"invite\", \"seek\" or "
                  "\"computer\" begins another game\n"));
    return true;
}

void login_refuse_join(struct client *client, const struct proto_line *line)
{
    const struct model_game *game;

    if (!is_for(client, LINK_JOIN))
        return;
    client->link_action.is_done = true;
    for (game = client->model.games; game != NULL; game = game->next)
        if (game->is_ours || game->is_asked)
            return;
    client_fail(client, CLIENT_EXIT_REFUSED,
                is_used(line)
                    ? _("both seats of the game of %s are taken; ask for a new "
                        "invitation, or for a link to watch")
                    : _("the invitation %s is unknown or expired; ask for a new one"),
                client->to->code);
}

void login_note_game(struct client *client, const struct proto_line *row)
{
    struct link_action *action = &client->link_action;
    int64_t id;

    if (row->words > 1 && strcmp(row->word[0], "game") == 0 &&
        text_to_int(row->word[1], 0, INT64_MAX, &id) && action->games++ == 0)
        action->game = id;
}

/* Watches the only game, lists several, or searches again later if there is none. */
void login_take_games(struct client *client)
{
    struct link_action *action = &client->link_action;

    if (!is_for(client, LINK_WATCH))
        return;
    if (action->games == 0) {
        if (!action->is_looking)
            console_say(
                client->console,
                _("-- no game is being played yet; waiting for one to begin\n"));
        action->is_looking = true;
        action->look_at_ms = mono_now_ms() + LOOK_AGAIN_MS;
        return;
    }
    action->is_done = true;
    if (action->games == 1) {
        client_sendf(client, action->game, true, "watch %lld", (long long)action->game);
        return;
    }
    console_say(client->console,
                _("-- several games are being played; \"watch NUMBER\" shows one:\n"));
    client_send(client, "games", -1, false);
}

void login_look_again(struct client *client, int64_t now_ms)
{
    const struct link_action *action = &client->link_action;

    if (is_for(client, LINK_WATCH) && action->look_at_ms != 0 &&
        now_ms >= action->look_at_ms && visit_is_ready(client->visit) &&
        visit_requests(client->visit) == NULL)
        look_for_game(client);
}

/* --- Login answered --- */

/* Requests the missing events of our running games, and of the games that we watched
 * before the connection was lost. */
void login_on_resume(void *owner, const char *games)
{
    struct client *client = owner;
    bool was_here = visit_loss(client->visit)->since_ms != 0;
    int64_t id;

    text_copy(client->model.name, sizeof client->model.name, visit_name(client->visit));
    client->reconnect.missed = 0;
    while (visit_next_game(&games, &id)) {
        if (was_here && model_find(&client->model, id) == NULL)
            reconnect_forget_seeks(client);
        model_get(&client->model, id)->is_asked = true;
    }
    for (struct model_game *game = client->model.games; game != NULL; game = game->next)
        if (game->is_asked ||
            (was_here && !game->is_left && game->game.phase != GAME_OVER)) {
            game->is_asked = true;
            visit_resume(client->visit, game->id, game->next_event, game->code);
        }
}

static void say_hello(struct client *client, const struct proto_line *line)
{
    const char *proof = proto_line_value(line, "proof");
    const char *role = words_value(line, "role", "");

    console_sayf(client->console,
                 proof != NULL && strcmp(proof, "none") == 0
                     ? _("Hello %s. As a guest you can watch.\n")
                     : _("Hello %s.\n"),
                 client->model.name);
    if (console_is_screen(client->console) && !is_for(client, LINK_JOIN) &&
        !is_for(client, LINK_WATCH) && !visit_is_resuming(client->visit))
        console_say(
            client->console,
            _("\"play\" finds you a game; \"seeks\" lists who waits for an opponent;\n"
              "\"games\" lists the running games; \"help\" lists the commands.\n"));
    if (client->to->kind == LINK_OWNER && strcmp(role, "owner") == 0)
        console_say(client->console,
                    _("You are an owner of this server. \"door 4\" makes a link "
                      "for your friends.\n"));
    else if (client->to->kind == LINK_ENTER && role[0] != '\0')
        console_say(client->console, _("You are now a member of this server; from "
                                       "now on it recognises you by your key.\n"));
}

void login_on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct client *client = owner;

    if (is_first)
        say_hello(client, line);
    client->lookup.is_listing = is_first;
    client->hook.is_first = is_first;
    if (!client->model.has_verbs) {
        client->model.verb_count = 0;
        client_send(client, "help verbs", -1, true);
    }
    begin_link_action(client);
    console_hold(client->console, false);
    console_said(client->console,
                 &(struct said){SAID_ANSWER, "", .line = line, .verb = "login"});
    console_prompt(client->console);
}

void login_on_refused(void *owner, const struct proto_line *line)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    console_said(client->console,
                 &(struct said){SAID_ANSWER, words, .line = line, .verb = "login"});
    told_refusal(&text, line);
    console_say(client->console, words);
}
