/* Roles: guests watch, players play, members were admitted by the host, moderators keep
 * order, owners are the host. */
#ifndef SERVER_ACCOUNT_ROLE_H
#define SERVER_ACCOUNT_ROLE_H

#include <stdbool.h>

#include "common/base/base.h"

/* In ascending order: each role includes the rights of those before it. */
enum role { ROLE_GUEST, ROLE_PLAYER, ROLE_MEMBER, ROLE_MODERATOR, ROLE_OWNER };
enum { ROLES = ROLE_OWNER + 1 };

/* Returns "guest", "player", "member", "moderator" or "owner". */
const char *role_name(enum role role);
/* Reads the name of a role. False: unknown role; *out is unchanged. */
bool role_parse(const char *word, enum role *out) MUST_USE;

#endif
