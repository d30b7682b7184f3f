/* The HTTP side for browsers: reads requests of HTTP/1.1 from a session in
 * SESSION_REQUEST and answers them. When the browser asks for a WebSocket, the lines of
 * the session are sent in frames from then on. This module does not use the games: a
 * callback provides the pages.
 *
 *   /ws            the WebSocket, subprotocol janggi.1: lines as in PROTOCOL.md. Each
 *                  frame contains one line
 *   /a/HASH/NAME   a file of the page, which never changes
 *   all others     are requested from on_page
 *
 * Only GET and HEAD are accepted, without a body and with at most 64 header lines. A
 * connection is closed after one answer, unless the answer is a file of the page. A GET
 * does not change anything. The server does not know which player sends a GET.
 *
 * The files of the page are the files of client/web: page.html, page.css, page.js and
 * what these need (Makefile, WEB_FILES). page.html is the shell of every page. In it
 *
 *   @HASH@              is replaced when the program is built: <script
 *                       src="/a/@HASH@/page.js" defer></script>
 *   <!--title-->        is replaced by the title of the page, as text
 *   <!--text-->         is replaced by the page for readers without script, as HTML: a
 *                       <main> with headings, paragraphs, lists, links and <pre>. The
 *                       script replaces this <main> when it runs.
 *
 * A proxy on this machine connects without TLS. The last address in its header
 * X-Forwarded-For is the address of the caller, and admission judges this address. On
 * all other connections, this header is ignored.
 *
 * A request there without that header comes from this machine itself: for a balancer and
 * a scraper, GET /health says in its status (200 or 503) whether the server accepts
 * players and moves, and GET /metrics is Prometheus text.
 *
 * The header Content-Security-Policy allows scripts and styles only from /a/, not
 * inside the page. */
#ifndef SERVER_WEB_WEB_H
#define SERVER_WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

#include "common/base/base.h"
#include "common/net/wire.h"

struct admission;
struct session;
struct web;
struct web_request;

struct web_settings {
    struct admission *admission; /* borrowed */
    const char *origin;          /* the address for browsers, "https://host:port"; "":
                                  * browsers must use a name in the certificate;
                                  * borrowed */
    const char *public_name;     /* the name of the server in links, or ""; borrowed */
    /* Called for a GET or HEAD of `path`, which has no "?..." and which the callee may
     * change. Answer the request with one of the functions below, now or later; hold
     * the session until then. */
    void (*on_page)(void *arg, struct session *session, char *path, int64_t now_ms);
    /* Returns the text of /health or /metrics, which the caller frees. *is_good is false
     * if the server accepts no players and moves. */
    char *(*on_probe)(void *arg, bool is_health, bool *is_good);
    void *arg;
};

struct web *web_new(const struct web_settings *settings) MUST_USE;
/* Frees the web. `web` may be NULL. */
void web_free(struct web *web);
/* Returns false if the program was built without the script, and has pages of text
 * only. */
bool web_has_page(void);
/* Sets the certificate that browsers see, and makes a copy of it. */
void web_set_cert(struct web *web, const X509 *cert);

/* Handles the next line of a request; the session is in SESSION_REQUEST. If `line` is
 * NULL, the line was dropped for the reason `why`. */
void web_take_line(struct web *web, struct session *session, const char *line,
                   enum wire_why why, int64_t now_ms);
/* Frees the request of a session. Call it when the session has ended. */
void web_forget(struct session *session);

/* Sets the language of this request: texts are translated into it (translate.h) until
 * web_language_end() is called. Pages are made one at a time. */
void web_language_begin(const struct web_request *request);
void web_language_end(void);

/* --- Answers to on_page: one each --- */

enum web_type { WEB_TEXT, WEB_SVG, WEB_RECORD };
void web_send(struct session *session, enum web_type type, const char *bytes,
              size_t len, int64_t now_ms);
/* Sends the shell of a page with that title and that HTML. Both must be escaped
 * already, and both are copied. */
void web_send_page(struct session *session, const char *title, const char *html,
                   int64_t now_ms);
/* Sends the browser to the same page of the node that has the games, at "HOST:PORT". If
 * `at` is "" or the address that the browser has asked, only says that the games are
 * moving. */
void web_send_elsewhere(struct session *session, const char *at, int64_t now_ms);
/* Answers that what was asked for waits for the server's disk. */
void web_send_busy(struct session *session, int64_t now_ms);
/* Sends the same bytes for everything that does not exist or that the caller may not
 * see. */
void web_send_missing(struct session *session, int64_t now_ms);

#endif
