/* See hostport.h. */
#include "common/base/hostport.h"

#include <stdint.h>
#include <string.h>

#include "common/base/text.h"

/* Parses the rest after the host: nothing, or a colon and the port. */
static bool take_port(const char *rest, const char *end, struct hostport *out)
{
    if (rest == end)
        return true;
    if (*rest != ':')
        return false;
    out->port = rest + 1;
    out->port_len = (size_t)(end - out->port);
    return true;
}

static bool split_bracketed(const char *text, const char *end, struct hostport *out)
{
    const char *close = memchr(text, ']', (size_t)(end - text));

    if (close == NULL)
        return false;
    out->host = text + 1;
    out->host_len = (size_t)(close - out->host);
    return take_port(close + 1, end, out);
}

bool hostport_split(const char *text, size_t len, struct hostport *out)
{
    const char *end = text + len;
    const char *colon = memchr(text, ':', len);
    bool is_v6 =
        colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon - 1)) != NULL;

    *out = (struct hostport){.host = text};
    if (len > 0 && text[0] == '[')
        return split_bracketed(text, end, out);
    if (is_v6 || colon == NULL)
        colon = end;
    out->host_len = (size_t)(colon - text);
    return take_port(colon, end, out);
}

bool hostport_parse_port(const struct hostport *from, int least, int *port)
{
    char digits[8];
    int64_t number;

    if (from->port_len >= sizeof digits)
        return false;
    memcpy(digits, from->port, from->port_len);
    digits[from->port_len] = '\0';
    if (!text_to_int(digits, least, UINT16_MAX, &number))
        return false;
    *port = (int)number;
    return true;
}
