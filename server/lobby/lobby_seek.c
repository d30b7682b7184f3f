/* See lobby.h, "Seeks and challenges". They are gone at a restart, and with whoever
 * made them. */
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "server/lobby/lobby_parts.h"
#include "server/net/session.h"

static int count_seeks(const struct lobby *lobby, const struct account *maker,
                       bool is_challenge)
{
    int count = 0;

    for (const struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        count += s->maker == maker && (s->target != NULL) == is_challenge;
    return count;
}

void lobby_tell_challenge(struct lobby *lobby, const struct seek *seek)
{
    struct session *session = lobby_listener(lobby, seek->target);
    char words[TERMS_BYTES];

    if (session == NULL)
        return;
    terms_format(words, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, words, (long long)seek->id,
                 (long long)seek->id);
}

struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms)
{
    int max = target == NULL ? lobby->limits.seeks_max : lobby->limits.challenges_max;
    struct seek *seek;

    if (count_seeks(lobby, maker, target != NULL) >= max)
        return NULL;
    seek = mem_new(sizeof *seek);
    seek->id = lobby_next_offer(lobby);
    seek->maker = maker;
    seek->target = target;
    seek->terms = *terms;
    HASH_ADD(hh, lobby->seeks, id, sizeof seek->id, seek);
    if (target != NULL)
        lobby_tell_challenge(lobby, seek);
    return seek;
}

struct seek *lobby_find_seek(struct lobby *lobby, int64_t id)
{
    struct seek *seek;

    HASH_FIND(hh, lobby->seeks, &id, sizeof id, seek);
    return seek;
}

struct seek *lobby_find_challenge(struct lobby *lobby, const struct account *maker,
                                  const struct account *target)
{
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->maker == maker && s->target == target)
            return s;
    return NULL;
}

struct seek *lobby_first_seek(struct lobby *lobby)
{
    return lobby->seeks;
}

struct seek *lobby_next_seek(struct seek *seek)
{
    return seek->hh.next;
}

static void tell_gone(struct lobby *lobby, const struct account *account, int64_t id,
                      const char *why)
{
    struct session *session = lobby_listener(lobby, account);

    if (session != NULL)
        session_sayf(session, "! gone %lld why=%s", (long long)id, why);
}

void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why)
{
    if (why != NULL)
        tell_gone(lobby, strcmp(why, "declined") == 0 ? seek->maker : seek->target,
                  seek->id, why);
    HASH_DEL(lobby->seeks, seek);
    free(seek);
}

void lobby_drop_seeks_of(struct lobby *lobby, const struct account *maker)
{
    struct seek *seek, *next;

    HASH_ITER (hh, lobby->seeks, seek, next)
        if (seek->maker == maker)
            lobby_drop_seek(lobby, seek, "left");
}
