/* The other end of a socket: who it is, whether it is still there, and how to write to it
 * without a signal. Systems differ in all of these. */
#ifndef COMMON_BASE_PEER_H
#define COMMON_BASE_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "common/base/base.h"

/* The user of the process at the other end of a Unix socket. False with errno. */
bool peer_uid(int fd, uid_t *uid) MUST_USE;

/* It has closed its end. On some systems false as long as bytes that it sent before are
 * not read. */
bool peer_has_gone(int fd);

/* Sets a TCP socket up: latency before packets, and the kernel notices a peer that is
 * silently gone, so that we need no timer and no heartbeat. Options that this system
 * does not have are left out. */
void peer_keep_watch(int fd);

/* send() that does not wait, and raises no SIGPIPE; some systems need peer_keep_watch()
 * before for that. */
ssize_t peer_send(int fd, const void *bytes, size_t len);

#endif
