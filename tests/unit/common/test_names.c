/* Tests of common/words/names: words that people type for a piece or a side. */

#include "common/words/names.h"
#include "tests/unit/unit.h"

UNIT_TEST(every_name_of_the_table_is_understood)
{
    static const struct {
        enum kind kind;
        const char *words[16];
    } rows[] = {
        {KIND_ROOK,
         {"rook", "chariot", "Chariots", "car", "tank", "cha", "tcha", "차", "車", "ju",
          "kui"}},
        {KIND_KNIGHT, {"knight", "horse", "HORSES", "ma", "마", "馬"}},
        {KIND_BISHOP,
         {"bishop", "elephant", "minister", "prime minister", "sang", "syang", "상",
          "象", "xiang", "sheung"}},
        {KIND_GUARD,
         {"guard", "advisor", "adviser", "counsellor", "councellor", "sa", "사", "士",
          "shi", "see"}},
        {KIND_KING,
         {"king", "general", "emperor", "jang", "wang", "장", "왕", "궁", "漢", "楚",
          "將", "koung", "shuai", "jiang", "sui"}},
        {KIND_CANNON,
         {"cannon", "cannons", "catapult", "po", "hpo", "포", "包", "pao"}},
        {KIND_PAWN,
         {"pawn", "soldier", "foot soldier", "byung", "pyeng", "byeong", "jol", "tjol",
          "병", "졸", "兵", "卒", "bing", "zu", "ping", "tsut"}},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (size_t j = 0; j < 16 && rows[i].words[j] != NULL; j++)
            if (names_find_kind(rows[i].words[j]) != rows[i].kind)
                fail_msg("%s is not understood", rows[i].words[j]);
}

/* "cheung" is Blue's bishop and Blue's king: the program does not guess. */
UNIT_TEST(unknown_words_name_no_piece)
{
    static const char *const words[] = {"",        "queen",    "cheung", "roo",
                                        "rooks s", "ss",       ",",      "car,",
                                        " ",       "chariott", "minist"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (names_find_kind(words[i]) != KIND_NONE)
            fail_msg("\"%s\" is taken for a piece", words[i]);
}

UNIT_TEST(sides_have_their_korean_names)
{
    static const char *const words[SIDES][4] = {{"red", "Han", "한", "漢"},
                                                {"Blue", "cho", "초", "楚"}};

    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(names_find_side(words[side][i]), side);
    assert_int_equal(names_find_side("green"), SIDE_NONE);
    assert_int_equal(names_find_side(""), SIDE_NONE);
    assert_int_equal(side_parse("han"), SIDE_NONE); /* the protocol knows only "red" and
                                                     * "blue" */
}

UNIT_TEST(a_kind_has_all_its_rows)
{
    bool seen[KINDS][SIDES] = {{false}};
    const struct piece_names *row;

    for (size_t i = 0; (row = names_at(i)) != NULL; i++)
        for (int side = 0; side < SIDES; side++)
            if (row->side == SIDE_NONE || row->side == (enum side)side)
                seen[row->kind][side] = true;
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        assert_true(seen[kind][SIDE_RED] && seen[kind][SIDE_BLUE]);
}

UNIT_MAIN(NULL, NULL)
