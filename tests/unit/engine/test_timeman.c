/* Tests how long the engine thinks: it uses its clock, and its flag never falls. */
#include <stdint.h>

#include "client/engine/computer.h"
#include "client/engine/timeman.h"
#include "common/base/base.h"
#include "tests/unit/unit.h"

enum { MINUTE_MS = 60 * 1000, LAG_MS = 50 };

static struct search_limits allot(const struct timeman_clock *clock)
{
    struct search_limits limits = {.depth = 0};

    timeman_allot(&limits, clock);
    return limits;
}

/* Returns how long a search usually takes: 1.4 times the soft limit, but not longer
 * than the hard limit. The factor 1.4 is an average, measured over 20 moves of a
 * game. */
static int64_t usual_ms(const struct search_limits *limits)
{
    int64_t ms = limits->soft_ms * 14 / 10;

    return ms < limits->hard_ms ? ms : limits->hard_ms;
}

UNIT_TEST(a_move_gets_its_share_of_the_clock)
{
    struct timeman_clock clock = {.left_ms = 75 * 1000};
    struct search_limits limits = allot(&clock);

    assert_in_range(usual_ms(&limits), 2300, 2600); /* its share is 2,500 ms */
    assert_true(limits.hard_ms > limits.soft_ms);
}

/* After 60 moves (a long game), the engine has used most of a clock of ten minutes. */
UNIT_TEST(a_long_game_uses_most_of_its_time)
{
    struct timeman_clock clock = {.left_ms = 10 * MINUTE_MS};

    for (int move = 0; move < 60; move++) {
        struct search_limits limits = allot(&clock);

        clock.left_ms -= usual_ms(&limits);
    }
    assert_in_range(clock.left_ms, MINUTE_MS / 2, 2 * MINUTE_MS);
}

/* Each move takes the whole hard limit, and the network adds LAG_MS. */
UNIT_TEST(the_flag_does_not_fall)
{
    static const struct timeman_clock clocks[] = {
        {.left_ms = 5 * MINUTE_MS},
        {.left_ms = MINUTE_MS, .increment_ms = 1000},
        {.left_ms = 5000, .increment_ms = 200},
        {.left_ms = MINUTE_MS, .moves = 40},
    };

    for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
        struct timeman_clock clock = clocks[i];

        for (int move = 0; move < 40; move++) {
            struct search_limits limits = allot(&clock);

            if (clock.moves > 0)
                clock.moves--;
            clock.left_ms -= limits.hard_ms + LAG_MS;
            assert_true(clock.left_ms > 0 || limits.hard_ms <= 100);
            clock.left_ms += clock.increment_ms;
        }
    }
}

UNIT_TEST(a_period_is_used_and_not_exceeded)
{
    struct timeman_clock clock = {.period_ms = 30 * 1000};
    struct search_limits limits = allot(&clock);

    assert_in_range(limits.soft_ms, 10 * 1000, 25 * 1000);
    assert_in_range(limits.hard_ms, limits.soft_ms, 30 * 1000 - LAG_MS);
}

UNIT_MAIN(NULL, NULL)
