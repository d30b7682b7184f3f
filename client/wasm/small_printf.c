/* See small_printf.h. */
#include "client/wasm/small_printf.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_BYTES = 24 };

struct sink {
    char *out;
    size_t size, len;
};

/* The flags, width and precision between the % and the letter. */
struct shape {
    bool has_zeros;
    int width, precision; /* precision < 0: none */
    int longs;            /* number of letters l; a z counts as one l, or as two
                           * if size_t is larger than long */
};

static void put(struct sink *sink, char byte)
{
    if (sink->len + 1 < sink->size)
        sink->out[sink->len] = byte;
    sink->len++;
}

static void put_text(struct sink *sink, const char *text, size_t len,
                     const struct shape *shape, bool is_negative)
{
    int space = shape->width - (int)len - is_negative;

    for (; space > 0 && !shape->has_zeros; space--)
        put(sink, ' ');
    if (is_negative)
        put(sink, '-');
    for (; space > 0; space--)
        put(sink, '0');
    for (size_t i = 0; i < len; i++)
        put(sink, text[i]);
}

static void put_number(struct sink *sink, unsigned long long number, unsigned base,
                       char ten, const struct shape *shape, bool is_negative)
{
    char digits[DIGITS_BYTES];
    size_t at = sizeof digits;

    do {
        unsigned digit = (unsigned)(number % base);

        digits[--at] = (char)(digit < 10 ? '0' + (int)digit : ten + (int)digit - 10);
        number /= base;
    } while (number > 0);
    put_text(sink, digits + at, sizeof digits - at, shape, is_negative);
}

static void put_signed(struct sink *sink, long long number, const struct shape *shape)
{
    unsigned long long size = (unsigned long long)number;

    put_number(sink, number < 0 ? 0 - size : size, 10, 'a', shape, number < 0);
}

/* Prints `number` with one digit after the point. Rounds a half to the even digit, as
 * the C library does. */
static void put_tenths(struct sink *sink, double number, const struct shape *shape)
{
    double size = (number < 0 ? -number : number) * 10;
    long long tenths = (long long)size;
    double rest = size - (double)tenths;
    char digits[DIGITS_BYTES];
    struct sink text = {digits, sizeof digits, 0};
    const struct shape plain = {.precision = -1};

    if (rest > 0.5 || (rest == 0.5 && tenths % 2 != 0))
        tenths++;
    put_signed(&text, tenths / 10, &plain);
    put(&text, '.');
    put(&text, (char)('0' + tenths % 10));
    put_text(sink, digits, text.len, shape, number < 0);
}

static int read_number(const char **format, va_list *args)
{
    int number = 0;

    if (**format == '*') {
        ++*format;
        return va_arg(*args, int);
    }
    while (**format >= '0' && **format <= '9')
        number = number * 10 + *(*format)++ - '0';
    return number;
}

static struct shape read_shape(const char **format, va_list *args)
{
    struct shape shape = {.precision = -1};

    if (**format == '0') {
        shape.has_zeros = true;
        ++*format;
    }
    shape.width = read_number(format, args);
    if (**format == '.') {
        ++*format;
        shape.precision = read_number(format, args);
    }
    while (**format == 'l' || **format == 'z') {
        shape.longs += **format == 'z' && sizeof(size_t) > sizeof(long) ? 2 : 1;
        ++*format;
    }
    return shape;
}

static long long next_signed(const struct shape *shape, va_list *args)
{
    if (shape->longs == 0)
        return va_arg(*args, int);
    return shape->longs == 1 ? va_arg(*args, long) : va_arg(*args, long long);
}

static unsigned long long next_unsigned(const struct shape *shape, va_list *args)
{
    if (shape->longs == 0)
        return va_arg(*args, unsigned);
    return shape->longs == 1 ? va_arg(*args, unsigned long)
                             : va_arg(*args, unsigned long long);
}

static void put_words(struct sink *sink, const char *words, const struct shape *shape)
{
    size_t len = shape->precision >= 0 ? strnlen(words, (size_t)shape->precision)
                                       : strlen(words);

    put_text(sink, words, len, shape, false);
}

/* Prints one argument. Returns false for a letter that is not supported. */
static bool convert(struct sink *sink, char letter, const struct shape *shape,
                    va_list *args)
{
    char byte;

    switch (letter) {
    case 'd':
        put_signed(sink, next_signed(shape, args), shape);
        break;
    case 'u':
        put_number(sink, next_unsigned(shape, args), 10, 'a', shape, false);
        break;
    case 'x':
    case 'X':
        put_number(sink, next_unsigned(shape, args), 16, letter == 'x' ? 'a' : 'A',
                   shape, false);
        break;
    case 'c':
        byte = (char)va_arg(*args, int);
        put_text(sink, &byte, 1, shape, false);
        break;
    case 's':
        put_words(sink, va_arg(*args, const char *), shape);
        break;
    case 'f':
        put_tenths(sink, va_arg(*args, double), shape);
        return shape->precision == 1;
    case '%':
        put(sink, '%');
        break;
    default:
        return false;
    }
    return true;
}

int small_printf_list(char *out, size_t size, const char *format, va_list args)
{
    struct sink sink = {out, size, 0};
    bool is_good = true;
    va_list own;

    va_copy(own, args);
    while (*format != '\0' && is_good) {
        if (*format != '%') {
            put(&sink, *format++);
            continue;
        }
        format++;
        struct shape shape = read_shape(&format, &own);
        is_good = convert(&sink, *format, &shape, &own);
        format += is_good;
    }
    va_end(own);
    if (size > 0)
        out[sink.len < size ? sink.len : size - 1] = '\0';
    return (int)sink.len;
}

#ifdef __wasm__
/* Replaces the vsnprintf() of the C library. */
int vsnprintf(char *restrict out, size_t size, const char *restrict format,
              va_list args)
{
    return small_printf_list(out, size, format, args);
}

int snprintf(char *restrict out, size_t size, const char *restrict format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = small_printf_list(out, size, format, args);
    va_end(args);
    return len;
}
#endif
