/* See fetch.h. */
#include "client/replay/fetch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "client/base/loop.h"
#include "client/net/net.h"
#include "client/net/trust.h"
#include "client/view/words.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/proto.h"

/* No record is longer; a server that says more, or nothing for long, is left. */
enum { RECORD_BYTES_MAX = 4 << 20, QUIET_S = 20 };

struct fetch {
    const struct link *to;
    int64_t game;
    struct event_base *base;
    struct event *quiet;
    struct trust trust;
    char given[TLS_KEY_TEXT_BYTES];
    struct net *net;
    bool is_logged_in;
    bool is_done;
    bool is_leaving;
    char *text;
    size_t len, room;
};

bool fetch_cut_game(const char *text, char link[FETCH_LINK_BYTES], int64_t *game)
{
    const char *slash = strrchr(text, '/');
    size_t len = slash != NULL ? (size_t)(slash - text) : 0;

    if (slash == NULL || strncmp(text, "janggi://", 9) != 0 || len < 10 ||
        len >= FETCH_LINK_BYTES || !text_to_int(slash + 1, 1, INT64_MAX, game))
        return false;
    memcpy(link, text, len);
    link[len] = '\0';
    return true;
}

/* In order: the connection's end, which follows, ends the loop. */
static void leave(struct fetch *fetch)
{
    if (!fetch->is_leaving && net_is_up(fetch->net)) {
        fetch->is_leaving = true;
        net_send(fetch->net, "quit");
        net_stop(fetch->net);
        return;
    }
    event_base_loopbreak(fetch->base);
}

static void fail(struct fetch *fetch, const char *why)
{
    fprintf(stderr, "janggi: %s\n", why);
    leave(fetch);
}

static void await_more(struct fetch *fetch)
{
    struct timeval wait = {.tv_sec = QUIET_S};

    if (event_add(fetch->quiet, &wait) != 0)
        die("fetch: the loop takes no timer");
}

static void on_quiet(evutil_socket_t fd, short what, void *arg)
{
    struct fetch *fetch = arg;

    (void)fd;
    (void)what;
    if (fetch->is_leaving)
        leave(fetch); /* it does not see us off, and need not */
    else
        fail(fetch, _("the server does not answer"));
}

/* --- The visit --- */

static void ask(struct fetch *fetch)
{
    char line[64];

    snprintf(line, sizeof line, "record %lld", (long long)fetch->game);
    net_send(fetch->net, fetch->is_logged_in ? line : "login");
}

static void take_row(struct fetch *fetch, const char *row)
{
    size_t len = strlen(row);

    if (fetch->len + len + 2 > RECORD_BYTES_MAX) {
        fail(fetch, _("the server sends no end of it"));
        return;
    }
    while (fetch->len + len + 2 > fetch->room) {
        fetch->room = fetch->room == 0 ? BUFSIZ : 2 * fetch->room;
        fetch->text = mem_resize(fetch->text, fetch->room, 1);
    }
    memcpy(fetch->text + fetch->len, row, len);
    fetch->len += len;
    fetch->text[fetch->len++] = '\n';
    fetch->text[fetch->len] = '\0';
}

static void take_ok(struct fetch *fetch)
{
    if (fetch->is_logged_in) {
        fetch->is_done = fetch->len > 0;
        leave(fetch);
        return;
    }
    fetch->is_logged_in = true;
    ask(fetch);
}

static void take_refusal(struct fetch *fetch, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_refusal(&text, line);
    fputs(words, stderr);
    leave(fetch);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct fetch *fetch = owner;
    struct proto_line parsed;

    (void)len;
    (void)now_ms;
    if (fetch->is_leaving)
        return; /* the goodbye, or what comes behind too much */
    await_more(fetch);
    proto_parse_line(line, &parsed);
    if (parsed.mark == PROTO_GREETING)
        ask(fetch);
    else if (parsed.mark == PROTO_TEXT)
        take_row(fetch, parsed.human);
    else if (parsed.mark == PROTO_OK)
        take_ok(fetch);
    else if (parsed.mark == PROTO_ERR)
        take_refusal(fetch, &parsed);
}

static void on_bad_line(void *owner)
{
    fail(owner, _("the server sends what is no text"));
}

static void on_up(void *owner, enum trust_verdict verdict, const struct tls_key *key)
{
    (void)verdict;
    (void)key;
    await_more(owner);
}

static void on_down(void *owner, const struct net_down *down)
{
    struct fetch *fetch = owner;
    char words[TRUST_WORDS_BYTES];

    if (fetch->is_leaving) {
        leave(fetch);
    } else if (down->end == NET_DISTRUST) {
        trust_describe_bad(words, &fetch->trust, down->verdict, &down->key);
        fputs(words, stderr);
        leave(fetch);
    } else {
        link_format_server(words, fetch->to);
        fprintf(stderr, _("janggi: cannot reach %s: %s\n"), words, down->words);
        leave(fetch);
    }
}

/* --- Life --- */

static void set_trust(struct fetch *fetch, const struct prefs *prefs)
{
    bool has_pin = prefs->pin[0] != '\0';

    text_copy(fetch->given, sizeof fetch->given, has_pin ? prefs->pin : fetch->to->key);
    fetch->trust = (struct trust){.path = prefs->known_path,
                                  .to = fetch->to,
                                  .given = fetch->given,
                                  .given_from = has_pin ? "--pin" : "link"};
}

static void visit(struct fetch *fetch, SSL_CTX *tls)
{
    static const struct net_calls calls = {on_up, on_line, on_bad_line, on_down};

    fetch->base = loop_new();
    fetch->quiet = event_new(fetch->base, -1, 0, on_quiet, fetch);
    fetch->net = net_new(fetch->base, tls, &fetch->trust, &calls, fetch);
    await_more(fetch);
    net_start(fetch->net);
    event_base_dispatch(fetch->base);
    net_free(fetch->net);
    event_free(fetch->quiet);
    event_base_free(fetch->base);
}

char *fetch_record(const struct prefs *prefs, const struct link *to, int64_t game,
                   size_t *len)
{
    const char *ca = prefs->ca_path[0] != '\0' ? prefs->ca_path : NULL;
    SSL_CTX *tls = tls_client_ctx(NULL, NULL, ca);
    struct fetch fetch = {.to = to, .game = game};

    signal(SIGPIPE, SIG_IGN);
    if (tls == NULL)
        return NULL;
    set_trust(&fetch, prefs);
    visit(&fetch, tls);
    SSL_CTX_free(tls);
    *len = fetch.len;
    if (fetch.is_done)
        return fetch.text;
    free(fetch.text);
    return NULL;
}
