/* A command of the settings (on-turn, on-match): a program and its fixed arguments. It is
 * started without a shell, so nothing in it is expanded except "~/" in front. */
#ifndef CLIENT_BASE_COMMAND_H
#define CLIENT_BASE_COMMAND_H

#include <limits.h>
#include <stdbool.h>

#include "common/base/base.h"

enum { COMMAND_BYTES = 512, COMMAND_WORDS_MAX = 32 };

struct command {
    char bytes[COMMAND_BYTES + PATH_MAX];
    char *words[COMMAND_WORDS_MAX + 1]; /* into bytes; the last one is NULL */
};

/* Splits text at spaces; a word in double quotes may contain spaces. False: the first
 * word is not a path from the root or from "~/", there are more than COMMAND_WORDS_MAX
 * words, or a quote is not closed. */
bool command_parse(struct command *out, const char *text) MUST_USE;

#endif
