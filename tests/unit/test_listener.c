/* The door of the server: what it listens on, in both families. */
#include "server/net/listener.h"

#include <netdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <event2/event.h>

struct door {
    struct event_base *base;
    struct listener *listener;
    int accepted;
};

static void on_accept(void *arg, evutil_socket_t fd, uint32_t address, bool is_too_many)
{
    struct door *door = arg;

    assert_false(is_too_many);
    door->accepted++;
    close(fd);
    listener_release(door->listener, address);
}

static void open_door(struct door *door, const char *where)
{
    struct listener_settings settings = {.connections_max = 8, .per_address_max = 8};

    *door = (struct door){.base = event_base_new()};
    door->listener = listener_open(door->base, where, &settings, on_accept, door);
    assert_non_null(door->listener);
}

static void close_door(struct door *door)
{
    listener_free(door->listener);
    event_base_free(door->base);
}

/* A machine without IPv6 has no ::1 to test with. */
static bool has_address(const char *host)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    bool is_there;
    int fd;

    assert_int_equal(getaddrinfo(host, "0", &hints, &found), 0);
    fd = socket(found->ai_family, SOCK_STREAM, 0);
    is_there = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0;
    if (fd >= 0)
        close(fd);
    freeaddrinfo(found);
    return is_there;
}

static void assert_takes(struct door *door, const char *host)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char port[8];
    int fd, before = door->accepted;

    snprintf(port, sizeof port, "%d", listener_port(door->listener));
    assert_int_equal(getaddrinfo(host, port, &hints, &found), 0);
    fd = socket(found->ai_family, SOCK_STREAM, 0);
    assert_return_code(connect(fd, found->ai_addr, found->ai_addrlen), 0);
    while (door->accepted == before)
        assert_int_equal(event_base_loop(door->base, EVLOOP_ONCE), 0);
    close(fd);
    freeaddrinfo(found);
}

static void takes_both_families_on_one_port(void **state)
{
    struct door door;

    (void)state;
    open_door(&door, ":0");
    assert_true(listener_port(door.listener) > 0);
    assert_takes(&door, "127.0.0.1");
    if (has_address("::1"))
        assert_takes(&door, "::1");
    close_door(&door);
}

static void localhost_is_both_loopbacks(void **state)
{
    struct door door;

    (void)state;
    open_door(&door, "localhost:0");
    assert_takes(&door, "127.0.0.1");
    close_door(&door);
}

static void a_port_in_use_in_one_family_is_refused(void **state)
{
    struct listener_settings settings = {.connections_max = 8, .per_address_max = 8};
    struct door door;
    char where[16];

    (void)state;
    open_door(&door, "127.0.0.1:0");
    snprintf(where, sizeof where, ":%d", listener_port(door.listener));
    assert_null(listener_open(door.base, where, &settings, on_accept, &door));
    close_door(&door);
}

static void keeps_its_name_when_closed(void **state)
{
    struct door door;
    char name[LISTENER_NAME_BYTES], expected[LISTENER_NAME_BYTES];

    (void)state;
    open_door(&door, "127.0.0.1:0");
    snprintf(expected, sizeof expected, "127.0.0.1:%d", listener_port(door.listener));
    listener_close(door.listener);
    listener_name(door.listener, name);
    assert_string_equal(name, expected);
    close_door(&door);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_both_families_on_one_port),
        cmocka_unit_test(localhost_is_both_loopbacks),
        cmocka_unit_test(a_port_in_use_in_one_family_is_refused),
        cmocka_unit_test(keeps_its_name_when_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
