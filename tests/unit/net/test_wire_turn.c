/* Tests of common/net/wire_turn, which lets the connections of one loop take turns. */
#include "common/net/wire_turn.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "tests/unit/unit.h"

static struct wire_turn turn;
static char order[64];
static int more; /* how many more calls of catch_up() leave input for a later turn */

static void note(char letter)
{
    order[strlen(order)] = letter;
}

static void do_nothing(void *owner)
{
    (void)owner;
}

/* Takes longer than one turn allows for all connections (members) together. */
static void catch_up(void *owner)
{
    struct wire_turn_member *member = owner;
    int64_t until_us = mono_now_us() + 6000;

    note((char)('a' + (member->owner != member)));
    while (mono_now_us() < until_us)
        ;
    if (more-- > 0)
        wire_turn_set_behind(&turn, member, true);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    (void)arg;
    note('p');
}

static const struct wire_turn_calls calls = {
    .flush = do_nothing, .drain = do_nothing, .end = do_nothing, .catch_up = catch_up};

/* Each member takes long to catch up. Between two members, the loop must poll the
 * sockets. One socket is always readable, so on_readable() must run between two
 * members. */
UNIT_TEST(sockets_are_polled_while_members_catch_up)
{
    struct event_base *base = event_base_new();
    struct wire_turn_member member[3] = {0};
    struct event *readable;
    int pipes[2];

    (void)state;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(write(pipes[1], "x", 1), 1);
    readable = event_new(base, pipes[0], EV_READ | EV_PERSIST, on_readable, NULL);
    event_add(readable, NULL);
    wire_turn_init(&turn, base, &calls);
    for (int i = 0; i < 3; i++) {
        member[i].owner = &member[i];
        wire_turn_set_behind(&turn, &member[i], true);
    }
    more = 1;
    while (strlen(order) < 12)
        event_base_loop(base, EVLOOP_ONCE);
    for (const char *at = order; (at = strchr(at, 'a')) != NULL; at++)
        assert_int_not_equal(at[1], 'a');
    assert_int_equal(turn.behind_count, 0);
    wire_turn_clear(&turn);
    event_free(readable);
    event_base_free(base);
    close(pipes[0]);
    close(pipes[1]);
}

UNIT_MAIN(NULL, NULL)
