/* A server as a child process: started, asked by the system what it has used, stopped
 * or killed. Knows janggid's two lines on standard output, and of any other program
 * only the pid. */
#ifndef TESTS_LIB_PROCESS_H
#define TESTS_LIB_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/base.h"

struct event_base;

/* Starts argv (NULL at the end). Standard output goes to *output, a descriptor to read
 * from, or to the log when output is NULL; standard error is added to the log file. The
 * child dies with its parent. -1 after printing why. */
pid_t process_start(char *const argv[], const char *log_path, int *output) MUST_USE;
/* Sends signal_number and waits until the process is gone, at most timeout_ms, then
 * kills it. Meanwhile it runs base, if there is one, for those who are connected to it
 * and have to hear its goodbye. Returns the status of waitpid(). */
int process_end(pid_t pid, int signal_number, int64_t timeout_ms,
                struct event_base *base);

/* CPU time so far of all threads, and of the first one alone; nanoseconds, as exact as
 * the system keeps it. False when the system does not say. */
struct process_cpu {
    int64_t all_ns;
    int64_t first_thread_ns;
};
bool process_cpu(pid_t pid, struct process_cpu *out) MUST_USE;
/* A field of /proc/PID/status in bytes: "VmRSS", "RssAnon". -1: the system does not
 * say. */
int64_t process_memory(pid_t pid, const char *field);

/* Children may be started with a library preloaded, also where AddressSanitizer is in
 * them, which wants to be the first. options: more for it, or "". */
void process_allow_preload(const char *options);

/* As many descriptors as the system lets us have, for this process and its children. */
void process_raise_files(int wanted);

/* --- janggid --- */

enum { JANGGID_WORDS_MAX = 64, JANGGID_KEY_BYTES = 64, JANGGID_PATH_BYTES = 240 };

struct janggid {
    char program[JANGGID_PATH_BYTES];
    char data[JANGGID_PATH_BYTES];
    char log[JANGGID_PATH_BYTES];
    int port; /* 0: the system chooses at the first start, and it stays */
    char key[JANGGID_KEY_BYTES];
    pid_t pid;                /* 0: not running */
    int64_t began_ms;         /* of this run */
    int64_t uptime_ms;        /* of the runs before */
    int64_t start_took_ms;    /* until it said that it listens */
    int status;               /* of its last end, as waitpid() gives it */
    bool has_usual_limits;    /* those of a host who sets nothing; else wide ones */
    const char *const *words; /* more of its command line, NULL at the end; or NULL */
    bool is_quiet; /* that it ends or does not start is expected: not printed */
};

/* build: the directory of the programs. directory: an empty one for data and log. */
bool janggid_init(struct janggid *server, const char *build,
                  const char *directory) MUST_USE;
/* Starts it and waits until it listens. False after printing why. */
bool janggid_start(struct janggid *server) MUST_USE;
/* SIGKILL. */
void janggid_kill(struct janggid *server);
/* Starts it and kills it after that time, wherever in its start it is. */
void janggid_kill_in_start(struct janggid *server, int64_t after_us);
/* False after printing so when it has ended by itself. */
bool janggid_is_up(struct janggid *server);
/* SIGTERM; true when it ended with status 0. base as in process_end(). */
bool janggid_stop(struct janggid *server, struct event_base *base) MUST_USE;
int64_t janggid_uptime_ms(const struct janggid *server);

/* --- A place for files --- */

/* A new directory ${TMPDIR:-/tmp}/janggi-NAME-XXXXXX. Ends the program if there is
 * none. */
void process_make_scratch(char out[JANGGID_PATH_BYTES], const char *name);
/* Removes it with all that is in it. */
void process_remove_scratch(const char *directory);

#endif
