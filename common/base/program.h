/* The running program itself: where its file is, and that other processes cannot read its
 * memory. Systems differ in both. */
#ifndef COMMON_BASE_PROGRAM_H
#define COMMON_BASE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

#include "common/base/base.h"

/* First of all in main(), with argv[0]: later the working directory or PATH may be
 * another. */
void program_begin(const char *argv0);

/* The folder of the program's file, without a slash at the end. False when it is not
 * known; out is "" then. */
bool program_folder(char out[PATH_MAX]);

/* What execv() takes to start this program once more; NULL when it is not known. */
const char *program_to_run(void);

/* No core file, and no debugger of another process of this user, as far as the system
 * can prevent it: the memory has keys in it. */
void program_hide_memory(void);

#endif
