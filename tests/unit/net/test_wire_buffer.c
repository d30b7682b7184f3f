/* Tests of common/net/wire_buffer: a queue of bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/base.h"
#include "common/net/wire_buffer.h"
#include "tests/unit/unit.h"

static void takes(struct wire_buffer *buffer, const char *bytes, size_t len)
{
    assert_true(len <= buffer->len);
    assert_memory_equal(wire_buffer_head(buffer), bytes, len);
    wire_buffer_take(buffer, len);
}

/* When the free space at the end is too small, the remaining bytes move to the front,
 * even if only one remains. */
UNIT_TEST(remaining_bytes_move_to_the_front)
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
UNIT_TEST(bytes_leave_in_the_order_in_which_they_came)
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

UNIT_TEST(bytes_are_inserted_at_any_place)
{
    struct wire_buffer buffer = {0};
    char many[1000];

    wire_buffer_insert(&buffer, 0, "ef", 2);
    wire_buffer_insert(&buffer, 0, "ab", 2);
    wire_buffer_insert(&buffer, 2, "cd", 2);
    wire_buffer_insert(&buffer, 6, "gh", 2);
    wire_buffer_insert(&buffer, 3, "", 0);
    assert_int_equal(buffer.len, 8);
    takes(&buffer, "abc", 3); /* now the first byte is not at the front of the memory */
    wire_buffer_insert(&buffer, 0, "12", 2);
    wire_buffer_insert(&buffer, 4, "34", 2);
    wire_buffer_insert(&buffer, buffer.len, "56", 2);
    assert_int_equal(buffer.len, 11);
    takes(&buffer, "12de34f", 7);
    memset(many, 'x', sizeof many);
    wire_buffer_insert(&buffer, 1, many, sizeof many); /* needs more memory */
    takes(&buffer, "g", 1);
    takes(&buffer, many, sizeof many);
    takes(&buffer, "h56", 3);
    assert_int_equal(buffer.len, 0);
    wire_buffer_clear(&buffer);
}

/* The memory is full, but has room at the front. */
UNIT_TEST(an_insertion_uses_the_room_at_the_front)
{
    struct wire_buffer buffer = {0};
    char bytes[1000];

    memset(bytes, 'x', sizeof bytes);
    wire_buffer_add(&buffer, "a", 1);
    wire_buffer_add(&buffer, bytes, buffer.size - 4);
    wire_buffer_add(&buffer, "xbc", 3);
    assert_int_equal(buffer.len, buffer.size);
    wire_buffer_take(&buffer, buffer.len - 2);
    wire_buffer_insert(&buffer, 1, "0123456789", 10);
    takes(&buffer, "b0123456789c", 12);
    assert_int_equal(buffer.len, 0);
    wire_buffer_clear(&buffer);
}

UNIT_TEST(a_cleared_buffer_leaves_its_memory_to_the_next)
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

UNIT_TEST(spares_are_limited)
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

UNIT_MAIN(NULL, NULL)
