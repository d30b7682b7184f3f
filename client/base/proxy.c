/* See proxy.h. */
#include "client/base/proxy.h"

#include <stdio.h>
#include <string.h>

#include "common/base/hostport.h"

enum { PORT_USUAL = 1080 };

/* Returns the text after "socks5://", or NULL if the text begins differently. */
static const char *after_scheme(const char *text)
{
    static const char *const schemes[] = {"socks5://", "socks5h://"};

    for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
        if (strncmp(text, schemes[i], strlen(schemes[i])) == 0)
            return text + strlen(schemes[i]);
    return NULL;
}

bool proxy_parse(const char *text, struct proxy *out)
{
    const char *server = after_scheme(text);
    struct hostport split;
    int port = PORT_USUAL;

    if (server == NULL || strpbrk(server, "/@ \t") != NULL ||
        !hostport_split(server, strlen(server), &split) || split.host_len == 0 ||
        split.host_len >= sizeof out->host ||
        (split.port != NULL && !hostport_parse_port(&split, 1, &port)))
        return false;
    snprintf(out->host, sizeof out->host, "%.*s", (int)split.host_len, split.host);
    snprintf(out->port, sizeof out->port, "%d", port);
    return true;
}
