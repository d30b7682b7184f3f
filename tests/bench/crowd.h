/* Connections that play no game: they come and go, stay, watch, read old games, or lose
 * their connections all at once. */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/bench/target.h"

struct crowd;
struct event_base;

enum { CROWD_KEYS = 32 };

struct crowd *crowd_new(struct event_base *base, const struct target *target) MUST_USE;
/* Guests of janggid log in by their keys, as members: directory has key-N.pem and
 * cert-N.pem, N from 0 to CROWD_KEYS - 1. */
void crowd_use_keys(struct crowd *crowd, const char *directory);
/* Connects, says its first word, reads the answer, and goes, over and over, a few at a
 * time. Returns how many did. */
int64_t crowd_come_and_go(struct crowd *crowd, double seconds);
/* Until so many are there: logged in as guests, or having got a PONG. */
void crowd_grow(struct crowd *crowd, int count);
/* Those who are there say it. */
void crowd_say(struct crowd *crowd, const char *line);
/* The events that have come to all of them. */
int64_t crowd_events(const struct crowd *crowd);
/* Runs the loop until so many have come. */
void crowd_await_events(struct crowd *crowd, int64_t count);
/* Those who are there ask for it, over and over; an answer ends with event number last.
 * Returns the count of answers. */
int64_t crowd_ask(struct crowd *crowd, const char *line, int last, double seconds);
/* All connections break, and come again at once; a connection that breaks before the
 * login is made again. Returns the milliseconds until all are
 * there. */
int64_t crowd_storm(struct crowd *crowd);
void crowd_free(struct crowd *crowd);

#endif
