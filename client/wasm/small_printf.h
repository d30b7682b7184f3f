/* Formatted text for the page's WebAssembly: what our own formats use, in a tenth of the
 * space of the C library's, which every visitor would fetch.
 *
 *   %d %u %x %X %c %s %%; %f with one digit after the point, below 10^9 (a number without
 *   an exact double, such as 0.05, may be rounded to the other side)
 *   0 before the width; a width and a precision, also as *; l, ll, z
 *
 * Anything else ends the text: all formats are ours, and a test reads each of them. */
#ifndef CLIENT_WASM_SMALL_PRINTF_H
#define CLIENT_WASM_SMALL_PRINTF_H

#include <stdarg.h>
#include <stddef.h>

/* As vsnprintf. */
int small_printf_list(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
