/* Reads a request of HTTP/1.x, line by line. Supports only what we need: GET or HEAD, a
 * path and a few headers, without a body. These functions work only on struct
 * web_request. They do not use a connection or a page. */
#ifndef SERVER_WEB_WEB_REQUEST_H
#define SERVER_WEB_WEB_REQUEST_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

#define WEB_SUBPROTOCOL "janggi.1"
enum {
    WEB_PATH_BYTES = 256,
    WEB_HEADERS_MAX = 64,
    WEB_HOST_BYTES = 280,
    WEB_ORIGIN_BYTES = WEB_HOST_BYTES + 8,
    WEB_KEY_BYTES = 25 /* 16 bytes in base64 */
};

/* All members are zero before the first line. */
struct web_request {
    int lines;
    bool is_complete; /* the empty line has come */
    bool is_head;     /* HEAD instead of GET */
    bool is_old;      /* of HTTP/1.0 */
    bool is_strict;   /* set by web.c: browsers shall come by TLS only */
    char path[WEB_PATH_BYTES];
    char query[32];           /* what follows "?"; "" if it is too long */
    int hosts, origins, keys; /* how many header lines have the name Host, Origin,
                                * Sec-WebSocket-Key */
    char host
        [WEB_HOST_BYTES]; /* in small letters; that of an absolute target counts more */
    char origin[WEB_ORIGIN_BYTES];
    char key[WEB_KEY_BYTES];
    bool wants_upgrade, wants_websocket, wants_janggi, is_version_13;
    bool wants_close, takes_gzip;
    char language[4]; /* the one that the reader likes best: "ko"; "" if unknown */
    char forwarded[PREFIX_TEXT_BYTES]; /* the client's address as the proxy reports it;
                                        * "": the proxy reports none */
};

enum http_status {
    HTTP_OK,
    HTTP_BAD, /* not HTTP, or not accepted here: a body, folded lines */
    HTTP_FORBIDDEN,
    HTTP_MISSING,
    HTTP_LONG, /* the path is too long */
    HTTP_MISDIRECTED,
    HTTP_ELSEWHERE,
    HTTP_UPGRADE,
    HTTP_MANY,
    HTTP_HEADERS, /* too many header lines */
    HTTP_METHOD,  /* not GET or HEAD */
    HTTP_AWAY,
    HTTP_VERSION /* not HTTP/1.x */
};

/* Takes the next line, without its line end. Do not call it again when the request is
 * complete, or after another result than HTTP_OK, which is the answer. */
enum http_status web_request_take(struct web_request *request,
                                  const char *line) MUST_USE;

#endif
