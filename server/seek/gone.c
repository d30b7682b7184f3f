/* See gone.h. */
#include "server/seek/gone.h"

#include <stdio.h>

#include "server/net/session.h"

void gone_tell(struct sessions *sessions, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(sessions, id);
    char next[32] = "";

    if (gone->next != 0)
        snprintf(next, sizeof next, " new=%lld", (long long)gone->next);
    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by, next);
}
