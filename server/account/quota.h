/* Quotas: how much of each kind (config.h) one account, and one source, may have open
 * or make. A source is an IPv4 /24 or an IPv6 /56; each IPv6 /48 (a site) has quotas
 * too. What is open is counted for the source while its account is younger than a day.
 * What is made is counted for each source by the hour and by the day. Each operation
 * takes constant time. A source without counts is dropped. */
#ifndef SERVER_ACCOUNT_QUOTA_H
#define SERVER_ACCOUNT_QUOTA_H

#include <stdint.h>

#include "common/base/base.h"
#include "server/base/config.h"
#include "server/base/deadline.h"
#include "server/base/prefix.h"

struct account;
struct quotas;
struct source;

struct quota_limits {
    struct quota_limit of[QUOTA_KINDS];
    struct prefix_list trusted; /* networks whose limits are QUOTA_TRUSTED_TIMES times
                                 * as high */
};
enum { QUOTA_TRUSTED_TIMES = 20 };

/* Borrows the deadlines. */
struct quotas *quotas_new(struct deadlines *deadlines,
                          const struct quota_limits *limits) MUST_USE;
/* Uses these limits from now on. */
void quotas_change(struct quotas *quotas, const struct quota_limits *limits);
/* Accepts NULL. All accounts must have left. */
void quotas_free(struct quotas *quotas);

/* From now on, what the account has open is counted in the source of the address. */
void quota_join(struct quotas *quotas, struct account *account, const char *address);
/* Ends that. Does nothing if the account is counted in no source. */
void quota_leave(struct account *account);

/* --- What is open: kinds before QUOTA_OPEN --- */

enum quota_state { QUOTA_FREE, QUOTA_ACCOUNT_FULL, QUOTA_SOURCE_FULL };
/* Judges whether the account may open one more, and sets *max to the limit that was
 * reached. account NULL: the host, who is never full; *max is the limit of an
 * account. */
enum quota_state quota_judge(const struct quotas *quotas, enum quota_kind kind,
                             const struct account *account, int *max);
/* Counts `by` (1 or -1) for the account and its source. */
void quota_count(struct account *account, enum quota_kind kind, int by);

/* --- What is made: kinds from QUOTA_OPEN on --- */

/* Returns the seconds until the account may make one more from that address; 0: now. If
 * it must wait, *max is the limit that was reached. account NULL: only the source has a
 * limit. */
int64_t quota_wait_s(const struct quotas *quotas, enum quota_kind kind,
                     const struct account *account, const char *address,
                     int64_t now_wall_s, int *max);
/* The same, but if the result is 0, counts it. */
int64_t quota_take(struct quotas *quotas, enum quota_kind kind, struct account *account,
                   const char *address, int64_t now_wall_s, int *max);
/* Takes back what quota_take() counted with these arguments. */
void quota_give_back(struct quotas *quotas, enum quota_kind kind,
                     struct account *account, const char *address, int64_t then_wall_s);

#endif
