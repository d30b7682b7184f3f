/* From a typed line to a deed: the index of all verbs, unique prefixes, what was
 * probably meant, and the help. Pure: changes neither model nor screen. */
#ifndef CLIENT_VERB_VERBS_H
#define CLIENT_VERB_VERBS_H

#include <stdint.h>

#include "client/verb/verb.h"

/* What the typed line asks for, with boards as view has them. deed->kind is
 * DEED_NOTHING for an empty line. */
void verbs_read(const struct model *model, const char *typed,
                const struct render_view *view, struct deed *out);

/* The verb that word names, in full, by an alias, or by a beginning that only one has.
 * NULL for none. */
const struct verb *verbs_find(const char *word);

/* The i-th verb, NULL after the last. */
const struct verb *verbs_at(size_t i);

#endif
