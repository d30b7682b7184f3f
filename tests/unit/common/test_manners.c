/* The manners of a game as text: read and written back, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/base.h"
#include "common/game/manners.h"

static void usual_values_are_not_written(void **state)
{
    static const char *const usual[][2] = {
        {"private", "no"}, {"takebacks", "ask"}, {"talk", "yes"}, {"setup", "none"}};
    struct manners manners = {.is_private = true, .bars_takebacks = true};
    const struct manners none = {.is_private = false};
    char out[MANNERS_BYTES];

    manners.bars_talk = manners.has_setup = true;
    for (size_t i = 0; i < ARRAY_LEN(usual); i++)
        assert_int_equal(manners_set(&manners, usual[i][0], usual[i][1]), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out, "");
    assert_true(manners_is_same(&manners, &none));
}

static void other_values_are_written_in_one_order(void **state)
{
    static const char *const other[][2] = {
        {"setup", "bnnb/2"}, {"talk", "no"}, {"takebacks", "no"}, {"private", "yes"}};
    struct manners manners = {.is_private = false};
    char out[MANNERS_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(other); i++)
        (void)!manners_set(&manners, other[i][0], other[i][1]);
    manners_format(out, &manners);
    assert_string_equal(out, " private=yes takebacks=no talk=no");
    assert_int_equal(manners_set(&manners, "setup", "bnnb/NBNB"), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out, " private=yes takebacks=no talk=no setup=BNNB/NBNB");
}

static void wrong_values_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"private", ""},          {"private", "maybe"},   {"takebacks", "yes"},
        {"talk", "NO"},           {"setup", ""},          {"setup", "NBNB"},
        {"setup", "NBNB/"},       {"setup", "NBNB/NBN"},  {"setup", "NBNB/NBNBN"},
        {"setup", "NBNB NBNB"},   {"setup", "NBNBN/BNB"}, {"setup", "XXXX/NBNB"},
        {"setup", "NBNB/NBNB/x"}, {"setup", "1/2"}};
    struct manners manners = {.is_private = false};

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (manners_set(&manners, wrong[i][0], wrong[i][1]) != MANNERS_BAD)
            fail_msg("taken: %s=%s", wrong[i][0], wrong[i][1]);
    assert_int_equal(manners_set(&manners, "colour", "red"), MANNERS_UNKNOWN);
    assert_int_equal(manners_set(&manners, "", ""), MANNERS_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_values_are_not_written),
        cmocka_unit_test(other_values_are_written_in_one_order),
        cmocka_unit_test(wrong_values_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
