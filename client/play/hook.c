/* See hook.h. There are two kinds of programs (enum hook_kind). At most one program of
 * each kind runs at a time. If something happens while the program of a kind is
 * running, this program is started once more after it has ended, with the newest
 * facts. */
#include "client/play/hook.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/program_line.h"
#include "common/base/error_words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/system/program.h"

enum { SLOW_MS = 60000, NOT_STARTED = 127 };

extern char **environ;

static const char *const setting_names[] = {"on-turn", "on-match"};

static void complain(struct hook *hook, enum hook_kind kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Tells the player what went wrong, but only once for each of the two kinds of program
 * (on-turn, on-match). */
static void complain(struct hook *hook, enum hook_kind kind, const char *format, ...)
{
    char words[256];
    va_list args;

    if (hook->runs[kind].has_failed)
        return;
    hook->runs[kind].has_failed = true;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    console_sayf(hook->talk->console,
                 _("-- the program for %s: %s\n"
                   ""),
                 setting_names[kind], words);
}

/* --- Facts --- */

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
static void begin_facts(struct hook_facts *facts, const struct hook *hook,
                        const char *event)
{
    char server[LINK_SERVER_BYTES];

    facts->count = 0;
    link_format_server(server, hook->talk->to);
    add_fact(facts, "EVENT", event);
    add_fact(facts, "SERVER", server);
    add_name(facts, "NAME", hook->talk->model.name);
}

static void collect(struct hook_facts *facts, const struct hook *hook,
                    enum hook_kind kind, const struct model_game *game)
{
    char time[TIME_TERMS_BYTES];
    int64_t left_ms =
        clock_shown_ms(&game->clock, game->side, mono_now_ms(), &(int){0});

    time_terms_format(time, &game->game.clock.terms);
    begin_facts(facts, hook, kind == HOOK_TURN ? "turn" : "match");
    add_name(facts, "OPPONENT", game->game.name[side_other(game->side)]);
    add_number(facts, "GAME", game->id);
    add_number(facts, "PLY", game->game.plies);
    add_fact(facts, "SIDE", side_name(game->side));
    add_fact(facts, "RULES", ruleset_name(game->game.rules));
    add_fact(facts, "TIME", time);
    if (left_ms >= 0)
        add_number(facts, "LEFT_MS", left_ms);
}

/* --- Starting --- */

/* Returns the environment of the program: ours, with only the JANGGI_ variables that we
 * set. Its lines are borrowed; the caller frees the
 * array. To be called before the fork: in a program with threads, the child must not
 * allocate memory. */
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

static void start(struct hook *hook, enum hook_kind kind, struct hook_facts *facts)
{
    const struct prefs *prefs = hook->talk->prefs;
    struct hook_run *run = &hook->runs[kind];
    struct program_line line;
    char **environment;

    if (!program_line_parse(&line,
                            kind == HOOK_TURN ? prefs->on_turn : prefs->on_match))
        return;
    environment = make_environment(facts);
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
    complain(hook, kind, _("it cannot be started: %s"), error_words(errno));
}

static bool is_set(const struct hook *hook, enum hook_kind kind)
{
    const struct prefs *prefs = hook->talk->prefs;

    return (kind == HOOK_TURN ? prefs->on_turn : prefs->on_match)[0] != '\0';
}

/* Starts the program of this kind with the variables in run->next: now, or after the
 * running program has ended. */
static void start_next(struct hook *hook, enum hook_kind kind)
{
    struct hook_run *run = &hook->runs[kind];

    if (run->pid != 0)
        run->has_next = true;
    else
        start(hook, kind, &run->next);
}

static void tell(struct hook *hook, enum hook_kind kind, const struct model_game *game)
{
    if (!is_set(hook, kind))
        return;
    collect(&hook->runs[kind].next, hook, kind, game);
    start_next(hook, kind);
}

void hook_begin(struct hook *hook, bool is_first)
{
    hook->is_first = is_first;
}

void hook_take_event(struct hook *hook, const struct model_news *news)
{
    const struct model_game *game = news->game;

    /* An event from before the first login starts no program, nor does one that later
     * events follow already; one from a time without a connection does. */
    if (!game->is_ours || news->is_late ||
        (hook->is_first && game->is_catching_up && game->is_from_zero))
        return;
    if (news->event.kind == EVENT_START)
        tell(hook, HOOK_MATCH, game);
    if (model_is_our_turn(game))
        tell(hook, HOOK_TURN, game);
}

void hook_take_notice(struct hook *hook, const struct proto_line *line)
{
    const char *red = proto_line_value(line, "red"),
               *blue = proto_line_value(line, "blue");
    struct hook_facts *facts = &hook->runs[HOOK_TURN].next;
    int64_t id, round = proto_line_number(line, "round", 0);
    bool is_red;

    if (line->words < 2 || strcmp(line->word[0], "evening") != 0 || red == NULL ||
        blue == NULL || !text_to_int(line->word[1], 1, INT64_MAX, &id) ||
        !is_set(hook, HOOK_TURN) || (id == hook->evening && round == hook->round))
        return; /* a different kind of notice, or a notice that the server repeats after
                 * a login */
    hook->evening = id;
    hook->round = round;
    is_red = model_is_same_name(red, hook->talk->model.name);
    begin_facts(facts, hook, "evening");
    add_name(facts, "OPPONENT", is_red ? blue : red);
    add_fact(facts, "SIDE", side_name(is_red ? SIDE_RED : SIDE_BLUE));
    add_number(facts, "EVENING", id);
    add_number(facts, "ROUND", round);
    add_number(facts, "IN_S", proto_line_number(line, "in_s", 0));
    start_next(hook, HOOK_TURN);
}

/* --- Ending --- */

void hook_tick(struct hook *hook, int64_t now_ms)
{
    for (int i = 0; i < HOOK_KINDS; i++) {
        enum hook_kind kind = (enum hook_kind)i;
        struct hook_run *run = &hook->runs[i];
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
            complain(hook, kind, _("it ran for a minute and was stopped"));
        else if (WIFSIGNALED(status))
            complain(hook, kind, _("it was ended by signal %d"), WTERMSIG(status));
        else if (WEXITSTATUS(status) == NOT_STARTED)
            complain(hook, kind, _("it was not found, or cannot be run"));
        else if (WEXITSTATUS(status) != 0)
            complain(hook, kind, _("it ended with status %d"), WEXITSTATUS(status));
        if (run->has_next) {
            run->has_next = false;
            start(hook, kind, &run->next);
        }
    }
}
