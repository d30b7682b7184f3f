/* After the start, the server gives up the system calls that it does not need. This
 * limits the damage if an attacker takes over the server: the server then cannot start
 * programs, read other processes, map executable memory, or open other kinds of
 * sockets. */
#ifndef SERVER_BASE_SANDBOX_H
#define SERVER_BASE_SANDBOX_H

#include <stdbool.h>

/* Gives up all system calls that the server does not need. This is for the whole
 * process, and cannot be undone. From then on these calls fail with ENOSYS. False:
 * nothing has changed, because this build or this system has no sandbox; the reason is
 * logged. Do not load a library after this call. */
bool sandbox_enter(void);

#endif
