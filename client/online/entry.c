/* See entry.h. */
#include "client/online/entry.h"

#include <ctype.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/online/client.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Trust --- */

void entry_on_met(void *owner, const char *words, bool keeps_other)
{
    struct client *client = owner;
    char server[LINK_SERVER_BYTES];

    client->keeps_other = keeps_other;
    if (keeps_other) {
        link_format_typed(server, client->talk.to);
        console_sayf(
            client->talk.console,
            _("-- you knew another server at this address; the key of the link "
              "is used. \"janggi forget %s\" forgets the other one\n"),
            server);
    }
    console_say(client->talk.console, words);
}

void entry_on_ask_key(void *owner, const char *words)
{
    struct client *client = owner;

    console_say(client->talk.console, words);
    console_ask(client->talk.console, QUESTION_KEY,
                _("Is it the same (yes, no, or the key)? "));
}

void entry_take_key(struct client *client, const char *line)
{
    bool is_yes = words_is_yes(line);

    if (words_is_no(line)) {
        talk_fail(&client->talk, CLIENT_EXIT_TRUST, _("the key was not accepted"));
        return;
    }
    if (!is_yes && !link_is_key(line)) {
        console_ask(client->talk.console, QUESTION_KEY,
                    _("Please type yes, no, or the key: "));
        return;
    }
    if (!is_yes && !tls_key_matches(visit_key(client->talk.visit), line)) {
        talk_fail(&client->talk, CLIENT_EXIT_TRUST,
                  _("that is not the key of this server. Not connected."));
        return;
    }
    console_hold(client->talk.console, true);
    visit_answer_key(client->talk.visit);
}

/* --- The end --- */

void entry_on_end(void *owner, enum visit_end end)
{
    struct client *client = owner;
    char words[VISIT_WORDS_BYTES];

    if (end == VISIT_LOST && reconnect_begin(&client->reconnect))
        return;
    visit_describe_end(words, client->talk.visit, end);
    if (console_is_editing(client->talk.console) && end != VISIT_DISTRUST)
        console_say(client->talk.console, words);
    else
        fputs(words, stderr);
    console_leave(client->talk.console,
                  end == VISIT_TAKEN_OVER && console_is_screen(client->talk.console)
                      ? CLIENT_EXIT_OK /* the game continues in the other terminal */
                      : visit_exit_code(end));
}

/* --- The name --- */

static void ask_name(struct client *client)
{
    char name[NAME_BYTES], words[2 * NAME_BYTES + 96];
    struct text text = text_into(words, sizeof words);

    visit_default_name(client->talk.visit, name);
    if (client->asks_owner)
        text_addf(&text, _("You are %s here: make %s the owner? (Y/n) "), name, name);
    else if (client->is_name_refused)
        text_add(&text, _("Another name: "));
    else
        text_addf(&text, _("Your name [%s]: "), name);
    console_ask(client->talk.console, QUESTION_NAME, words);
}

void entry_on_beside(void *owner, const char *busy, const char *name)
{
    struct client *client = owner;

    console_sayf(client->talk.console,
                 _("You are %s in another terminal, and %s here.\n"), busy, name);
}

void entry_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused)
{
    struct client *client = owner;

    client->is_name_refused = is_refused;
    client->asks_owner = false;
    if (bad != NULL)
        console_sayf(client->talk.console, _("Invalid name \"%s\": %s.\n"), bad,
                     visit_name_rule());
    else if (busy != NULL && !is_refused && client->talk.to->kind == LINK_OWNER)
        client->asks_owner = true;
    else if (busy != NULL && !is_refused)
        console_sayf(client->talk.console,
                     _("You are already logged in as %s in another terminal. Choose "
                       "another name.\n"),
                     busy);
    ask_name(client);
}

enum { CODE_LETTERS = 8 };

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

void entry_take_name(struct client *client, const char *line)
{
    char name[NAME_BYTES], code[LINK_CODE_BYTES] = "";

    if (client->asks_owner && words_is_yes(line))
        line = ""; /* as Enter: the name that is here */
    client->is_name_refused =
        client->is_name_refused || (client->asks_owner && words_is_no(line));
    if (client->is_name_refused && (line[0] == '\0' || client->asks_owner)) {
        client->asks_owner = false;
        ask_name(client); /* there is no default name */
        return;
    }
    visit_default_name(client->talk.visit, name);
    console_hold(client->talk.console, true);
    if ((line[0] == '\0' || cut_name(line, name, code)) &&
        visit_answer_name(client->talk.visit, name, code))
        return;
    console_sayf(client->talk.console, _("A name is %s.\n"), visit_name_rule());
    ask_name(client);
}

/* --- Login answered --- */

/* Requests the missing events of our running games, and of the games that we watched
 * before the connection was lost. */
void entry_on_resume(void *owner, const char *games)
{
    struct client *client = owner;
    bool was_here = visit_loss(client->talk.visit)->since_ms != 0;
    int64_t id;

    text_copy(client->talk.model.name, sizeof client->talk.model.name,
              visit_name(client->talk.visit));
    client->reconnect.missed = 0;
    while (visit_next_game(&games, &id)) {
        if (was_here && model_find(&client->talk.model, id) == NULL)
            reconnect_forget_seeks(&client->reconnect);
        model_get(&client->talk.model, id)->is_asked = true;
    }
    for (struct model_game *game = client->talk.model.games; game != NULL;
         game = game->next)
        if (game->is_asked ||
            (was_here && !game->is_left && game->game.phase != GAME_OVER)) {
            game->is_asked = true;
            visit_resume(client->talk.visit, game->id, game->next_event, game->code);
        }
}

static void say_hello(struct client *client, const struct proto_line *line)
{
    const char *proof = proto_line_value(line, "proof");
    const char *role = words_value(line, "role", "");

    console_sayf(client->talk.console,
                 proof != NULL && strcmp(proof, "none") == 0
                     ? _("Hello %s. As a guest you can watch.\n")
                     : _("Hello %s.\n"),
                 client->talk.model.name);
    if (console_is_screen(client->talk.console) && errand_is_done(&client->errand) &&
        !visit_is_resuming(client->talk.visit))
        console_say(
            client->talk.console,
            _("\"play\" finds you a game; \"seeks\" lists who waits for an opponent;\n"
              "\"games\" lists the running games; \"help\" lists the commands.\n"));
    if (client->talk.to->kind == LINK_OWNER && strcmp(role, "owner") == 0)
        console_say(client->talk.console,
                    _("You are an owner of this server. \"door 4\" makes a link "
                      "for your friends.\n"));
    else if (client->talk.to->kind == LINK_ENTER && role[0] != '\0')
        console_say(client->talk.console, _("You are now a member of this server; from "
                                            "now on it recognises you by your key.\n"));
}

void entry_on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct client *client = owner;

    if (is_first)
        say_hello(client, line);
    client->lookup.is_listing = is_first;
    hook_begin(&client->hook, is_first);
    if (client->talk.model.verb_count == 0)
        talk_send(&client->talk, "help verbs", -1, true);
    errand_begin(&client->errand);
    console_hold(client->talk.console, false);
    console_answer(client->talk.console, "login", line, "");
    console_prompt(client->talk.console);
}

void entry_on_refused(void *owner, const struct proto_line *line)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    console_answer(client->talk.console, "login", line, words);
    told_refusal(&text, line);
    console_say(client->talk.console, words);
}
