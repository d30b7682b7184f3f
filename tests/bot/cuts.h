/* A bad network that cuts the connections of bots in every state of the protocol, in
 * every way in which networks fail, and counts the cuts. The list of the states is in
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
    int wanted;         /* cuts in each state; later ones are rare */
    const char *spared; /* a negative control: the name of a state that is never cut, or
                         * NULL */
};

/* base and the settings' text are borrowed. */
struct cuts *cuts_new(struct event_base *base, int server_port,
                      const struct impair_weather *weather,
                      const struct cuts_settings *settings) MUST_USE;
/* Accepts NULL. */
void cuts_free(struct cuts *cuts);
/* The port that the bots connect to, from addresses of their own (is_from_all_over). */
int cuts_port(const struct cuts *cuts);
/* All of them, before the loop runs. Borrowed. */
void cuts_set_bots(struct cuts *cuts, const struct bots *bots);
/* The bots' on_step must call this. */
void cuts_on_step(struct cuts *cuts, struct bot *bot, enum bot_step step,
                  enum bot_ask asked);
/* Ends the network, and closes connections whose end has not noticed a cut. Returns the
 * counts of the relayed data. */
struct impair_counts cuts_close(struct cuts *cuts);

/* A table of the cuts that were made. */
void cuts_print(const struct cuts *cuts);
/* False after printing which were not. */
bool cuts_has_every_state(const struct cuts *cuts);
bool cuts_has_every_manner(const struct cuts *cuts);

#endif
