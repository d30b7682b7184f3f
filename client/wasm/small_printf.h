/* A printf for the page's WebAssembly. It supports only the things that our own formats
 * use. It is about ten times smaller than the printf of the C library, and every
 * visitor has to fetch it.
 *
 *   %d %u %x %X %c %s %%
 *   %.1f for numbers below 10^9
 *   0 before the width; width and precision, each as a number or as *; l, ll, z
 *
 * Anything else in a format ends the text. All formats are ours, and a test checks each
 * of them. Some numbers, for example 0.05, cannot be stored exactly in a double. For
 * such a number, %.1f may round up where the C library rounds down, or the reverse. */
#ifndef CLIENT_WASM_SMALL_PRINTF_H
#define CLIENT_WASM_SMALL_PRINTF_H

#include <stdarg.h>
#include <stddef.h>

/* Formats a text and returns its length, as vsnprintf() does. */
int small_printf_list(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
