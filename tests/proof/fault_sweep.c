/* Plays a short game many times. Each time, makes another system call fail, alone or
 * with all later calls of its kind. So every write to a file, every sync, every open of
 * a file, every allocation and every accept fails once in a new directory, and once in
 * a directory that a killed server left. The server is the real one;
 * tests/proof/fault/preload.c intercepts calls to the C library.
 *
 * Whatever call fails, the server must stop in order with a documented status and a
 * clear line in its log, or refuse and continue. It must not die of a signal, except by
 * abort() when it is out of memory, and must not hang. Then it is restarted without
 * faults, the game is played to its end, and all events and OKs that the players
 * received must be in the database.
 *
 * --server is a negative control. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/bot/bot.h"
#include "tests/checker/checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"
#include "tests/lib/process.h"
#include "tests/proof/fault/preload.h"

enum {
    LOOK_MS = 3,
    QUIET_MS = 300, /* after this silence the server is assumed to do nothing more */
    FINISH_MS = 120000,
    PLIES = 8,
    PLIES_BEFORE_KILL = 4,
    BACK_OFF_FIRST_MS = 4,
    BACK_OFF_MOST_MS = 16,
    STATUSES = 256
};

/* The call that fails. */
struct plan {
    enum fault_kind kind;
    const char *why;
    bool is_for_good;
    bool is_after_kill; /* in a directory that a killed server left */
    uint64_t at;
};

struct sweep {
    struct harness harness;
    const char *only, *only_errno;
    uint64_t only_at;
    int stride, memory_stride;
    int failures; /* after so many the sweep ends */

    char preload[PROCESS_PATH_BYTES];
    char tally[PROCESS_PATH_BYTES + 16];
    struct bots *bots;
    struct checker *checker;
    bool is_killed;   /* the server was killed by this program, because it was idle
                       * before the game's end */
    int plies_wanted; /* the run ends at that ply; 0: at the end of the game */
    int64_t give_up_ms, quiet_ms, news_ms, news;

    int runs, carried_on, aborted, ended[STATUSES]; /* number of runs, and how they
                                                     * ended; for one kind of fault */
    int all_runs;
    int64_t moves, events, began_ms;
};

static const char *const terms = "time=10m+5s";
static const char *const kinds[FAULT_KINDS] = {FAULT_KIND_NAMES};
static const struct {
    enum fault_kind kind;
    const char *why;
} faults[] = {
    {FAULT_WRITE, "EIO"},   {FAULT_WRITE, "ENOSPC"},  {FAULT_SYNC, "EIO"},
    {FAULT_OPEN, "EMFILE"}, {FAULT_ACCEPT, "EMFILE"}, {FAULT_MEMORY, "ENOMEM"},
};

static void name_plan(char *out, size_t size, const struct plan *plan)
{
    snprintf(out, size, "%s-%s-%s%s", kinds[plan->kind], plan->why,
             plan->is_for_good ? "for-good" : "once",
             plan->is_after_kill ? "-after-a-kill" : "");
}

/* --- The players --- */

static bool wants_game(void *arg, struct bot *bot)
{
    (void)arg;
    return bot->matches == NULL;
}

static void gather(struct sweep *sweep)
{
    struct bots_settings settings = {.seed = sweep->harness.seed,
                                     .plies_max = PLIES,
                                     .back_off_first_ms = BACK_OFF_FIRST_MS,
                                     .back_off_most_ms = BACK_OFF_MOST_MS,
                                     .arg = sweep,
                                     .wants_game = wants_game};

    sweep->bots = bots_new(sweep->harness.base, &settings);
    sweep->checker = checker_new(sweep->bots, NULL);
    bots_set_server(sweep->bots, sweep->harness.server.port, sweep->harness.server.key);
    bots_add_pairs(sweep->bots, 1, &terms, 1);
}

static int plies_played(const struct sweep *sweep)
{
    const struct bot_match *match = sweep->bots->first->match;

    return match != NULL ? match->game.plies : 0;
}

/* --- Runs --- */

static bool must_stop(void *arg)
{
    struct sweep *sweep = arg;
    const struct bots_counts *counts = &sweep->bots->counts;
    int64_t news = counts->events + counts->answers, now_ms = mono_now_ms();

    if (news != sweep->news) {
        sweep->news = news;
        sweep->news_ms = now_ms;
    }
    return !janggid_is_up(&sweep->harness.server) || counts->faults > 0 ||
           bots_have_finished(sweep->bots) ||
           (sweep->plies_wanted > 0 && plies_played(sweep) >= sweep->plies_wanted) ||
           now_ms > sweep->give_up_ms || now_ms - sweep->news_ms > sweep->quiet_ms;
}

/* Waits until the game or the server has ended, `plies_wanted` plies are played (0: no
 * such limit), or nothing happens for `quiet_ms`. */
static void run(struct sweep *sweep, int64_t quiet_ms, int plies_wanted)
{
    if (sweep->bots == NULL)
        gather(sweep);
    sweep->plies_wanted = plies_wanted;
    sweep->quiet_ms = quiet_ms;
    sweep->news_ms = mono_now_ms();
    sweep->give_up_ms = sweep->news_ms + FINISH_MS;
    harness_watch(&sweep->harness, LOOK_MS, must_stop, sweep);
}

static void load_fault(const struct sweep *sweep, const struct plan *plan)
{
    char at[24];

    snprintf(at, sizeof at, "%llu", (unsigned long long)plan->at);
    setenv("JANGGI_FAULT_CALL", kinds[plan->kind], 1);
    setenv("JANGGI_FAULT_AT", at, 1);
    setenv("JANGGI_FAULT_FOR_GOOD", plan->is_for_good ? "1" : "0", 1);
    setenv("JANGGI_FAULT_ERRNO", plan->why, 1);
    setenv("JANGGI_FAULT_TALLY", sweep->tally, 1);
    setenv("LD_PRELOAD", sweep->preload, 1);
}

/* Runs the server with the fault until the server or the game has ended, or nothing
 * happens any more. If the server still runs then, ends it: with SIGKILL if the game is
 * unfinished and plan->at is even, otherwise with SIGTERM. The caller checks how the
 * server has ended. */
static void run_with_fault(struct sweep *sweep, const struct plan *plan)
{
    bool is_up;

    sweep->is_killed = false;
    load_fault(sweep, plan);
    is_up = janggid_start(&sweep->harness.server);
    unsetenv("LD_PRELOAD");
    if (is_up) /* if no call is to fail, the game is played to its end */
        run(sweep, plan->at == 0 ? FINISH_MS : QUIET_MS, 0);
    if (sweep->harness.server.pid == 0)
        return;
    sweep->carried_on++;
    sweep->is_killed = !bots_have_finished(sweep->bots) && plan->at % 2 == 0;
    if (sweep->is_killed)
        janggid_kill(&sweep->harness.server);
    else
        (void)!janggid_stop(&sweep->harness.server, sweep->harness.base);
}

/* Runs a server without faults and kills it in the middle of a game. */
static bool run_and_kill(struct sweep *sweep)
{
    bool is_up = janggid_start(&sweep->harness.server);

    if (is_up)
        run(sweep, FINISH_MS, PLIES_BEFORE_KILL);
    janggid_kill(&sweep->harness.server);
    return is_up;
}

/* --- What is expected --- */

/* True when the log has more than the usual lines. */
static bool has_words(const struct sweep *sweep)
{
    char line[2048];
    bool has_found = false;
    FILE *log = fopen(sweep->harness.server.log, "r");

    while (log != NULL && !has_found && fgets(line, sizeof line, log) != NULL)
        has_found = (strstr(line, " warn ") != NULL &&
                     strstr(line, "fewer-than-allowed") == NULL) ||
                    strstr(line, " fatal ") != NULL ||
                    strstr(line, "out of memory") != NULL ||
                    strncmp(line, "janggid: ", 9) == 0;
    if (log != NULL)
        fclose(log);
    return has_found;
}

/* Returns true if the server's exit is one that the manual allows. The statuses 71 to
 * 75 mean that the system failed. Without memory, the server may print "out of
 * memory" and abort. */
static bool is_expected_end(struct sweep *sweep, const struct plan *plan)
{
    int status = sweep->harness.server.status, code = WEXITSTATUS(status);
    bool is_memory = plan->kind == FAULT_MEMORY;

    if (sweep->is_killed)
        return true;
    if (is_memory && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) {
        sweep->aborted++;
        return has_words(sweep);
    }
    if (!WIFEXITED(status))
        return false;
    sweep->ended[code]++;
    if (code == 0)
        return true;
    return ((code >= 71 && code <= 75) || (is_memory && code == 70)) &&
           has_words(sweep);
}

/* Checks that, without faults, play continues and all acknowledged events are in the
 * database. Returns what is wrong, or NULL. */
static const char *check(struct sweep *sweep)
{
    const struct checker_findings *findings;

    if (!janggid_start(&sweep->harness.server))
        return "it does not start again";
    run(sweep, FINISH_MS, 0);
    if (!bots_have_finished(sweep->bots) || sweep->bots->counts.faults > 0)
        return "the game does not go on";
    if (!janggid_stop(&sweep->harness.server, sweep->harness.base))
        return "it does not stop in order";
    if (!checker_check_all(sweep->checker, sweep->harness.server.data, INT64_MAX))
        return "the database is damaged";
    findings = checker_findings(sweep->checker);
    if (verdict_faults(&findings->seen) > 0)
        return "what was acknowledged is lost";
    return verdict_faults(&findings->played) > 0 ? "the log does not follow" : NULL;
}

static const char *try_plan(struct sweep *sweep, const struct plan *plan)
{
    if (plan->is_after_kill && !run_and_kill(sweep))
        return "it does not start at all";
    run_with_fault(sweep, plan);
    if (!is_expected_end(sweep, plan))
        return "it ends as it must not";
    return check(sweep);
}

/* --- One run after another --- */

static bool begin(struct sweep *sweep)
{
    if (!harness_make_server(&sweep->harness))
        return false;
    snprintf(sweep->tally, sizeof sweep->tally, "%s/tally", sweep->harness.directory);
    sweep->harness.server.is_quiet = true;
    return true;
}

static void end(struct sweep *sweep, bool is_good)
{
    janggid_kill(&sweep->harness.server);
    if (sweep->bots != NULL) {
        sweep->moves += sweep->bots->counts.moves;
        sweep->events += sweep->bots->counts.events;
    }
    checker_free(sweep->checker);
    bots_free(sweep->bots);
    sweep->checker = NULL;
    sweep->bots = NULL;
    sweep->news = 0;
    harness_remove_files(&sweep->harness, is_good);
}

static bool run_once(struct sweep *sweep, const struct plan *plan)
{
    const char *why = begin(sweep) ? try_plan(sweep, plan) : "no directory";
    char name[80], words[160];
    int status = sweep->harness.server.status;

    sweep->runs++;
    sweep->all_runs++;
    if (why != NULL) {
        name_plan(name, sizeof name, plan);
        snprintf(words, sizeof words, "%s when call %llu fails (status %d, signal %d)",
                 why, (unsigned long long)plan->at, status >> 8, status & 127);
        harness_report(&sweep->harness, false, name, "%s", words);
    }
    end(sweep, why == NULL);
    return why == NULL;
}

/* Counts the calls of each kind in a run in which nothing fails. */
static bool count_calls(struct sweep *sweep, bool is_after_kill,
                        uint64_t count[FAULT_KINDS])
{
    struct plan none = {.why = "EIO", .is_after_kill = is_after_kill};
    size_t got = 0;
    bool is_good = begin(sweep);
    FILE *tally = fopen(sweep->tally, "w+");

    memset(count, 0, FAULT_KINDS * sizeof *count);
    if (is_good && tally != NULL &&
        fwrite(count, sizeof *count, FAULT_KINDS, tally) == FAULT_KINDS &&
        fflush(tally) == 0 && try_plan(sweep, &none) == NULL) {
        rewind(tally);
        got = fread(count, sizeof *count, FAULT_KINDS, tally);
    }
    if (tally != NULL)
        fclose(tally);
    end(sweep, got == FAULT_KINDS);
    return got == FAULT_KINDS;
}

static void print_kind(const struct sweep *sweep, const char *name, uint64_t calls)
{
    printf("# %-34s %6llu calls, %5d tried: %d carried on, %d aborted, ended with",
           name, (unsigned long long)calls, sweep->runs, sweep->carried_on,
           sweep->aborted);
    for (int status = 0; status < STATUSES; status++)
        if (sweep->ended[status] > 0)
            printf(" %d: %d", status, sweep->ended[status]);
    putchar('\n');
}

/* calls: how many of the kind a run without faults makes. */
static void sweep_plan(struct sweep *sweep, struct plan plan, uint64_t calls)
{
    uint64_t stride =
        (uint64_t)(plan.kind == FAULT_MEMORY ? sweep->memory_stride : sweep->stride);
    int failed = sweep->harness.failed;
    char name[80];

    name_plan(name, sizeof name, &plan);
    if (calls == 0) {
        harness_report(&sweep->harness, false, name, "no run without faults succeeds");
        return;
    }
    sweep->runs = sweep->carried_on = sweep->aborted = 0;
    memset(sweep->ended, 0, sizeof sweep->ended);
    if (stride > calls)
        stride = calls; /* at least one call is tried */
    plan.at = sweep->only_at > 0 ? sweep->only_at : 1 + sweep->harness.seed % stride;
    while (plan.at <= calls && sweep->harness.failed < sweep->failures) {
        run_once(sweep, &plan);
        plan.at = sweep->only_at > 0 ? UINT64_MAX : plan.at + stride;
    }
    print_kind(sweep, name, calls);
    if (sweep->harness.failed == failed)
        harness_report(&sweep->harness, true, name, "-");
}

static void sweep_all(struct sweep *sweep)
{
    /* calls[1]: in a directory that a killed server left, where their number varies */
    uint64_t calls[2][FAULT_KINDS] = {{0}}, count[FAULT_KINDS];

    for (int i = 0; i < 4; i++)
        if (count_calls(sweep, i > 0, count))
            for (int kind = 0; kind < FAULT_KINDS; kind++)
                if (calls[i > 0][kind] < count[kind])
                    calls[i > 0][kind] = count[kind];
    for (size_t i = 0; i < ARRAY_LEN(faults); i++)
        for (int variant = 0; variant < 4; variant++) {
            struct plan plan = {.kind = faults[i].kind,
                                .why = faults[i].why,
                                .is_for_good = (variant & 1) != 0,
                                .is_after_kill = (variant & 2) != 0};

            if ((sweep->only == NULL || strcmp(sweep->only, kinds[plan.kind]) == 0) &&
                (sweep->only_errno == NULL || strcmp(sweep->only_errno, plan.why) == 0))
                sweep_plan(sweep, plan, calls[plan.is_after_kill][plan.kind]);
        }
}

/* --- From the command line --- */

static bool start(struct sweep *sweep)
{
    /* The sandbox is off, because it uses libseccomp, which does not check all of its
     * allocations. If such an allocation fails, a signal ends the server during its
     * start. */
    static const char *const words[] = {"--sandbox", "off", NULL};

    sweep->harness.words = words;
    /* OpenSSL leaks when an allocation fails, and a server that ends after a failure
     * does not free its memory. */
    process_allow_preload("detect_leaks=0");
    sweep->began_ms = mono_now_ms();
    snprintf(sweep->preload, sizeof sweep->preload, "%s/tests/proof/fault/preload.so",
             sweep->harness.build);
    return access(sweep->preload, R_OK) == 0;
}

int main(int argc, char **argv)
{
    struct sweep sweep = {
        .harness.name = "fault-sweep", .stride = 1, .memory_stride = 1, .failures = 20};
    const struct options_row options[] = {
        {"stride", .number = &sweep.stride, .least = 1,
         .help = "each of so many calls"},
        {"memory-stride", .number = &sweep.memory_stride, .least = 1,
         .help = "the same of allocations"},
        {"only", .text = &sweep.only, .help = "write, sync, open, memory or accept"},
        {"errno", .text = &sweep.only_errno, .help = "EIO, ENOSPC, EMFILE or ENOMEM"},
        {"failures", .number = &sweep.failures, .least = 1,
         .help = "ends after so many failures"},
        {"at", .seed = &sweep.only_at, .help = "only the call of that number"}};

    if (!harness_init(&sweep.harness, options, ARRAY_LEN(options), argc, argv))
        return 2;
    if (start(&sweep))
        sweep_all(&sweep);
    else
        harness_report(&sweep.harness, false, "preload.so-is-there",
                       "make check-build");
    printf("# %d runs, %lld moves acknowledged, %lld events seen, %lld s\n",
           sweep.all_runs, (long long)sweep.moves, (long long)sweep.events,
           (long long)(mono_now_ms() - sweep.began_ms) / 1000);
    return harness_end(&sweep.harness);
}
