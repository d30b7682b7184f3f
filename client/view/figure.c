/* See figure.h. With letters, diagram.c draws the board, and this file adds only
 * colours. With hanja or hangul each point is four columns wide: two columns for the
 * character, and one column for each of the two brackets. */
#include "client/view/figure.h"
#include "common/game/board.h"

#include <string.h>

/* The escape codes of the board. They add colour and no characters. */
#define SGR_RED     "\033[1;31m"
#define SGR_BLUE    "\033[1;34m"
#define SGR_REVERSE "\033[7m"
#define SGR_OFF     "\033[0m"

enum {
    LETTERS_AT = 7, /* the column of the first point */
    LETTERS_CELL = 3,
    WIDE_AT = 4,
    WIDE_CELL = 4
};

int figure_columns(enum look_pieces pieces)
{
    return pieces == LOOK_LETTERS ? DIAGRAM_COLUMNS : WIDE_AT + BOARD_FILES * WIDE_CELL;
}

/* Returns a point in the line `line` of the figure. `i` is the index of the point in
 * this line, counted from the left. */
static int point_of(const struct figure *figure, int line, int i)
{
    int row = figure->is_flipped ? line / 2 : BOARD_ROWS - 1 - line / 2;

    return point_at(figure->is_flipped ? BOARD_FILES - 1 - i : i, row);
}

/* --- Colours --- */

/* Adds the text `cell` in the colours of the piece on `point`. */
static void add_cell(struct text *out, const struct figure *figure, int point,
                     const char *cell)
{
    enum side side = position_side(figure->position, point);
    bool is_last = !move_is_pass(figure->last) &&
                   (point == figure->last.from || point == figure->last.to);
    const char *color = side == SIDE_RED ? SGR_RED : side == SIDE_BLUE ? SGR_BLUE : "";

    if (!figure->has_color || (side == SIDE_NONE && !is_last)) {
        text_add(out, cell);
        return;
    }
    text_addf(out, "%s%s%s" SGR_OFF, color, is_last ? SGR_REVERSE : "", cell);
}

/* --- Letters --- */

static int letters_line(struct text *out, const struct figure *figure, int line)
{
    char words[DIAGRAM_COLUMNS + 2], cell[LETTERS_CELL + 1];
    int columns;

    diagram_line(words, figure->position, figure->is_flipped, figure->marks, line);
    columns = (int)strlen(words);
    if (!figure->has_color || line % 2 == 1) {
        text_add(out, words);
        return columns;
    }
    text_addf(out, "%.*s", LETTERS_AT, words);
    for (int i = 0; LETTERS_AT + i * LETTERS_CELL < columns; i++) {
        size_t len = strnlen(words + LETTERS_AT + i * LETTERS_CELL, LETTERS_CELL);

        memcpy(cell, words + LETTERS_AT + i * LETTERS_CELL, len);
        cell[len] = '\0';
        add_cell(out, figure, point_of(figure, line, i), cell);
    }
    return columns;
}

/* --- Hanja and hangul --- */

/* As on real sets, the two sides have different characters for king and pawn. */
static const char *const symbols[2][SIDES][KINDS] = {
    {{"", "車", "馬", "象", "士", "漢", "包", "兵"},
     {"", "車", "馬", "象", "士", "楚", "包", "卒"}},
    {{"", "차", "마", "상", "사", "한", "포", "병"},
     {"", "차", "마", "상", "사", "초", "포", "졸"}},
};

/* Adds a point or the piece on it. Letters show the side by upper and lower case, but
 * hanja and hangul cannot do this. So brackets show the side: ( ) for Red, [ ] for
 * Blue. A marked piece has < > instead. */
static void add_wide_point(struct text *out, const struct figure *figure, int point,
                           bool is_first, bool is_last)
{
    bool has_mark = figure->marks != NULL && figure->marks[point];
    enum side side = position_side(figure->position, point);
    enum kind kind = position_kind(figure->position, point);
    bool is_red = side == SIDE_RED;
    char cell[16];
    struct text text = text_into(cell, sizeof cell);

    if (kind != KIND_NONE)
        text_addf(&text, "%c%s%c",
                  has_mark ? '<'
                  : is_red ? '('
                           : '[',
                  symbols[figure->pieces == LOOK_HANGUL][side][kind],
                  has_mark ? '>'
                  : is_red ? ')'
                           : ']');
    else
        text_addf(&text, "%c%c%s", is_first ? ' ' : '-', has_mark ? '*' : '+',
                  is_last ? "" : "--");
    add_cell(out, figure, point, cell);
}

int figure_line(struct text *out, const struct figure *figure, int line)
{
    int narrow = WIDE_AT + (BOARD_FILES - 1) * WIDE_CELL + 2, last;

    if (figure->pieces == LOOK_LETTERS)
        return letters_line(out, figure, line);
    if (line == DIAGRAM_LINES - 1) {
        text_add(out, "  .");
        for (int i = 0; i < BOARD_FILES; i++)
            text_addf(out, "  %s%c", i > 0 ? " " : "",
                      figure->is_flipped ? 'I' - i : 'A' + i);
        return narrow;
    }
    if (line % 2 == 1) { /* the diagonals of a fortress are midway between its files */
        text_addf(out, "  .  |   |   |   | %s |   |   |   |",
                  line == 1 || line == 15   ? "\\ | /"
                  : line == 3 || line == 17 ? "/ | \\"
                                            : "  |  ");
        return narrow;
    }
    last = point_of(figure, line, BOARD_FILES - 1);
    text_addf(out, "  %d ", point_row(last));
    for (int i = 0; i < BOARD_FILES; i++)
        add_wide_point(out, figure, point_of(figure, line, i), i == 0,
                       i == BOARD_FILES - 1);
    return position_kind(figure->position, last) != KIND_NONE
               ? figure_columns(figure->pieces)
               : narrow;
}

void figure_rows(struct text *out, const struct figure *figure, int lowest, int highest)
{
    int top = figure->is_flipped ? lowest : BOARD_ROWS - 1 - highest;
    int bottom = figure->is_flipped ? highest : BOARD_ROWS - 1 - lowest;

    for (int line = top * 2; line <= bottom * 2; line++) {
        figure_line(out, figure, line);
        text_add(out, "\n");
    }
    figure_line(out, figure, DIAGRAM_LINES - 1);
    text_add(out, "\n");
}
