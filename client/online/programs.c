/* See client.h. At most one program of each kind runs at a time. If something happens
 * while the program of a kind is running, this program is started once more after it has
 * ended, with the newest facts.
 *
 * The computer player runs this same program, or the one named in JANGGI_COMPUTER. PATH is
 * not searched, so a different program with the same name is never started. */
#include "client/online/client.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/program_line.h"
#include "common/base/error_words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/system/program.h"

enum { SLOW_MS = 60000, NOT_STARTED = 127 };

extern char **environ;

/* --- The programs of the player --- */

/* Tells the player what went wrong, but only once for each kind of program. */
static void complain(struct client *client, enum hook_kind kind, const char *words)
{
    const char *name = kind == HOOK_TURN ? "on-turn" : "on-match";
    struct hook_run *run = &client->hook.runs[kind];

    if (!run->has_failed)
        console_sayf(client->console, _("-- the program for %s: %s\n"), name, words);
    run->has_failed = true;
}

static const char *setting(const struct client *client, enum hook_kind kind)
{
    return kind == HOOK_TURN ? client->prefs->on_turn : client->prefs->on_match;
}

static void add_fact(struct hook_facts *facts, const char *name, const char *value)
{
    snprintf(facts->line[facts->count++], HOOK_FACT_BYTES, "JANGGI_%s=%s", name, value);
}

static void add_number(struct hook_facts *facts, const char *name, int64_t value)
{
    char words[24];

    snprintf(words, sizeof words, "%lld", (long long)value);
    add_fact(facts, name, words);
}

/* Adds a name if it is valid, and an empty value if not, because a server can send any
 * text as a name. */
static void add_name(struct hook_facts *facts, const char *key, const char *name)
{
    char valid[NAME_BYTES];

    add_fact(facts, key, utf8_name(valid, name) ? valid : "");
}

/* Clears *facts, and adds the facts (JANGGI_ variables) that a program gets at every
 * start. */
static void begin_facts(struct hook_facts *facts, const struct client *client,
                        const char *event)
{
    char server[LINK_SERVER_BYTES];

    facts->count = 0;
    link_format_server(server, client->to);
    add_fact(facts, "EVENT", event);
    add_fact(facts, "SERVER", server);
    add_name(facts, "NAME", client->model.name);
}

/* Returns the environment of the program: ours, with only the JANGGI_ variables that we
 * set. Its lines are borrowed; the caller frees the array. */
static char **make_environment(struct hook_facts *facts)
{
    size_t count = 0, used = 0;
    char **out;

    while (environ[count] != NULL)
        count++;
    out = mem_new((count + HOOK_FACTS_MAX + 1) * sizeof *out);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "JANGGI_", 7) != 0)
            out[used++] = environ[i];
    for (int i = 0; i < facts->count; i++)
        out[used++] = facts->line[i];
    return out;
}

static void start(struct client *client, enum hook_kind kind)
{
    struct hook_run *run = &client->hook.runs[kind];
    char words[256], **environment;
    struct text text = text_into(words, sizeof words);
    struct program_line line;

    if (!program_line_parse(&line, setting(client, kind)))
        return;
    /* before the fork: in a program with threads, the child must not allocate memory */
    environment = make_environment(&run->next);
    run->pid = fork();
    if (run->pid == 0) {
        program_detach(-1, -1);
        execve(line.words[0], line.words, environment);
        _exit(NOT_STARTED);
    }
    free(environment);
    run->began_ms = mono_now_ms();
    run->is_killed = false;
    if (run->pid > 0)
        return;
    run->pid = 0;
    text_addf(&text, _("it cannot be started: %s"), error_words(errno));
    complain(client, kind, words);
}

/* Starts the program of this kind with the variables in run->next: now, or after the
 * running program has ended. */
static void start_next(struct client *client, enum hook_kind kind)
{
    struct hook_run *run = &client->hook.runs[kind];

    if (run->pid != 0)
        run->has_next = true;
    else
        start(client, kind);
}

static void tell(struct client *client, enum hook_kind kind,
                 const struct model_game *game)
{
    struct hook_facts *facts = &client->hook.runs[kind].next;
    char time[TIME_TERMS_BYTES];
    int64_t left_ms =
        clock_shown_ms(&game->clock, game->side, mono_now_ms(), &(int){0});

    if (setting(client, kind)[0] == '\0')
        return;
    time_terms_format(time, &game->game.clock.terms);
    begin_facts(facts, client, kind == HOOK_TURN ? "turn" : "match");
    add_name(facts, "OPPONENT", game->game.name[side_other(game->side)]);
    add_number(facts, "GAME", game->id);
    add_number(facts, "PLY", game->game.plies);
    add_fact(facts, "SIDE", side_name(game->side));
    add_fact(facts, "RULES", ruleset_name(game->game.rules));
    add_fact(facts, "TIME", time);
    if (left_ms >= 0)
        add_number(facts, "LEFT_MS", left_ms);
    start_next(client, kind);
}

void programs_take_event(struct client *client, const struct model_news *news)
{
    const struct model_game *game = news->game;

    /* An event from before the first login starts no program, nor does one that later
     * events follow already; one from a time without a connection does. */
    if (!game->is_ours || news->is_late ||
        (client->hook.is_first && game->is_catching_up && game->is_from_zero))
        return;
    if (news->event.kind == EVENT_START)
        tell(client, HOOK_MATCH, game);
    if (model_is_our_turn(game))
        tell(client, HOOK_TURN, game);
}

void programs_take_notice(struct client *client, const struct proto_line *line)
{
    const char *red = proto_line_value(line, "red"),
               *blue = proto_line_value(line, "blue");
    struct hook_facts *facts = &client->hook.runs[HOOK_TURN].next;
    int64_t id, round = proto_line_number(line, "round", 0);
    bool is_red;

    if (line->words < 2 || strcmp(line->word[0], "evening") != 0 || red == NULL ||
        blue == NULL || !text_to_int(line->word[1], 1, INT64_MAX, &id) ||
        setting(client, HOOK_TURN)[0] == '\0' ||
        (id == client->hook.evening && round == client->hook.round))
        return; /* a different kind of notice, or a notice that the server repeats after
                 * a login */
    client->hook.evening = id;
    client->hook.round = round;
    is_red = model_is_same_name(red, client->model.name);
    begin_facts(facts, client, "evening");
    add_name(facts, "OPPONENT", is_red ? blue : red);
    add_fact(facts, "SIDE", side_name(is_red ? SIDE_RED : SIDE_BLUE));
    add_number(facts, "EVENING", id);
    add_number(facts, "ROUND", round);
    add_number(facts, "IN_S", proto_line_number(line, "in_s", 0));
    start_next(client, HOOK_TURN);
}

/* Handles the end of programs, and kills slow ones. */
static void look_after(struct client *client, int64_t now_ms)
{
    for (int i = 0; i < HOOK_KINDS; i++) {
        struct hook_run *run = &client->hook.runs[i];
        char words[256];
        struct text text = text_into(words, sizeof words);
        int status = 0; /* stays 0 if waitpid() finds no child because SIGCHLD is
                         * ignored */

        if (run->pid == 0)
            continue;
        if (waitpid(run->pid, &status, WNOHANG) == 0) {
            if (now_ms - run->began_ms > SLOW_MS && !run->is_killed) {
                run->is_killed = true;
                kill(-run->pid, SIGKILL); /* the process group of the program */
            }
            continue;
        }
        run->pid = 0;
        if (run->is_killed)
            text_add(&text, _("it ran for a minute and was stopped"));
        else if (WIFSIGNALED(status))
            text_addf(&text, _("it was ended by signal %d"), WTERMSIG(status));
        else if (WEXITSTATUS(status) == NOT_STARTED)
            text_add(&text, _("it was not found, or cannot be run"));
        else if (WEXITSTATUS(status) != 0)
            text_addf(&text, _("it ended with status %d"), WEXITSTATUS(status));
        if (text.len > 0)
            complain(client, (enum hook_kind)i, words);
        if (run->has_next) {
            run->has_next = false;
            start(client, (enum hook_kind)i);
        }
    }
}

/* --- The computer player --- */

enum { WORD_BYTES = 32, LINK_BYTES = 512 };
enum { OWNER_BYTES = 12 }; /* a name has at most 16 bytes, and "-bot" takes 4 */

static const char *program(void)
{
    const char *given = getenv("JANGGI_COMPUTER");

    return given != NULL ? given : program_to_run();
}

/* Returns true if the computer player's process is running. */
static bool is_here(struct bot_process *bot)
{
    if (bot->pid > 0 && waitpid(bot->pid, NULL, WNOHANG) != 0)
        bot->pid = 0;
    return bot->pid > 0;
}

/* Writes the computer player's name without its suffix "-bot". On the server of `make
 * play`, which sets JANGGI_COMPUTER, this name is "level" and the level. On other
 * servers, every player can start a computer player, so this name is the player's own
 * name; if that has other characters than ASCII letters, digits, _ and -, "level" and the
 * level too. */
static void name_it(char out[WORD_BYTES], const struct client *client, int level)
{
    static const char plain_letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *owner = client->model.name;
    bool is_plain = owner[strspn(owner, plain_letters)] == '\0';

    if (getenv("JANGGI_COMPUTER") == NULL && is_plain)
        snprintf(out, WORD_BYTES, "%.*s", OWNER_BYTES, owner);
    else
        snprintf(out, WORD_BYTES, "level%d", level);
}

/* Returns our unfinished game against a computer player that was started like this one
 * and is not connected, and sets *level if the name of that player contains it; NULL:
 * there is none. */
static const struct model_game *find_left_game(const struct client *client, int *level)
{
    for (const struct model_game *game = client->model.games; game != NULL;
         game = game->next) {
        enum side other = side_other(game->side);
        const char *bot = game->game.name[other];
        int its_level = *level;
        char name[WORD_BYTES];

        if (!model_is_playing(game) || !game->is_away[other] || !model_is_bot(bot))
            continue;
        (void)sscanf(bot, "level%d-", &its_level);
        name_it(name, client, its_level);
        if (strlen(name) + strlen(MODEL_BOT_MARK) == strlen(bot) &&
            strncmp(bot, name, strlen(name)) == 0) {
            *level = its_level;
            return game;
        }
    }
    return NULL;
}

/* link: the invitation that the computer player accepts; NULL: it only comes back. */
static void start_computer(struct client *client, const char *link)
{
    const struct prefs *prefs = client->prefs;
    struct bot_process *bot = &client->bot_process;
    char name[WORD_BYTES], level[WORD_BYTES];
    char server[LINK_SERVER_BYTES], key[TLS_KEY_TEXT_BYTES];
    const char *words[24] = {
        "janggi",    "bot",
        "--name",    name,
        "--level",   level,
        "--engine",  "builtin",
        "--untimed", "--leave-after",
        "1",         "--no-reconnect",
        "--proxy",   prefs->proxy[0] != '\0' ? prefs->proxy : "none"};
    size_t count = 14;

    name_it(name, client, bot->level);
    snprintf(level, sizeof level, "%d", bot->level);
    if (prefs->ca_path[0] != '\0') {
        words[count++] = "--ca";
        words[count++] = prefs->ca_path;
    }
    if (prefs->has_own_identity) {
        words[count++] = "--cert";
        words[count++] = prefs->cert_path;
        words[count++] = "--key";
        words[count++] = prefs->key_path;
    }
    if (link == NULL) {
        tls_key_format(key, visit_key(client->visit));
        link_format_server(server, client->to);
        words[count++] = "--pin";
        words[count++] = key;
    }
    words[count] = link != NULL ? link : server;
    bot->pid = fork();
    if (bot->pid == 0) {
        program_detach(-1, -1);
        execv(program(), (char **)words); /* which does not change them */
        _exit(NOT_STARTED);
    }
    if (bot->pid < 0)
        console_sayf(client->console, _("-- the computer cannot be started: %s\n"),
                     error_words(errno));
    else
        console_sayf(client->console,
                     _("-- the computer joins you (level %d); the game has no clock\n"),
                     bot->level);
}

void programs_want_computer(struct client *client, int level)
{
    struct bot_process *bot = &client->bot_process;

    if (program() == NULL) {
        console_say(client->console,
                    _("-- the computer cannot be started from here; \"janggi "
                      "computer\" plays without a server\n"));
        return;
    }
    if (is_here(bot)) {
        console_say(
            client->console,
            _("-- the computer is already here; it plays one game at a time\n"));
        return;
    }
    bot->level = level;
    if (find_left_game(client, &bot->level) != NULL)
        start_computer(client, NULL);
    else
        bot->tag = client_send(client, "invite time=none", -1, false);
}

void programs_tick(struct client *client, int64_t now_ms)
{
    struct bot_process *bot = &client->bot_process;
    const struct model_game *left = find_left_game(client, &(int){bot->level});

    look_after(client, now_ms);
    if (left == NULL || left->id == bot->told_game || is_here(bot) ||
        !console_is_screen(client->console))
        return;
    bot->told_game = left->id;
    console_say(client->console,
                _("-- \"computer\" brings the computer back to this game\n"));
}

bool programs_take_invite(struct client *client, const struct visit_request *asked,
                          const struct proto_line *line)
{
    struct bot_process *bot = &client->bot_process;
    const char *code = proto_line_value(line, "code");
    char server[LINK_SERVER_BYTES], key[TLS_KEY_TEXT_BYTES], link[LINK_BYTES];

    if (bot->tag == 0 || asked->tag != bot->tag || code == NULL)
        return false;
    bot->tag = 0;
    link_format_server(server, client->to);
    tls_key_format(key, visit_key(client->visit));
    snprintf(link, sizeof link, "janggi://%s/join/%s/%s", server, code, key);
    start_computer(client, link);
    return true;
}

void programs_clear(struct client *client)
{
    if (!is_here(&client->bot_process))
        return;
    kill(client->bot_process.pid, SIGTERM);
    while (waitpid(client->bot_process.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
