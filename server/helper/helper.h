/* A process beside the server that runs a program of the host: it is made before the
 * server reads its key and gives up the system calls for new processes, and it ends when
 * the server's end of the socket is closed. */
#ifndef SERVER_HELPER_HELPER_H
#define SERVER_HELPER_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

enum { HELPER_WORDS_MAX = 16, HELPER_COMMAND_BYTES = 512 };

/* The path of the program and its fixed arguments, with NULL at the end. */
struct helper_command {
    char text[HELPER_COMMAND_BYTES];
    char *word[HELPER_WORDS_MAX + 1];
};

/* The work of the process with its end of the socket. The process ends when this
 * function returns. */
typedef void helper_fn(int server, const struct helper_command *command);

/* Splits a command at its spaces: a shell never sees it. NULL: good; else what is wrong
 * with it, in words. The program must be an absolute path that can be run. */
const char *helper_split(struct helper_command *out, const char *text);

/* Makes the process. Call it before there are threads. Returns our end of the socket,
 * which does not block; -1 after logging. */
int helper_fork(const char *command, helper_fn *serve);

/* Call it in that process. Starts the program with these files as its standard input
 * and output, in a process group of its own; both are closed here. -1: it did not
 * start. */
pid_t helper_start(const struct helper_command *command, int in, int out);
/* Waits this long for its end, then kills what is left of its process group. Returns
 * its exit status, or 128 and the number of a signal. */
int helper_end(pid_t pid, int wait_ms);

#endif
