/* Tests many wires whose owners and peers act at random: no line is lost, doubled or
 * out of order, every wire ends once, and no descriptor leaks. */
#include "tests/unit/net/wire_world.h"

#include <signal.h>

enum { PLAYERS = 24, STEPS = 6000, LINE_BYTES = 64, STUFFING = 4000 };

/* A connection: the owner of a wire, and its peer. Each sends lines to the other, with
 * consecutive numbers and padding of varying length. */
struct player {
    struct owner owner;
    struct raw raw;
    bool is_held, is_deaf; /* the owner's wire is held; the peer does not read */
    bool is_leaving;
    int asked, answered; /* asked: lines sent by the peer; answered: lines received by
                          * the owner */
    int said, heard;     /* said: lines sent by the owner; heard: lines received by the
                          * peer */
    size_t read_to;      /* how much of raw.heard is checked */
};

static struct player players[PLAYERS];
static int games;

static size_t write_line(char line[STUFFING + LINE_BYTES], int number)
{
    size_t len = throw_die(20) == 0 ? throw_die(STUFFING) : throw_die(40);
    int head = snprintf(line, LINE_BYTES, "%d ", number);

    memset(line + head, 'x', len);
    line[(size_t)head + len] = '\n';
    return (size_t)head + len + 1;
}

static void pass_a_turn(void)
{
    stepped_clock_step_ms(1);
    turn();
}

static void say_something(struct player *player)
{
    char line[STUFFING + LINE_BYTES];
    size_t len = write_line(line, player->said);

    if (player->owner.wire == NULL || player->is_leaving)
        return;
    player->said++;
    wire_send(player->owner.wire, line, len);
}

static void do_anything(struct player *player)
{
    struct wire *wire = player->owner.wire;
    unsigned die = throw_die(200);

    if (wire == NULL)
        return;
    if (die == 0) {
        wire_close(wire);
        player->is_leaving = true;
    } else if (die == 1) {
        wire_drop(wire, WIRE_FLOOD);
        player->is_leaving = true;
    } else if (die < 30) {
        player->is_held = die < 10;
        wire_hold(wire, player->is_held);
    } else if (die < 40) {
        wire_want_drain(wire);
    } else if (die < 50) {
        for (int i = 0; i < 20; i++)
            say_something(player);
    } else if (die < 150) {
        say_something(player);
    }
}

static void on_line(void *arg, char *line, size_t len, int64_t now_ms)
{
    struct player *player = arg;

    assert_int_equal(strlen(line), len);
    assert_false(player->is_held || player->is_leaving);
    assert_int_equal(atoi(line), player->answered);
    player->answered++;
    do_anything(player);
    do_anything(&players[throw_die(PLAYERS)]); /* a wire's callback may use any wire */
}

static void on_drain(void *arg)
{
    struct player *player = arg;

    assert_false(player->is_leaving);
    do_anything(player);
}

static void on_end(void *arg, enum wire_why why, const char *detail)
{
    struct player *player = arg;

    assert_int_equal(player->owner.ends, 0);
    assert_true(player->answered <= player->asked);
    assert_true(detail[0] != '\0');
    player->owner.ends = 1;
    player->owner.why = why;
    player->owner.wire = NULL;
    do_anything(&players[throw_die(PLAYERS)]);
}

static void on_open(void *arg)
{
    do_anything(arg);
}

static const struct wire_calls calls = {
    .on_open = on_open, .on_line = on_line, .on_drain = on_drain, .on_end = on_end};

static void begin_game(struct player *player)
{
    struct two_fds fds = tcp_pair();
    int small = 4096; /* small buffers, so that output often has to wait */

    setsockopt(fds.here, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    setsockopt(fds.there, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    *player = (struct player){0};
    player->owner.wire =
        wire_accept(world.hub, world.server_ctx, fds.here, &calls, player);
    raw_start(&player->raw, fds.there);
    games++;
}

/* Checks that the received text is a prefix of the sent text. */
static void check_heard(struct player *player)
{
    struct raw *peer = &player->raw;

    while (player->read_to < peer->heard_len) {
        char *line = peer->heard + player->read_to;
        char *end = memchr(line, '\n', peer->heard_len - player->read_to);

        if (end == NULL)
            return;
        assert_int_equal(atoi(line), player->heard);
        assert_true(player->heard < player->said);
        player->heard++;
        player->read_to = (size_t)(end - peer->heard) + 1;
    }
}

/* Lets the peer send one or three lines, in one write or in pieces. If the socket is
 * full, and the wire is held or has ended, the peer stops in the middle of a line. Then
 * the peer sends nothing more. */
static void ask_something(struct player *player)
{
    char text[4 * (STUFFING + LINE_BYTES)];
    size_t len = 0, at = 0;
    int lines = throw_die(4) == 0 ? 3 : 1;

    for (int i = 0; i < lines; i++)
        len += write_line(text + len, player->asked++);
    while (at < len) {
        size_t piece = throw_die(3) == 0 ? 1 + throw_die(50) : len - at;
        int done;

        if (piece > len - at)
            piece = len - at;
        ERR_clear_error();
        done = SSL_write(player->raw.ssl, text + at, (int)piece);
        if (done <= 0 && SSL_get_error(player->raw.ssl, done) != SSL_ERROR_WANT_WRITE)
            break; /* the connection has ended */
        if (done > 0)
            at += (size_t)done;
        else if (player->owner.wire == NULL || player->is_held)
            break; /* does not send the rest of the line */
        else
            pass_a_turn();
    }
    if (at < len)
        player->raw.error = SSL_ERROR_SYSCALL;
    ERR_clear_error();
}

static void peer_acts(struct player *player)
{
    struct raw *peer = &player->raw;
    unsigned die;

    if (!player->is_deaf)
        raw_step(peer);
    check_heard(player);
    if (!peer->is_open || peer->error != SSL_ERROR_NONE)
        return;
    die = throw_die(120);
    if (die == 0) {
        SSL_shutdown(peer->ssl);
        peer->error = SSL_ERROR_ZERO_RETURN;
    } else if (die == 1) {
        raw_reset(peer);
        peer->error = SSL_ERROR_SYSCALL;
    } else if (die == 2) {
        shutdown(peer->fd, SHUT_WR);
        peer->error = SSL_ERROR_SYSCALL;
    } else if (die < 6) {
        SSL_key_update(peer->ssl, throw_die(2) ? SSL_KEY_UPDATE_REQUESTED
                                               : SSL_KEY_UPDATE_NOT_REQUESTED);
        SSL_do_handshake(peer->ssl);
    } else if (die < 9) {
        player->is_deaf = !player->is_deaf;
    } else {
        ask_something(player);
    }
    ERR_clear_error();
}

static void step(struct player *player)
{
    if (player->raw.ssl == NULL && player->owner.wire == NULL) {
        begin_game(player);
        return;
    }
    if (player->raw.ssl != NULL)
        peer_acts(player);
    do_anything(player);
    if (player->owner.wire == NULL || player->raw.error != SSL_ERROR_NONE) {
        /* Sometimes also closes the connection without close_notify. */
        if (throw_die(8) == 0 && player->raw.ssl != NULL)
            raw_end(&player->raw);
    }
}

static bool are_all_gone(void)
{
    for (int i = 0; i < PLAYERS; i++)
        if (players[i].owner.wire != NULL)
            return false;
    return true;
}

WIRE_TEST(anything_may_happen_at_any_time)
{
    int before = count_fds();

    seed_die();
    world.limits.farewell_ms = 50;
    world.limits.queue_max = 64 * 1024;
    world.limits.lines_per_turn = 3;
    world.limits.key_updates_hour_max = 1000000;
    limit_hub();
    signal(SIGPIPE, SIG_IGN); /* raw peers write to ended connections too */
    for (int i = 0; i < STEPS; i++) {
        step(&players[throw_die(PLAYERS)]);
        if (throw_die(4) == 0)
            pass_a_turn();
    }
    for (int i = 0; i < PLAYERS; i++) {
        raw_end(&players[i].raw);
        if (players[i].owner.wire != NULL)
            wire_hold(players[i].owner.wire, false);
    }
    TURN_UNTIL(
        {
            stepped_clock_step_ms(1);
            for (int i = 0; i < PLAYERS; i++)
                if (players[i].owner.wire != NULL)
                    wire_close(players[i].owner.wire);
        },
        are_all_gone());
    assert_int_equal(wire_hub_count(world.hub), 0);
    assert_int_equal(count_fds(), before);
    assert_true(games > PLAYERS); /* many connections ended and new ones began */
}

UNIT_MAIN(world_begin, world_end)
