/* Erases a person from an act of the log of the house. The act remains, with an alias
 * in place of the name; what the person wrote and said, and where they were, is
 * removed. Pure. */
#ifndef SERVER_ACCOUNT_HOUSE_PERSON_H
#define SERVER_ACCOUNT_HOUSE_PERSON_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/account/house.h"

/* Writes act without the person to *out, whose texts are in *bytes, which the caller
 * frees:
 * - The name as actor, as target and as a word of a reason becomes the alias.
 * - Of a ban, the keys and the network are left out.
 * - Of a report, what was said is left out; of one by the person, all words.
 * False: nothing of the person is in it, and *bytes is NULL. */
bool house_person_erase(const struct house_act *act, const struct house_person *person,
                        struct house_act *out, char **bytes) MUST_USE;

#endif
