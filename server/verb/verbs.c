/* See verbs.h. The verbs are in the order in which help prints them. */
#include "server/verb/verbs.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/move.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/meant.h"
#include "server/net/session.h"

/* --- help, which prints the table --- */

/* True if the verb is for the host (own), or for anybody else. */
static bool is_for(verbs_own *own, const struct command *command)
{
    return own != NULL ? (command_states(command) & BY_HOST) != 0
                       : command_states(command) != BY_HOST;
}

static verbs_own *own_of(const struct world *world, const struct session *session)
{
    return session->state == SESSION_HOST ? world->host_verbs : NULL;
}

const struct command *verbs_at(verbs_own *own, size_t i)
{
    for (; own != NULL && *own != NULL; own++)
        if (i-- == 0)
            return *own;
    return commands[i];
}

static const struct command *find_in(verbs_own *table, const char *name)
{
    size_t len = strlen(name);

    for (; *table != NULL; table++) {
        const char *usage = (*table)->usage;

        if (usage[0] == name[0] && strncmp(usage, name, len) == 0 &&
            (usage[len] == ' ' || usage[len] == '\0'))
            return *table;
    }
    return NULL;
}

const struct command *verbs_look_up(verbs_own *own, const char *name)
{
    const struct command *command = own != NULL ? find_in(own, name) : NULL;

    if (command == NULL)
        command = find_in(commands, name);
    return command != NULL && is_for(own, command) ? command : NULL;
}

bool verbs_nearest(verbs_own *own, const char *word, char out[COMMAND_NAME_BYTES])
{
    const struct command *command;
    char name[COMMAND_NAME_BYTES];
    int least = 3; /* a verb is suggested only if its distance is less */

    out[0] = '\0';
    for (size_t i = 0; (command = verbs_at(own, i)) != NULL; i++) {
        int distance = text_distance(word, command_name(name, command));

        if (distance >= least || !is_for(own, command))
            continue;
        least = distance;
        memcpy(out, name, sizeof name);
    }
    return out[0] != '\0';
}

/* `help verbs` is for a client, which has its own help page and completes words. */
static bool help_run(struct call *call)
{
    static const char *const groups[] = {"other", "play", "find", "watch"};
    struct session *session = call->from;
    verbs_own *own = own_of(call->world, session);
    const char *word = call->argc > 1 ? call->argv[1] : NULL;
    const struct command *command = word != NULL ? verbs_look_up(own, word) : NULL;
    char name[COMMAND_NAME_BYTES];

    if (word == NULL) {
        if (own == NULL)
            session_sayf(session,
                         "| %-10s play a move, from point to point; B0-C2 does too",
                         "b0c2");
        for (size_t i = 0; (command = verbs_at(own, i)) != NULL; i++)
            if (is_for(own, command) && command_is_for(command, session))
                session_sayf(session, "| %-10s %s", command_name(name, command),
                             command->help);
        session_sayf(session, "| help VERB shows how to write that command.");
        return session_ok(session, "help");
    }
    if (strcmp(word, "verbs") == 0) {
        for (size_t i = 0; (command = verbs_at(own, i)) != NULL; i++)
            if (is_for(own, command) && command->group != GROUP_PROGRAM)
                session_sayf(
                    session, "| verb %s usage=\"%s\" group=%s%s%s%s%s%s : %s",
                    command_name(name, command), command->usage, groups[command->group],
                    command->role > ROLE_PLAYER ? " role=" : "",
                    command->role > ROLE_PLAYER ? role_name(command->role) : "",
                    command->brief != NULL ? " brief=\"" : "",
                    command->brief != NULL ? command->brief : "",
                    command->brief != NULL ? "\"" : "", command->help);
        return session_ok(session, "help");
    }
    if (command == NULL || !command_is_for(command, session))
        return session_err(session, REPLY_NO_SUCH, "#command");
    session_sayf(session, "| %s", command->usage);
    session_sayf(session, "| %s", command->help);
    for (const char *at = command->examples; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, "\n");

        session_sayf(session, "| %.*s", (int)len, at);
        at += len + (at[len] == '\n');
    }
    return session_ok(session, "help");
}

static const struct command cmd_help = {
    .usage = "help [VERB|verbs]",
    .help = "list the commands",
    .states = BY_ALL | BY_HOST,
    .output = OUTPUT_FREE,
    .run = help_run,
};

/* --- The table --- */

const struct command *const commands[] = {
    &cmd_login,    &cmd_play,    &cmd_seek,      &cmd_seeks,    &cmd_challenge,
    &cmd_accept,   &cmd_decline, &cmd_withdraw,  &cmd_invite,   &cmd_join,
    &cmd_setup,    &cmd_move,    &cmd_pass,      &cmd_moves,    &cmd_board,
    &cmd_clock,    &cmd_state,   &cmd_draw,      &cmd_takeback, &cmd_abort,
    &cmd_resign,   &cmd_adjourn, &cmd_continue,  &cmd_claim,    &cmd_rematch,
    &cmd_say,      &cmd_games,   &cmd_due,       &cmd_watch,    &cmd_unwatch,
    &cmd_resume,   &cmd_whisper, &cmd_who,       &cmd_history,  &cmd_record,
    &cmd_view,     &cmd_rules,   &cmd_limits,    &cmd_ping,     &cmd_help,
    &cmd_device,   &cmd_devices, &cmd_quit,      &cmd_pending,  &cmd_watchers,
    &cmd_let,      &cmd_unlet,   &cmd_watchlink, &cmd_ignore,   &cmd_unignore,
    &cmd_block,    &cmd_unblock, &cmd_quiet,     &cmd_tell,     &cmd_messages,
    &cmd_members,  &cmd_kick,    &cmd_ban,       &cmd_unban,    &cmd_bans,
    &cmd_mute,     &cmd_unmute,  &cmd_end,       &cmd_notice,   &cmd_role,
    &cmd_audit,    &cmd_reports, &cmd_motd,      &cmd_name,     &cmd_reload,
    &cmd_report,   &cmd_export,  &cmd_doors,     &cmd_access,   &cmd_guests,
    &cmd_watching, &cmd_reset,   &cmd_owner,     &cmd_evening,  &cmd_notify,
    &cmd_follow,   &cmd_rank,    &cmd_top,       &cmd_annul,    &cmd_tv,
    NULL,
};

/* --- A line runs a verb --- */

/* Moves GAME from the arguments to call->game, and checks how many others there are.
 * False: the answer was sent. */
static bool take_arguments(struct call *call)
{
    struct command_args args = command_args(call->command);
    enum output output = call->command->output;
    const uint64_t *least = call->from->least;
    const char *word = call->argc > 1 ? call->argv[1] : "";
    bool is_keyed = args.game != GAME_ARG_NONE && strncmp(word, "game=", 5) == 0;
    bool is_bare =
        args.game == GAME_ARG_NEEDED ||
        (args.game == GAME_ARG_OPTIONAL && word[0] != '\0' &&
         word[strspn(word, "0123456789")] == '\0' && call->argc - 2 >= args.min);

    call->game = -1;
    if ((is_keyed || is_bare) &&
        !text_to_int(is_keyed ? word + 5 : word, 0, INT64_MAX, &call->game))
        return call_usage(call, "GAME is a game's number, as in game=3");
    if (call->game >= 0) {
        for (int i = 1; i + 1 < call->argc; i++)
            call->argv[i] = call->argv[i + 1];
        call->argc--;
        call->rest = text_skip_words(call->rest, 1);
    }
    /* During an outage, the answer may not tell of anything, nor depend on a role that is
     * not on disk. */
    if ((output == OUTPUT_NEWEST ||
         (output == OUTPUT_URGENT && least != NULL &&
          *least > store_gate(call->world->store)->durable)) &&
        !call_can_write(call))
        return false;
    if (call->argc - 1 < args.min)
        return call_usage(call, "something is missing");
    return call->argc - 1 <= args.max || call_usage(call, "too many words");
}

/* Makes the checks that are the same for all commands. False: the answer was sent. */
static bool is_allowed(struct call *call)
{
    const struct command *command = call->command;

    if (!(command_states(command) & IN(call->from->state))) {
        if (call->from->state == SESSION_GUEST)
            return command_refuse_guest(call->from);
        return session_err(call->from, REPLY_NOT_NOW,
                           call->from->state == SESSION_HELLO ? "why=login#first"
                                                              : "why=logged-in");
    }
    if (!command_is_for(command, call->from))
        return command_refuse_role(call->from, command->role);
    if (call->world->store == NULL && command->output != OUTPUT_FREE)
        return session_err(
            call->from, REPLY_NOT_NOW,
            "why=elsewhere : this node does not have the games; ask the one at %s",
            call->world->calls->leader_at(call->world->calls_arg));
    return take_arguments(call);
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
    room = command->run_in == NULL
               ? NULL
               : meant_game(call, command_states(command) & IN(SESSION_GUEST)
                                      ? GAME_READ
                                      : GAME_SEATED);
    if (command->run != NULL)
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
    char nearest[COMMAND_NAME_BYTES];
    struct call call = {.world = world,
                        .from = session,
                        .role = command_role(session),
                        .now_ms = now_ms,
                        .raw = raw,
                        .fetch = &fetch_calls};
    char *move_argv[] = {(char *)"move", raw};
    struct move move;
    enum kind kind;

    if (!proto_parse_command(line, raw, sizeof raw, &parsed)) {
        session_err(session, REPLY_LINE, "why=bad-tag");
        return;
    }
    text_copy(session->tag, sizeof session->tag, parsed.tag);
    if (parsed.words == 0 && parsed.tag[0] != '\0')
        session_err(session, REPLY_LINE, "why=no-command");
    if (parsed.words == 0)
        return; /* an empty line is ignored */
    call.argc = parsed.words;
    call.argv = parsed.word;
    call.rest = parsed.rest;
    command = verbs_look_up(own_of(world, session), parsed.word[0]);
    move_argv[1] = raw[0] == '#' ? raw + strcspn(raw, " ") : raw;
    if (command == NULL && session->state != SESSION_HOST &&
        move_parse(move_argv[1], &move, &kind) && !move_is_pass(move)) {
        call.argc = ARRAY_LEN(move_argv);
        call.argv = move_argv;
        command = find_in(commands, "move");
    }
    if (command == NULL) {
        if (verbs_nearest(own_of(world, session), parsed.word[0], nearest))
            session_err(session, REPLY_UNKNOWN, "#nearest nearest=%s", nearest);
        else
            session_err(session, REPLY_UNKNOWN, "#word");
        return;
    }
    call.command = command;
    if (!command->is_list)
        session->acted = ~0u;
    if (command->cost > 0)
        usage_charge(&session->usage, command->cost, now_ms);
    if (is_allowed(&call))
        run(&call);
    assert(session->is_answered || session->is_held ||
           session->state == SESSION_LEAVING);
}
