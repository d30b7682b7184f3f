/* Commands that came while a room was unsettled: they are tried again when it has
 * settled, in the order in which they came. */
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "server/net/session.h"
#include "server/room/room_parts.h"

struct waiter {
    uint64_t session;
    char *raw;
    struct waiter *prev, *next;
};

bool room_wait(struct room *room, struct session *session, const char *raw)
{
    struct waiter *waiter;

    if (room->is_settled)
        return false;
    waiter = mem_new(sizeof *waiter);
    waiter->session = session->id;
    waiter->raw = mem_copy_text(raw);
    DL_APPEND(room->waiters, waiter);
    session_hold(session);
    return true;
}

/* The command of a waiter, which is freed, is run again. */
static void try_again(struct rooms *rooms, struct waiter *waiter, int64_t now_ms)
{
    struct session *session = session_find(rooms->sessions, waiter->session);

    if (session != NULL && session->state != SESSION_LEAVING) {
        session_release(session);
        rooms->calls->on_retry(rooms->arg, session, waiter->raw, now_ms);
    }
    free(waiter->raw);
    free(waiter);
}

/* One of them may unsettle the room again; the rest then goes on waiting. */
void room_retry_waiters(struct room *room, int64_t now_ms)
{
    struct rooms *rooms = room->of;
    int64_t id = room->id;

    while (room != NULL && room->is_settled && room->waiters != NULL) {
        struct waiter *waiter = room->waiters;

        DL_DELETE(room->waiters, waiter);
        try_again(rooms, waiter, now_ms);
        room = room_find(rooms, id);
    }
}

void room_forget_waiters(struct room *room)
{
    struct waiter *waiter, *next;

    DL_FOREACH_SAFE (room->waiters, waiter, next) {
        free(waiter->raw);
        free(waiter);
    }
    room->waiters = NULL;
}
