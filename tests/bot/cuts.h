/* A bad network that cuts the connections of bots in every state of the protocol and in
 * every way in which networks fail, and counts the cuts. The states are listed in
 * cuts.c. */
#ifndef TESTS_BOT_CUTS_H
#define TESTS_BOT_CUTS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"
#include "tests/bot/impair.h"

struct cuts;
struct event_base;

struct cuts_settings {
    int wanted;         /* number of cuts in each state; when a state has this
                         * many, further cuts in it are rare */
    const char *spared; /* a negative control: the name of a state in which no
                         * connection is cut, or NULL */
};

/* Borrows `base` and settings->spared. */
struct cuts *cuts_new(struct event_base *base, int server_port,
                      const struct impair_weather *weather,
                      const struct cuts_settings *settings) MUST_USE;
/* `cuts` may be NULL. */
void cuts_free(struct cuts *cuts);
/* Returns the port that the bots must connect to, each from its own address
 * (is_from_all_over). */
int cuts_port(const struct cuts *cuts);
/* Sets the bots. Call it after the last bots_add(), and before the loop runs. Borrows
 * `bots`. */
void cuts_set_bots(struct cuts *cuts, const struct bots *bots);
/* The bots' on_step must call this. */
void cuts_on_step(struct cuts *cuts, struct bot *bot, enum bot_step step,
                  enum bot_ask asked);
/* Closes the network, including connections in which one end has not noticed a cut.
 * Returns the counts of the relayed data. */
struct impair_counts cuts_close(struct cuts *cuts);

/* Prints a table of the cuts that were made. */
void cuts_print(const struct cuts *cuts);
/* cuts_has_every_state() returns true if there was a cut in every state; otherwise it
 * prints the states without a cut. cuts_has_every_manner() returns true if every value
 * of enum impair_manner was used; it prints nothing. */
bool cuts_has_every_state(const struct cuts *cuts);
bool cuts_has_every_manner(const struct cuts *cuts);

#endif
