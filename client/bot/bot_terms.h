/* The terms of a bot: the rulesets and the time controls that it accepts. Pure. */
#ifndef CLIENT_BOT_BOT_TERMS_H
#define CLIENT_BOT_BOT_TERMS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "common/game/rules.h"

enum { BOT_RULES_MAX = 8 };
struct bot_terms {
    const struct ruleset *rules[BOT_RULES_MAX];
    int rules_count;
    struct time_terms shortest, longest; /* shortest and longest accepted time control,
                                          * measured by bot_terms_length_ms() */
    bool takes_untimed;
};

/* Sets the defaults: all rulesets, time controls from one minute to two hours for each
 * side, and no untimed games. */
void bot_terms_init(struct bot_terms *terms);

/* Parses a list of rulesets such as "kja,martin", which replaces the default. Returns
 * false if a ruleset is unknown, or if there are more than BOT_RULES_MAX. */
bool bot_terms_take_rules(struct bot_terms *terms, const char *list) MUST_USE;

/* Returns an estimate of the time that one side uses in a whole game, in milliseconds.
 * It serves to compare time controls. */
int64_t bot_terms_length_ms(const struct time_terms *time);

/* Returns true if the terms accept a game with this ruleset and time control. Otherwise
 * writes a short reason to `why`. */
enum { BOT_WHY_BYTES = 96 };
bool bot_terms_fit(const struct bot_terms *terms, const char *rules, const char *time,
                   char why[BOT_WHY_BYTES]) MUST_USE;

#endif
