/* Verbs of a session: login, ping, view, help, rules, limits, quit. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/words/guide.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/verbs.h"
#include "server/lobby/lobby.h"

/* --- login --- */

/* A login that waits until the name's proof is on disk. */
struct binding {
    struct world *world;
    uint64_t session;
    struct account *account;
    char token[TOKEN_BYTES]; /* "" when no token was made */
    bool is_device;          /* the token belongs to a further device */
};

static void welcome(struct world *world, struct session *session,
                    struct account *account, const char *token)
{
    char games[GAME_LIST_BYTES];
    const char *words = "welcome";

    lobby_list_games(world->lobby, account, games, sizeof games);
    if (token != NULL)
        words = "welcome; keep the token, it brings you back: login NAME token=...";
    else if (games[0] != '-')
        words = "welcome back; your game goes on: resume GAME 0 shows all of it";
    session_set_state(session, SESSION_MEMBER);
    session_ok(session, "login name=%s%s%s proof=%s games=%s : %s", account->shown,
               token != NULL ? " token=" : "", token != NULL ? token : "",
               account_shown_proof(account) == STORE_PROOF_KEY ? "key" : "token", games,
               words);
    lobby_enter(world->lobby, session, account);
}

/* Revokes a token that was not delivered. */
static void take_back(struct binding *binding)
{
    if (binding->is_device)
        accounts_remove_token(binding->world->accounts, binding->account,
                              binding->token);
    else
        accounts_unclaim(binding->world->accounts, binding->account);
}

static void on_bound(void *arg)
{
    struct binding *binding = arg;
    struct session *session = session_find(binding->world->sessions, binding->session);
    const char *token = binding->token[0] != '\0' ? binding->token : NULL;

    if (session != NULL && session->state != SESSION_LEAVING) {
        welcome(binding->world, session, binding->account, token);
        binding->account->is_unheard =
            token != NULL && !binding->is_device && wire_peer_has_gone(session->wire);
    } else if (token != NULL) {
        take_back(binding);
    }
    free(binding);
}

static struct binding *binding_new(struct call *call)
{
    struct binding *binding = mem_new(sizeof *binding);

    binding->world = call->world;
    binding->session = call->from->id;
    session_hold(call->from);
    return binding;
}

static void bind_name(struct call *call, const char *name, const unsigned char *key)
{
    struct binding *binding = binding_new(call);

    binding->account = accounts_bind(call->world->accounts, name, key, binding->token,
                                     wall_now_s(), on_bound, binding);
}

/* The same key logs in again while its name is on its way to the disk. */
static void await_name(struct call *call, struct account *account)
{
    struct binding *binding = binding_new(call);

    binding->account = account;
    accounts_confirm(call->world->accounts, account, on_bound, binding);
}

/* Adds a further device to a name that has an owner. */
static void add_device(struct call *call, struct account *account,
                       const unsigned char *key)
{
    struct binding *binding = binding_new(call);

    binding->account = account;
    binding->is_device = true;
    accounts_add_device(call->world->accounts, account, key, binding->token,
                        wall_now_s(), on_bound, binding);
}

/* Each try costs a line of chat, and the answer does not tell whether a code is
 * open. */
static void login_by_code(struct call *call, struct account *account,
                          const unsigned char *key, const char *code)
{
    if (!call_spend_chat(call, "too many codes at once"))
        return;
    if (accounts_use_code(account, code, call->now_ms))
        add_device(call, account, key);
    else
        session_err(call->from, REPLY_NO_SUCH,
                    "why=code : that is not the code, or its %d minutes are over, or "
                    "it was used; type device where you play for a new one",
                    DEVICE_CODE_MINUTES);
}

/* guest1, guest2 ...: made by the server, never bound. */
static bool is_guest_name(const char *name)
{
    return strncasecmp(name, "guest", 5) == 0 &&
           strspn(name + 5, "0123456789") == strlen(name + 5);
}

static void login_guest(struct call *call)
{
    struct session *session = call->from;
    struct text name = text_into(session->name, sizeof session->name);

    text_addf(&name, "guest%llu", (unsigned long long)(session->id % 1000000));
    session_set_state(session, SESSION_GUEST);
    session_ok(session,
               "login name=%s proof=none games=- : you may watch: games, watch GAME",
               session->name);
}

/* The text after key in word; NULL if word does not begin with key. */
static const char *after(const char *word, const char *key)
{
    size_t len = strlen(key);

    return strncmp(word, key, len) == 0 ? word + len : NULL;
}

/* When the table of names is full, expired names make room. */
static enum accounts_verdict judge(struct call *call, const char *name,
                                   const unsigned char *key, const char *token,
                                   struct account **out)
{
    struct accounts *accounts = call->world->accounts;
    int64_t now_wall_s = wall_now_s();
    enum accounts_verdict verdict =
        accounts_judge(accounts, name, key, token, now_wall_s, out);

    if (verdict != ACCOUNTS_FULL)
        return verdict;
    lobby_sweep_names(call->world->lobby, now_wall_s);
    return accounts_judge(accounts, name, key, token, now_wall_s, out);
}

static void refuse_nobody(struct call *call, const char *name)
{
    session_err(call->from, REPLY_PROOF,
                "name=%s how=none : nobody has that name; login %s alone makes it "
                "yours",
                name, name);
}

static void refuse_proof(struct call *call, const struct account *account)
{
    const char *how = account->proof == STORE_PROOF_KEY ? "key" : "token";

    session_err(call->from, REPLY_PROOF,
                "name=%s how=%s : that name has an owner; log in with its %s, or with "
                "a code that \"device\" makes where you play, or take another name",
                account->shown, how, how);
}

/* proof: the word after the name: "token=T", "code=C" or nothing. */
static void login_as(struct call *call, const char *name, const char *proof)
{
    const struct tls_key *peer = wire_peer_key(call->from->wire);
    const unsigned char *key = peer != NULL ? peer->digest : NULL;
    const char *token = after(proof, "token="), *code = after(proof, "code=");
    struct account *account;

    switch (judge(call, name, key, token, &account)) {
    case ACCOUNTS_WELCOME:
        accounts_touch(call->world->accounts, account, wall_now_s());
        welcome(call->world, call->from, account, NULL);
        break;
    case ACCOUNTS_NEW:
        if (code != NULL)
            refuse_nobody(call, name);
        else
            bind_name(call, name, key);
        break;
    case ACCOUNTS_UNSAVED:
        await_name(call, account);
        break;
    case ACCOUNTS_FULL:
        session_err(call->from, REPLY_LIMIT,
                    "what=names max=%d : this server takes no more names",
                    call->world->config->names_max);
        break;
    case ACCOUNTS_WRONG:
        if (code != NULL)
            login_by_code(call, account, key, code);
        else
            refuse_proof(call, account);
        break;
    case ACCOUNTS_NOBODY:
        refuse_nobody(call, name);
        break;
    }
}

static void login_run(struct call *call)
{
    const char *proof = call->argc > 2 ? call->argv[2] : "";
    bool is_proof = after(proof, "token=") != NULL || after(proof, "code=") != NULL;
    char name[NAME_BYTES];

    if (call->argc == 1 && call->from->state == SESSION_HELLO) {
        login_guest(call);
        return;
    }
    if (call->argc == 1 || (call->argc > 2 && !is_proof)) {
        call_usage(call, "that is not how to log in");
        return;
    }
    if (utf8_is_reserved_name(call->argv[1]) || is_guest_name(call->argv[1])) {
        session_err(call->from, REPLY_NAME,
                    "why=reserved : the server keeps that name for itself; choose "
                    "another one");
        return;
    }
    if (!utf8_name(name, call->argv[1])) {
        session_err(call->from, REPLY_NAME,
                    "why=form : a name is 2-16 letters, digits, _ or -, without - in "
                    "front, or 2-8 Hangul syllables");
        return;
    }
    login_as(call, name, proof);
}

const struct command cmd_login = {
    .name = "login",
    .usage = "login [NAME [token=T|code=C]]",
    .help = "say who you are; without a name, to watch",
    .args_min = 0,
    .args_max = 2,
    .may_cost_chat = true,
    .states = IN(SESSION_HELLO) | IN(SESSION_GUEST),
    .run = login_run,
};

/* --- ping, view --- */

static void ping_run(struct call *call)
{
    session_ok(call->from, "ping");
}

const struct command cmd_ping = {
    .name = "ping",
    .usage = "ping",
    .help = "answer OK ping",
    .states = BY_ALL,
    .run = ping_run,
};

static void view_run(struct call *call)
{
    bool is_board = strcmp(call->argv[1], "board") == 0;

    if (!is_board && strcmp(call->argv[1], "wire") != 0) {
        call_usage(call, "there are two views");
        return;
    }
    call->from->wants_board = is_board;
    session_ok(call->from, "view view=%s", call->argv[1]);
}

const struct command cmd_view = {
    .name = "view",
    .usage = "view wire|board",
    .help = "board: see the figure after each event of a game",
    .args_min = 1,
    .args_max = 1,
    .states = BY_ALL,
    .run = view_run,
};

/* --- help, rules, limits --- */

static void help_all(struct session *session)
{
    session_sayf(session, "| %-10s play a move, from point to point; B0-C2 does too",
                 "b0c2");
    for (size_t i = 0; commands[i] != NULL; i++)
        session_sayf(session, "| %-10s %s", commands[i]->name, commands[i]->help);
    session_sayf(session, "| help VERB shows how one is written.");
    session_ok(session, "help");
}

static void help_run(struct call *call)
{
    if (call->argc == 1) {
        help_all(call->from);
        return;
    }
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, call->argv[1]) != 0)
            continue;
        session_sayf(call->from, "| %s", commands[i]->usage);
        session_sayf(call->from, "| %s", commands[i]->help);
        session_ok(call->from, "help");
        return;
    }
    session_err(call->from, REPLY_NO_SUCH,
                ": there is no such command; help lists all");
}

const struct command cmd_help = {
    .name = "help",
    .usage = "help [VERB]",
    .help = "list the commands",
    .args_max = 1,
    .states = BY_ALL,
    .run = help_run,
};

static void say_rule(void *context, const char *line)
{
    session_sayf(context, "| %s", line);
}

static void rules_run(struct call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : ruleset_name(ruleset_at(0));
    const struct ruleset *rules = ruleset_find(name);

    if (rules != NULL) {
        guide_page(rules, say_rule, call->from);
        session_ok(call->from, "rules rules=%s", name);
    } else if (guide_topic(name, say_rule, call->from)) {
        session_ok(call->from, "rules topic=%s", name);
    } else {
        session_err(call->from, REPLY_NO_SUCH,
                    ": no such rules; the greeting names them; also names, xiangqi");
    }
}

const struct command cmd_rules = {
    .name = "rules",
    .usage = "rules [RULESET|names|xiangqi]",
    .help = "the rules in short, the names of the pieces, or a page for players of "
            "xiangqi",
    .args_max = 1,
    .states = BY_ALL,
    .run = rules_run,
};

const char *cmd_login_limits_row(const struct config *config, size_t i, int *value)
{
    const struct {
        const char *name;
        int value;
    } rows[] = {
        {"line_bytes_before_login", PROTO_LINE_LOGIN_MAX},
        {"line_bytes", PROTO_LINE_MAX},
        {"lines_per_s", config->lines_per_s},
        {"lines_burst", config->lines_burst},
        {"chat_per_min", config->chat_per_min},
        {"chat_burst", config->chat_burst},
        {"chat_bytes", CHAT_BYTES_MAX},
        {"seeks", config->seeks_max},
        {"challenges", config->challenges_max},
        {"games_played", ACCOUNT_GAMES_MAX},
        {"games_of_all", config->games_max},
        {"names_of_all", config->names_max},
        {"games_watched", config->watch_max},
        {"game_events", ACT_EVENTS_MAX},
        {"connections", config->connections_max},
        {"connections_from_one_address", config->per_address_max},
        {"setup_s",
         config->setup_s > 0 ? config->setup_s : ruleset_setup_s(ruleset_at(0))},
        {"absence_s", config->absence_s},
        {"adjourned_days", config->adjourned_days},
        {"keep_s", config->keep_s},
        {"grace_s", config->grace_s},
        {"login_s", config->login_s},
    };

    if (i >= ARRAY_LEN(rows))
        return NULL;
    *value = rows[i].value;
    return rows[i].name;
}

static void limits_run(struct call *call)
{
    const char *name;
    int value;

    for (size_t i = 0;
         (name = cmd_login_limits_row(call->world->config, i, &value)) != NULL; i++)
        session_sayf(call->from, "| %s=%d", name, value);
    session_ok(call->from, "limits : 0 is no limit");
}

const struct command cmd_limits = {
    .name = "limits",
    .usage = "limits",
    .help = "what this server allows",
    .states = BY_ALL,
    .run = limits_run,
};

/* --- quit --- */

static void quit_run(struct call *call)
{
    session_ok(call->from, "quit : goodbye");
    session_close(call->from, "quit", "your seats are kept");
}

const struct command cmd_quit = {
    .name = "quit",
    .usage = "quit",
    .help = "leave; your seats are kept",
    .states = BY_ALL,
    .run = quit_run,
};
