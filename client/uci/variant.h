/* The names of engines for the rules of Korean chess. Some of these rulesets are only
 * for engines; our games do not use them. */
#ifndef CLIENT_UCI_VARIANT_H
#define CLIENT_UCI_VARIANT_H

#include <stddef.h>

struct variant {
    const char *name;
    const struct ruleset *rules;
};

/* Returns the variant with index i, the usual one first; its rules is NULL after the
 * last. */
struct variant variant_at(size_t i);
/* Finds a variant or one of our rulesets by name. Returns NULL if there is none. */
const struct ruleset *variant_find(const char *name);
/* Returns the engines' name for rules, or our name if engines have none. */
const char *variant_name(const struct ruleset *rules);

#endif
