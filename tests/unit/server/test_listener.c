/* Tests of the server's listener: the addresses on which it listens, of IPv4 and IPv6,
 * and the situations in which it does not accept connections. */
#include "server/net/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "server/admission/admission.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

/* The listener of a test, and what it needs. All of it is closed after each test. */
static struct door {
    struct event_base *base;
    struct admission *admission;
    struct listener *listener;
    int accepted;
} door;

static void on_accept(void *arg, evutil_socket_t fd, struct slot *slot)
{
    door.accepted++;
    close(fd);
    admission_leave(door.admission, slot);
}

static struct admission *make_admission(void)
{
    static const struct admission_settings settings = {.connections = 8};

    return admission_new(&settings);
}

static struct listener *open_at(const char *where)
{
    struct listener_settings settings = {.listen = where};

    return listener_open(door.base, &settings, door.admission, on_accept, NULL);
}

static void open_door(const char *where)
{
    door = (struct door){.base = event_base_new(), .admission = make_admission()};
    door.listener = open_at(where);
    assert_non_null(door.listener);
}

static int close_door(void **state)
{
    listener_free(door.listener);
    admission_free(door.admission);
    event_base_free(door.base);
    stepped_clock_release();
    return 0;
}

/* True if this machine has the address. A machine without IPv6 has no ::1. */
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

static void assert_takes(const char *host)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char port[8];
    int fd, before = door.accepted;

    snprintf(port, sizeof port, "%d", listener_port(door.listener));
    assert_int_equal(getaddrinfo(host, port, &hints, &found), 0);
    fd = socket(found->ai_family, SOCK_STREAM, 0);
    assert_return_code(connect(fd, found->ai_addr, found->ai_addrlen), 0);
    while (door.accepted == before)
        assert_int_equal(event_base_loop(door.base, EVLOOP_ONCE), 0);
    close(fd);
    freeaddrinfo(found);
}

#define TEST(name) UNIT_TEST_WITH(name, NULL, close_door)

TEST(a_listener_accepts_both_families_on_one_port)
{
    open_door(":0");
    assert_true(listener_port(door.listener) > 0);
    assert_takes("127.0.0.1");
    if (has_address("::1"))
        assert_takes("::1");
}

TEST(localhost_is_both_loopbacks)
{
    open_door("localhost:0");
    assert_takes("127.0.0.1");
}

TEST(a_port_in_use_in_one_family_is_refused)
{
    char where[16];

    open_door("127.0.0.1:0");
    snprintf(where, sizeof where, ":%d", listener_port(door.listener));
    assert_null(open_at(where));
}

/* A name in DNS has at most 253 bytes; a longer one is not looked up. */
TEST(a_host_too_long_for_a_name_is_refused)
{
    char where[300];

    open_door("127.0.0.1:0");
    for (size_t len = 250; len < 260; len++) {
        memset(where, 'h', len);
        snprintf(where + len, sizeof where - len, ":%d", 9);
        assert_null(open_at(where));
    }
}

/* Connects to the listener at 127.0.0.1. The listener does not accept the connection
 * yet. */
static int knock(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port =
                                 htons((in_port_t)listener_port(door.listener))};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_return_code(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Reads one byte. Closes the connection and returns the result of read(). */
static ssize_t read_end(int fd)
{
    ssize_t got;
    char byte;

    errno = 0;
    got = read(fd, &byte, 1);
    close(fd);
    return got;
}

/* Connects, and lets the listener accept or refuse the connection. Returns the result
 * of read() at the end of the connection. */
static ssize_t end_of_connection(void)
{
    int fd = knock();

    assert_int_equal(event_base_loop(door.base, EVLOOP_ONCE), 0);
    return read_end(fd);
}

TEST(a_refusal_is_a_reset_and_a_goodbye_is_not)
{
    static const struct admission_settings nobody = {.connections = 0};

    open_door("127.0.0.1:0");
    assert_int_equal(end_of_connection(), 0);
    assert_int_equal(door.accepted, 1);
    admission_change(door.admission, &nobody);
    assert_int_equal(end_of_connection(), -1);
    assert_int_equal(errno, ECONNRESET);
    assert_int_equal(door.accepted, 1);
}

TEST(a_listener_keeps_its_address_when_closed)
{
    char expected[LISTENER_NAME_BYTES];

    open_door("127.0.0.1:0");
    snprintf(expected, sizeof expected, "127.0.0.1:%d", listener_port(door.listener));
    listener_close(door.listener);
    assert_string_equal(listener_name(door.listener), expected);
}

enum { REST_MS = 200 }; /* how long a listener rests after accept() has failed */

/* Steps the clock by `ms`, and lets the listener do what it can do now. Returns how
 * many connections it has accepted since the start of the test. */
static int accepted_after(int64_t ms)
{
    stepped_clock_step_ms(ms);
    assert_int_not_equal(event_base_loop(door.base, EVLOOP_NONBLOCK), -1);
    return door.accepted;
}

TEST(a_paused_listener_lets_callers_wait)
{
    int fd;

    stepped_clock_stop();
    open_door("127.0.0.1:0");
    listener_pause(door.listener, true);
    fd = knock();
    assert_int_equal(accepted_after(REST_MS), 0);
    listener_pause(door.listener, false);
    assert_int_equal(accepted_after(0), 1);
    assert_int_equal(read_end(fd), 0);
}

/* Lets the listener try to accept while a limit (RLIMIT_NOFILE) allows the process no
 * more descriptors. */
static void accept_without_descriptors(void)
{
    struct rlimit before, now;
    int next = dup(STDERR_FILENO);

    assert_return_code(next, errno);
    close(next);
    assert_return_code(getrlimit(RLIMIT_NOFILE, &before), errno);
    now = before;
    now.rlim_cur = (rlim_t)next;
    assert_return_code(setrlimit(RLIMIT_NOFILE, &now), errno);
    assert_int_equal(accepted_after(0), 0);
    assert_return_code(setrlimit(RLIMIT_NOFILE, &before), errno);
}

/* Makes two connections. The listener has no descriptor for the first one, and
 * rests. */
static void open_and_rest(int *first, int *second)
{
    stepped_clock_stop();
    open_door("127.0.0.1:0");
    *first = knock();
    *second = knock();
    accept_without_descriptors();
}

TEST(without_descriptors_a_listener_refuses_one_and_rests)
{
    int first, second;

    open_and_rest(&first, &second);
    assert_int_equal(read_end(first), -1);
    assert_int_equal(errno, ECONNRESET);
    assert_int_equal(accepted_after(REST_MS - 1), 0);
    assert_int_equal(accepted_after(1), 1);
    assert_int_equal(read_end(second), 0);
}

TEST(the_end_of_a_rest_does_not_end_a_pause)
{
    int first, second;

    open_and_rest(&first, &second);
    listener_pause(door.listener, true);
    assert_int_equal(accepted_after(10 * REST_MS), 0);
    listener_pause(door.listener, false);
    assert_int_equal(accepted_after(0), 1);
    close(first);
    close(second);
}

TEST(the_end_of_a_pause_does_not_end_a_rest)
{
    int first, second;

    open_and_rest(&first, &second);
    listener_pause(door.listener, true);
    listener_pause(door.listener, false);
    assert_int_equal(accepted_after(REST_MS - 1), 0);
    assert_int_equal(accepted_after(1), 1);
    close(first);
    close(second);
}

UNIT_MAIN(NULL, NULL)
