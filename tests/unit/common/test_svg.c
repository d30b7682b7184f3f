/* Tests of the picture of a position. */
#include "common/words/svg.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "tests/unit/unit.h"

static struct position start_position(void)
{
    struct position position;
    struct position_fault fault;

    assert_true(position_parse(
        "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GBNR r - 0 0 1",
        &position, &fault));
    return position;
}

static int count(const char *text, const char *word)
{
    int found = 0;

    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        found++;
    }
    return found;
}

UNIT_TEST(a_full_board_with_all_points_marked_is_whole)
{
    struct position position = start_position();
    bool marks[BOARD_POINTS];
    char *picture;

    memset(marks, true, sizeof marks);
    picture = svg_write(&position, false, marks);
    assert_int_equal(count(picture, "class=\"piece\""), 32);
    assert_int_equal(count(picture, "class=\"mark\""), BOARD_POINTS - 32);
    assert_int_equal(count(picture, "class=\"ring\""), 32);
    assert_string_equal(picture + strlen(picture) - strlen("</svg>\n"), "</svg>\n");
    free(picture);
}

UNIT_TEST(blue_sees_it_from_the_other_side)
{
    struct position position = start_position();
    char *red = svg_write(&position, false, NULL),
         *blue = svg_write(&position, true, NULL);

    assert_non_null(strstr(red, "translate(54 594)\"><title>Red rook A0"));
    assert_non_null(strstr(blue, "translate(534 54)\"><title>Red rook A0"));
    free(red);
    free(blue);
}

static const char *find_korean(const char *key)
{
    static const char *const words[][2] = {
        {"Red", "한"}, {"rook", "차"}, {"red\004pawn", "병"}};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i][0], key) == 0)
            return words[i][1];
    return NULL;
}

UNIT_TEST(a_piece_is_named_in_the_language_of_the_reader)
{
    struct position position = start_position();
    char *picture;

    translate_by(find_korean);
    picture = svg_write(&position, false, NULL);
    translate_by(NULL);
    assert_non_null(strstr(picture, "<title>한 차 A0</title>"));
    assert_non_null(strstr(picture, "<title>한 병 A3</title>"));
    free(picture);
}

UNIT_MAIN(NULL, NULL)
