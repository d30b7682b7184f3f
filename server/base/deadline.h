/* Deadlines in one heap with one timer. So the server does not have to search all
 * objects for those that are due. Each heap has one clock, and its times are whole
 * seconds of that clock. The wall clock is for calendar times, such as the day on which
 * a name expires. The monotonic clock is for spans, such as the wait before the next
 * search for an opponent.
 *
 * The owner embeds a struct deadline, all zero at first. Each turn of the loop calls
 * back a limited number of due deadlines. */
#ifndef SERVER_BASE_DEADLINE_H
#define SERVER_BASE_DEADLINE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct deadline;
struct deadlines;
struct event_base;

/* Each kind of deadline has one such struct, which must live as long as its deadlines.
 * When on_due is called, the deadline has been removed from the heap; on_due may set it
 * again or free it. */
struct deadline_kind {
    void (*on_due)(void *arg, struct deadline *deadline, int64_t now_s);
    void *arg;
};

struct deadline {
    const struct deadline_kind *kind;
    int64_t due_s;
    size_t place; /* index in the heap, from 1; 0: not in it */
};

/* Makes an empty heap. now_s reads its clock: mono_wall_s() or mono_now_s(). base NULL:
 * the heap has no timer, and the caller must call deadlines_run(). */
struct deadlines *deadlines_new(struct event_base *base,
                                int64_t (*now_s)(void)) MUST_USE;
/* Drops the remaining deadlines. Accepts NULL. */
void deadlines_free(struct deadlines *deadlines);

/* Adds the deadline, or moves it to another time. */
void deadlines_set(struct deadlines *deadlines, struct deadline *deadline,
                   const struct deadline_kind *kind, int64_t due_s);
/* Removes the deadline, if it is in the heap. */
void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline);

/* Calls the callbacks of due deadlines, at most DEADLINES_AT_ONCE. Returns their
 * number. */
enum { DEADLINES_AT_ONCE = 256 };
int deadlines_run(struct deadlines *deadlines, int64_t now_s);

#endif
