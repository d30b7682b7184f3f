/* Measures what reconnecting clients cost a server, from the CPU time that the system
 * reports; and which of its limits they reach. */
#ifndef TESTS_BOT_COST_H
#define TESTS_BOT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"
#include "tests/lib/janggid.h"

struct event_base;

/* That many unknown clients connect at once, are greeted, and disconnect. Microseconds
 * of CPU for each; -1 if it takes longer than the bound, or the system does not report
 * it. */
int64_t cost_of_greeting_us(struct event_base *base, const struct janggid *server,
                            int strangers, int bound_s);
/* All bots request their game from its first event, several times, on their open
 * connections. Microseconds of CPU for each answer; -1 as above. */
int64_t cost_of_resume_us(const struct bots *bots, const struct janggid *server,
                          int bound_s);
/* " accepts-per-s 200, per-address 64 ...", as the program prints its default
 * settings. */
void cost_print_limits(const struct janggid *server);

#endif
