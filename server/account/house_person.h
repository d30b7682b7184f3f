/* Erases a person from an act of the audit log (house.h). The act remains, but has an
 * alias in place of the person's name. The words, the keys and the network of the
 * person are removed. Pure. */
#ifndef SERVER_ACCOUNT_HOUSE_PERSON_H
#define SERVER_ACCOUNT_HOUSE_PERSON_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/account/house.h"

/* Writes the act without the person to *out. The texts of *out are in *bytes, which the
 * caller frees. The differences:
 *   - If the person is the actor or the target, the alias replaces the name.
 *   - If the reason or text contains the name, the alias replaces the name there.
 *   - A ban of the person loses its keys and its network.
 *   - A report about the person loses the lines of chat.
 *   - A report by the person loses all words.
 * False: the act does not concern the person, or is from before the person got the
 * name. Then *bytes is NULL. */
bool house_person_erase(const struct house_act *act, const struct house_person *person,
                        struct house_act *out, char **bytes) MUST_USE;

#endif
