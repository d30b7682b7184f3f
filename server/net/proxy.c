/* See proxy.h. */
#include "server/net/proxy.h"

#include <string.h>

#include <netinet/in.h>
#include <sys/socket.h>

enum {
    COMMAND_AT = 12, /* offset of the byte with version and command */
    FAMILY_AT = 13,
    LENGTH_AT = 14, /* offset of a two-byte big-endian number: how many bytes follow the
                     * head */
    LOCAL = 0x20,   /* the balancer's own connection: a health check */
    PROXIED = 0x21,
    UNKNOWN = 0x00,
    TCP4 = 0x11,
    TCP6 = 0x21,
    TCP4_BYTES = 12, /* two addresses and two ports */
    TCP6_BYTES = 36
};

static const unsigned char signature[COMMAND_AT] = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d,
                                                    0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

size_t proxy_header_len(const unsigned char head[PROXY_HEAD_BYTES])
{
    size_t len =
        PROXY_HEAD_BYTES + (size_t)head[LENGTH_AT] * 256 + (size_t)head[LENGTH_AT + 1];

    if (memcmp(head, signature, sizeof signature) != 0 || len > PROXY_HEADER_MAX)
        return 0;
    return len;
}

bool proxy_read(const unsigned char *header, size_t len, struct prefix *from)
{
    int command = header[COMMAND_AT], family = header[FAMILY_AT];
    size_t addresses = len - PROXY_HEAD_BYTES;
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};

    if (command == LOCAL || (command == PROXIED && family == UNKNOWN))
        return true;
    if (command != PROXIED || (family != TCP4 && family != TCP6) ||
        addresses < (family == TCP4 ? TCP4_BYTES : TCP6_BYTES))
        return false;
    header += PROXY_HEAD_BYTES;
    memcpy(&four.sin_addr, header, sizeof four.sin_addr);
    if (family == TCP6)
        memcpy(&six.sin6_addr, header, sizeof six.sin6_addr);
    *from = prefix_of_sockaddr(family == TCP4
                                   ? (const struct sockaddr *)(const void *)&four
                                   : (const struct sockaddr *)(const void *)&six);
    return true;
}
