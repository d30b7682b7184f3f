/* See session.h. */
#include "server/net/session.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/program.h"
#include "common/words/message.h"
#include "server/base/timer.h"

enum { PIECE_BYTES = 16 * 1024 }; /* size of one piece of the rows of an answer */
enum { LINE_ROOM = PROTO_LINE_MAX + 2 };
enum {
    PROXIED_MAX = 512, /* limit of the proxied sessions that have no slot yet */
    TURN_US = 500,     /* one session's share of a turn of the loop */
    IDLE_CHECK_MS = 10000,
    UNTOLD_MS = 300,    /* a client that chose no protocol is greeted after this time */
    CROWD = 100,        /* when this many sessions have ended, memory is returned to the
                         * system */
    CROWD_LEAVES_S = 5, /* memory is returned after this delay, because more sessions
                         * may end */
    CROWDED_OUT_MS = 500, /* a session that is evicted before its login keeps its socket
                           * this long */
    REFUSED_LINES_MAX = 500, /* one after the other */
    LAG_EVERY_MS = 5000,     /* a lag is measured again after this time */
    LAG_LEAST_MS = 10        /* a shorter lag counts as 0 */
};

struct sessions {
    struct event_base *base;
    struct wire_hub *hub;
    struct gate *gate; /* borrowed; NULL: nothing waits */
    bool has_outage;   /* see sessions_set_outage() */
    struct session_settings settings;
    const struct session_calls *calls;
    void *arg;
    const char *trouble; /* a notice that follows the greeting; NULL: none */
    uint64_t last_id;
    bool is_stopping;
    struct session *by_id;
    struct session *here; /* guests and members */
    int count[SESSION_STATES];
    int proxied; /* proxied sessions that have no slot yet */
    struct session_tally tally;
    const struct session *current; /* the session whose command or output is being
                                    * processed; NULL: none */
    struct event *idle_timer;      /* checks for idle guests; NULL: no limit */
    struct usages *usages;
    struct budget stranger_lines; /* of the log: see may_log() */
    int unlogged;                 /* lines that may_log() has refused */
    int ended; /* sessions that have ended since memory was returned to the system */
    struct event *memory_timer;
};

static const struct rate stranger_lines_rate = {1000, 300}; /* lines of the log about
                                                             * strangers and guests */

/* The states that may follow a state. */
static const unsigned may_follow[] = {
    [SESSION_HANDSHAKE] = IN(SESSION_HELLO) | IN(SESSION_UNTOLD) | IN(SESSION_REQUEST) |
                          IN(SESSION_HOST) | IN(SESSION_LEAVING),
    [SESSION_UNTOLD] = IN(SESSION_HELLO) | IN(SESSION_REQUEST) | IN(SESSION_LEAVING),
    [SESSION_REQUEST] = IN(SESSION_HELLO) | IN(SESSION_LEAVING),
    [SESSION_HELLO] = IN(SESSION_GUEST) | IN(SESSION_MEMBER) | IN(SESSION_LEAVING),
    [SESSION_GUEST] = IN(SESSION_MEMBER) | IN(SESSION_LEAVING),
    [SESSION_MEMBER] = IN(SESSION_LEAVING),
    [SESSION_HOST] = IN(SESSION_LEAVING),
    [SESSION_LEAVING] = 0,
};
static const char *const state_names[] = {"handshake", "untold", "request", "hello",
                                          "guest",     "member", "host",    "leaving"};
static_assert(ARRAY_LEN(may_follow) == SESSION_STATES, "a state is missing");
static_assert(ARRAY_LEN(state_names) == SESSION_STATES, "a state has no name");

/* --- The log --- */

/* Strangers who come from many networks cannot fill the log: beyond a budget their
 * lines are only counted. False: the line about this session must not be written. */
static bool may_log(struct session *session)
{
    struct sessions *sessions = session->of;

    if (session->was_member)
        return true;
    if (session->state == SESSION_HOST)
        return false;
    if (!budget_spend(&sessions->stranger_lines, stranger_lines_rate, mono_now_ms())) {
        sessions->unlogged++;
        return false;
    }
    if (sessions->unlogged > 0)
        log_info("sessions unlogged=%d : of strangers, who come too fast to be listed",
                 sessions->unlogged);
    sessions->unlogged = 0;
    return true;
}

/* --- The client at the other end --- */

/* Asks the system for the round trip at most once in LAG_EVERY_MS, because asking costs
 * a system call. The round trip is the shortest one of the last minutes, so it changes
 * slowly. */
int session_lag_ms(struct session *session, int64_t now_ms)
{
    if (session->lag_at_ms != 0 && now_ms - session->lag_at_ms < LAG_EVERY_MS)
        return session->lag_ms;
    session->lag_at_ms = now_ms;
    session->lag_ms = wire_round_trip_ms(session->wire);
    if (session->lag_ms < LAG_LEAST_MS)
        session->lag_ms = 0;
    return session->lag_ms;
}

/* --- Output --- */

/* Returns the stamp of an answer: it may not overtake an earlier one, and depends on
 * the role and the proofs of its account. */
static uint64_t in_order(const struct session *session, uint64_t stamp)
{
    const struct gate *gate = session->of->gate;

    if (gate == NULL)
        return stamp;
    if (session->least != NULL && stamp < *session->least)
        stamp = *session->least;
    if (session->answered > gate->durable && stamp < session->answered)
        stamp = session->answered;
    return stamp;
}

void session_send_after(struct session *session, const char *bytes, size_t len,
                        uint64_t stamp)
{
    if (session->state == SESSION_LEAVING)
        return;
    session->of->tally.bytes += len;
    usage_note_output(&session->usage, len,
                      session->is_held || session->of->current == session);
    if (session->state == SESSION_REQUEST) /* all that a browser gets is an answer */
        session->answered = stamp = in_order(session, stamp);
    else if (session->of->has_outage && stamp != GATE_IN_ORDER &&
             stamp <= session->of->gate->durable)
        stamp = GATE_FREE; /* what is on disk does not wait for the disk */
    wire_send_after(session->wire, bytes, len, stamp);
}

void session_send(struct session *session, const char *bytes, size_t len)
{
    session_send_after(session, bytes, len, gate_stamp(session->of->gate));
}

void session_narrow(struct session *session, uint64_t stamp)
{
    struct gate *gate = session->of->gate;

    stamp = in_order(session, stamp);
    gate_narrow(gate, gate != NULL && stamp <= gate->durable ? GATE_FREE : stamp);
}

/* Writes head, words and LF. Returns their length. Each caller must limit the length of
 * its words. If a line is longer than the protocol allows, the caller has a bug. */
static size_t write_line(char line[LINE_ROOM], const char *head, const char *format,
                         va_list args)
{
    struct text out = text_into(line, LINE_ROOM);
    size_t room;
    int wanted;

    text_add(&out, head);
    room = LINE_ROOM - out.len - 1;
    wanted = vsnprintf(line + out.len, room, format, args);
    assert(wanted >= 0 && (size_t)wanted < room);
    out.len += (size_t)wanted;
    line[out.len++] = '\n';
    line[out.len] = '\0';
    return out.len;
}

void session_sayf(struct session *session, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list args;
    size_t len;

    va_start(args, format);
    len = write_line(line, "", format, args);
    va_end(args);
    session_send(session, line, len);
}

void session_rowf(struct session *session, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list args;
    size_t len;

    va_start(args, format);
    len = write_line(line, "| ", format, args);
    va_end(args);
    wire_buffer_add(&session->rows, line, len);
}

static void add_mark(struct text *out, const struct session *session, const char *mark)
{
    if (session->tag[0] != '\0') {
        text_add(out, session->tag);
        text_add(out, " ");
    }
    text_add(out, mark);
    text_add(out, " ");
}

/* Call it when the OK or ERR of a command has been sent: lets the session take the next
 * line, and reports a login. */
static void finish_answer(struct session *session)
{
    assert(!session->is_answered);
    session->is_answered = true;
    session_release(session);
    if (!session->is_new)
        return;
    session->is_new = false;
    session->of->calls->on_login(session->of->arg, session);
}

/* Returns the length of the first piece of the rows: whole lines, at most
 * PIECE_BYTES. */
static size_t piece_length(const struct wire_buffer *rows)
{
    const char *head = wire_buffer_head(rows);
    size_t len = rows->len;

    if (len <= PIECE_BYTES)
        return len;
    for (len = PIECE_BYTES; head[len - 1] != '\n';)
        len--;
    return len;
}

static void send_rows(struct session *session)
{
    struct wire_buffer *rows = &session->rows;

    while (session->last != NULL && session->state != SESSION_LEAVING) {
        size_t len = piece_length(rows);

        if (wire_unsent_bytes(session->wire) > PIECE_BYTES) {
            wire_want_drain(session->wire);
            return;
        }
        session_send_after(session, wire_buffer_head(rows), len, session->answered);
        wire_buffer_take(rows, len);
        if (rows->len > 0)
            continue;
        session_send_after(session, session->last, strlen(session->last),
                           session->answered);
        wire_buffer_clear(rows);
        free(session->last);
        session->last = NULL;
        finish_answer(session);
    }
}

/* Sends the final line of the answer, after its rows. */
static void send_answer(struct session *session, const char *line, size_t len)
{
    session->answered = in_order(session, gate_stamp(session->of->gate));
    if (session->rows.len == 0) {
        session_send_after(session, line, len, session->answered);
        finish_answer(session);
        return;
    }
    session->last = mem_copy_text(line);
    session_hold(session);
    send_rows(session);
}

bool session_ok_words(struct session *session, const char *words)
{
    char line[LINE_ROOM];
    struct text out = text_into(line, sizeof line);

    add_mark(&out, session, "OK");
    text_add(&out, words);
    text_add(&out, "\n");
    assert(!out.is_cut);
    send_answer(session, line, out.len);
    return true;
}

bool session_ok(struct session *session, const char *format, ...)
{
    char words[LINE_ROOM];
    va_list args;
    int wanted;

    va_start(args, format);
    wanted = vsnprintf(words, sizeof words, format, args);
    va_end(args);
    assert(wanted >= 0 && (size_t)wanted < sizeof words);
    return session_ok_words(session, words);
}

static const char *value_of_line(const void *line, const char *key)
{
    return proto_line_value(line, key);
}

/* Writes the line "MARK KEYS" and its LF, and returns its length, with the words of the
 * catalogue for the kind of line `kind` if the keys have no words. */
static size_t write_message(char line[LINE_ROOM], const char *mark, const char *kind,
                            const char *keys)
{
    struct text out = text_into(line, LINE_ROOM);
    char copy[LINE_ROOM], key[96];
    struct text name = text_into(key, sizeof key);
    size_t first = strcspn(keys, " "), variant = strcspn(keys, "# ");
    const char *which, *words;
    struct proto_line parsed;
    struct message_values values = {&parsed, value_of_line, NULL};

    text_add(&out, mark);
    if (strstr(keys, " : ") != NULL || keys[0] == ':') {
        text_addf(&out, "%s\n", keys);
        return out.len;
    }
    text_add_bytes(&out, keys, variant);
    text_add(&out, keys + first + (variant == 0 && keys[first] == ' '));
    text_copy(copy, sizeof copy, line);
    proto_parse_line(copy, &parsed);
    which = proto_line_value(&parsed, "why");
    if (which == NULL)
        which = proto_line_value(&parsed, "what");
    text_addf(&name, "%s%s%s%.*s", kind, which != NULL ? "/" : "",
              which != NULL ? which : "", (int)(first - variant), keys + variant);
    words = message_find(key);
    text_add(&out, line[out.len - 1] == ' ' ? ": " : " : ");
    if (words == NULL || !message_fill(&out, words, &values))
        log_warn("message=%s missing", key);
    text_add(&out, "\n");
    return out.len;
}

bool session_err(struct session *session, enum reply reply, const char *format, ...)
{
    char line[LINE_ROOM], keys[PROTO_LINE_MAX - 64], mark[64];
    struct text out = text_into(mark, sizeof mark);
    va_list args;

    session->of->tally.refused[reply]++;
    va_start(args, format);
    vsnprintf(keys, sizeof keys, format, args);
    va_end(args);
    add_mark(&out, session, "ERR");
    text_addf(&out, "%s ", reply_code(reply));
    send_answer(session, line, write_message(line, mark, reply_code(reply), keys));
    return false;
}

void session_notice(struct session *session, const char *format, ...)
{
    char line[LINE_ROOM], keys[PROTO_LINE_MAX - 64];
    va_list args;

    va_start(args, format);
    vsnprintf(keys, sizeof keys, format, args);
    va_end(args);
    session_send(session, line, write_message(line, "! notice ", "notice", keys));
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

static bool is_here(enum session_state state)
{
    return state == SESSION_GUEST || state == SESSION_MEMBER;
}

/* Changes the state, and keeps the list of logged-in sessions and the counts up to
 * date. */
static void move_to(struct session *session, enum session_state state)
{
    struct sessions *sessions = session->of;

    sessions->count[session->state]--;
    sessions->count[state]++;
    if (!is_here(session->state) && is_here(state))
        DL_APPEND2(sessions->here, session, here_prev, here_next);
    else if (is_here(session->state) && !is_here(state))
        DL_DELETE2(sessions->here, session, here_prev, here_next);
    session->state = state;
}

void session_set_state(struct session *session, enum session_state state)
{
    assert(may_follow[session->state] & IN(state));
    log_debug("session=%llu state=%s", (unsigned long long)session->id,
              state_names[state]);
    move_to(session, state);
    session->was_member |= state == SESSION_MEMBER;
    if (is_here(state)) {
        session->is_new = true;
        wire_set_line_max(session->wire, PROTO_LINE_MAX);
        if (session->login_timer != NULL)
            event_free(session->login_timer);
        session->login_timer = NULL;
    }
}

/* Sends the goodbye, which is the last line. */
static void say_bye(struct session *session, const char *why, const char *words)
{
    if (may_log(session))
        log_info("session=%llu closing why=%s name=%s", (unsigned long long)session->id,
                 why, session->name);
    if (session->state > SESSION_REQUEST) {
        char line[LINE_ROOM], keys[LINE_ROOM - 64];
        uint64_t stamp = gate_stamp(session->of->gate);
        size_t len;

        snprintf(keys, sizeof keys, "why=%s%s%s", why, words != NULL ? " : " : "",
                 words != NULL ? words : "");
        len = write_message(line, "! bye ", "bye", keys);

        session_send_after(session, line, len,
                           stamp == GATE_FREE ? GATE_IN_ORDER : stamp);
    }
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

void session_blame(struct session *session, enum admission_fault fault, int64_t now_ms)
{
    char why[48];
    int64_t wait_ms;

    if (admission_proof_wait_ms(session->usage.slot, now_ms) > 0)
        return;
    admission_penalize(session->usage.slot, fault, now_ms);
    wait_ms = admission_proof_wait_ms(session->usage.slot, now_ms);
    if (wait_ms == 0)
        return;
    snprintf(why, sizeof why, "penalty in_s=%lld", (long long)mono_whole_s(wait_ms));
    session_close(session, why, NULL);
}

/* True while the client waits for the server, for example because a page is read from
 * the disk. False while the server waits for the client to read its
 * answer. */
static bool waits_for_us(const struct session *session)
{
    return session->is_held && session->last == NULL;
}

static void greet(struct session *session)
{
    const struct session_settings *settings = &session->of->settings;

    session_set_state(session, SESSION_HELLO);
    wire_set_line_max(session->wire, PROTO_LINE_LOGIN_MAX);
    gate_narrow(session->of->gate, GATE_FREE);
    if (settings->farewell == NULL) {
        session_sayf(session, "%s", settings->greeting);
        if (session->of->trouble != NULL)
            session_notice(session, "%s", session->of->trouble);
    } else {
        session_close(session, settings->farewell, NULL);
    }
    gate_widen(session->of->gate);
}

static void on_login_late(evutil_socket_t fd, short what, void *arg)
{
    struct session *session = arg;

    (void)fd;
    (void)what;
    if (session->state == SESSION_UNTOLD) { /* it waits for our greeting */
        greet(session);
        timer_start(session->login_timer, session->of->settings.login_ms);
        return;
    }
    if (waits_for_us(session) && !wire_peer_has_gone(session->wire)) {
        timer_start(session->login_timer, session->of->settings.login_ms);
        return;
    }
    gate_narrow(session->of->gate, GATE_FREE);
    /* A browser may open a connection before it needs the connection. So a session
     * without a request is not penalized. */
    if (!waits_for_us(session) &&
        (session->state != SESSION_REQUEST || session->request != NULL))
        admission_penalize(session->usage.slot, ADMISSION_NO_LOGIN, mono_now_ms());
    session_close(session, "login", NULL);
    gate_widen(session->of->gate);
}

void session_become_framed(struct session *session)
{
    wire_set_framed(session->wire);
    greet(session);
}

static void take_as_web(struct session *session)
{
    session->is_web = true;
    session_set_state(session, SESSION_REQUEST);
    wire_set_line_max(session->wire, PROTO_LINE_MAX);
}

static void on_open(void *owner)
{
    struct session *session = owner;
    enum tls_speech speech = wire_speech(session->wire);

    if (session->state == SESSION_LEAVING || session->state == SESSION_HOST)
        return;
    session->login_timer = timer_new(session->of->base, on_login_late, session);
    timer_start(session->login_timer, session->of->settings.login_ms);
    if (speech == TLS_SPEAKS_HTTP) {
        take_as_web(session);
    } else if (speech == TLS_SPEAKS_ANY && session->of->settings.has_web) {
        session_set_state(session, SESSION_UNTOLD);
        wire_set_line_max(session->wire, PROTO_LINE_MAX);
        timer_start(session->login_timer, UNTOLD_MS);
    } else {
        greet(session);
    }
    if (may_log(session))
        log_info("session=%llu open from=%s key=%d", (unsigned long long)session->id,
                 wire_peer_address(session->wire),
                 wire_peer_key(session->wire) != NULL);
}

/* Charges every line, also a refused one, but not the host's. False: the line was refused,
 * and the client was told. If too many lines were refused one after the other, closes the
 * session. */
static bool begin_line(struct session *session, int64_t now_ms)
{
    const struct session_calls *calls = session->of->calls;
    int64_t wait_ms;

    session->tag[0] = '\0';
    session->is_answered = false;
    if (session->state == SESSION_HOST)
        return true;
    session->of->tally.lines++;
    wait_ms = usage_take_line(&session->usage, now_ms);
    if (wait_ms == 0 ||
        (calls->is_playing != NULL && calls->is_playing(session->of->arg, session) &&
         usage_spend_seat(&session->usage, now_ms))) {
        session->refused_lines = 0;
        return true;
    }
    session_err(session, REPLY_SLOW_DOWN, "#line retry=%lld",
                (long long)mono_whole_s(wait_ms));
    if (++session->refused_lines <= REFUSED_LINES_MAX)
        return false;
    admission_penalize(session->usage.slot, ADMISSION_FLOOD, now_ms);
    session_close(session, "flood", NULL);
    return false;
}

/* Takes a line that is not a command. `line` NULL: the line was dropped, for the reason
 * `why`. False: the line is a command, which the caller must answer. */
static bool is_taken(struct session *session, char *line, enum wire_why why,
                     int64_t now_ms)
{
    struct sessions *sessions = session->of;

    if (session->state == SESSION_UNTOLD) { /* the client chose no protocol */
        const char *version = line != NULL ? strrchr(line, ' ') : NULL;

        timer_start(session->login_timer, sessions->settings.login_ms);
        if (version != NULL && strncmp(version, " HTTP/1.", 8) == 0)
            take_as_web(session);
        else
            greet(session);
    }
    if (session->state == SESSION_REQUEST) {
        /* Charged like any other line, but never refused: web.c refuses the whole
         * request. */
        sessions->tally.lines++;
        (void)usage_take_line(&session->usage, now_ms);
        sessions->calls->on_request(sessions->arg, session, line, why, now_ms);
    } else if (session->state != SESSION_LEAVING && begin_line(session, now_ms)) {
        return false;
    }
    return true;
}

static void take_line(struct session *session, char *line, int64_t now_ms)
{
    struct sessions *sessions = session->of;

    if (is_taken(session, line, WIRE_CLOSED_HERE, now_ms))
        return;
    if (session->state == SESSION_GUEST)
        admission_touch(sessions->settings.admission, session->usage.slot, now_ms);
    if (sessions->is_stopping && session->state != SESSION_HOST) {
        session_err(session, REPLY_NOT_NOW, "why=shutdown");
        return;
    }
    sessions->current = session;
    sessions->calls->on_line(sessions->arg, session, line, now_ms);
    sessions->current = NULL;
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct session *session = owner;
    struct sessions *sessions = session->of;

    (void)len;
    session_narrow(session, GATE_FREE);
    take_line(session, line, now_ms);
    gate_widen(sessions->gate);
}

static void on_bad_line(void *owner, enum wire_why why)
{
    struct session *session = owner;
    int64_t now_ms = mono_now_ms();

    session_narrow(session, GATE_FREE);
    if (!is_taken(session, NULL, why, now_ms)) {
        session_err(session, REPLY_LINE,
                    why == WIRE_LINE_TOO_LONG ? "why=too-long" : "why=bad-text");
        if (session->state == SESSION_HELLO)
            session_blame(session, ADMISSION_GARBAGE, now_ms);
    }
    gate_widen(session->of->gate);
}

static void on_drain(void *owner)
{
    struct session *session = owner;
    struct sessions *sessions = session->of;

    sessions->current = session; /* the lines that it gets now are charged to it,
                                  * because it requested them */
    send_rows(session);
    sessions->calls->on_drain(sessions->arg, session);
    sessions->current = NULL;
}

/* Called when the network of the session has budget again. Continues to send the games
 * that the session watches. */
static void on_budget(void *owner)
{
    struct session *session = owner;

    session->of->calls->on_drain(session->of->arg, session);
}

/* Call it before a session gets its slot, and when a session ends. If the session came
 * through a proxy and has no slot yet, removes it from the count `proxied`. Such a
 * session has no slot until its client is known. */
static void stop_counting_proxied(struct session *session)
{
    if (session->is_proxied && session->usage.slot == NULL)
        session->of->proxied--;
}

/* Returns memory to the system. Otherwise the C library would keep the buffers of
 * many sessions that have ended. */
static void on_memory_timer(evutil_socket_t fd, short what, void *arg)
{
    struct sessions *sessions = arg;

    (void)fd;
    (void)what;
    sessions->ended = 0;
    program_return_memory();
}

/* Removes a session whose connection has ended. */
static void forget(struct session *session)
{
    struct sessions *sessions = session->of;

    move_to(session, SESSION_LEAVING); /* no line may be sent any more */
    usage_charge_output(&session->usage, mono_now_ms());
    stop_counting_proxied(session);
    sessions->calls->on_gone(sessions->arg, session);
    sessions->count[SESSION_LEAVING]--;
    if (++sessions->ended == CROWD)
        timer_start(sessions->memory_timer, CROWD_LEAVES_S * INT64_C(1000));
    HASH_DEL(sessions->by_id, session);
    if (session->login_timer != NULL)
        event_free(session->login_timer);
    wire_buffer_clear(&session->rows);
    free(session->last);
    free(session->ends);
    usage_close(&session->usage);
    free(session);
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct session *session = owner;

    if (may_log(session))
        log_info("session=%llu closed why=%s name=%s from=%s detail=\"%s\"",
                 (unsigned long long)session->id, wire_why_name(why), session->name,
                 wire_peer_address(session->wire), detail);
    if (session->state == SESSION_HANDSHAKE)
        admission_penalize(session->usage.slot, ADMISSION_HANDSHAKE, mono_now_ms());
    session->is_sent = why == WIRE_CLOSED_HERE;
    forget(session);
}

static const struct wire_calls wire_calls = {
    .on_open = on_open,
    .on_line = on_line,
    .on_bad_line = on_bad_line,
    .on_drain = on_drain,
    .on_end = on_end,
};

/* Evicts sessions if too many have not logged in, before the next connection is
 * accepted. */
static void close_crowded_out(struct sessions *sessions)
{
    uint64_t id;

    while ((id = admission_crowded_out(sessions->settings.admission)) != 0) {
        struct session *session = session_find(sessions, id);

        if (session == NULL)
            continue;
        gate_narrow(sessions->gate, GATE_FREE);
        session_close(session, "full", NULL);
        gate_widen(sessions->gate);
        wire_hurry(session->wire, CROWDED_OUT_MS);
    }
}

/* Call it when the session has got its slot. Gives the wire the address in the slot, which
 * is the address of the client, not of a balancer or a proxy. */
static void take_slot(struct session *session, struct slot *slot)
{
    char from[PREFIX_TEXT_BYTES];

    prefix_format(from, slot_from(slot));
    (void)wire_set_peer_address(session->wire, from);
    slot_set_session(slot, session->id);
    close_crowded_out(session->of);
}

/* Makes the session of an accepted socket. Returns NULL if its wire could not be made;
 * then the session is freed already. */
static struct session *open_session(struct sessions *sessions, SSL_CTX *ctx,
                                    evutil_socket_t fd, struct slot *slot)
{
    struct session *session = mem_new(sizeof *session);

    session->id = ++sessions->last_id;
    session->of = sessions;
    usage_open(&session->usage, sessions->usages, slot, session);
    HASH_ADD(hh, sessions->by_id, id, sizeof session->id, session);
    sessions->count[SESSION_HANDSHAKE]++;
    session->wire = wire_accept(sessions->hub, ctx, fd, &wire_calls, session);
    if (session->wire != NULL)
        return session;
    forget(session);
    return NULL;
}

void session_open(struct sessions *sessions, SSL_CTX *ctx, evutil_socket_t fd,
                  struct slot *slot)
{
    struct session *session = open_session(sessions, ctx, fd, slot);

    if (session == NULL || slot == NULL)
        return;
    take_slot(session, slot);
}

void session_open_proxied(struct sessions *sessions, evutil_socket_t fd)
{
    struct session *session;

    if (sessions->proxied >= PROXIED_MAX || sessions->is_stopping) {
        log_debug("proxied refused why=too-many");
        evutil_closesocket(fd);
        return;
    }
    session = open_session(sessions, NULL, fd, NULL);
    if (session == NULL)
        return;
    session->is_proxied = true;
    sessions->proxied++;
}

void session_open_host(struct sessions *sessions, evutil_socket_t fd, const char *name)
{
    struct session *session = open_session(sessions, NULL, fd, NULL);

    if (session == NULL)
        return;
    text_copy(session->name, sizeof session->name, name);
    session_set_state(session, SESSION_HOST);
    wire_set_line_max(session->wire, PROTO_LINE_MAX);
}

void session_come_from(struct session *session, struct slot *slot)
{
    stop_counting_proxied(session);
    session->usage.slot = slot;
    take_slot(session, slot);
}

struct session *session_find(struct sessions *sessions, uint64_t id)
{
    struct session *session;

    HASH_FIND(hh, sessions->by_id, &id, sizeof id, session);
    return session;
}

struct session *session_find_open(struct sessions *sessions, uint64_t id)
{
    struct session *session = session_find(sessions, id);

    return session != NULL && session->state != SESSION_LEAVING ? session : NULL;
}

struct session *sessions_first(struct sessions *sessions)
{
    return sessions->by_id;
}

struct session *sessions_next(struct session *session)
{
    return session->hh.next;
}

struct session *sessions_first_here(const struct sessions *sessions)
{
    return sessions->here;
}

struct session *sessions_next_here(const struct session *session)
{
    return session->here_next;
}

int sessions_count_in(const struct sessions *sessions, enum session_state state)
{
    return sessions->count[state];
}

struct session_tally sessions_tally(const struct sessions *sessions)
{
    return sessions->tally;
}

int sessions_count_here(const struct sessions *sessions)
{
    return sessions->count[SESSION_GUEST] + sessions->count[SESSION_MEMBER];
}

int sessions_count(const struct sessions *sessions)
{
    return (int)HASH_COUNT(sessions->by_id) - sessions->count[SESSION_HOST];
}

void sessions_add_to_greeting(struct sessions *sessions, const char *notice)
{
    if (sessions != NULL)
        sessions->trouble = notice;
}

void sessions_stop(struct sessions *sessions)
{
    sessions->is_stopping = true;
}

bool sessions_has_held(struct sessions *sessions)
{
    for (const struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->is_held && s->state < SESSION_HOST)
            return true;
    return false;
}

void sessions_close_all(struct sessions *sessions, const char *why, const char *words)
{
    gate_narrow(sessions->gate, GATE_FREE);
    for (struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->state != SESSION_LEAVING && s->state != SESSION_HOST)
            say_bye(s, why, words);
    gate_widen(sessions->gate);
    for (struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->state != SESSION_HOST)
            leave(
                s); /* all sessions are leaving, so none is told that another leaves */
}

void sessions_drop_all(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    for (struct session *s = sessions->by_id; s != NULL; s = s->hh.next)
        if (s->state != SESSION_HOST)
            wire_drop(s->wire, WIRE_TIMEOUT);
}

/* --- Idle guests --- */

/* Closes the sessions of idle guests. A guest who watches a game or waits for the
 * server is not idle. */
static void on_idle_check(evutil_socket_t fd, short what, void *arg)
{
    struct sessions *sessions = arg;
    struct admission *admission = sessions->settings.admission;
    int64_t now_ms = mono_now_ms();
    int64_t since_ms = now_ms - sessions->settings.guest_idle_ms;
    uint64_t id;

    (void)fd;
    (void)what;
    while ((id = admission_idle_guest(admission, since_ms)) != 0) {
        struct session *session = session_find(sessions, id);

        admission_touch(admission, session->usage.slot, now_ms);
        gate_narrow(sessions->gate, GATE_FREE);
        if (session->cursor_count == 0 && !waits_for_us(session))
            session_close(session, "idle", NULL);
        gate_widen(sessions->gate);
    }
}

struct sessions *sessions_new(struct event_base *base,
                              const struct session_settings *settings,
                              const struct session_calls *calls, void *arg)
{
    struct sessions *sessions = mem_new(sizeof *sessions);
    struct wire_limits limits = wire_limits_default();

    limits.line_max = PROTO_LINE_LOGIN_MAX;
    limits.turn_us = TURN_US;
    limits.stuck_ms = settings->slow_reader_ms;
    sessions->base = base;
    sessions->settings = *settings;
    sessions->calls = calls;
    sessions->arg = arg;
    sessions->hub = wire_hub_new(base, &limits);
    if (settings->admission != NULL && settings->guest_idle_ms != 0)
        sessions->idle_timer =
            timer_repeat(base, IDLE_CHECK_MS, on_idle_check, sessions);
    sessions->usages = usages_new(base, settings->chat, settings->admission, on_budget);
    sessions->memory_timer = timer_new(base, on_memory_timer, sessions);
    return sessions;
}

void sessions_change(struct sessions *sessions, const struct session_settings *settings)
{
    sessions->settings = *settings;
    usages_change(sessions->usages, settings->chat);
}

void sessions_set_outage(struct sessions *sessions, bool has_outage)
{
    sessions->has_outage = has_outage;
}

void sessions_set_gate(struct sessions *sessions, struct gate *gate)
{
    sessions->has_outage = false;
    sessions->gate = gate;
    wire_hub_set_gate(sessions->hub, gate);
}

struct wire_hub *sessions_hub(const struct sessions *sessions)
{
    return sessions->hub;
}

void sessions_free(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    assert(sessions->by_id == NULL);
    if (sessions->idle_timer != NULL)
        event_free(sessions->idle_timer);
    usages_free(sessions->usages);
    event_free(sessions->memory_timer);
    wire_hub_free(sessions->hub);
    free(sessions);
}
