/* See lobby.h, "Seeks and challenges". They are gone at a restart, and with whoever
 * made them. Each session that was told of something open is told of its end, however much
 * output waits for it: there is one such line for each line that told of the beginning,
 * and those are held back from a slow reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/lobby/lobby_parts.h"
#include "server/net/session.h"
#include "server/room/notice.h"

/* The news of an end that tells of a game whose start is not on disk yet. */
struct parting {
    int64_t game;
    uint64_t session;
    struct gone gone;
    struct parting *prev, *next;
};

/* --- Who is told --- */

/* A slow reader hears of it from lobby_tell_open(), if it is still open then. */
static void tell_challenge(struct lobby *lobby, struct seek *seek)
{
    struct session *session = lobby_session_of(lobby, seek->target);
    char words[TERMS_BYTES];

    if (session == NULL || !notice_fits(session))
        return;
    terms_format(words, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, words, (long long)seek->id,
                 (long long)seek->id);
    seek->told = session->id;
}

void lobby_tell_challenges(struct lobby *lobby, struct session *session)
{
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->target == session->account && s->told != session->id)
            tell_challenge(lobby, s);
}

static void say_gone(struct lobby *lobby, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(lobby->sessions, id);

    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by);
}

void lobby_tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                     int64_t game)
{
    struct parting *parting;

    if (game == 0) {
        say_gone(lobby, session, gone);
        return;
    }
    parting = mem_new(sizeof *parting);
    *parting = (struct parting){.game = game, .session = session, .gone = *gone};
    DL_APPEND(lobby->partings, parting);
}

void lobby_say_partings(struct lobby *lobby, int64_t game)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (lobby->partings, parting, next) {
        if (parting->game != game)
            continue;
        say_gone(lobby, parting->session, &parting->gone);
        DL_DELETE(lobby->partings, parting);
        free(parting);
    }
}

void lobby_forget_partings(struct lobby *lobby)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (lobby->partings, parting, next)
        free(parting);
    lobby->partings = NULL;
}

/* --- Seeks and challenges --- */

static int count_seeks(const struct lobby *lobby, const struct account *maker,
                       bool is_challenge)
{
    int count = 0;

    for (const struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        count += s->maker == maker && (s->target != NULL) == is_challenge;
    return count;
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
        tell_challenge(lobby, seek);
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

/* Both who know of it are told: its maker, and whom it was shown to. */
static void drop(struct lobby *lobby, struct seek *seek, const char *why, int64_t game)
{
    struct gone gone = {.kind = seek->target == NULL ? "seek" : "challenge",
                        .why = why};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)seek->id);
    text_copy(gone.by, sizeof gone.by, seek->maker->shown);
    lobby_tell_gone(lobby, seek->maker->session, &gone, game);
    lobby_tell_gone(lobby, seek->told, &gone, game);
    HASH_DEL(lobby->seeks, seek);
    free(seek);
}

void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why)
{
    drop(lobby, seek, why, 0);
}

void lobby_take_seek(struct lobby *lobby, struct seek *seek,
                     const struct account *taker, int64_t game)
{
    seek->told = taker->session;
    drop(lobby, seek, "accepted", game);
}

void lobby_drop_seeks_of(struct lobby *lobby, const struct account *maker,
                         const char *why, int64_t game)
{
    struct seek *seek, *next;

    HASH_ITER (hh, lobby->seeks, seek, next)
        if (seek->maker == maker)
            drop(lobby, seek, why, game);
}
