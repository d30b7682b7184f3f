/* Tests that each deadline is called back once, and that the calls come in the order of
 * the times. A removed deadline is not called back. A moved deadline is called back
 * only at its new time. */
#include <stdbool.h>
#include <stdlib.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "server/base/deadline.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

enum { MANY = 1000 };

struct thing {
    int64_t number;
    struct deadline deadline;
};

struct seen {
    int count;
    int64_t last;
    bool is_ordered;
};

static void on_due(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct thing *thing = OWNER_OF(deadline, struct thing, deadline);
    struct seen *seen = arg;

    seen->is_ordered = seen->is_ordered && deadline->due_s >= seen->last &&
                       deadline->due_s <= now_wall_s && deadline->place == 0;
    seen->last = deadline->due_s;
    seen->count++;
    thing->number = -1;
}

UNIT_TEST(due_deadlines_run_in_order)
{
    struct deadlines *all = deadlines_new(NULL, mono_wall_s);
    struct thing *things = calloc(MANY, sizeof *things);
    struct seen seen = {.is_ordered = true};
    struct deadline_kind kind = {on_due, &seen};

    for (int i = 0; i < MANY; i++) {
        things[i].number = (int64_t)i * 7919 % MANY; /* gives each number from 0 to MANY
                                                      * - 1 once, not in order */
        deadlines_set(all, &things[i].deadline, &kind, things[i].number);
    }
    for (int i = 0; i < MANY; i += 2)
        deadlines_remove(all, &things[i].deadline);
    for (int i = 1; i < MANY; i += 4)
        deadlines_set(all, &things[i].deadline, &kind, things[i].number + MANY);
    while (deadlines_run(all, MANY - 1) > 0)
        ;
    assert_int_equal(seen.count, MANY / 4);
    while (deadlines_run(all, 2 * MANY) > 0)
        ;
    assert_int_equal(seen.count, MANY / 2);
    assert_true(seen.is_ordered);
    for (int i = 0; i < MANY; i++)
        assert_true((things[i].number == -1) == (i % 2 == 1));
    deadlines_free(all);
    free(things);
}

UNIT_TEST(a_turn_of_the_loop_is_bounded)
{
    struct deadlines *all = deadlines_new(NULL, mono_wall_s);
    struct thing *things = calloc(MANY, sizeof *things);
    struct seen seen = {.is_ordered = true};
    struct deadline_kind kind = {on_due, &seen};

    for (int i = 0; i < MANY; i++)
        deadlines_set(all, &things[i].deadline, &kind, 1);
    assert_int_equal(deadlines_run(all, 1), DEADLINES_AT_ONCE);
    assert_int_equal(seen.count, DEADLINES_AT_ONCE);
    deadlines_free(all);
    free(things);
}

UNIT_TEST(the_timer_follows_the_calendar)
{
    struct event_base *base;
    struct deadlines *all;
    struct thing thing = {0};
    struct seen seen = {.is_ordered = true};
    struct deadline_kind kind = {on_due, &seen};

    stepped_clock_stop();
    base = event_base_new();
    all = deadlines_new(base, mono_wall_s);
    deadlines_set(all, &thing.deadline, &kind, mono_wall_s() + DAY_S);
    stepped_clock_step_ms((int64_t)1000 * (DAY_S - 1));
    event_base_loop(base, EVLOOP_ONCE);
    assert_int_equal(seen.count, 0);
    stepped_clock_step_ms(1000);
    event_base_loop(base, EVLOOP_ONCE);
    assert_int_equal(seen.count, 1);
    deadlines_free(all);
    event_base_free(base);
    stepped_clock_release();
}

static int64_t fake_s;

static int64_t fake_now_s(void)
{
    return fake_s;
}

/* The timer of a heap uses the clock of the heap (here fake_now_s()), and not the wall
 * clock. */
UNIT_TEST(the_timer_asks_the_clock_of_the_heap)
{
    struct event_base *base;
    struct deadlines *all;
    struct thing thing = {0};
    struct seen seen = {.is_ordered = true};
    struct deadline_kind kind = {on_due, &seen};

    stepped_clock_stop();
    base = event_base_new();
    fake_s = 100;
    all = deadlines_new(base, fake_now_s);
    deadlines_set(all, &thing.deadline, &kind, 101);
    stepped_clock_step_ms(1000);
    event_base_loop(base, EVLOOP_ONCE);
    assert_int_equal(seen.count, 0); /* the clock of the heap has not moved */
    fake_s = 101;
    stepped_clock_step_ms(1000);
    event_base_loop(base, EVLOOP_ONCE);
    assert_int_equal(seen.count, 1);
    deadlines_free(all);
    event_base_free(base);
    stepped_clock_release();
}

UNIT_MAIN(NULL, NULL)
