/* Tests of moves as people type them and as the log stores them. */
#include <string.h>

#include "common/game/move.h"
#include "tests/unit/unit.h"

UNIT_TEST(moves_are_read_as_people_write_them)
{
    static const struct {
        const char *text, *again;
        enum kind kind;
    } cases[] = {
        {"B0-C2", "B0-C2", KIND_NONE},       {"b0c2", "B0-C2", KIND_NONE},
        {"b0 c2", "B0-C2", KIND_NONE},       {"B0xC2", "B0-C2", KIND_NONE},
        {"b0Xc2", "B0-C2", KIND_NONE},       {"nB0-C2", "B0-C2", KIND_KNIGHT},
        {"Nb0-c2", "B0-C2", KIND_KNIGHT},    {"bB0-C2", "B0-C2", KIND_BISHOP},
        {"bb0c2", "B0-C2", KIND_BISHOP},     {"gG0 g1", "G0-G1", KIND_GUARD},
        {"KE1E2", "E1-E2", KIND_KING},       {"cc2c5", "C2-C5", KIND_CANNON},
        {"pa3-a4", "A3-A4", KIND_PAWN},      {"Ra0xa9", "A0-A9", KIND_ROOK},
        {"  a3 - a4  ", "A3-A4", KIND_NONE}, {"\tI9\tA9", "I9-A9", KIND_NONE},
        {"pass", "pass", KIND_NONE},         {" PASS ", "pass", KIND_NONE},
        {"Pass", "pass", KIND_NONE},         {"e1e1", "E1-E1", KIND_NONE},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct move move;
        enum kind kind;
        char again[MOVE_BYTES];

        if (!move_parse(cases[i].text, &move, &kind))
            fail_msg("not taken: %s", cases[i].text);
        assert_true(move_parse(cases[i].text, &move, NULL));
        move_format(again, move);
        assert_string_equal(again, cases[i].again);
        assert_int_equal(kind, cases[i].kind);
        assert_int_equal(move_is_pass(move), strcmp(again, "pass") == 0);
    }
}

UNIT_TEST(text_that_is_not_a_move_is_refused)
{
    static const char *const texts[] = {
        "",      " ",      "b",      "b0",       "b0-",       "b0c",
        "b0-j2", "j0-b2",  "b0--c2", "b0c2c",    "b0c22",     "xb0c2",
        "passs", "pas",    "pass x", "bb",       "zB0-C2",    "b0=c2",
        "nn",    "n b0c2", "b 0c2",  "\xff\xfe", "b0\xe2-c2", "B0-C2\n",
        "10c2",  "-b0c2",  "b0xxc2", "rnB0C2",   "p"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct move move = {7, 8};
        enum kind kind = KIND_PAWN;

        assert_so(!move_parse(texts[i], &move, &kind), "taken: %s", texts[i]);
        assert_int_equal(move.from, 7);
        assert_int_equal(kind, KIND_PAWN);
    }
}

UNIT_TEST(every_move_keeps_its_text)
{
    for (int from = 0; from < BOARD_POINTS; from++)
        for (int to = 0; to < BOARD_POINTS; to++) {
            struct move move = {(int8_t)from, (int8_t)to}, again;
            char text[MOVE_BYTES];

            move_format(text, move);
            assert_true(move_parse(text, &again, NULL));
            assert_true(move_is_same(move, again));
        }
    assert_false(move_is_same(move_pass(), (struct move){0, 1}));
    assert_false(move_is_same((struct move){0, 2}, (struct move){0, 1}));
}

UNIT_MAIN(NULL, NULL)
