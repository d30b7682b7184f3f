/* See role.h. */
#include "server/account/role.h"

#include <assert.h>
#include <string.h>

static const char *const names[] = {"guest", "player", "member", "moderator", "owner"};
static_assert(ARRAY_LEN(names) == ROLES, "a role has no name");

const char *role_name(enum role role)
{
    return names[role];
}

bool role_parse(const char *word, enum role *out)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(names[i], word) == 0) {
            *out = (enum role)i;
            return true;
        }
    return false;
}
