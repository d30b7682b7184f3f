/* Measures janggid and, in the same run and interleaved with it, redis-server over TLS
 * relaying the same lines. Prints one table of medians and judges nothing.
 *
 *   bench --directory DIR [--build DIR] [--pairs N] [--seconds S] [--rounds N]
 *         [--connections N] [--no-redis]
 *
 * DIR is an empty directory with redis-cert.pem and redis-key.pem; bench.sh makes it.
 * CPU time is read from the system's accounts of the server's threads, not from the
 * wall. */
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
#include "tests/bench/crowd.h"
#include "tests/bench/load.h"
#include "tests/bench/target.h"

enum {
    ROUNDS_MAX = 15,
    FEW = 1000,
    FILES = 40000,
    SPARE_FILES = 200,
    SETTLE_US = 500000
};

enum metric {
    FULL_RATE,
    FULL_CPU,
    FULL_LOOP_CPU,
    FULL_P50,
    FULL_P99,
    FULL_SHARE,
    HALF_RATE,
    HALF_CPU,
    HALF_LOOP_CPU,
    HALF_P50,
    HALF_P99,
    HALF_DROPPED,
    HALF_SHARE,
    SHAKES,
    SHAKE_CPU,
    SHAKE_SHARE,
    IDLE_FEW,
    IDLE_MANY,
    METRICS
};

static const char *const metric_names[METRICS] = {
    [FULL_RATE] = "saturated: lines a second",
    [FULL_CPU] = "  server CPU us a line, all threads",
    [FULL_LOOP_CPU] = "  server CPU us a line, first thread",
    [FULL_P50] = "  send to sight, p50 us",
    [FULL_P99] = "  send to sight, p99 us",
    [FULL_SHARE] = "  load generator, % of a core",
    [HALF_RATE] = "open loop: lines a second",
    [HALF_CPU] = "  server CPU us a line, all threads",
    [HALF_LOOP_CPU] = "  server CPU us a line, first thread",
    [HALF_P50] = "  send to sight, p50 us",
    [HALF_P99] = "  send to sight, p99 us",
    [HALF_DROPPED] = "  lines that were due and not sent",
    [HALF_SHARE] = "  load generator, % of a core",
    [SHAKES] = "handshakes a second",
    [SHAKE_CPU] = "  server CPU us a handshake",
    [SHAKE_SHARE] = "  load generator, % of a core",
    [IDLE_FEW] = "bytes an idle connection, at 1,000",
    [IDLE_MANY] = "bytes an idle connection, at most",
};

struct bench {
    const char *build, *directory;
    int pairs, rounds, connections, targets;
    double seconds;
    double rate; /* of the open loop: half of the slower server's first round */
    struct event_base *base;
    double value[TARGETS][METRICS][ROUNDS_MAX];
};

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
        die("bench the system does not tell CPU times");
    stretch.began_us = mono_now_us();
    return stretch;
}

/* CPU per line of all threads and of the first, in microseconds, and what of one core
 * the load generator itself has used. */
static void stretch_end(const struct stretch *stretch, int64_t lines, double *all_us,
                        double *first_us, double *share)
{
    struct process_cpu server = {0}, own = {0};
    double count = lines > 0 ? (double)lines : 1;

    if (!process_cpu(stretch->target->pid, &server) || !process_cpu(getpid(), &own))
        die("bench the system does not tell CPU times");
    *all_us = (double)(server.all_ns - stretch->server.all_ns) / 1000 / count;
    *first_us = (double)(server.first_thread_ns - stretch->server.first_thread_ns) /
                1000 / count;
    *share = (double)(own.all_ns - stretch->own.all_ns) / 10 /
             (double)(mono_now_us() - stretch->began_us);
}

/* --- What is measured --- */

static void measure_lines(struct bench *bench, const struct target *target,
                          struct load *load, int round, double rate, enum metric first)
{
    double(*value)[ROUNDS_MAX] = bench->value[target->kind];
    struct load_result result;
    struct stretch stretch;
    double all_us, first_us, share;

    load_run(load, 1, rate, &result); /* to get warm */
    stretch = stretch_begin(target);
    load_run(load, bench->seconds, rate, &result);
    stretch_end(&stretch, result.lines, &all_us, &first_us, &share);
    value[first][round] = (double)result.lines / result.seconds;
    value[first + 1][round] = all_us;
    value[first + 2][round] = first_us;
    value[first + 3][round] = (double)result.p50_us;
    value[first + 4][round] = (double)result.p99_us;
    if (rate > 0)
        value[HALF_DROPPED][round] = (double)result.dropped;
    value[rate > 0 ? HALF_SHARE : FULL_SHARE][round] = share;
}

static void measure_handshakes(struct bench *bench, const struct target *target,
                               int round)
{
    struct crowd *crowd = crowd_new(bench->base, target);
    struct stretch stretch;
    double seconds = bench->seconds / 3, all_us, first_us, share;
    int64_t served;

    crowd_come_and_go(crowd, 0.3);
    stretch = stretch_begin(target);
    served = crowd_come_and_go(crowd, seconds);
    stretch_end(&stretch, served, &all_us, &first_us, &share);
    bench->value[target->kind][SHAKES][round] = (double)served / seconds;
    bench->value[target->kind][SHAKE_CPU][round] = all_us;
    bench->value[target->kind][SHAKE_SHARE][round] = share;
    crowd_free(crowd);
}

static double bytes_each(const struct target *target, int64_t before, int count)
{
    usleep(SETTLE_US);
    return (double)(process_memory(target->pid, "VmRSS") - before) / count;
}

/* On a fresh server: memory that was used and freed before would hide what they cost.
 */
static void measure_idle(struct bench *bench, enum target_kind kind, int round)
{
    struct target target;
    struct crowd *crowd;
    int64_t before;

    if (!target_start(&target, kind, bench->build, bench->directory))
        exit(1);
    crowd = crowd_new(bench->base, &target);
    crowd_come_and_go(crowd, 0.1); /* what a first connection brings in */
    before = process_memory(target.pid, "VmRSS");
    crowd_grow(crowd, FEW);
    bench->value[kind][IDLE_FEW][round] = bytes_each(&target, before, FEW);
    crowd_grow(crowd, bench->connections);
    bench->value[kind][IDLE_MANY][round] =
        bytes_each(&target, before, bench->connections);
    crowd_free(crowd);
    target_stop(&target);
}

static void choose_rate(struct bench *bench)
{
    double slower = bench->value[TARGET_JANGGID][FULL_RATE][0];

    if (bench->targets > 1 && bench->value[TARGET_REDIS][FULL_RATE][0] < slower)
        slower = bench->value[TARGET_REDIS][FULL_RATE][0];
    bench->rate = (double)((int)(slower / 2 / 100) * 100);
    if (bench->rate < 100)
        bench->rate = 100;
}

/* Step by step, each step with one server after the other, so that a machine that has
 * a slow minute has it for both. */
static void run_round(struct bench *bench, int round)
{
    struct target target[TARGETS];
    struct load *load[TARGETS];
    int targets = bench->targets;

    for (int i = 0; i < targets; i++) {
        if (!target_start(&target[i], (enum target_kind)i, bench->build,
                          bench->directory))
            exit(1);
        load[i] = load_new(bench->base, &target[i], bench->pairs);
        measure_lines(bench, &target[i], load[i], round, 0, FULL_RATE);
    }
    if (round == 0)
        choose_rate(bench);
    for (int i = 0; i < targets; i++) {
        measure_lines(bench, &target[i], load[i], round, bench->rate, HALF_RATE);
        load_free(load[i]);
    }
    for (int i = 0; i < targets; i++)
        measure_handshakes(bench, &target[i], round);
    for (int i = 0; i < targets; i++)
        target_stop(&target[i]);
    for (int i = 0; i < targets; i++)
        measure_idle(bench, (enum target_kind)i, round);
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

static void print_table(struct bench *bench)
{
    printf("%-40s", "");
    for (int i = 0; i < bench->targets; i++)
        printf("%14s", target_name((enum target_kind)i));
    putchar('\n');
    for (int m = 0; m < METRICS; m++) {
        if (m == IDLE_MANY)
            printf("bytes an idle connection, at %-11d", bench->connections);
        else
            printf("%-40s", metric_names[m]);
        for (int i = 0; i < bench->targets; i++)
            printf(m == FULL_CPU || m == FULL_LOOP_CPU || m == HALF_CPU ||
                           m == HALF_LOOP_CPU
                       ? "%14.1f"
                       : "%14.0f",
                   median(bench, i, m));
        putchar('\n');
    }
    printf("\nA line is a move: janggid checks it against the rules, syncs it to disk, "
           "answers the mover,\nand sends it to both players; redis-server sends it to "
           "one subscriber and keeps nothing.\n");
}

/* --- From the command line --- */

static bool read_options(struct bench *bench, int argc, char **argv)
{
    static const struct option options[] = {
        {"build", 1, NULL, 'b'},    {"directory", 1, NULL, 'd'},
        {"pairs", 1, NULL, 'p'},    {"seconds", 1, NULL, 's'},
        {"rounds", 1, NULL, 'r'},   {"connections", 1, NULL, 'c'},
        {"no-redis", 0, NULL, 'n'}, {0}};
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
        else
            return false;
    }
    return optind == argc && bench->directory != NULL && bench->pairs > 0 &&
           bench->seconds > 0 && bench->rounds > 0 && bench->rounds <= ROUNDS_MAX &&
           bench->connections >= FEW;
}

/* Both ends of a connection have a descriptor, each in its own process. */
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
        die("bench needs %d open files at least", FEW + SPARE_FILES);
}

int main(int argc, char **argv)
{
    static struct bench bench = {.build = "build",
                                 .pairs = 200,
                                 .rounds = 3,
                                 .connections = 10000,
                                 .targets = TARGETS,
                                 .seconds = 10};

    if (!read_options(&bench, argc, argv)) {
        fprintf(stderr, "bench: see the head of tests/bench/bench.c\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    fit_files(&bench);
    bench.base = event_base_new();
    print_facts(&bench);
    for (int round = 0; round < bench.rounds; round++) {
        fprintf(stderr, "round %d of %d ...\n", round + 1, bench.rounds);
        run_round(&bench, round);
    }
    print_table(&bench);
    event_base_free(bench.base);
    return 0;
}
