/* Questions of a visit that a person answers, and what the link asked for: whom to
 * trust, who we are, and the first game. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/inside.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { LOOK_AGAIN_MS = 3000 };

static void say_marked(struct client *client, const char *words)
{
    console_sayf(client->console, "%s%s", console_mark(client->console), words);
}

/* --- Trust --- */

void entry_on_met(void *owner, const char *words, bool keeps_other)
{
    struct client *client = owner;

    if (keeps_other)
        console_say(client->console,
                    _("-- another key is kept for this server; \"janggi forget\" "
                      "removes it\n"));
    say_marked(client, words);
}

void entry_on_ask_key(void *owner, const char *words)
{
    struct client *client = owner;

    console_say(client->console, words);
    console_ask(client->console, QUESTION_KEY,
                _("Is it the same (yes, no, or the key)? "));
}

void entry_take_key(struct client *client, const char *line)
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

void entry_on_end(void *owner, enum visit_end end)
{
    struct client *client = owner;
    char words[VISIT_WORDS_BYTES];

    if (end == VISIT_LOST && lost_begin(client))
        return;
    visit_describe_end(words, client->visit, end);
    if (console_is_editing(client->console) && end != VISIT_DISTRUST)
        console_say(client->console, words);
    else
        fputs(words, stderr);
    console_leave(client->console,
                  end == VISIT_TAKEN_OVER && console_is_screen(client->console)
                      ? CLIENT_EXIT_OK /* the game goes on in the other terminal */
                      : visit_exit_code(end));
}

/* --- The name --- */

static void ask_name(struct client *client)
{
    char name[NAME_BYTES], words[NAME_BYTES + 32];
    struct text text = text_into(words, sizeof words);

    visit_default_name(client->visit, name);
    if (client->is_name_refused)
        text_add(&text, _("Another name: "));
    else
        text_addf(&text, _("Your name [%s]: "), name);
    console_ask(client->console, QUESTION_NAME, words);
}

void entry_on_beside(void *owner, const char *busy, const char *name)
{
    struct client *client = owner;

    console_sayf(client->console, _("You are %s in another terminal, and %s here.\n"),
                 busy, name);
}

void entry_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused)
{
    struct client *client = owner;

    client->is_name_refused = is_refused;
    if (bad != NULL)
        console_sayf(client->console, _("\"%s\" is no name here: %s.\n"), bad,
                     visit_name_rule());
    else if (busy != NULL && !is_refused)
        console_sayf(client->console,
                     _("You are already %s here, in another terminal. Choose another "
                       "name.\n"),
                     busy);
    ask_name(client);
}

enum { CODE_LETTERS = 8 };

/* "K7Q2-9F3M" in any spelling. Two words that are not a name and a code are refused. */
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

/* Reads "NAME CODE", "NAME code=CODE" or "NAME"; code becomes "" without one. False: not
 * of that form, or too long. */
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

    if (line[0] == '\0' && client->is_name_refused) {
        ask_name(client); /* there is nothing to fall back on */
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

/* --- Login answered --- */

/* The running games of ours, and what we watched before the connection was lost, are
 * read from where we stand. */
void entry_on_resume(void *owner, const char *games)
{
    struct client *client = owner;
    bool was_here = visit_loss(client->visit)->since_ms != 0;
    int64_t id;

    text_copy(client->model.name, sizeof client->model.name, visit_name(client->visit));
    client->missed = 0;
    while (visit_next_game(&games, &id))
        model_get(&client->model, id)->is_asked = true;
    for (struct model_game *game = client->model.games; game != NULL; game = game->next)
        if (game->is_asked ||
            (was_here && !game->is_left && game->game.phase != GAME_OVER)) {
            game->is_asked = true;
            visit_resume(client->visit, game->id, game->next_event);
        }
}

static void do_errand(struct client *client)
{
    if (client->errand == ERRAND_JOIN)
        typed_sendf(client, -1, false, "join %s", client->to->code);
    else if (client->errand == ERRAND_WATCH)
        entry_look_for_game(client);
}

static void say_hello(struct client *client, const struct proto_line *line)
{
    const char *proof = proto_line_value(line, "proof");

    if (proof != NULL && strcmp(proof, "none") == 0)
        console_sayf(client->console, _("%sYou are %s, watching.\n"),
                     console_mark(client->console), client->model.name);
    else
        console_sayf(client->console, _("%sHello %s.\n"), console_mark(client->console),
                     client->model.name);
    if (console_is_screen(client->console) && client->errand == ERRAND_NONE &&
        !visit_is_resuming(client->visit))
        console_say(client->console,
                    _("\"seek\" offers a game, \"seeks\" and \"games\" show what "
                      "goes on, \"help\" lists all.\n"));
}

void entry_on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct client *client = owner;

    if (is_first)
        say_hello(client, line);
    client->is_homecoming = is_first;
    do_errand(client);
    console_hold(client->console, false);
    console_answer(client->console, "login", line, "");
    console_prompt(client->console);
}

void entry_on_refused(void *owner, const struct proto_line *line)
{
    struct client *client = owner;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    console_answer(client->console, "login", line, words);
    words_refusal(&text, line);
    console_say(client->console, words);
}

/* --- What the link asked for --- */

void entry_take_join(struct client *client, const struct proto_line *line)
{
    int64_t id = proto_line_number(line, "game", -1);

    client->errand = ERRAND_NONE; /* the server keeps the seat, also one that waits */
    if (id < 0 || model_find(&client->model, id) != NULL)
        return;
    /* A game that began before: its events do not come by themselves. One that begins
     * now sends some of them twice, which does no harm. */
    model_get(&client->model, id)->is_asked = true;
    typed_sendf(client, id, true, "resume %lld 0", (long long)id);
}

bool entry_goes_on(struct client *client)
{
    if (!client->is_own_server || client->errand != ERRAND_JOIN)
        return false;
    client->errand = ERRAND_NONE;
    console_say(client->console, _("-- both seats are taken; \"invite\", \"seek\" and "
                                   "\"computer\" begin another game\n"));
    return true;
}

void entry_refuse_join(struct client *client, const struct proto_line *line)
{
    const struct model_game *game;

    (void)line; /* has been said */
    if (client->errand != ERRAND_JOIN)
        return;
    client->errand = ERRAND_NONE;
    for (game = client->model.games; game != NULL; game = game->next)
        if (game->is_ours || game->is_asked)
            return;
    client_fail(client, CLIENT_EXIT_REFUSED,
                _("the invitation %s is not good (any more); ask for a new one"),
                client->to->code);
}

void entry_look_for_game(struct client *client)
{
    client->look_ms = 0;
    client->running_count = 0;
    typed_send(client, "games", -1, true);
}

/* The list of games is complete: watch the only one, or wait until there is one. */
void entry_take_games(struct client *client)
{
    if (client->errand != ERRAND_WATCH)
        return;
    if (client->running_count == 0) {
        if (!client->is_looking)
            console_say(client->console,
                        _("-- no game is on yet; waiting for one to begin\n"));
        client->is_looking = true;
        client->look_ms = mono_now_ms() + LOOK_AGAIN_MS;
        return;
    }
    client->errand = ERRAND_NONE;
    if (client->running_count == 1) {
        typed_sendf(client, client->running[0], true, "watch %lld",
                    (long long)client->running[0]);
        return;
    }
    console_say(client->console,
                _("Several games are on; \"watch NUMBER\" shows one:\n"));
    typed_send(client, "games", -1, false);
}
