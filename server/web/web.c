/* See web.h. web_request.c parses the requests; this file answers them. */
#include "server/web/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <event2/util.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/net/session.h"
#include "server/web/web_files.h"
#include "server/web/web_request.h"

enum {
    HEAD_BYTES = 2048,
    MISSING_BYTES = 512,
    ELSEWHERE_BYTES = 1024,
    COST_BYTES = 1024 /* an answer costs one command line (usage.h) for each
                       * COST_BYTES bytes */
};

struct web {
    struct web_settings settings;
    X509 *cert;
    bool has_names; /* the certificate contains host names */
};

/* --- Sending --- */

static const struct {
    const char *line;
    const char *extra; /* additional header lines, with CRLF; "": none */
    const char *words;
} statuses[] = {
    [HTTP_OK] = {"200 OK", "", ""},
    [HTTP_BAD] = {"400 Bad Request", "", "this request is not one of HTTP/1.x\n"},
    [HTTP_FORBIDDEN] = {"403 Forbidden", "",
                        "only a page of this server may open a WebSocket\n"},
    [HTTP_MISSING] = {"404 Not Found", "", "there is no such page\n"},
    [HTTP_METHOD] = {"501 Not Implemented", "", "this server answers GET and HEAD\n"},
    [HTTP_LONG] = {"414 URI Too Long", "", "this address is too long\n"},
    [HTTP_MISDIRECTED] = {"421 Misdirected Request", "",
                          "this server is not known by that name; its host can set "
                          "--web-origin\n"},
    [HTTP_ELSEWHERE] = {"307 Temporary Redirect", "", ""},
    [HTTP_UPGRADE] =
        {"426 Upgrade Required",
         "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
         "this address is for a WebSocket of version 13 with the "
         "subprotocol " WEB_SUBPROTOCOL "\n"},
    [HTTP_MANY] = {"429 Too Many Requests", "Retry-After: 10\r\n",
                   "too many requests from your address; try again in a while\n"},
    [HTTP_HEADERS] = {"431 Request Header Fields Too Large", "",
                      "this request has too many or too long lines\n"},
    [HTTP_AWAY] = {"503 Service Unavailable", "Retry-After: 2\r\n",
                   "this waits for the server's disk; try again in a few seconds\n"},
    [HTTP_VERSION] = {"505 HTTP Version Not Supported", "",
                      "this server speaks HTTP/1.x\n"},
};

#define POLICY_BEGIN                                                                   \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "     \
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "  \
    "frame-ancestors "
/* The policy of a picture, which contains its own style. */
static const char picture_policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/* An answer that is ready to be sent. */
struct answer {
    enum http_status status;
    const char *type;
    const char *cache;
    const char *policy;
    const char *extra; /* additional header lines, with CRLF; "": none */
    bool keeps_open;   /* another request may follow */
    size_t len;
};

/* --- Languages --- */

/* The language that is set. It is static, because translate.h calls a
 * function that has no argument for it. */
static const struct web_language *spoken;

static const char *find_words(const char *key)
{
    for (const struct web_words *each = spoken->words; each->key != NULL; each++)
        if (strcmp(each->key, key) == 0)
            return each->words;
    return NULL;
}

/* The language of the request; NULL: English. */
static const struct web_language *find_language(const struct web_request *request)
{
    const struct web_language *language = web_languages;

    while (language->name != NULL && strcmp(language->name, request->language) != 0)
        language++;
    return language->name != NULL ? language : NULL;
}

void web_language_begin(const struct web_request *request)
{
    spoken = find_language(request);
    translate_by(spoken != NULL ? find_words : NULL);
}

void web_language_end(void)
{
    translate_by(NULL);
}

/* --- Answers --- */

void web_forget(struct session *session)
{
    free(session->request);
    session->request = NULL;
}

static void send_head(struct session *session, const struct answer *answer)
{
    char head[HEAD_BYTES], date[64];
    struct text text = text_into(head, sizeof head);

    evutil_date_rfc1123(date, sizeof date, NULL);
    text_addf(
        &text,
        "HTTP/1.1 %s\r\nDate: %s\r\n%s%s%sContent-Type: %s\r\nContent-Length: %zu\r\n"
        "Cache-Control: %s\r\nContent-Security-Policy: %s\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Connection: %s\r\n\r\n",
        statuses[answer->status].line, date, statuses[answer->status].extra,
        session->request->is_strict ? "Strict-Transport-Security: max-age=31536000\r\n"
                                    : "",
        answer->extra, answer->type, answer->len, answer->cache, answer->policy,
        answer->keeps_open ? "keep-alive" : "close");
    session_send(session, head, text.len);
}

/* Sends the answer, charges it to the client's usage, and lets the session read lines
 * again if it was waiting for this answer. */
static void send_answer(struct session *session, const struct answer *answer,
                        const void *bytes, int64_t now_ms)
{
    if (session->state != SESSION_REQUEST)
        return;
    send_head(session, answer);
    if (!session->request->is_head)
        session_send(session, bytes, answer->len);
    web_forget(session);
    usage_charge(&session->usage, (int)(answer->len / COST_BYTES), now_ms);
    session_release(session);
    if (!answer->keeps_open)
        session_close(session, "answered", "the page has been sent");
}

/* Returns the Content-Security-Policy of the answer. Other sites may show the page of a
 * game ("?embed") in a frame. They may not show any other page in a frame. Otherwise
 * another site could trick the reader into a click that does something in the reader's
 * name. */
static const char *policy_for(const struct session *session)
{
    static const char game[] = "/game/";
    const struct web_request *request = session->request;
    bool is_embedded = request != NULL && strcmp(request->query, "embed") == 0 &&
                       strncmp(request->path, game, strlen(game)) == 0;

    return is_embedded ? POLICY_BEGIN "*" : POLICY_BEGIN "'self'";
}

static void refuse(struct session *session, enum http_status status, int64_t now_ms)
{
    const char *words = statuses[status].words;
    struct answer answer = {.status = status,
                            .type = "text/plain; charset=utf-8",
                            .cache = "no-store",
                            .policy = POLICY_BEGIN "'self'",
                            .extra = "",
                            .len = strlen(words)};

    send_answer(session, &answer, words, now_ms);
}

void web_send_busy(struct session *session, int64_t now_ms)
{
    refuse(session, HTTP_AWAY, now_ms);
}

void web_send(struct session *session, enum web_type type, const char *bytes,
              size_t len, int64_t now_ms)
{
    static const char *const types[] = {[WEB_TEXT] = "text/plain; charset=utf-8",
                                        [WEB_SVG] = "image/svg+xml",
                                        [WEB_RECORD] = "text/plain; charset=utf-8"};
    struct answer answer = {
        .status = HTTP_OK,
        .type = types[type],
        .cache = "no-store",
        .policy = type == WEB_SVG ? picture_policy : POLICY_BEGIN "'self'",
        .extra = type == WEB_RECORD ? "Content-Disposition: attachment\r\n" : "",
        .len = len};

    send_answer(session, &answer, bytes, now_ms);
}

/* --- The shell --- */

static const struct web_file *find_file(const char *name)
{
    for (const struct web_file *file = web_files; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file;
    return NULL;
}

bool web_has_page(void)
{
    return find_file("page.html") != NULL;
}

/* The HTML around the text of every page, for a program that was built without the
 * script. */
static const char bare_shell[] =
    "<!doctype html>\n<html lang=\"<!--lang-->\"><head><meta charset=\"utf-8\"><meta "
    "name=\"viewport\" content=\"width=device-width\"><title><!--title--></title>"
    "</head>\n<body><!--text--></body></html>\n";

/* Copies the bytes from *from up to `mark` into `out`, and sets *from to the first byte
 * after the mark. If the mark is missing, copies all bytes up to `end`, and sets *from
 * to `end`. Returns the number of copied bytes. */
static size_t copy_up_to(char *out, const char **from, const char *end,
                         const char *mark)
{
    size_t mark_len = strlen(mark), len;
    const char *at = *from;

    while (end - at >= (ptrdiff_t)mark_len && memcmp(at, mark, mark_len) != 0)
        at++;
    if (end - at < (ptrdiff_t)mark_len) {
        at = end;
        mark_len = 0;
    }
    len = (size_t)(at - *from);
    memcpy(out, *from, len);
    *from = at + mark_len;
    return len;
}

/* extra: additional header lines, with CRLF. */
static void send_shell(struct session *session, enum http_status status,
                       const char *extra, const char *title, const char *html,
                       int64_t now_ms)
{
    const struct web_file *file = find_file("page.html");
    const char *from = file != NULL ? (const char *)file->bytes : bare_shell;
    size_t from_len = file != NULL ? file->len : sizeof bare_shell - 1;
    const char *end = from + from_len;
    static const char *const marks[] = {"<!--lang-->", "<!--title-->", "<!--text-->"};
    const struct web_language *found =
        session->request != NULL ? find_language(session->request) : NULL;
    const char *language = found != NULL ? found->name : "en";
    char *page =
        mem_new(from_len + strlen(language) + strlen(title) + strlen(html) + 1);
    struct answer answer = {.status = status,
                            .type = "text/html; charset=utf-8",
                            .cache = "no-store",
                            .policy = policy_for(session),
                            .extra = extra};

    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        const char *words = i == 0 ? language : i == 1 ? title : html;

        answer.len += copy_up_to(page + answer.len, &from, end, marks[i]);
        memcpy(page + answer.len, words, strlen(words));
        answer.len += strlen(words);
    }
    answer.len += copy_up_to(page + answer.len, &from, end, "<!--end-->");
    send_answer(session, &answer, page, now_ms);
    free(page);
}

void web_send_page(struct session *session, const char *title, const char *html,
                   int64_t now_ms)
{
    send_shell(session, HTTP_OK, "", title, html, now_ms);
}

/* Answers with a page that loads the script, and not with a bare error: the part of the
 * link after "#" may contain a name or a code, which only the script can see. */
void web_send_missing(struct session *session, int64_t now_ms)
{
    char html[MISSING_BYTES];
    struct text text = text_into(html, sizeof html);

    if (session->request != NULL) {
        session->request->query[0] = '\0';
        web_language_begin(session->request);
    }
    text_addf(&text, "<main><h1>%s</h1>\n<p>%s</p>\n<p><a href=\"/\">%s</a></p></main>",
              _("Not here"),
              _("There is no such page on this server, or guests may not see it."),
              _("The games"));
    web_language_end();
    send_shell(session, HTTP_MISSING, "", "janggi", html, now_ms);
}

void web_send_elsewhere(struct session *session, const char *at, int64_t now_ms)
{
    struct web_request *request = session->request;
    bool is_away = at[0] == '\0' || strcmp(at, request->host) == 0;
    char html[ELSEWHERE_BYTES], location[ELSEWHERE_BYTES] = "";
    struct text text = text_into(html, sizeof html);

    web_language_begin(request);
    if (is_away)
        text_addf(&text, "<main><h1>janggi</h1>\n<p>%s</p></main>",
                  _("The games are moving to another machine. Try again in a few "
                    "seconds."));
    else
        text_addf(
            &text,
            "<main><h1>janggi</h1>\n<p>%s <a href=\"https://%s/\">%s</a></p></main>",
            _("The games are on another machine:"), at, at);
    web_language_end();
    if (!is_away)
        snprintf(location, sizeof location, "Location: https://%s%s%s%s\r\n", at,
                 request->path, request->query[0] != '\0' ? "?" : "", request->query);
    send_shell(session, is_away ? HTTP_AWAY : HTTP_ELSEWHERE, location, "janggi", html,
               now_ms);
}

/* --- Files --- */

/* Sends the file at a path such as "/a/HASH/page.js". The policy of a script also applies to
 * a worker that runs it. The other files are never shown as documents, so they may load
 * nothing. */
static void send_file(struct session *session, const char *path, int64_t now_ms)
{
    size_t hash_len = strlen(web_files_hash);
    const char *hash = path + strlen("/a/");
    bool has_hash =
        strncmp(hash, web_files_hash, hash_len) == 0 && hash[hash_len] == '/';
    const struct web_file *file = has_hash ? find_file(hash + hash_len + 1) : NULL;
    struct answer answer = {.status = HTTP_OK,
                            .cache = "public, max-age=31536000, immutable",
                            .policy = "default-src 'none'",
                            .extra = "Vary: Accept-Encoding\r\n"};
    bool is_packed = session->request->takes_gzip;

    if (file == NULL || file->packed == NULL) {
        web_send_missing(session, now_ms);
        return;
    }
    if (is_packed)
        answer.extra = "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
    answer.type = file->type;
    answer.len = is_packed ? file->packed_len : file->len;
    answer.keeps_open = !session->request->wants_close && !session->request->is_old &&
                        !session->is_proxied;
    if (strncmp(file->type, "text/javascript", 15) == 0)
        answer.policy = POLICY_BEGIN "'self'";
    send_answer(session, &answer, is_packed ? file->packed : file->bytes, now_ms);
}

/* --- Which names are ours --- */

/* True if `host` is a name of this server. host: "name", "name:port" or "[v6]:port", in
 * small letters. */
static bool is_our_host(const struct web *web, const char *host)
{
    const char *origin = web->settings.origin, *known = web->settings.public_name;
    char name[WEB_HOST_BYTES];
    struct address split;
    int port;

    if (origin[0] != '\0' && strcmp(origin + strlen("https://"), host) == 0)
        return true;
    if (web->cert == NULL || !address_split(host, strlen(host), &split) ||
        split.host_len == 0 ||
        !text_cut(name, sizeof name, split.host, split.host_len) ||
        (split.port != NULL && !address_parse_port(&split, 0, &port)) ||
        (host[0] == '[') != (strchr(name, ':') != NULL) ||
        name[0] == '.') /* X509_check_host() takes ".org" for every name below it */
        return false;
    if (web->has_names)
        return address_is_numeric(name)
                   ? X509_check_ip_asc(web->cert, name, 0) == 1
                   : X509_check_host(web->cert, name, 0, 0, NULL) == 1;
    /* A certificate that the server made itself has no names. Nobody else can point these at
     * this machine. The port of the configured name does not count. */
    return address_is_numeric(name) || strcmp(name, "localhost") == 0 ||
           (address_split(known, strlen(known), &split) &&
            split.host_len == strlen(name) &&
            strncasecmp(split.host, name, split.host_len) == 0);
}

/* True if the request comes from a page of this server, or from no page: a browser
 * always says from which, and only our pages may open a WebSocket. */
static bool is_our_origin(const struct web_request *request)
{
    static const char scheme[] = "https://";

    return request->origins == 0 ||
           (request->origins == 1 &&
            strncmp(request->origin, scheme, strlen(scheme)) == 0 &&
            strcmp(request->origin + strlen(scheme), request->host) == 0);
}

/* --- The WebSocket --- */

/* The answer to the key is in RFC 6455, 4.2.2. */
static void upgrade(struct session *session, const struct web_request *request)
{
    static const char suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char head[256], accept[32], key[WEB_KEY_BYTES + sizeof suffix];
    struct text text = text_into(head, sizeof head);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned len = 0;

    snprintf(key, sizeof key, "%s%s", request->key, suffix);
    if (EVP_Digest(key, strlen(key), digest, &len, EVP_sha1(), NULL) != 1)
        log_die("web no SHA-1");
    EVP_EncodeBlock((unsigned char *)accept, digest, (int)len);
    text_addf(&text,
              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
              "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n"
              "Sec-WebSocket-Protocol: " WEB_SUBPROTOCOL "\r\n\r\n",
              accept);
    session_send(session, head, text.len);
    web_forget(session);
    session_become_framed(session);
}

static void open_websocket(struct session *session, const struct web_request *request,
                           int64_t now_ms)
{
    if (request->is_head || request->is_old || !request->wants_upgrade ||
        !request->wants_websocket || !request->is_version_13 || !request->wants_janggi)
        refuse(session, HTTP_UPGRADE, now_ms);
    else if (request->keys != 1 || strlen(request->key) != WEB_KEY_BYTES - 1)
        refuse(session, HTTP_BAD, now_ms);
    else if (!is_our_origin(request))
        refuse(session, HTTP_FORBIDDEN, now_ms);
    else
        upgrade(session, request);
}

/* --- Requests --- */

/* If the session came through a proxy, asks admission to admit the client. The client's
 * address comes from the proxy's request header. Returns false if the client was
 * refused; the answer was sent. */
static bool admit(const struct web *web, struct session *session, int64_t now_ms)
{
    const char *address = session->request->forwarded;
    struct prefix from;
    struct slot *slot;

    if (!session->is_proxied || web->settings.admission == NULL)
        return true;
    if (address[0] == '\0')
        address = "127.0.0.1"; /* the proxy itself, or somebody at this machine */
    if (!prefix_parse(address, &from)) {
        refuse(session, HTTP_BAD, now_ms);
        return false;
    }
    slot = admission_enter(web->settings.admission, &from, now_ms);
    if (slot == NULL) {
        refuse(session, HTTP_MANY, now_ms);
        return false;
    }
    session_come_from(session, slot);
    return session->state == SESSION_REQUEST; /* admission may have closed the session
                                               * at once, because all places are
                                               * taken */
}

/* Answers a complete request. */
static void answer_request(struct web *web, struct session *session, int64_t now_ms)
{
    struct web_request *request = session->request;
    char path[WEB_PATH_BYTES], *text;
    bool is_health, is_here, is_good = true;

    snprintf(path, sizeof path, "%s", request->path);
    log_debug("session=%llu get=%s", (unsigned long long)session->id, path);
    is_health = strcmp(path, "/health") == 0;
    is_here = session->is_proxied && request->forwarded[0] == '\0';
    if (!admit(web, session, now_ms))
        return;
    if (admission_line_wait_ms(web->settings.admission, session->usage.slot, now_ms) >
        0)
        refuse(session, HTTP_MANY, now_ms);
    else if (request->hosts != 1 && !(request->is_old && request->hosts == 0))
        refuse(session, HTTP_BAD, now_ms);
    else if (is_here && (is_health || strcmp(path, "/metrics") == 0)) {
        text = web->settings.on_probe(web->settings.arg, is_health, &is_good);
        send_answer(session,
                    &(struct answer){.status = is_good ? HTTP_OK : HTTP_AWAY,
                                     .type = "text/plain; version=0.0.4; charset=utf-8",
                                     .cache = "no-store",
                                     .policy = "default-src 'none'",
                                     .extra = "",
                                     .len = strlen(text)},
                    text, now_ms);
        free(text);
    } else if (!(request->is_old && request->host[0] == '\0') &&
               !is_our_host(web, request->host))
        refuse(session, HTTP_MISDIRECTED, now_ms);
    else if (strcmp(path, "/ws") == 0)
        open_websocket(session, request, now_ms);
    else if (strncmp(path, "/a/", 3) == 0)
        send_file(session, path, now_ms);
    else
        web->settings.on_page(web->settings.arg, session, path, now_ms);
}

void web_take_line(struct web *web, struct session *session, const char *line,
                   enum wire_why why, int64_t now_ms)
{
    enum http_status status;

    if (session->request == NULL) {
        session->request = mem_new(sizeof *session->request);
        session->request->is_strict = web->has_names && !session->is_proxied;
    }
    if (line == NULL)
        status = why == WIRE_LINE_TOO_LONG ? HTTP_HEADERS : HTTP_BAD;
    else
        status = web_request_take(session->request, line);
    if (status != HTTP_OK) {
        admission_penalize(session->usage.slot, ADMISSION_GARBAGE, now_ms);
        refuse(session, status, now_ms);
    } else if (session->request->is_complete) {
        answer_request(web, session, now_ms);
    }
}

/* --- Making --- */

struct web *web_new(const struct web_settings *settings)
{
    struct web *web = mem_new(sizeof *web);

    web->settings = *settings;
    return web;
}

void web_free(struct web *web)
{
    if (web == NULL)
        return;
    X509_free(web->cert);
    free(web);
}

void web_set_cert(struct web *web, const X509 *cert)
{
    GENERAL_NAMES *names;

    X509_free(web->cert);
    web->cert = cert != NULL ? X509_dup(cert) : NULL;
    names = web->cert != NULL
                ? X509_get_ext_d2i(web->cert, NID_subject_alt_name, NULL, NULL)
                : NULL;
    web->has_names = names != NULL;
    GENERAL_NAMES_free(names);
}
