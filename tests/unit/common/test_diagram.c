/* Compares the diagrams with the figures in Roleigh Martin's rules, byte for byte. */
#include <stdio.h>
#include <string.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/diagram.h"
#include "tests/unit/unit.h"

static void check_figure(const char *path, enum lineup lineup)
{
    char printed[2 * DIAGRAM_BYTES] = "", drawn[DIAGRAM_BYTES];
    struct position position;
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    assert_true(fread(printed, 1, sizeof printed - 1, file) > 0);
    fclose(file);
    position_set_up(&position, lineup, lineup, SIDE_RED);
    diagram_format(drawn, &position, false, NULL);
    assert_string_equal(drawn, printed);
}

UNIT_TEST(figures_1_and_2_come_out_as_printed)
{
    check_figure("tests/data/figure1.txt", LINEUP_NBBN);
    check_figure("tests/data/figure2.txt", LINEUP_NBNB);
}

static struct position middle_game(void)
{
    struct position position;

    assert_true(position_parse("2bg1gn2/4k4/2n1c2c1/1ppp1bpp1/7r1/P8/RP2NPP1R/1CN1C4/"
                               "4K4/2BG1GB2 b - 0 0 11",
                               &position, NULL));
    return position;
}

UNIT_TEST(blue_sees_the_board_turned)
{
    static const char figure[] = "     0  +--+-(B)(G)-+-(G)(B)-+--+\n"
                                 "     .  |  |  |  | \\|/ |  |  |  |\n"
                                 "     1  +--+--+--+-[K]-+--+--+--+\n"
                                 "     .  |  |  |  | /|\\ |  |  |  |\n"
                                 "     2  +--+--+--+-(C)-+-(N)(C)-+\n"
                                 "     .  |  |  |  |  |  |  |  |  |\n"
                                 "     3 (R)-+-(P)(P)(N)-+--+-(P)(R)\n"
                                 "     .  |  |  |  |  |  |  |  |  |\n"
                                 "     4  +--+--+--+--+--+--+--+-(P)\n"
                                 "     .  |  |  |  |  |  |  |  |  |\n"
                                 "     5  +-[r]-+--+--+--+--+--+--+\n"
                                 "     .  |  |  |  |  |  |  |  |  |\n"
                                 "     6  +-[p][p][b]-+-[p][p][p]-+\n"
                                 "     .  |  |  |  |  |  |  |  |  |\n"
                                 "     7  +-[c]-+--+-[c]-+-[n]-+--+\n"
                                 "     .  |  |  |  | \\|/ |  |  |  |\n"
                                 "     8  +--+--+--+-[k]-+--+--+--+\n"
                                 "     .  |  |  |  | /|\\ |  |  |  |\n"
                                 "     9  +--+-[n][g]-+-[g][b]-+--+\n"
                                 "     .  I  H  G  F  E  D  C  B  A\n";
    struct position position = middle_game();
    char drawn[DIAGRAM_BYTES];

    diagram_format(drawn, &position, true, NULL);
    assert_string_equal(drawn, figure);
}

UNIT_TEST(targets_are_marked)
{
    static const char *const targets[] = {"A5", "B5", "C5", "D5", "E5", "F5", "G5",
                                          "I5", "H4", "H3", "H2", "H1", "H0"};
    struct position position = middle_game();
    char line[DIAGRAM_COLUMNS + 2];
    bool marks[BOARD_POINTS] = {false};

    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        marks[side_parse_point(targets[i])] = true;
    diagram_line(line, &position, false, marks, 8);
    assert_string_equal(line, "     5  *--*--*--*--*--*--*-[r]-*");
    diagram_line(line, &position, false, marks, 10);
    assert_string_equal(line, "     4 (P)-+--+--+--+--+--+--*--+");
    diagram_line(line, &position, false, marks, 12);
    assert_string_equal(line, "     3 (R)(P)-+--+-(N)(P)(P)-*-(R)");
    marks[side_parse_point("G3")] = true;
    diagram_line(line, &position, false, marks, 12);
    assert_string_equal(line, "     3 (R)(P)-+--+-(N)(P)<P>-*-(R)");
    diagram_line(line, &position, true, marks, 12);
    assert_string_equal(line, "     6  +-[p][p][b]-+-[p][p][p]-+");
    diagram_line(line, &position, true, marks, 10);
    assert_string_equal(line, "     5  *-[r]-*--*--*--*--*--*--*");
}

/* Draws a full board and an empty one: every line fits into DIAGRAM_COLUMNS and has
 * only ASCII characters. */
UNIT_TEST(figures_are_narrow_and_plain)
{
    struct position position = {.king = {4, 85}};
    bool marks[BOARD_POINTS];
    char drawn[DIAGRAM_BYTES];

    memset(marks, true, sizeof marks);
    for (int round = 0; round < 4; round++) {
        int lines = 0, width = 0;

        diagram_format(drawn, &position, round % 2 == 1, marks);
        for (const char *c = drawn; *c != '\0'; c++) {
            assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
            lines += *c == '\n';
            width = *c == '\n' ? 0 : width + 1;
            assert_true(width <= DIAGRAM_COLUMNS);
        }
        assert_int_equal(lines, DIAGRAM_LINES);
        if (round == 1)
            for (int point = 0; point < BOARD_POINTS; point++)
                position_put(&position, point, piece_code(KIND_ROOK, SIDE_BLUE));
    }
}

UNIT_MAIN(NULL, NULL)
