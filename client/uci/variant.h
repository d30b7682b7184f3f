/* Other engines have their own names for forms of Korean chess. The functions here find
 * the ruleset for such a name, and the name for a ruleset. Some of these rulesets exist
 * only here, for engines; our games do not use them. */
#ifndef CLIENT_UCI_VARIANT_H
#define CLIENT_UCI_VARIANT_H

#include <stddef.h>

struct variant {
    const char *name;
    const struct ruleset *rules;
};

/* Returns the variant with index `i`, the usual one first. After the last one, `rules`
 * is NULL. */
struct variant variant_at(size_t i);
/* Finds a variant or one of our rulesets by name. Returns NULL if there is none. */
const struct ruleset *variant_find(const char *name);
/* Returns the name that engines use for `rules`, or our own name if they have none. */
const char *variant_name(const struct ruleset *rules);

#endif
