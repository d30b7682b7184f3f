/* See wall_clock.h. */
#include "tests/clock/wall_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mono.h"

void wall_clock_init(struct wall_clock *wall, const char *directory,
                     const char *libraries, bool is_whole)
{
    snprintf(wall->file, sizeof wall->file, "%s/wall", directory);
    wall_clock_set(wall, "+0");
    setenv("LD_PRELOAD", libraries, 1);
    setenv("FAKETIME_TIMESTAMP_FILE", wall->file, 1);
    setenv("FAKETIME_NO_CACHE", "1", 1);
    if (!is_whole)
        setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1", 1);
}

/* Replaces the file at once: a reader gets either the old words or the new ones. */
void wall_clock_set(const struct wall_clock *wall, const char *words)
{
    char path[sizeof wall->file + 8];
    FILE *file;

    snprintf(path, sizeof path, "%s.new", wall->file);
    file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%s\n", words) < 0 || fclose(file) != 0 ||
        rename(path, wall->file) != 0)
        log_die("wall cannot write %s", path);
}

void wall_clock_stop(const struct wall_clock *wall, int64_t ago_s)
{
    time_t then = (time_t)(mono_wall_s() - ago_s);
    char words[40];
    struct tm local;

    if (localtime_r(&then, &local) == NULL ||
        strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S", &local) == 0)
        log_die("wall no such time");
    wall_clock_set(wall, words);
}

void wall_clock_forget(pid_t pid)
{
    static const char *const kept[] = {"/dev/shm/faketime_shm_%d",
                                       "/dev/shm/sem.faketime_sem_%d"};
    char path[64];

    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        snprintf(path, sizeof path, kept[i], (int)pid);
        unlink(path);
    }
}
