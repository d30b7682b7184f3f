/* Functions about the other end of a socket (the peer): its user, whether it has
 * closed, the round-trip time, and sending to it without SIGPIPE. Systems differ in all
 * of these. */
#ifndef COMMON_SYSTEM_PEER_H
#define COMMON_SYSTEM_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "common/base/base.h"

/* Sets *uid to the user of the process at the other end of a Unix socket. Returns false
 * with errno set on failure. */
bool peer_uid(int fd, uid_t *uid) MUST_USE;

/* Returns true if the peer has closed its end. On some systems it returns false until
 * all bytes from the peer have been read. */
bool peer_has_gone(int fd);

/* Sets the options of a TCP socket: low latency, and keepalive. With keepalive, the
 * kernel detects a dead peer, so we do not need a timer or a heartbeat. Skips options
 * that this system does not have. */
void peer_keep_watch(int fd);

/* Returns the shortest round-trip time that the system has measured for a TCP socket
 * during the last few minutes, in milliseconds, rounded down. The shortest time is the
 * most exact, because a peer may delay an acknowledgement by 40 ms and more. Returns 0
 * for another kind of socket, and on systems that do not measure this time. */
int peer_round_trip_ms(int fd);

/* Like send(), but neither blocks nor raises SIGPIPE. Call peer_keep_watch() for the
 * socket first: on some systems only its options prevent SIGPIPE. */
ssize_t peer_send(int fd, const void *bytes, size_t len);

#endif
