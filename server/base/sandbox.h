/* After the start the server gives up the system calls that it does not need, which
 * limits the damage of an exploit: it cannot start programs, read other processes, map
 * memory as both writable and executable, or open other kinds of sockets. */
#ifndef SERVER_BASE_SANDBOX_H
#define SERVER_BASE_SANDBOX_H

#include <stdbool.h>

/* Applies to the whole process, permanently. Other calls fail with ENOSYS. False, with
 * nothing changed: this build or this system does not support it; logged unless the
 * build lacks it. Do not load a library afterwards. */
bool sandbox_enter(void);

#endif
