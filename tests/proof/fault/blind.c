/* A janggi that accepts every line as safe for a terminal. Linked in front of the
 * real check with
 *
 *     -Wl,--wrap=utf8_is_showable
 *
 * it is the negative control of tests/cli/hostile_server: that test must detect its
 * output. The real program does not contain this file. */
#include <stdbool.h>
#include <stddef.h>

bool __wrap_utf8_is_showable(const char *text, size_t len);

bool __wrap_utf8_is_showable(const char *text, size_t len)
{
    (void)text;
    (void)len;
    return true;
}
