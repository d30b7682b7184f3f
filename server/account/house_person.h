/* Erases a person from an act of the audit log (house.h). The act remains, but has an
 * alias in place of the person's name. The words, the keys and the network of the
 * person are removed. Pure. */
#ifndef SERVER_ACCOUNT_HOUSE_PERSON_H
#define SERVER_ACCOUNT_HOUSE_PERSON_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/account/house.h"

/* Copies the act to *out, and removes the person from the copy. The texts of *out are in
 * *bytes, which the caller frees. The copy differs from the act as follows:
 *   - If the person is the actor or the target, the alias replaces the name.
 *   - If the reason or text contains the name, the alias replaces the name there.
 *   - If the act is a ban and the person is the target, the copy has no keys= and no
 *     near=.
 *   - If the act is a report about the person, the copy has no lines of chat.
 *   - If the act is a report by the person, the copy has no words.
 * False: the act does not concern the person, or is from before the person got the
 * name. Then *bytes is NULL. */
bool house_person_erase(const struct house_act *act, const struct house_person *person,
                        struct house_act *out, char **bytes) MUST_USE;

#endif
