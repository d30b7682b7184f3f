/* Tests of output that waits for its commit (gate.h): when a wire lets it go, in which
 * order, and what becomes of it when the wire ends. */
#include "tests/unit/net/wire_world.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static struct gate gate;

static int gate_begin(void **state)
{
    hub_begin(state);
    gate_init(&gate);
    wire_hub_set_gate(world.hub, &gate);
    return 0;
}

static void limit_hub_with_gate(void)
{
    limit_hub();
    wire_hub_set_gate(world.hub, &gate);
}

/* All rows up to `stamp` are on disk. */
static void reach(uint64_t stamp)
{
    gate.durable = stamp;
    atomic_store(&gate.synced, stamp);
    wire_release(world.hub);
}

static void send_after(struct owner *owner, const char *text, uint64_t stamp)
{
    INTO_WIRE(owner, wire_send_after(owner->wire, text, strlen(text), stamp));
}

/* Waits until the peer has heard so much as `text`. It must have heard `text`, and then
 * nothing more. */
static void hears(struct raw *peer, const char *text)
{
    TURN_UNTIL(raw_step(peer), peer->heard_len >= strlen(text));
    for (int i = 0; i < 20; i++) {
        turn();
        raw_step(peer);
    }
    assert_string_equal(peer->heard != NULL ? peer->heard : "", text);
}

static void end_both(struct owner *owner, struct raw *peer)
{
    raw_end(peer);
    end_owner(owner);
}

#define TEST(name) UNIT_TEST_WITH(name, gate_begin, hub_end)

/* --- Lines --- */

TEST(a_line_waits_for_its_row)
{
    open_raw(&server, &raw);
    reach(5);
    send_after(&server, "old\n", 5);
    send_after(&server, "new\n", 7);
    hears(&raw, "old\n");
    assert_int_equal(wire_unsent_bytes(server.wire), 4);
    assert_int_equal(wire_stuck_bytes(server.wire), 0);
    reach(6);
    hears(&raw, "old\n");
    /* the hub does not look at this by itself */
    gate.durable = 7;
    gate.synced = 7;
    hears(&raw, "old\n");
    wire_release(world.hub);
    hears(&raw, "old\nnew\n");
    assert_int_equal(wire_unsent_bytes(server.wire), 0);
}

TEST(a_line_without_a_stamp_waits_for_the_newest_row)
{
    open_raw(&server, &raw);
    assert_int_equal(gate_queue(&gate), 2);
    owner_send(&server, "new\n");
    hears(&raw, "");
    gate_narrow(&gate, GATE_FREE);
    owner_send(&server, "free\n");
    hears(&raw, "free\n");
    assert_int_equal(gate_queue(&gate), 3); /* widens */
    owner_send(&server, "newer\n");
    reach(2);
    hears(&raw, "free\nnew\n");
    reach(3);
    hears(&raw, "free\nnew\nnewer\n");
}

TEST(a_line_may_wait_before_the_wire_is_open)
{
    struct two_fds fds = tcp_pair();

    accept_wire(&server, fds.here);
    send_after(&server, "free\n", GATE_FREE);
    send_after(&server, "one\n", 2);
    send_after(&server, "two\n", 3);
    reach(2);
    raw_start(&raw, fds.there);
    hears(&raw, "free\none\n");
    reach(3);
    hears(&raw, "free\none\ntwo\n");
}

TEST(an_owner_is_called_when_nothing_waits_any_more)
{
    open_raw(&server, &raw);
    wire_want_drain(server.wire);
    send_after(&server, "one\n", 2);
    hears(&raw, "");
    assert_int_equal(server.drains, 0);
    reach(2);
    hears(&raw, "one\n");
    assert_int_equal(server.drains, 1);
}

TEST(only_a_free_line_overtakes)
{
    open_raw(&server, &raw);
    send_after(&server, "one\ntwo\n", 2);
    send_after(&server, "in order\n", GATE_IN_ORDER);
    send_after(&server, "free\n", GATE_FREE);
    send_after(&server, "more\n", GATE_FREE);
    send_after(&server, "late\n", 2);
    hears(&raw, "free\nmore\n");
    reach(2);
    hears(&raw, "free\nmore\none\ntwo\nin order\nlate\n");
}

/* Part of a long line is sent, and the rest is stuck, when a free line comes. */
TEST(a_free_line_overtakes_between_lines_only)
{
    enum { LONG = 60000 };
    char *line = mem_new(LONG + 16);

    memset(line, 'x', LONG - 1);
    line[LONG - 1] = '\n';
    world.limits.queue_max = 2 * (size_t)LONG;
    limit_hub_with_gate();
    open_raw_with(&server, &raw, &owner_calls, 4096);
    send_after(&server, line, 2);
    send_after(&server, "one\n", 3);
    reach(2);
    turn_idly();
    assert_in_range(wire_stuck_bytes(server.wire), 1, LONG - 1);
    send_after(&server, "free\n", GATE_FREE);
    strcat(line, "free\n");
    hears(&raw, line);
    reach(3);
    strcat(line, "one\n");
    hears(&raw, line);
    free(line);
}

static bool has_heard(const struct raw *peer, const char *line)
{
    return peer->heard != NULL && strstr(peer->heard, line) != NULL;
}

/* A wire may keep a line back for longer than its row needs, but sends none early. */
TEST(no_line_of_three_is_sent_before_its_row)
{
    open_raw(&server, &raw);
    send_after(&server, "two\n", 2);
    send_after(&server, "three\n", 3);
    send_after(&server, "four\n", 4);
    hears(&raw, "");
    reach(2);
    hears(&raw, "two\n");
    reach(3);
    TURN_UNTIL(raw_step(&raw), has_heard(&raw, "two\n"));
    turn_idly();
    raw_step(&raw);
    assert_false(has_heard(&raw, "four"));
    reach(4);
    hears(&raw, "two\nthree\nfour\n");
}

TEST(a_line_waits_behind_those_of_later_rows)
{
    open_raw(&server, &raw);
    send_after(&server, "five\n", 5);
    send_after(&server, "two\n", 2);
    send_after(&server, "six\n", 6);
    send_after(&server, "three\n", 3);
    reach(4);
    hears(&raw, "");
    reach(5);
    hears(&raw, "five\ntwo\n");
    reach(9);
    hears(&raw, "five\ntwo\nsix\nthree\n");
}

TEST(each_wire_waits_for_itself)
{
    struct owner servers[3] = {0};
    struct raw raws[3];

    for (int i = 0; i < 3; i++)
        open_raw(&servers[i], &raws[i]);
    for (int i = 0; i < 3; i++)
        send_after(&servers[i], "line\n", 2 + (uint64_t)i);
    reach(3);
    for (int i = 0; i < 3; i++)
        hears(&raws[i], i < 2 ? "line\n" : "");
    end_both(&servers[2], &raws[2]); /* its output still waits */
    reach(4);
    for (int i = 0; i < 2; i++)
        end_both(&servers[i], &raws[i]);
}

TEST(too_much_that_waits_ends_the_wire)
{
    enum { MAX = 1000, TIMES = 4 }; /* see queue_max in wire.h */
    char line[100];

    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    world.limits.queue_max = MAX;
    limit_hub_with_gate();
    open_raw(&server, &raw);
    for (size_t sent = 0; sent < TIMES * MAX; sent += sizeof line)
        INTO_WIRE(&server, wire_send_after(server.wire, line, sizeof line, 2));
    hears(&raw, "");
    assert_int_equal(server.ends, 0);
    send_after(&server, "free\n", GATE_FREE);
    TURN_UNTIL(raw_step(&raw), server.ends == 1);
    assert_int_equal(server.why, WIRE_TOO_SLOW);
    assert_int_equal(raw.heard_len, 0);
    reach(2); /* the wire is not in the hub's list any more */
}

/* --- Frames --- */

static void open_framed(struct owner *owner, struct raw *peer)
{
    open_raw(owner, peer);
    wire_set_framed(owner->wire);
}

TEST(a_free_line_overtakes_whole_frames)
{
    open_framed(&server, &raw);
    send_after(&server, "one\ntwo\n", 2);
    send_after(&server, "four\n", 4);
    send_after(&server, "free\nmore\n", GATE_FREE);
    hears(&raw, "\x81\x04"
                "free\x81\x04more");
    reach(2);
    send_after(&server, "last\n", GATE_FREE);
    hears(&raw, "\x81\x04"
                "free\x81\x04more\x81\x03one\x81\x03two\x81\x04last");
    reach(4);
    hears(&raw, "\x81\x04"
                "free\x81\x04more\x81\x03one\x81\x03two\x81\x04last\x81\x04"
                "four");
}

TEST(a_pong_lets_no_waiting_line_out)
{
    static const char ping[] = "\x89\x81\0\0\0\0p";

    open_framed(&server, &raw);
    send_after(&server, "one\n", 2);
    raw_write(&raw, ping, sizeof ping - 1);
    TURN_UNTIL(raw_step(&raw), wire_unsent_bytes(server.wire) == 5 + 3);
    hears(&raw, "");
    reach(2);
    hears(&raw, "\x81\x03one\x8a\x01p");
    raw_write(&raw, ping, sizeof ping - 1);
    hears(&raw, "\x81\x03one\x8a\x01p\x8a\x01p");
}

TEST(a_close_frame_lets_no_waiting_line_out)
{
    static const char bye[] = "\x88\x82\0\0\0\0\x03\xe8";

    for (int is_peers = 0; is_peers < 2; is_peers++) {
        reach(GATE_IN_ORDER);
        open_framed(&server, &raw);
        send_after(&server, "one\n", 2);
        send_after(&server, "two\n", 3);
        if (is_peers)
            raw_write(&raw, bye, sizeof bye - 1);
        else
            wire_close(server.wire);
        hears(&raw, "");
        reach(2);
        hears(&raw, "\x81\x03one");
        reach(3);
        hears(&raw, "\x81\x03one\x81\x03two\x88\x02\x03\xe8");
        raw_end(&raw);
        ENDS(&server, is_peers ? WIRE_CLOSED_THERE : WIRE_CLOSED_HERE);
        end_owner(&server);
    }
}

/* --- Ends --- */

TEST(a_closing_wire_sends_what_waits)
{
    open_raw(&server, &raw);
    send_after(&server, "one\n", 2);
    wire_close(server.wire);
    send_after(&server, "too late\n", GATE_FREE);
    hears(&raw, "");
    assert_int_equal(raw.error, SSL_ERROR_NONE);
    reach(2);
    hears(&raw, "one\n");
    assert_int_equal(raw.error, SSL_ERROR_ZERO_RETURN);
    raw_end(&raw);
    ENDS(&server, WIRE_CLOSED_HERE);
}

TEST(a_farewell_does_not_wait_for_ever)
{
    open_raw(&server, &raw);
    send_after(&server, "one\n", 2);
    wire_close(server.wire);
    ENDS_AFTER_MS(world.limits.farewell_ms, &server, WIRE_TIMEOUT);
    reach(2);
    hears(&raw, "");
}

TEST(without_its_gate_what_waits_is_dropped)
{
    struct owner servers[2] = {0};
    struct raw raws[2];

    for (int i = 0; i < 2; i++)
        open_raw(&servers[i], &raws[i]);
    send_after(&servers[0], "two\n", 2);
    send_after(&servers[0], "three\n", 3);
    send_after(&servers[1], "two\n", 2);
    reach(2);
    wire_hub_set_gate(world.hub, NULL);
    for (int i = 0; i < 2; i++) {
        send_after(&servers[i], "nine\n", 9);
        hears(&raws[i], "two\nnine\n");
    }
    for (int i = 0; i < 2; i++)
        end_both(&servers[i], &raws[i]);
}

/* --- The witness --- */

/* Releases the wires in a child, and returns its status as waitpid() does. */
static int release_in_child(uint64_t durable, uint64_t synced)
{
    const struct rlimit no_core = {0};
    int status;
    pid_t child = fork();

    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_CORE, &no_core);
        close(STDERR_FILENO);
        gate.durable = durable;
        atomic_store(&gate.synced, synced);
        wire_release(world.hub);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST(no_line_goes_before_the_thread_has_synced_its_row)
{
    int status = release_in_child(5, 4);

    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_int_equal(release_in_child(5, 5), 0);
    assert_int_equal(release_in_child(5, 6), 0);
}

/* --- Anything --- */

enum { TALKS = 8, LINES = 400, STEPS = 12000, STUFFING = 6000 };

/* A wire and its peer. Each line is its number, its stamp, and stuffing. */
struct talk {
    struct owner owner;
    struct raw raw;
    bool is_framed, is_deaf; /* is_deaf: the peer does not read */
    int said, heard;
    uint64_t stamp[LINES];
    bool has_come[LINES];
    int last_free, last_other; /* the last line that came with GATE_FREE, and the last
                                * one without */
    uint64_t highest;          /* of the stamps so far */
    size_t read_to;            /* how much of raw.heard is checked */
};

static void open_talk(struct talk *talk, bool is_framed)
{
    *talk = (struct talk){.is_framed = is_framed, .last_free = -1, .last_other = -1};
    open_raw_with(&talk->owner, &talk->raw, &owner_calls, 4096);
    if (is_framed)
        wire_set_framed(talk->owner.wire);
}

static void say_anything(struct talk *talk)
{
    char line[STUFFING + 64];
    size_t len = throw_die(20) == 0 ? throw_die(STUFFING) : throw_die(30);
    uint64_t stamp = throw_die(3) == 0 ? GATE_FREE : gate.durable - 1 + throw_die(6);
    int head;

    if (talk->said == LINES || wire_unsent_bytes(talk->owner.wire) > 100000)
        return;
    if (stamp > talk->highest)
        talk->highest = stamp;
    head = snprintf(line, 64, "%d %d ", talk->said, (int)stamp);
    memset(line + head, 'x', len);
    line[(size_t)head + len] = '\n';
    talk->stamp[talk->said++] = stamp;
    INTO_WIRE(&talk->owner,
              wire_send_after(talk->owner.wire, line, (size_t)head + len + 1, stamp));
}

/* Finds the next whole line that has come and is not checked. NULL: there is none. */
static const char *next_line(struct talk *talk)
{
    size_t left = talk->raw.heard_len - talk->read_to, from = 2, len;
    const unsigned char *head, *end;

    if (left == 0)
        return NULL;
    head = (unsigned char *)talk->raw.heard + talk->read_to;
    if (!talk->is_framed) {
        end = memchr(head, '\n', left);
        if (end == NULL)
            return NULL;
        talk->read_to += (size_t)(end - head) + 1;
        return (const char *)head;
    }
    if (left < 4)
        return NULL;
    assert_int_equal(head[0], 0x81);
    len = head[1];
    if (len == 126) {
        len = (size_t)head[2] << 8 | head[3];
        from = 4;
    }
    if (left < from + len)
        return NULL;
    talk->read_to += from + len;
    return (const char *)head + from;
}

static void check_heard(struct talk *talk)
{
    const char *line;

    while ((line = next_line(talk)) != NULL) {
        int number = atoi(line);
        uint64_t stamp = (uint64_t)atoi(strchr(line, ' '));
        int *last = stamp == GATE_FREE ? &talk->last_free : &talk->last_other;

        assert_in_range(number, 0, talk->said - 1);
        assert_int_equal(stamp, talk->stamp[number]);
        assert_true(stamp <= gate.durable);
        assert_true(number > *last);
        assert_false(talk->has_come[number]);
        *last = number;
        talk->has_come[number] = true;
        talk->heard++;
    }
}

/* True when all has come that can come now: every free line, and all lines if none has
 * to wait. */
static bool has_all_come(struct talk *talk)
{
    raw_step(&talk->raw);
    check_heard(talk);
    for (int i = 0; i < talk->said; i++)
        if (!talk->has_come[i] &&
            (talk->stamp[i] == GATE_FREE || talk->highest <= gate.durable))
            return false;
    return true;
}

static void check_all_heard(struct talk *talk)
{
    TURN_UNTIL(, has_all_come(talk));
}

static void act(struct talk *talk)
{
    unsigned die = throw_die(100);

    if (die < 40) {
        say_anything(talk);
    } else if (die < 42) {
        talk->is_deaf = !talk->is_deaf;
    } else if (die < 45) {
        check_all_heard(talk);
    } else if (!talk->is_deaf) {
        raw_step(&talk->raw);
        check_heard(talk);
    }
}

TEST(lines_come_in_order_and_never_early)
{
    static struct talk talks[TALKS];
    int said = 0;

    seed_die();
    for (int i = 0; i < TALKS; i++)
        open_talk(&talks[i], i % 2 == 1);
    for (int i = 0; i < STEPS; i++) {
        act(&talks[throw_die(TALKS)]);
        if (throw_die(3) == 0)
            turn();
        if (throw_die(20) == 0)
            reach(gate.durable + 1 + throw_die(3));
    }
    reach(gate.durable + 5);
    for (int i = 0; i < TALKS; i++) {
        check_all_heard(&talks[i]);
        assert_int_equal(talks[i].heard, talks[i].said);
        said += talks[i].said;
        end_both(&talks[i].owner, &talks[i].raw);
    }
    assert_true(said > TALKS * LINES / 2);
}

UNIT_MAIN(world_begin, world_end)
