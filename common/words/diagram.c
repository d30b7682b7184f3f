/* See diagram.h. */
#include "common/words/diagram.h"

#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"

/* Each point takes three columns: the point itself, and one on each side of it. */
enum { CELL = 3 };

static void cell_of(char cell[CELL], const struct position *position, int point,
                    bool is_marked)
{
    static const char kings_and_blue[] = "[]", red[] = "()", marked[] = "<>";
    char letter = position_letter(position, point);
    const char *frame = red;

    if (letter == '.') {
        memcpy(cell, is_marked ? "-*-" : "-+-", CELL);
        return;
    }
    if (position_side(position, point) == SIDE_BLUE || letter == 'K')
        frame = kings_and_blue; /* as in Martin's figures (diagram.h): both kings have
                                 * the same frame */
    if (is_marked)
        frame = marked;
    cell[0] = frame[0];
    cell[1] = letter;
    cell[2] = frame[1];
}

/* Adds one row of points, with its row number. The lines of the board do not go beyond
 * its left and right edges. */
static void add_row(struct text *text, const struct position *position, bool is_flipped,
                    const bool *marks, int row)
{
    char cells[BOARD_FILES * CELL + 1];

    for (int i = 0; i < BOARD_FILES; i++) {
        int point = point_at(is_flipped ? BOARD_FILES - 1 - i : i, row);

        cell_of(cells + i * CELL, position, point, marks != NULL && marks[point]);
    }
    cells[BOARD_FILES * CELL] = '\0';
    if (cells[0] == '-')
        cells[0] = ' ';
    if (cells[BOARD_FILES * CELL - 1] == '-')
        cells[BOARD_FILES * CELL - 1] = '\0';
    text_addf(text, "     %d %s", row, cells);
}

void diagram_line(char out[DIAGRAM_COLUMNS + 2], const struct position *position,
                  bool is_flipped, const bool marks[BOARD_POINTS], int line)
{
    struct text text = text_into(out, DIAGRAM_COLUMNS + 2);
    int number = line / 2;

    if (line == DIAGRAM_LINES - 1) {
        text_add(&text, "     .");
        for (int i = 0; i < BOARD_FILES; i++)
            text_addf(&text, "  %c", is_flipped ? 'I' - i : 'A' + i);
    } else if (line % 2 == 1) { /* between two rows of points; in the upper half of a
                                 * fortress, the diagonals run towards its centre */
        text_addf(&text, "     .  |  |  |  | %s |  |  |  |",
                  number == 0 || number == 7   ? "\\|/"
                  : number == 1 || number == 8 ? "/|\\"
                                               : " | ");
    } else {
        add_row(&text, position, is_flipped, marks,
                is_flipped ? number : BOARD_ROWS - 1 - number);
    }
}

void diagram_format(char out[DIAGRAM_BYTES], const struct position *position,
                    bool is_flipped, const bool marks[BOARD_POINTS])
{
    struct text text = text_into(out, DIAGRAM_BYTES);

    for (int line = 0; line < DIAGRAM_LINES; line++) {
        char words[DIAGRAM_COLUMNS + 2];

        diagram_line(words, position, is_flipped, marks, line);
        text_addf(&text, "%s\n", words);
    }
}
