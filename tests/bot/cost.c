/* See cost.h. */
#include "tests/bot/cost.h"

#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/mono.h"

enum { RESUMES = 5, CONFIG_BYTES = 128 };

/* Returns the CPU time since `before`, divided by `count`. */
static int64_t spent_us(const struct janggid *server, const struct process_cpu *before,
                        int64_t count)
{
    struct process_cpu after;

    if (!process_cpu(server->pid, &after))
        return -1;
    return (after.all_ns - before->all_ns) / 1000 / count;
}

/* --- Strangers --- */

static void on_greeted(void *arg, struct bot *bot, enum bot_step step,
                       enum bot_ask asked)
{
    int *greeted = arg;

    (void)asked;
    if (step != BOT_GREETED)
        return;
    ++*greeted;
    bot->has_stopped = true;
    wire_drop(bot->wire, WIRE_CLOSED_HERE);
}

int64_t cost_of_greeting_us(struct event_base *base, const struct janggid *server,
                            int strangers, int bound_s)
{
    int greeted = 0;
    struct bots_settings settings = {
        .is_from_all_over = true, .arg = &greeted, .on_step = on_greeted};
    struct bots *bots = bots_new(base, &settings);
    int64_t by_ms = mono_now_ms() + (int64_t)bound_s * 1000, each_us = -1;
    struct process_cpu before;

    bots_set_server(bots, server->port, server->key);
    if (process_cpu(server->pid, &before)) {
        for (int i = 0; i < strangers; i++)
            bots_add(bots, "");
        while (greeted < strangers && mono_now_ms() < by_ms)
            event_base_loop(base, EVLOOP_ONCE);
        if (greeted == strangers)
            each_us = spent_us(server, &before, strangers);
    }
    bots_free(bots);
    return each_us;
}

/* --- Resumes --- */

static bool are_resumed(const struct bots *bots)
{
    for (const struct bot *bot = bots->first; bot != NULL; bot = bot->next)
        if (bot->resumes_due > 0)
            return false;
    return true;
}

int64_t cost_of_resume_us(const struct bots *bots, const struct janggid *server,
                          int bound_s)
{
    int64_t by_ms = mono_now_ms() + (int64_t)bound_s * 1000;
    struct process_cpu before;

    if (!process_cpu(server->pid, &before))
        return -1;
    for (int i = 0; i < RESUMES; i++) {
        for (struct bot *bot = bots->first; bot != NULL; bot = bot->next)
            bot_resume(bot, bot->match, 0);
        while (!are_resumed(bots) && mono_now_ms() < by_ms)
            event_base_loop(bots->base, EVLOOP_ONCE);
    }
    return are_resumed(bots) ? spent_us(server, &before, (int64_t)RESUMES * bots->count)
                             : -1;
}

/* --- Limits --- */

/* Writes the value of the limit `name` to `out`, for example "200" for "accepts-per-s",
 * or "?" if the server does not report it. */
static void read_limit(const struct janggid *server, const char *name,
                       char out[CONFIG_BYTES])
{
    char command[2 * PROCESS_PATH_BYTES + 64], line[CONFIG_BYTES + 64];
    size_t len = strlen(name);
    FILE *config;

    snprintf(out, CONFIG_BYTES, "?");
    snprintf(command, sizeof command, "'%s' --data '%s' --check-config",
             server->program, server->data);
    config = popen(command, "r");
    while (config != NULL && fgets(line, sizeof line, config) != NULL)
        if (strncmp(line, name, len) == 0 && strncmp(line + len, " = ", 3) == 0)
            snprintf(out, CONFIG_BYTES, "%.*s", (int)strcspn(line + len + 3, "\n"),
                     line + len + 3);
    if (config != NULL)
        pclose(config);
}

void cost_print_limits(const struct janggid *server)
{
    static const char *const names[] = {"accepts-per-s", "per-address", "connections"};
    char value[CONFIG_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        read_limit(server, names[i], value);
        printf("%s %s %s", i > 0 ? "," : "", names[i], value);
    }
}
