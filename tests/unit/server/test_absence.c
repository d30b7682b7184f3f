/* Tests of the absence of players. The time is an argument, so no test waits. */
#include "server/room/presence.h"
#include "tests/unit/unit.h"

static struct absence absence_of(int64_t allowed_ms)
{
    struct absence absence;

    absence_init(&absence, allowed_ms);
    return absence;
}

static void check_left(const struct absence *absence, int64_t now_ms, int64_t red_ms,
                       int64_t blue_ms)
{
    assert_int_equal(absence_left_ms(absence, SIDE_RED, now_ms), red_ms);
    assert_int_equal(absence_left_ms(absence, SIDE_BLUE, now_ms), blue_ms);
}

UNIT_TEST(a_present_player_is_not_charged)
{
    struct absence absence = absence_of(180000);

    check_left(&absence, 99999999, 180000, 180000);
    assert_int_equal(absence_due_ms(&absence), INT64_MAX);
    absence_charge(&absence, SIDE_NONE, 5000);
    check_left(&absence, 99999999, 180000, 180000);
    assert_int_equal(absence_due_ms(&absence), INT64_MAX);
}

UNIT_TEST(an_absent_player_is_charged_to_the_millisecond)
{
    struct absence absence = absence_of(180000);

    absence_charge(&absence, SIDE_BLUE, 1000);
    check_left(&absence, 500, 180000, 180000); /* before the absence began */
    check_left(&absence, 1000, 180000, 180000);
    check_left(&absence, 1001, 180000, 179999);
    assert_int_equal(absence_due_ms(&absence), 181000);
    check_left(&absence, 180999, 180000, 1);
    check_left(&absence, 181000, 180000, 0);
    check_left(&absence, 99999999, 180000, 0);
}

UNIT_TEST(absences_add_up)
{
    struct absence absence = absence_of(180000);

    absence_charge(&absence, SIDE_RED, 0);
    absence_charge(&absence, SIDE_NONE, 100000);
    check_left(&absence, 500000, 80000, 180000);
    absence_charge(&absence, SIDE_BLUE, 500000);
    absence_charge(&absence, SIDE_RED, 510000);
    check_left(&absence, 510000, 80000, 170000);
    assert_int_equal(absence_due_ms(&absence), 590000);
    absence_charge(&absence, SIDE_RED, 520000); /* reported twice, charged once */
    assert_int_equal(absence_due_ms(&absence), 590000);
    check_left(&absence, 589999, 1, 170000);
}

UNIT_TEST(used_time_stays_used)
{
    struct absence absence = absence_of(1000);

    absence_charge(&absence, SIDE_RED, 0);
    absence_charge(&absence, SIDE_NONE, 99999);
    assert_int_equal(absence.used_ms[SIDE_RED], 1000);
    absence_charge(&absence, SIDE_RED, 200000);
    assert_int_equal(absence_due_ms(&absence), 200000);
    check_left(&absence, 200000, 0, 1000);
}

UNIT_MAIN(NULL, NULL)
