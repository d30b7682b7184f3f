/* Remembers declined challenges for a few minutes, in memory only. */
#ifndef SERVER_LOBBY_REFUSALS_H
#define SERVER_LOBBY_REFUSALS_H

#include <stdint.h>

#include "common/base/base.h"

struct refusals;

enum { REFUSAL_MS = 5 * 60 * 1000, REFUSALS_MAX = 10000 };

struct refusals *refusals_new(void) MUST_USE;
/* Takes NULL. */
void refusals_free(struct refusals *refusals);

/* target has declined maker's challenge now. Both are folded names. Evicts the oldest
 * refusal when there are REFUSALS_MAX. */
void refusals_add(struct refusals *refusals, const char *maker, const char *target,
                  int64_t now_ms);
/* Drops the refusal. */
void refusals_drop(struct refusals *refusals, const char *maker, const char *target);
/* The time until the refusal expires; 0: there is none. */
int64_t refusals_left_ms(const struct refusals *refusals, const char *maker,
                         const char *target, int64_t now_ms);

#endif
