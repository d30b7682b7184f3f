/* Tests of common/base/address: a host and a port in one text, and who can reach the
 * host. */
#include <stdint.h>
#include <string.h>

#include "common/base/address.h"
#include "tests/unit/unit.h"

UNIT_TEST(good_texts_are_split)
{
    static const struct {
        const char *text, *host, *port;
    } rows[] = {
        {"h", "h", NULL},          {"h:9", "h", "9"},
        {":9032", "", "9032"},     {"", "", NULL},
        {"::1", "::1", NULL},      {"[::1]", "::1", NULL},
        {"[::1]:77", "::1", "77"}, {"[h]:77", "h", "77"},
        {"h:", "h", ""},           {"[fe80::1%eth0]:1", "fe80::1%eth0", "1"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct address split;

        assert_true(address_split(rows[i].text, strlen(rows[i].text), &split));
        assert_int_equal(split.host_len, strlen(rows[i].host));
        assert_memory_equal(split.host, rows[i].host, split.host_len);
        assert_int_equal(split.port == NULL, rows[i].port == NULL);
        if (split.port == NULL)
            continue;
        assert_int_equal(split.port_len, strlen(rows[i].port));
        assert_memory_equal(split.port, rows[i].port, split.port_len);
    }
}

UNIT_TEST(only_the_given_length_is_read)
{
    struct address split;

    assert_true(address_split("host:12/join", 7, &split));
    assert_int_equal(split.host_len, 4);
    assert_int_equal(split.port_len, 2);
    assert_true(address_split("h:1:2", 3, &split));
    assert_int_equal(split.host_len, 1);
}

UNIT_TEST(bad_brackets_are_refused)
{
    static const char *const rows[] = {"[::1", "[", "[::1]9", "[::1]x:9"};
    struct address split;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_false(address_split(rows[i], strlen(rows[i]), &split));
}

UNIT_TEST(a_port_is_a_number_in_its_bounds)
{
    static const struct {
        const char *text;
        int least, port; /* -1: refused */
    } rows[] = {
        {"h:0", 0, 0},      {"h:0", 1, -1},         {"h:65535", 1, 65535},
        {"h:65536", 1, -1}, {"h:", 0, -1},          {"h:9x", 0, -1},
        {"h:-1", 0, -1},    {"h:123456789", 0, -1}, {"h:-0", 0, -1},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct address split;
        int port = -1;

        assert_true(address_split(rows[i].text, strlen(rows[i].text), &split));
        assert_int_equal(address_parse_port(&split, rows[i].least, &port),
                         rows[i].port >= 0);
        assert_int_equal(port, rows[i].port);
    }
}

UNIT_TEST(addresses_are_told_apart)
{
    static const struct {
        const char *host;
        bool is_loopback, is_private;
    } rows[] = {
        {"127.0.0.1", true, false},
        {"127.8.9.10", true, false},
        {"::1", true, false},
        {"::ffff:127.0.0.1", true, false},
        {"LocalHost", true, false},
        {"128.0.0.1", false, false},
        {"10.0.0.1", false, true},
        {"172.16.0.1", false, true},
        {"172.31.255.1", false, true},
        {"172.32.0.1", false, false},
        {"192.168.1.1", false, true},
        {"::ffff:192.168.1.1", false, true},
        {"169.254.1.1", false, true},
        {"fd12::1", false, true},
        {"fe80::1", false, true},
        {"fec0::1", false, false},
        {"2001:db8::1", false, false},
        {"10.example", false, false},
        {"", false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_so(address_is_loopback(rows[i].host) == rows[i].is_loopback &&
                      address_is_private(rows[i].host) == rows[i].is_private,
                  "\"%s\"", rows[i].host);
    }
}

UNIT_MAIN(NULL, NULL)
