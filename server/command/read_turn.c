/* See read_turn.h. */
#include "server/command/read_turn.h"

#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "server/base/world.h"
#include "server/net/session.h"

enum { READS_MAX = 2 }; /* games that one source may read at a time */

struct read_source {
    struct prefix network;
    int running;
    struct read_turn *waiting;
    UT_hash_handle hh;
};

/* Returns the source (the address) of the session, and makes its entry if there is
 * none. NULL: no limit applies to the session. */
static struct read_source *find_source(struct world *world,
                                       const struct session *session)
{
    struct read_source *source;
    struct prefix network;

    if (session->allowance.pass == NULL || !world->config->has_quotas)
        return NULL;
    network = prefix_network(pass_from(session->allowance.pass), 32, 64);
    HASH_FIND(hh, world->read_sources, &network, sizeof network, source);
    if (source == NULL) {
        source = mem_new(sizeof *source);
        source->network = network;
        HASH_ADD(hh, world->read_sources, network, sizeof source->network, source);
    }
    return source;
}

/* Drops the waiting turns of sessions that have left, so that a source never has more
 * waiting turns than sessions. */
static void drop_left(const struct world *world, struct read_source *source)
{
    struct read_turn *turn, *next;

    DL_FOREACH_SAFE (source->waiting, turn, next)
        if (session_find_open(world->sessions, turn->session) == NULL) {
            DL_DELETE(source->waiting, turn);
            turn->calls->drop(turn);
        }
}

void read_turn_take(struct world *world, const struct session *session,
                    struct read_turn *turn, const struct read_turn_calls *calls)
{
    struct read_source *source = find_source(world, session);

    turn->calls = calls;
    turn->session = session->id;
    turn->source = source;
    if (source != NULL && source->running == READS_MAX) {
        drop_left(world, source);
        DL_APPEND(source->waiting, turn);
        return;
    }
    if (source != NULL)
        source->running++;
    calls->start(turn);
}

void read_turn_end(struct world *world, struct read_source *source)
{
    struct read_turn *turn;

    if (source == NULL)
        return;
    drop_left(world, source);
    turn = source->waiting;
    if (turn != NULL) { /* this one may begin, because another has ended */
        DL_DELETE(source->waiting, turn);
        turn->calls->start(turn);
    } else if (--source->running == 0) {
        HASH_DEL(world->read_sources, source);
        free(source);
    }
}

void read_turn_forget(struct world *world)
{
    struct read_source *source, *next;

    HASH_ITER (hh, world->read_sources, source, next) {
        HASH_DEL(world->read_sources, source);
        free(source);
    }
}
