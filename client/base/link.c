/* See link.h. A link contains no ?, # or &, because these characters have a meaning in
 * a shell, and people paste links into a shell without quotes. */
#include "client/base/link.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/address.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/proto.h"

#define LINK_SCHEME   "janggi://"
#define OPEN_ESCAPED  "%5B"
#define CLOSE_ESCAPED "%5D"

static const char base64url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool link_is_key(const char *text)
{
    size_t len = strlen(text);

    return len >= TLS_KEY_TEXT_SHORT && len < TLS_KEY_TEXT_BYTES &&
           strspn(text, base64url) == len;
}

static bool complain(char why[LINK_WHY_BYTES], const char *format, const char *what)
{
    struct text text = text_into(why, LINK_WHY_BYTES);

    text_addf(&text, format, what);
    return false;
}

/* Copies the `len` bytes at `from` to `dst`, and adds a NUL. Returns false if `len` is
 * 0, or if the text does not fit in `size` bytes. */
static bool take(char *dst, size_t size, const char *from, size_t len)
{
    if (len == 0 || len >= size)
        return false;
    memcpy(dst, from, len);
    dst[len] = '\0';
    return true;
}

/* --- Host and port --- */

/* Copies the `len` bytes at `at` to `plain`. If the text begins with %5B, replaces the
 * %5B by "[" and the next %5D by "]". Links contain %5B and %5D because brackets have a
 * special meaning in zsh. Returns false if the text is empty or too long, or if %5B is
 * not followed by %5D. */
static bool take_brackets(char plain[LINK_SERVER_BYTES], const char *at, size_t len)
{
    bool is_escaped = len >= 3 && strncasecmp(at, OPEN_ESCAPED, 3) == 0;
    char *close;

    if (!is_escaped)
        return take(plain, LINK_SERVER_BYTES, at, len);
    plain[0] = '[';
    if (!take(plain + 1, LINK_SERVER_BYTES - 1, at + 3, len - 3))
        return false;
    close = strcasestr(plain, CLOSE_ESCAPED);
    if (close == NULL)
        return false;
    *close = ']';
    memmove(close + 1, close + 3, strlen(close + 3) + 1);
    return true;
}

static bool parse_server(const char *at, size_t len, struct link *out,
                         char why[LINK_WHY_BYTES])
{
    char plain[LINK_SERVER_BYTES];
    struct address split;
    int port = PROTO_PORT;

    if (!take_brackets(plain, at, len) ||
        !address_split(plain, strlen(plain), &split) ||
        !take(out->host, sizeof out->host, split.host, split.host_len) ||
        out->host[0] == '-')
        return complain(why, _("\"%.60s\" does not contain a host name"), at);
    for (const char *c = out->host; *c != '\0'; c++)
        if ((unsigned char)*c < 0x80 && strchr(".%:", *c) == NULL &&
            strchr(base64url, *c) == NULL)
            return complain(why, _("\"%.60s\" does not contain a host name"), at);
    if (split.port != NULL && !address_parse_port(&split, 1, &port))
        return complain(why,
                        _("invalid port \"%.20s\": a port is a number from 1 to 65535"),
                        split.port);
    snprintf(out->port, sizeof out->port, "%d", port);
    return true;
}

/* --- The path of a link --- */

/* Returns true if all characters of `code` are valid. Valid are the characters of
 * base64url, but "_" is valid only in an owner link. */
static bool is_code(const char *code, enum link_kind kind)
{
    return strspn(code, base64url) == strlen(code) &&
           (kind == LINK_OWNER || strchr(code, '_') == NULL);
}

/* Copies the first part of the path at *at to `dst`. The part ends at the next slash or
 * at the end of the path. Moves *at to the start of the next part. Returns false if the
 * part is empty or too long. */
static bool take_part(const char **at, char *dst, size_t size)
{
    size_t len = strcspn(*at, "/");

    if (!take(dst, size, *at, len))
        return false;
    *at += len + ((*at)[len] == '/');
    return true;
}

static bool parse_key(const char *path, struct link *out, char why[LINK_WHY_BYTES])
{
    if (*path == '\0')
        return true; /* the key is optional: the server may have a certificate from an
                      * authority */
    if (!take_part(&path, out->key, sizeof out->key) || !link_is_key(out->key) ||
        *path != '\0')
        return complain(why,
                        _("the key at the end of the link is damaged (%s): paste the "
                          "whole line once more"),
                        _("a key has 22 to 43 characters: letters, digits, - and _"));
    return true;
}

static bool parse_path(const char *path, struct link *out, char why[LINK_WHY_BYTES])
{
    static const char *const words[] = {[LINK_LOBBY] = "",
                                        [LINK_JOIN] = "join",
                                        [LINK_WATCH] = "watch",
                                        [LINK_ENTER] = "enter",
                                        [LINK_OWNER] = "owner"};
    const char *whole = path;
    size_t digits, len;
    char word[8];
    int kind;

    if (*path == '\0')
        return true;
    kind = take_part(&path, word, sizeof word)
               ? text_find_word(words, ARRAY_LEN(words), word)
               : -1;
    out->kind = kind > 0 ? (enum link_kind)kind : LINK_LOBBY;
    if (out->kind == LINK_LOBBY)
        return complain(why,
                        _("a link has /join/, /watch/, /enter/ or /owner/ after the "
                          "server, not \"%.40s\""),
                        whole);
    if (out->kind == LINK_WATCH) {
        /* The code of a private game is its number, a dash and more. A last part that is as long
         * as a key is the key. */
        digits = strspn(path, "0123456789");
        len = strcspn(path, "/");
        if (digits > 0 && path[digits] == '-' &&
            (path[len] != '\0' || len < TLS_KEY_TEXT_SHORT) &&
            (!take_part(&path, out->code, sizeof out->code) ||
             !is_code(out->code, out->kind)))
            return complain(why, _("the code of the game in the link is damaged%s"),
                            "");
        return parse_key(path, out, why);
    }
    if (!take_part(&path, out->code, sizeof out->code) ||
        !is_code(out->code, out->kind))
        return complain(why,
                        _("the link has no invitation code: paste the whole line once "
                          "more%s"),
                        "");
    return parse_key(path, out, why);
}

bool link_parse(const char *text, struct link *out, char why[LINK_WHY_BYTES])
{
    struct link link = {.kind = LINK_LOBBY};
    size_t scheme = strlen(LINK_SCHEME);
    bool is_link = strncasecmp(text, LINK_SCHEME, scheme) == 0;
    const char *server = is_link ? text + scheme : text;
    size_t len = is_link ? strcspn(server, "/") : strlen(server);

    if (strncasecmp(text, "https://", 8) == 0 || strncasecmp(text, "http://", 7) == 0)
        return complain(why,
                        _("that is a link for a browser: open it there, or ask for the "
                          "link that begins with janggi://%s"),
                        "");
    if (!parse_server(server, len, &link, why))
        return false;
    if (is_link && server[len] == '/' && !parse_path(server + len + 1, &link, why))
        return false;
    *out = link;
    return true;
}

/* --- Back to text --- */

static void format(char out[LINK_SERVER_BYTES], const struct link *link,
                   const char *open, const char *close)
{
    bool is_v6 = strchr(link->host, ':') != NULL;
    struct text text = text_into(out, LINK_SERVER_BYTES);

    text_addf(&text, "%s%s%s:%s", is_v6 ? open : "", link->host, is_v6 ? close : "",
              link->port);
}

void link_format_server(char out[LINK_SERVER_BYTES], const struct link *link)
{
    format(out, link, "[", "]");
}

void link_format_pasted(char out[LINK_SERVER_BYTES], const struct link *link)
{
    format(out, link, OPEN_ESCAPED, CLOSE_ESCAPED);
}

void link_format_typed(char out[LINK_SERVER_BYTES], const struct link *link)
{
    int64_t port = 0;
    struct text text = text_into(out, LINK_SERVER_BYTES);

    if (!text_to_int(link->port, 1, 65535, &port) || port != PROTO_PORT)
        link_format_server(out, link);
    else
        text_add(&text, link->host);
}

/* --- For somebody else --- */

static bool take_server(struct link *out, const char *server, size_t len)
{
    char text[LINK_SERVER_BYTES], why[LINK_WHY_BYTES];
    struct link found;

    if (!take(text, sizeof text, server, len) || !link_parse(text, &found, why) ||
        found.kind != LINK_LOBBY)
        return false;
    text_copy(out->host, sizeof out->host, found.host);
    text_copy(out->port, sizeof out->port, found.port);
    return true;
}

enum link_reach link_outside(struct link *out, const struct link *to, bool is_loopback,
                             const char *public_name, const char *addresses)
{
    *out = *to;
    if (public_name != NULL && take_server(out, public_name, strlen(public_name)))
        return LINK_REACH_ANY;
    if (is_loopback &&
        (addresses == NULL || !take_server(out, addresses, strcspn(addresses, ","))))
        return LINK_REACH_HERE;
    return address_is_private(out->host) ? LINK_REACH_NETWORK : LINK_REACH_ANY;
}

void link_add_warning(struct text *out, const struct link *outside,
                      enum link_reach reach)
{
    if (reach == LINK_REACH_NETWORK)
        text_addf(out,
                  _("%s is a private address, which works only in its own network.\n"
                    "For other networks the host starts the server with --public-name "
                    "NAME\n(or make play PUBLIC=NAME) and forwards port %s.\n"),
                  outside->host, outside->port);
    else if (reach == LINK_REACH_HERE)
        text_addf(out,
                  _("%s is this machine: the line works here only, because the server "
                    "knows\nno other address of its own. The host can give the server "
                    "a name with\n--public-name NAME (or make play PUBLIC=NAME).\n"),
                  outside->host);
}

/* --- Proxies --- */

enum { PROXY_PORT_USUAL = 1080 };

bool link_parse_proxy(const char *text, struct link_proxy *out)
{
    size_t scheme = strncmp(text, "socks5://", 9) == 0     ? 9
                    : strncmp(text, "socks5h://", 10) == 0 ? 10
                                                           : 0;
    const char *server = text + scheme;
    struct address split;
    int port = PROXY_PORT_USUAL;

    if (scheme == 0 || strpbrk(server, "/@ \t") != NULL ||
        !address_split(server, strlen(server), &split) || split.host_len == 0 ||
        split.host_len >= sizeof out->host ||
        (split.port != NULL && !address_parse_port(&split, 1, &port)))
        return false;
    snprintf(out->host, sizeof out->host, "%.*s", (int)split.host_len, split.host);
    snprintf(out->port, sizeof out->port, "%d", port);
    return true;
}
