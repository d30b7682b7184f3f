/* Tests of the meter of server/base/budget, which counts what a session has used in the
 * last minute. */
#include "server/base/budget.h"
#include "tests/unit/unit.h"

enum { START_MS = 5000000 };

UNIT_TEST(requests_are_counted)
{
    struct meter meter = {0};

    meter_add(&meter, (struct meter_sum){1, 100, 0}, START_MS);
    meter_add(&meter, (struct meter_sum){2, 2000, 0}, START_MS + 10);
    assert_int_equal(meter_read(&meter, START_MS + 20).lines, 3);
    assert_int_equal(meter_read(&meter, START_MS + 20).bytes, 2100);
    assert_int_equal(meter_read(&meter, START_MS + 20).milli / 1000, 0);
    meter_add(&meter, (struct meter_sum){0, 0, 10500}, START_MS + 20);
    assert_int_equal(meter_read(&meter, START_MS + 20).milli / 1000, 10);
}

UNIT_TEST(the_minute_before_fades)
{
    struct meter meter = {0};
    int64_t began_ms;

    meter_add(&meter, (struct meter_sum){600, 0, 0}, START_MS);
    began_ms = meter.began_ms;
    assert_int_equal(meter_read(&meter, began_ms + 59999).lines, 600);
    assert_int_equal(meter_read(&meter, began_ms + 60000).lines, 600);
    assert_int_equal(meter_read(&meter, began_ms + 90000).lines, 300);
    assert_int_equal(meter_read(&meter, began_ms + 119000).lines, 10);
    assert_int_equal(meter_read(&meter, began_ms + 120000).lines, 0);
    meter_add(&meter, (struct meter_sum){7, 0, 0}, began_ms + 90000);
    assert_int_equal(meter_read(&meter, began_ms + 90000).lines, 307);
}

UNIT_TEST(counts_are_zero_after_a_long_silence)
{
    struct meter meter = {0};

    meter_add(&meter, (struct meter_sum){600, 600, 0}, START_MS);
    meter_add(&meter, (struct meter_sum){1, 0, 0}, START_MS + 86400000);
    assert_int_equal(meter_read(&meter, START_MS + 86400000).lines, 1);
    assert_int_equal(meter_read(&meter, START_MS + 86400000).bytes, 0);
}

UNIT_MAIN(NULL, NULL)
