/* Bytes as text: bounded copies, numbers, and a builder that never writes past its end.
 * Knows nothing of Unicode (utf8.h does) and nothing of the game. libc only. */
#ifndef COMMON_BASE_TEXT_H
#define COMMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

/* Copies src with its NUL into dst. Refuses (false, dst is "") rather than cuts. */
bool text_copy(char *dst, size_t size, const char *src);

/* A whole decimal number, lo..hi, nothing before or after it. False leaves *out alone.
 */
bool text_to_int(const char *src, int64_t lo, int64_t hi, int64_t *out) MUST_USE;

/* ASCII lower case in place. */
void text_lower(char *text);

/* Columns that words of our own take on a terminal, len bytes of them: ASCII, Hangul
 * and hanja. What others wrote is for utf8.h. */
size_t text_columns(const char *words, size_t len);

/* Base64 for links and keys (RFC 4648 section 5, no padding). dst needs
 * TEXT_BASE64_BYTES(size). */
#define TEXT_BASE64_BYTES(size) (((size)*4 + 2) / 3 + 1)
void text_base64url(char *dst, const unsigned char *src, size_t size);

/* A line under construction in somebody else's buffer. */
struct text {
    char *at;
    size_t size;
    size_t len;
    bool
        is_cut; /* something did not fit; what stands there is whole up to that point */
};

/* Starts an empty text in buffer, which is borrowed and always ends with a NUL. */
struct text text_into(char *buffer, size_t size);
void text_add(struct text *text, const char *words);
void text_addf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
