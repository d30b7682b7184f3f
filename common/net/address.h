/* Classifies an address in text, as getnameinfo() prints it or people type it, by who
 * can reach it. Opens no socket and does no lookup. */
#ifndef COMMON_NET_ADDRESS_H
#define COMMON_NET_ADDRESS_H

#include <stdbool.h>

/* True for an address of IPv4 or IPv6; false for a name and for anything else. */
bool address_is_numeric(const char *host);

/* True for loopback: 127.0.0.1 and similar, ::1, localhost. */
bool address_is_loopback(const char *host);

/* True for private networks: 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10 (a
 * provider's customers), and of IPv6 fc00::/7 and fe80::/10. False for a name. */
bool address_is_private(const char *host);

#endif
