/* Connections that do nothing but come, or stay: handshakes a second, and the memory of
 * those who are there. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/bench/target.h"

struct crowd;
struct event_base;

struct crowd *crowd_new(struct event_base *base, const struct target *target) MUST_USE;
/* Connects, says its first word, reads the answer, and goes, over and over, a few at a
 * time. Returns how many did. */
int64_t crowd_come_and_go(struct crowd *crowd, double seconds);
/* Until so many are there: logged in as guests, or having got a PONG. */
void crowd_grow(struct crowd *crowd, int count);
void crowd_free(struct crowd *crowd);

#endif
