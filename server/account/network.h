/* Limits per network. There are budgets for new names, and for other uses that are
 * limited per day. There are also counts of the games, seeks and invitations of
 * accounts that are younger than a day. A network is an IPv4 /24 or an IPv6 /56. Each
 * IPv6 /48 has budgets too, but with other limits. Each operation on a count takes
 * constant time. A network without counts is dropped. */
#ifndef SERVER_ACCOUNT_NETWORK_H
#define SERVER_ACCOUNT_NETWORK_H

#include <stdint.h>

#include "common/base/base.h"
#include "server/base/deadline.h"
#include "server/base/prefix.h"

struct networks;

/* Actions that are limited for each network: in a day, a network may send only a
 * limited number of reports to the staff, and of messages to absent players. */
enum network_use { NETWORK_REPORT, NETWORK_MESSAGE };
enum { NETWORK_USES = NETWORK_MESSAGE + 1 };

/* A limit of 0 means no limit. */
struct network_limits {
    int names_per_hour, names_per_day; /* new names of one network */
    int names_per_site;                /* new names a day of one IPv6 /48 */
    int per_day[NETWORK_USES];  /* uses a day of one network; the limit of one IPv6 /48
                                 * is NETWORK_SITE_TIMES times as high */
    struct prefix_list trusted; /* networks whose limits are NETWORK_TRUSTED_TIMES times
                                 * as high */
};
enum { NETWORK_SITE_TIMES = 4, NETWORK_TRUSTED_TIMES = 20 };

/* The counts of one network. They include an account from networks_join() until
 * networks_leave(). */
struct network {
    int accounts;
    int times; /* factor of the limits: 1, or more for a trusted network */
    int seats, seeks, invites; /* `seats`: seats in running games. server/account and
                                * server/lobby change these three members */
};

/* Returns the limit for that network when the usual limit is `max`. A trusted network
 * has a higher one. 0: no limit. network NULL: there is no network, and no limit. */
int network_max(const struct network *network, int max);
/* Compares two counts with their limits, and returns the limit that was reached. If the
 * player's `count` has reached `max`, returns `max`. Otherwise, if network_count has
 * reached network_most, returns network_most. Otherwise returns 0. If network_most is
 * 0, the network has no limit. */
int network_reached(int count, int max, int network_count, int network_most);

/* Borrows the deadlines. */
struct networks *networks_new(struct deadlines *deadlines,
                              const struct network_limits *limits) MUST_USE;
/* Uses these limits from now on. */
void networks_change_limits(struct networks *networks,
                            const struct network_limits *limits);
/* `networks` may be NULL. */
void networks_free(struct networks *networks);

/* Returns the seconds until a caller from that address (numeric) may register a name;
 * 0: now. If the caller must wait, *max is the limit that was reached. */
int64_t networks_name_wait_s(struct networks *networks, const char *address,
                             int64_t now_wall_s, int *max);
/* Records a new name from that address. */
void networks_count_name(struct networks *networks, const char *address,
                         int64_t now_wall_s);
/* Takes back what networks_count_name() recorded with this address and time. */
void networks_refund_name(struct networks *networks, const char *address,
                          int64_t then_wall_s);

/* Like networks_name_wait_s() and networks_count_name(), but for a use of the network
 * instead of a new name. */
int64_t networks_use_wait_s(struct networks *networks, enum network_use use,
                            const char *address, int64_t now_wall_s, int *max);
void networks_count_use(struct networks *networks, enum network_use use,
                        const char *address, int64_t now_wall_s);

/* Counts an account in the network of the address, and returns the network. It is valid
 * until networks_leave() has been called for the account. */
struct network *networks_join(struct networks *networks, const char *address);
void networks_leave(struct networks *networks, struct network *network);

#endif
