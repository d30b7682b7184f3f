/* See text.h. */
#include "common/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool text_copy(char *dst, size_t size, const char *src)
{
    return text_cut(dst, size, src, strlen(src));
}

bool text_cut(char *dst, size_t size, const char *src, size_t len)
{
    bool fits = len < size;

    if (fits)
        memcpy(dst, src, len);
    if (size > 0)
        dst[fits ? len : 0] = '\0';
    return fits;
}

const char *text_pack(char **at, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memcpy(*at, text, size);

    *at += size;
    return copy;
}

bool text_to_int(const char *src, int64_t lo, int64_t hi, int64_t *out)
{
    bool is_negative = *src == '-';
    int64_t value = 0;

    if (is_negative)
        src++;
    if (*src == '\0')
        return false;
    for (; *src != '\0'; src++) {
        if (*src < '0' || *src > '9')
            return false;
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *src - '0', &value))
            return false; /* value holds the negated number, so that INT64_MIN fits */
    }
    if (!is_negative && __builtin_sub_overflow((int64_t)0, value, &value))
        return false;
    if (value < lo || value > hi)
        return false;
    *out = value;
    return true;
}

bool text_to_int32(const char *src, int lo, int hi, int *out)
{
    int64_t number;

    if (!text_to_int(src, lo, hi, &number))
        return false;
    *out = (int)number;
    return true;
}

int text_find_word(const char *const words[], size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] != NULL && strcmp(words[i], word) == 0)
            return (int)i;
    return -1;
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

int text_distance(const char *a, const char *b)
{
    int row[3][TEXT_DISTANCE_MAX + 1];
    size_t la = strlen(a), lb = strlen(b);

    if (la > TEXT_DISTANCE_MAX || lb > TEXT_DISTANCE_MAX)
        return TEXT_DISTANCE_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

        now[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            now[j] = min_of(min_of(up[j], now[j - 1]) + 1,
                            up[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min_of(now[j], up2[j - 2] + 1);
        }
    }
    return row[la % 3][lb];
}

const char *text_skip_words(const char *at, int words)
{
    for (int i = 0; i < words; i++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return at;
}

bool text_list_has(const char *list, char separator, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = list, *end; at != NULL; at = end == NULL ? NULL : end + 1) {
        end = strchr(at, separator);
        if (strncmp(at, word, len) == 0 &&
            (end == NULL ? at[len] == '\0' : at + len == end))
            return true;
    }
    return false;
}

void text_lower(char *text)
{
    for (; *text != '\0'; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

size_t text_columns(const char *words, size_t len)
{
    size_t columns = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)words[i];

        /* Characters of three or more bytes are wide; those of two bytes are not. */
        if ((byte & 0xC0) != 0x80)
            columns += byte >= 0xE0 ? 2 : 1;
    }
    return columns;
}

void text_base64url(char *dst, const unsigned char *src, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t bits = 0;
    int held = 0;

    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | src[i];
        for (held += 8; held >= 6; held -= 6)
            *dst++ = digits[bits >> (held - 6) & 63];
    }
    if (held > 0)
        *dst++ = digits[bits << (6 - held) & 63];
    *dst = '\0';
}

struct text text_into(char *buffer, size_t size)
{
    struct text text = {.at = buffer, .size = size};

    if (size > 0)
        buffer[0] = '\0';
    return text;
}

/* Returns true if len more bytes and a NUL fit and the text is not yet cut. Otherwise
 * marks the text as cut and returns false. */
static bool has_room(struct text *text, size_t len)
{
    text->is_cut = text->is_cut || len >= text->size - text->len;
    return !text->is_cut;
}

void text_add_bytes(struct text *text, const char *bytes, size_t len)
{
    if (!has_room(text, len))
        return;
    memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void text_add_int(struct text *text, int64_t number)
{
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[24], *end = digits + sizeof digits, *at = end;

    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--at = '-';
    text_add_bytes(text, at, (size_t)(end - at));
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;
    int wanted;

    if (text->is_cut)
        return;
    va_start(args, format);
    wanted = vsnprintf(text->at + text->len, text->size - text->len, format, args);
    va_end(args);
    if (wanted < 0 || (size_t)wanted >= text->size - text->len) {
        const char *mark = format[strlen(format) - 1] == '\n' ? "...\n" : "...";
        size_t end = text->size > strlen(mark) ? text->size - 1 - strlen(mark) : 0;

        text->is_cut = true;
        while (end > 0 && ((unsigned char)text->at[end] & 0xC0) == 0x80)
            end--;
        text->len = end;
        snprintf(text->at + end, text->size - end, "%s", mark);
        text->len += strlen(text->at + end);
        return;
    }
    text->len += (size_t)wanted;
}

void text_add_json(struct text *text, const char *words, size_t len)
{
    text_add(text, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)words[i];

        if (c == '"' || c == '\\')
            text_addf(text, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            text_addf(text, "\\u%04x", c);
        else
            text_addf(text, "%c", c);
    }
    text_add(text, "\"");
}
