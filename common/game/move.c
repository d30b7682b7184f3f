/* See move.h. */
#include "common/game/move.h"

#include <string.h>

static const char *skip_spaces(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* If text begins with "pass", in capital or small letters, returns the text after this
 * word. Otherwise returns NULL. */
static const char *skip_pass(const char *text)
{
    for (const char *word = "pass"; *word != '\0'; word++, text++)
        if ((*text | 0x20) != *word)
            return NULL;
    return text;
}

/* Reads the piece letter at *text, if there is one, and moves *text past it. A piece
 * letter is followed by a file letter: "b0" is a point, but in "bB0" the first letter
 * is a bishop. */
static enum kind take_kind(const char **text)
{
    static const char letters[] = "rnbgkcp"; /* by enum kind, from KIND_ROOK */
    const char *found;

    if ((*text)[0] == '\0' || (*text)[1] < 'A')
        return KIND_NONE;
    found = strchr(letters, (*text)[0] | 0x20);
    if (found == NULL)
        return KIND_NONE;
    (*text)++;
    return (enum kind)(KIND_ROOK + (found - letters));
}

static int take_point(const char **text)
{
    int point = side_parse_point(*text);

    if (point != POINT_NONE)
        *text += 2;
    return point;
}

/* Skips what may be between the two points: nothing, spaces, or one - or x with
 * optional spaces. */
static const char *skip_link(const char *text)
{
    text = skip_spaces(text);
    if (*text == '-' || *text == 'x' || *text == 'X')
        text++;
    return skip_spaces(text);
}

bool move_parse(const char *text, struct move *out, enum kind *kind)
{
    struct move move = move_pass();
    enum kind letter = KIND_NONE;
    const char *rest;

    text = skip_spaces(text);
    rest = skip_pass(text);
    if (rest == NULL) {
        letter = take_kind(&text);
        move.from = (int8_t)take_point(&text);
        if (move.from == POINT_NONE)
            return false;
        text = skip_link(text);
        move.to = (int8_t)take_point(&text);
        if (move.to == POINT_NONE)
            return false;
        rest = text;
    }
    if (*skip_spaces(rest) != '\0')
        return false;
    *out = move;
    if (kind != NULL)
        *kind = letter;
    return true;
}

void move_format(char out[MOVE_BYTES], struct move move)
{
    if (move_is_pass(move)) {
        memcpy(out, "pass", sizeof "pass");
        return;
    }
    side_format_point(out, move.from);
    out[2] = '-';
    side_format_point(out + 3, move.to);
}
