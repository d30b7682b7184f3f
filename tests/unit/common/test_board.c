/* Tests of points, line-ups and position texts, valid and invalid. */
#include <string.h>

#include "common/game/board.h"
#include "common/game/points.h"
#include "common/game/position.h"
#include "common/words/term.h"
#include "tests/unit/read_position.h"
#include "tests/unit/unit.h"

#define FIG1 "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR"

UNIT_TEST(points_have_two_characters)
{
    assert_int_equal(side_parse_point("A0"), 0);
    assert_int_equal(side_parse_point("i9"), 89);
    assert_int_equal(side_parse_point("B0"), 1);
    assert_int_equal(side_parse_point("b1"), 10);
    for (int point = 0; point < BOARD_POINTS; point++) {
        char text[POINT_BYTES];

        side_format_point(text, point);
        assert_int_equal(side_parse_point(text), point);
    }
    for (int first = 0; first < 256; first++)
        for (int second = 0; second < 256; second++) {
            char text[] = {(char)first, (char)second};
            bool is_file =
                (first >= 'A' && first <= 'I') || (first >= 'a' && first <= 'i');
            bool is_point = is_file && second >= '0' && second <= '9';

            assert_int_equal(side_parse_point(text) != POINT_NONE, is_point);
        }
}

UNIT_TEST(words_go_both_ways)
{
    enum lineup lineup = LINEUP_BNNB;

    assert_string_equal(side_name(SIDE_RED), "red");
    assert_string_equal(side_name(SIDE_NONE), "none");
    assert_string_equal(term_side_title(SIDE_BLUE), "Blue");
    assert_int_equal(side_parse("red"), SIDE_RED);
    assert_int_equal(side_parse("blue"), SIDE_BLUE);
    assert_int_equal(side_parse("none"), SIDE_NONE);
    assert_int_equal(side_parse("Red"), SIDE_NONE);
    assert_string_equal(kind_name(KIND_NONE), "");
    assert_string_equal(kind_name(KIND_ROOK), "rook");
    assert_string_equal(kind_name(KIND_PAWN), "pawn");
    for (int i = 0; i < LINEUPS; i++) {
        char number[2] = {(char)('1' + i), '\0'};

        assert_true(lineup_parse(lineup_name((enum lineup)i), &lineup));
        assert_int_equal(lineup, i);
        assert_true(lineup_parse(number, &lineup));
        assert_int_equal(lineup, i);
    }
    assert_true(lineup_parse("nBnb", &lineup));
    assert_int_equal(lineup, LINEUP_NBNB);
    assert_false(lineup_parse("", &lineup));
    assert_false(lineup_parse("0", &lineup));
    assert_false(lineup_parse("5", &lineup));
    assert_false(lineup_parse("12", &lineup));
    assert_false(lineup_parse("NBB", &lineup));
    assert_false(lineup_parse("NBBNN", &lineup));
    assert_false(lineup_parse("NNBB", &lineup));
}

UNIT_TEST(the_board_knows_its_sides)
{
    assert_int_equal(side_rows_ahead(SIDE_RED, side_parse_point("E3")), 3);
    assert_int_equal(side_rows_ahead(SIDE_BLUE, side_parse_point("E3")), 6);
    for (int point = 0; point < BOARD_POINTS; point++) {
        char text[POINT_BYTES];
        bool is_middle;

        side_format_point(text, point);
        is_middle = strchr("DEF", text[0]) != NULL;
        assert_int_equal(side_owns_fortress_at(SIDE_RED, point),
                         is_middle && text[1] <= '2');
        assert_int_equal(side_owns_fortress_at(SIDE_BLUE, point),
                         is_middle && text[1] >= '7');
    }
}

UNIT_TEST(line_ups_give_the_figures)
{
    struct position position;
    char text[POSITION_BYTES];

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    position_format(text, &position);
    assert_string_equal(text, FIG1 " r - 0 0 1");
    position_set_up(&position, LINEUP_NBNB, LINEUP_NBNB, SIDE_BLUE);
    position_format(text, &position);
    assert_string_equal(text, "rnbg1gnbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/"
                              "RNBG1GNBR b - 0 0 1");
    position_set_up(&position, LINEUP_BNBN, LINEUP_BNNB, SIDE_RED);
    position_format(text, &position);
    assert_string_equal(text, "rbng1gnbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/"
                              "RBNG1GBNR r - 0 0 1");
}

/* Checks that the sets, the codes, the kings and the key of position agree. */
static void check_whole(const struct position *position)
{
    assert_int_equal(position->key, position_key(position));
    for (int point = 0; point < BOARD_POINTS; point++) {
        enum kind kind = position_kind(position, point);
        enum side side = position_side(position, point);

        for (int k = KIND_ROOK; k < KINDS; k++)
            assert_int_equal(points_has(position->of_kind[k], point),
                             kind == (enum kind)k);
        for (int s = 0; s < SIDES; s++)
            assert_int_equal(points_has(position->of_side[s], point),
                             side == (enum side)s);
    }
    for (int s = 0; s < SIDES; s++)
        assert_int_equal(position->at[position->king[s]],
                         piece_code(KIND_KING, (enum side)s));
}

UNIT_TEST(a_turn_is_given_to_the_other_side)
{
    struct position position, before;
    char text[POSITION_BYTES];

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    before = position;
    position_turn_over(&position);
    check_whole(&position);
    position_format(text, &position);
    assert_string_equal(text, FIG1 " b - 0 0 1");
    position_turn_over(&position);
    assert_memory_equal(&position, &before, sizeof before);
}

UNIT_TEST(a_position_is_whole)
{
    struct position position, again;
    char text[POSITION_BYTES];

    for (int red = 0; red < LINEUPS; red++)
        for (int blue = 0; blue < LINEUPS; blue++) {
            position_set_up(&position, (enum lineup)red, (enum lineup)blue, SIDE_RED);
            check_whole(&position);
            position_format(text, &position);
            assert_true(position_parse(text, &again, NULL));
            assert_memory_equal(&position, &again, sizeof again);
        }
    position_take_off(&position, side_parse_point("B7"));
    position_put(&position, side_parse_point("B5"), piece_code(KIND_CANNON, SIDE_BLUE));
    check_whole(&position);
}

/* The key (a hash of the position) depends on all parts of the position, and on nothing
 * else. */
UNIT_TEST(keys_tell_positions_apart)
{
    static const char *const texts[] = {
        FIG1 " r - 0 0 1",
        FIG1 " b - 0 0 1",
        FIG1 " r r 0 0 1",
        FIG1 " r b 0 0 1",
        FIG1 " r rb 0 0 1",
        FIG1 " b r 0 0 1",
        "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/P8/2P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 0 0 1",
        "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GNBR r - 0 0 1"};
    struct position a, b;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t k = 0; k < ARRAY_LEN(texts); k++) {
            assert_true(position_parse(texts[i], &a, NULL));
            assert_true(position_parse(texts[k], &b, NULL));
            assert_int_equal(a.key == b.key, i == k);
        }
    assert_true(position_parse(FIG1 " r - 1 37 12", &a, NULL));
    assert_true(position_parse(texts[0], &b, NULL));
    assert_int_equal(a.key, b.key);
}

/* clang-format off */
static const struct {
    const char *text, *why;
} wrong_texts[] = {
    {"", "row 9 has 0 points, not 9"},
    {" ", "row 9 has 0 points, not 9"},
    {"4k4/9/9", "the board ends after row 7; row 6 is missing"},
    {"4k4/9/9 r - 0 0 1", "the board ends after row 7; row 6 is missing"},
    {"4k5/9/9/9/9/9/9/9/9/4K4 r - 0 0 1", "row 9 has more than 9 points"},
    {"4k4/9/91/9/9/9/9/9/9/4K4 r - 0 0 1", "row 7 has more than 9 points"},
    {"4k4/9/8/9/9/9/9/9/9/4K4 r - 0 0 1", "row 7 has 8 points, not 9"},
    {"4k4/9/9/9/9/9/9/9/9/4K4/9 r - 0 0 1", "the board has more than 10 rows"},
    {"4k4/9/9/4x4/9/9/9/9/9/4K4 r - 0 0 1",
     "row 6: 'x' is neither a piece nor a number of empty points"},
    {"4k4/9/9/0999/9/9/9/9/9/4K4 r - 0 0 1",
     "row 6: '0' is neither a piece nor a number of empty points"},
    {"4k4/9/9/\xc3\xa9/9/9/9/9/9/4K4 r - 0 0 1",
     "row 6: byte 0xC3 is neither a piece nor a number of empty points"},
    {"4k4/9/9/\t9/9/9/9/9/9/4K4 r - 0 0 1",
     "row 6: byte 0x09 is neither a piece nor a number of empty points"},
    {"9/9/9/9/9/9/9/9/9/4K4 r - 0 0 1", "Blue has 0 kings, not 1"},
    {"3kk4/9/9/9/9/9/9/9/9/4K4 r - 0 0 1", "Blue has 2 kings, not 1"},
    {"4k4/9/9/9/9/9/9/9/4K4/4K4 r - 0 0 1", "Red has 2 kings, not 1"},
    {"4k4/9/9/4K4/9/9/9/9/9/9 r - 0 0 1",
     "Red's king on E6 stands outside its fortress"},
    {"2k6/9/9/9/9/9/9/9/9/4K4 r - 0 0 1",
     "Blue's king on C9 stands outside its fortress"},
    {"4k4/9/9/g8/9/9/9/9/9/4K4 r - 0 0 1",
     "Blue's guard on A6 stands outside its fortress"},
    {"4k4/9/9/9/9/9/9/P8/9/4K4 r - 0 0 1",
     "Red's pawn on A2 stands behind the row it started from"},
    {"4k4/9/8p/9/9/9/9/9/9/4K4 r - 0 0 1",
     "Blue's pawn on I7 stands behind the row it started from"},
    {"4k4/9/9/RRR6/9/9/9/9/9/4K4 r - 0 0 1", "Red has 3 rooks; at most 2 are allowed"},
    {"4k4/9/9/pppppp3/9/9/9/9/9/4K4 r - 0 0 1",
     "Blue has 6 pawns; at most 5 are allowed"},
    {"4k4/9/9/9/9/9/9/9/9/3K5", "the side to move (after the board) must be r or b"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 w - 0 0 1",
     "the side to move (after the board) must be r or b"},
    {"4k4/9/9/9/9/9/9/9/9/3K5  r - 0 0 1",
     "the side to move (after the board) must be r or b"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r",
     "the forfeits (after the side to move) must be -, r, b or rb"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r br 0 0 1",
     "the forfeits (after the side to move) must be -, r, b or rb"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r -", "the passes must be a number from 0 to 2"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 3 0 1",
     "the passes must be a number from 0 to 2"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - -0 0 1",
     "the passes must be a number from 0 to 2"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 1000 1",
     "the plies without a capture must be a number from 0 to 999"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 99999999999999999999 1",
     "the plies without a capture must be a number from 0 to 999"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0",
     "the move number must be a number from 1 to 99999"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 0",
     "the move number must be a number from 1 to 99999"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1 ", "unexpected text after the move number"},
    {"4k4/9/9/9/9/9/9/9/9/3K5 r - 0 0 1 x", "unexpected text after the move number"},
};
/* clang-format on */

UNIT_TEST(wrong_texts_are_refused_with_a_place)
{
    for (size_t i = 0; i < ARRAY_LEN(wrong_texts); i++) {
        struct position position = {.quiet = 77};
        char why[SENTENCE_BYTES] = "";

        assert_false(read_position(wrong_texts[i].text, &position, why));
        assert_string_equal(why, wrong_texts[i].why);
        assert_false(position_parse(wrong_texts[i].text, &position, NULL));
        assert_int_equal(position.quiet, 77);
    }
}

/* A diagram is a board for display. The text may end after the board. If a king is
 * missing, the other pieces are not counted. If both kings are there, the usual limits
 * apply to the number of pieces. */
UNIT_TEST(a_diagram_may_lack_kings)
{
    static const char *const diagrams[] = {"4r4/9/4n4/9/9/2r1Cr2c/9/4C4/9/9",
                                           "9/9/9/9/9/9/9/9/4K4/9 b - 0 3 2"};
    static const char *const refused[] = {
        "9/9/9/9/9/9/9/9/3KK4/9", "9/9/9/9/9/9/9/9/4K4/9 x - 0 0 1",
        "4k4/9/9/9/RRR6/9/9/9/4K4/9", "9/9/9/9/9/9/9/9/9", "9/9/9/9/9/9/9/9/9/9 r"};
    struct position position, whole;

    for (size_t i = 0; i < ARRAY_LEN(diagrams); i++) {
        assert_true(position_parse_diagram(diagrams[i], &position, NULL));
        assert_true(position_is_diagram(&position));
        assert_false(position_parse(diagrams[i], &position, NULL));
    }
    assert_int_equal(position.king[SIDE_BLUE], POINT_NONE);
    assert_int_equal(position.side, SIDE_BLUE);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        assert_false(position_parse_diagram(refused[i], &position, NULL));
    assert_true(position_parse_diagram(FIG1, &position, NULL));
    assert_true(position_parse(FIG1 " r - 0 0 1", &whole, NULL));
    assert_memory_equal(&position, &whole, sizeof whole);
    assert_false(position_is_diagram(&whole));
}

/* Parses valid texts with random bytes changed, and random texts: nothing crashes, and
 * every accepted position can be written and read again. */
UNIT_TEST(random_lines_do_no_harm)
{
    uint64_t seed = 1;
    char text[4097];

    for (int round = 0; round < 20000; round++) {
        struct position position;
        char why[SENTENCE_BYTES], again[POSITION_BYTES];
        int changes = round % 4;

        strcpy(text, FIG1 " r - 0 0 1");
        for (int i = 0; i < changes; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            text[(seed >> 33) % strlen(FIG1)] = (char)(1 + (seed >> 50) % 255);
        }
        if (read_position(text, &position, why)) {
            position_format(again, &position);
            assert_true(read_position(again, &position, why));
        } else {
            assert_true(strlen(why) > 0);
        }
    }
    memset(text, '9', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 256; i++) {
        struct position position;

        memset(text, i == 0 ? '/' : i, sizeof text - 1);
        assert_false(position_parse(text, &position, NULL));
    }
}

UNIT_MAIN(NULL, NULL)
