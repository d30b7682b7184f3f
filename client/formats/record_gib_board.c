/* See record_gib_board.h. */
#include "client/formats/record_gib_board.h"

#include <string.h>

#include "common/base/text.h"

static const struct {
    enum kind kind;
    const char *blue;
    const char *red;
} pieces[] = {
    {KIND_ROOK, "차", "車"},  {KIND_KNIGHT, "마", "馬"}, {KIND_BISHOP, "상", "象"},
    {KIND_GUARD, "사", "士"}, {KIND_KING, "장", "將"},   {KIND_CANNON, "포", "包"},
    {KIND_PAWN, "졸", "兵"},
};

const char *record_gib_word(enum kind kind, enum side side)
{
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
        if (pieces[i].kind == kind)
            return side == SIDE_RED ? pieces[i].red : pieces[i].blue;
    return "";
}

static uint8_t piece_of(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        if (strncmp(word, pieces[i].blue, GIB_WORD_BYTES) == 0)
            return piece_code(pieces[i].kind, SIDE_BLUE);
        if (strncmp(word, pieces[i].red, GIB_WORD_BYTES) == 0)
            return piece_code(pieces[i].kind, SIDE_RED);
    }
    return 0;
}

/* One row, from file I to A, into the text of ours from A to I. False: it is none. */
static bool read_row(const char **at, char out[BOARD_FILES + 1])
{
    static const char letters[] = ".RNBGKCP.rnbgkcp"; /* by piece code */
    int file = BOARD_FILES;

    memset(out, '1', BOARD_FILES);
    out[BOARD_FILES] = '\0';
    while (file > 0 && **at != '/' && **at != ' ' && **at != '\0') {
        uint8_t code = piece_of(*at);

        if (code != 0) {
            out[--file] = letters[code];
            *at += GIB_WORD_BYTES;
        } else if (**at >= '1' && **at <= '9' && **at - '0' <= file) {
            file -= *(*at)++ - '0';
        } else {
            return false;
        }
    }
    return **at == '/' || **at == ' ' || **at == '\0';
}

/* Ten rows from Red's end or from Blue's: the kings tell which. */
bool record_gib_read_board(const char *value, enum side side, struct position *out)
{
    char row[BOARD_ROWS][BOARD_FILES + 1], words[POSITION_BYTES];
    struct text text = text_into(words, sizeof words);
    bool is_red_first = false;
    const char *at = value;

    for (int i = 0; i < BOARD_ROWS; i++) {
        if (!read_row(&at, row[i]) || (i < BOARD_ROWS - 1 && *at != '/'))
            return false;
        is_red_first |= i < BOARD_ROWS / 2 && strchr(row[i], 'K') != NULL;
        at += *at == '/';
    }
    for (int i = 0; i < BOARD_ROWS; i++)
        text_addf(&text, "%s%s", i > 0 ? "/" : "",
                  row[is_red_first ? BOARD_ROWS - 1 - i : i]);
    text_addf(&text, " %c - 0 0 1", side == SIDE_RED ? 'r' : 'b');
    return position_parse(words, out, NULL);
}

static void write_row(struct record_text *text, const struct position *position,
                      int row)
{
    int empty = 0;

    for (int file = BOARD_FILES - 1; file >= 0; file--) {
        int point = point_at(file, row);
        enum kind kind = position_kind(position, point);

        if (kind == KIND_NONE && ++empty > 0 && file > 0)
            continue;
        if (empty > 0)
            record_text_addf(text, "%d", empty);
        empty = 0;
        if (kind != KIND_NONE)
            record_text_add(text,
                            record_gib_word(kind, position_side(position, point)));
    }
}

void record_gib_write_board(struct record_text *text, const struct position *position)
{
    record_text_add(text, "[판 \"");
    for (int row = 0; row < BOARD_ROWS; row++) {
        write_row(text, position, row);
        record_text_add(text, row < BOARD_ROWS - 1 ? "/" : "\"]\n");
    }
}
