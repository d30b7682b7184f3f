/* Tests of common/net/wire_buffer: a queue of bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/base.h"
#include "common/net/wire_buffer.h"

static void takes(struct wire_buffer *buffer, const char *bytes, size_t len)
{
    assert_true(len <= buffer->len);
    assert_memory_equal(wire_buffer_head(buffer), bytes, len);
    wire_buffer_take(buffer, len);
}

/* When the free space at the end is too small, the remaining bytes move to the front,
 * even if only one remains. */
static void remaining_bytes_move_to_the_front(void **state)
{
    struct wire_buffer buffer = {0};
    char bytes[1000];

    memset(bytes, 'x', sizeof bytes);
    for (size_t left = 0; left < 4; left++) {
        wire_buffer_add(&buffer, bytes, buffer.size > 0 ? buffer.size : 240);
        takes(&buffer, bytes, buffer.len);
        wire_buffer_add(&buffer, bytes, buffer.size - left);
        wire_buffer_add(&buffer, "abc", left);
        takes(&buffer, bytes, buffer.len - left);
        wire_buffer_add(&buffer, "0123456789", 10);
        assert_int_equal(buffer.len, left + 10);
        takes(&buffer, "abc", left);
        takes(&buffer, "0123456789", 10);
        assert_int_equal(buffer.len, 0);
    }
    wire_buffer_clear(&buffer);
}

/* Adds and removes bytes at random, and compares them with an array that keeps all
 * bytes. */
static void bytes_leave_in_the_order_in_which_they_came(void **state)
{
    struct wire_buffer buffer = {0};
    static char all[1 << 18];
    size_t added = 0, taken = 0;

    srand(1);
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)rand();
    while (added < sizeof all - 700) {
        size_t len = (size_t)rand() % 700;

        wire_buffer_add(&buffer, all + added, len);
        added += len;
        assert_int_equal(buffer.len, added - taken);
        len = (size_t)rand() % (buffer.len + 1);
        takes(&buffer, all + taken, len);
        taken += len;
    }
    wire_buffer_clear(&buffer);
    assert_null(buffer.room);
}

static void a_cleared_buffer_leaves_its_memory_to_the_next(void **state)
{
    struct wire_spares spares = {0};
    struct wire_buffer first = {0}, next = {0}, large = {0};
    static const char many[1000];
    char *room;

    wire_spares_lend(&spares, &first);
    assert_null(first.room);
    wire_buffer_add(&first, "abc", 3);
    room = first.room;
    wire_spares_keep(&spares, &first);
    assert_null(first.room);
    assert_int_equal(first.len, 0);
    wire_spares_lend(&spares, &next);
    assert_ptr_equal(next.room, room);
    wire_buffer_add(&next, "defg", 4);
    takes(&next, "defg", 4);
    wire_spares_lend(&spares, &next); /* no effect: next has memory */
    assert_ptr_equal(next.room, room);
    wire_buffer_add(&large, many, sizeof many);
    wire_spares_keep(&spares, &large);
    assert_int_equal(spares.count, 0);
    wire_spares_keep(&spares, &next);
    wire_spares_clear(&spares);
}

static void spares_are_limited(void **state)
{
    static struct wire_buffer buffer[WIRE_SPARES_MAX + 3];
    struct wire_spares spares = {0};

    for (size_t i = 0; i < ARRAY_LEN(buffer); i++)
        wire_buffer_add(&buffer[i], "abc", 3);
    for (size_t i = 0; i < ARRAY_LEN(buffer); i++)
        wire_spares_keep(&spares, &buffer[i]);
    assert_int_equal(spares.count, WIRE_SPARES_MAX);
    wire_spares_clear(&spares);
    assert_int_equal(spares.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remaining_bytes_move_to_the_front),
        cmocka_unit_test(bytes_leave_in_the_order_in_which_they_came),
        cmocka_unit_test(a_cleared_buffer_leaves_its_memory_to_the_next),
        cmocka_unit_test(spares_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
