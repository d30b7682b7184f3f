/* Tests of common/game/manners: the terms of a game as text. Valid texts are read and
 * written again. Invalid texts are refused. */
#include <string.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/manners.h"
#include "common/game/position.h"
#include "common/game/rules.h"
#include "tests/unit/unit.h"

UNIT_TEST(usual_values_are_not_written)
{
    static const char *const usual[][2] = {{"private", "no"},    {"takebacks", "ask"},
                                           {"talk", "yes"},      {"setup", "none"},
                                           {"handicap", "none"}, {"watchers", "all"},
                                           {"claim", "usual"},   {"delay", "0"},
                                           {"sealed", "no"},     {"lag", "yes"}};
    struct manners manners = {.is_private = true, .bars_takebacks = true};
    const struct manners none = {.is_private = false};
    char out[MANNERS_BYTES];

    manners.bars_talk = manners.bars_lag = manners.has_setup = manners.is_sealed = true;
    for (size_t i = 0; i < ARRAY_LEN(usual); i++)
        assert_int_equal(manners_set(&manners, usual[i][0], usual[i][1]), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out, "");
    assert_true(manners_is_same(&manners, &none));
}

UNIT_TEST(other_values_are_written_in_one_order)
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
    assert_int_equal(manners_set(&manners, "claim", "30s"), MANNERS_SET);
    assert_int_equal(manners_set(&manners, "watchers", "none"), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out,
                        " private=yes takebacks=no talk=no watchers=none claim=30s "
                        "setup=BNNB/NBNB");
    assert_int_equal(manners_set(&manners, "claim", "none"), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out,
                        " private=yes takebacks=no talk=no watchers=none claim=none "
                        "setup=BNNB/NBNB");
}

UNIT_TEST(sealed_is_written_behind_rated)
{
    struct manners manners = {.is_rated = true, .delay_plies = 3};
    char out[MANNERS_BYTES];

    assert_int_equal(manners_set(&manners, "sealed", "maybe"), MANNERS_BAD);
    assert_int_equal(manners_set(&manners, "sealed", "yes"), MANNERS_SET);
    manners_format(out, &manners);
    assert_string_equal(out, " rated=yes sealed=yes delay=3");
}

/* A handicap takes the leftmost piece of a kind, seen from its own side: red's is
 * nearest to file A, blue's nearest to file I. */
UNIT_TEST(a_handicap_takes_the_left_pieces)
{
    static const struct {
        const char *value, *position;
    } cases[] = {
        {"red:r", "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/1NBG1GBNR r - "
                  "0 0 1"},
        {"blue:nrp",
         "rnbg1gb2/4k4/1c5c1/p1p1p1p2/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - "
         "0 0 1"},
        {"red:rrccggnnbbppppp",
         "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/9/9/4K4/9 r - 0 0 1"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct manners manners = {.is_private = false};
        char position[POSITION_BYTES];
        struct position out;

        assert_int_equal(manners_set(&manners, "handicap", cases[i].value),
                         MANNERS_SET);
        assert_false(manners_handicap(&manners, ruleset_find("martin"), &out));
        assert_int_equal(manners_set(&manners, "setup", "NBBN/NBBN"), MANNERS_SET);
        assert_true(manners_handicap(&manners, ruleset_find("martin"), &out));
        position_format(position, &out);
        assert_string_equal(position, cases[i].position);
    }
}

UNIT_TEST(wrong_values_are_refused)
{
    static const char *const wrong[][2] = {
        {"private", ""},          {"private", "maybe"},    {"takebacks", "yes"},
        {"talk", "NO"},           {"setup", ""},           {"setup", "NBNB"},
        {"setup", "NBNB/"},       {"setup", "NBNB/NBN"},   {"setup", "NBNB/NBNBN"},
        {"setup", "NBNB NBNB"},   {"setup", "NBNBN/BNB"},  {"setup", "XXXX/NBNB"},
        {"setup", "NBNB/NBNB/x"}, {"setup", "1/2"},        {"handicap", ""},
        {"handicap", "red"},      {"handicap", "red:"},    {"handicap", "green:r"},
        {"handicap", "red:k"},    {"handicap", "red:rrr"}, {"handicap", "red:R"},
        {"handicap", "red:r "},   {"handicap", "blue:x"},  {"delay", "21"},
        {"delay", "-1"},          {"delay", ""},           {"claim", "29s"},
        {"claim", "601s"},        {"claim", "60"},         {"claim", "s"},
        {"claim", "1000s"},       {"claim", "60s "},       {"claim", ""},
        {"watchers", "0"},        {"watchers", "member"}};
    struct manners manners = {.is_private = false};

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (manners_set(&manners, wrong[i][0], wrong[i][1]) != MANNERS_BAD)
            fail_msg("taken: %s=%s", wrong[i][0], wrong[i][1]);
    assert_int_equal(manners_set(&manners, "colour", "red"), MANNERS_UNKNOWN);
    assert_int_equal(manners_set(&manners, "", ""), MANNERS_UNKNOWN);
}

UNIT_MAIN(NULL, NULL)
