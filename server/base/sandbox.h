/* After the start the server gives up the system calls that it does not need, which
 * limits the damage of an exploit: it cannot start programs, read other processes, map
 * executable memory, or open other kinds of sockets. */
#ifndef SERVER_BASE_SANDBOX_H
#define SERVER_BASE_SANDBOX_H

#include <stdbool.h>

/* Gives up the system calls, for the whole process and for good. From then on they fail
 * with ENOSYS. False: nothing has changed, because this build or this system has no
 * sandbox; the reason is logged. Load no library afterwards. */
bool sandbox_enter(void);

#endif
