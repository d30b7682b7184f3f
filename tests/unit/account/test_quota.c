/* Tests of the quotas of a source: new names, reports, messages, and what its young
 * accounts have open. Also tests when a source is dropped. */
#include <stdio.h>

#include "common/base/mono.h"
#include "server/account/account.h"
#include "server/account/quota.h"
#include "tests/unit/unit.h"

enum { HOUR_S = 3600, NOW_S = 1795000000 };

static struct deadlines *deadlines;
static struct quotas *quotas;
static int64_t wait_s; /* seconds to wait, as the last call in take() reported */
static int max;        /* the limit that the last call in take() or wait_of()
                        * reported */

static int set_up(void **state)
{
    struct quota_limits limits = {
        .of = {[QUOTA_SEEK] = {.account = 3, .source = 5},
               [QUOTA_NAME] = {.per_hour = 5, .source = 20, .site = 200},
               [QUOTA_REPORT] = {.account = 2, .source = 3, .site = 4 * 3},
               [QUOTA_MESSAGE] = {.source = 2, .site = 4 * 2}}};

    assert_true(prefix_list_parse("198.51.100.128/25", &limits.trusted));
    deadlines = deadlines_new(NULL, mono_wall_s);
    quotas = quotas_new(deadlines, &limits);
    max = 0;
    return 0;
}

static int tear_down(void **state)
{
    quotas_free(quotas);
    deadlines_free(deadlines);
    return 0;
}

/* Registers as many names from `address` as the budgets allow, at most `many`. Returns
 * how many. */
static int take(const char *address, int many, int64_t now_s)
{
    for (int i = 0; i < many; i++) {
        wait_s = quota_take(quotas, QUOTA_NAME, NULL, address, now_s, &max);
        if (wait_s > 0)
            return i;
    }
    return many;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(a_refunded_name_can_be_taken_again)
{
    take("2001:db8::1", 5, NOW_S);
    quota_give_back(quotas, QUOTA_NAME, NULL, "2001:db8::2", NOW_S);
    assert_int_equal(take("2001:db8::1", 9, NOW_S), 1);
    quota_give_back(quotas, QUOTA_NAME, NULL, "2001:db8:1::1",
                    NOW_S); /* this network has taken no
                                                             * name */
    assert_int_equal(take("2001:db8:1::1", 9, NOW_S), 5);
    assert_int_equal(take("2001:db8::1", 9, NOW_S + HOUR_S), 5);
    quota_give_back(quotas, QUOTA_NAME, NULL, "2001:db8::1",
                    NOW_S); /* a name of the hour before:
                                                           * no effect now */
    assert_int_equal(take("2001:db8::1", 9, NOW_S + HOUR_S), 0);
}

static int64_t wait_of(enum quota_kind kind, const char *address, int64_t now_s)
{
    return quota_wait_s(quotas, kind, NULL, address, now_s, &max);
}

/* Makes one, which must be allowed. */
static void make(enum quota_kind kind, const char *address, int64_t now_s)
{
    assert_int_equal(quota_take(quotas, kind, NULL, address, now_s, &max), 0);
}

TEST(five_an_hour_and_twenty_a_day)
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

TEST(a_trusted_network_has_twenty_times_as_much)
{
    assert_int_equal(take("198.51.100.200", 999, NOW_S), 100);
    assert_int_equal(max, 100);
}

/* A /48 has 256 networks with 5 names an hour each, but all together get 200 names a
 * day. */
TEST(a_site_has_a_budget_of_its_own)
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

static enum quota_state seek_of(const struct account *account)
{
    return quota_judge(quotas, QUOTA_SEEK, account, &max);
}

/* What a young account has open counts for its source until the account leaves, also
 * when the day of the source is over meanwhile. */
TEST(a_source_counts_what_its_accounts_have_open)
{
    struct account hong = {.source = NULL}, kim = hong, park = hong;

    quota_count(&hong, QUOTA_SEEK, 3); /* before it joins */
    quota_join(quotas, &hong, "192.0.2.1");
    quota_join(quotas, &kim, "192.0.2.9");
    quota_join(quotas, &park, "198.51.100.200");
    assert_ptr_equal(hong.source, kim.source);
    assert_int_equal(seek_of(&hong), QUOTA_ACCOUNT_FULL);
    assert_int_equal(max, 3);
    quota_count(&kim, QUOTA_SEEK, 1);
    assert_int_equal(seek_of(&kim), QUOTA_FREE);
    make(QUOTA_NAME, "192.0.2.7", NOW_S);
    while (deadlines_run(deadlines, NOW_S + DAY_S) > 0)
        ;
    quota_count(&kim, QUOTA_SEEK, 1);
    assert_int_equal(seek_of(&kim), QUOTA_SOURCE_FULL);
    assert_int_equal(max, 5);
    quota_count(&park, QUOTA_SEEK, 2);
    assert_int_equal(seek_of(&park), QUOTA_FREE);
    assert_int_equal(max, 20 * 5);
    quota_leave(&hong);
    assert_int_equal(seek_of(&hong), QUOTA_ACCOUNT_FULL);
    assert_int_equal(seek_of(&kim), QUOTA_FREE);
    quota_count(&kim, QUOTA_SEEK, -2);
    quota_leave(&kim);
    quota_leave(&kim); /* no effect */
    quota_leave(&park);
}

TEST(an_account_makes_few_in_an_hour)
{
    struct account hong = {.source = NULL};

    for (int i = 0; i < 2; i++)
        assert_int_equal(
            quota_take(quotas, QUOTA_REPORT, &hong, "192.0.2.1", NOW_S, &max), 0);
    quota_give_back(quotas, QUOTA_REPORT, &hong, "192.0.2.1", NOW_S);
    assert_int_equal(
        quota_take(quotas, QUOTA_REPORT, &hong, "192.0.2.1", NOW_S + 1, &max), 0);
    assert_int_equal(
        quota_take(quotas, QUOTA_REPORT, &hong, "192.0.2.1", NOW_S + 1, &max),
        HOUR_S - 1);
    assert_int_equal(max, 2);
    make(QUOTA_REPORT, "192.0.2.1", NOW_S); /* of another account: the third */
    assert_int_equal(
        quota_take(quotas, QUOTA_REPORT, &hong, "192.0.2.1", NOW_S + HOUR_S, &max),
        DAY_S - HOUR_S);
    assert_int_equal(max, 3);
}

TEST(reports_of_a_network_are_counted_by_day)
{
    for (int i = 0; i < 3; i++) {
        make(QUOTA_REPORT, "192.0.2.1", NOW_S);
    }
    assert_int_equal(wait_of(QUOTA_REPORT, "192.0.2.9", NOW_S + 5), DAY_S - 5);
    assert_int_equal(max, 3);
    assert_int_equal(wait_of(QUOTA_REPORT, "192.0.3.1", NOW_S), 0);
    for (int i = 0; i < 2; i++) { /* messages have a limit of their own */
        make(QUOTA_MESSAGE, "192.0.2.1", NOW_S);
    }
    assert_int_equal(wait_of(QUOTA_MESSAGE, "192.0.2.9", NOW_S), DAY_S);
    assert_int_equal(max, 2);
    assert_int_equal(wait_of(QUOTA_MESSAGE, "192.0.3.1", NOW_S), 0);
    assert_int_equal(wait_of(QUOTA_REPORT, "192.0.2.1", NOW_S + DAY_S), 0);
    assert_int_equal(wait_of(QUOTA_MESSAGE, "192.0.2.1", NOW_S + DAY_S), 0);
    /* New names are counted separately. */
    assert_int_equal(wait_of(QUOTA_NAME, "192.0.2.1", NOW_S), 0);
}

/* The network was first counted for a new name, so its day for names ends before its
 * day for reports and messages ("uses"). */
TEST(a_use_counts_for_a_whole_day)
{
    make(QUOTA_NAME, "192.0.2.1", NOW_S);
    for (int i = 0; i < 2; i++)
        make(QUOTA_MESSAGE, "192.0.2.1", NOW_S + 23 * HOUR_S);
    make(QUOTA_NAME, "192.0.2.1", NOW_S + 23 * HOUR_S);
    while (deadlines_run(deadlines, NOW_S + DAY_S) > 0)
        ;
    assert_int_equal(wait_of(QUOTA_MESSAGE, "192.0.2.1", NOW_S + DAY_S), 23 * HOUR_S);
}

/* A /48 has 256 networks. Together they may send only four times as many reports
 * and messages ("uses") as one network. */
TEST(a_site_has_four_times_the_uses)
{
    char address[40];

    for (int i = 0; i < 4 * 3; i++) {
        snprintf(address, sizeof address, "2001:db8:1:%x00::1", (unsigned)i);
        make(QUOTA_REPORT, address, NOW_S);
    }
    assert_int_equal(wait_of(QUOTA_REPORT, "2001:db8:1:ff00::1", NOW_S), DAY_S);
    assert_int_equal(max, 4 * 3);
    assert_int_equal(wait_of(QUOTA_REPORT, "2001:db8:2::1", NOW_S), 0);
    assert_int_equal(wait_of(QUOTA_MESSAGE, "2001:db8:1::1", NOW_S), 0);
}

UNIT_MAIN(NULL, NULL)
