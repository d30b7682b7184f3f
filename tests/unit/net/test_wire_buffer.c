/* common/net/wire_buffer: a queue of bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/net/wire_buffer.h"

static void takes(struct wire_buffer *buffer, const char *bytes, size_t len)
{
    assert_true(len <= buffer->len);
    assert_memory_equal(wire_buffer_head(buffer), bytes, len);
    wire_buffer_take(buffer, len);
}

/* The free space at the end is too small: the rest moves to the front, even one
 * byte. */
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

/* Adds and removes at random, compared with an array that keeps everything. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remaining_bytes_move_to_the_front),
        cmocka_unit_test(bytes_leave_in_the_order_in_which_they_came),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
