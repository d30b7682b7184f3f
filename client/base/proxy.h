/* Parses the address of a SOCKS proxy: socks5://HOST:PORT. Pure text. */
#ifndef CLIENT_BASE_PROXY_H
#define CLIENT_BASE_PROXY_H

#include <stdbool.h>

#include "client/base/link.h"
#include "common/base/base.h"

enum { PROXY_BYTES = LINK_SERVER_BYTES + 16 };

struct proxy {
    char host[LINK_HOST_BYTES]; /* without brackets, for the resolver */
    char port[LINK_PORT_BYTES];
};

/* Parses "socks5://HOST[:PORT]", or socks5h://, which other programs use; in both cases
 * the proxy resolves the server's name. The default port is 1080. Returns false for
 * another form; *out is then unchanged. */
bool proxy_parse(const char *text, struct proxy *out) MUST_USE;

#endif
