/* Tests of hostile or faulty peers: each is disconnected, and no other peer is
 * affected. */
#include "tests/unit/net/wire_world.h"

#include <signal.h>

/* --- Handshakes --- */

WIRE_TEST(a_silent_peer_is_cut_by_the_clock)
{
    struct two_fds fds = tcp_pair();

    world.limits.handshake_ms = 60;
    limit_hub();
    accept_wire(&server, fds.here);
    ENDS_AFTER_MS(60, &server, WIRE_TIMEOUT);
    close(fds.there);
}

/* The peer sends a byte at intervals, which would restart any timer of inactivity. */
WIRE_TEST(a_dripping_hello_is_cut_as_well)
{
    struct two_fds fds = tcp_pair();
    SSL *ssl = SSL_new(world.raw_ctx);
    BIO *out = BIO_new(BIO_s_mem());
    char byte;

    world.limits.handshake_ms = 100;
    limit_hub();
    accept_wire(&server, fds.here);
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), out);
    SSL_set_connect_state(ssl);
    SSL_do_handshake(ssl);
    ERR_clear_error();
    for (int ms = 0; ms < 100; ms += 5) {
        assert_int_equal(server.ends, 0);
        assert_int_equal(BIO_read(out, &byte, 1), 1);
        assert_int_equal(send(fds.there, &byte, 1, MSG_NOSIGNAL), 1);
        await_readable(fds.here);
        turn();
        step_ms(5);
    }
    assert_int_equal(server.ends, 1);
    assert_int_equal(server.why, WIRE_TIMEOUT);
    SSL_free(ssl);
    close(fds.there);
}

WIRE_TEST(a_handshake_in_time_stops_that_clock)
{
    world.limits.handshake_ms = 60;
    limit_hub();
    open_raw(&server, &raw);
    step_ms(1000);
    assert_int_equal(server.ends, 0);
}

static void speak_http(struct raw *peer)
{
    (void)!send(peer->fd, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL);
    peer->error = SSL_ERROR_SSL; /* stops raw_step(): this peer makes no handshake */
}

static void speak_tls_12(struct raw *peer)
{
    SSL_set_min_proto_version(peer->ssl, TLS1_2_VERSION);
    SSL_set_max_proto_version(peer->ssl, TLS1_2_VERSION);
}

static void want_ffdhe(struct raw *peer)
{
    SSL_set1_groups_list(peer->ssl, "ffdhe8192");
}

static void want_nothing_special(struct raw *peer)
{
}

WIRE_TEST(only_tls_13_with_our_groups_comes_in)
{
    static const struct {
        void (*change)(struct raw *);
        bool is_let_in;
        int alert; /* the alert that the peer receives; 0: none */
    } cases[] = {
        {speak_http, false, 0},
        {speak_tls_12, false, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION},
        {want_ffdhe, false, SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE},
        {want_nothing_special, true, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct two_fds fds = tcp_pair();

        accept_wire(&server, fds.here);
        raw_start(&raw, fds.there);
        cases[i].change(&raw);
        TURN_UNTIL(raw_step(&raw), server.ends == 1 || server.opens == 1);
        assert_int_equal(server.opens, cases[i].is_let_in);
        if (!cases[i].is_let_in)
            assert_int_equal(server.why, WIRE_HANDSHAKE);
        if (cases[i].alert != 0)
            TURN_UNTIL(raw_step(&raw), raw.error != SSL_ERROR_NONE);
        assert_int_equal(raw.reason, cases[i].alert);
        raw_end(&raw);
        end_owner(&server);
    }
}

/* --- Key updates --- */

static void update_keys(struct raw *peer, int how)
{
    ERR_clear_error();
    assert_int_equal(SSL_key_update(peer->ssl, how), 1);
    SSL_do_handshake(peer->ssl);
    ERR_clear_error();
}

WIRE_TEST(a_flood_of_key_updates_is_cut)
{
    struct owner other = {.habit = HABIT_ECHO};
    struct raw polite;

    open_raw(&server, &raw);
    open_raw(&other, &polite);
    for (int i = 0; i < 200; i++)
        update_keys(&raw, SSL_KEY_UPDATE_REQUESTED);
    raw_say(&raw, "line\n");
    raw_say(&polite, "ping\n");
    await_readable(polite.peer_fd);
    turn();
    assert_int_equal(other.lines, 1);
    TURN_UNTIL(raw_step(&raw), server.ends == 1);
    assert_int_equal(server.why, WIRE_FLOOD);
    assert_int_equal(server.lines, 0);
    assert_in_range(raw.key_updates, 0, 40);
    raw_end(&raw);
    raw_end(&polite);
    end_owner(&server);
    end_owner(&other);
}

/* Both kinds of key updates arrive, between lines and within them, while the server
 * answers. */
WIRE_TEST(key_updates_between_lines_are_fine)
{
    enum { ROUNDS = 300 };
    size_t len = 0;

    server.habit = HABIT_ECHO;
    world.limits.key_updates_hour_max = 100000;
    limit_hub();
    open_raw(&server, &raw);
    for (int i = 0; i < ROUNDS; i++) {
        for (int update = 0; update < i % 5; update++)
            update_keys(&raw, update % 2 ? SSL_KEY_UPDATE_REQUESTED
                                         : SSL_KEY_UPDATE_NOT_REQUESTED);
        raw_say(&raw, "pi");
        update_keys(&raw, SSL_KEY_UPDATE_REQUESTED);
        raw_say(&raw, "ng\n");
        len += 5;
        if (i % 7 == 0)
            TURN_UNTIL(raw_step(&raw), raw.heard_len == len);
    }
    TURN_UNTIL(raw_step(&raw), raw.heard_len == len);
    assert_int_equal(server.lines, ROUNDS);
    assert_int_equal(server.ends, 0);
    assert_true(raw.key_updates >= 1); /* the server answers them */
}

WIRE_TEST(an_hour_has_its_own_limit)
{
    int updates = 0;

    world.limits.key_updates_hour_max = 20;
    limit_hub();
    open_raw(&server, &raw);
    while (server.ends == 0 && updates < 100) {
        update_keys(&raw, SSL_KEY_UPDATE_NOT_REQUESTED);
        updates++;
        raw_say(&raw, "line\n");
        turn();
        raw_step(&raw);
        if (raw.error != SSL_ERROR_NONE)
            break;
    }
    ENDS(&server, WIRE_FLOOD);
    assert_int_equal(server.lines, 20);
}

/* The peer requests key updates but does not read, so the answers are stuck. Once there
 * is space, everything continues in order. */
WIRE_TEST(key_updates_work_while_output_sticks)
{
    enum { LEN = 8000 };
    char *text = mem_new(LEN + 1);
    size_t sent = 0;

    server.habit = HABIT_ECHO;
    memset(text, 'x', LEN - 1);
    text[LEN - 1] = '\n';
    world.limits.queue_max = 1024 * 1024;
    limit_hub();
    open_raw(&server, &raw);
    for (; wire_stuck_bytes(server.wire) == 0; sent += LEN) {
        wire_send(server.wire, text, LEN);
        turn();
    }
    for (int i = 0; i < 6; i++)
        update_keys(&raw, SSL_KEY_UPDATE_REQUESTED);
    raw_say(&raw, "ping\n");
    TURN_UNTIL(, server.lines == 1);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == sent + 5);
    assert_string_equal(raw.heard + sent, "ping\n");
    assert_true(raw.key_updates >= 1);
    free(text);
}

/* --- Bytes without lines --- */

WIRE_TEST(bytes_without_a_line_have_a_limit)
{
    size_t sent = 0;

    open_raw(&server, &raw);
    while (server.ends == 0 && sent < 1000 * 1000) {
        if (SSL_write(raw.ssl, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 40) == 40)
            sent += 40;
        ERR_clear_error();
        await_readable(raw.peer_fd);
        turn();
    }
    assert_int_equal(server.ends, 1);
    assert_int_equal(server.why, WIRE_FLOOD);
    assert_int_equal(server.bad_lines, 1);
    assert_in_range(sent, 64 * 1024 / 2, 64 * 1024 + 40);
}

/* Sends records of the maximum length with almost no content. */
WIRE_TEST(padding_counts_as_bytes)
{
    int sent = 0;

    open_raw(&server, &raw);
    SSL_set_block_padding(raw.ssl, 16384);
    for (int i = 0; i < 20 && server.ends == 0; i++) {
        sent += SSL_write(raw.ssl, "a", 1) == 1;
        ERR_clear_error();
        turn();
    }
    ENDS(&server, WIRE_FLOOD);
    assert_in_range(sent, 4, 20);
}

WIRE_TEST(lines_take_that_count_back)
{
    enum { LINES = 4000 };

    open_raw(&server, &raw);
    for (int i = 0; i < LINES; i++) {
        raw_say(&raw, "a line of some length, and there are many of them\n");
        if (i % 16 == 0)
            turn();
    }
    TURN_UNTIL(, server.lines == LINES);
    assert_int_equal(server.ends, 0);
}

WIRE_TEST(bytes_that_are_no_tls_end_the_wire)
{
    open_raw(&server, &raw);
    assert_int_equal(send(raw.fd, "\x17\x03\x03\x00\x14 this is no ciphertext", 26, 0),
                     26);
    ENDS(&server, WIRE_RESET);
    assert_int_equal(server.lines, 0);
    /* The peer receives an alert that says why. */
    TURN_UNTIL(raw_step(&raw), raw.error != SSL_ERROR_NONE);
    assert_int_equal(raw.reason, SSL_R_SSLV3_ALERT_BAD_RECORD_MAC);
}

/* --- Peers that use more than their share --- */

/* The hog sends as many lines as fit into one record, so all are decrypted at once. */
WIRE_TEST(a_hog_lets_others_have_their_turn)
{
    enum { LINES = 8192 };
    char *text = mem_new(2 * LINES + 1);
    struct owner hog = {.habit = HABIT_ECHO}, other = {.habit = HABIT_ECHO};
    struct raw greedy, polite;

    for (int i = 0; i < LINES; i++)
        memcpy(text + 2 * i, "a\n", 2);
    open_raw(&hog, &greedy);
    open_raw(&other, &polite);
    raw_write(&greedy, text, 2 * LINES);
    TURN_UNTIL(, hog.lines > 0);
    assert_in_range(hog.lines, 1, world.limits.lines_per_turn);
    for (int i = 0; i < 10; i++) { /* each ping is answered while the hog continues */
        raw_say(&polite, "ping\n");
        await_readable(polite.peer_fd);
        turn();
        assert_int_equal(other.lines, i + 1);
        turn();
        await_readable(polite.fd);
        raw_step(&polite);
        assert_int_equal(polite.heard_len, 5 * (i + 1));
    }
    assert_in_range(hog.lines, 1, LINES - 1);
    TURN_UNTIL(raw_step(&greedy), greedy.heard_len == 2 * LINES);
    assert_int_equal(hog.lines, LINES);
    free(text);
    raw_end(&greedy);
    raw_end(&polite);
    end_owner(&hog);
    end_owner(&other);
}

WIRE_TEST(a_peer_that_never_reads_is_dropped_at_the_limit)
{
    enum { LEN = 8000 };
    char *text = mem_new(LEN + 1);
    size_t most = 0;

    memset(text, 'x', LEN - 1);
    text[LEN - 1] = '\n';
    open_raw(&server, &raw);
    for (int i = 0; i < 10000 && server.ends == 0; i++) {
        wire_send(server.wire, text, LEN);
        turn();
        if (server.wire != NULL && wire_unsent_bytes(server.wire) > most)
            most = wire_unsent_bytes(server.wire);
    }
    assert_int_equal(server.ends, 1);
    assert_int_equal(server.why, WIRE_TOO_SLOW);
    assert_in_range(most, world.limits.queue_max - 2 * LEN, world.limits.queue_max);
    free(text);
}

/* It sends as long as anybody reads. */
WIRE_TEST(a_peer_that_sends_after_the_close_is_not_read_for_long)
{
    enum { LEN = 64 * 1024, MOST = 32 * 1024 * 1024 };
    char *bytes = mem_new(LEN);
    int sent = 0, stuck = 0;

    open_raw(&server, &raw);
    wire_close(server.wire);
    turn();
    while (sent < MOST && stuck < 20) {
        ssize_t len = send(raw.fd, bytes, LEN, MSG_NOSIGNAL | MSG_DONTWAIT);

        sent += len > 0 ? (int)len : 0;
        stuck = len > 0 ? 0 : stuck + 1;
        turn_idly();
    }
    assert_in_range(sent, 256 * 1024, MOST - 1);
    assert_int_equal(server.ends, 0);
    free(bytes);
}

/* The connection breaks while output is stuck: on an open wire, and on a closing
 * one. */
WIRE_TEST(a_broken_peer_with_stuck_output_is_freed)
{
    enum { LEN = 100000 };
    char *text = mem_new(LEN);

    memset(text, 'x', LEN);
    world.limits.queue_max = 100 * LEN;
    limit_hub();
    for (int is_leaving = 0; is_leaving <= 1; is_leaving++) {
        open_raw(&server, &raw);
        while (wire_stuck_bytes(server.wire) == 0) {
            wire_send(server.wire, text, LEN);
            turn();
        }
        if (is_leaving)
            wire_close(server.wire);
        else
            wire_hold(server.wire, true); /* a held wire does not read, and notices the
                                           * break only when it writes */
        turn();
        raw_reset(&raw);
        ENDS(&server, WIRE_RESET);
        end_owner(&server);
    }
    free(text);
}

/* If too much output is unsent, the wire ends with WIRE_TOO_SLOW. But if the output was
 * queued in the present turn of the loop, the limit is higher, because the wire has not
 * yet tried to send this output. */
WIRE_TEST(a_burst_is_no_slowness)
{
    enum { LEN = 300000 };
    char *text = mem_new(LEN + 1);

    memset(text, 'x', LEN);
    open_raw(&server, &raw);
    wire_send(server.wire, text, LEN);
    wire_send(server.wire, "\n", 1);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == LEN + 1);
    assert_int_equal(server.ends, 0);
    free(text);
}

WIRE_TEST(a_peer_without_a_handshake_gets_no_output)
{
    struct two_fds fds = tcp_pair();
    char text[1000];

    memset(text, 'x', sizeof text);
    accept_wire(&server, fds.here);
    for (int i = 0; i < 1000 && server.ends == 0; i++) {
        wire_send(server.wire, text, sizeof text);
        turn();
    }
    assert_int_equal(server.ends, 1);
    assert_int_equal(server.why, WIRE_TOO_SLOW);
    close(fds.there);
}

/* The default action of SIGPIPE would end the program, and this test with it. */
WIRE_TEST(a_peer_that_went_raises_no_signal)
{
    signal(SIGPIPE, SIG_DFL);
    open_raw(&server, &raw);
    wire_hold(server.wire, true); /* so that it does not read the end of the stream */
    raw_end(&raw);
    TURN_UNTIL(wire_send(server.wire, "line\n", 5), server.ends == 1);
    assert_int_equal(server.why, WIRE_RESET);
}

UNIT_MAIN(world_begin, world_end)
