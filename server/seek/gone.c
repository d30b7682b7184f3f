/* See gone.h. */
#include "server/seek/gone.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "server/net/session.h"

/* A notice that waits until the start of a game is on disk, and the session that gets
 * it. */
struct parting {
    uint64_t session;
    struct gone gone;
    struct parting *prev, *next;
};

/* The notices that wait for the start of one game. */
struct farewell {
    int64_t game;
    struct parting *partings;
    UT_hash_handle hh;
};

struct gone_queue {
    struct sessions *sessions;
    struct farewell *farewells;
};

struct gone_queue *gone_new(struct sessions *sessions)
{
    struct gone_queue *queue = mem_new(sizeof *queue);

    queue->sessions = sessions;
    return queue;
}

static void say(struct sessions *sessions, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(sessions, id);
    char next[32] = "";

    if (gone->next != 0)
        snprintf(next, sizeof next, " new=%lld", (long long)gone->next);
    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by, next);
}

static struct farewell *get_farewell(struct gone_queue *queue, int64_t game)
{
    struct farewell *farewell;

    HASH_FIND(hh, queue->farewells, &game, sizeof game, farewell);
    if (farewell != NULL)
        return farewell;
    farewell = mem_new(sizeof *farewell);
    farewell->game = game;
    HASH_ADD(hh, queue->farewells, game, sizeof farewell->game, farewell);
    return farewell;
}

void gone_tell(struct gone_queue *queue, uint64_t session, const struct gone *gone,
               int64_t game)
{
    struct farewell *farewell;
    struct parting *parting;

    if (game == 0) {
        say(queue->sessions, session, gone);
        return;
    }
    farewell = get_farewell(queue, game);
    parting = mem_new(sizeof *parting);
    *parting = (struct parting){.session = session, .gone = *gone};
    DL_APPEND(farewell->partings, parting);
}

static void free_farewell(struct gone_queue *queue, struct farewell *farewell)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (farewell->partings, parting, next)
        free(parting);
    HASH_DEL(queue->farewells, farewell);
    free(farewell);
}

void gone_game_begun(struct gone_queue *queue, int64_t game)
{
    struct farewell *farewell;
    const struct parting *parting;

    HASH_FIND(hh, queue->farewells, &game, sizeof game, farewell);
    if (farewell == NULL)
        return;
    DL_FOREACH (farewell->partings, parting)
        say(queue->sessions, parting->session, &parting->gone);
    free_farewell(queue, farewell);
}

void gone_free(struct gone_queue *queue)
{
    struct farewell *farewell, *next;

    if (queue == NULL)
        return;
    HASH_ITER (hh, queue->farewells, farewell, next)
        free_farewell(queue, farewell);
    free(queue);
}
