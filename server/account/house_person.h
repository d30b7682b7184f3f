/* Erases a person from an act of the audit log (house.h). The act remains, with an
 * alias in place of the name. What the person wrote and said, and where the person was,
 * is removed. Pure. */
#ifndef SERVER_ACCOUNT_HOUSE_PERSON_H
#define SERVER_ACCOUNT_HOUSE_PERSON_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/account/house.h"

/* Writes the act without the person to *out. The texts of *out are in *bytes, which the
 * caller frees. The differences:
 * - The name as actor, as target and as a word of a reason becomes the alias.
 * - A ban loses its keys and its network.
 * - A report about the person loses the lines of chat; a report by the person loses all
 * words.
 * False: the act contains nothing of the person, or is from before the person got the
 * name. Then *bytes is NULL. */
bool house_person_erase(const struct house_act *act, const struct house_person *person,
                        struct house_act *out, char **bytes) MUST_USE;

#endif
