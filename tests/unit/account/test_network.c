/* Tests of the budgets that a network has for new names, reports, messages and codes.
 * Also tests when a network is dropped. */
#include <stdio.h>

#include "common/base/mono.h"
#include "server/account/network.h"
#include "tests/unit/unit.h"

enum { HOUR_S = 3600, DAY_S = 86400, NOW_S = 1795000000 };

static struct deadlines *deadlines;
static struct networks *networks;
static int64_t wait_s; /* seconds to wait, as the last call in take() reported */
static int max;        /* the limit that the last call in take() or wait_of()
                        * reported */

static int set_up(void **state)
{
    struct network_limits limits = {
        .names_per_hour = 5,
        .names_per_day = 20,
        .names_per_site = 200,
        .per_day = {[NETWORK_REPORT] = 3, [NETWORK_MESSAGE] = 2}};

    assert_true(prefix_list_parse("198.51.100.128/25", &limits.trusted));
    deadlines = deadlines_new(NULL, mono_wall_s);
    networks = networks_new(deadlines, &limits);
    max = 0;
    return 0;
}

static int tear_down(void **state)
{
    networks_free(networks);
    deadlines_free(deadlines);
    return 0;
}

/* Registers as many names from `address` as the budgets allow, at most `many`. Returns
 * how many. */
static int take(const char *address, int many, int64_t now_s)
{
    for (int i = 0; i < many; i++) {
        wait_s = networks_name_wait_s(networks, address, now_s, &max);
        if (wait_s > 0)
            return i;
        networks_count_name(networks, address, now_s);
    }
    return many;
}

static void a_refunded_name_can_be_taken_again(void **state)
{
    take("2001:db8::1", 5, NOW_S);
    networks_refund_name(networks, "2001:db8::2", NOW_S);
    assert_int_equal(take("2001:db8::1", 9, NOW_S), 1);
    networks_refund_name(networks, "2001:db8:1::1", NOW_S); /* this network has taken no
                                                             * name */
    assert_int_equal(take("2001:db8:1::1", 9, NOW_S), 5);
    assert_int_equal(take("2001:db8::1", 9, NOW_S + HOUR_S), 5);
    networks_refund_name(networks, "2001:db8::1", NOW_S); /* a name of the hour before:
                                                           * no effect now */
    assert_int_equal(take("2001:db8::1", 9, NOW_S + HOUR_S), 0);
}

static int64_t wait_of(enum network_use use, const char *address, int64_t now_s)
{
    return networks_use_wait_s(networks, use, address, now_s, &max);
}

static void five_an_hour_and_twenty_a_day(void **state)
{
    assert_int_equal(take("192.0.2.1", 9, NOW_S), 5);
    assert_int_equal(wait_s, HOUR_S);
    assert_int_equal(max, 5);
    assert_int_equal(take("192.0.2.200", 9, NOW_S + 600), 0);
    assert_int_equal(wait_s, HOUR_S - 600);
    assert_int_equal(take("192.0.3.1", 9, NOW_S), 5);
    for (int hour = 1; hour < 4; hour++)
        assert_int_equal(take("192.0.2.1", 9, NOW_S + (int64_t)hour * HOUR_S), 5);
    assert_int_equal(take("192.0.2.1", 9, NOW_S + 4 * HOUR_S), 0);
    assert_int_equal(wait_s, DAY_S - 4 * HOUR_S);
    assert_int_equal(max, 20);
    assert_int_equal(take("192.0.2.1", 9, NOW_S + DAY_S), 5);
}

static void a_trusted_network_has_twenty_times_as_much(void **state)
{
    assert_int_equal(take("198.51.100.200", 999, NOW_S), 100);
    assert_int_equal(max, 100);
    assert_int_equal(networks_join(networks, "198.51.100.200")->times, 20);
    assert_int_equal(networks_join(networks, "192.0.2.1")->times, 1);
}

/* A /48 has 256 networks with 5 names an hour each, but all together get 200 names a
 * day. */
static void a_site_has_a_budget_of_its_own(void **state)
{
    char address[40];
    int names = 0;

    for (int i = 0; i < 256; i++) {
        snprintf(address, sizeof address, "2001:db8:1:%x00::1", (unsigned)i);
        names += take(address, 9, NOW_S);
    }
    assert_int_equal(names, 200);
    assert_int_equal(max, 200);
    assert_int_equal(take("2001:db8:2::1", 9, NOW_S), 5);
    assert_int_equal(take("2001:db8:2:ff::1", 9, NOW_S), 0);
}

static void a_network_is_kept_while_an_account_is_in_it(void **state)
{
    struct network *one = networks_join(networks, "192.0.2.1");

    assert_ptr_equal(networks_join(networks, "192.0.2.9"), one);
    assert_ptr_not_equal(networks_join(networks, "192.0.4.9"), one);
    assert_int_equal(one->accounts, 2);
    one->seats = 3;
    networks_count_name(networks, "192.0.2.7", NOW_S);
    while (deadlines_run(deadlines, NOW_S + DAY_S) > 0)
        ;
    networks_leave(networks, one);
    assert_int_equal(one->seats, 3);
    networks_leave(networks, one);
    assert_int_equal(networks_join(networks, "192.0.2.1")->seats, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void reports_of_a_network_are_counted_by_day(void **state)
{
    for (int i = 0; i < 3; i++) {
        assert_int_equal(wait_of(NETWORK_REPORT, "192.0.2.1", NOW_S), 0);
        networks_count_use(networks, NETWORK_REPORT, "192.0.2.1", NOW_S);
    }
    assert_int_equal(wait_of(NETWORK_REPORT, "192.0.2.9", NOW_S + 5), DAY_S - 5);
    assert_int_equal(max, 3);
    assert_int_equal(wait_of(NETWORK_REPORT, "192.0.3.1", NOW_S), 0);
    for (int i = 0; i < 2; i++) { /* messages have a limit of their own */
        assert_int_equal(wait_of(NETWORK_MESSAGE, "192.0.2.1", NOW_S), 0);
        networks_count_use(networks, NETWORK_MESSAGE, "192.0.2.1", NOW_S);
    }
    assert_int_equal(wait_of(NETWORK_MESSAGE, "192.0.2.9", NOW_S), DAY_S);
    assert_int_equal(max, 2);
    assert_int_equal(wait_of(NETWORK_MESSAGE, "192.0.3.1", NOW_S), 0);
    assert_int_equal(wait_of(NETWORK_REPORT, "192.0.2.1", NOW_S + DAY_S), 0);
    assert_int_equal(wait_of(NETWORK_MESSAGE, "192.0.2.1", NOW_S + DAY_S), 0);
    /* New names are counted separately. */
    assert_int_equal(networks_name_wait_s(networks, "192.0.2.1", NOW_S, &max), 0);
}

/* The network was first counted for a new name, so its day for names ends before its
 * day for reports and messages ("uses"). */
static void a_use_counts_for_a_whole_day(void **state)
{
    networks_count_name(networks, "192.0.2.1", NOW_S);
    for (int i = 0; i < 2; i++)
        networks_count_use(networks, NETWORK_MESSAGE, "192.0.2.1", NOW_S + 23 * HOUR_S);
    networks_count_name(networks, "192.0.2.1", NOW_S + 23 * HOUR_S);
    while (deadlines_run(deadlines, NOW_S + DAY_S) > 0)
        ;
    assert_int_equal(wait_of(NETWORK_MESSAGE, "192.0.2.1", NOW_S + DAY_S), 23 * HOUR_S);
}

/* A /48 has 256 networks. Together they may send only four times as many reports
 * and messages ("uses") as one network. */
static void a_site_has_four_times_the_uses(void **state)
{
    char address[40];

    for (int i = 0; i < 4 * 3; i++) {
        snprintf(address, sizeof address, "2001:db8:1:%x00::1", (unsigned)i);
        assert_int_equal(wait_of(NETWORK_REPORT, address, NOW_S), 0);
        networks_count_use(networks, NETWORK_REPORT, address, NOW_S);
    }
    assert_int_equal(wait_of(NETWORK_REPORT, "2001:db8:1:ff00::1", NOW_S), DAY_S);
    assert_int_equal(max, 4 * 3);
    assert_int_equal(wait_of(NETWORK_REPORT, "2001:db8:2::1", NOW_S), 0);
    assert_int_equal(wait_of(NETWORK_MESSAGE, "2001:db8:1::1", NOW_S), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(five_an_hour_and_twenty_a_day),
        TEST(a_refunded_name_can_be_taken_again),
        TEST(a_trusted_network_has_twenty_times_as_much),
        TEST(a_site_has_a_budget_of_its_own),
        TEST(a_network_is_kept_while_an_account_is_in_it),
        TEST(reports_of_a_network_are_counted_by_day),
        TEST(a_use_counts_for_a_whole_day),
        TEST(a_site_has_four_times_the_uses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
