/* From the first byte to the first game: whom to trust, who we are, and what the link
 * asked for. Also the way back after a lost connection, which is the same way with less
 * said. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/play/device.h"
#include "client/play/inside.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { LOOK_AGAIN_MS = 3000 };

static const char no_name[] =
    N_("2-16 letters, digits, _ or -, or 2-8 Hangul syllables, "
       "and no word of the game");

static void say_marked(struct client *client, const char *words)
{
    screen_sayf(client, "%s%s", client->is_screen ? "" : "-- ", words);
}

/* --- Trust --- */

static void keep_key(struct client *client, enum trust_verdict verdict,
                     const struct tls_key *key)
{
    bool is_whole = strlen(client->given) == TLS_KEY_TEXT_BYTES - 1;
    bool is_pin = strcmp(client->trust.given_from, "link") != 0;

    client->key = *key;
    if (verdict == TRUST_GIVEN &&
        trust_keep_given(&client->trust, key, is_pin && is_whole))
        screen_say(client,
                   _("-- another key is kept for this server; \"janggi forget\" "
                     "removes it\n"));
}

void entry_on_up(void *owner, enum trust_verdict verdict, const struct tls_key *key)
{
    struct client *client = owner;
    char words[TRUST_WORDS_BYTES];

    client->heard_ms = mono_now_ms();
    client->state = CLIENT_GREETING;
    client->bye[0] = '\0';
    keep_key(client, verdict, key);
    if (client->was_ready || client->has_met)
        return;
    client->has_met = true;
    trust_describe_good(words, &client->trust, verdict);
    say_marked(client, words);
}

static void ask_about_key(struct client *client, const struct tls_key *key)
{
    char words[TRUST_WORDS_BYTES];

    client->key = *key;
    trust_describe_ask(words, &client->trust, key);
    screen_say(client, words);
    screen_ask(client, QUESTION_KEY, _("Is it the same (yes, no, or the key)? "));
}

void entry_take_key(struct client *client, const char *line)
{
    bool is_yes = words_is_yes(line);

    if (words_is_no(line)) {
        client_fail(client, CLIENT_EXIT_TRUST, _("the key was not accepted"));
        return;
    }
    if (!is_yes && !link_is_key(line)) {
        screen_ask(client, QUESTION_KEY, _("Please type yes, no, or the key: "));
        return;
    }
    if (!is_yes && !tls_key_matches(&client->key, line)) {
        client_fail(client, CLIENT_EXIT_TRUST,
                    _("that is not the key of this server. Not connected."));
        return;
    }
    tls_key_format(client->given, &client->key);
    client->trust.given_from = "you";
    edit_hold(client->edit, true);
    net_start(client->net);
}

static void distrust(struct client *client, const struct net_down *down)
{
    char words[TRUST_WORDS_BYTES];

    if (down->verdict == TRUST_UNKNOWN && client->is_screen) {
        ask_about_key(client, &down->key);
        return;
    }
    trust_describe_bad(words, &client->trust, down->verdict, &down->key);
    fputs(words, stderr);
    client_leave(client, CLIENT_EXIT_TRUST);
}

/* --- Going down --- */

/* The server said goodbye: some reasons are no reason to come back. */
static bool is_final(const char *bye)
{
    return strcmp(bye, "taken-over") == 0 || strcmp(bye, "flood") == 0;
}

static void say_unreachable(struct client *client, const struct net_down *down)
{
    char server[LINK_SERVER_BYTES];

    link_format_server(server, client->to);
    client_fail(client, CLIENT_EXIT_LOST, _("cannot reach %s: %s%s"), server,
                down->words,
                down->end == NET_REFUSED ? _("; is janggid running there?") : "");
}

void entry_on_down(void *owner, const struct net_down *down)
{
    struct client *client = owner;

    if (client->state == CLIENT_LEAVING) {
        client_leave(client, CLIENT_EXIT_OK);
        return;
    }
    if (client->state == CLIENT_NAMING)
        return; /* hang_up() did it, or the server a moment before */
    if (down->end == NET_CLOSED) {
        net_start(client->net); /* the name was given before hang_up() had come about */
        return;
    }
    if (down->end == NET_DISTRUST) {
        distrust(client, down);
        return;
    }
    if (is_final(client->bye)) {
        client_leave(client, CLIENT_EXIT_LOST);
        return;
    }
    if (!client->was_ready && client->bye[0] != '\0')
        client_leave(client, CLIENT_EXIT_REFUSED); /* it has said why */
    else if (!client->was_ready)
        say_unreachable(client, down);
    else if (!lost_begin(client, down))
        client_fail(client, CLIENT_EXIT_LOST, _("the connection is lost (%s)"),
                    down->words);
}

/* --- The name --- */

static void log_in(struct client *client)
{
    client->state = CLIENT_LOGIN;
    if (client->name[0] == '\0')
        typed_send(client, "login", -1, true);
    else if (client->device_code[0] != '\0')
        typed_sendf(client, -1, true, "login %s code=%s", client->name,
                    client->device_code);
    else if (client->token[0] != '\0')
        typed_sendf(client, -1, true, "login %s token=%s", client->name, client->token);
    else
        typed_sendf(client, -1, true, "login %s", client->name);
}

static void default_name(char out[NAME_BYTES])
{
    const char *user = getenv("USER");

    if (user == NULL || !utf8_name(out, user))
        text_copy(out, NAME_BYTES, "player");
}

/* A server waits half a minute for a login, and a person may take longer to choose a
 * name: nobody waits meanwhile. */
static void hang_up(struct client *client)
{
    if (!net_is_up(client->net))
        return;
    net_send(client->net, "quit");
    net_stop(client->net);
}

static void ask_name(struct client *client)
{
    char name[NAME_BYTES], words[NAME_BYTES + 32];
    struct text text = text_into(words, sizeof words);

    default_name(name);
    if (client->is_name_refused)
        text_add(&text, _("Another name: "));
    else
        text_addf(&text, _("Your name [%s]: "), name);
    client->state = CLIENT_NAMING;
    hang_up(client);
    screen_ask(client, QUESTION_NAME, words);
}

void entry_take_name(struct client *client, const char *line)
{
    char name[NAME_BYTES], typed[NAME_BYTES], code[LINK_CODE_BYTES];

    default_name(name);
    if (line[0] == '\0' && client->is_name_refused) {
        ask_name(client); /* there is nothing to fall back on */
        return;
    }
    if (line[0] != '\0' &&
        !(device_take_name(line, typed, code) && utf8_name(name, typed))) {
        screen_sayf(client, _("A name is %s.\n"), _(no_name));
        ask_name(client);
        return;
    }
    if (line[0] != '\0' && code[0] != '\0')
        text_copy(client->device_code, sizeof client->device_code, code);
    text_copy(client->name, sizeof client->name, name);
    edit_hold(client->edit, true);
    client->state = CLIENT_CONNECTING;
    net_start(client->net);
}

/* A name that was given and is none: a person is asked for another one. */
static void refuse_name(struct client *client)
{
    const char *name = client->prefs->name;

    if (!client->is_screen) {
        client_fail(client, CLIENT_EXIT_USAGE, _("\"%s\" is no name here: %s"), name,
                    _(no_name));
        return;
    }
    screen_sayf(client, _("\"%s\" is no name here: %s.\n"), name, _(no_name));
    ask_name(client);
}

/* -n or JANGGI_NAME, else the one used here before, else asked for, else $USER. */
static void choose_name(struct client *client)
{
    bool is_given = client->prefs->name[0] != '\0';

    if (client->to->kind == LINK_WATCH || client->name[0] != '\0') {
        log_in(client);
        return;
    }
    if (is_given && !utf8_name(client->name, client->prefs->name)) {
        client->name[0] = '\0';
        refuse_name(client);
        return;
    }
    if (!is_given && client->device_code[0] == '\0')
        prefs_recall_name(client->prefs, client->to, client->name);
    if (client->name[0] == '\0' && client->is_screen) {
        ask_name(client);
        return;
    }
    if (client->name[0] == '\0')
        default_name(client->name);
    log_in(client);
}

void entry_greet(struct client *client, const struct proto_line *line)
{
    if (client->state != CLIENT_GREETING)
        return;
    if (line->words == 0 || strncmp(line->word[0], "janggi/1", 8) != 0)
        client_fail(client, CLIENT_EXIT_ERROR, _("this server speaks something else"));
    else
        choose_name(client);
}

/* --- Login answered --- */

/* "3,7": each running game of ours is read from where we stand. */
static void resume_games(struct client *client, const char *games)
{
    char word[24];
    int64_t id;

    for (const char *at = games; *at != '\0'; at += *at == ',') {
        size_t len = strcspn(at, ",");
        struct model_game *game;

        if (len < sizeof word) {
            memcpy(word, at, len);
            word[len] = '\0';
            if (text_to_int(word, 0, INT64_MAX, &id)) {
                game = model_get(&client->model, id);
                game->is_asked = true;
            }
        }
        at += len;
    }
    /* What we watched before the connection was lost goes on as well. */
    for (struct model_game *game = client->model.games; game != NULL; game = game->next)
        if (game->is_asked ||
            (client->was_ready && !game->is_left && game->game.phase != GAME_OVER)) {
            game->is_asked = true;
            client->resumes++;
            typed_sendf(client, game->id, true, "resume %lld %d", (long long)game->id,
                        game->next_event);
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

    if (client->was_ready)
        return;
    if (proof != NULL && strcmp(proof, "none") == 0)
        screen_sayf(client, _("%sYou are %s, watching.\n"),
                    client->is_screen ? "" : "-- ", client->model.name);
    else
        screen_sayf(client, _("%sHello %s.\n"), client->is_screen ? "" : "-- ",
                    client->model.name);
    if (client->is_screen && client->errand == ERRAND_NONE && client->resumes == 0)
        screen_say(client,
                   _("\"seek\" offers a game, \"seeks\" and \"games\" show what "
                     "goes on, \"help\" lists all.\n"));
}

void entry_take_resume(struct client *client, int missed)
{
    client->missed += missed;
    if (client->resumes > 0)
        client->resumes--;
    if (client->resumes == 0)
        lost_say_back(client);
}

void entry_take_login(struct client *client, const struct proto_line *line)
{
    const char *name = proto_line_value(line, "name");
    const char *proof = proto_line_value(line, "proof");
    const char *token = proto_line_value(line, "token");
    const char *games = proto_line_value(line, "games");

    if (name == NULL || !text_copy(client->model.name, NAME_BYTES, name)) {
        client_fail(client, CLIENT_EXIT_ERROR, _("the server gave no name"));
        return;
    }
    client->device_code[0] = '\0'; /* it was good for once */
    if (token != NULL)
        text_copy(client->token, sizeof client->token, token);
    if (proof != NULL && strcmp(proof, "none") != 0)
        prefs_remember_name(client->prefs, client->to, name);
    client->state = CLIENT_READY;
    client->resumes = client->missed = 0;
    resume_games(client, games != NULL ? games : "");
    say_hello(client, line);
    client->is_homecoming = !client->was_ready;
    client->was_ready = true;
    net_set_reconnects(client->net, client->prefs->reconnects);
    if (client->resumes == 0)
        lost_say_back(client);
    do_errand(client);
    edit_hold(client->edit, false);
    screen_prompt(client);
    client_go_on(client);
}

void entry_refuse_login(struct client *client, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_refusal(&text, line);
    screen_say(client, words);
    if (client->is_screen && !client->was_ready && client->to->kind != LINK_WATCH) {
        client->name[0] = '\0';
        client->is_name_refused = true;
        ask_name(client);
        return;
    }
    client_leave(client, CLIENT_EXIT_REFUSED);
}

/* --- What the link asked for --- */

void entry_take_join(struct client *client, const struct proto_line *line)
{
    int64_t id = proto_line_number(line, "game", -1);

    if (id < 0)
        return;
    client->errand = ERRAND_NONE;
    if (model_find(&client->model, id) != NULL)
        return;
    /* A game that began before: its events do not come by themselves. One that begins
     * now sends some of them twice, which does no harm. */
    model_get(&client->model, id)->is_asked = true;
    typed_sendf(client, id, true, "resume %lld 0", (long long)id);
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
            screen_say(client, _("-- no game is on yet; waiting for one to begin\n"));
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
    screen_say(client, _("Several games are on; \"watch NUMBER\" shows one:\n"));
    typed_send(client, "games", -1, false);
}
