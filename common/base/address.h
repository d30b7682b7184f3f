/* Handles addresses as people type them and as getnameinfo() prints them. Splits
 * "HOST:PORT", the address that a client connects to or a server listens on. Tells
 * whether a host is this machine or is in a private network. Pure text: opens no socket
 * and does no lookup. */
#ifndef COMMON_BASE_ADDRESS_H
#define COMMON_BASE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

/* The members point into the text that was split, so they do not end with a NUL. */
struct address {
    const char *host; /* without brackets; may be empty */
    size_t host_len;
    const char *port; /* NULL: none was given */
    size_t port_len;
};

/* Splits the first len bytes of text: "host", "host:port", "[v6]", "[v6]:port" or a
 * bare v6 address. A bare v6 address has more than one colon, and therefore no port.
 * False: the closing bracket is missing, or the text after the closing bracket is not a
 * colon and a port. */
bool address_split(const char *text, size_t len, struct address *out) MUST_USE;

/* Converts the port of `from` to a number. False: `from` has no port, or the port is
 * not digits, or it is less than `least` or more than 65535. */
bool address_parse_port(const struct address *from, int least, int *port) MUST_USE;

/* True for an address of IPv4 or IPv6; false for a name and for anything else. */
bool address_is_numeric(const char *host);

/* True for loopback: 127.0.0.1 and similar, ::1, localhost. */
bool address_is_loopback(const char *host);

/* True for an address in a private network: 10/8, 172.16/12, 192.168/16, 169.254/16,
 * 100.64/10 (which providers give to their customers), and in IPv6 fc00::/7 and
 * fe80::/10. False for a name. */
bool address_is_private(const char *host);

#endif
