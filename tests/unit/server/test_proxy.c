/* Tests of the headers that load balancers put in front of a connection. */
#include <string.h>

#include "server/net/proxy.h"
#include "tests/unit/unit.h"

static const unsigned char v4_header[] = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a, 0x21, 0x11,
    0x00, 0x0c, 192,  0,    2,    7,    10,   0,    0,    1,    0x30, 0x39, 0x23, 0x48};

static struct prefix address(const char *text)
{
    struct prefix prefix;

    assert_true(prefix_parse(text, &prefix));
    return prefix;
}

UNIT_TEST(a_header_names_the_caller)
{
    struct prefix from = address("10.0.0.1"), caller = address("192.0.2.7");

    assert_int_equal(proxy_header_len(v4_header), sizeof v4_header);
    assert_true(proxy_read(v4_header, sizeof v4_header, &from));
    assert_true(prefix_equal(&from, &caller));
}

UNIT_TEST(an_ipv6_header_with_more_behind_it_is_read)
{
    unsigned char header[16 + 36 + 4];
    struct prefix from = address("10.0.0.1"), caller = address("2001:db8::7");

    memset(header, 0, sizeof header);
    memcpy(header, v4_header, 13);
    header[13] = 0x21;
    header[15] = 36 + 4;
    memcpy(header + 16, caller.bytes, sizeof caller.bytes);
    assert_int_equal(proxy_header_len(header), sizeof header);
    assert_true(proxy_read(header, sizeof header, &from));
    assert_true(prefix_equal(&from, &caller));
}

UNIT_TEST(a_balancer_may_speak_for_itself)
{
    unsigned char header[sizeof v4_header];
    struct prefix from = address("10.0.0.1"), own = from;

    memcpy(header, v4_header, sizeof header);
    header[12] = 0x20;
    assert_true(proxy_read(header, sizeof header, &from));
    assert_true(prefix_equal(&from, &own));
}

UNIT_TEST(an_invalid_header_is_refused)
{
    unsigned char header[sizeof v4_header];
    struct prefix from = address("10.0.0.1");

    memcpy(header, v4_header, sizeof header);
    header[0] = 0x16; /* the first byte of a TLS hello */
    assert_int_equal(proxy_header_len(header), 0);
    memcpy(header, v4_header, sizeof header);
    header[14] = 0xff; /* the header says that it is 65 KB long */
    assert_int_equal(proxy_header_len(header), 0);
    memcpy(header, v4_header, sizeof header);
    header[13] = 0x12; /* the protocol UDP, which is refused */
    assert_false(proxy_read(header, sizeof header, &from));
    memcpy(header, v4_header, sizeof header);
    assert_false(proxy_read(header, sizeof header - 1, &from)); /* one byte too short */
}

UNIT_MAIN(NULL, NULL)
