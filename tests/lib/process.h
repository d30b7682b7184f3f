/* A program as a child process: started, ended, and what the system says that it has used;
 * and directories for its files. */
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

/* --- A place for files --- */

enum { PROCESS_PATH_BYTES = 240 };

/* A new directory ${TMPDIR:-/tmp}/janggi-NAME-XXXXXX. Ends the program if there is
 * none. */
void process_make_scratch(char out[PROCESS_PATH_BYTES], const char *name);
/* Removes it with all that is in it. */
void process_remove_scratch(const char *directory);

#endif
