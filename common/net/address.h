/* What an address in text, as getnameinfo() and people write it, says about who can reach
 * it. Opens nothing and looks nothing up. */
#ifndef COMMON_NET_ADDRESS_H
#define COMMON_NET_ADDRESS_H

#include <stdbool.h>

#include "common/base/base.h"

/* Only this machine: 127.0.0.1 and its like, ::1, localhost. */
bool address_is_loopback(const char *host);

/* Only the network that it is in: 10/8, 172.16/12, 192.168/16, 169.254/16, and of IPv6
 * fc00::/7 and fe80::/10. False for a name. */
bool address_is_private(const char *host);

#endif
