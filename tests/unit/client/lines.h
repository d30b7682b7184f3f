/* Helpers for checking printed text: its lines and its colours. */
#ifndef TESTS_UNIT_CLIENT_LINES_H
#define TESTS_UNIT_CLIENT_LINES_H

#include <string.h>

#include "common/base/text.h"
#include "common/base/utf8.h"
#include "tests/unit/unit.h"

/* Fails if a line is wider than `columns`. Returns the number of lines. */
static inline int check_lines(const char *text, int columns, const char *where)
{
    int lines = 0;
    char line[512];

    for (; *text != '\0'; lines++) {
        size_t len = strcspn(text, "\n");

        assert_true(text_cut(line, sizeof line, text, len));
        if (utf8_width(line) > columns)
            fail_msg("%s: %d columns: %s", where, utf8_width(line), line);
        text += len + (text[len] == '\n');
    }
    return lines;
}

/* Removes the SGR sequences, which set colours. */
static inline void strip_colors(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0';) {
        if (at[0] == '\033' && at[1] == '[')
            at += strcspn(at, "m") + 1;
        else
            *to++ = *at++;
    }
    *to = '\0';
}

#endif
