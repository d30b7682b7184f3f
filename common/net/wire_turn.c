/* See wire_turn.h. Two libevent events do the work. The first is activated when a
 * member queues output; libevent runs it after everything else that is already active.
 * The second is a timer of zero. It fires after the sockets have been polled again, so
 * that members with remaining input do not starve the others. Work that arises at the
 * end of a turn waits for the next turn. Otherwise a sender that always queues new
 * output as soon as the old output is sent could block the loop. */
#include "common/net/wire_turn.h"

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mono.h"

enum { CATCH_UP_US = 5000 };

static bool has_work(const struct wire_turn *turn)
{
    for (int work = 0; work < WIRE_TURN_WORKS; work++)
        if (turn->list[work] != NULL)
            return true;
    return false;
}

static void await_end(struct wire_turn *turn)
{
    if (turn->is_end_due)
        return;
    turn->is_end_due = true;
    event_active(turn->end, EV_TIMEOUT, 0);
}

static void await_next(struct wire_turn *turn)
{
    static const struct timeval at_once = {0, 0};

    if (turn->is_next_due)
        return;
    turn->is_next_due = true;
    if (event_add(turn->next, &at_once) != 0)
        log_die("wire no timer");
}

/* --- Lists --- */

static void remove_member(struct wire_turn_member *member)
{
    if (member->list == NULL)
        return;
    DL_DELETE(*member->list, member);
    member->list = NULL;
}

void wire_turn_add(struct wire_turn *turn, struct wire_turn_member *member,
                   enum wire_turn_work work)
{
    struct wire_turn_member **list = &turn->list[work];

    if (member->list != list) {
        remove_member(member);
        DL_APPEND(*list, member);
        member->list = list;
    }
    await_end(turn);
}

void wire_turn_set_behind(struct wire_turn *turn, struct wire_turn_member *member,
                          bool is_behind)
{
    bool is_listed = member->behind_prev != NULL; /* utlist.h sets it for every member
                                                  * of a list */

    if (is_behind && !is_listed) {
        DL_APPEND2(turn->behind, member, behind_prev, behind_next);
        turn->behind_count++;
        await_next(turn);
    } else if (!is_behind && is_listed) {
        DL_DELETE2(turn->behind, member, behind_prev, behind_next);
        member->behind_prev = NULL;
        turn->behind_count--;
    }
}

/* --- The turn --- */

static void work_off(struct wire_turn *turn, enum wire_turn_work work,
                     void (*call)(void *owner))
{
    struct wire_turn_member *member;

    while ((member = turn->list[work]) != NULL) {
        remove_member(member);
        call(member->owner);
    }
}

/* Runs at the end of a turn. A flush callback never asks for another flush, so nothing
 * is added to the list of flushes while the list is processed. */
static void on_end(evutil_socket_t fd, short what, void *arg)
{
    struct wire_turn *turn = arg;

    (void)fd;
    (void)what;
    work_off(turn, WIRE_TURN_FLUSH, turn->calls->flush);
    work_off(turn, WIRE_TURN_DRAIN, turn->calls->drain);
    work_off(turn, WIRE_TURN_END, turn->calls->end);
    turn->is_end_due = false;
    if (has_work(turn))
        await_next(turn);
}

/* Lets each member with remaining input continue once, but stops after a few
 * milliseconds. If input remains, this function is called again after the sockets have
 * been polled. A member that has continued and still has input goes to the end of the
 * list, so the other members continue first. */
static void on_next(evutil_socket_t fd, short what, void *arg)
{
    struct wire_turn *turn = arg;
    int64_t until_us = mono_now_us() + CATCH_UP_US;
    int left = turn->behind_count;

    (void)fd;
    (void)what;
    turn->is_next_due = false;
    while (left-- > 0 && turn->behind != NULL) {
        struct wire_turn_member *member = turn->behind;

        wire_turn_set_behind(turn, member, false);
        turn->calls->catch_up(member->owner);
        if (mono_now_us() >= until_us)
            break;
    }
    if (turn->behind != NULL)
        await_next(turn);
    if (has_work(turn))
        await_end(turn);
}

void wire_turn_init(struct wire_turn *turn, struct event_base *base,
                    const struct wire_turn_calls *calls)
{
    *turn = (struct wire_turn){.calls = calls};
    turn->end = event_new(base, -1, 0, on_end, turn);
    turn->next = event_new(base, -1, 0, on_next, turn);
    if (turn->end == NULL || turn->next == NULL)
        log_die("wire no event");
}

void wire_turn_clear(struct wire_turn *turn)
{
    event_free(turn->end);
    event_free(turn->next);
}
