/* Plays games between scripted players on a server whose power fails hundreds of times:
 * in play, at startup, in a checkpoint, while it creates its files. The server is the
 * real one, linked with tests/proof/fault/power_vfs.c. At a power failure, power_vfs.c
 * changes the files to a state that a real disk could have after a power failure. Then
 * the server is restarted on the same directory, sometimes as the plain janggid, and
 * the players continue. The history of each player is checked against the database: at
 * intervals in a copy of the files, and at the end.
 *
 * This tests power failures at the level of files. It cannot test a disk that ignores a
 * flush; README.md beside power_vfs.c has further limits.
 *
 * --server with a program other than janggid-power, and --lies, are negative
 * controls. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/bot/bot.h"
#include "tests/checker/checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"
#include "tests/proof/fault/power_disk.h"

enum {
    LOOK_MS = 3,
    PLAIN_MOST_MS = 150,
    FINISH_MS = 120000, /* the longest time without a move while the last games are
                         * played to their ends */
    AT_IN_START = 25,   /* AT_...: the most changes and syncs before the power fails */
    AT_IN_LOGIN = 80,
    AT_SOON = 600,
    AT_LATE = 6000,
    PLIES = 60,
    BACK_OFF_FIRST_MS = 2,
    BACK_OFF_MOST_MS = 8,
    RESTARTS_MAX = 100000,
    MISSED_MOST = 12 /* after so many runs in a row without a power cut, the proof
                      * fails */
};

struct power {
    struct harness harness;
    const char *mode;
    bool is_lying;
    int cuts, games, round, look;
    int run_ms; /* a run without a power cut is ended by SIGKILL after this time */
    uint64_t random;

    char plain[PROCESS_PATH_BYTES], cuttable[PROCESS_PATH_BYTES];
    struct bots *bots;
    struct checker *checker;
    bool is_finishing, is_broken, is_plain; /* is_plain: the power does not fail in this
                                             * run */
    int64_t run_until_ms, moves_seen;

    int cuts_done, cuts_in_start, kills, rounds, looks;
    int round_cuts; /* power cuts in this round */
    int missed;     /* consecutive runs without a power cut */
    int64_t began_ms;
    int64_t *restart_ms;
    int restarts;
    struct bots_counts counts; /* sum of the finished rounds */
    struct checker_findings findings;
};

static const char *const terms[] = {"time=none", "time=30m+2s", "time=20m+3x40s"};
static const char *const modes[] = {"nothing", "some", "torn", "early", "late", "all"};

static uint32_t dice(struct power *power, uint32_t below)
{
    uint64_t z = (power->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

/* --- The players --- */

static bool wants_game(void *arg, struct bot *bot)
{
    const struct power *power = arg;

    (void)bot;
    return !power->is_finishing;
}

static int64_t server_began_ms(void *arg)
{
    const struct power *power = arg;

    return power->harness.server.began_ms;
}

static void gather(struct power *power)
{
    struct bots_settings settings = {.seed =
                                         power->harness.seed + (uint64_t)power->rounds,
                                     .plies_max = PLIES,
                                     .back_off_first_ms = BACK_OFF_FIRST_MS,
                                     .back_off_most_ms = BACK_OFF_MOST_MS,
                                     .arg = power,
                                     .wants_game = wants_game,
                                     .server_began_ms = server_began_ms};

    power->bots = bots_new(power->harness.base, &settings);
    power->checker = checker_new(power->bots, NULL);
    bots_set_server(power->bots, power->harness.server.port, power->harness.server.key);
    bots_add_pairs(power->bots, power->games, terms, ARRAY_LEN(terms));
}

static bool is_anybody_playing(const struct power *power)
{
    for (const struct bot *bot = power->bots->first; bot != NULL; bot = bot->next)
        if (bot->state != BOT_IN || bot->match != NULL || bot->asking != ASK_NONE ||
            bot->resumes_due > 0)
            return true;
    return false;
}

/* --- One run of the server --- */

static void set_number(const char *name, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    setenv(name, text, 1);
}

/* Decides when and how the power fails in the next run. After runs without a cut, fewer
 * changes are allowed before the failure, because a busy machine may need longer than a
 * run for so many changes. */
static void aim(struct power *power)
{
    static const uint32_t most[] = {AT_IN_START, AT_IN_LOGIN, AT_SOON, AT_LATE,
                                    AT_LATE};
    uint32_t below = most[dice(power, ARRAY_LEN(most))] >> power->missed;
    uint32_t at = 1 + dice(power, below > 0 ? below : 1);

    /* --lies: in the first run the power does not fail, because this run must write the
     * data that a later power failure can destroy. */
    power->is_plain = power->is_lying ? power->bots == NULL : dice(power, 8) == 0;
    set_number("JANGGI_POWER_AT", at);
    set_number("JANGGI_POWER_SEED", dice(power, UINT32_MAX));
    set_number("JANGGI_POWER_LIES", power->is_lying);
    setenv("JANGGI_POWER_MODE",
           power->mode != NULL ? power->mode : modes[dice(power, ARRAY_LEN(modes))], 1);
    text_copy(power->harness.server.program, sizeof power->harness.server.program,
              power->is_plain ? power->plain : power->cuttable);
    power->run_until_ms =
        mono_now_ms() +
        (power->is_plain ? (int)dice(power, PLAIN_MOST_MS) : power->run_ms);
}

static bool must_stop(void *arg)
{
    struct power *power = arg;

    if (power->is_finishing && power->bots->counts.moves != power->moves_seen) {
        power->moves_seen = power->bots->counts.moves;
        power->run_until_ms = mono_now_ms() + FINISH_MS;
    }
    return power->harness.server.pid == 0 || !janggid_is_up(&power->harness.server) ||
           mono_now_ms() >= power->run_until_ms || power->bots->counts.faults > 0 ||
           (power->is_finishing && !is_anybody_playing(power));
}

static void look_now_and_then(struct power *power)
{
    const struct checker_findings *findings;

    if (power->bots == NULL || power->round_cuts % power->look != 0)
        return;
    findings = checker_findings(power->checker);
    power->looks++;
    if (!checker_check_running(power->checker, power->harness.server.data) ||
        !checker_check_ended(power->checker, power->harness.server.data,
                             janggid_uptime_ms(&power->harness.server)) ||
        verdict_faults(&findings->seen) + verdict_faults(&findings->played) > 0)
        power->is_broken = true;
}

/* Judges the end of a run: a power failure or a kill is expected; anything else is a
 * fault. */
static void note_end(struct power *power, bool was_up)
{
    int status = power->harness.server.status;

    if (WIFEXITED(status) && WEXITSTATUS(status) == POWER_STATUS) {
        power->cuts_done++;
        power->round_cuts++;
        power->cuts_in_start += !was_up;
        power->missed = 0;
        look_now_and_then(power);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && was_up) {
        power->kills++;
        power->missed += !power->is_plain;
        if (power->missed < MISSED_MOST)
            return;
        printf("# the power of %s does not go\n", power->harness.server.program);
        power->is_broken = true;
    } else {
        printf("# after %d cuts janggid %s: status %d, signal %d; its log is %s\n",
               power->cuts_done, was_up ? "ended by itself" : "did not start",
               status >> 8, status & 127, power->harness.server.log);
        power->is_broken = true;
    }
}

static void run_once(struct power *power)
{
    bool was_up;

    aim(power);
    was_up = janggid_start(&power->harness.server);
    if (was_up && power->bots == NULL)
        gather(power);
    if (was_up) {
        power->restart_ms[power->restarts++ % RESTARTS_MAX] =
            power->harness.server.start_took_ms;
        harness_watch(&power->harness, LOOK_MS, must_stop, power);
        if (power->harness.server.pid != 0)
            janggid_kill(&power->harness.server);
    }
    note_end(power, was_up);
}

/* --- A round --- */

static bool begin_round(struct power *power)
{
    if (!harness_make_server(&power->harness))
        return false;
    power->harness.server.is_quiet = true;
    power->round_cuts = 0;
    power->is_finishing = false;
    return true;
}

/* Starts the plain janggid on the files that the cuts have left, and waits until all
 * games have been played to their ends. */
static bool finish_games(struct power *power)
{
    text_copy(power->harness.server.program, sizeof power->harness.server.program,
              power->plain);
    power->is_finishing = true;
    power->harness.server.is_quiet = false;
    if (!janggid_start(&power->harness.server))
        return false;
    power->run_until_ms = mono_now_ms() + FINISH_MS;
    if (power->bots == NULL)
        gather(power);
    harness_watch(&power->harness, LOOK_MS, must_stop, power);
    if (power->bots->counts.faults > 0)
        return false;
    if (is_anybody_playing(power))
        printf("# no move for %d s, and games have not ended\n", FINISH_MS / 1000);
    return !is_anybody_playing(power) &&
           janggid_stop(&power->harness.server, power->harness.base);
}

static void add_verdict(struct verdict *sum, const struct verdict *one)
{
    sum->checked += one->checked;
    sum->lost += one->lost;
    sum->changed += one->changed;
    sum->doubled += one->doubled;
    sum->illegal += one->illegal;
    sum->clock += one->clock;
}

static void add_counts(struct power *power)
{
    const struct bots_counts *counts = &power->bots->counts;
    const struct checker_findings *findings = checker_findings(power->checker);

    power->counts.moves += counts->moves;
    power->counts.events += counts->events;
    power->counts.logins += counts->logins;
    power->counts.resent += counts->resent;
    power->counts.repeats += counts->repeats;
    power->counts.faults += counts->faults;
    add_verdict(&power->findings.seen, &findings->seen);
    add_verdict(&power->findings.played, &findings->played);
    add_verdict(&power->findings.told, &findings->told);
    power->findings.games += findings->games;
}

static void check_round(struct power *power)
{
    struct janggid *server = &power->harness.server;
    bool is_whole = !power->is_broken && finish_games(power);

    if (!is_whole) {
        power->is_broken = true;
        janggid_kill(server);
    }
    if (power->bots == NULL)
        return;
    /* If the checker has found faults in this round, it has already printed them. Then
     * the last check of the database is omitted. */
    if (verdict_faults(&checker_findings(power->checker)->seen) == 0 &&
        !checker_check_all(power->checker, server->data, janggid_uptime_ms(server)))
        power->is_broken = true;
    if (is_whole && janggid_start(server)) {
        checker_read_watcher(power->checker, power->harness.base, server->port,
                             server->key);
        if (!janggid_stop(server, power->harness.base))
            power->is_broken = true;
    }
    add_counts(power);
}

static void print_progress(const struct power *power)
{
    printf("# %d cuts of %d, %d in a start; %d games, %lld moves acknowledged, %lld "
           "events seen; %lld s\n",
           power->cuts_done, power->cuts, power->cuts_in_start, power->findings.games,
           (long long)power->counts.moves, (long long)power->counts.events,
           (long long)(mono_now_ms() - power->began_ms) / 1000);
    fflush(stdout);
}

static void end_round(struct power *power)
{
    check_round(power);
    checker_free(power->checker);
    bots_free(power->bots);
    power->checker = NULL;
    power->bots = NULL;
    power->rounds++;
    harness_remove_files(&power->harness, !power->is_broken);
    print_progress(power);
}

static void do_round(struct power *power)
{
    if (!begin_round(power)) {
        power->is_broken = true;
        return;
    }
    while (!power->is_broken && power->cuts_done < power->cuts &&
           power->round_cuts < power->round &&
           (power->bots == NULL || power->bots->counts.faults == 0))
        run_once(power);
    end_round(power);
}

/* --- Reports --- */

static void summarise(struct power *power)
{
    const struct checker_findings *findings = &power->findings;
    int restarts = power->restarts < RESTARTS_MAX ? power->restarts : RESTARTS_MAX;

    harness_print("seed", (int64_t)power->harness.seed);
    harness_print("power cuts", power->cuts_done);
    harness_print("  of them during a start", power->cuts_in_start);
    harness_print("kills besides", power->kills);
    harness_print("directories", power->rounds);
    harness_print("copies in order", power->looks);
    harness_print("games", findings->games);
    harness_print("moves acknowledged", power->counts.moves);
    harness_print("events seen", power->counts.events);
    harness_print("moves sent again", power->counts.resent);
    harness_print("  that had been played", power->counts.repeats);
    harness_print("complaints", power->counts.faults);
    harness_print("events and acknowledgements checked", findings->seen.checked);
    harness_print("events replayed, clocks heard", findings->played.checked);
    harness_print("events told to a late watcher", findings->told.checked);
    harness_print("lost", findings->seen.lost + findings->told.lost);
    harness_print("changed", findings->seen.changed + findings->told.changed);
    harness_print("doubled", findings->seen.doubled);
    harness_print("illegal, clock", findings->played.illegal + findings->played.clock);
    harness_print("restart ms, middle",
                  harness_percentile(power->restart_ms, restarts, 50));
    harness_print("restart ms, longest",
                  harness_percentile(power->restart_ms, restarts, 100));
    harness_print("seconds", (mono_now_ms() - power->began_ms) / 1000);
}

static void report_all(struct power *power)
{
    const struct checker_findings *findings = &power->findings;
    char why[120];

    snprintf(why, sizeof why, "lost=%d changed=%d doubled=%d, see above",
             findings->seen.lost, findings->seen.changed, findings->seen.doubled);
    harness_report(&power->harness,
                   verdict_faults(&findings->seen) == 0 && power->counts.faults == 0,
                   "nothing-seen-or-acknowledged-is-lost", "%s", why);
    harness_report(&power->harness, verdict_faults(&findings->told) == 0,
                   "watcher-is-told-what-the-database-has", "see above");
    snprintf(why, sizeof why, "illegal=%d clock=%d, see above",
             findings->played.illegal, findings->played.clock);
    harness_report(&power->harness, verdict_faults(&findings->played) == 0,
                   "replay-is-legal-and-clocks-fall", "%s", why);
    harness_report(&power->harness,
                   !power->is_broken && power->cuts_done == power->cuts,
                   "server-comes-back-after-every-cut", "see above");
    harness_report(&power->harness, findings->seen.checked > power->cuts,
                   "there-was-play", "hardly anything was checked");
}

/* --- From the command line --- */

static void start(struct power *power)
{
    static int64_t restart_ms[RESTARTS_MAX];
    struct harness *harness = &power->harness;

    power->began_ms = mono_now_ms();
    power->random = harness->seed;
    power->restart_ms = restart_ms;
    snprintf(power->plain, sizeof power->plain, "%s/janggid", harness->build);
    if (harness->program != NULL)
        snprintf(power->cuttable, sizeof power->cuttable, "%s", harness->program);
    else
        snprintf(power->cuttable, sizeof power->cuttable,
                 "%s/tests/proof/fault/janggid-power", harness->build);
}

int main(int argc, char **argv)
{
    struct power power = {.harness.name = "crash-power",
                          .cuts = 200,
                          .games = 6,
                          .round = 50,
                          .run_ms = 3000,
                          .look = 10};
    const struct options_row options[] = {
        {"cuts", .number = &power.cuts, .least = 1, .help = "power cuts"},
        {"games", .number = &power.games, .least = 1, .help = "games at once"},
        {"round", .number = &power.round, .least = 1, .help = "cuts of one directory"},
        {"look", .number = &power.look, .least = 1, .help = "cuts between two checks"},
        {"run", .number = &power.run_ms, .least = 1, .help = "most ms to a cut"},
        {"mode", .text = &power.mode, .help = "what a cut leaves; see fault/README.md"},
        {"lies", .flag = &power.is_lying,
         .help = "control: a disk that does not sync"}};

    if (!harness_init(&power.harness, options, ARRAY_LEN(options), argc, argv))
        return 2;
    start(&power);
    while (!power.is_broken && power.cuts_done < power.cuts && power.counts.faults == 0)
        do_round(&power);
    report_all(&power);
    summarise(&power);
    return harness_end(&power.harness);
}
