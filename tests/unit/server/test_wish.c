/* Tests of a wish: the times and the rulesets that a player accepts when the player
 * says `play`. Tests when the wishes of two players fit each other, and how a wish is
 * read and written. */

#include "common/base/base.h"
#include "server/seek/wish.h"
#include "tests/unit/unit.h"

static struct wish wish_of(const char *times, const char *rules)
{
    struct wish wish = {.takes_bots = false};
    const char *why;

    assert_true(wish_parse_times(&wish, times, &why));
    assert_true(wish_parse_rules(&wish, rules, &why));
    return wish;
}

/* times, rules: the wish of the player who waits. other_times, other_rules: the wish of
 * the other player. terms: the terms of their game; NULL: the wishes do not fit. */
static void two_fit_in_a_time_and_rules_of_both(void **state)
{
    static const struct {
        const char *times, *rules, *other_times, *other_rules, *terms;
    } rows[] = {
        {"10m+5s", "martin", "10m+5s", "martin", "time=10m+5s rules=martin side=any"},
        {"10m+5s,5m", "martin", "5m,10m+5s", "martin",
         "time=10m+5s rules=martin side=any"},
        {"5m,10m+5s", "kja,martin", "10m+5s,5m", "martin,kja",
         "time=5m rules=kja side=any"},
        {"3d,none", "kja", "none", "vchess,kja", "time=none rules=kja side=any"},
        {"60m", "martin", "1h", "martin", "time=1h rules=martin side=any"},
        {"10m+5s", "martin", "10m", "martin", NULL},
        {"10m+5s", "martin", "10m+5s", "kja", NULL},
        {"5m", "courier,kja", "5m", "martin,vchess", NULL},
        {"20m+3x40s", "kja", "20m+5x40s", "kja", NULL},
        {"1d", "kja", "2d", "kja", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct wish first = wish_of(rows[i].times, rows[i].rules);
        struct wish other = wish_of(rows[i].other_times, rows[i].other_rules);
        char words[TERMS_BYTES];
        struct terms terms;

        assert_int_equal(wish_meet(&first, &other, &terms), rows[i].terms != NULL);
        if (rows[i].terms == NULL)
            continue;
        terms_format(words, &terms);
        assert_string_equal(words, rows[i].terms);
        assert_true(wish_meet(&other, &first, &terms));
    }
}

static void a_wish_is_written_as_it_was_read(void **state)
{
    static const struct {
        const char *times, *rules, *words;
    } rows[] = {
        {"10m+5s", "kja", "time=10m+5s rules=kja side=any"},
        {"60m,5m+0s", "kja", "time=1h rules=kja side=any times=1h,5m"},
        {"none", "kja,martin", "time=none rules=kja side=any rulesets=kja,martin"},
        {"1h+10m,2h+10m,3h+10m,4h+10m,20m+10x599s,10m+10x599s,30m+10x599s,40m+10x599s",
         "courier,vchess,kja,martin",
         "time=1h+10m rules=courier side=any "
         "times=1h+10m,2h+10m,3h+10m,4h+10m,20m+10x599s,10m+10x599s,30m+10x599s,"
         "40m+10x599s rulesets=courier,vchess,kja,martin"},
    };
    char words[WISH_WORDS_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct wish wish = wish_of(rows[i].times, rows[i].rules);

        wish_format(words, &wish);
        assert_string_equal(words, rows[i].words);
    }
}

static void a_bad_list_changes_nothing(void **state)
{
    static const char *const times[] = {
        "",
        ",",
        "5m,",
        ",5m",
        "5m,5m",
        "60m,1h",
        "soon",
        "5m,,6m",
        "5m 6m",
        "1d,31d",
        "1m,2m,3m,4m,5m,6m,7m,8m,9m",
        "100000000000000000000000000000000000000000000000000m"};
    static const char *const rules[] = {"",      ",",        "chess",  "kja,",
                                        ",kja",  "kja,kja",  "KJA",    "kja, martin",
                                        "kja;x", "martin\t", "martinx"};
    struct wish wish = wish_of("5m", "kja");
    char words[WISH_WORDS_BYTES];
    const char *why = NULL;

    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        assert_false(wish_parse_times(&wish, times[i], &why));
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        assert_false(wish_parse_rules(&wish, rules[i], &why));
    assert_non_null(why);
    wish_format(words, &wish);
    assert_string_equal(words, "time=5m rules=kja side=any");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_fit_in_a_time_and_rules_of_both),
        cmocka_unit_test(a_wish_is_written_as_it_was_read),
        cmocka_unit_test(a_bad_list_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
