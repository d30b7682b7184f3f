/* See deadline.h. A binary heap whose entries know their indices. */
#include "server/base/deadline.h"

#include <stdlib.h>

#include <event2/event.h>

#include "common/base/mem.h"
#include "server/base/timer.h"

/* The wall clock may be stepped, so the timer never waits longer than a minute. */
enum { WAIT_MAX_S = 60, FIRST_ROOM = 64 };

struct deadlines {
    struct deadline **heap; /* from index 1 */
    size_t count, room;
    int64_t (*now_s)(void);
    struct event *timer; /* NULL: none */
};

/* --- The heap --- */

static void put(struct deadlines *all, size_t place, struct deadline *deadline)
{
    all->heap[place] = deadline;
    deadline->place = place;
}

static void sift_up(struct deadlines *all, struct deadline *deadline)
{
    size_t place = deadline->place;

    while (place > 1 && all->heap[place / 2]->due_s > deadline->due_s) {
        put(all, place, all->heap[place / 2]);
        place /= 2;
    }
    put(all, place, deadline);
}

static void sift_down(struct deadlines *all, struct deadline *deadline)
{
    size_t place = deadline->place, child;

    while ((child = 2 * place) <= all->count) {
        if (child < all->count && all->heap[child + 1]->due_s < all->heap[child]->due_s)
            child++;
        if (all->heap[child]->due_s >= deadline->due_s)
            break;
        put(all, place, all->heap[child]);
        place = child;
    }
    put(all, place, deadline);
}

/* --- The timer --- */

static void arm(struct deadlines *all)
{
    int64_t wait_s = WAIT_MAX_S, left_s;

    if (all->timer == NULL)
        return;
    if (all->count > 0) {
        left_s = all->heap[1]->due_s - all->now_s();
        wait_s = left_s < 0 ? 0 : left_s < WAIT_MAX_S ? left_s : WAIT_MAX_S;
    }
    timer_start(all->timer, wait_s * 1000);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct deadlines *all = arg;

    (void)fd;
    (void)what;
    deadlines_run(all, all->now_s());
    arm(all);
}

/* --- For owners --- */

void deadlines_set(struct deadlines *deadlines, struct deadline *deadline,
                   const struct deadline_kind *kind, int64_t due_s)
{
    deadline->kind = kind;
    deadline->due_s = due_s;
    if (deadline->place == 0) {
        if (deadlines->count + 1 >= deadlines->room) {
            deadlines->room = deadlines->room == 0 ? FIRST_ROOM : deadlines->room * 2;
            deadlines->heap =
                mem_resize(deadlines->heap, deadlines->room, sizeof(struct deadline *));
        }
        put(deadlines, ++deadlines->count, deadline);
    }
    sift_up(deadlines, deadline);
    sift_down(deadlines, deadline);
    if (deadline->place == 1)
        arm(deadlines);
}

void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline)
{
    size_t place = deadline->place;
    struct deadline *last;

    if (place == 0)
        return;
    deadline->place = 0;
    last = deadlines->heap[deadlines->count--];
    if (last == deadline)
        return;
    put(deadlines, place, last);
    sift_up(deadlines, last);
    sift_down(deadlines, last);
}

int deadlines_run(struct deadlines *deadlines, int64_t now_s)
{
    int count = 0;

    while (count < DEADLINES_AT_ONCE && deadlines->count > 0 &&
           deadlines->heap[1]->due_s <= now_s) {
        struct deadline *deadline = deadlines->heap[1];

        deadlines_remove(deadlines, deadline);
        deadline->kind->on_due(deadline->kind->arg, deadline, now_s);
        count++;
    }
    return count;
}

struct deadlines *deadlines_new(struct event_base *base, int64_t (*now_s)(void))
{
    struct deadlines *deadlines = mem_new(sizeof *deadlines);

    deadlines->now_s = now_s;
    if (base == NULL)
        return deadlines;
    deadlines->timer = timer_new(base, on_timer, deadlines);
    arm(deadlines);
    return deadlines;
}

void deadlines_free(struct deadlines *deadlines)
{
    if (deadlines == NULL)
        return;
    for (size_t i = 1; i <= deadlines->count; i++)
        deadlines->heap[i]->place = 0;
    if (deadlines->timer != NULL)
        event_free(deadlines->timer);
    free(deadlines->heap);
    free(deadlines);
}
