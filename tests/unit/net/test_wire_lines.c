/* Tests of common/net/wire_lines: the ends of lines, and refused lines. */
#include <stdint.h>
#include <string.h>

#include "common/net/wire_buffer.h"
#include "common/net/wire_lines.h"
#include "tests/unit/unit.h"

enum { LINE_MAX_HERE = 8 };

struct world {
    struct wire_lines lines;
    struct wire_buffer text, out;
};

static void add(struct world *world, const char *bytes)
{
    wire_buffer_add(&world->text, bytes, strlen(bytes));
}

static void finds(struct world *world, enum wire_lines_found wanted)
{
    char *line;
    size_t len;

    assert_int_equal(
        wire_lines_take(&world->lines, &world->text, &world->out, &line, &len), wanted);
}

static void finds_line(struct world *world, const char *wanted)
{
    char *line;
    size_t len;

    assert_int_equal(
        wire_lines_take(&world->lines, &world->text, &world->out, &line, &len),
        WIRE_LINES_LINE);
    assert_string_equal(line, wanted);
    assert_int_equal(len, strlen(wanted));
}

static int open_world(void **state)
{
    static struct world world;

    world = (struct world){.lines = {.line_max = LINE_MAX_HERE}};
    *state = &world;
    return 0;
}

static int close_world(void **state)
{
    struct world *world = *state;

    wire_buffer_clear(&world->text);
    wire_buffer_clear(&world->out);
    wire_lines_clear(&world->lines);
    return 0;
}

#define TEST(name) UNIT_TEST_WITH(name, open_world, close_world)

TEST(a_line_ends_with_lf_or_crlf)
{
    struct world *world = *state;

    finds(world, WIRE_LINES_NONE);
    add(world, "one\ntwo\r\n\n\r\nfo");
    finds_line(world, "one");
    finds_line(world, "two");
    finds_line(world, "");
    finds_line(world, "");
    finds(world, WIRE_LINES_NONE);
    add(world, "ur\n");
    finds_line(world, "four");
    finds(world, WIRE_LINES_NONE);
}

TEST(the_end_does_not_count_as_length)
{
    struct world *world = *state;

    add(world, "12345678\r");
    finds(world, WIRE_LINES_NONE);
    add(world, "\n123456789\nok\n");
    finds_line(world, "12345678");
    finds(world, WIRE_LINES_TOO_LONG);
    finds_line(world, "ok");
}

/* When a line exceeds the limit, it is reported as too long. The report is not repeated
 * for the rest of the line. The rest is not kept in memory. */
TEST(a_line_without_end_is_skipped_up_to_its_end)
{
    struct world *world = *state;

    add(world, "12345678x");
    finds(world, WIRE_LINES_TOO_LONG);
    assert_true(world->lines.is_skipping);
    for (int i = 0; i < 100; i++) {
        add(world, "more and more");
        finds(world, WIRE_LINES_NONE);
        assert_int_equal(world->text.len, 0);
    }
    add(world, "end\nok\n");
    finds(world, WIRE_LINES_SKIPPED);
    assert_false(world->lines.is_skipping);
    finds_line(world, "ok");
}

TEST(text_that_cannot_be_shown_is_dropped)
{
    struct world *world = *state;

    add(world, "a\033[2J\n\377\376\nok\n");
    finds(world, WIRE_LINES_BAD_TEXT);
    finds(world, WIRE_LINES_BAD_TEXT);
    finds_line(world, "ok");
    wire_buffer_add(&world->text, "a\0b\n", 4);
    finds(world, WIRE_LINES_BAD_TEXT);
}

TEST(lines_are_sent_as_they_are)
{
    struct world *world = *state;
    struct wire_buffer out = {0};

    wire_lines_put(&world->lines, &out, "OK 1\n! end\n", 11);
    assert_int_equal(out.len, 11);
    assert_memory_equal(wire_buffer_head(&out), "OK 1\n! end\n", 11);
    wire_buffer_clear(&out);
}

/* --- Lines in frames --- */

/* Adds a masked frame; a mask of zeros leaves the text unchanged. */
static void add_frame(struct world *world, char first, const char *payload)
{
    char head[6] = {first, (char)(0x80 | strlen(payload))};

    wire_buffer_add(&world->text, head, sizeof head);
    add(world, payload);
}

static void sends(struct world *world, const char *bytes, size_t len)
{
    assert_int_equal(world->out.len, len);
    assert_memory_equal(wire_buffer_head(&world->out), bytes, len);
    wire_buffer_take(&world->out, len);
}

TEST(a_frame_is_a_line_with_or_without_its_end)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x81', "one");
    add_frame(world, '\x81', "two\n");
    add_frame(world, '\x81', "12345678\r\n");
    add_frame(world, '\x81', "");
    add_frame(world, '\x81', "a\nb");
    add_frame(world, '\x81', "a\r");
    add_frame(world, '\x81', "last");
    finds_line(world, "one");
    finds_line(world, "two");
    finds_line(world, "12345678");
    finds_line(world, "");
    finds(world, WIRE_LINES_BAD_TEXT);
    finds(world, WIRE_LINES_BAD_TEXT);
    finds_line(world, "last");
    finds(world, WIRE_LINES_NONE);
    sends(world, "", 0);
}

/* The limit is that of the whole line; a ping may stand between. Each costs an empty
 * line. */
TEST(fragments_are_one_line)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x01', "12\xc3");
    add_frame(world, '\x00', "");
    add_frame(world, '\x89', "hi");
    add_frame(world, '\x80',
              "\xa9"
              "5678\r\n");
    add_frame(world, '\x81', "next");
    for (int i = 0; i < 3; i++)
        finds_line(world, "");
    finds_line(world, "12\xc3\xa9"
                      "5678");
    finds_line(world, "next");
    sends(world, "\x8a\x02hi", 4);
    add_frame(world, '\x01', "12345");
    add_frame(world, '\x80', "678901");
    finds_line(world, "");
    finds(world, WIRE_LINES_BAD_FRAME);
    sends(world, "\x88\x02\x03\xf1", 4);
}

TEST(a_fragment_out_of_turn_closes)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x01', "one");
    add_frame(world, '\x81', "two");
    finds_line(world, "");
    finds(world, WIRE_LINES_BAD_FRAME);
    sends(world, "\x88\x02\x03\xea", 4);
}

TEST(a_fragment_of_nothing_closes)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x80', "two");
    finds(world, WIRE_LINES_BAD_FRAME);
    sends(world, "\x88\x02\x03\xea", 4);
}

TEST(bytes_that_are_not_utf8_close)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x81', "a\xff");
    finds(world, WIRE_LINES_BAD_FRAME);
    sends(world, "\x88\x02\x03\xef", 4);
}

TEST(each_line_is_sent_as_a_frame)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    wire_lines_put(&world->lines, &world->out, "OK 1\n! end\n", 11);
    sends(world, "\x81\x04OK 1\x81\x05! end", 13);
}

TEST(a_ping_is_answered_and_costs_an_empty_line)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x89', "hi");
    add_frame(world, '\x8a', "unasked");
    finds_line(world, "");
    sends(world, "\x8a\x02hi", 4);
    finds_line(world, "");
    sends(world, "", 0);
}

TEST(a_close_is_answered_once)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x88', "\x03\xe9gone");
    finds(world, WIRE_LINES_CLOSED);
    sends(world, "\x88\x02\x03\xe9", 4);
    wire_lines_put_end(&world->lines, &world->out);
    sends(world, "", 0);
}

TEST(a_line_too_long_for_a_frame_closes)
{
    struct world *world = *state;

    world->lines.is_framed = true;
    add_frame(world, '\x81', "123456789");
    finds(world, WIRE_LINES_BAD_FRAME);
    sends(world, "\x88\x02\x03\xf1", 4);
}

TEST(the_end_of_frames_is_a_close_frame)
{
    struct world *world = *state;

    wire_lines_put_end(&world->lines, &world->out);
    sends(world, "", 0);
    world->lines.is_framed = true;
    wire_lines_put_end(&world->lines, &world->out);
    sends(world, "\x88\x02\x03\xe8", 4);
}

UNIT_MAIN(NULL, NULL)
