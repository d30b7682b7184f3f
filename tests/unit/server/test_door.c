/* Tests of two things that admission depends on: the headers that load balancers put in
 * front of a connection, and the stored list of sources from which somebody has logged
 * in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/admission/regulars.h"
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

static void a_header_names_the_caller(void **state)
{
    struct prefix from = address("10.0.0.1"), caller = address("192.0.2.7");

    assert_int_equal(proxy_header_len(v4_header), sizeof v4_header);
    assert_true(proxy_read(v4_header, sizeof v4_header, &from));
    assert_true(prefix_equal(&from, &caller));
}

static void an_ipv6_header_with_more_behind_it_is_read(void **state)
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

static void a_balancer_may_speak_for_itself(void **state)
{
    unsigned char header[sizeof v4_header];
    struct prefix from = address("10.0.0.1"), own = from;

    memcpy(header, v4_header, sizeof header);
    header[12] = 0x20;
    assert_true(proxy_read(header, sizeof header, &from));
    assert_true(prefix_equal(&from, &own));
}

static void an_invalid_header_is_refused(void **state)
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

/* --- Sources where somebody logged in --- */

enum { DAY_MS = REGULARS_S * 1000 };

static void a_source_is_known_for_a_day(void **state)
{
    struct regulars *regulars = regulars_new();
    struct prefix from = address("2001:db8::1"), near = address("2001:db8::2");
    struct prefix other = address("192.0.2.1");

    regulars_note(regulars, &from, 1000);
    assert_true(regulars_has(regulars, &from, 1000));
    assert_true(regulars_has(regulars, &near, 999 + DAY_MS));
    assert_false(regulars_has(regulars, &other, 1000));
    assert_false(regulars_has(regulars, &from, 1000 + DAY_MS));
    regulars_free(regulars);
}

static void the_oldest_of_too_many_is_forgotten(void **state)
{
    struct regulars *regulars = regulars_new();
    struct prefix from = address("10.0.0.0"), first = from;

    for (int i = 0; i <= REGULARS_MAX; i++) {
        from.bytes[13] = (unsigned char)(i >> 16);
        from.bytes[14] = (unsigned char)(i >> 8);
        from.bytes[15] = (unsigned char)i;
        regulars_note(regulars, &from, i);
    }
    assert_int_equal(regulars_count(regulars), REGULARS_MAX);
    assert_false(regulars_has(regulars, &first, REGULARS_MAX));
    assert_true(regulars_has(regulars, &from, REGULARS_MAX));
    regulars_free(regulars);
}

static void regulars_outlive_a_restart_without_their_addresses(void **state)
{
    char path[] = "/tmp/test_door.XXXXXX", bytes[256];
    struct regulars *regulars = regulars_new(), *again = regulars_new();
    struct prefix from = address("192.0.2.7"), old = address("192.0.2.8");
    FILE *file;
    size_t len;
    int fd = mkstemp(path);

    assert_return_code(fd, 0);
    close(fd);
    regulars_note(regulars, &old, 0);
    regulars_note(regulars, &from, 20 * 3600 * 1000);
    assert_true(regulars_save(regulars, path, 20 * 3600 * 1000, 1795000000));
    file = fopen(path, "rb");
    assert_non_null(file);
    len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(len, 16 + 2 * 16);
    for (size_t i = 0; i + 4 <= len; i++)
        assert_memory_not_equal(bytes + i, "\300\0\2\7", 4);
    regulars_load(again, path, 500, 1795000000 + 5 * 3600); /* five hours later */
    assert_true(regulars_has(again, &from, 500));
    assert_false(regulars_has(again, &old, 500));
    assert_false(regulars_has(again, &from, 500 + 19 * 3600 * 1000));
    unlink(path);
    regulars_free(regulars);
    regulars_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_names_the_caller),
        cmocka_unit_test(an_ipv6_header_with_more_behind_it_is_read),
        cmocka_unit_test(a_balancer_may_speak_for_itself),
        cmocka_unit_test(an_invalid_header_is_refused),
        cmocka_unit_test(a_source_is_known_for_a_day),
        cmocka_unit_test(the_oldest_of_too_many_is_forgotten),
        cmocka_unit_test(regulars_outlive_a_restart_without_their_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
