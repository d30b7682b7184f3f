/* Converts positions from and to FEN. See notation.h. */
#include "client/formats/notation.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/position.h"

/* Converts a piece letter between our notation and FEN. The case is swapped, because
 * FEN's White is our Blue. The letter `guard` becomes `turned_guard`: the guard is G in
 * our notation and A in FEN. */
static char turn_letter(char letter, char guard, char turned_guard)
{
    if (letter >= '0' && letter <= '9')
        return letter;
    if (letter == '/')
        return letter;
    if ((letter | 0x20) == guard)
        letter = (char)((letter & 0x20) | (turned_guard & ~0x20));
    return letter ^ 0x20;
}

/* Rotates a board by 180 degrees, which reverses its text, and converts the letters. */
static void turn_board(char *out, const char *board, size_t len, char guard,
                       char turned_guard)
{
    for (size_t i = 0; i < len; i++)
        out[i] = turn_letter(board[len - 1 - i], guard, turned_guard);
    out[len] = '\0';
}

/* Writes the reason to `why` (may be NULL), with the place of the error in the FEN.
 * `at` is the byte offset of that place. Always returns false. */
static bool refuse_at(char *why, size_t at, const char *words)
{
    if (why != NULL)
        snprintf(why, SENTENCE_BYTES, _("at character %zu of the FEN: %s"), at + 1,
                 words);
    return false;
}

enum { BOARD_MOST = BOARD_POINTS + BOARD_ROWS };

bool notation_fen_parse(const char *text, struct position *out,
                        char why[SENTENCE_BYTES])
{
    static const char blue[] = " w - - ", red[] = " b - - ";
    char board[BOARD_MOST + 1], ours[POSITION_BYTES];
    struct position_fault fault;
    size_t len = strspn(text, "rnbakcpRNBAKCP123456789/");
    struct text line = text_into(ours, sizeof ours);
    const char *rest = text + len;
    bool is_blue = strncmp(rest, blue, strlen(blue)) == 0;

    if (len > BOARD_MOST)
        return refuse_at(why, BOARD_MOST, _("the board is too long"));
    if (*rest != ' ')
        return refuse_at(why, len, _("not a piece R N B A K C P, a number 1-9 or /"));
    if (!is_blue && strncmp(rest, red, strlen(red)) != 0)
        return refuse_at(why, len, _("the board must be followed by w - - or b - -"));
    turn_board(board, text, len, 'a', 'g');
    text_addf(&line, "%s %c - 0 %s", board, is_blue ? 'b' : 'r', rest + strlen(blue));
    if (line.is_cut)
        return refuse_at(why, len + strlen(blue),
                         _("expected two numbers here: the plies without a capture, "
                           "and the number of the move"));
    if (position_parse(ours, out, &fault))
        return true;
    if (why != NULL)
        sentence_position(why, &fault);
    return false;
}

void notation_fen_format(char out[NOTATION_FEN_BYTES], const struct position *position)
{
    char ours[POSITION_BYTES], board[POSITION_BYTES];
    struct text text = text_into(out, NOTATION_FEN_BYTES);

    position_format(ours, position);
    turn_board(board, ours, strcspn(ours, " "), 'g', 'a');
    text_addf(&text, "%s %c - - %u %u", board, position->side == SIDE_BLUE ? 'w' : 'b',
              (unsigned)position->quiet, (unsigned)position->move_number);
}
