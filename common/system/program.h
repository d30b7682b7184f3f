/* The running program itself: the path of its file, protection of its memory from other
 * processes, and return of what it has freed. Systems differ in all of them. */
#ifndef COMMON_SYSTEM_PROGRAM_H
#define COMMON_SYSTEM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Call it first in main(), with argv[0]: the working directory or PATH may change
 * later. */
void program_begin(const char *argv0);

/* The directory of the program's file, without a slash at the end. False when it is
 * unknown; out is "" then. */
bool program_folder(char out[PATH_MAX]);

/* The path for execv() that starts this program again; NULL when it is unknown. */
const char *program_to_run(void);

/* In a child process, before execve(): leaves our process group, so that keys such as
 * Ctrl-C do not reach it, gives SIGPIPE and SIGCHLD their default action, and closes
 * all other files. Standard input becomes input; standard output and error become
 * output. -1 is /dev/null. */
void program_detach(int input, int output);

/* Disables core files, and debuggers run by this user, as far as the system can: the
 * memory has keys in it. */
void program_hide_memory(void);

/* Returns freed memory to the system, which the C library may keep otherwise: after a
 * crowd has left, tens of megabytes. Takes milliseconds. */
void program_return_memory(void);

#endif
