/* See utf8.h. */
#include "common/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "common/base/text.h"

enum {
    NAME_ASCII_MIN = 2,
    NAME_ASCII_MAX = 16,
    NAME_HANGUL_MIN = 2,
    NAME_HANGUL_MAX = 8
};

static const char *const reserved_names[] = {
    "red",    "blue",          "draw",   "none",      "any",      "server",
    "admin",  "administrator", "system", "janggid",   "host",     "root",
    "staff",  "owner",         "mod",    "moderator", "operator", "support",
    "관리자", "운영자",        "서버",   "시스템"};
/* utf8_name() refuses the first RESERVED_WORDS names of this list, of which the first
 * GAME_WORDS are words of the game. */
enum { RESERVED_WORDS = 11, GAME_WORDS = 5 };

/* True for letters, numbers, punctuation, symbols, plain spaces, and marks on a letter:
 * enough for any sentence. */
static bool category_shows(utf8proc_category_t category)
{
    switch (category) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ME:
        return false;
    default:
        return true;
    }
}

/* True for characters that category_shows() accepts but that have no glyph: the Hangul
 * and Khmer fillers, variation selectors, the grapheme joiner, the Braille blank. */
static bool is_invisible(utf8proc_int32_t c)
{
    static const utf8proc_int32_t ranges[][2] = {
        {0x034f, 0x034f}, {0x115f, 0x1160}, {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x2800, 0x2800}, {0x3164, 0x3164},
        {0xfe00, 0xfe0f}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff},
    };

    for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

static bool shows(utf8proc_int32_t c)
{
    return category_shows(utf8proc_category(c)) && !is_invisible(c) &&
           utf8proc_charwidth(c) >= 0;
}

/* Returns the next character of *text. Moves *text past it, and reduces *len by its
 * bytes. If the bytes are not strict UTF-8, returns -1 and changes nothing. */
static utf8proc_int32_t next_char(const char **text, size_t *len)
{
    utf8proc_int32_t c;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)*text, (utf8proc_ssize_t)*len, &c);

    if (used <= 0)
        return -1;
    *text += used;
    *len -= (size_t)used;
    return c;
}

bool utf8_is_valid(const char *text, size_t len)
{
    while (len > 0)
        if (next_char(&text, &len) < 0)
            return false;
    return true;
}

/* The most marks that one letter may have. No language needs more, and more marks would
 * cover the lines above. */
enum { MARKS_MAX = 4 };

bool utf8_is_showable(const char *text, size_t len)
{
    int marks = 0;

    while (len > 0) {
        utf8proc_int32_t c;

        if (*text >= ' ' && *text <= '~') { /* a fast path: nearly all text is ASCII */
            text++;
            len--;
            marks = 0;
            continue;
        }
        c = next_char(&text, &len);
        if (c < 0 || !shows(c))
            return false;
        marks = utf8proc_category(c) == UTF8PROC_CATEGORY_MN ? marks + 1 : 0;
        if (marks > MARKS_MAX)
            return false;
    }
    return true;
}

bool utf8_begins_visibly(const char *text)
{
    size_t len = strlen(text);
    utf8proc_int32_t c = next_char(&text, &len);
    utf8proc_category_t category;

    if (c < 0)
        return false;
    category = utf8proc_category(c);
    return category != UTF8PROC_CATEGORY_MN && category != UTF8PROC_CATEGORY_MC &&
           category != UTF8PROC_CATEGORY_ZS;
}

int utf8_width(const char *text)
{
    size_t len = strlen(text);
    int columns = 0;

    while (len > 0) {
        utf8proc_int32_t c = next_char(&text, &len);

        if (c < 0)
            break;
        columns += utf8proc_charwidth(c);
    }
    return columns;
}

size_t utf8_next(const char *text, int *columns)
{
    size_t len = strlen(text);
    const char *at = text;
    utf8proc_int32_t c;

    *columns = 0;
    if (len == 0)
        return 0;
    c = next_char(&at, &len);
    *columns = c < 0 ? 1 : utf8proc_charwidth(c);
    return c < 0 ? 1 : (size_t)(at - text);
}

/* Converts name to NFC. False: not UTF-8, or too long for a name; dst is empty then. */
static bool compose(char *dst, const char *name)
{
    utf8proc_uint8_t *composed;
    const char *at = name;
    bool fits;

    while (*at > 0)
        at++;
    if (*at == '\0') /* ASCII */
        return text_copy(dst, NAME_BYTES, name);
    dst[0] = '\0';
    if (strlen(name) > (size_t)4 * NAME_BYTES)
        return false; /* too long: a decomposed name has at most 3 * NAME_BYTES bytes */
    composed = utf8proc_NFC((const utf8proc_uint8_t *)name);
    if (composed == NULL)
        return false;
    fits = text_copy(dst, NAME_BYTES, (const char *)composed);
    free(composed);
    return fits;
}

const char *utf8_reserved_name(size_t i)
{
    return i < ARRAY_LEN(reserved_names) ? reserved_names[i] : NULL;
}

void utf8_look_of_name(char *dst, const char *name)
{
    static const struct {
        const char *seen, *read;
    } alike[] = {{"0", "o"}, {"1", "i"},  {"l", "i"}, {"5", "s"},
                 {"-", "_"}, {"rn", "m"}, {"vv", "w"}};
    char folded[NAME_BYTES];
    const char *at = folded;

    utf8_fold_name(folded, name);
    while (*at != '\0') {
        size_t len = 1;

        *dst = *at;
        for (size_t i = 0; i < ARRAY_LEN(alike); i++)
            if (strncmp(at, alike[i].seen, strlen(alike[i].seen)) == 0) {
                *dst = *alike[i].read;
                len = strlen(alike[i].seen);
            }
        at += len;
        dst++;
    }
    *dst = '\0';
}

/* True if the name looks like a reserved one, or is "player-" and a number: the server
 * gives such names to erased accounts. */
static bool looks_like_any(const char *name, size_t first)
{
    static const char alias[] = "piayer_"; /* as utf8_look_of_name() writes it */
    char look[NAME_BYTES], other[NAME_BYTES];
    const char *number = look + sizeof alias - 1;

    utf8_look_of_name(look, name);
    for (size_t i = first; i < ARRAY_LEN(reserved_names); i++) {
        utf8_look_of_name(other, reserved_names[i]);
        if (strcmp(look, other) == 0)
            return true;
    }
    return strncmp(look, "admin", 5) == 0 ||
           (strncmp(look, alias, sizeof alias - 1) == 0 && *number != '\0' &&
            number[strspn(number, "2346789ios_")] == '\0');
}

bool utf8_is_reserved_name(const char *name)
{
    static const char around[] = "_-0123456789l"; /* l looks like 1 */
    char folded[NAME_BYTES], bare[NAME_BYTES];    /* bare: "staff" of "_staff-1" */
    size_t front, len;

    if (looks_like_any(name, 0))
        return true;
    utf8_fold_name(folded, name);
    front = strspn(folded, around);
    len = strlen(folded);
    for (size_t from = 0; from <= front; from++)
        for (size_t to = len; to > from; to--) {
            snprintf(bare, sizeof bare, "%.*s", (int)(to - from), folded + from);
            if (looks_like_any(bare, GAME_WORDS))
                return true;
            if (strchr(around, folded[to - 1]) == NULL)
                break;
        }
    return false;
}

bool utf8_is_staff_name(const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return text_find_word(reserved_names + RESERVED_WORDS,
                          ARRAY_LEN(reserved_names) - RESERVED_WORDS, folded) >= 0;
}

/* All characters are ASCII or all are Hangul, so that a letter of one script cannot
 * imitate a letter of the other. */
bool utf8_name(char *dst, const char *name)
{
    const char *at = dst;
    char folded[NAME_BYTES];
    int ascii = 0, hangul = 0;
    size_t len;

    if (!compose(dst, name))
        return false;
    for (len = strlen(dst); len > 0;) {
        utf8proc_int32_t c = next_char(&at, &len);

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            (c >= '0' && c <= '9') || c == '_' || c == '-')
            ascii++;
        else if (c >= 0xac00 && c <= 0xd7a3)
            hangul++;
        else
            goto fail;
    }
    if (hangul == 0 ? ascii < NAME_ASCII_MIN || ascii > NAME_ASCII_MAX
                    : ascii > 0 || hangul < NAME_HANGUL_MIN || hangul > NAME_HANGUL_MAX)
        goto fail;
    utf8_fold_name(folded, dst);
    if (dst[0] != '-' && text_find_word(reserved_names, RESERVED_WORDS, folded) < 0)
        return true;

fail:
    dst[0] = '\0';
    return false;
}

void utf8_fold_name(char *dst, const char *name)
{
    /* Of the characters allowed in a name, only ASCII letters have two cases. */
    if (compose(dst, name))
        text_lower(dst);
}

void utf8_escape(char *dst, size_t size, const char *src)
{
    size_t len = strlen(src);
    struct text out = text_into(dst, size);

    while (len > 0 && !out.is_cut) {
        const char *from = src;
        utf8proc_int32_t c = next_char(&src, &len);

        if (c >= 0 && shows(c) && c != '\\') {
            text_add_bytes(&out, from, (size_t)(src - from));
            continue;
        }
        if (c < 0) { /* skips one invalid byte */
            src++;
            len--;
        }
        for (; from < src; from++) {
            char escape[8];

            snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)*from);
            text_add(&out, escape);
        }
    }
}
