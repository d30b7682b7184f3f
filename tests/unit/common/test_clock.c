/* Tests of the clock of a game. The time is an argument, so no test
 * waits. */

#include "common/game/clock.h"
#include "tests/unit/unit.h"

static struct time_terms terms_of(const char *word)
{
    struct time_terms terms;

    assert_so(time_terms_parse(word, &terms), "no terms: %s", word);
    return terms;
}

static struct clock clock_of(const char *word)
{
    struct time_terms terms = terms_of(word);
    struct clock clock;

    clock_init(&clock, &terms);
    return clock;
}

UNIT_TEST(terms_are_read_and_written)
{
    static const struct {
        const char *word, *again;
        int64_t main_ms, increment_ms;
        int periods;
        int64_t period_ms;
    } cases[] = {
        {"10m+5s", "10m+5s", 600000, 5000, 0, 0},
        {"5m", "5m", 300000, 0, 0, 0},
        {"90s+2s", "90s+2s", 90000, 2000, 0, 0},
        {"1h", "1h", 3600000, 0, 0, 0},
        {"60m", "1h", 3600000, 0, 0, 0},
        {"24h", "24h", 86400000, 0, 0, 0},
        {"20m+3x40s", "20m+3x40s", 1200000, 0, 3, 40000},
        {"0s+10x1m", "0s+10x1m", 0, 0, 10, 60000},
        {"0m+5s", "0s+5s", 0, 5000, 0, 0},
        {"3m+10m", "3m+10m", 180000, 600000, 0, 0},
        {"1s", "1s", 1000, 0, 0, 0},
        {"5m+0s", "5m", 300000, 0, 0, 0},
        {"1d", "1d", 0, 0, 1, 86400000},
        {"3d", "3d", 0, 0, 1, 259200000},
        {"30d", "30d", 0, 0, 1, INT64_C(2592000000)},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct time_terms terms = terms_of(cases[i].word);
        char again[TIME_TERMS_BYTES];

        assert_false(terms.is_untimed);
        assert_int_equal(terms.main_ms, cases[i].main_ms);
        assert_int_equal(terms.increment_ms, cases[i].increment_ms);
        assert_int_equal(terms.periods, cases[i].periods);
        assert_int_equal(terms.period_ms, cases[i].period_ms);
        time_terms_format(again, &terms);
        assert_string_equal(again, cases[i].again);
    }
}

UNIT_TEST(an_invalid_time_is_refused)
{
    static const char *const words[] = {"",
                                        "10",
                                        "m",
                                        "10m+",
                                        "10m+5",
                                        "+5s",
                                        "0m",
                                        "0m+0s",
                                        "25h",
                                        "86401s",
                                        "10m+11m",
                                        "10m+601s",
                                        "10m+0x5s",
                                        "10m+11x5s",
                                        "10m+3x",
                                        "10m+3x0s",
                                        "10m+3x11m",
                                        "10m+5s ",
                                        " 10m",
                                        "10m+5s+5s",
                                        "-5m",
                                        "10M",
                                        "none ",
                                        "None",
                                        "1e3s",
                                        "10m5s",
                                        "10m+3x40s+5s",
                                        "9999999999999999999s",
                                        "10m+x5s",
                                        "0d",
                                        "31d",
                                        "999999d",
                                        "d",
                                        "3d+5s",
                                        "10m+3d",
                                        "10m+1x1d",
                                        "3D",
                                        "0s+3x0s",
                                        "5m+3X5s"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        struct time_terms terms = {.main_ms = 7};

        assert_so(!time_terms_parse(words[i], &terms), "taken: %s", words[i]);
        assert_int_equal(terms.main_ms, 7);
    }
}

UNIT_TEST(units_may_be_left_out_where_people_type)
{
    static const char *const typed[][2] = {{"10+5", "10m+5s"},
                                           {"0+3", "0m+3s"},
                                           {"1440+600", "24h+10m"},
                                           {"20m+3x40", "20m+3x40s"},
                                           {"10", "10m"},
                                           {"10+5s", "10m+5s"},
                                           {"10m+5", "10m+5s"},
                                           {"3d", "3d"},
                                           {"none", "none"},
                                           {"20m+3x40s", "20m+3x40s"},
                                           {"90s+2", "90s+2s"},
                                           {"10m5s", "10m+5s"},
                                           {"10/5", "10m+5s"},
                                           {"20m3x40s", "20m+3x40s"},
                                           {"10분+5초", "10m+5s"},
                                           {"10분5초", "10m+5s"},
                                           {"20분+3x40초", "20m+3x40s"},
                                           {"1시간", "1h"},
                                           {"3일", "3d"},
                                           {"blitz", "5m+3s"},
                                           {"rapid", "10m+5s"},
                                           {"club", "20m+3x40s"},
                                           {"days", "3d"}};
    static const char *const refused[] = {"",
                                          "+5",
                                          "10+",
                                          "0+0",
                                          "10+5+",
                                          "10+-5",
                                          "-1+5",
                                          "10+601",
                                          "1441+5",
                                          "10 +5",
                                          "3d+5",
                                          "10+3x",
                                          "00000000010+0000000005+00000000000000001"};
    struct time_terms terms, wanted;

    for (size_t i = 0; i < ARRAY_LEN(typed); i++) {
        assert_true(time_terms_parse_typed(typed[i][0], &terms));
        assert_true(time_terms_parse(typed[i][1], &wanted));
        assert_true(time_terms_is_same(&terms, &wanted));
    }
    assert_false(time_terms_parse("10+5", &terms)); /* units may be left out only in
                                                     * typed text, not in an event */
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        assert_false(time_terms_parse_typed(refused[i], &terms));
}

static void check_left(const struct clock *clock, enum side side, int64_t now_ms,
                       bool is_up, int64_t main_ms, int periods)
{
    struct time_left left;

    assert_int_equal(clock_left(clock, side, now_ms, &left), is_up);
    assert_int_equal(left.main_ms, main_ms);
    assert_int_equal(left.periods, periods);
}

UNIT_TEST(only_the_running_side_is_charged)
{
    struct clock clock = clock_of("10s+2s");
    struct time_left left;

    check_left(&clock, SIDE_RED, 999999, true, 10000, 0);
    assert_int_equal(clock_flag_at_ms(&clock), INT64_MAX);
    clock_start(&clock, SIDE_RED, 1000);
    check_left(&clock, SIDE_RED, 500, true, 10000, 0); /* a time before the start counts
                                                        * as the start */
    check_left(&clock, SIDE_RED, 4000, true, 7000, 0);
    check_left(&clock, SIDE_BLUE, 4000, true, 10000, 0);
    left = clock_after_move(&clock, SIDE_RED, 4000);
    assert_int_equal(left.main_ms, 9000);
    assert_int_equal(clock_flag_at_ms(&clock), 11000);
    check_left(&clock, SIDE_RED, 10999, true, 1, 0);
    check_left(&clock, SIDE_RED, 11000, false, 0, 0);
    left = clock_after_move(&clock, SIDE_RED, 11000);
    assert_int_equal(left.main_ms, 0);
}

UNIT_TEST(a_pause_charges_and_stops)
{
    struct clock clock = clock_of("10s+2s");

    clock_stop(&clock, 50); /* changes nothing, because no clock runs */
    clock_start(&clock, SIDE_BLUE, 0);
    clock_stop(&clock, 3000);
    check_left(&clock, SIDE_BLUE, 99999, true, 7000, 0);
    clock_start(&clock, SIDE_BLUE, 5000);
    clock_stop(&clock, 99999);
    check_left(&clock, SIDE_BLUE, 0, true, 0, 0);
}

/* A move within a period restores the full period; only whole periods are used up. */
UNIT_TEST(byoyomi_counts_whole_periods)
{
    struct clock clock = clock_of("10s+3x40s");
    struct time_left left;

    clock_start(&clock, SIDE_RED, 0);
    assert_int_equal(clock_flag_at_ms(&clock), 130000);
    check_left(&clock, SIDE_RED, 9999, true, 1, 3);
    check_left(&clock, SIDE_RED, 10000, true, 0, 3);
    check_left(&clock, SIDE_RED, 49999, true, 0, 3);
    check_left(&clock, SIDE_RED, 50000, true, 0, 2);
    check_left(&clock, SIDE_RED, 129999, true, 0, 1);
    check_left(&clock, SIDE_RED, 130000, false, 0, 0);
    left = clock_after_move(&clock, SIDE_RED, 60000);
    assert_int_equal(left.periods, 2);
    assert_int_equal(left.main_ms, 0);
    clock.left[SIDE_RED] = left;
    clock_start(&clock, SIDE_RED, 200000);
    check_left(&clock, SIDE_RED, 239999, true, 0, 2); /* the move gave the full period
                                                       * back */
    assert_int_equal(clock_flag_at_ms(&clock), 280000);
}

static void check_shown(const struct clock *clock, int64_t now_ms, int64_t ms, int left)
{
    int periods;

    assert_int_equal(clock_shown_ms(clock, SIDE_RED, now_ms, &periods), ms);
    assert_int_equal(periods, left);
}

UNIT_TEST(a_period_begins_with_the_end_of_the_main_time)
{
    struct clock clock = clock_of("10s+3x40s"), days = clock_of("3d");

    assert_false(clock_is_in_period(&clock, SIDE_RED, 0));
    clock_start(&clock, SIDE_RED, 0);
    assert_false(clock_is_in_period(&clock, SIDE_RED, 9999));
    assert_true(clock_is_in_period(&clock, SIDE_RED, 10000));
    assert_false(clock_is_in_period(&clock, SIDE_BLUE, 10000));
    assert_true(clock_is_in_period(&clock, SIDE_RED, 129999));
    assert_false(clock_is_in_period(&clock, SIDE_RED, 130000)); /* no time is left */
    clock_stop(&clock, 60000);
    assert_true(clock_is_in_period(&clock, SIDE_RED, 999999));
    assert_true(clock_is_in_period(&days, SIDE_BLUE, 0));
    clock = clock_of("10m+5s");
    clock_start(&clock, SIDE_RED, 0);
    assert_false(clock_is_in_period(&clock, SIDE_RED, 600000));
}

UNIT_TEST(the_shown_time_is_the_current_span)
{
    struct clock clock = clock_of("10s+3x40s");

    check_shown(&clock, 77, 10000, 3);
    clock_start(&clock, SIDE_RED, 0);
    check_shown(&clock, 4000, 6000, 3);
    check_shown(&clock, 10000, 40000, 3);
    check_shown(&clock, 11000, 39000, 3);
    check_shown(&clock, 50000, 40000, 2);
    check_shown(&clock, 129999, 1, 1);
    check_shown(&clock, 130000, 0, 0);
    check_shown(&clock, 999999, 0, 0);
    clock_stop(&clock, 60000);
    check_shown(&clock, 999999, 30000, 2); /* a pause gives nothing back */
}

/* The used part of a period remains used after a pause, to the millisecond. */
UNIT_TEST(a_pause_keeps_the_used_part_of_a_period)
{
    struct clock clock = clock_of("10s+3x40s");

    clock_start(&clock, SIDE_RED, 0);
    clock_stop(&clock, 9999);
    assert_int_equal(clock.used_ms[SIDE_RED], 0);
    check_shown(&clock, 777777, 1, 3);
    clock_start(&clock, SIDE_RED, 100000);
    clock_stop(&clock, 100001 + 40000 + 15123);
    assert_int_equal(clock.used_ms[SIDE_RED], 15123);
    check_left(&clock, SIDE_RED, 0, true, 0, 2);
    check_shown(&clock, 777777, 40000 - 15123, 2);
    assert_int_equal(clock_flag_at_ms(&clock), INT64_MAX);
    clock_start(&clock, SIDE_RED, 300000);
    check_shown(&clock, 299000, 40000 - 15123, 2); /* a time before the start counts as
                                                    * the start */
    check_shown(&clock, 300001, 40000 - 15124, 2);
    check_left(&clock, SIDE_RED, 300000 + 24876, true, 0, 2);
    check_left(&clock, SIDE_RED, 300000 + 24877, true, 0, 1);
    assert_int_equal(clock_flag_at_ms(&clock), 300000 + 24877 + 40000);
    clock_stop(&clock, 300001);
    assert_int_equal(clock.used_ms[SIDE_RED], 15124);
    clock_start(&clock, SIDE_RED, 0);
    check_left(&clock, SIDE_RED, 24876 + 39999, true, 0, 1);
    check_left(&clock, SIDE_RED, 24876 + 40000, false, 0, 0);
    clock_stop(&clock, 24876 + 40000);
    assert_int_equal(clock.used_ms[SIDE_RED], 0);
    check_left(&clock, SIDE_RED, 0, true, 0, 0);
}

UNIT_TEST(correspondence_is_one_long_period_for_each_move)
{
    const int64_t day = 86400000;
    struct clock clock = clock_of("3d");
    struct time_left left;

    assert_true(time_terms_is_correspondence(&clock.terms));
    clock.terms = terms_of("24h");
    assert_false(time_terms_is_correspondence(&clock.terms));
    clock.terms = terms_of("0s+10x10m");
    assert_false(time_terms_is_correspondence(&clock.terms));
    clock.terms = terms_of("none");
    assert_false(time_terms_is_correspondence(&clock.terms));
    clock = clock_of("3d");
    check_shown(&clock, 5, 3 * day, 1);
    clock_start(&clock, SIDE_RED, -2 * day); /* the clock started two days before the
                                              * time 0 */
    check_shown(&clock, 1, day - 1, 1);
    assert_int_equal(clock_flag_at_ms(&clock), day);
    left = clock_after_move(&clock, SIDE_RED, day - 1);
    assert_int_equal(left.main_ms, 0);
    assert_int_equal(left.periods, 1);
    check_left(&clock, SIDE_RED, day - 1, true, 0, 1);
    check_left(&clock, SIDE_RED, day, false, 0, 0);
}

UNIT_TEST(lag_is_not_charged_and_the_flag_falls_later)
{
    struct clock clock = clock_of("10s+2s");
    struct time_left left;

    clock_start(&clock, SIDE_RED, 1000);
    clock_allow(&clock, 250);
    assert_int_equal(clock.lag_ms, 250);
    assert_int_equal(clock_used_lag_ms(&clock, 0), 0);
    assert_int_equal(clock_used_lag_ms(&clock, 1020), 20);
    assert_int_equal(clock_used_lag_ms(&clock, 5000), 250);
    check_shown(&clock, 1249, 10000, 0);
    check_shown(&clock, 1251, 9999, 0);
    assert_int_equal(clock_flag_at_ms(&clock), 11250);
    check_left(&clock, SIDE_RED, 11249, true, 1, 0);
    check_left(&clock, SIDE_RED, 11250, false, 0, 0);
    left = clock_after_move(&clock, SIDE_RED, 1100); /* a move that took less time than
                                                      * the lag is charged nothing */
    assert_int_equal(left.main_ms, 12000);
    left = clock_after_move(&clock, SIDE_RED, 4250);
    assert_int_equal(left.main_ms, 9000);
    clock_stop(&clock, 4250);
    assert_int_equal(clock.left[SIDE_RED].main_ms, 7000);
    clock_start(&clock, SIDE_BLUE, 5000);
    assert_int_equal(clock.lag_ms, 0);
    assert_int_equal(clock_flag_at_ms(&clock), 15000);
}

/* Lag is not charged in a period either: if the lag is 300 ms, the period ends 300 ms
 * later. */
UNIT_TEST(lag_in_a_period_is_not_charged)
{
    struct clock clock = clock_of("0s+2x30s");

    clock_start(&clock, SIDE_RED, 0);
    clock_allow(&clock, 300);
    check_left(&clock, SIDE_RED, 30299, true, 0, 2);
    check_left(&clock, SIDE_RED, 30300, true, 0, 1);
    assert_int_equal(clock_flag_at_ms(&clock), 60300);
    clock_stop(&clock, 10300);
    assert_int_equal(clock.used_ms[SIDE_RED], 10000);
}

UNIT_TEST(without_main_time_the_first_move_has_one_increment)
{
    struct clock clock = clock_of("0m+5s");

    clock_start(&clock, SIDE_RED, 0);
    assert_int_equal(clock_flag_at_ms(&clock), 5000);
    check_shown(&clock, 1000, 4000, 0);
}

UNIT_TEST(an_untimed_game_has_no_flag)
{
    struct clock clock = clock_of("none");
    char words[TIME_TERMS_BYTES];

    clock_start(&clock, SIDE_RED, 0);
    check_left(&clock, SIDE_RED, INT64_MAX / 2, true, 0, 0);
    check_shown(&clock, 12345, -1, 0);
    assert_int_equal(clock_flag_at_ms(&clock), INT64_MAX);
    time_terms_format(words, &clock.terms);
    assert_string_equal(words, "none");
}

UNIT_MAIN(NULL, NULL)
