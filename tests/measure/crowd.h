/* Clients that play no game: they come and go, stay, watch, read old games, or are
 * disconnected and come back all at once. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/measure/target.h"

struct crowd;
struct event_base;

enum { CROWD_KEYS = 32 };

struct crowd *crowd_new(struct event_base *base, const struct target *target) MUST_USE;
/* Lets connections to janggid log in with keys. Two connections never use the same key
 * at the same time, so at most CROWD_KEYS connections use keys at a time. The other
 * connections do not use keys. `directory` must have key-N.pem and cert-N.pem for N
 * from 0 to CROWD_KEYS - 1. */
void crowd_use_keys(struct crowd *crowd, const char *directory);
/* For `seconds`, makes connections, a few at a time. Each connection closes as soon as
 * it is served, and another follows. With a key, it is served when its login is
 * answered; without a key, when it gets janggid's greeting or redis's PONG. Returns how
 * many were served. */
int64_t crowd_come_and_go(struct crowd *crowd, double seconds);
/* Adds connections until `count` of them have logged in as guests or, at redis, got a
 * PONG. */
void crowd_grow(struct crowd *crowd, int count);
/* Every connection sends `line`. */
void crowd_say(struct crowd *crowd, const char *line);
/* Returns the number of events that all connections together have received. */
int64_t crowd_events(const struct crowd *crowd);
/* Runs the loop until crowd_events() has reached `count`. */
void crowd_await_events(struct crowd *crowd, int64_t count);
/* For `seconds`, every connection sends `line`, waits for the answer, and sends `line`
 * again. An answer ends with the event whose number is `last`. Returns the count of
 * answers. */
int64_t crowd_ask(struct crowd *crowd, const char *line, int last, double seconds);
/* Closes all connections, and then connects all again at once. If a new connection is
 * lost before its login, connects it again, as often as necessary. Returns the
 * milliseconds until all have logged in. */
int64_t crowd_storm(struct crowd *crowd);
void crowd_free(struct crowd *crowd);

#endif
