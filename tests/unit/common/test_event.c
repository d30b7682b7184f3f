/* Tests of the lines of a game's log, formatted and parsed. */
#include <string.h>

#include "common/game/board.h"

#include "common/game/event.h"
#include "tests/unit/unit.h"

static struct event event_of(const char *text)
{
    struct event event;

    assert_so(event_parse(text, &event) == EVENT_OK, "not taken: %s", text);
    return event;
}

/* clang-format off */
static const char *const lines[] = {
    "start red=hong blue=kim rules=martin time=10m+5s",
    "start red=hong blue=kim rules=kja time=none",
    "start red=\xed\x99\x8d\xea\xb8\xb8 blue=a-b_c rules=vchess time=20m+3x40s",
    ("start red=a blue=b rules=courier time=0s+5s "
     "position=\"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1\""),
    "setup red NBNB",
    "setup blue BNNB",
    "move 1 red B0-C2 red_ms=600000 blue_ms=600000",
    "move 77 blue pass red_ms=0 blue_ms=1 red_periods=3 blue_periods=0",
    "move 3 red A0-I9",
    "takeback 10 red_ms=600000 blue_ms=600000",
    "takeback 0",
    "takeback 4 red_ms=0 blue_ms=5 red_periods=1 blue_periods=2",
    "adjourn",
    "adjourn red_ms=600000 blue_ms=0",
    "adjourn red_ms=0 blue_ms=5 red_periods=1 blue_periods=2",
    "adjourn red_ms=0 blue_ms=5 red_periods=1 blue_periods=2 used_ms=39999",
    "adjourn red_ms=0 blue_ms=0 red_periods=1 blue_periods=1 used_ms=2591999999",
    "continue",
    "end red checkmate",
    "end red absence",
    "end draw absence",
    "end draw naked_check",
    "end blue time",
    "end none aborted",
    "end red resignation by=blue",
    "end none aborted by=red",
    "start red=hong blue=kim rules=kja time=none takebacks=no",
    "start red=hong blue=kim rules=kja time=none talk=no",
    "start red=hong blue=kim rules=kja time=5m talk=no lag=no rated=yes",
    "move 1 red B0-C2 red_ms=600000 blue_ms=600000 lag_ms=82",
    "move 2 blue pass red_ms=0 blue_ms=5 red_periods=1 blue_periods=2 lag_ms=1000",
    ("start red=hong blue=kim rules=kja time=none private=yes takebacks=no talk=no "
     "position=\"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1\""),
    "start red=hong blue=kim rules=kja time=none talk=no setup=NBNB/BNNB",
    "start red=hong blue=kim rules=kja time=none watchers=members claim=600s",
    "start red=hong blue=kim rules=kja time=none watchers=none delay=20 claim=none",
    ("start red=hong blue=kim rules=kja time=none setup=NBNB/BNNB handicap=blue:rnnp "
     "position=\"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1\""),
};
/* clang-format on */

UNIT_TEST(lines_come_out_as_they_went_in)
{
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct event event = event_of(lines[i]);
        char again[EVENT_BYTES];

        assert_int_equal(event_format(again, &event), strlen(lines[i]));
        assert_string_equal(again, lines[i]);
    }
}

UNIT_TEST(every_part_of_a_line_is_parsed)
{
    struct event event = event_of(lines[3]);

    assert_int_equal(event.kind, EVENT_START);
    assert_string_equal(event.name[SIDE_RED], "a");
    assert_string_equal(event.name[SIDE_BLUE], "b");
    assert_ptr_equal(event.rules, ruleset_find("courier"));
    assert_int_equal(event.terms.increment_ms, 5000);
    assert_true(event.has_position);
    assert_int_equal(event.position.king[SIDE_RED], side_parse_point("D0"));
    event = event_of(lines[5]);
    assert_int_equal(event.kind, EVENT_SETUP);
    assert_int_equal(event.side, SIDE_BLUE);
    assert_int_equal(event.lineup, LINEUP_BNNB);
    event = event_of(lines[7]);
    assert_int_equal(event.kind, EVENT_MOVE);
    assert_int_equal(event.ply, 77);
    assert_true(move_is_pass(event.move));
    assert_true(event.has_times);
    assert_int_equal(event.left[SIDE_BLUE].main_ms, 1);
    assert_int_equal(event.left[SIDE_RED].periods, 3);
    event = event_of(lines[8]);
    assert_false(event.has_times);
    event = event_of(lines[15]);
    assert_int_equal(event.kind, EVENT_ADJOURN);
    assert_int_equal(event.left[SIDE_BLUE].main_ms, 5);
    assert_int_equal(event.used_ms, 39999);
    assert_int_equal(event_of(lines[17]).kind, EVENT_CONTINUE);
    event = event_of(lines[18]);
    assert_int_equal(event.outcome, OUTCOME_RED);
    assert_int_equal(event.reason, REASON_CHECKMATE);
}

UNIT_TEST(order_of_keys_and_unknown_ones_do_not_matter)
{
    /* clang-format off */
    static const char *const pairs[][2] = {
        {"start time=5m rules=martin x=1 blue=b  red=a note=\"two words\"",
         "start red=a blue=b rules=martin time=5m"},
        {"setup red NBNB at=12", "setup red NBNB"},
        {"move 1 red pass blue_ms=2 foo= red_ms=1",
         "move 1 red pass red_ms=1 blue_ms=2"},
        {"end draw agreement with=\"kim and hong\"", "end draw agreement"},
        {"takeback 0  by=kim ", "takeback 0"},
        {"adjourn used_ms=7 blue_periods=2 by=kim red_periods=1 blue_ms=4 red_ms=0",
         "adjourn red_ms=0 blue_ms=4 red_periods=1 blue_periods=2 used_ms=7"},
        {"adjourn used_ms=0", "adjourn"},
        {"move 1 red pass lag_ms=7 red_ms=1 blue_ms=1 lag_ms=0",
         "move 1 red pass red_ms=1 blue_ms=1"},
        {"takeback 0 red_ms=1 blue_ms=1 lag_ms=1001", "takeback 0 red_ms=1 blue_ms=1"},
        {"continue by=kim", "continue"},
    };
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        struct event event = event_of(pairs[i][0]);
        char again[EVENT_BYTES];

        event_format(again, &event);
        assert_string_equal(again, pairs[i][1]);
    }
}

UNIT_TEST(kinds_of_later_versions_are_told_from_nonsense)
{
    struct event event;

    assert_int_equal(event_parse("pause red left_ms=5", &event), EVENT_UNKNOWN);
    assert_int_equal(event_parse("moved", &event), EVENT_UNKNOWN);
}

UNIT_TEST(wrong_lines_are_refused)
{
    /* clang-format off */
    static const char *const wrong[] = {
        "", " ", "x=1",
        "start", "start red=a blue=b rules=martin", "start red=a blue=b time=5m",
        "start red=a rules=martin time=5m", "start blue=a rules=martin time=5m",
        "start red=a blue=b rules=go time=5m", "start red=a blue=b rules=martin time=5",
        "start red= blue=b rules=martin time=5m",
        "start red=\"a c\" blue=b rules=martin time=5m",
        "start red=a23456789012345678901234567890123 blue=b rules=martin time=5m",
        "start red=a blue=b rules=martin time=5m position=\"4k4\"",
        ("start red=a blue=b rules=martin time=5m "
         "position=\"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1"),
        "start red=a blue=b rules=martin time=5m position=\"x\"y",
        "start red=a blue=b rules=martin time=5m position=x\"y\"",
        "start red=a blue=b rules=martin time=5m extra",
        "start red=a blue=b rules=martin time=5m talk=maybe",
        "start red=a blue=b rules=martin time=5m setup=NBNB",
        "setup", "setup red", "setup green NBNB", "setup red XXXX", "setup red nbnb",
        "setup red 2", "setup red NBNB NBNB", "setup red=1 NBNB",
        "move", "move 1", "move 1 red", "move 1 red b0c2", "move 1 red B0C2",
        "move 1 red PASS", "move 0 red pass", "move -1 red pass", "move 1x red pass",
        "move 007 red pass", "move 01 red pass", "move 1 red pass red_ms=01 blue_ms=1",
        "move 1 red pass red_ms=1 blue_ms=-0", "move 1 red pass red_ms=00 blue_ms=1",
        "move 1 red pass red_ms=1 blue_ms=1 red_periods=1 blue_periods=02",
        "move 1 red pass red_ms=1 blue_ms=1 lag_ms=07", "takeback -0", "takeback 00",
        "adjourn red_ms=0 blue_ms=0 red_periods=1 blue_periods=1 used_ms=07",
        "move 1 none pass", "move 100001 red pass", "move 1 red pass red_ms=1",
        "move 1 red pass blue_ms=1", "move 1 red pass red_ms=1 blue_ms=-1",
        "move 1 red pass red_ms=1 blue_ms=x",
        "move 1 red pass red_periods=1 blue_periods=1",
        "move 1 red pass lag_ms=1", "move 1 red pass red_ms=1 blue_ms=1 lag_ms=1001",
        "move 1 red pass red_ms=1 blue_ms=1 lag_ms=-1",
        "move 1 red pass red_ms=1 blue_ms=1 red_periods=1",
        "move 1 red pass red_ms=1 blue_ms=1 red_periods=1 blue_periods=11",
        "move 1 red pass red_ms=99999999999999 blue_ms=1", "move 1 red pass junk",
        "move 1 red pass =", "move 1 red pass \"", "move 1 \"red\" pass",
        "takeback", "takeback -1", "takeback x", "takeback 1 red",
        "takeback 1 red_ms=4",
        "adjourn now", "adjourn 3", "adjourn red_ms=4", "adjourn used_ms=5",
        "adjourn red_ms=4 blue_ms=4 used_ms=5", "adjourn red_periods=1 blue_periods=1",
        "adjourn red_ms=0 blue_ms=0 red_periods=1 blue_periods=1 used_ms=-1",
        "adjourn red_ms=0 blue_ms=0 red_periods=1 blue_periods=1 used_ms=x",
        "continue now", "continue 1", "continue =",
        "end", "end red", "end green checkmate", "end red none", "end red nonsense",
        "end red checkmate now", "end\tred checkmate", "end red checkmate\n",
        "end red resignation by=kim", "end red resignation by=none",
    };
    /* clang-format on */
    char longest[2 * EVENT_BYTES];

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct event event = {.ply = 5};

        assert_so(event_parse(wrong[i], &event) == EVENT_BAD, "taken: %s", wrong[i]);
        assert_int_equal(event.ply, 5);
    }
    for (int byte = 1; byte < 256; byte++) {
        struct event event;

        memset(longest, byte, sizeof longest - 1);
        longest[sizeof longest - 1] = '\0';
        assert_int_equal(event_parse(longest, &event), EVENT_BAD);
    }
}

/* Formats an event in which every part has its greatest length: the text fits into
 * EVENT_BYTES. */
UNIT_TEST(any_event_fits)
{
    struct event event = {.kind = EVENT_START, .has_position = true};
    char text[EVENT_BYTES];

    event.manners = (struct manners){.is_private = true,
                                     .bars_takebacks = true,
                                     .bars_talk = true,
                                     .bars_lag = true,
                                     .watchers = WATCHERS_MEMBERS,
                                     .delay_plies = DELAY_PLIES_MOST,
                                     .claim_s = CLAIM_S_MOST,
                                     .has_setup = true,
                                     .has_odds = true,
                                     .odds_side = SIDE_BLUE,
                                     .odds = {0, 2, 2, 2, 2, 0, 2, 5}};
    memset(event.name[SIDE_RED], 'x', EVENT_NAME_BYTES - 1);
    memset(event.name[SIDE_BLUE], 'y', EVENT_NAME_BYTES - 1);
    event.rules = ruleset_find("courier");
    assert_true(time_terms_parse("86399s+10x599s", &event.terms));
    assert_true(position_parse("r1bg1g1nr/4k1n1b/1c1c5/p1p1p1p1p/9/9/P1P1P1P1P/1C1C5/"
                               "4K1B1N/R1NG1GB1R b rb 2 999 99999",
                               &event.position, NULL));
    assert_true(event_format(text, &event) < EVENT_BYTES - 1);
    event = event_of(text);
    assert_int_equal(event.position.move_number, 99999);
    event = (struct event){.kind = EVENT_MOVE,
                           .ply = 100000,
                           .has_times = true,
                           .lag_ms = CLOCK_LAG_MS_MOST};
    for (int side = 0; side < SIDES; side++)
        event.left[side] = (struct time_left){INT64_C(31536000000), 10};
    event_format(text, &event);
    event_of(text);
}

UNIT_MAIN(NULL, NULL)
