/* See address.h. */
#include "common/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Parses an IPv4 address, also one in IPv6 notation, in host order. */
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
