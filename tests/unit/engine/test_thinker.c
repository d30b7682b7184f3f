/* Tests of the thinker: a search in a thread beside the loop. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/engine/thinker.h"
#include "client/uci/variant.h"
#include "tests/unit/random_play.h"
#include "tests/unit/unit.h"

/* A loop that has not ended after this time is stuck, and alarm() ends the test. */
enum { STUCK_S = 60 };

static struct event_base *base;
static struct thinker *thinker;
static struct event *other; /* has priority over the thinker's event */
static int done;

static void on_done(void *owner, const struct search_report *report)
{
    assert_true(report->has_move);
    done++;
}

/* Waits until a report has arrived and the thinker's event is active. Then cancels the
 * task, before the loop calls the thinker. */
static void on_other(evutil_socket_t fd, short what, void *arg)
{
    struct timeval now = {0, 0};

    if (event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE) == 0)
        event_add(other, &now);
    else
        thinker_cancel(thinker);
}

static int open_loop(void **state)
{
    static const struct thinker_calls calls = {.on_done = on_done};

    done = 0;
    base = event_base_new();
    event_base_priority_init(base, 2);
    thinker = thinker_new(base, 1, &calls, NULL);
    other = event_new(base, -1, 0, on_other, NULL);
    event_priority_set(other, 0);
    alarm(STUCK_S);
    return thinker == NULL || other == NULL;
}

static int close_loop(void **state)
{
    alarm(0);
    event_free(other);
    thinker_free(thinker);
    event_base_free(base);
    return 0;
}

static void start(int depth)
{
    struct search_task task = {
        .rules = variant_find("kja"), .level = 10, .limits = {.depth = depth}};

    random_start(task.rules, &task.position);
    thinker_start(thinker, &task);
}

UNIT_TEST_WITH(a_task_is_done_once, open_loop, close_loop)
{
    start(2);
    while (done == 0)
        event_base_loop(base, EVLOOP_ONCE);
    event_base_loop(base, EVLOOP_NONBLOCK);
    assert_int_equal(done, 1);
    assert_false(thinker_is_busy(thinker));
}

UNIT_TEST_WITH(a_report_that_waits_is_cancelled_too, open_loop, close_loop)
{
    struct timeval now = {0, 0};

    start(60);
    event_add(other, &now);
    while (thinker_is_busy(thinker))
        event_base_loop(base, EVLOOP_ONCE);
    event_base_loop(base, EVLOOP_NONBLOCK);
    assert_int_equal(done, 0);
    a_task_is_done_once(state);
}

UNIT_MAIN(NULL, NULL)
