/* Measures what reconnecting clients cost a server, from the CPU time that the system
 * reports. Also prints the server's limits for such clients. */
#ifndef TESTS_BOT_COST_H
#define TESTS_BOT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"
#include "tests/lib/janggid.h"

struct event_base;

/* Lets `strangers` unknown clients connect at the same time; each disconnects when it
 * is greeted. Returns the server's CPU time for each client, in microseconds; -1 if it
 * takes longer than bound_s, or if the system does not report the CPU time. */
int64_t cost_of_greeting_us(struct event_base *base, const struct janggid *server,
                            int strangers, int bound_s);
/* Lets all bots request their game from its first event, several times, on their open
 * connections. Returns the server's CPU time for each answer, in microseconds; -1 as in
 * cost_of_greeting_us(). */
int64_t cost_of_resume_us(const struct bots *bots, const struct janggid *server,
                          int bound_s);
/* Prints limits of the server, such as " accepts-per-s 200, per-address 64 ...", as its
 * --check-config reports them. */
void cost_print_limits(const struct janggid *server);

#endif
