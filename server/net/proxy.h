/* The PROXY protocol, version 2: before the data of a forwarded connection, a balancer
 * sends the address of the client. This module parses the header, and uses no
 * sockets. */
#ifndef SERVER_NET_PROXY_H
#define SERVER_NET_PROXY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

enum { PROXY_HEAD_BYTES = 16, PROXY_HEADER_MAX = 1024 };

/* Returns the length of the whole header. The first bytes of the header (`head`)
 * contain this length. 0: the bytes do not begin a header, or the header is longer than
 * PROXY_HEADER_MAX. */
size_t proxy_header_len(const unsigned char head[PROXY_HEAD_BYTES]);

/* Reads the client's address from a whole header. If the header contains no address,
 * the connection is the balancer's own, and *from is unchanged. False: not a header of
 * a TCP connection. */
bool proxy_read(const unsigned char *header, size_t len, struct prefix *from) MUST_USE;

#endif
