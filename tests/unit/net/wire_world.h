/* An environment for tests of the wire: one loop, a hub, wires over real sockets and
 * real TLS, and a raw peer that uses OpenSSL in ways that no wire would. Each test
 * program includes it once. */
#ifndef TESTS_UNIT_NET_WIRE_WORLD_H
#define TESTS_UNIT_NET_WIRE_WORLD_H

#include <stdint.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/net/tls.h"
#include "common/net/wire.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

#define MAY_BE_UNUSED __attribute__((unused))

enum { PATIENCE_MS = 60 * 1000 }; /* generous: reached only by a failing test */

static struct wire_world {
    struct event_base *base;
    struct wire_hub *hub;
    SSL_CTX *server_ctx;
    SSL_CTX *client_ctx;       /* with a certificate of its own */
    SSL_CTX *raw_ctx;          /* for a client with OpenSSL's defaults, such as an
                                * attacker's client */
    struct wire_limits limits; /* limits for the next hub */
    struct tls_key server_key;
    char directory[UNIT_PATH_BYTES];
} world;

/* --- Owners of wires --- */

/* The action of an owner when a line arrives, besides recording it. */
enum habit {
    HABIT_NONE,
    HABIT_ECHO,
    HABIT_CLOSE,
    HABIT_DROP,
    HABIT_HOLD,     /* holds the wire, and leaves it held */
    HABIT_HOLD_TURN /* holds the wire, and releases it at once */
};

struct owner {
    struct wire *wire;
    enum habit habit;
    int opens, lines, bad_lines, drains, ends;
    enum wire_why bad_why, why;
    char detail[256];
    char *said; /* all received lines, each with an LF */
    size_t said_len;
    bool is_inside; /* true while the test calls a function of the wire; then the wire
                     * must not call the owner */
};

#define INTO_WIRE(owner, call)                                                         \
    do {                                                                               \
        (owner)->is_inside = true;                                                     \
        call;                                                                          \
        (owner)->is_inside = false;                                                    \
    } while (0)

static void owner_on_open(void *arg)
{
    struct owner *owner = arg;

    assert_false(owner->is_inside);
    assert_int_equal(owner->ends, 0);
    owner->opens++;
}

static void owner_write_down(struct owner *owner, const char *line, size_t len)
{
    owner->said = mem_resize(owner->said, owner->said_len + len + 2, 1);
    memcpy(owner->said + owner->said_len, line, len);
    owner->said_len += len;
    owner->said[owner->said_len++] = '\n';
    owner->said[owner->said_len] = '\0';
}

static void owner_on_line(void *arg, char *line, size_t len, int64_t now_ms)
{
    struct owner *owner = arg;

    assert_false(owner->is_inside);
    assert_int_equal(owner->opens, 1);
    assert_int_equal(owner->ends, 0);
    assert_int_equal(strlen(line), len);
    assert_int_equal(now_ms, mono_now_ms()); /* the clock stands still */
    owner->lines++;
    owner_write_down(owner, line, len);
    memset(line, 'x', len); /* the owner is allowed to change the line */
    switch (owner->habit) {
    case HABIT_NONE:
        break;
    case HABIT_ECHO:
        INTO_WIRE(owner, wire_send(owner->wire, owner->said + owner->said_len - len - 1,
                                   len + 1));
        break;
    case HABIT_CLOSE:
        INTO_WIRE(owner, wire_send(owner->wire, "goodbye\n", 8));
        INTO_WIRE(owner, wire_close(owner->wire));
        INTO_WIRE(owner, wire_close(owner->wire));
        break;
    case HABIT_DROP:
        INTO_WIRE(owner, wire_drop(owner->wire, WIRE_FLOOD));
        INTO_WIRE(owner, wire_drop(owner->wire, WIRE_RESET));
        break;
    case HABIT_HOLD:
        INTO_WIRE(owner, wire_hold(owner->wire, true));
        break;
    case HABIT_HOLD_TURN:
        INTO_WIRE(owner, wire_hold(owner->wire, true));
        INTO_WIRE(owner, wire_hold(owner->wire, false));
        break;
    }
}

static void owner_on_bad_line(void *arg, enum wire_why why)
{
    struct owner *owner = arg;

    assert_false(owner->is_inside);
    owner->bad_lines++;
    owner->bad_why = why;
}

static void owner_on_drain(void *arg)
{
    struct owner *owner = arg;

    assert_false(owner->is_inside);
    assert_int_equal(wire_unsent_bytes(owner->wire), 0);
    owner->drains++;
}

static void owner_on_end(void *arg, enum wire_why why, const char *detail)
{
    struct owner *owner = arg;

    assert_false(owner->is_inside);
    assert_int_equal(owner->ends, 0);
    assert_non_null(detail);
    owner->ends++;
    owner->why = why;
    snprintf(owner->detail, sizeof owner->detail, "%s", detail);
    wire_send(owner->wire, "too late\n", 9); /* this call is allowed, and does
                                              * nothing */
    wire_close(owner->wire);
    owner->wire = NULL;
}

static const struct wire_calls owner_calls = {
    .on_open = owner_on_open,
    .on_line = owner_on_line,
    .on_bad_line = owner_on_bad_line,
    .on_drain = owner_on_drain,
    .on_end = owner_on_end,
};
/* Like owner_calls, but without on_bad_line: a bad line ends the wire. */
static const struct wire_calls strict_calls MAY_BE_UNUSED = {
    .on_line = owner_on_line,
    .on_end = owner_on_end,
};

static MAY_BE_UNUSED void owner_send(struct owner *owner, const char *text)
{
    INTO_WIRE(owner, wire_send(owner->wire, text, strlen(text)));
}

static void owner_forget(struct owner *owner)
{
    free(owner->said);
    *owner = (struct owner){0};
}

/* --- Sockets --- */

struct two_fds {
    int here, there;
};

static MAY_BE_UNUSED int listen_on_loopback(struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind(fd, (struct sockaddr *)address, size), 0);
    assert_int_equal(listen(fd, 5), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)address, &size), 0);
    return fd;
}

/* Makes the two ends of a real TCP connection; `here` was accepted, `there` has
 * connected. */
static struct two_fds tcp_pair(void)
{
    struct sockaddr_in address;
    int listener = listen_on_loopback(&address);
    struct two_fds fds = {.there = socket(AF_INET, SOCK_STREAM, 0)};
    int one = 1;

    assert_int_equal(connect(fds.there, (struct sockaddr *)&address, sizeof address),
                     0);
    fds.here = accept(listener, NULL, NULL);
    assert_true(fds.here >= 0);
    setsockopt(fds.there, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    assert_int_equal(fcntl(fds.there, F_SETFL, O_NONBLOCK), 0);
    close(listener);
    return fds;
}

/* --- Lots --- */

static uint64_t die_state = 20261121;

static MAY_BE_UNUSED unsigned throw_die(unsigned sides)
{
    die_state = die_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(die_state >> 33) % sides;
}

/* The seed is fixed; CHAOS_SEED sets another. */
static MAY_BE_UNUSED void seed_die(void)
{
    const char *seed = getenv("CHAOS_SEED");

    if (seed != NULL)
        die_state = strtoull(seed, NULL, 10);
}

/* --- The loop --- */

/* Runs the events that are ready now: one turn of the loop. */
static void turn(void)
{
    event_base_loop(world.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    assert_int_equal(ERR_peek_error(), 0);
}

/* Runs turns until `done` is true; fails the test at the time limit. The statement
 * `step` runs before each turn. */
#define TURN_UNTIL(step, done)                                                         \
    do {                                                                               \
        int64_t until_ms_ = stepped_clock_real_ms() + PATIENCE_MS;                     \
        for (;;) {                                                                     \
            step;                                                                      \
            turn();                                                                    \
            if (done)                                                                  \
                break;                                                                 \
            if (stepped_clock_real_ms() > until_ms_)                                   \
                fail_msg("never came: %s", #done);                                     \
        }                                                                              \
    } while (0)

/* Runs some turns in which a forbidden event could happen. */
static MAY_BE_UNUSED void turn_idly(void)
{
    for (int i = 0; i < 20; i++)
        turn();
}

/* Advances the clock by ms, and runs the events that are due. */
static MAY_BE_UNUSED void step_ms(int64_t ms)
{
    stepped_clock_step_ms(ms);
    turn_idly();
}

/* Waits until fd is readable, so that one turn handles it. */
static MAY_BE_UNUSED void await_readable(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int64_t until_ms = stepped_clock_real_ms() + PATIENCE_MS;

    while (poll(&wait, 1, -1) == 0) /* here, -1 means 10 ms: see stepped_clock.c */
        assert_true(stepped_clock_real_ms() < until_ms);
}

/* --- The raw peer --- */

struct raw {
    SSL *ssl;
    int fd, peer_fd; /* peer_fd: the fd of the wire at the other end */
    bool is_open;
    int error;  /* SSL_get_error() when the connection ended; before, SSL_ERROR_NONE */
    int reason; /* reason of the first error in OpenSSL's queue at the end */
    int records, key_updates;
    char *heard;
    size_t heard_len;
};

static void raw_on_message(int is_ours, int version, int type, const void *bytes,
                           size_t len, SSL *ssl, void *arg)
{
    struct raw *raw = arg;

    if (is_ours || len == 0)
        return;
    if (type == SSL3_RT_HEADER)
        raw->records++;
    if (type == SSL3_RT_HANDSHAKE && *(const unsigned char *)bytes == 24)
        raw->key_updates++;
}

static MAY_BE_UNUSED void raw_start(struct raw *raw, int fd)
{
    *raw = (struct raw){.fd = fd, .ssl = SSL_new(world.raw_ctx)};
    SSL_set_fd(raw->ssl, fd);
    SSL_set_connect_state(raw->ssl);
    SSL_set_msg_callback(raw->ssl, raw_on_message);
    SSL_set_msg_callback_arg(raw->ssl, raw);
}

/* Does the handshake and reads the available data. */
static MAY_BE_UNUSED void raw_step(struct raw *raw)
{
    char bytes[16 * 1024];
    int got;

    if (raw->error != SSL_ERROR_NONE)
        return;
    ERR_clear_error();
    got = raw->is_open ? 1 : SSL_do_handshake(raw->ssl);
    if (got == 1)
        raw->is_open = true;
    while (got > 0) {
        ERR_clear_error();
        got = SSL_read(raw->ssl, bytes, sizeof bytes);
        if (got > 0) {
            raw->heard = mem_resize(raw->heard, raw->heard_len + (size_t)got + 1, 1);
            memcpy(raw->heard + raw->heard_len, bytes, (size_t)got);
            raw->heard_len += (size_t)got;
            raw->heard[raw->heard_len] = '\0';
        }
    }
    got = SSL_get_error(raw->ssl, got);
    if (got != SSL_ERROR_WANT_READ && got != SSL_ERROR_WANT_WRITE) {
        raw->error = got;
        raw->reason = ERR_GET_REASON(ERR_peek_error());
    }
    ERR_clear_error();
}

/* Writes the bytes in one record, or in several if `len` exceeds 16384. */
static MAY_BE_UNUSED void raw_write(struct raw *raw, const char *bytes, size_t len)
{
    while (len > 0) {
        int done;

        ERR_clear_error();
        done = SSL_write(raw->ssl, bytes, len > 16384 ? 16384 : (int)len);
        if (done <= 0) {
            assert_int_equal(SSL_get_error(raw->ssl, done), SSL_ERROR_WANT_WRITE);
            turn();
            continue;
        }
        bytes += done;
        len -= (size_t)done;
    }
}

static MAY_BE_UNUSED void raw_say(struct raw *raw, const char *text)
{
    raw_write(raw, text, strlen(text));
}

static MAY_BE_UNUSED void raw_end(struct raw *raw)
{
    SSL_free(raw->ssl);
    if (raw->fd >= 0)
        close(raw->fd);
    free(raw->heard);
    *raw = (struct raw){.fd = -1};
    ERR_clear_error();
}

/* Ends the connection with RST instead of FIN. */
static MAY_BE_UNUSED void raw_reset(struct raw *raw)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    setsockopt(raw->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    raw_end(raw);
}

/* --- Wires that stand --- */

/* The wire of most tests, and its peer. hub_end() ends both. */
static MAY_BE_UNUSED struct owner server;
static MAY_BE_UNUSED struct raw raw;

static MAY_BE_UNUSED void accept_wire(struct owner *owner, int fd)
{
    owner->wire = wire_accept(world.hub, world.server_ctx, fd, &owner_calls, owner);
    assert_non_null(owner->wire);
}

/* Opens a server's wire whose peer is `peer`. buffer: the bytes that each socket accepts; 0: as
 * usual. */
static MAY_BE_UNUSED void open_raw_with(struct owner *owner, struct raw *peer,
                                        const struct wire_calls *calls, int buffer)
{
    struct two_fds fds = tcp_pair();

    if (buffer > 0) {
        setsockopt(fds.here, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        setsockopt(fds.there, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    }
    owner->wire = wire_accept(world.hub, world.server_ctx, fds.here, calls, owner);
    assert_non_null(owner->wire);
    raw_start(peer, fds.there);
    peer->peer_fd = fds.here;
    TURN_UNTIL(raw_step(peer), peer->is_open && owner->opens == 1);
}

static MAY_BE_UNUSED void open_raw(struct owner *owner, struct raw *peer)
{
    open_raw_with(owner, peer, &owner_calls, 0);
}

/* The wire ends at its time limit, and not before. */
#define ENDS_AFTER_MS(ms, owner, reason)                                               \
    do {                                                                               \
        step_ms((ms)-1);                                                               \
        assert_int_equal((owner)->ends, 0);                                            \
        step_ms(1);                                                                    \
        assert_int_equal((owner)->ends, 1);                                            \
        assert_int_equal((owner)->why, reason);                                        \
    } while (0)

#define ENDS(owner, reason)                                                            \
    do {                                                                               \
        TURN_UNTIL(, (owner)->ends == 1);                                              \
        assert_int_equal((owner)->why, reason);                                        \
    } while (0)

static bool judge_by_key(void *arg, const struct tls_seen *seen)
{
    return memcmp(&seen->key, &world.server_key, sizeof seen->key) == 0;
}

/* Opens a server's wire and a client's wire that are connected to each other. */
static MAY_BE_UNUSED void open_pair(struct owner *owner, struct owner *client)
{
    struct two_fds fds = tcp_pair();

    accept_wire(owner, fds.here);
    client->wire = wire_connect(world.hub, world.client_ctx, fds.there, "localhost",
                                judge_by_key, NULL, &owner_calls, client);
    assert_non_null(client->wire);
    TURN_UNTIL(, owner->opens == 1 && client->opens == 1);
}

/* Drops the owner's wire, if it is open, waits for its end, and clears the owner. */
static MAY_BE_UNUSED void end_owner(struct owner *owner)
{
    if (owner->wire != NULL) {
        wire_drop(owner->wire, WIRE_CLOSED_HERE);
        TURN_UNTIL(, owner->ends == 1);
    }
    owner_forget(owner);
}

/* --- The world --- */

static MAY_BE_UNUSED int count_fds(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static int world_begin(void **state)
{
    char cert[UNIT_PATH_BYTES + 8], key[UNIT_PATH_BYTES + 8];

    log_set_level(LOG_FATAL);
    if (!unit_make_directory(world.directory))
        return -1;
    snprintf(cert, sizeof cert, "%s/cert", world.directory);
    snprintf(key, sizeof key, "%s/key", world.directory);
    if (!tls_make_identity(cert, key, "localhost"))
        return -1;
    world.server_ctx = tls_server_ctx(cert, key, &world.server_key, NULL);
    world.client_ctx = tls_client_ctx(cert, key, NULL);
    world.raw_ctx = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_mode(world.raw_ctx, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                        SSL_MODE_ENABLE_PARTIAL_WRITE);
    return world.server_ctx != NULL && world.client_ctx != NULL ? 0 : -1;
}

static int world_end(void **state)
{
    SSL_CTX_free(world.server_ctx);
    SSL_CTX_free(world.client_ctx);
    SSL_CTX_free(world.raw_ctx);
    return unit_remove_directory(world.directory);
}

/* Stops the clock, and makes a new loop and a new hub with the default limits. Runs
 * before every test. */
static int hub_begin(void **state)
{
    stepped_clock_stop();
    raw.fd = -1;
    world.base = event_base_new();
    world.limits = wire_limits_default();
    world.hub = wire_hub_new(world.base, &world.limits);
    return 0;
}

static int hub_end(void **state)
{
    raw_end(&raw);
    end_owner(&server);
    if (wire_hub_count(world.hub) != 0)
        return -1;
    wire_hub_free(world.hub);
    event_base_free(world.base);
    stepped_clock_release();
    return 0;
}

/* Makes the hub again, for a test that has changed world.limits. */
static MAY_BE_UNUSED void limit_hub(void)
{
    wire_hub_free(world.hub);
    world.hub = wire_hub_new(world.base, &world.limits);
}

#define WIRE_TEST(name) UNIT_TEST_WITH(name, hub_begin, hub_end)

#endif
