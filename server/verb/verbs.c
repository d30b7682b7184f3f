/* See verbs.h. The verbs are in the order in which help prints them. */
#include "server/verb/verbs.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/move.h"
#include "server/account/house.h"
#include "server/command/ban.h"
#include "server/command/command.h"
#include "server/command/meant.h"
#include "server/net/session.h"

/* --- help, which prints the table --- */

static void help_all(struct session *session)
{
    session_sayf(session, "| %-10s play a move, from point to point; B0-C2 does too",
                 "b0c2");
    for (size_t i = 0; commands[i] != NULL; i++)
        if (command_is_for(commands[i], session))
            session_sayf(session, "| %-10s %s", commands[i]->name, commands[i]->help);
    session_sayf(session, "| help VERB shows how to write that command.");
    session_ok(session, "help");
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (commands[i]->name[0] == name[0] && strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void help_run(struct call *call)
{
    const struct command *command = call->argc > 1 ? find(call->argv[1]) : NULL;

    if (call->argc == 1) {
        help_all(call->from);
    } else if (command == NULL || !command_is_for(command, call->from)) {
        session_err(call->from, REPLY_NO_SUCH,
                    ": there is no such command; help lists all");
    } else {
        session_sayf(call->from, "| %s", command->usage);
        session_sayf(call->from, "| %s", command->help);
        session_ok(call->from, "help");
    }
}

static const struct command cmd_help = {
    .name = "help",
    .usage = "help [VERB]",
    .help = "list the commands",
    .args_max = 1,
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = help_run,
};

/* --- The table --- */

const struct command *const commands[] = {
    &cmd_login,   &cmd_play,     &cmd_seek,      &cmd_seeks,    &cmd_challenge,
    &cmd_accept,  &cmd_decline,  &cmd_withdraw,  &cmd_invite,   &cmd_join,
    &cmd_setup,   &cmd_move,     &cmd_pass,      &cmd_moves,    &cmd_board,
    &cmd_clock,   &cmd_state,    &cmd_draw,      &cmd_takeback, &cmd_abort,
    &cmd_resign,  &cmd_adjourn,  &cmd_continue,  &cmd_claim,    &cmd_rematch,
    &cmd_say,     &cmd_games,    &cmd_due,       &cmd_watch,    &cmd_unwatch,
    &cmd_resume,  &cmd_whisper,  &cmd_who,       &cmd_history,  &cmd_record,
    &cmd_view,    &cmd_rules,    &cmd_limits,    &cmd_ping,     &cmd_help,
    &cmd_device,  &cmd_devices,  &cmd_quit,      &cmd_pending,  &cmd_watchers,
    &cmd_let,     &cmd_unlet,    &cmd_watchlink, &cmd_ignore,   &cmd_unignore,
    &cmd_block,   &cmd_unblock,  &cmd_quiet,     &cmd_tell,     &cmd_messages,
    &cmd_members, &cmd_kick,     &cmd_ban,       &cmd_unban,    &cmd_bans,
    &cmd_mute,    &cmd_unmute,   &cmd_end,       &cmd_notice,   &cmd_role,
    &cmd_audit,   &cmd_reports,  &cmd_motd,      &cmd_name,     &cmd_reload,
    &cmd_report,  &cmd_export,   &cmd_erase,     &cmd_doors,    &cmd_access,
    &cmd_guests,  &cmd_watching, &cmd_reset,     &cmd_evening,  &cmd_notify,
    &cmd_follow,  &cmd_rank,     &cmd_top,       &cmd_annul,    &cmd_tv,
    NULL,
};

/* --- A line runs a verb --- */

/* Returns the name of the verb that is nearest to a mistyped word; NULL: none is
 * near. */
static const char *nearest(const char *word)
{
    const char *best = NULL;
    int best_distance = 3;

    for (size_t i = 0; commands[i] != NULL; i++) {
        int d = text_distance(word, commands[i]->name);

        if (d < best_distance) {
            best_distance = d;
            best = commands[i]->name;
        }
    }
    return best;
}

static void refuse_unknown(struct session *session, const char *word)
{
    const char *meant = nearest(word);

    if (strlen(word) > 40)
        session_err(session, REPLY_UNKNOWN,
                    ": that is not a command; nothing was done. Type help");
    else if (meant != NULL)
        session_err(session, REPLY_UNKNOWN,
                    "nearest=%s : \"%s\"? Did you mean %s? Nothing was done", meant,
                    word, meant);
    else
        session_err(session, REPLY_UNKNOWN,
                    ": \"%s\" is not a command or a move; nothing was done. Type help",
                    word);
}

static void drop_first_argument(struct call *call)
{
    for (int i = 1; i + 1 < call->argc; i++)
        call->argv[i] = call->argv[i + 1];
    call->argc--;
    call->rest = text_skip_words(call->rest, 1);
}

static bool is_digits(const char *word)
{
    return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0';
}

/* Moves GAME from the arguments to call->game. False: missing or invalid; the answer
 * was sent. */
static bool take_game(struct call *call)
{
    const struct command *command = call->command;
    const char *word = call->argc > 1 ? call->argv[1] : "";
    bool is_keyed = command->game != GAME_ARG_NONE && strncmp(word, "game=", 5) == 0;
    bool is_bare =
        (command->game == GAME_ARG_OPTIONAL || command->game == GAME_ARG_NEEDED) &&
        is_digits(word) && call->argc - 2 >= command->args_min;

    call->game = -1;
    if (!is_keyed && !is_bare && command->game != GAME_ARG_NEEDED)
        return true;
    if ((!is_keyed && !is_bare) ||
        !text_to_int(is_keyed ? word + 5 : word, 0, INT64_MAX, &call->game)) {
        call_usage(call, "GAME is a game's number, as in game=3");
        return false;
    }
    drop_first_argument(call);
    return true;
}

/* Returns why the command cannot take that many arguments; NULL: it can. */
static const char *refuse_count(const struct command *command, int args)
{
    if (args < command->args_min)
        return "something is missing";
    return args > command_args_max(command) ? "too many words" : NULL;
}

/* True if the verb cannot run during an outage: it tells of anything, or the role that
 * it needs is not on disk. */
static bool needs_disk(const struct command *command, const struct call *call)
{
    const struct session *from = call->from;

    return command->output == OUTPUT_NEWEST ||
           (command->output == OUTPUT_URGENT && from->least != NULL &&
            *from->least > store_gate(call->world->store)->durable);
}

/* Makes the checks that are the same for all commands. False: the answer was sent. */
static bool is_allowed(const struct command *command, struct call *call)
{
    const char *why;

    if (!(command_states(command) & IN(call->from->state))) {
        if (call->from->state == SESSION_HELLO)
            session_err(call->from, REPLY_NOT_NOW,
                        "why=login : log in first: login NAME, or login to watch");
        else if (call->from->state == SESSION_GUEST)
            command_refuse_guest(call->from);
        else
            session_err(call->from, REPLY_NOT_NOW,
                        "why=logged-in : you have logged in");
        return false;
    }
    if (!command_is_for(command, call->from)) {
        command_refuse_role(call->from, command->role);
        return false;
    }
    if (!take_game(call) || (needs_disk(command, call) && call_must_wait(call)))
        return false;
    why = refuse_count(command, call->argc - 1);
    if (why != NULL)
        call_usage(call, why);
    return why == NULL;
}

static bool is_move(const char *words)
{
    struct move move;
    enum kind kind;

    return move_parse(words, &move, &kind) && !move_is_pass(move);
}

static char *after_tag(char *raw)
{
    return raw[0] == '#' ? raw + strcspn(raw, " ") : raw;
}

/* Runs a verb that is allowed. */
static void run(struct call *call)
{
    const struct command *command = call->command;
    struct room *room;

    /* During an outage, refusals about no game are answered at once. */
    if (command->output != OUTPUT_FREE && !call->world->has_outage)
        gate_widen(store_gate(call->world->store));
    if (command->is_talk && !ban_admits_talk(call))
        return;
    room = command->run_in != NULL ? meant_game(call, command->wanted) : NULL;
    if (command->order != NULL)
        order_run_call(call);
    else if (command->run != NULL)
        command->run(call);
    else if (room != NULL)
        command->run_in(call, room);
}

/* After a game was read from disk, the line that waited for it runs again. */
static const struct fetch_calls fetch_calls = {.again = verbs_run,
                                               .absent = call_no_game};

void verbs_run(struct world *world, struct session *session, char *line, int64_t now_ms)
{
    char raw[PROTO_LINE_MAX + 1];
    struct proto_command parsed;
    const struct command *command;
    struct call call = {.world = world,
                        .from = session,
                        .now_ms = now_ms,
                        .raw = raw,
                        .fetch = &fetch_calls};
    char *move_argv[] = {(char *)"move", raw};

    if (!proto_parse_command(line, raw, sizeof raw, &parsed)) {
        session_err(session, REPLY_LINE,
                    "why=bad-tag : a tag is # and 1-15 letters, digits, _ or -");
        return;
    }
    text_copy(session->tag, sizeof session->tag, parsed.tag);
    if (parsed.words == 0 && parsed.tag[0] != '\0')
        session_err(session, REPLY_LINE,
                    "why=no-command : a tag must be followed by a command");
    if (parsed.words == 0)
        return; /* an empty line is ignored */
    call.argc = parsed.words;
    call.argv = parsed.word;
    call.rest = parsed.rest;
    command = find(parsed.word[0]);
    if (command == NULL && is_move(after_tag(raw))) {
        move_argv[1] = after_tag(raw);
        call.argc = ARRAY_LEN(move_argv);
        call.argv = move_argv;
        command = find("move");
    }
    if (command == NULL) {
        refuse_unknown(session, parsed.word[0]);
        return;
    }
    call.command = command;
    if (!command->is_list)
        session->acted = ~0u;
    if (command->cost > 0)
        allowance_charge(&session->allowance, command->cost, now_ms);
    if (is_allowed(command, &call))
        run(&call);
    assert(session->is_answered || session->is_held ||
           session->state == SESSION_LEAVING);
}

/* --- Orders of the operator --- */

const struct command *verbs_find_order(const char *verb)
{
    const struct command *command = find(verb);

    return command != NULL && command->order != NULL ? command : NULL;
}

/* Finds the verb of the staff at the beginning of line, which is not changed. NULL:
 * none. */
static const struct command *find_verb_of(const char *line)
{
    char verb[PROTO_TAG_BYTES];
    struct text text = text_into(verb, sizeof verb);

    text_addf(&text, "%.*s", (int)strcspn(line, " "), line);
    return text.is_cut ? NULL : verbs_find_order(verb);
}

bool verbs_run_order(struct world *world, char *line, struct order_to to,
                     int64_t now_ms)
{
    char raw[PROTO_LINE_MAX + 1];
    struct proto_command parsed;
    const char *why;
    struct order order = {.world = world,
                          .to = to,
                          .actor = HOUSE_OPERATOR,
                          .role = ROLE_OWNER,
                          .now_ms = now_ms};

    order.command = find_verb_of(line);
    if (order.command == NULL || !proto_parse_command(line, raw, sizeof raw, &parsed))
        return false;
    order.argc = parsed.words;
    order.argv = parsed.word;
    order.rest = parsed.rest;
    why = refuse_count(order.command, order.argc - 1);
    if (why != NULL) {
        order_usage(&order, why);
    } else if (order.command->output == OUTPUT_NEWEST && world->has_outage) {
        order_err(to, REPLY_NOT_NOW,
                  "why=storage : the server cannot store anything at the moment");
    } else {
        if (!world->has_outage)
            gate_widen(store_gate(world->store));
        order.command->order(&order);
    }
    return true;
}
