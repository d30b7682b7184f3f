/* Tests of client/uci/uci: positions and moves as a UCI program receives them. */
#include <stdint.h>
#include <string.h>

#include "client/uci/uci.h"

#include "client/uci/variant.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "tests/unit/unit.h"

static struct uci_board board;
static char why[UCI_WHY_BYTES];

static bool read_text(const char *variant, const char *text)
{
    char copy[8192];

    assert_true(text_copy(copy, sizeof copy, text));
    uci_board_start(&board, variant_find(variant));
    return uci_board_read(&board, copy, why);
}

static void check_position(const char *wanted)
{
    char text[POSITION_BYTES];

    position_format(text, &board.position);
    assert_string_equal(text, wanted);
}

UNIT_TEST(the_start_is_that_of_the_variant)
{
    assert_true(read_text("janggi", "startpos"));
    check_position("rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR"
                   " b - 0 0 1");
    assert_true(read_text("martin", "startpos"));
    check_position("rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR"
                   " r - 0 0 1");
}

UNIT_TEST(moves_are_played_from_the_start)
{
    assert_true(read_text("janggi", "startpos moves a4b4 a7b7  e2e2"));
    check_position("rnbg1gbnr/4k4/1c5c1/p1p1p1pp1/9/9/P1P1P1PP1/1C5C1/4K4/RNBG1GBNR"
                   " r - 1 3 2");
    assert_int_equal(board.past.plies, 3);
}

UNIT_TEST(a_fen_is_a_start_too)
{
    assert_true(
        read_text("janggi", "fen 3k5/9/9/9/9/9/9/9/4K4/R8 w - - 7 9 moves a1a9"));
    check_position("9/4k4/9/9/9/9/9/9/8r/5K3 r - 0 8 9");
    assert_int_equal(board.past.plies, 1);
    assert_false(board.past.ply[0].gave_check);
}

UNIT_TEST(a_capture_ends_the_past)
{
    assert_true(read_text("janggi", "startpos moves i4h4 a7a6 h1g3"));
    assert_int_equal(board.past.plies, 3);
    assert_true(read_text("janggi",
                          "fen 3k5/n8/9/9/9/9/9/9/4K4/R8 w - - 7 9 moves e2f2 d10d9"
                          " a1a9"));
    assert_int_equal(board.past.plies, 0);
}

UNIT_TEST(checks_of_the_past_are_noted)
{
    assert_true(read_text("janggi",
                          "fen 3k5/9/9/9/9/9/9/9/5K3/R8 w - - 0 1 moves a1a10 d10e9"
                          " a10a8"));
    assert_int_equal(board.past.plies, 3);
    assert_true(board.past.ply[0].gave_check);
    assert_false(board.past.ply[1].gave_check);
    assert_false(board.past.ply[2].gave_check);
}

/* uci_board_read() accepts moves after the end of a game. It keeps only the last
 * hundred plies of the past. */
UNIT_TEST(a_long_past_is_cut)
{
    char text[8192] = "fen 3k5/9/9/9/9/9/9/9/5K3/R8 w - - 0 1 moves";

    for (int i = 0; i < 60; i++)
        strcat(text, i % 2 == 0 ? " a1a2 d10d9" : " a2a1 d9d10");
    assert_true(read_text("janggi", text));
    assert_int_equal(board.past.plies, SEARCH_PAST_MAX);
    check_position("8r/3k5/9/9/9/9/9/9/9/5K3 b - 0 120 61");
    assert_true(board.past.ply[99].key != board.past.ply[98].key);
    assert_true(board.past.ply[99].key == board.past.ply[95].key);
}

UNIT_TEST(the_fault_is_named)
{
    static const char *const wrong[][2] = {
        {"", "position wants startpos or fen"},
        {"startpos moves a4a9", "illegal move: "},
        {"startpos moves z1", "no move: "},
        {"startpos moves a4b4 a4b4", "no move: "},
        {"fen rubbish w - - 0 1", "invalid position: "},
        {"fen 3k5/9/9/9/9/9/9/9/3K5/R8 x - - 0 1", "invalid position: "},
        {"fen R3k4/9/9/9/9/9/9/9/3K5/9 w - - 0 1", "invalid position: "},
    };

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(read_text("janggi", wrong[i][0]));
        if (strncmp(why, wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("\"%s\": %s", wrong[i][0], why);
    }
}

UNIT_TEST(variants_are_found_by_both_names)
{
    assert_ptr_equal(variant_find("janggi"), ruleset_find("kja"));
    assert_ptr_equal(variant_find("kja"), ruleset_find("kja"));
    assert_string_equal(variant_name(ruleset_find("kja")), "janggi");
    assert_string_equal(variant_name(ruleset_find("martin")), "martin");
    assert_null(variant_find("xiangqi"));
    assert_null(ruleset_find("janggimodern")); /* a variant of the engine, not a ruleset
                                                * of games */
}

UNIT_MAIN(NULL, NULL)
