/* A janggi that believes every line to be fit for a terminal. Linked in front of the
 * real check with
 *
 *     -Wl,--wrap=utf8_is_showable
 *
 * it is the control of tests/cli/hostile_server: what it prints must be caught. Nothing
 * of it is in the real program. */
#include <stdbool.h>
#include <stddef.h>

bool __wrap_utf8_is_showable(const char *text, size_t len);

bool __wrap_utf8_is_showable(const char *text, size_t len)
{
    (void)text;
    (void)len;
    return true;
}
