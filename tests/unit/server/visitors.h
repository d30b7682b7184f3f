/* Sessions over real sockets for tests of what they are sent: a test opens the sessions,
 * and its visitors read them with raw peers. Each test program includes it once. */
#ifndef TESTS_UNIT_SERVER_VISITORS_H
#define TESTS_UNIT_SERVER_VISITORS_H

#include "server/net/session.h"
#include "tests/unit/net/wire_world.h"

static struct sessions *sessions;
static uint64_t last_session;

struct visitor {
    struct raw raw;
    struct session *session;
    /* Of the tests that have one: */
    struct account *account;
    struct cursor *cursor;
};

static void on_line(void *arg, struct session *session, char *raw, int64_t now_ms)
{
    session_ok(session, "done");
}

/* A new session, which has been greeted. */
static void visit(struct visitor *visitor, struct pass *pass)
{
    struct two_fds fds = tcp_pair();

    session_open(sessions, world.server_ctx, fds.here, pass);
    visitor->session = session_find(sessions, ++last_session);
    assert_non_null(visitor->session);
    raw_start(&visitor->raw, fds.there);
    TURN_UNTIL(raw_step(&visitor->raw), visitor->session->state == SESSION_HELLO);
}

static void go(struct visitor *visitor)
{
    int count = sessions_count(sessions);

    raw_end(&visitor->raw);
    TURN_UNTIL(, sessions_count(sessions) < count);
}

static bool has_heard(const struct visitor *visitor, const char *line)
{
    return visitor->raw.heard != NULL && strstr(visitor->raw.heard, line) != NULL;
}

/* The index of the line in the received text; fails if it is missing. */
static size_t hear(struct visitor *visitor, const char *line)
{
    TURN_UNTIL(raw_step(&visitor->raw), has_heard(visitor, line));
    return (size_t)(strstr(visitor->raw.heard, line) - visitor->raw.heard);
}

#endif
