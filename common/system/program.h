/* Functions about the running program: find the path of its file, run it again, hide
 * its memory from other processes, and return freed memory to the system. Systems
 * differ in all of these. */
#ifndef COMMON_SYSTEM_PROGRAM_H
#define COMMON_SYSTEM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Finds the path of the program's file. Call it first in main(), with argv[0], before
 * the working directory or PATH can change. */
void program_begin(const char *argv0);

/* Writes the directory of the program's file to `out`, without a slash at the end. If
 * the directory is unknown, returns false and sets `out` to "". */
bool program_folder(char out[PATH_MAX]);

/* Returns the path of this program. Call execv() with this path to start the program
 * again. Returns NULL if the path is unknown. The text is valid as long as the program
 * runs. */
const char *program_to_run(void);

/* Call it in a child process before execve(). The child leaves our process group, so
 * that keys such as Ctrl-C do not reach the child. Standard input becomes the
 * descriptor `input`; standard output and error become `output`; -1 means /dev/null.
 * All other files are closed, and SIGPIPE and SIGCHLD get their default action. */
void program_detach(int input, int output);

/* Disables core files, as far as the system can, and keeps other processes of this user
 * from debugging this one. The reason is that the memory holds secret keys. */
void program_hide_memory(void);

/* Returns freed memory to the system. The C library might otherwise keep tens of
 * megabytes after many users have left. The call takes milliseconds. */
void program_return_memory(void);

#endif
