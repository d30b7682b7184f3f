/* Tests of refused moves: the reason, the point and the sentence of each refusal. */
#include <string.h>

#include "common/game/rules.h"
#include "common/words/sentence.h"
#include "tests/unit/read_position.h"
#include "tests/unit/unit.h"

#define FIG1 "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 0 0 1"

/* clang-format off */
static const struct {
    const char *rules, *position, *move;
    enum fault_code code;
    const char *at; /* "" for none */
    const char *words;
} cases[] = {
    {"martin", FIG1, "B0-C2", FAULT_NONE, "", "the move is legal"},
    {"martin", FIG1, "E4-E5", FAULT_NO_PIECE, "E4", "no piece stands on E4"},
    {"martin", FIG1, "A6-A5", FAULT_NOT_YOURS, "A6", "the pawn on A6 is not yours"},
    {"martin", FIG1, "E1-E1", FAULT_SAME_POINT, "E1",
     "the king would stay on E1; to make no move, type pass"},
    {"martin", FIG1, "B0-D1", FAULT_LEG_BLOCKED, "C0",
     "the bishop on C0 blocks the knight's step"},
    {"martin", FIG1, "B0-B3", FAULT_SHAPE, "",
     "the knight on B0 does not go to B3: it goes one step straight, then one "
     "diagonally outward"},
    {"martin", FIG1, "A0-A3", FAULT_OWN_TARGET, "A3", "your own pawn stands on A3"},
    {"martin", FIG1, "A0-A5", FAULT_PATH_BLOCKED, "A3",
     "the pawn on A3 is in the rook's way to A5"},
    {"martin", FIG1, "A0-B1", FAULT_SHAPE, "",
     "the rook on A0 does not go to B1: it follows one straight painted line"},
    {"martin", FIG1, "C0-A3", FAULT_LEG_BLOCKED, "B2",
     "the cannon on B2 blocks the bishop's step"},
    {"martin", FIG1, "G0-D2", FAULT_LEG_BLOCKED, "F0",
     "the guard on F0 blocks the bishop's step"},
    {"martin", FIG1, "B2-B7", FAULT_NO_SCREEN, "",
     "a cannon needs one piece to jump, and nothing stands between B2 and B7"},
    {"martin", FIG1, "B2-B9", FAULT_SCREEN_CANNON, "B7",
     "a cannon cannot jump a cannon, and there is one on B7"},
    {"martin", FIG1, "B2-C3", FAULT_SHAPE, "",
     "the cannon on B2 does not go to C3: it jumps along one straight painted line"},
    {"martin", "5k3/1c7/9/9/1P7/1C7/9/9/9/3K5 r - 0 0 1", "B4-B8", FAULT_TARGET_CANNON,
     "B8", "a cannon cannot take the cannon on B8"},
    {"martin", "5k3/1n7/1b7/9/1P7/1C7/9/9/9/3K5 r - 0 0 1", "B4-B8", FAULT_TWO_SCREENS,
     "B7",
     "a cannon jumps one piece only, and the bishop on B7 is a second one before B8"},
    {"martin", "5k3/9/9/9/1p7/1C7/1p7/1n7/9/3K5 r - 0 0 1", "B4-B2", FAULT_NONE, "",
     "the move is legal"},
    {"martin", "5k3/9/9/9/9/1C7/1p7/1n7/1b7/3K5 r - 0 0 1", "B4-B1", FAULT_TWO_SCREENS,
     "B2",
     "a cannon jumps one piece only, and the knight on B2 is a second one before B1"},
    {"martin", FIG1, "D0-C1", FAULT_LEAVES_FORTRESS, "C1",
     "the guard may not leave its fortress, and C1 is outside"},
    {"martin", FIG1, "D0-D2", FAULT_SHAPE, "",
     "the guard on D0 does not go to D2: it goes one step along a painted line"},
    {"martin", FIG1, "A3-A2", FAULT_PAWN_BACKWARD, "", "a pawn never moves backward"},
    {"martin", FIG1, "A3-A5", FAULT_SHAPE, "",
     "the pawn on A3 does not go to A5: it goes one step forward or sideways"},
    {"martin", FIG1, "A3-B4", FAULT_SHAPE, "",
     "the pawn on A3 does not go to B4: it goes one step forward or sideways"},
    {"martin", "3k5/9/4r4/9/9/9/4R4/9/4K4/9 r - 0 0 1", "E3-D3", FAULT_IN_CHECK, "E7",
     "the move leaves your king in check by the rook on E7"},
    {"martin", "4k4/3r5/9/9/4P4/9/9/9/4K4/9 r - 0 0 1", "E1-D1", FAULT_IN_CHECK, "D8",
     "the move leaves your king in check by the rook on D8"},
    {"martin", "9/4k4/9/9/9/2N6/9/9/4K4/9 b r 0 1 1", "E8-E9", FAULT_MUST_ANSWER_BARE,
     "E1", "the kings face each other, and the move leaves them so"},
    {"kja", "9/4k4/9/9/9/2N6/9/9/4K4/9 b - 0 1 1", "E8-E9", FAULT_MUST_ANSWER_BARE,
     "E1", "the kings face each other, and the move leaves them so"},
    {"courier", "9/4k4/9/9/9/2N6/9/9/4K4/9 b - 0 1 1", "E8-E9", FAULT_NONE, "",
     "the move is legal"},
    {"martin", "9/4k4/4R4/9/9/9/9/9/9/4K4 b - 0 0 1", "E8-E7", FAULT_MAY_NOT_BARE, "E0",
     "the king on E0 guards the piece on E7: taking it would bare the kings"},
    {"martin", FIG1, "pass", FAULT_PASS_HAS_MOVE, "A0",
     "you cannot pass: you can move, for example A0-A1"},
    {"courier", FIG1, "pass", FAULT_NONE, "", "the move is legal"},
    {"courier", "3k5/9/4r4/9/R8/3P5/9/9/4K4/9 r - 0 0 1", "pass", FAULT_PASS_IN_CHECK,
     "E7", "you cannot pass: the rook on E7 gives check"},
    {"martin", "9/4k4/9/9/9/2N6/9/9/4K4/9 b r 0 1 1", "pass", FAULT_PASS_BARE, "E1",
     "you cannot pass: the kings face each other, and that is a check"},
    {"kja", "9/4k4/9/9/9/2N6/9/9/4K4/9 b - 0 1 1", "pass", FAULT_NONE, "",
     "the move is legal"},
};
/* clang-format on */

UNIT_TEST(every_refusal_names_its_cause)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct position position;
        struct move move;
        struct fault fault;
        char words[SENTENCE_BYTES], at[POINT_BYTES] = "";

        if (!read_position(cases[i].position, &position, words))
            fail_msg("%s: %s", cases[i].position, words);
        assert_true(move_parse(cases[i].move, &move, NULL));
        fault = rules_judge(ruleset_find(cases[i].rules), &position, move);
        if (fault.at != POINT_NONE)
            side_format_point(at, fault.at);
        sentence_fault(words, fault);
        assert_string_equal(words, cases[i].words);
        assert_int_equal(fault.code, cases[i].code);
        assert_string_equal(at, cases[i].at);
        if (fault.at != POINT_NONE)
            assert_int_equal(fault.by, position_kind(&position, fault.at));
    }
}

UNIT_TEST(a_fault_from_above_the_rules_has_words_too)
{
    char words[SENTENCE_BYTES];
    int b2 = side_parse_point("B2");

    sentence_fault(words, (struct fault){.code = FAULT_WRONG_PIECE,
                                         .kind = KIND_ROOK,
                                         .at = b2,
                                         .by = KIND_CANNON});
    assert_string_equal(words, "the piece on B2 is a cannon, not a rook");
    for (int code = 0; code < FAULTS; code++) {
        sentence_fault(words, (struct fault){.code = (enum fault_code)code,
                                             .at = POINT_NONE,
                                             .move = move_pass()});
        assert_true(strlen(words) > 0);
        assert_null(strchr(words, '%'));
        assert_true(strlen(fault_name((enum fault_code)code)) > 0);
    }
    assert_string_equal(fault_name(FAULT_LEG_BLOCKED), "leg-blocked");
}

/* A person who moves both sides has no side of their own. */
UNIT_TEST(whose_turn_it_is_is_said_of_both_sides)
{
    struct position position;
    char words[SENTENCE_BYTES];
    struct fault fault;
    struct move move;

    assert_true(read_position(FIG1, &position, words));
    assert_true(move_parse("A6-A5", &move, NULL));
    fault = rules_judge(ruleset_find("martin"), &position, move);
    sentence_fault_of_both(words, fault);
    assert_string_equal(words, "it is red's turn, and the pawn on A6 is blue's");
    assert_true(move_parse("B0-D1", &move, NULL));
    fault = rules_judge(ruleset_find("martin"), &position, move);
    sentence_fault_of_both(words, fault);
    assert_string_equal(words, "the bishop on C0 blocks the knight's step");
}

UNIT_MAIN(NULL, NULL)
