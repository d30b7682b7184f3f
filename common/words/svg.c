/* See svg.h. */
#include "common/words/svg.h"

#include <assert.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/term.h"

/* Lengths are in SVG user units; STEP is the distance between neighbouring points. */
enum { STEP = 60, MARGIN = 54, LEFT = MARGIN, TOP = MARGIN };
enum {
    WIDTH = 2 * MARGIN + (BOARD_FILES - 1) * STEP,
    HEIGHT = 2 * MARGIN + (BOARD_ROWS - 1) * STEP,
    RIGHT = WIDTH - MARGIN,
    BOTTOM = HEIGHT - MARGIN
};

static const char style[] =
    "<style>\n"
    "  .board { fill: #f2dcae; }\n"
    "  .lines { stroke: #6b5335; stroke-width: 1.5; fill: none; }\n"
    "  .edge { stroke-width: 2.5; }\n"
    "  .names { fill: #6b5335; font: 16px sans-serif; text-anchor: middle; }\n"
    "  .piece { fill: #fff8e6; stroke-width: 2.5; }\n"
    "  .rim { fill: none; stroke-width: 1; }\n"
    "  .hanja { font-family: 'Noto Serif CJK KR', 'Noto Serif KR', 'Noto Sans CJK "
    "KR',\n"
    "    'Nanum Myeongjo', Batang, serif; font-weight: bold; text-anchor: middle; }\n"
    "  .letter { font-family: sans-serif; font-weight: bold; text-anchor: middle; }\n"
    "  .red { stroke: #b3201f; } .red text { fill: #b3201f; stroke: none; }\n"
    "  .blue { stroke: #17519c; } .blue text { fill: #17519c; stroke: none; }\n"
    "  .mark { fill: #2e7d32; fill-opacity: 0.75; }\n"
    "  .ring { fill: none; stroke: #2e7d32; stroke-width: 4; }\n"
    "</style>\n";

struct picture {
    struct text text;
    const struct position *position;
    bool is_flipped;
};

static int x_of(const struct picture *picture, int file)
{
    return LEFT + (picture->is_flipped ? BOARD_FILES - 1 - file : file) * STEP;
}

static int y_of(const struct picture *picture, int row)
{
    return TOP + (picture->is_flipped ? row : BOARD_ROWS - 1 - row) * STEP;
}

/* --- The board --- */

static void add_lines(struct picture *picture)
{
    struct text *text = &picture->text;

    text_add(text, "<path class=\"lines\" d=\"");
    for (int row = 1; row < BOARD_ROWS - 1; row++)
        text_addf(text, "M%d %dH%d", LEFT, TOP + row * STEP, RIGHT);
    for (int file = 1; file < BOARD_FILES - 1; file++)
        text_addf(text, "M%d %dV%d", LEFT + file * STEP, TOP, BOTTOM);
    for (int i = 0; i < 2; i++) { /* the diagonals of both fortresses */
        int top = i == 0 ? TOP : BOTTOM - 2 * STEP;

        text_addf(text, "M%d %dl%d %dm0 %dl%d %d", LEFT + 3 * STEP, top, 2 * STEP,
                  2 * STEP, -2 * STEP, -2 * STEP, 2 * STEP);
    }
    text_addf(text,
              "\"/>\n<rect class=\"lines edge\" x=\"%d\" y=\"%d\" width=\"%d\" "
              "height=\"%d\"/>\n",
              LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
}

static void add_name(struct picture *picture, int x, int y, char name)
{
    text_addf(&picture->text, "<text x=\"%d\" y=\"%d\">%c</text>\n", x, y, name);
}

static void add_names(struct picture *picture)
{
    enum { FROM_EDGE = 14, HALF_LETTER = 6 };

    text_add(&picture->text, "<g class=\"names\">\n");
    for (int file = 0; file < BOARD_FILES; file++)
        add_name(picture, x_of(picture, file), HEIGHT - FROM_EDGE + HALF_LETTER,
                 (char)('A' + file));
    for (int row = 0; row < BOARD_ROWS; row++)
        add_name(picture, FROM_EDGE, y_of(picture, row) + HALF_LETTER,
                 (char)('0' + row));
    text_add(&picture->text, "</g>\n");
}

/* --- Pieces --- */

/* Indexed by enum kind: half the width of a piece, and the hanja on it. */
static const struct {
    int radius;
    const char *hanja[SIDES];
} pieces[KINDS] = {
    [KIND_ROOK] = {24, {"車", "車"}},   [KIND_KNIGHT] = {24, {"馬", "馬"}},
    [KIND_BISHOP] = {24, {"象", "象"}}, [KIND_GUARD] = {19, {"士", "士"}},
    [KIND_KING] = {28, {"漢", "楚"}},   [KIND_CANNON] = {24, {"包", "包"}},
    [KIND_PAWN] = {19, {"兵", "卒"}},
};

/* Adds a regular octagon round the origin with the given radius and vertical sides. */
static void add_octagon(struct text *text, const char *class, double radius)
{
    double corner = radius * 0.41421; /* tan 22.5 degrees */

    text_addf(text, "<path class=\"%s\" d=\"M%.1f %.1f", class, -corner, -radius);
    text_addf(text, "L%.1f %.1fL%.1f %.1fL%.1f %.1f", corner, -radius, radius, -corner,
              radius, corner);
    text_addf(text, "L%.1f %.1fL%.1f %.1fL%.1f %.1f", corner, radius, -corner, radius,
              -radius, corner);
    text_addf(text, "L%.1f %.1fz\"/>", -radius, -corner);
}

static void add_piece(struct picture *picture, int point)
{
    struct text *text = &picture->text;
    enum kind kind = position_kind(picture->position, point);
    enum side side = position_side(picture->position, point);
    int radius = pieces[kind].radius;
    char name[POINT_BYTES];

    side_format_point(name, point);
    text_addf(text, "<g class=\"%s\" transform=\"translate(%d %d)\">", side_name(side),
              x_of(picture, point_file(point)), y_of(picture, point_row(point)));
    text_addf(text, "<title>%s %s %s</title>", term_side_title(side),
              term_piece(kind, side), name);
    add_octagon(text, "piece", radius);
    add_octagon(text, "rim", radius - 3.5);
    text_addf(text, "<text class=\"hanja\" font-size=\"%d\" y=\"%.1f\">%s</text>",
              radius, radius * 0.22, pieces[kind].hanja[side]);
    text_addf(text,
              "<text class=\"letter\" font-size=\"%.1f\" y=\"%.1f\">%c</text></g>\n",
              radius * 0.42, radius * 0.72, position_letter(picture->position, point));
}

static void add_mark(struct picture *picture, int point)
{
    enum kind kind = position_kind(picture->position, point);

    text_addf(&picture->text, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n",
              kind == KIND_NONE ? "mark" : "ring", x_of(picture, point_file(point)),
              y_of(picture, point_row(point)),
              kind == KIND_NONE ? 8 : pieces[kind].radius + 3);
}

/* --- The whole --- */

char *svg_write(const struct position *position, bool is_flipped,
                const bool marks[BOARD_POINTS])
{
    char *out = mem_new(SVG_BYTES), words[POSITION_BYTES];
    struct picture picture = {.text = text_into(out, SVG_BYTES),
                              .position = position,
                              .is_flipped = is_flipped};

    position_format(words, position);
    text_addf(&picture.text,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
              "width=\"%d\" height=\"%d\" role=\"img\">\n<title>%s</title>\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, words);
    text_add(&picture.text, style);
    text_addf(&picture.text, "<rect class=\"board\" width=\"%d\" height=\"%d\"/>\n",
              WIDTH, HEIGHT);
    add_lines(&picture);
    add_names(&picture);
    for (int point = 0; point < BOARD_POINTS; point++) {
        if (position->at[point] != 0)
            add_piece(&picture, point);
        if (marks != NULL && marks[point])
            add_mark(&picture, point);
    }
    text_add(&picture.text, "</svg>\n");
    assert(!picture.text.is_cut);
    return out;
}
