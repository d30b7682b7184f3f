/* Makes a process beside the server. This process runs a program of the host. Make it
 * before the server reads its key, and before sandbox_enter(): after that the server
 * cannot make a process. The process ends when the server's end of the socket is
 * closed. */
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

/* The work of the process. server: the process's end of the socket. The process ends
 * when this function returns. */
typedef void helper_fn(int server, const struct helper_command *command);

/* Splits a command at its spaces, without a shell. Returns NULL, or what is wrong with
 * the command, in words. The program must be an absolute path that can be run. */
const char *helper_split(struct helper_command *out, const char *text);

/* Forks the process, which calls serve() and ends. In the server, returns our end of
 * the socket, which does not block. Returns -1 after logging; errno is EINVAL if
 * helper_split() refuses the command, otherwise what the system said. Call it before
 * there are threads. */
int helper_fork(const char *command, helper_fn *serve);

/* Call it in the helper process. Starts the program in a process group of its own, with
 * `in` and `out` as its standard input and output; closes both in the helper process.
 * Returns the process ID, or -1 if there is no process. */
pid_t helper_start(const struct helper_command *command, int in, int out);
/* Waits up to wait_ms for the end of the program, then kills what is left of its
 * process group. Returns the exit status, or 128 plus the number of the signal that
 * ended the program; -1 if that is not known. */
int helper_end(pid_t pid, int wait_ms);

#endif
