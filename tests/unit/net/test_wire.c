/* Tests of a wire, which is a connection that carries lines over TLS: how it begins and
 * ends, splits its input into lines, stops delivering them while it is held, and
 * collects output. */
#include "tests/unit/net/wire_world.h"

/* --- Both ends are wires --- */

WIRE_TEST(lines_go_both_ways)
{
    struct owner client = {0};

    server.habit = HABIT_ECHO;
    open_pair(&server, &client);
    assert_string_equal(wire_peer_address(server.wire), "127.0.0.1");
    assert_string_equal(wire_peer_address(client.wire), "127.0.0.1");
    owner_send(&client, "login hong\nping\n");
    owner_send(&client, "\xed\x95\x9c\n");
    TURN_UNTIL(, client.lines == 3);
    assert_string_equal(server.said, "login hong\nping\n\xed\x95\x9c\n");
    assert_string_equal(client.said, server.said);
    end_owner(&server);
    end_owner(&client);
}

WIRE_TEST(both_know_the_others_key)
{
    struct owner client = {0}, stranger = {0};

    open_pair(&server, &client);
    assert_memory_equal(wire_peer_key(client.wire), &world.server_key,
                        sizeof world.server_key);
    assert_memory_equal(
        wire_peer_key(server.wire), &world.server_key,
        sizeof world.server_key); /* both ends use the same key pair here */
    open_raw(&stranger, &raw);
    assert_null(wire_peer_key(stranger.wire));
    raw_end(&raw);
    end_owner(&server);
    end_owner(&client);
    end_owner(&stranger);
}

static bool judge_no(void *arg, const struct tls_seen *seen)
{
    ++*(int *)arg;
    return false;
}

WIRE_TEST(an_untrusted_server_gets_no_bytes)
{
    struct owner client = {0};
    struct two_fds fds = tcp_pair();
    int asked = 0;

    accept_wire(&server, fds.here);
    client.wire = wire_connect(world.hub, world.client_ctx, fds.there, "localhost",
                               judge_no, &asked, &owner_calls, &client);
    owner_send(&client, "login hong token=secret\n");
    TURN_UNTIL(, server.ends == 1 && client.ends == 1);
    assert_int_equal(asked, 1);
    assert_int_equal(client.why, WIRE_HANDSHAKE);
    assert_int_equal(client.opens, 0);
    assert_int_equal(server.why, WIRE_HANDSHAKE);
    assert_int_equal(server.opens, 0);
    end_owner(&server);
    end_owner(&client);
}

WIRE_TEST(a_refused_connection_is_reported)
{
    struct sockaddr_in address;
    int listener = listen_on_loopback(&address);
    int fd = socket(AF_INET, SOCK_STREAM, 0), asked = 0;
    struct owner client = {0};

    close(listener);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    (void)!connect(fd, (struct sockaddr *)&address, sizeof address);
    client.wire = wire_connect(world.hub, world.client_ctx, fd, "localhost", judge_no,
                               &asked, &owner_calls, &client);
    ENDS(&client, WIRE_REFUSED);
    assert_string_equal(client.detail, strerror(ECONNREFUSED));
    end_owner(&client);
}

/* A dual-stack socket reports the peer as ::ffff:127.0.0.1. */
WIRE_TEST(an_ipv4_peer_of_an_ipv6_socket_is_written_as_ipv4)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET6, SOCK_STREAM, 0), off = 0, fd;
    socklen_t size = sizeof any;

    if (listener < 0 ||
        setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0 ||
        bind(listener, (struct sockaddr *)&any, size) != 0)
        skip(); /* a machine without IPv6 */
    assert_int_equal(listen(listener, 5), 0);
    getsockname(listener, (struct sockaddr *)&any, &size);
    here.sin_port = any.sin6_port;
    fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&here, sizeof here), 0);
    accept_wire(&server, accept(listener, NULL, NULL));
    assert_string_equal(wire_peer_address(server.wire), "127.0.0.1");
    close(fd);
    close(listener);
}

/* The queue of the listener is full, so the kernel gets no answer and keeps trying to
 * connect. */
WIRE_TEST(a_connect_that_hangs_has_an_end)
{
    enum { CALLERS = 8 };
    struct sockaddr_in address;
    int listener = listen_on_loopback(&address), fds[CALLERS], asked = 0;
    struct owner client = {0};

    world.limits.handshake_ms = 60;
    limit_hub();
    assert_int_equal(listen(listener, 0), 0);
    for (int i = 0; i < CALLERS; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
        (void)!connect(fds[i], (struct sockaddr *)&address, sizeof address);
    }
    client.wire = wire_connect(world.hub, world.client_ctx, fds[CALLERS - 1],
                               "localhost", judge_no, &asked, &owner_calls, &client);
    owner_send(&client, "login hong\n");
    ENDS_AFTER_MS(60, &client, WIRE_NO_CONNECT);
    assert_string_equal(client.detail, "no answer");
    for (int i = 0; i < CALLERS - 1; i++)
        close(fds[i]);
    close(listener);
    end_owner(&client);
}

/* --- How lines are cut --- */

/* Makes a text of `len` bytes. Its lines have all lengths from 0 to 120. */
static char *make_lines(size_t len)
{
    char *text = mem_new(len + 1);
    size_t line = 0, column = 0;

    for (size_t i = 0; i < len; i++) {
        bool is_end = column == line % 121 || i == len - 1;

        text[i] = is_end ? '\n' : (char)('a' + (int)(i % 26));
        column = is_end ? 0 : column + 1;
        line += is_end;
    }
    return text;
}

WIRE_TEST(a_record_may_be_split_anywhere)
{
    enum { LEN = 16000, STEP = 61 };
    char *text = make_lines(LEN);

    open_raw(&server, &raw);
    for (size_t at = 1; at < LEN; at += STEP) {
        raw_write(&raw, text, at);
        raw_write(&raw, text + at, LEN - at);
        TURN_UNTIL(, server.said_len >= LEN);
        assert_int_equal(server.said_len, LEN);
        assert_memory_equal(server.said, text, LEN);
        owner_forget(&(struct owner){.said = server.said});
        server.said = NULL;
        server.said_len = 0;
    }
    assert_int_equal(server.bad_lines, 0);
    free(text);
}

WIRE_TEST(records_may_be_of_one_byte)
{
    enum { LEN = 1500 };
    char *text = make_lines(LEN);

    open_raw(&server, &raw);
    for (size_t i = 0; i < LEN; i++) {
        raw_write(&raw, text + i, 1);
        if (i % 3 == 0)
            turn();
    }
    TURN_UNTIL(, server.said_len == LEN);
    assert_memory_equal(server.said, text, LEN);
    free(text);
}

/* The bytes of TLS arrive one by one, also in the handshake, so no read returns a whole
 * record. */
WIRE_TEST(tcp_may_bring_one_byte_at_a_time)
{
    struct two_fds fds = tcp_pair();
    SSL *ssl = SSL_new(world.raw_ctx);
    BIO *out = BIO_new(BIO_s_mem()), *in = BIO_new(BIO_s_mem());
    char bytes[4096], byte, heard[64] = "";
    int shaken = 0;

    server.habit = HABIT_ECHO;
    accept_wire(&server, fds.here);
    SSL_set_bio(ssl, in, out);
    SSL_set_connect_state(ssl);
    TURN_UNTIL(
        {
            ssize_t got = recv(fds.there, bytes, sizeof bytes, 0);

            if (got > 0)
                BIO_write(in, bytes, (int)got);
            ERR_clear_error();
            if (!shaken && (shaken = SSL_do_handshake(ssl) == 1))
                assert_int_equal(SSL_write(ssl, "one\ntwo\n", 8), 8);
            if (BIO_read(out, &byte, 1) == 1)
                assert_int_equal(send(fds.there, &byte, 1, 0), 1);
            ERR_clear_error();
        },
        server.lines == 2);
    assert_string_equal(server.said, "one\ntwo\n");
    TURN_UNTIL(
        {
            ssize_t got = recv(fds.there, bytes, sizeof bytes, 0);

            if (got > 0)
                BIO_write(in, bytes, (int)got);
            SSL_read(ssl, heard, sizeof heard - 1);
            ERR_clear_error();
        },
        heard[0] != '\0');
    assert_string_equal(heard, "one\ntwo\n");
    SSL_free(ssl);
    close(fds.there);
}

WIRE_TEST(lf_and_crlf_end_a_line)
{
    open_raw(&server, &raw);
    raw_say(&raw, "one\r\ntwo\n\r\n\nthr");
    TURN_UNTIL(, server.lines == 4);
    raw_say(&raw, "ee\r");
    turn_idly();
    assert_int_equal(server.lines, 4);
    raw_say(&raw, "\n");
    TURN_UNTIL(, server.lines == 5);
    assert_string_equal(server.said, "one\ntwo\n\n\nthree\n");
    assert_int_equal(server.bad_lines, 0);
}

static void send_long(struct raw *peer, size_t len, const char *end)
{
    char *line = mem_new(len + 1);

    memset(line, 'a', len);
    raw_write(peer, line, len);
    raw_say(peer, end);
    free(line);
}

WIRE_TEST(a_line_has_a_longest_length)
{
    open_raw(&server, &raw);
    wire_set_line_max(server.wire, 100);
    send_long(&raw, 100, "\n");
    send_long(&raw, 100, "\r\n");
    TURN_UNTIL(, server.lines == 2);
    assert_int_equal(server.bad_lines, 0);
    send_long(&raw, 101, "\n");
    raw_say(&raw, "good\n");
    TURN_UNTIL(, server.lines == 3);
    assert_int_equal(server.bad_lines, 1);
    assert_int_equal(server.bad_why, WIRE_LINE_TOO_LONG);
    send_long(&raw, 101, "\r\ngood\n");
    TURN_UNTIL(, server.lines == 4);
    assert_int_equal(server.bad_lines, 2);
    wire_set_line_max(server.wire, 20000);
    send_long(&raw, 20000, "\n");
    TURN_UNTIL(, server.lines == 5);
    assert_int_equal(server.bad_lines, 2);
}

/* The line is reported once, at the first byte above the limit, and skipped to its
 * end. */
WIRE_TEST(an_endless_line_is_reported_once)
{
    open_raw(&server, &raw);
    send_long(&raw, 5000, "");
    TURN_UNTIL(, server.bad_lines == 1);
    for (int i = 0; i < 10; i++)
        send_long(&raw, 5000, "");
    turn_idly();
    assert_int_equal(server.bad_lines, 1);
    raw_say(&raw, "rest of it\ngood\n");
    TURN_UNTIL(, server.lines == 1);
    assert_string_equal(server.said, "good\n");
    assert_int_equal(server.bad_lines, 1);
}

WIRE_TEST(a_line_must_be_showable)
{
    static const struct {
        const char *bytes;
        size_t len;
    } bad[] = {
        {"a\0b\n", 4},         {"a\tb\n", 4},           {"a\rb\n", 4},
        {"a\x1b[2J\n", 6},     {"\x7f\n", 2},           {"\xff\n", 2},
        {"\xc3\n", 2},         {"\xe2\x80\xae x\n", 6}, {"\xe2\x80\x8b\n", 4},
        {"\xe3\x85\xa4\n", 4},
    };

    open_raw(&server, &raw);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        raw_write(&raw, bad[i].bytes, bad[i].len);
        TURN_UNTIL(, server.bad_lines == (int)i + 1);
        assert_int_equal(server.bad_why, WIRE_BAD_TEXT);
    }
    raw_say(&raw, "good\n");
    TURN_UNTIL(, server.lines == 1);
    assert_string_equal(server.said, "good\n");
}

WIRE_TEST(without_on_bad_line_the_wire_ends)
{
    static const struct {
        const char *line;
        enum wire_why why;
    } cases[] = {
        {"a\tb\n", WIRE_BAD_TEXT},
        {"aaaaaaaaaaaaaaaa", WIRE_LINE_TOO_LONG},
        {"aaaaaaaaaaaaaaaa\n", WIRE_LINE_TOO_LONG},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        server.opens = 1; /* strict_calls does not count it */
        open_raw_with(&server, &raw, &strict_calls, 0);
        wire_set_line_max(server.wire, 10);
        raw_say(&raw, cases[i].line);
        ENDS(&server, cases[i].why);
        raw_end(&raw);
        end_owner(&server);
    }
}

/* --- Holding --- */

WIRE_TEST(a_held_wire_loses_nothing)
{
    enum { LEN = 100000 };
    char *text = make_lines(LEN);
    size_t sent = 0;

    server.habit = HABIT_HOLD;
    open_raw(&server, &raw);
    while (sent < LEN) { /* until the held wire accepts no more */
        int done;

        ERR_clear_error();
        done = SSL_write(raw.ssl, text + sent,
                         LEN - sent > 1000 ? 1000 : (int)(LEN - sent));
        if (done <= 0)
            break;
        sent += (size_t)done;
        ERR_clear_error();
        turn();
    }
    TURN_UNTIL(, server.lines == 1);
    turn_idly();
    assert_int_equal(server.lines, 1);
    while (server.said_len < LEN) {
        int before = server.lines;

        INTO_WIRE(&server, wire_hold(server.wire, false)); /* delivers no line */
        assert_int_equal(server.lines, before);
        TURN_UNTIL(
            {
                if (sent < LEN)
                    raw_write(&raw, text + sent, LEN - sent);
                sent = LEN;
            },
            server.lines > before);
        assert_int_equal(server.lines, before + 1);
    }
    assert_memory_equal(server.said, text, LEN);
    free(text);
}

WIRE_TEST(hold_and_release_within_a_line_change_nothing)
{
    enum { LEN = 40000 };
    char *text = make_lines(LEN);

    server.habit = HABIT_HOLD_TURN;
    open_raw(&server, &raw);
    raw_write(&raw, text, LEN);
    TURN_UNTIL(, server.said_len == LEN);
    assert_memory_equal(server.said, text, LEN);
    free(text);
}

/* A held wire must not wait for input. Otherwise the loop would run without a pause
 * while the socket is readable. */
WIRE_TEST(a_held_wire_does_not_keep_the_loop_busy)
{
    int turns = 0;
    int64_t until_ms;

    server.habit = HABIT_HOLD;
    open_raw(&server, &raw);
    raw_say(&raw, "one\ntwo\n");
    TURN_UNTIL(, server.lines == 1);
    raw_say(&raw, "three\n");
    turn_idly();
    stepped_clock_release();
    until_ms = mono_now_ms() + 50;
    while (mono_now_ms() < until_ms) {
        struct timeval soon = {0, 10000};

        event_base_loopexit(world.base, &soon);
        event_base_loop(world.base, EVLOOP_ONCE);
        turns++;
    }
    stepped_clock_stop();
    assert_true(turns < 20);
    assert_int_equal(server.lines, 1);
    server.habit = HABIT_NONE;
    wire_hold(server.wire, false);
    TURN_UNTIL(, server.lines == 3);
}

WIRE_TEST(lines_of_a_held_peer_that_left_are_delivered)
{
    server.habit = HABIT_HOLD;
    open_raw(&server, &raw);
    raw_say(&raw, "one\ntwo\n");
    TURN_UNTIL(, server.lines == 1);
    raw_say(&raw, "three\n");
    SSL_shutdown(raw.ssl);
    raw_end(&raw);
    turn_idly();
    assert_int_equal(server.ends, 0);
    server.habit = HABIT_NONE;
    wire_hold(server.wire, false);
    TURN_UNTIL(, server.ends == 1);
    assert_string_equal(server.said, "one\ntwo\nthree\n");
    assert_int_equal(server.why, WIRE_CLOSED_THERE);
}

WIRE_TEST(a_wire_may_be_held_before_it_is_open)
{
    struct two_fds fds = tcp_pair();

    accept_wire(&server, fds.here);
    wire_hold(server.wire, true);
    raw_start(&raw, fds.there);
    TURN_UNTIL(raw_step(&raw), raw.is_open && server.opens == 1);
    raw_say(&raw, "one\n");
    turn_idly();
    assert_int_equal(server.lines, 0);
    wire_hold(server.wire, false);
    TURN_UNTIL(, server.lines == 1);
}

/* --- Output --- */

WIRE_TEST(output_of_one_turn_is_one_record)
{
    int before;

    open_raw(&server, &raw);
    before = raw.records;
    for (int i = 0; i < 100; i++)
        owner_send(&server, "! game 3 7 move 4 blue B9-C7\n");
    assert_int_equal(wire_stuck_bytes(server.wire), 0);
    assert_int_equal(wire_unsent_bytes(server.wire), 2900);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == 2900);
    assert_int_equal(raw.records, before + 1);
    assert_int_equal(wire_unsent_bytes(server.wire), 0);
    assert_int_equal(server.drains, 0); /* nothing had to wait */
}

WIRE_TEST(a_waiting_owner_is_called_when_all_is_sent)
{
    open_raw(&server, &raw);
    owner_send(&server, "line\n");
    INTO_WIRE(&server, wire_want_drain(server.wire));
    INTO_WIRE(&server, wire_want_drain(server.wire));
    TURN_UNTIL(, server.drains > 0);
    turn_idly();
    assert_int_equal(server.drains, 1);
    INTO_WIRE(&server, wire_want_drain(server.wire)); /* with nothing queued */
    TURN_UNTIL(, server.drains == 2);
    owner_send(&server, "line\n");
    turn_idly();
    assert_int_equal(server.drains, 2);
}

/* While the peer does not read, output is stuck. When it reads, all output arrives. */
WIRE_TEST(bytes_that_stick_arrive_later)
{
    enum { LEN = 8000 };
    char *text = make_lines(LEN);
    size_t sent = 0;

    world.limits.queue_max = 1024 * 1024;
    limit_hub();
    open_raw(&server, &raw);
    for (; wire_stuck_bytes(server.wire) == 0; sent += LEN) {
        INTO_WIRE(&server, wire_send(server.wire, text, LEN));
        turn();
    }
    for (int i = 0; i < 10; i++, sent += LEN)
        INTO_WIRE(&server, wire_send(server.wire, text, LEN));
    assert_true(wire_stuck_bytes(server.wire) > 10 * LEN);
    turn_idly();
    assert_int_equal(server.drains, 0);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == sent);
    for (size_t at = 0; at < sent; at += LEN)
        assert_memory_equal(raw.heard + at, text, LEN);
    assert_int_equal(wire_stuck_bytes(server.wire), 0);
    assert_int_equal(server.drains, 1);
    free(text);
}

/* The socket accepts only a few bytes at a time. */
WIRE_TEST(bytes_may_go_out_in_small_pieces)
{
    enum { LEN = 200000 };
    char *text = make_lines(LEN);

    open_raw_with(&server, &raw, &owner_calls, 4096);
    wire_send(server.wire, text, LEN);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == LEN);
    assert_memory_equal(raw.heard, text, LEN);
    TURN_UNTIL(, server.drains == 1);
    free(text);
}

enum { LONG_ANSWER = 20000 };
static struct wire_calls wordy_calls;
static size_t unsent_most;

static void answer_at_length(void *arg, char *line, size_t len, int64_t now_ms)
{
    static char answer[LONG_ANSWER];
    struct owner *owner = arg;

    assert_in_range(wire_unsent_bytes(owner->wire), 0, world.limits.queue_max / 2);
    owner->lines++;
    memset(answer, 'a', LONG_ANSWER);
    answer[LONG_ANSWER - 1] = '\n';
    wire_send(owner->wire, answer, LONG_ANSWER);
    if (wire_unsent_bytes(owner->wire) > unsent_most)
        unsent_most = wire_unsent_bytes(owner->wire);
}

/* A peer sends short requests that have long answers, but does not read. The wire stops
 * reading requests when its queue has no room for more answers. It answers all requests
 * once the peer reads. */
WIRE_TEST(a_peer_that_does_not_read_is_not_read)
{
    enum { LINES = 100 };

    wordy_calls = owner_calls;
    wordy_calls.on_line = answer_at_length;
    unsent_most = 0;
    open_raw_with(&server, &raw, &wordy_calls, 65536);
    for (int i = 0; i < LINES; i++)
        raw_say(&raw, "games\n");
    TURN_UNTIL(, wire_stuck_bytes(server.wire) > 0);
    turn_idly();
    assert_in_range(server.lines, 1, LINES - 1);
    assert_int_equal(server.ends, 0);
    assert_in_range(unsent_most, 1, world.limits.queue_max);
    TURN_UNTIL(raw_step(&raw), raw.heard_len == (size_t)LINES * LONG_ANSWER);
    assert_int_equal(server.lines, LINES);
    assert_in_range(unsent_most, 1, world.limits.queue_max);
}

/* In one turn of the loop, an owner can queue more output than the limit, because the
 * kernel may still accept this output. But it cannot queue more than four times the
 * limit. */
WIRE_TEST(one_turn_does_not_queue_without_end)
{
    enum { LEN = 100000 };
    char *text = make_lines(LEN);
    size_t sent = 0;

    open_raw(&server, &raw);
    for (; sent + LEN <= 4 * world.limits.queue_max; sent += LEN) {
        INTO_WIRE(&server, wire_send(server.wire, text, LEN));
        assert_int_equal(wire_unsent_bytes(server.wire), sent + LEN);
    }
    INTO_WIRE(&server, wire_send(server.wire, text, LEN));
    assert_int_equal(wire_unsent_bytes(server.wire), 0);
    ENDS(&server, WIRE_TOO_SLOW);
    free(text);
}

static struct wire_calls feeding_calls;

/* Queues more output each time the output of the owner has been sent. */
static void feed_again(void *arg)
{
    struct owner *owner = arg;

    owner->drains++;
    wire_send(owner->wire, "more\n", 5);
    wire_want_drain(owner->wire);
}

WIRE_TEST(a_feed_that_never_ends_does_not_hold_the_loop)
{
    feeding_calls = owner_calls;
    feeding_calls.on_drain = feed_again;
    open_raw_with(&server, &raw, &feeding_calls, 0);
    wire_want_drain(server.wire);
    for (int i = 1; i <= 5; i++) {
        turn();
        assert_in_range(server.drains, 1, 2 * i); /* at most two calls of on_drain per
                                                   * turn, although each call asks for
                                                   * another call */
    }
    assert_in_range(server.drains, 4, 10);
}

/* --- Goodbyes --- */

WIRE_TEST(the_last_line_arrives)
{
    server.habit = HABIT_CLOSE;
    open_raw(&server, &raw);
    raw_say(&raw, "quit\nnot read\n");
    TURN_UNTIL(raw_step(&raw), raw.error != SSL_ERROR_NONE);
    assert_string_equal(raw.heard, "goodbye\n");
    assert_int_equal(raw.error, SSL_ERROR_ZERO_RETURN); /* close_notify, not a cut */
    assert_int_equal(server.lines, 1);
    assert_int_equal(server.ends, 0); /* the peer is still there */
    raw_end(&raw);
    ENDS(&server, WIRE_CLOSED_HERE);
}

/* The wire closes while much output is queued and input is unread. A plain close()
 * would then send a reset, which loses the output. */
WIRE_TEST(all_arrives_though_input_is_pending)
{
    enum { LEN = 200004 };
    char *text = make_lines(LEN);

    open_raw(&server, &raw);
    raw_say(&raw, "nobody ");
    raw_say(&raw, "reads this\n");
    wire_hold(server.wire, true);
    INTO_WIRE(&server, wire_send(server.wire, text, LEN));
    INTO_WIRE(&server, wire_close(server.wire));
    turn_idly();
    raw_say(&raw, "nor this\n");
    turn_idly();
    TURN_UNTIL(
        {
            raw_step(&raw);
            if (raw.heard_len < LEN)
                SSL_write(raw.ssl, "nor this\n", 9);
            ERR_clear_error();
        },
        raw.error != SSL_ERROR_NONE);
    assert_int_equal(raw.heard_len, LEN);
    assert_memory_equal(raw.heard, text, LEN);
    assert_int_equal(raw.error, SSL_ERROR_ZERO_RETURN);
    assert_int_equal(server.lines, 0);
    raw_end(&raw);
    ENDS(&server, WIRE_CLOSED_HERE);
    free(text);
}

WIRE_TEST(a_farewell_has_an_end)
{
    enum { LEN = 6000000 };
    char *text = make_lines(LEN);
    struct owner other = {0};
    struct raw silent;

    world.limits.farewell_ms = 100;
    world.limits.queue_max = 2 * (size_t)LEN;
    limit_hub();
    open_raw(&server, &raw);
    open_raw(&other, &silent);
    INTO_WIRE(&server, wire_send(server.wire, text, LEN)); /* the peer never reads it */
    owner_send(&other, "bye\n");                           /* this peer reads, but
                                                            * never closes */
    wire_close(server.wire);
    wire_close(other.wire);
    step_ms(99);
    assert_int_equal(server.ends + other.ends, 0);
    step_ms(1);
    assert_int_equal(server.ends, 1);
    assert_int_equal(other.ends, 1);
    assert_int_equal(server.why, WIRE_TIMEOUT);
    assert_int_equal(other.why, WIRE_CLOSED_HERE);
    free(text);
    raw_end(&raw);
    raw_end(&silent);
    end_owner(&server);
    end_owner(&other);
}

WIRE_TEST(a_farewell_may_be_hurried)
{
    world.limits.farewell_ms = 5000;
    limit_hub();
    open_raw(&server, &raw);
    wire_hurry(server.wire, 10); /* no effect while the wire is open */
    step_ms(100);
    assert_int_equal(server.ends, 0);
    owner_send(&server, "bye\n");
    wire_close(server.wire);
    wire_hurry(server.wire, 50);
    turn_idly();
    step_ms(49);
    assert_int_equal(server.ends, 0);
    step_ms(1);
    assert_int_equal(server.ends, 1);
}

/* The wire is closed when the kernel accepts no output for stuck_ms. Each time the
 * kernel accepts some, this time begins again. */
WIRE_TEST(a_peer_that_does_not_read_is_closed)
{
    enum { LEN = 12000000 };
    char *text = make_lines(LEN);
    size_t heard;

    world.limits.stuck_ms = 1000;
    world.limits.queue_max = 2 * (size_t)LEN;
    limit_hub();
    open_raw(&server, &raw);
    INTO_WIRE(&server, wire_send(server.wire, text, LEN));
    turn_idly();
    step_ms(999);
    heard = raw.heard_len;
    TURN_UNTIL(raw_step(&raw), raw.heard_len > heard);
    turn_idly();
    step_ms(999);
    assert_int_equal(server.ends, 0);
    /* Until the buffers of the kernel are full, it accepts some output at each step,
     * and the time begins again. */
    for (int i = 0; i < 100 && server.ends == 0; i++) {
        turn_idly();
        step_ms(1000);
    }
    assert_int_equal(server.ends, 1);
    assert_int_equal(server.why, WIRE_TOO_SLOW);
    free(text);
}

/* Some programs close their sending direction first, as gnutls-cli does at the end of a
 * file. */
WIRE_TEST(a_peer_that_closed_its_half_gets_its_answers)
{
    server.habit = HABIT_ECHO;
    open_raw(&server, &raw);
    raw_say(&raw, "one\ntwo\n");
    SSL_shutdown(raw.ssl);
    ERR_clear_error();
    TURN_UNTIL(raw_step(&raw), raw.error != SSL_ERROR_NONE);
    assert_string_equal(raw.heard, "one\ntwo\n");
    assert_int_equal(raw.error, SSL_ERROR_ZERO_RETURN);
    raw_end(&raw);
    ENDS(&server, WIRE_CLOSED_THERE);
}

enum going { GOING_CLEAN, GOING_FIN, GOING_RST };

static void go(struct raw *peer, enum going how)
{
    if (how == GOING_CLEAN)
        SSL_shutdown(peer->ssl);
    if (how == GOING_RST)
        raw_reset(peer);
    else
        raw_end(peer);
}

WIRE_TEST(a_server_sees_a_peer_go)
{
    static const enum wire_why expected[] = {WIRE_CLOSED_THERE, WIRE_CLOSED_THERE,
                                             WIRE_RESET};

    for (int how = GOING_CLEAN; how <= GOING_RST; how++) {
        open_raw(&server, &raw);
        raw_say(&raw, "last words\nhalf a li");
        TURN_UNTIL(, server.lines == 1);
        go(&raw, (enum going)how);
        ENDS(&server, expected[how]);
        assert_string_equal(server.said, "last words\n"); /* half a line is not
                                                           * delivered */
        end_owner(&server);
    }
}

WIRE_TEST(a_client_sees_its_server_go)
{
    static const enum wire_why expected[] = {WIRE_CLOSED_THERE, WIRE_CUT_OFF,
                                             WIRE_RESET};

    for (int how = GOING_CLEAN; how <= GOING_RST; how++) {
        struct owner client = {0};
        struct two_fds fds = tcp_pair();

        raw = (struct raw){.fd = fds.here, .ssl = SSL_new(world.server_ctx)};
        fcntl(fds.here, F_SETFL, O_NONBLOCK);
        SSL_set_fd(raw.ssl, fds.here);
        SSL_set_accept_state(raw.ssl);
        client.wire = wire_connect(world.hub, world.client_ctx, fds.there, "localhost",
                                   judge_by_key, NULL, &owner_calls, &client);
        TURN_UNTIL(raw_step(&raw), raw.is_open && client.opens == 1);
        raw_say(&raw, "OK move\nhalf");
        TURN_UNTIL(, client.lines == 1);
        go(&raw, (enum going)how);
        ENDS(&client, expected[how]);
        if (how == GOING_FIN)
            assert_string_equal(client.detail, "connection lost");
        end_owner(&client);
    }
}

WIRE_TEST(a_peer_may_go_during_the_handshake)
{
    struct two_fds fds = tcp_pair();

    accept_wire(&server, fds.here);
    assert_int_equal(send(fds.there, "\x16\x03\x01", 3, 0), 3);
    turn();
    close(fds.there);
    ENDS(&server, WIRE_HANDSHAKE);
    assert_int_equal(server.opens, 0);
}

WIRE_TEST(a_wire_may_be_closed_before_it_is_open)
{
    struct owner other = {0};
    struct two_fds fds = tcp_pair(), more = tcp_pair();

    accept_wire(&other, more.here);
    INTO_WIRE(&other, wire_close(other.wire)); /* no output is queued */
    ENDS(&other, WIRE_CLOSED_HERE);
    accept_wire(&server, fds.here);
    owner_send(&server, "ERR full retry=5\n");
    INTO_WIRE(&server, wire_close(server.wire)); /* closes when that line is sent */
    owner_send(&server, "not this\n");
    raw_start(&raw, fds.there);
    TURN_UNTIL(raw_step(&raw), raw.error != SSL_ERROR_NONE);
    assert_string_equal(raw.heard, "ERR full retry=5\n");
    assert_int_equal(raw.error, SSL_ERROR_ZERO_RETURN);
    raw_end(&raw);
    TURN_UNTIL(, server.ends == 1);
    assert_int_equal(server.opens, 0);
    assert_int_equal(server.why, WIRE_CLOSED_HERE);
    close(more.there);
    end_owner(&server);
    end_owner(&other);
}

WIRE_TEST(a_wire_may_be_dropped_within_a_line)
{
    server.habit = HABIT_DROP;
    open_raw(&server, &raw);
    raw_say(&raw, "one\ntwo\nthree\n");
    TURN_UNTIL(, server.ends == 1);
    assert_int_equal(server.lines, 1);
    assert_int_equal(server.why, WIRE_FLOOD); /* the first reason is kept */
}

WIRE_TEST(a_thousand_connections_leave_no_descriptor)
{
    int before = count_fds();

    for (int i = 0; i < 1000; i++) {
        struct owner client = {0};

        server.habit = i % 2 ? HABIT_ECHO : HABIT_CLOSE;
        open_pair(&server, &client);
        owner_send(&client, "ping\n");
        TURN_UNTIL(, client.lines == 1);
        if (client.wire == NULL)
            assert_int_equal(client.why, WIRE_CLOSED_THERE);
        else if (i % 3 == 0)
            wire_drop(client.wire, WIRE_CLOSED_HERE);
        else if (i % 2)
            wire_close(client.wire);
        TURN_UNTIL(, server.ends == 1 && client.ends == 1);
        end_owner(&server);
        end_owner(&client);
    }
    assert_int_equal(wire_hub_count(world.hub), 0);
    assert_int_equal(count_fds(), before);
}

WIRE_TEST(every_why_has_a_name)
{
    for (int why = WIRE_CLOSED_HERE; why <= WIRE_TOO_SLOW; why++)
        assert_true(strlen(wire_why_name((enum wire_why)why)) > 3);
    assert_string_equal(wire_why_name(WIRE_TOO_SLOW), "too-slow");
}

UNIT_MAIN(world_begin, world_end)
