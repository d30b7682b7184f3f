/* The names of engines for the rules of Korean chess. Some of these rulesets are only
 * for engines; our games do not use them. */
#ifndef CLIENT_ENGINE_VARIANT_H
#define CLIENT_ENGINE_VARIANT_H

#include <stddef.h>

#include "common/game/rules.h"

struct variant {
    const char *name;
    const struct ruleset *rules;
};

/* The i-th variant, the usual one first; rules is NULL after the last. */
struct variant variant_at(size_t i);
/* NULL: neither a variant nor one of our rulesets. */
const struct ruleset *variant_find(const char *name);
/* The engines' name for rules; their own name if there is none. */
const char *variant_name(const struct ruleset *rules);

#endif
