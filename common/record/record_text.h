/* A text that grows as it is written, for records in any format. For text with an upper
 * bound use text.h. */
#ifndef COMMON_RECORD_RECORD_TEXT_H
#define COMMON_RECORD_RECORD_TEXT_H

#include <stddef.h>

#include "common/base/base.h"

/* All zero is an empty text. The owner frees `at`, which is NULL or ends with a NUL. */
struct record_text {
    char *at;
    size_t len;
    size_t room;
};

/* record_text_add() appends words of any length. record_text_addf() appends text as
 * printf() formats it, but only the first 1023 bytes of it. */
void record_text_add(struct record_text *text, const char *words);
void record_text_addf(struct record_text *text, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* Returns the text and makes the struct empty. The caller frees the text, which is "",
 * not NULL, if nothing was added. */
char *record_text_take(struct record_text *text) MUST_USE;

#endif
