/* See web_request.h. */
#include "server/web/web_request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/text.h"

enum { LINE_BYTES = 4097 }; /* of a header, with its NUL */

/* Splits the target of the request, "/game/17?embed" or "https://HOST/game/17?embed",
 * into host, path and query. A query that is too long is left out. False: the target is
 * invalid. */
static bool take_target(struct web_request *request, char *target)
{
    char *query = strchr(target, '?');
    const char *path = target;

    if (query != NULL) {
        *query = '\0';
        text_copy(request->query, sizeof request->query, query + 1);
    }
    if (strncasecmp(target, "http://", 7) == 0 ||
        strncasecmp(target, "https://", 8) == 0) {
        const char *host = strchr(target, ':') + 3;
        size_t host_len = strcspn(host, "/");

        if (host_len == 0)
            return false;
        text_cut(request->host, sizeof request->host, host, host_len);
        text_lower(request->host);
        path = host[host_len] != '\0' ? host + host_len : "/";
    }
    return path[0] == '/' && text_copy(request->path, sizeof request->path, path);
}

/* Parses the first line of a request, such as "GET /game/17?embed HTTP/1.1". */
static enum http_status take_request_line(struct web_request *request, const char *line)
{
    const char *begin = strchr(line, ' ');
    const char *version = begin != NULL ? strchr(begin + 1, ' ') : NULL;
    char target[WEB_PATH_BYTES];

    if (version == NULL || strncmp(version, " HTTP/", 6) != 0)
        return HTTP_BAD;
    if (strncmp(version, " HTTP/1.", 8) != 0 ||
        strspn(version + 8, "0123456789") != 1 || version[9] != '\0')
        return HTTP_VERSION;
    request->is_old = version[8] == '0';
    request->is_head = strncmp(line, "HEAD ", 5) == 0;
    if (!request->is_head && strncmp(line, "GET ", 4) != 0)
        return HTTP_METHOD;
    if (!text_cut(target, sizeof target, begin + 1, (size_t)(version - begin) - 1))
        return HTTP_LONG;
    return take_target(request, target) ? HTTP_OK : HTTP_BAD;
}

/* True when the list "a, B;q=0.5 ,c" has that word, in small or capital letters, and not
 * with the weight 0. */
static bool list_has(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (; *list != '\0'; list += strcspn(list, ",")) {
        const char *weight;

        list += strspn(list, " \t,");
        if (strcspn(list, " \t,;") != len || strncasecmp(list, word, len) != 0)
            continue;
        weight = list + len + strspn(list + len, " \t;");
        if (strncasecmp(weight, "q=", 2) != 0 ||
            strspn(weight + 2, "0.") < strcspn(weight + 2, " \t,"))
            return true;
    }
    return false;
}

static bool take_text(char *out, size_t size, int *count, const char *value)
{
    ++*count;
    return text_copy(out, size, value);
}

/* Keeps the last address of the list, which our proxy has added. */
static void take_forwarded(struct web_request *request, const char *list)
{
    const char *comma = strrchr(list, ',');
    const char *last = comma != NULL ? comma + 1 : list;

    last += strspn(last, " \t");
    if (!text_copy(request->forwarded, sizeof request->forwarded, last))
        snprintf(request->forwarded, sizeof request->forwarded, "too long");
}

/* Keeps the first language of a list like "ko-KR,ko;q=0.9,en". Browsers send the
 * preferred language first. */
static void take_language(struct web_request *request, const char *list)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t len = strspn(list, letters);

    request->language[0] = '\0';
    if (len >= sizeof request->language)
        return;
    memcpy(request->language, list, len);
    request->language[len] = '\0';
    text_lower(request->language);
}

/* Stores the value of a header. Ignores headers that this server does not need. False:
 * the request is invalid. */
static bool take_header(struct web_request *request, const char *name,
                        const char *value)
{
    bool is_good = true;

    if (strcmp(name, "host") == 0) {
        char ignored[WEB_HOST_BYTES]; /* that of the target counts (RFC 9112, 3.2.2) */

        is_good = take_text(request->host[0] == '\0' ? request->host : ignored,
                            sizeof request->host, &request->hosts, value);
        text_lower(request->host);
    } else if (strcmp(name, "origin") == 0) {
        is_good = take_text(request->origin, sizeof request->origin, &request->origins,
                            value);
    } else if (strcmp(name, "sec-websocket-key") == 0) {
        is_good = take_text(request->key, sizeof request->key, &request->keys, value);
    } else if (strcmp(name, "connection") == 0) {
        request->wants_upgrade |= list_has(value, "upgrade");
        request->wants_close |= list_has(value, "close");
    } else if (strcmp(name, "upgrade") == 0) {
        request->wants_websocket |= list_has(value, "websocket");
    } else if (strcmp(name, "sec-websocket-protocol") == 0) {
        request->wants_janggi |= list_has(value, WEB_SUBPROTOCOL);
    } else if (strcmp(name, "sec-websocket-version") == 0) {
        request->is_version_13 = strcmp(value, "13") == 0;
    } else if (strcmp(name, "accept-encoding") == 0) {
        request->takes_gzip |= list_has(value, "gzip");
    } else if (strcmp(name, "accept-language") == 0) {
        take_language(request, value);
    } else if (strcmp(name, "x-forwarded-for") == 0) {
        take_forwarded(request, value);
    } else if (strcmp(name, "transfer-encoding") == 0 ||
               (strcmp(name, "content-length") == 0 && strcmp(value, "0") != 0)) {
        is_good = false; /* a request must not have a body */
    }
    return is_good;
}

/* Parses a header in one line, "Name: value", and stores its value. Returns false if
 * there is a space between the name and the colon, or if the header is invalid. */
static bool take_header_line(struct web_request *request, const char *line)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
    char copy[LINE_BYTES], *value;
    size_t name_len = strspn(line, letters), len;

    if (name_len == 0 || line[name_len] != ':' || !text_copy(copy, sizeof copy, line))
        return false;
    copy[name_len] = '\0';
    text_lower(copy);
    value = copy + name_len + 1;
    value += strspn(value, " \t");
    len = strlen(value);
    while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
        value[--len] = '\0';
    return take_header(request, copy, value);
}

enum http_status web_request_take(struct web_request *request, const char *line)
{
    bool is_empty = line[0] == '\0';

    request->lines++;
    if (request->path[0] == '\0') /* one empty line may come before (RFC 9112, 2.2) */
        return is_empty && request->lines == 1 ? HTTP_OK
                                               : take_request_line(request, line);
    if (!is_empty && request->lines > WEB_HEADERS_MAX + 1)
        return HTTP_HEADERS;
    request->is_complete = is_empty;
    return is_empty || take_header_line(request, line) ? HTTP_OK : HTTP_BAD;
}
