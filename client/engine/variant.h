/* The names that engines and their boards have for rules of Korean chess. Some of them
 * are of rules that no game here is played by; a search knows them all the same. */
#ifndef CLIENT_ENGINE_SEARCH_VARIANT_H
#define CLIENT_ENGINE_SEARCH_VARIANT_H

#include <stddef.h>

#include "common/game/rules.h"

struct variant {
    const char *name;
    const struct ruleset *rules;
};

/* The i-th, the usual one first; rules are NULL after the last. */
struct variant variant_at(size_t i);
/* NULL when no variant, and no ruleset of ours, has that name. */
const struct ruleset *variant_find(const char *name);
/* What engines call the rules; their own name if no variant is the same. */
const char *variant_name(const struct ruleset *rules);

#endif
