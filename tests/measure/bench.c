/* Measures janggid and two redis servers over TLS. All servers are measured in the same
 * run, one after the other, in several rounds. The redis servers relay the same lines
 * as janggid: one stores nothing, and the other syncs each line to disk. Prints one
 * table of medians, with the ratios first. Does not judge the figures.
 *
 *   bench --directory DIR [--build DIR] [--pairs N] [--seconds S] [--rounds N]
 *         [--connections N] [--no-redis] [--part NAME ...]
 *
 * The DIR of --directory contains only redis-cert.pem, redis-key.pem and the keys of
 * players; bench.sh makes it. CPU time is the time that the system counts for the
 * server's threads, not wall time. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <event2/event.h>
#include <openssl/crypto.h>
#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "tests/measure/count.h"
#include "tests/measure/crowd.h"
#include "tests/measure/load.h"
#include "tests/measure/target.h"

enum {
    ROUNDS_MAX = 15,
    FEW = 1000,
    FAN_FEW = 1000,
    FAN_MANY = 5000,
    FAN_EVENTS_PER_S = 20000, /* events a second that all watchers together receive */
    LOW_PAIRS = 2500,
    LOW_RATE = 1000,
    GAMES = 2000,
    LONG_PLIES = 500,
    READERS = 20,
    STORM = 2000,
    FILES = 40000,
    SPARE_FILES = 200,
    SETTLE_US = 500000
};

/* The figures of one call of measure_lines(). Each figure is an offset from FULL, HALF,
 * LOW or CROWDED below. For example, HALF + CPU is a metric. */
enum { RATE, CPU, LOOP_CPU, P50, P99, DROPPED, SHARE, LINE_FIGURES };

enum metric {
    FULL,
    HALF = FULL + LINE_FIGURES,
    LOW = HALF + LINE_FIGURES,
    CROWDED = LOW + LINE_FIGURES,
    INSTRUCTIONS = CROWDED + LINE_FIGURES,
    ALL_INSTRUCTIONS,
    CALLS,
    PWRITES,
    SYNCS,
    LOW_CALLS,
    LOW_WAITS,
    SHAKES,
    SHAKE_CPU,
    FAN_FEW_CPU,
    FAN_MANY_CPU,
    LATE_CPU,
    STORM_MS,
    STORM_CPU,
    IDLE_FEW,
    IDLE_MANY,
    GAME_BYTES,
    METRICS
};

#define LINE_ROWS(first, words)                                                        \
    [(first) + RATE] = words ": lines a second",                                       \
               [(first) + CPU] = "  server CPU us a line, all threads",                \
               [(first) + LOOP_CPU] = "  server CPU us a line, first thread",          \
               [(first) + P50] = "  send to sight, p50 us",                            \
               [(first) + P99] = "  send to sight, p99 us",                            \
               [(first) + DROPPED] = "  lines that were due and not sent",             \
               [(first) + SHARE] = "  load generator, % of a core"

static const char *const metric_names[METRICS] = {
    LINE_ROWS(FULL, "saturated"),
    LINE_ROWS(HALF, "half of that"),
    LINE_ROWS(LOW, "5,000 clients"),
    LINE_ROWS(CROWDED, "beside idle connections"),
    [INSTRUCTIONS] = "user instructions a line, first thread",
    [ALL_INSTRUCTIONS] = "  all threads",
    [CALLS] = "system calls a line, saturated",
    [PWRITES] = "  pwrite",
    [SYNCS] = "  fsync, fdatasync",
    [LOW_CALLS] = "system calls a line, 1,000 a second",
    [LOW_WAITS] = "  waits: epoll_wait, poll, futex",
    [SHAKES] = "logins by key a second (redis: PING)",
    [SHAKE_CPU] = "  server CPU us each",
    [FAN_FEW_CPU] = "CPU us a delivery, 1,000 watchers",
    [FAN_MANY_CPU] = "CPU us a delivery, 5,000 watchers",
    [LATE_CPU] = "CPU us to read 503 events of a game",
    [STORM_MS] = "2,000 reconnect at once: ms until in",
    [STORM_CPU] = "  server CPU us each",
    [IDLE_FEW] = "bytes an idle connection, at 1,000",
    [IDLE_MANY] = "bytes an idle connection, at most",
    [GAME_BYTES] = "bytes a fresh running game",
};

struct bench {
    const char *build, *directory;
    int pairs, rounds, connections, targets;
    double seconds;
    double rate; /* lines a second in HALF: half the rate that the slowest server
                  * reached in round 1 */
    struct event_base *base;
    double value[TARGETS][METRICS][ROUNDS_MAX];
    bool is_measured[TARGETS][METRICS];
};

static bool is_count(int metric)
{
    return metric >= INSTRUCTIONS && metric <= LOW_WAITS;
}

/* Stores the value of a metric in a round. If the metric is a count, which is the same
 * in all rounds, also stores it for the later rounds. */
static void put(struct bench *bench, const struct target *target, int metric, int round,
                double value)
{
    int end = is_count(metric) ? bench->rounds : round + 1;

    for (int i = round; i < end; i++)
        bench->value[target->kind][metric][i] = value;
    bench->is_measured[target->kind][metric] = true;
}

/* --- A stretch of time --- */

struct stretch {
    const struct target *target;
    struct process_cpu server;
    struct process_cpu own;
    int64_t began_us;
};

static struct stretch stretch_begin(const struct target *target)
{
    struct stretch stretch = {.target = target};

    if (!process_cpu(target->pid, &stretch.server) ||
        !process_cpu(getpid(), &stretch.own))
        log_die("bench the system does not tell CPU times");
    stretch.began_us = mono_now_us();
    return stretch;
}

/* all_us, first_us: CPU microseconds per line. all_us is for all threads of the server,
 * first_us is for its first thread. share: how many percent of one core the load
 * generator itself has used. */
struct cost {
    double all_us, first_us, share;
};

static struct cost stretch_end(const struct stretch *stretch, int64_t lines)
{
    struct process_cpu server = {0}, own = {0};
    double count = lines > 0 ? (double)lines : 1;

    if (!process_cpu(stretch->target->pid, &server) || !process_cpu(getpid(), &own))
        log_die("bench the system does not tell CPU times");
    return (struct cost){
        .all_us = (double)(server.all_ns - stretch->server.all_ns) / 1000 / count,
        .first_us = (double)(server.first_thread_ns - stretch->server.first_thread_ns) /
                    1000 / count,
        .share = (double)(own.all_ns - stretch->own.all_ns) / 10 /
                 (double)(mono_now_us() - stretch->began_us)};
}

/* --- What is measured --- */

static void start(struct bench *bench, struct target *target, enum target_kind kind)
{
    if (!target_start(target, kind, bench->build, bench->directory, NULL))
        exit(1);
}

/* Runs the load for bench->seconds, after a second of warming up. Returns its cost. */
static struct cost run_load(struct bench *bench, const struct target *target,
                            struct load *load, double rate, struct load_result *result)
{
    struct stretch stretch;

    load_run(load, 1, rate, result);
    stretch = stretch_begin(target);
    load_run(load, bench->seconds, rate, result);
    return stretch_end(&stretch, result->lines);
}

static void measure_lines(struct bench *bench, const struct target *target,
                          struct load *load, int round, double rate, int first)
{
    struct load_result result;
    struct cost cost = run_load(bench, target, load, rate, &result);

    put(bench, target, first + RATE, round, (double)result.lines / result.seconds);
    put(bench, target, first + CPU, round, cost.all_us);
    put(bench, target, first + LOOP_CPU, round, cost.first_us);
    put(bench, target, first + P50, round, (double)result.p50_us);
    put(bench, target, first + P99, round, (double)result.p99_us);
    if (rate > 0)
        put(bench, target, first + DROPPED, round, (double)result.dropped);
    put(bench, target, first + SHARE, round, cost.share);
}

static void choose_rate(struct bench *bench)
{
    double slowest = bench->value[TARGET_JANGGID][FULL + RATE][0];

    for (int i = 0; i < bench->targets; i++)
        if (bench->value[i][FULL + RATE][0] < slowest)
            slowest = bench->value[i][FULL + RATE][0];
    bench->rate = (double)((int)(slowest / 2 / 100) * 100);
    if (bench->rate < 100)
        bench->rate = 100;
}

/* Measures in two steps. Each step measures all servers, one after the other. So if the
 * machine is slow for a minute, this affects all servers. */
static void measure_load(struct bench *bench, int round)
{
    struct target target[TARGETS];
    struct load *load[TARGETS];

    for (int i = 0; i < bench->targets; i++) {
        start(bench, &target[i], (enum target_kind)i);
        load[i] = load_new(bench->base, &target[i], bench->pairs);
        measure_lines(bench, &target[i], load[i], round, 0, FULL);
    }
    if (round == 0)
        choose_rate(bench);
    for (int i = 0; i < bench->targets; i++) {
        measure_lines(bench, &target[i], load[i], round, bench->rate, HALF);
        load_free(load[i]);
        target_stop(&target[i]);
    }
}

static void measure_low(struct bench *bench, const struct target *target, int round)
{
    struct load *load = load_new(bench->base, target, LOW_PAIRS);

    measure_lines(bench, target, load, round, LOW_RATE, LOW);
    load_free(load);
}

static void measure_handshakes(struct bench *bench, const struct target *target,
                               int round)
{
    struct crowd *crowd = crowd_new(bench->base, target);
    double seconds = bench->seconds / 3;
    struct stretch stretch;
    int64_t served;

    crowd_use_keys(crowd, bench->directory);
    crowd_come_and_go(crowd, 0.3);
    stretch = stretch_begin(target);
    served = crowd_come_and_go(crowd, seconds);
    put(bench, target, SHAKE_CPU, round, stretch_end(&stretch, served).all_us);
    put(bench, target, SHAKES, round, (double)served / seconds);
    crowd_free(crowd);
}

/* --- Readers --- */

/* Makes all guests watch game 0. */
static void follow(struct crowd *crowd, const struct target *target,
                   const struct load *load)
{
    char line[64];

    if (target->kind == TARGET_JANGGID)
        snprintf(line, sizeof line, "watch %lld\n", (long long)load_game(load, 0));
    else
        snprintf(line, sizeof line, "SUBSCRIBE game0\r\n");
    crowd_say(crowd, line);
}

/* Plays one game, so slowly that every watcher has received an event before the next
 * one. Returns the cost of one delivery. */
static struct cost fan_out(struct bench *bench, const struct target *target,
                           int watchers, int64_t *deliveries)
{
    struct load *load = load_connect_all(bench->base, target, 1, LONG_PLIES);
    struct crowd *crowd = crowd_new(bench->base, target);
    struct load_result result;
    struct stretch stretch;
    struct cost cost;
    int64_t before;

    load_begin(load);
    crowd_grow(crowd, watchers);
    follow(crowd, target, load);
    load_run(load, 2, 1, &result); /* gives all guests time to become watchers */
    before = crowd_events(crowd);
    stretch = stretch_begin(target);
    load_run(load, bench->seconds, (double)FAN_EVENTS_PER_S / watchers, &result);
    *deliveries = result.all * watchers;
    crowd_await_events(crowd, before + *deliveries);
    cost = stretch_end(&stretch, *deliveries);
    crowd_free(crowd);
    load_free(load);
    return cost;
}

/* Measures the cost of a delivery to `watchers` watchers. Does nothing for the redis
 * with AOF. This redis does not store what it publishes, so its figure would be about
 * the same as the figure of the other redis. */
static void measure_fan(struct bench *bench, const struct target *target, int round,
                        int watchers, int metric)
{
    int64_t deliveries;

    if (target->kind != TARGET_AOF)
        put(bench, target, metric, round,
            fan_out(bench, target, watchers, &deliveries).all_us);
}

static void measure_fan_few(struct bench *bench, const struct target *target, int round)
{
    measure_fan(bench, target, round, FAN_FEW, FAN_FEW_CPU);
}

static void measure_fan_many(struct bench *bench, const struct target *target,
                             int round)
{
    measure_fan(bench, target, round, FAN_MANY, FAN_MANY_CPU);
}

/* Measures the cost of reading a long game from its first event, again and again. Skips
 * the redis without AOF, because it does not store the game. The redis with AOF stores
 * the game as a stream. */
static void measure_late(struct bench *bench, const struct target *target, int round)
{
    char line[64] = "XRANGE game0 - +\r\n";
    struct stretch stretch;
    struct crowd *crowd;
    struct load *load;
    int64_t served;

    if (target->kind == TARGET_REDIS)
        return;
    load = load_connect_all(bench->base, target, 1, LONG_PLIES);
    load_begin(load);
    load_play_to(load, LONG_PLIES);
    if (target->kind == TARGET_JANGGID)
        snprintf(line, sizeof line, "resume %lld 0\n", (long long)load_game(load, 0));
    crowd = crowd_new(bench->base, target);
    crowd_grow(crowd, READERS);
    stretch = stretch_begin(target);
    served = crowd_ask(crowd, line, LONG_PLIES + 2, bench->seconds / 3);
    put(bench, target, LATE_CPU, round, stretch_end(&stretch, served).all_us);
    crowd_free(crowd);
    load_free(load);
}

static void measure_storm(struct bench *bench, const struct target *target, int round)
{
    struct crowd *crowd = crowd_new(bench->base, target);
    struct stretch stretch;

    crowd_grow(crowd, STORM);
    stretch = stretch_begin(target);
    put(bench, target, STORM_MS, round, (double)crowd_storm(crowd));
    put(bench, target, STORM_CPU, round, stretch_end(&stretch, STORM).all_us);
    crowd_free(crowd);
}

/* --- Memory --- */

static double bytes_each(const struct target *target, int64_t before, int count)
{
    usleep(SETTLE_US);
    return (double)(process_memory(target->pid, "VmRSS") - before) / count;
}

/* Measures the memory of idle connections. Needs a fresh server. An older server has
 * memory that it used and freed before. The connections could use this memory, and the
 * measured memory would be too small. At the end, some pairs play while the idle
 * connections stay open. */
static void measure_idle(struct bench *bench, const struct target *target, int round)
{
    struct crowd *crowd = crowd_new(bench->base, target);
    struct load *load;
    int64_t before;

    crowd_come_and_go(crowd, 0.1); /* at its first connections, the server allocates
                                    * some memory once */
    before = process_memory(target->pid, "VmRSS");
    crowd_grow(crowd, FEW);
    put(bench, target, IDLE_FEW, round, bytes_each(target, before, FEW));
    crowd_grow(crowd, bench->connections);
    put(bench, target, IDLE_MANY, round,
        bytes_each(target, before, bench->connections));
    load = load_new(bench->base, target, bench->pairs);
    measure_lines(bench, target, load, round, LOW_RATE, CROWDED);
    load_free(load);
    crowd_free(crowd);
}

/* Measures the memory of new games. Their players have logged in before. */
static void measure_games(struct bench *bench, const struct target *target, int round)
{
    struct load *load;
    int64_t before;

    if (target->kind != TARGET_JANGGID)
        return;
    load = load_connect_all(bench->base, target, GAMES, LONG_PLIES);
    usleep(SETTLE_US);
    before = process_memory(target->pid, "VmRSS");
    load_begin(load);
    put(bench, target, GAME_BYTES, round, bytes_each(target, before, GAMES));
    load_free(load);
}

/* --- Counts --- */

static void measure_counts(struct bench *bench, int round)
{
    struct count_setting setting = {.base = bench->base,
                                    .build = bench->build,
                                    .directory = bench->directory,
                                    .pairs = bench->pairs,
                                    .seconds = bench->seconds};

    for (int i = 0; i < bench->targets; i++) {
        const struct target target = {.kind = (enum target_kind)i};
        struct count_instructions instructions;
        struct count_calls calls;

        setting.rate = 0;
        if (count_instructions(&setting, target.kind, &instructions)) {
            put(bench, &target, INSTRUCTIONS, round, instructions.first);
            put(bench, &target, ALL_INSTRUCTIONS, round,
                instructions.first + instructions.others);
        }
        if (!count_calls(&setting, target.kind, &calls))
            continue;
        put(bench, &target, CALLS, round, calls.all);
        put(bench, &target, PWRITES, round, calls.pwrites);
        put(bench, &target, SYNCS, round, calls.syncs);
        setting.rate = LOW_RATE;
        if (!count_calls(&setting, target.kind, &calls))
            continue;
        put(bench, &target, LOW_CALLS, round, calls.all);
        put(bench, &target, LOW_WAITS, round, calls.waits);
    }
}

static struct {
    const char *name;
    void (*measure)(struct bench *bench, int round); /* if NULL, measure_each is called
                                                      * instead */
    void (*measure_each)(struct bench *bench, const struct target *target, int round);
    bool is_counted; /* the figures are the same in every round */
    bool is_chosen;
} all_parts[] = {
    {.name = "saturated", .measure = measure_load},
    {.name = "low", .measure_each = measure_low},
    {.name = "counts", .measure = measure_counts, .is_counted = true},
    {.name = "logins", .measure_each = measure_handshakes},
    {.name = "fan-1000", .measure_each = measure_fan_few},
    {.name = "fan-5000", .measure_each = measure_fan_many},
    {.name = "late", .measure_each = measure_late},
    {.name = "storm", .measure_each = measure_storm},
    {.name = "idle", .measure_each = measure_idle},
    {.name = "games", .measure_each = measure_games},
};

static bool choose_part(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(all_parts); i++)
        if (strcmp(all_parts[i].name, name) == 0)
            return all_parts[i].is_chosen = true;
    return false;
}

static bool has_choice(void)
{
    for (size_t i = 0; i < ARRAY_LEN(all_parts); i++)
        if (all_parts[i].is_chosen)
            return true;
    return false;
}

/* Runs one part of the benchmark. A part with measure() starts its servers itself. For
 * another part, calls measure_each() with a fresh server of each kind. */
static void run_part(struct bench *bench, size_t part, int round)
{
    struct target target;

    if (all_parts[part].measure != NULL)
        all_parts[part].measure(bench, round);
    for (int i = 0; all_parts[part].measure == NULL && i < bench->targets; i++) {
        start(bench, &target, (enum target_kind)i);
        all_parts[part].measure_each(bench, &target, round);
        target_stop(&target);
    }
}

/* Runs the chosen parts, or all. Counts are taken only in the first round and stand for
 * all rounds. */
static void run_round(struct bench *bench, int round)
{
    bool is_all = !has_choice();

    for (size_t i = 0; i < ARRAY_LEN(all_parts); i++) {
        if (!is_all && !all_parts[i].is_chosen)
            continue;
        fprintf(stderr, "round %d of %d: %s ...\n", round + 1, bench->rounds,
                all_parts[i].name);
        if (!all_parts[i].is_counted || round == 0)
            run_part(bench, i, round);
    }
}

/* --- The table --- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(struct bench *bench, int target, int metric)
{
    double *value = bench->value[target][metric];

    qsort(value, (size_t)bench->rounds, sizeof *value, compare);
    return value[bench->rounds / 2];
}

static void print_facts(const struct bench *bench)
{
    struct utsname system;
    char line[256], *model = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");

    uname(&system);
    while (file != NULL && model == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0)
            model = strchr(line, ':');
    if (model != NULL)
        model[strcspn(model, "\n")] = '\0';
    if (file != NULL)
        fclose(file);
    printf("%ld cores%s, %s %s\n", sysconf(_SC_NPROCESSORS_ONLN),
           model != NULL ? model : "", system.sysname, system.release);
    printf("libevent %s, %s, SQLite %s\n", event_get_version(),
           OpenSSL_version(OPENSSL_VERSION), sqlite3_libversion());
    printf(
        "%d pairs, %.0f s, median of %d rounds; servers, load generator and whatever "
        "else runs share the cores\n\n",
        bench->pairs, bench->seconds, bench->rounds);
    fflush(stdout);
}

static void print_cell(struct bench *bench, int target, int metric)
{
    double value = median(bench, target, metric);

    if (!bench->is_measured[target][metric])
        printf("%12s", "-");
    else
        printf(value < 100 ? "%12.2f" : "%12.0f", value);
}

/* Prints janggid's figure divided by the figure of the server `target`. Prints "-" if
 * one of the two figures was not measured. */
static void print_ratio(struct bench *bench, int target, int metric)
{
    double value = median(bench, target, metric);

    if (!bench->is_measured[TARGET_JANGGID][metric] ||
        !bench->is_measured[target][metric] || value == 0)
        printf("%10s", "-");
    else
        printf("%10.2f", median(bench, TARGET_JANGGID, metric) / value);
}

static bool is_row(const struct bench *bench, int metric)
{
    for (int i = 0; i < bench->targets; i++)
        if (bench->is_measured[i][metric])
            return true;
    return false;
}

static void print_table(struct bench *bench)
{
    printf("%-40s%10s%10s", "", ": TLS", ": AOF");
    for (int i = 0; i < bench->targets; i++)
        printf("%12s", target_name((enum target_kind)i));
    putchar('\n');
    for (int m = 0; m < METRICS; m++) {
        if (!is_row(bench, m))
            continue;
        if (m == IDLE_MANY)
            printf("bytes an idle connection, at %-11d", bench->connections);
        else
            printf("%-40s", metric_names[m]);
        print_ratio(bench, TARGET_REDIS, m);
        print_ratio(bench, TARGET_AOF, m);
        for (int i = 0; i < bench->targets; i++)
            print_cell(bench, i, m);
        putchar('\n');
    }
    printf(
        "\nA line is a move: janggid checks it against the rules, syncs it to disk, "
        "answers the mover,\nand sends it to both players. redis TLS publishes it to "
        "one subscriber and keeps nothing;\nredis AOF appends it to a stream, syncs "
        "it and publishes it (MULTI XADD PUBLISH EXEC, appendfsync always).\nCounts "
        "of instructions and calls do not depend on what else the machine does; times "
        "do: read their ratios.\n");
}

static bool read_options(struct bench *bench, int argc, char **argv)
{
    static const struct option options[] = {{"build", 1, NULL, 'b'},
                                            {"directory", 1, NULL, 'd'},
                                            {"pairs", 1, NULL, 'p'},
                                            {"seconds", 1, NULL, 's'},
                                            {"rounds", 1, NULL, 'r'},
                                            {"connections", 1, NULL, 'c'},
                                            {"no-redis", 0, NULL, 'n'},
                                            {"part", 1, NULL, 'P'},
                                            {0}};
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 'b')
            bench->build = optarg;
        else if (c == 'd')
            bench->directory = optarg;
        else if (c == 'p')
            bench->pairs = atoi(optarg);
        else if (c == 's')
            bench->seconds = atof(optarg);
        else if (c == 'r')
            bench->rounds = atoi(optarg);
        else if (c == 'c')
            bench->connections = atoi(optarg);
        else if (c == 'n')
            bench->targets = 1;
        else if (c != 'P' || !choose_part(optarg))
            return false;
    }
    return optind == argc && bench->directory != NULL && bench->pairs > 0 &&
           bench->seconds > 0 && bench->rounds > 0 && bench->rounds <= ROUNDS_MAX &&
           bench->connections >= FEW;
}

/* Raises the limit of open files or, where that fails, lowers bench->connections. A
 * connection takes one descriptor in this process and one in the server. */
static void fit_files(struct bench *bench)
{
    struct rlimit files;

    process_raise_files(FILES);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 ||
        files.rlim_cur >= (rlim_t)(bench->connections + SPARE_FILES))
        return;
    bench->connections = (int)files.rlim_cur - SPARE_FILES;
    printf("only %d connections: the limit of open files is %llu\n", bench->connections,
           (unsigned long long)files.rlim_cur);
    if (bench->connections < FEW)
        log_die("bench needs %d open files at least", FEW + SPARE_FILES);
}

int main(int argc, char **argv)
{
    static struct bench bench = {.build = "build",
                                 .pairs = 200,
                                 .rounds = 4,
                                 .connections = 10000,
                                 .targets = TARGETS,
                                 .seconds = 10};

    if (!read_options(&bench, argc, argv)) {
        fprintf(stderr, "bench: see the head of tests/measure/bench.c\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    fit_files(&bench);
    bench.base = event_base_new();
    print_facts(&bench);
    for (int round = 0; round < bench.rounds; round++) {
        run_round(&bench, round);
    }
    print_table(&bench);
    event_base_free(bench.base);
    return 0;
}
