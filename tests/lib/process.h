/* Functions that start a program as a child process, end it, and read the system's
 * measurements of it. Other functions make and remove directories for files. */
#ifndef TESTS_LIB_PROCESS_H
#define TESTS_LIB_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/base.h"

struct event_base;

/* Starts argv (NULL at the end). Standard output is connected to *output, a descriptor
 * to read from, or to the log when output is NULL; standard error is appended to the
 * log file. The child ends with its parent. -1 after printing why. */
pid_t process_start(char *const argv[], const char *log_path, int *output) MUST_USE;
/* Sends signal_number and waits until the process has ended. If the process has not
 * ended after timeout_ms, kills it. Meanwhile runs the event loop `base`, unless it is
 * NULL, so that clients in this program receive the last lines of the process. Returns
 * the status of waitpid(). */
int process_end(pid_t pid, int signal_number, int64_t timeout_ms,
                struct event_base *base);

/* The CPU time so far, in nanoseconds: of all threads that exist now, and of the first
 * thread alone. It is as exact as the system's measurement. If the system does not
 * report it, process_cpu() returns false. */
struct process_cpu {
    int64_t all_ns;
    int64_t first_thread_ns;
};
bool process_cpu(pid_t pid, struct process_cpu *out) MUST_USE;
/* Returns a field of /proc/PID/status, such as "VmRSS" or "RssAnon", in bytes. -1: the
 * system does not report it. */
int64_t process_memory(pid_t pid, const char *field);

/* Lets children be started with a preloaded library, even if they contain
 * AddressSanitizer, which must be loaded first. options: further sanitizer options, or
 * "". */
void process_allow_preload(const char *options);

/* Raises the limit of descriptors as far as the system allows, for this process and its
 * children. */
void process_raise_files(int wanted);

/* --- A place for files --- */

enum { PROCESS_PATH_BYTES = 240 };

/* Makes a new directory ${TMPDIR:-/tmp}/janggi-NAME-XXXXXX. Ends the program if that
 * fails. */
void process_make_scratch(char out[PROCESS_PATH_BYTES], const char *name);
/* Removes the directory and all that is in it. */
void process_remove_scratch(const char *directory);

#endif
