/* The value of a setting that names a program to start (on-turn, on-match), with its
 * fixed arguments. The program is started without a shell, so nothing in the value is
 * expanded except a leading "~/". */
#ifndef CLIENT_BASE_PROGRAM_LINE_H
#define CLIENT_BASE_PROGRAM_LINE_H

#include <limits.h>
#include <stdbool.h>

#include "common/base/base.h"

enum { PROGRAM_LINE_BYTES = 512, PROGRAM_LINE_WORDS_MAX = 32 };

struct program_line {
    char bytes[PROGRAM_LINE_BYTES + PATH_MAX];
    char *words[PROGRAM_LINE_WORDS_MAX + 1]; /* pointers into `bytes`; NULL after the
                                              * last word */
};

/* Splits `text` at spaces; a word in double quotes may contain spaces. Returns false if
 * the first word does not begin with "/" or "~/", if it begins with "~/" and HOME is
 * not set, if `text` or the expanded path is too long, if there are more than
 * PROGRAM_LINE_WORDS_MAX words, or if a quote is not closed at the end of a word. */
bool program_line_parse(struct program_line *out, const char *text) MUST_USE;

#endif
