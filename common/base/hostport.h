/* Parses "HOST:PORT" as people type it: the address that a client connects to or a
 * server listens on. Pure text; does not check that the host exists. */
#ifndef COMMON_BASE_HOSTPORT_H
#define COMMON_BASE_HOSTPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

/* Parts of the text that was split, not terminated. */
struct hostport {
    const char *host; /* without brackets; may be empty */
    size_t host_len;
    const char *port; /* NULL: none was given */
    size_t port_len;
};

/* Splits the first len bytes of text: "host", "host:port", "[v6]", "[v6]:port" or a bare
 * v6 address, which has more than one colon and therefore no port. False: a bracket is
 * not closed, or something other than a port follows it. */
bool hostport_split(const char *text, size_t len, struct hostport *out) MUST_USE;

/* True for the digits of a number from least to 65535. */
bool hostport_parse_port(const struct hostport *from, int least, int *port) MUST_USE;

#endif
