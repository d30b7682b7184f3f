/* Replaces utf8_is_showable() by a function that accepts every line as safe for a
 * terminal. A janggi that is linked with this file and with
 *
 *     -Wl,--wrap=utf8_is_showable
 *
 * is the negative control of tests/cli/hostile_server: that test must detect the unsafe
 * output of that janggi. The real program does not contain this file. */
#include <stdbool.h>
#include <stddef.h>

bool __wrap_utf8_is_showable(const char *text, size_t len);

bool __wrap_utf8_is_showable(const char *text, size_t len)
{
    (void)text;
    (void)len;
    return true;
}
