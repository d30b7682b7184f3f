/* Reads a request of HTTP/1.1, line by line. Supports only what we need: GET or HEAD, a
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
    char path[WEB_PATH_BYTES];
    char query[32];            /* what follows "?"; "" if it is too long */
    int hosts, origins, keys;  /* how many header lines have the name Host, Origin,
                                * Sec-WebSocket-Key */
    char host[WEB_HOST_BYTES]; /* in small letters */
    char origin[WEB_ORIGIN_BYTES];
    char key[WEB_KEY_BYTES];
    bool wants_upgrade, wants_websocket, wants_janggi, is_version_13;
    bool wants_close;
    char language[4]; /* the one that the reader likes best: "ko"; "" if unknown */
    char forwarded[PREFIX_TEXT_BYTES]; /* the client's address as the proxy reports it;
                                        * "": the proxy reports none */
};

enum web_fault {
    WEB_FAULT_NONE,
    WEB_FAULT_BAD,     /* not HTTP, or not accepted here: a body, folded lines */
    WEB_FAULT_METHOD,  /* not GET or HEAD */
    WEB_FAULT_LONG,    /* the path is too long */
    WEB_FAULT_HEADERS, /* too many header lines */
    WEB_FAULT_VERSION  /* not HTTP/1.1 */
};

/* Takes the next line, without its line end. Do not call it again after a fault, or
 * when the request is complete. */
enum web_fault web_request_take(struct web_request *request, const char *line) MUST_USE;

#endif
