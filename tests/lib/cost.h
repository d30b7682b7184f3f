/* What coming back costs a server, measured piece by piece from the system's accounts
 * of its CPU time; and which of its limits those who come back run into. */
#ifndef TESTS_LIB_COST_H
#define TESTS_LIB_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"
#include "tests/lib/janggid.h"

struct event_base;

/* That many strangers come at once, are greeted, and hang up. Microseconds of CPU for
 * each; -1 if it takes longer than the bound, or the system does not say. */
int64_t cost_of_greeting_us(struct event_base *base, const struct janggid *server,
                            int strangers, int bound_s);
/* All bots ask for the game that they play, from its first event, a few times over, on
 * the connections that they have. Microseconds of CPU for each answer; -1 as above. */
int64_t cost_of_resume_us(const struct bots *bots, const struct janggid *server,
                          int bound_s);
/* " accepts-per-s 200, per-address 64 ...", as the program says it itself of a host who
 * sets nothing. */
void cost_print_limits(const struct janggid *server);

#endif
