/* The other end of a socket: its user, whether it has closed, how far away it is, and how
 * to write to it without SIGPIPE. Systems differ in all of these. */
#ifndef COMMON_SYSTEM_PEER_H
#define COMMON_SYSTEM_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "common/base/base.h"

/* The user of the process at the other end of a Unix socket. False with errno. */
bool peer_uid(int fd, uid_t *uid) MUST_USE;

/* True when the peer has closed its end. On some systems false until the bytes that it
 * sent before have been read. */
bool peer_has_gone(int fd);

/* Sets the options of a TCP socket: low latency, and keepalive, so that the kernel
 * detects a dead peer and we need no timer and no heartbeat. Skips options that this
 * system does not have. */
void peer_keep_watch(int fd);

/* The shortest time, of the last minutes, in which the peer of a TCP socket acknowledged
 * bytes; in milliseconds, rounded down. A minimum, because acknowledgements are delayed
 * by 40 ms and more. 0 for another socket, and on systems that do not measure it. */
int peer_round_trip_ms(int fd);

/* send() that neither blocks nor raises SIGPIPE; on some systems peer_keep_watch() must
 * have been called for that. */
ssize_t peer_send(int fd, const void *bytes, size_t len);

#endif
