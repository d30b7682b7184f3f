/* Tests of the meter of server/base/budget, which counts what a session has used in the
 * last minute. */
#include "server/base/budget.h"
#include "tests/unit/unit.h"

enum { START_MS = 5000000 };

static void requests_are_counted(void **state)
{
    struct meter meter = {0};

    meter_add(&meter, START_MS, 1, 100);
    meter_add(&meter, START_MS + 10, 2, 2000);
    assert_int_equal(meter_read(&meter, START_MS + 20).lines, 3);
    assert_int_equal(meter_read(&meter, START_MS + 20).bytes, 2100);
    assert_int_equal(meter_cost(meter_read(&meter, START_MS + 20)), 0);
    meter_charge(&meter, START_MS + 20, 10500);
    assert_int_equal(meter_cost(meter_read(&meter, START_MS + 20)), 10);
}

static void the_minute_before_fades(void **state)
{
    struct meter meter = {0};
    int64_t began_ms;

    meter_add(&meter, START_MS, 600, 0);
    began_ms = meter.began_ms;
    assert_int_equal(meter_read(&meter, began_ms + 59999).lines, 600);
    assert_int_equal(meter_read(&meter, began_ms + 60000).lines, 600);
    assert_int_equal(meter_read(&meter, began_ms + 90000).lines, 300);
    assert_int_equal(meter_read(&meter, began_ms + 119000).lines, 10);
    assert_int_equal(meter_read(&meter, began_ms + 120000).lines, 0);
    meter_add(&meter, began_ms + 90000, 7, 0);
    assert_int_equal(meter_read(&meter, began_ms + 90000).lines, 307);
}

static void counts_are_zero_after_a_long_silence(void **state)
{
    struct meter meter = {0};

    meter_add(&meter, START_MS, 600, 600);
    meter_add(&meter, START_MS + 86400000, 1, 0);
    assert_int_equal(meter_read(&meter, START_MS + 86400000).lines, 1);
    assert_int_equal(meter_read(&meter, START_MS + 86400000).bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_counted),
        cmocka_unit_test(the_minute_before_fades),
        cmocka_unit_test(counts_are_zero_after_a_long_silence),
    };

    return cmocka_run_group_tests_name("meter", tests, NULL, NULL);
}
