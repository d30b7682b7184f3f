/* Sessions over real sockets, for tests of the lines that sessions send. Each visitor
 * is the client of one session, and reads its lines with a raw peer (plain OpenSSL, see
 * wire_world.h). Each test program includes this file once. */
#ifndef TESTS_UNIT_SERVER_VISITORS_H
#define TESTS_UNIT_SERVER_VISITORS_H

#include "server/net/session.h"
#include "tests/unit/net/wire_world.h"

static struct sessions *sessions;
static uint64_t last_session;

struct visitor {
    struct raw raw;
    struct session *session;
    /* Set only by tests that need them: */
    struct account *account;
    struct cursor *cursor;
};

static void on_line(void *arg, struct session *session, char *line, int64_t now_ms)
{
    session_ok(session, "done");
}

/* Opens a new session and waits until it has been greeted. */
static void visit(struct visitor *visitor, struct slot *slot)
{
    struct two_fds fds = tcp_pair();

    session_open(sessions, world.server_ctx, fds.here, slot);
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

/* Waits for the line and returns its index in the received text. Fails if the line does
 * not come. */
static size_t hear(struct visitor *visitor, const char *line)
{
    TURN_UNTIL(raw_step(&visitor->raw), has_heard(visitor, line));
    return (size_t)(strstr(visitor->raw.heard, line) - visitor->raw.heard);
}

#endif
