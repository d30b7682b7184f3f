/* A printf for the page's WebAssembly. It supports only what our own formats use. It
 * has a tenth of the size of the C library's printf, and every visitor has to fetch it.
 *
 *   %d %u %x %X %c %s %%; %f with one digit after the point, below 10^9 (a number
 *   without an exact double, such as 0.05, may be rounded to the other side)
 *   0 before the width; a width and a precision, also as *; l, ll, z
 *
 * Anything else in a format ends the text. All formats are ours, and a test checks each
 * of them. */
#ifndef CLIENT_WASM_SMALL_PRINTF_H
#define CLIENT_WASM_SMALL_PRINTF_H

#include <stdarg.h>
#include <stddef.h>

/* Formats a text and returns its length, as vsnprintf() does. */
int small_printf_list(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
