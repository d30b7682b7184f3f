/* See side.h. */
#include "common/game/side.h"

#include <string.h>

const char *side_name(enum side side)
{
    static const char *const name[] = {"red", "blue", "none"};

    return name[side];
}

enum side side_parse(const char *word)
{
    if (strcmp(word, "red") == 0)
        return SIDE_RED;
    if (strcmp(word, "blue") == 0)
        return SIDE_BLUE;
    return SIDE_NONE;
}

const char *kind_name(enum kind kind)
{
    static const char *const name[KINDS] = {"",      "rook", "knight", "bishop",
                                            "guard", "king", "cannon", "pawn"};

    return name[kind];
}

int side_parse_point(const char text[2])
{
    int file = (text[0] | 0x20) - 'a'; /* either case */
    int row;

    if (file < 0 || file >= BOARD_FILES)
        return POINT_NONE;
    row = text[1] - '0';
    if (row < 0 || row >= BOARD_ROWS)
        return POINT_NONE;
    return point_at(file, row);
}

void side_format_point(char out[POINT_BYTES], int point)
{
    out[0] = (char)('A' + point_file(point));
    out[1] = (char)('0' + point_row(point));
    out[2] = '\0';
}

static const char *const lineup_names[LINEUPS] = {"NBBN", "BNBN", "NBNB", "BNNB"};

const char *lineup_name(enum lineup lineup)
{
    return lineup_names[lineup];
}

static bool is_same_letters(const char *word, const char *capitals)
{
    for (; *word != '\0' && *capitals != '\0'; word++, capitals++)
        if (*word != *capitals && *word != (*capitals | 0x20))
            return false;
    return *word == *capitals;
}

bool lineup_parse(const char *word, enum lineup *out)
{
    for (int i = 0; i < LINEUPS; i++) {
        bool is_number = word[0] == '1' + i && word[1] == '\0';

        if (is_number || is_same_letters(word, lineup_names[i])) {
            *out = (enum lineup)i;
            return true;
        }
    }
    return false;
}
