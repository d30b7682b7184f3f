/* See address.h. */
#include "common/base/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "common/base/text.h"

/* --- Host and port --- */

/* Parses the rest after the host: nothing, or a colon and the port. */
static bool take_port(const char *rest, const char *end, struct address *out)
{
    if (rest == end)
        return true;
    if (*rest != ':')
        return false;
    out->port = rest + 1;
    out->port_len = (size_t)(end - out->port);
    return true;
}

static bool split_bracketed(const char *text, const char *end, struct address *out)
{
    const char *close = memchr(text, ']', (size_t)(end - text));

    if (close == NULL)
        return false;
    out->host = text + 1;
    out->host_len = (size_t)(close - out->host);
    return take_port(close + 1, end, out);
}

bool address_split(const char *text, size_t len, struct address *out)
{
    const char *end = text + len;
    const char *colon = memchr(text, ':', len);
    bool is_v6 =
        colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon - 1)) != NULL;

    *out = (struct address){.host = text};
    if (len > 0 && text[0] == '[')
        return split_bracketed(text, end, out);
    if (is_v6 || colon == NULL)
        colon = end;
    out->host_len = (size_t)(colon - text);
    return take_port(colon, end, out);
}

bool address_parse_port(const struct address *from, int least, int *port)
{
    char digits[8];

    return text_cut(digits, sizeof digits, from->port, from->port_len) &&
           digits[0] != '-' && /* -0 is a number, but not a port */
           text_to_int32(digits, least, UINT16_MAX, port);
}

/* --- Who can reach it --- */

/* Parses an IPv4 address, also in the IPv6 notation "::ffff:192.0.2.1". *out gets it in
 * host byte order. */
static bool take_v4(const char *host, uint32_t *out)
{
    struct in6_addr six;
    struct in_addr four;

    if (inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_V4MAPPED(&six))
        memcpy(&four, six.s6_addr + 12, sizeof four);
    else if (inet_pton(AF_INET, host, &four) != 1)
        return false;
    *out = ntohl(four.s_addr);
    return true;
}

bool address_is_numeric(const char *host)
{
    struct in6_addr six;
    uint32_t four;

    return take_v4(host, &four) || inet_pton(AF_INET6, host, &six) == 1;
}

bool address_is_loopback(const char *host)
{
    struct in6_addr six;
    uint32_t four;

    if (strcasecmp(host, "localhost") == 0)
        return true;
    if (take_v4(host, &four))
        return four >> 24 == 127;
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool address_is_private(const char *host)
{
    struct in6_addr six;
    uint32_t four;

    if (take_v4(host, &four))
        return four >> 24 == 10 || four >> 20 == 0xac1 || four >> 16 == 0xc0a8 ||
               four >> 16 == 0xa9fe || four >> 22 == 0x191;
    return inet_pton(AF_INET6, host, &six) == 1 &&
           ((six.s6_addr[0] & 0xfe) == 0xfc || IN6_IS_ADDR_LINKLOCAL(&six));
}
