/* Text as bytes: bounded copies, numbers, and a builder that never writes past its end.
 * Does not handle Unicode (utf8.h does). Depends on libc only. */
#ifndef COMMON_BASE_TEXT_H
#define COMMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/base.h"

/* Copies src with its NUL to dst. If it does not fit, returns false and sets dst to
 * "". */
bool text_copy(char *dst, size_t size, const char *src);
/* Like text_copy(), but copies len bytes of src, which needs no NUL. */
bool text_cut(char *dst, size_t size, const char *src, size_t len);

/* Copies text with its NUL to the address *at, and moves *at past the copy. Returns the
 * copy. The caller ensures that there is room. */
const char *text_pack(char **at, const char *text);

/* Parses src as a decimal integer from lo to hi, with nothing before or after it.
 * False: src is something else, and *out is unchanged. */
bool text_to_int(const char *src, int64_t lo, int64_t hi, int64_t *out) MUST_USE;
bool text_to_int32(const char *src, int lo, int hi, int *out) MUST_USE;

/* Returns the index of word in `words`, or -1. Skips elements of `words` that are
 * NULL. */
int text_find_word(const char *const words[], size_t count, const char *word);

/* Returns the rest of `at` after its first `words` words. Spaces separate words. */
const char *text_skip_words(const char *at, int words);

/* True when word is in list, whose words are separated by `separator`. */
bool text_list_has(const char *list, char separator, const char *word);

/* Replaces ASCII capitals by small letters, in place. */
void text_lower(char *text);

/* Returns the edit distance: how many letters must be changed, added, removed or
 * swapped with their neighbour to turn a into b. Returns TEXT_DISTANCE_MAX if a or b is
 * longer than TEXT_DISTANCE_MAX bytes. */
enum { TEXT_DISTANCE_MAX = 24 };
int text_distance(const char *a, const char *b);

/* Returns the number of terminal columns of the first len bytes of words. The result is
 * right for ASCII, Hangul and hanja, which our own messages consist of. For text from
 * others use utf8_width(). */
size_t text_columns(const char *words, size_t len);

/* Writes size bytes of src to dst as base64url, with a NUL and without padding (RFC
 * 4648 section 5). dst needs TEXT_BASE64_BYTES(size). */
#define TEXT_BASE64_BYTES(size) (((size)*4 + 2) / 3 + 1)
void text_base64url(char *dst, const unsigned char *src, size_t size);

/* A text that is built in a buffer of the caller. */
struct text {
    char *at;
    size_t size;
    size_t len;
    bool is_cut; /* true: an addition did not fit; all later ones are left out */
};

/* Starts an empty text in buffer, which has size bytes. The buffer is borrowed, and is
 * always NUL-terminated. */
struct text text_into(char *buffer, size_t size);
/* Appends len bytes, which need no NUL. If they do not fit, appends nothing and sets
 * is_cut. Once is_cut is set, no function appends anything. */
void text_add_bytes(struct text *text, const char *bytes, size_t len);
/* Appends words. Inline, so that the compiler computes the length of a literal. */
static inline void text_add(struct text *text, const char *words)
{
    text_add_bytes(text, words, strlen(words));
}
/* Appends number in decimal. */
void text_add_int(struct text *text, int64_t number);
/* Appends text as printf() formats it. What does not fit is cut between two characters,
 * and "..." marks the cut, before the line end if `format` has one. Slower than the other
 * functions: do not use it for text that is written for every move. */
void text_addf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends len bytes of words, which are valid UTF-8, as a JSON string in quotes.
 * Escapes what could break a line or a terminal. Needs at most TEXT_JSON_BYTES(len)
 * bytes, with the NUL. */
#define TEXT_JSON_BYTES(len) ((len)*6 + 3)
void text_add_json(struct text *text, const char *words, size_t len);

#endif
