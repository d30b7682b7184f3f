/* See count.h. A server first gets load for WARM_S seconds to warm up. Only what comes
 * afterwards is counted. */
#include "tests/measure/count.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/measure/load.h"

enum { WARM_S = 1, CALLGRIND_THREADS = 16, COMMAND_BYTES = 2 * PROCESS_PATH_BYTES };

static bool has_program(const char *name)
{
    char command[COMMAND_BYTES];

    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* --- Instructions --- */

static void control(const struct target *target, const char *what)
{
    char command[COMMAND_BYTES];

    snprintf(command, sizeof command, "callgrind_control %s %d >/dev/null 2>&1", what,
             (int)target->pid);
    if (system(command) != 0)
        printf("# callgrind_control %s failed\n", what);
}

/* Returns the instructions of one thread in callgrind's first dump; 0 if the thread ran
 * none. */
static double read_total(const char *prefix, int thread)
{
    char path[COMMAND_BYTES], line[256];
    double total = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s.1-%02d", prefix, thread);
    file = fopen(path, "r");
    while (file != NULL && total == 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "totals: %lf", &total) != 1)
            total = 0;
    if (file != NULL)
        fclose(file);
    return total;
}

static void load_for(const struct count_setting *setting, struct load *load,
                     struct load_result *result)
{
    load_run(load, setting->seconds, setting->rate, result);
    if (result->all == 0)
        result->all = 1;
}

bool count_instructions(const struct count_setting *setting, enum target_kind kind,
                        struct count_instructions *out)
{
    char prefix[COMMAND_BYTES], option[COMMAND_BYTES + 32];
    const char *under[] = {"valgrind",
                           "-q",
                           "--tool=callgrind",
                           "--instr-atstart=no",
                           "--separate-threads=yes",
                           option,
                           NULL};
    struct load_result result;
    struct target target;
    struct load *load;

    snprintf(prefix, sizeof prefix, "%s/callgrind-%d", setting->directory, (int)kind);
    snprintf(option, sizeof option, "--callgrind-out-file=%s", prefix);
    if (!has_program("callgrind_control") ||
        !target_start(&target, kind, setting->build, setting->directory, under))
        return false;
    load = load_new(setting->base, &target, setting->pairs);
    load_run(load, WARM_S, setting->rate, &result);
    control(&target, "-i on");
    load_for(setting, load, &result);
    control(&target, "-d");
    *out = (struct count_instructions){.first =
                                           read_total(prefix, 1) / (double)result.all};
    for (int i = 2; i < CALLGRIND_THREADS; i++)
        out->others += read_total(prefix, i) / (double)result.all;
    load_free(load);
    target_stop(&target);
    return out->first > 0;
}

/* --- System calls --- */

/* Reads a line of the output of `strace -c`. The line has the form "% time, seconds,
 * usecs/call, calls, [errors,] name". Divides the number of calls in the line by
 * `lines`, and adds the result to the counts in *out. lines: number of protocol lines
 * of the measurement. */
static void add_calls(const char *line, double lines, struct count_calls *out)
{
    static const char *const waits[] = {"epoll_wait", "epoll_pwait", "epoll_pwait2",
                                        "futex",      "poll",        "ppoll"};
    const char *name = strrchr(line, ' ');
    double calls;

    if (name == NULL || strcmp(name, " total") == 0 ||
        sscanf(line, "%*f %*f %*f %lf", &calls) != 1)
        return;
    name++;
    out->all += calls / lines;
    if (strcmp(name, "fdatasync") == 0 || strcmp(name, "fsync") == 0)
        out->syncs += calls / lines;
    if (strcmp(name, "pwrite64") == 0)
        out->pwrites += calls / lines;
    for (size_t i = 0; i < ARRAY_LEN(waits); i++)
        if (strcmp(name, waits[i]) == 0)
            out->waits += calls / lines;
}

static void read_calls(const char *path, double lines, struct count_calls *out)
{
    char line[256];
    FILE *file = fopen(path, "r");

    *out = (struct count_calls){0};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        add_calls(line, lines, out);
    }
    if (file != NULL)
        fclose(file);
}

static pid_t start_strace(const struct target *target, const char *path)
{
    char pid[16];
    const char *argv[] = {"strace", "-q", "-c", "-f", "-o", path, "-p", pid, NULL};
    pid_t strace;

    snprintf(pid, sizeof pid, "%d", (int)target->pid);
    strace = process_start((char *const *)(const void *)argv, "/dev/null", NULL);
    sleep(1); /* gives strace time to attach to the server */
    return strace;
}

bool count_calls(const struct count_setting *setting, enum target_kind kind,
                 struct count_calls *out)
{
    enum { STOP_MS = 10000 };
    char path[COMMAND_BYTES];
    struct load_result result;
    struct target target;
    struct load *load;
    pid_t strace;

    snprintf(path, sizeof path, "%s/strace-%d", setting->directory, (int)kind);
    if (!has_program("strace") ||
        !target_start(&target, kind, setting->build, setting->directory, NULL))
        return false;
    load = load_new(setting->base, &target, setting->pairs);
    load_run(load, WARM_S, setting->rate, &result);
    strace = start_strace(&target, path);
    load_for(setting, load, &result);
    if (strace > 0)
        process_end(strace, SIGINT, STOP_MS, NULL);
    read_calls(path, (double)result.all, out);
    load_free(load);
    target_stop(&target);
    return out->all > 0;
}
