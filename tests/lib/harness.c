/* See harness.h. */
#include "tests/lib/harness.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/checker/checker.h"

enum { LOOK_MS = 5, FILES = 30000 };

/* --- Start and end --- */

bool harness_init(struct harness *harness, const struct options_row *rows, int count,
                  int argc, char **argv)
{
    struct options_row all[OPTIONS_MAX] = {
        {"build", .text = &harness->build, .help = "directory of the programs"},
        {"server", .text = &harness->program, .help = "another janggid, a control"},
        {"seed", .seed = &harness->seed, .help = "of all random choices"},
        {"keep", .flag = &harness->keeps_files, .help = "keep the server's files"}};
    int common = 4;

    harness->build = "build";
    harness->seed = (uint64_t)mono_wall_s();
    for (int i = 0; i < count && common < OPTIONS_MAX; i++)
        all[common++] = rows[i];
    if (!options_read(all, common, argc, argv))
        return false;
    printf("# %s --seed %llu\n", harness->name, (unsigned long long)harness->seed);
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    process_raise_files(FILES);
    harness->base = event_base_new();
    return harness->base != NULL;
}

bool harness_make_server(struct harness *harness)
{
    struct janggid *server = &harness->server;

    process_make_scratch(harness->directory, harness->name);
    if (!janggid_init(server, harness->build, harness->directory))
        return false;
    server->words = harness->words;
    return harness->program == NULL ||
           text_copy(server->program, sizeof server->program, harness->program);
}

void harness_remove_files(const struct harness *harness, bool is_good)
{
    if (is_good && !harness->keeps_files)
        process_remove_scratch(harness->directory);
    else
        printf("# files are in %s\n", harness->directory);
}

int harness_end(struct harness *harness)
{
    event_base_free(harness->base);
    printf("%d passed, %d failed\n", harness->passed, harness->failed);
    return harness->failed == 0 && harness->passed > 0 ? 0 : 1;
}

/* --- The loop --- */

bool harness_run_until(struct harness *harness, const struct bots *bots,
                       bool (*is_done)(void *arg), void *arg, int64_t patience_ms)
{
    int64_t by_ms = mono_now_ms() + patience_ms;

    while (!is_done(arg)) {
        harness_run_for(harness, LOOK_MS);
        if (mono_now_ms() > by_ms) {
            printf("# not in %lld ms\n", (long long)patience_ms);
            return false;
        }
        if (!janggid_is_up(&harness->server) || bots->counts.faults > 0)
            return false;
    }
    return true;
}

void harness_run_for(struct harness *harness, int ms)
{
    harness_run_loop(harness->base, (int64_t)ms * 1000);
}

void harness_run_loop(struct event_base *base, int64_t us)
{
    struct timeval span = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};

    event_base_loopexit(base, &span);
    event_base_dispatch(base);
}

void harness_watch(struct harness *harness, int look_ms, bool (*is_over)(void *arg),
                   void *arg)
{
    do
        harness_run_for(harness, look_ms);
    while (!is_over(arg));
}

/* --- Reports --- */

void harness_report(struct harness *harness, bool is_good, const char *test,
                    const char *why_format, ...)
{
    va_list args;

    printf("%s %s-%s", is_good ? "ok" : "not ok", harness->name, test);
    if (!is_good) {
        putchar(' ');
        va_start(args, why_format);
        vprintf(why_format, args);
        va_end(args);
    }
    putchar('\n');
    fflush(stdout);
    *(is_good ? &harness->passed : &harness->failed) += 1;
}

void harness_report_verdict(struct harness *harness, const char *test,
                            const struct verdict *verdict)
{
    harness_report(harness, verdict_faults(verdict) == 0 && verdict->checked > 0, test,
                   "checked=%d lost=%d changed=%d doubled=%d illegal=%d clock=%d",
                   verdict->checked, verdict->lost, verdict->changed, verdict->doubled,
                   verdict->illegal, verdict->clock);
}

void harness_print(const char *name, int64_t number)
{
    printf("# %-36s %12lld\n", name, (long long)number);
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

int64_t harness_percentile(int64_t *numbers, int count, double percent)
{
    int at = (int)((double)count * percent / 100.0);

    if (count == 0)
        return 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return numbers[at < count ? at : count - 1];
}

/* --- All logs, at the end --- */

static void copy_log(struct history_log *log, const struct bot_match *match)
{
    history_log_init(log, match->history.game);
    for (int i = 0; i < match->game.events; i++)
        history_log_add(log, match->history.event[i]);
}

static void compare_players(const struct bot *bot, struct verdict *verdict)
{
    for (const struct bot_match *m = bot->matches; m != NULL; m = m->next) {
        const struct bot_match *theirs = bot_find_match(bot->partner, m->history.game);
        struct history_log mine, other;

        if (theirs == NULL) {
            verdict->lost++;
            continue;
        }
        copy_log(&mine, m);
        copy_log(&other, theirs);
        verdict_check_equal(verdict, &mine, &other);
        if (m->game.phase != GAME_OVER)
            verdict->lost++;
        history_log_clear(&mine);
        history_log_clear(&other);
    }
}

void harness_check_players(struct harness *harness, const struct bots *bots)
{
    struct verdict verdict = {0};

    for (const struct bot *bot = bots->first; bot != NULL; bot = bot->next)
        if (bot->partner != NULL)
            compare_players(bot, &verdict);
    harness_report_verdict(harness, "both-players-have-the-same-whole-logs", &verdict);
}

bool harness_check_database(struct harness *harness, struct checker *checker)
{
    struct janggid *server = &harness->server;
    const struct checker_findings *findings = checker_findings(checker);

    if (server->pid != 0)
        harness_report(harness, janggid_stop(server, harness->base),
                       "server-stops-in-order", "see above");
    if (!checker_check_all(checker, server->data, janggid_uptime_ms(server))) {
        harness_report(harness, false, "database-reads", "see above");
        return false;
    }
    harness_report_verdict(harness, "nothing-seen-or-acknowledged-is-lost",
                           &findings->seen);
    harness_report_verdict(harness, "replay-is-legal-and-clocks-fall",
                           &findings->played);
    return true;
}

void harness_check_watcher(struct harness *harness, struct checker *checker)
{
    struct janggid *server = &harness->server;
    bool is_good = janggid_start(server);

    if (is_good) {
        checker_read_watcher(checker, harness->base, server->port, server->key);
        is_good = janggid_stop(server, harness->base);
    }
    harness_report(harness, is_good, "server-starts-once-more", "see above");
    harness_report_verdict(harness, "watcher-is-told-what-the-database-has",
                           &checker_findings(checker)->told);
}

void harness_check_logs(struct harness *harness, struct bots *bots, const char *forge)
{
    struct checker *checker = checker_new(bots, forge);
    const struct checker_findings *findings = checker_findings(checker);

    harness_check_players(harness, bots);
    if (harness_check_database(harness, checker))
        harness_check_watcher(harness, checker);
    printf("# checked %d games: %d events and acknowledgements of players, %d of a "
           "watcher, %d in replay\n",
           findings->games, findings->seen.checked, findings->told.checked,
           findings->played.checked);
    checker_free(checker);
}
