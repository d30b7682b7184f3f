/* Which games a bot plays: by what rules, and how long they may be. Pure. */
#ifndef CLIENT_BOT_BOT_TERMS_H
#define CLIENT_BOT_BOT_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "common/game/rules.h"

enum { BOT_RULES_MAX = 8 };
struct bot_terms {
    const struct ruleset *rules[BOT_RULES_MAX];
    int rules_count;
    struct time_terms shortest, longest; /* both are good themselves */
    bool takes_untimed;
};

/* All rulesets, from a minute to two hours. */
void bot_terms_init(struct bot_terms *terms);

/* "kja,martin" in place of all. False: one of them is no ruleset. */
bool bot_terms_take_rules(struct bot_terms *terms, const char *list) MUST_USE;

/* Rules that fit is not true of are not played. */
void bot_terms_keep(struct bot_terms *terms,
                    bool (*fits)(void *arg, const struct ruleset *rules), void *arg);

/* What one side may need for a whole game of some length, to compare terms by. */
int64_t bot_terms_length_ms(const struct time_terms *time);

/* Whether a game by these words is one of its own. False: *why says in a few words why
 * not. */
enum { BOT_WHY_BYTES = 96 };
bool bot_terms_fit(const struct bot_terms *terms, const char *rules, const char *time,
                   char why[BOT_WHY_BYTES]) MUST_USE;

#endif
