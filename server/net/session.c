/* See session.h. */
#include "server/net/session.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"

static const int64_t milli = 1000; /* parts of a token */

enum { BLOCK_BYTES = 16 * 1024 }; /* size of one piece of a long text block */

struct sessions {
    struct event_base *base;
    struct wire_hub *hub;
    struct session_settings settings;
    const struct session_calls *calls;
    void *arg;
    uint64_t last_id;
    bool is_stopping;
    struct session *by_id;
};

/* The states that may follow a state. */
static const unsigned may_follow[] = {
    [SESSION_HANDSHAKE] = IN(SESSION_HELLO) | IN(SESSION_LEAVING),
    [SESSION_HELLO] = IN(SESSION_GUEST) | IN(SESSION_MEMBER) | IN(SESSION_LEAVING),
    [SESSION_GUEST] = IN(SESSION_MEMBER) | IN(SESSION_LEAVING),
    [SESSION_MEMBER] = IN(SESSION_LEAVING),
    [SESSION_LEAVING] = 0,
};
static const char *const state_names[] = {"handshake", "hello", "guest", "member",
                                          "leaving"};
static_assert(ARRAY_LEN(may_follow) == SESSION_STATES, "a state is missing");
static_assert(ARRAY_LEN(state_names) == SESSION_STATES, "a state has no name");

/* --- Budgets --- */

static bool bucket_take(struct bucket *bucket, int64_t now_ms, int64_t milli_per_s,
                        int64_t burst)
{
    int64_t full = burst * milli, gained;

    if (now_ms > bucket->at_ms) {
        gained = now_ms - bucket->at_ms > 600 * milli
                     ? full
                     : (now_ms - bucket->at_ms) * milli_per_s / milli;
        bucket->left_milli =
            bucket->left_milli + gained > full ? full : bucket->left_milli + gained;
        if (gained > 0)
            bucket->at_ms = now_ms;
    }
    if (bucket->left_milli < milli)
        return false;
    bucket->left_milli -= milli;
    return true;
}

static bool spend_line(struct session *session, int64_t now_ms)
{
    const struct session_settings *settings = &session->of->settings;

    if (settings->lines_per_s == 0)
        return true;
    return bucket_take(&session->lines, now_ms, (int64_t)settings->lines_per_s * milli,
                       settings->lines_burst);
}

static bool spend_as_chat(struct session *session, struct bucket *bucket,
                          int64_t now_ms)
{
    const struct session_settings *settings = &session->of->settings;

    return bucket_take(bucket, now_ms, (int64_t)settings->chat_per_min * milli / 60,
                       settings->chat_burst);
}

bool session_spend_chat(struct session *session, int64_t now_ms)
{
    return spend_as_chat(session, &session->chat, now_ms);
}

bool session_spend_coming(struct session *session, int64_t now_ms)
{
    return spend_as_chat(session, &session->comings, now_ms);
}

/* --- Output --- */

void session_send(struct session *session, const char *bytes, size_t len)
{
    if (session->state != SESSION_LEAVING)
        wire_send(session->wire, bytes, len);
}

/* Sends head, words and LF at once. A line longer than the protocol allows is our bug:
 * every caller's words are bounded. */
static void send_line(struct session *session, const char *head, const char *format,
                      va_list args)
{
    char line[PROTO_LINE_MAX + 2];
    struct text out = text_into(line, sizeof line);
    int wanted;

    text_add(&out, head);
    wanted = vsnprintf(line + out.len, sizeof line - out.len - 1, format, args);
    assert(wanted >= 0 && (size_t)wanted < sizeof line - out.len - 1);
    out.len += (size_t)wanted;
    line[out.len++] = '\n';
    session_send(session, line, out.len);
}

void session_sayf(struct session *session, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    send_line(session, "", format, args);
    va_end(args);
}

static void answer(struct session *session, const char *mark, const char *format,
                   va_list args)
{
    char head[PROTO_TAG_BYTES + 32];
    struct text out = text_into(head, sizeof head);

    assert(!session->is_answered);
    if (session->tag[0] != '\0')
        text_addf(&out, "%s ", session->tag);
    text_addf(&out, "%s ", mark);
    send_line(session, head, format, args);
    session->is_answered = true;
    session_release(session);
    if (!session->is_new)
        return;
    session->is_new = false;
    session->of->calls->on_login(session->of->arg, session);
}

void session_ok(struct session *session, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    answer(session, "OK", format, args);
    va_end(args);
}

void session_err(struct session *session, enum reply reply, const char *format, ...)
{
    char mark[32];
    struct text out = text_into(mark, sizeof mark);
    va_list args;

    text_addf(&out, "ERR %s", reply_code(reply));
    va_start(args, format);
    answer(session, mark, format, args);
    va_end(args);
}

/* The end of the last whole line that begins at from and is at most BLOCK_BYTES
 * long. */
static size_t piece_end(const char *lines, size_t from)
{
    size_t len = strlen(lines + from), end = from + BLOCK_BYTES;

    if (len <= BLOCK_BYTES)
        return from + len;
    while (lines[end - 1] != '\n')
        end--;
    return end;
}

static void send_block(struct session *session)
{
    while (session->block != NULL && session->state != SESSION_LEAVING) {
        size_t end = piece_end(session->block, session->block_at);

        if (wire_unsent_bytes(session->wire) > BLOCK_BYTES) {
            wire_want_drain(session->wire);
            return;
        }
        session_send(session, session->block + session->block_at,
                     end - session->block_at);
        session->block_at = end;
        if (session->block[end] != '\0')
            continue;
        free(session->block);
        session->block = NULL;
        session_ok(session, "%s", session->block_words);
    }
}

void session_ok_block(struct session *session, char *lines, const char *format, ...)
{
    va_list args;
    int wanted;

    assert(session->block == NULL);
    va_start(args, format);
    wanted = vsnprintf(session->block_words, sizeof session->block_words, format, args);
    va_end(args);
    assert(wanted > 0 && (size_t)wanted < sizeof session->block_words);
    session->block = lines;
    session->block_at = 0;
    session_hold(session);
    send_block(session);
}

void session_hold(struct session *session)
{
    session->is_held = true;
    wire_hold(session->wire, true);
}

void session_release(struct session *session)
{
    if (!session->is_held)
        return;
    session->is_held = false;
    wire_hold(session->wire, false);
}

/* --- Coming and going --- */

void session_set_state(struct session *session, enum session_state state)
{
    assert(may_follow[session->state] & IN(state));
    log_debug("session=%llu state=%s", (unsigned long long)session->id,
              state_names[state]);
    session->state = state;
    if (state == SESSION_GUEST || state == SESSION_MEMBER) {
        session->is_new = true;
        wire_set_line_max(session->wire, PROTO_LINE_MAX);
        if (session->login_timer != NULL)
            event_free(session->login_timer);
        session->login_timer = NULL;
    }
}

/* Sends the goodbye; nothing is sent after it. */
static void say_bye(struct session *session, const char *why, const char *words)
{
    log_info("session=%llu closing why=%s name=%s", (unsigned long long)session->id,
             why, session->name);
    if (session->state != SESSION_HANDSHAKE)
        session_sayf(session, "! bye why=%s : %s", why, words);
    session_set_state(session, SESSION_LEAVING);
}

static void leave(struct session *session)
{
    session->of->calls->on_leave(session->of->arg, session);
    wire_close(session->wire);
}

void session_close(struct session *session, const char *why, const char *words)
{
    if (session->state == SESSION_LEAVING)
        return;
    say_bye(session, why, words);
    leave(session);
}

static void on_login_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    session_close(arg, "login", "no login in time; come back when you like");
}

static void on_open(void *owner)
{
    struct session *session = owner;
    struct sessions *sessions = session->of;
    int64_t ms = sessions->settings.login_ms;
    struct timeval delay = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    if (session->state == SESSION_LEAVING)
        return;
    session->login_timer = evtimer_new(sessions->base, on_login_late, session);
    if (session->login_timer == NULL || evtimer_add(session->login_timer, &delay) != 0)
        die("session no timer");
    session_set_state(session, SESSION_HELLO);
    if (session->is_too_many) {
        session_close(session, "full",
                      "no more connections can be taken now; try again in a while");
        return;
    }
    session_sayf(session, "%s", sessions->settings.greeting);
    log_info("session=%llu open from=%s key=%d", (unsigned long long)session->id,
             wire_peer_address(session->wire), wire_peer_key(session->wire) != NULL);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct session *session = owner;

    if (session->state == SESSION_LEAVING)
        return;
    session->tag[0] = '\0';
    session->is_answered = false;
    if (!spend_line(session, now_ms)) {
        session_err(session, REPLY_SLOW_DOWN,
                    "retry=1 : too many lines at once; this one was not read");
        return;
    }
    if (session->of->is_stopping) {
        session_err(session, REPLY_NOT_NOW,
                    "why=shutdown : the server stops; nothing was done");
        return;
    }
    session->of->calls->on_line(session->of->arg, session, line, len, now_ms);
}

static void on_bad_line(void *owner, enum wire_why why)
{
    struct session *session = owner;

    if (session->state == SESSION_LEAVING)
        return;
    session->tag[0] = '\0';
    session->is_answered = false;
    if (why == WIRE_LINE_TOO_LONG)
        session_err(session, REPLY_LINE,
                    "why=too-long : that line is too long; nothing was done");
    else
        session_err(
            session, REPLY_LINE,
            "why=bad-text : that line is not plain UTF-8 text; nothing was done");
}

static void on_drain(void *owner)
{
    struct session *session = owner;

    send_block(session);
    session->of->calls->on_drain(session->of->arg, session);
}

static void session_free(struct session *session)
{
    if (session->login_timer != NULL)
        event_free(session->login_timer);
    free(session->block);
    free(session->ends);
    free(session);
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct session *session = owner;
    struct sessions *sessions = session->of;

    log_info("session=%llu closed why=%s name=%s detail=\"%s\"",
             (unsigned long long)session->id, wire_why_name(why), session->name,
             detail);
    session->state = SESSION_LEAVING; /* nothing may be sent any more */
    sessions->calls->on_gone(sessions->arg, session);
    HASH_DEL(sessions->by_id, session);
    session_free(session);
}

static const struct wire_calls wire_calls = {
    .on_open = on_open,
    .on_line = on_line,
    .on_bad_line = on_bad_line,
    .on_drain = on_drain,
    .on_end = on_end,
};

void session_open(struct sessions *sessions, SSL_CTX *ctx, evutil_socket_t fd,
                  uint32_t address, bool is_too_many)
{
    struct session *session = mem_new(sizeof *session);

    session->id = ++sessions->last_id;
    session->of = sessions;
    session->address = address;
    session->is_too_many = is_too_many;
    session->lines.left_milli = (int64_t)sessions->settings.lines_burst * milli;
    session->chat.left_milli = (int64_t)sessions->settings.chat_burst * milli;
    session->comings = session->chat;
    HASH_ADD(hh, sessions->by_id, id, sizeof session->id, session);
    session->wire = wire_accept(sessions->hub, ctx, fd, &wire_calls, session);
    if (session->wire == NULL) {
        sessions->calls->on_gone(sessions->arg, session);
        HASH_DEL(sessions->by_id, session);
        session_free(session);
    }
}

struct session *session_find(struct sessions *sessions, uint64_t id)
{
    struct session *session;

    HASH_FIND(hh, sessions->by_id, &id, sizeof id, session);
    return session;
}

struct session *sessions_first(struct sessions *sessions)
{
    return sessions->by_id;
}

struct session *sessions_next(struct session *session)
{
    return session->hh.next;
}

int sessions_count(const struct sessions *sessions)
{
    return (int)HASH_COUNT(sessions->by_id);
}

void sessions_stop(struct sessions *sessions)
{
    sessions->is_stopping = true;
}

bool sessions_has_held(struct sessions *sessions)
{
    for (const struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->is_held && s->state != SESSION_LEAVING)
            return true;
    return false;
}

void sessions_close_all(struct sessions *sessions, const char *why, const char *words)
{
    for (struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->state != SESSION_LEAVING)
            say_bye(s, why, words);
    for (struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        leave(s); /* everybody leaves, so nobody is notified */
}

struct sessions *sessions_new(struct event_base *base,
                              const struct session_settings *settings,
                              const struct session_calls *calls, void *arg)
{
    struct sessions *sessions = mem_new(sizeof *sessions);
    struct wire_limits limits = wire_limits_default();

    limits.line_max = PROTO_LINE_LOGIN_MAX;
    sessions->base = base;
    sessions->settings = *settings;
    sessions->calls = calls;
    sessions->arg = arg;
    sessions->hub = wire_hub_new(base, &limits);
    return sessions;
}

void sessions_free(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    assert(sessions->by_id == NULL);
    wire_hub_free(sessions->hub);
    free(sessions);
}
