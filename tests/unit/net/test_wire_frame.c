/* Tests of common/net/wire_frame: the frames of RFC 6455, case by case. */
#include <stdint.h>
#include <string.h>

#include "common/base/base.h"
#include "common/net/wire_buffer.h"
#include "common/net/wire_frame.h"
#include "tests/unit/unit.h"

enum { TEXT_MAX_HERE = 300, FRAME_MAX = 70000 };

static struct wire_frame take(struct wire_buffer *buffer, const void *bytes, size_t len)
{
    wire_buffer_add(buffer, bytes, len);
    return wire_frame_take(buffer, TEXT_MAX_HERE);
}

/* --- Whole frames --- */

/* Reads the examples of RFC 6455, section 5.7. */
UNIT_TEST(a_masked_text_is_read)
{
    static const unsigned char hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d,
                                          0x7f, 0x9f, 0x4d, 0x51, 0x58};
    struct wire_buffer buffer = {0};
    struct wire_frame frame = take(&buffer, hello, sizeof hello);

    assert_int_equal(frame.kind, WIRE_FRAME_TEXT);
    assert_int_equal(frame.len, 5);
    assert_string_equal(frame.payload, "Hello");
    assert_int_equal(buffer.len, 0);
    wire_buffer_clear(&buffer);
}

UNIT_TEST(a_frame_may_come_byte_by_byte)
{
    static const unsigned char frames[] = {0x89, 0x82, 1,    2, 3, 4, 'h' ^ 1, 'i' ^ 2,
                                           0x81, 0x81, 0x20, 0, 0, 0, 'A'};
    static const enum wire_frame_kind kinds[] = {
        [7] = WIRE_FRAME_PING,
        [14] = WIRE_FRAME_TEXT,
    };
    static const char *const payloads[] = {[7] = "hi", [14] = "a"};
    struct wire_buffer buffer = {0};

    for (size_t i = 0; i < sizeof frames; i++) {
        struct wire_frame frame = take(&buffer, &frames[i], 1);

        assert_int_equal(frame.kind, kinds[i]);
        if (kinds[i] != WIRE_FRAME_NONE)
            assert_string_equal(frame.payload, payloads[i]);
    }
    wire_buffer_clear(&buffer);
}

/* The NUL after a payload must not overwrite the next frame. */
UNIT_TEST(two_frames_may_come_together)
{
    static const unsigned char frames[] = {0x81, 0x82, 0,    0, 0, 0, 'a',
                                           'b',  0x81, 0x80, 9, 9, 9, 9};
    struct wire_buffer buffer = {0};
    struct wire_frame frame = take(&buffer, frames, sizeof frames);

    assert_string_equal(frame.payload, "ab");
    frame = wire_frame_take(&buffer, TEXT_MAX_HERE);
    assert_int_equal(frame.kind, WIRE_FRAME_TEXT);
    assert_int_equal(frame.len, 0);
    assert_string_equal(frame.payload, "");
    wire_buffer_clear(&buffer);
}

UNIT_TEST(a_longer_text_has_its_length_in_two_bytes)
{
    char bytes[8 + TEXT_MAX_HERE] = {'\x81', '\xfe', 1, 44};
    struct wire_buffer buffer = {0};
    struct wire_frame frame;

    memset(bytes + 8, 'x', TEXT_MAX_HERE);
    frame = take(&buffer, bytes, sizeof bytes);
    assert_int_equal(frame.kind, WIRE_FRAME_TEXT);
    assert_int_equal(frame.len, TEXT_MAX_HERE);
    assert_int_equal(frame.payload[TEXT_MAX_HERE], '\0');
    wire_buffer_clear(&buffer);
}

/* --- What a peer may not send --- */

#define BYTES(...) (const unsigned char[]){__VA_ARGS__}, sizeof((char[]){__VA_ARGS__})

static const struct {
    const char *what;
    const unsigned char *bytes;
    size_t len;
    int code;
} bad[] = {
    {"a text without a mask", BYTES(0x81, 0x01), 1002},
    {"an empty ping without a mask", BYTES(0x89, 0x00), 1002},
    {"the first reserved bit", BYTES(0xc1, 0x80), 1002},
    {"the second", BYTES(0xa1, 0x80), 1002},
    {"the third", BYTES(0x91, 0x80), 1002},
    {"opcode 3", BYTES(0x83, 0x80), 1002},
    {"opcode 7", BYTES(0x87, 0x80), 1002},
    {"opcode 11", BYTES(0x8b, 0x80), 1002},
    {"opcode 15", BYTES(0x8f, 0x80), 1002},
    {"a ping in fragments", BYTES(0x09, 0x80), 1002},
    {"a close in fragments", BYTES(0x08, 0x80), 1002},
    {"a ping of 126 bytes", BYTES(0x89, 0xfe), 1002},
    {"a pong of 65536 bytes", BYTES(0x8a, 0xff), 1002},
    {"binary data", BYTES(0x82, 0x80), 1003},
    {"a fragment of binary data", BYTES(0x02, 0x80), 1003},
    {"125 in two bytes", BYTES(0x81, 0xfe, 0, 125), 1002},
    {"300 in eight bytes", BYTES(0x81, 0xff, 0, 0, 0, 0, 0, 0, 1, 44), 1002},
    {"a length of 64 bits", BYTES(0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0), 1002},
    {"301 bytes of text", BYTES(0x81, 0xfe, 1, 45), 1009},
    {"65536 bytes of text", BYTES(0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0), 1009},
    {"2^63 - 1 bytes of text",
     BYTES(0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 1009},
    {"a close of one byte", BYTES(0x88, 0x81, 0, 0, 0, 0, 3), 1002},
    {"close code 0", BYTES(0x88, 0x82, 0, 0, 0, 0, 0, 0), 1002},
    {"close code 999", BYTES(0x88, 0x82, 0, 0, 0, 0, 3, 231), 1002},
    {"close code 1005", BYTES(0x88, 0x82, 0, 0, 0, 0, 3, 237), 1002},
    {"close code 1006", BYTES(0x88, 0x82, 0, 0, 0, 0, 3, 238), 1002},
    {"close code 2999", BYTES(0x88, 0x82, 0, 0, 0, 0, 11, 183), 1002},
    {"close code 5000", BYTES(0x88, 0x82, 0, 0, 0, 0, 19, 136), 1002},
};

/* Each frame of `bad` is refused when its last byte arrives, and not before. */
UNIT_TEST(a_bad_frame_has_a_code)
{
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct wire_buffer buffer = {0};
        struct wire_frame frame = take(&buffer, bad[i].bytes, bad[i].len - 1);

        assert_so(frame.kind == WIRE_FRAME_NONE, "%s: too early", bad[i].what);
        frame = take(&buffer, bad[i].bytes + bad[i].len - 1, 1);
        if (frame.kind != WIRE_FRAME_BAD || frame.code != bad[i].code)
            fail_msg("%s: kind %d code %d", bad[i].what, (int)frame.kind, frame.code);
        wire_buffer_clear(&buffer);
    }
}

UNIT_TEST(a_close_may_have_a_code_and_words)
{
    static const int codes[] = {1000, 1001, 1003, 1007, 1011, 3000, 4999};
    struct wire_buffer buffer = {0};
    struct wire_frame frame;

    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        char bytes[] = {
            '\x88', '\x84', 0, 0, 0, 0, (char)(codes[i] / 256), (char)(codes[i] % 256),
            'o',    'k'};

        frame = take(&buffer, bytes, sizeof bytes);
        assert_int_equal(frame.kind, WIRE_FRAME_CLOSE);
        assert_int_equal(frame.code, codes[i]);
    }
    frame = take(&buffer, "\x88\x80....", 6);
    assert_int_equal(frame.kind, WIRE_FRAME_CLOSE);
    assert_int_equal(frame.code, WIRE_FRAME_CODE_NO_CODE);
    wire_buffer_clear(&buffer);
}

/* --- Writing --- */

static void writes(size_t len, const char *head, size_t head_len)
{
    static char text[FRAME_MAX];
    struct wire_buffer out = {0};

    wire_frame_put_text(&out, text, len);
    assert_int_equal(out.len, head_len + len);
    assert_memory_equal(wire_buffer_head(&out), head, head_len);
    wire_buffer_clear(&out);
}

UNIT_TEST(a_length_is_written_as_shortly_as_possible)
{
    writes(0, "\x81\x00", 2);
    writes(125, "\x81\x7d", 2);
    writes(126, "\x81\x7e\x00\x7e", 4);
    writes(65535, "\x81\x7e\xff\xff", 4);
    writes(65536, "\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10);
}

UNIT_TEST(control_frames_are_written)
{
    struct wire_buffer out = {0};

    wire_frame_put_pong(&out, "hi", 2);
    wire_frame_put_close(&out, 1002);
    wire_frame_put_close(&out, WIRE_FRAME_CODE_NO_CODE);
    assert_int_equal(out.len, 10);
    assert_memory_equal(wire_buffer_head(&out), "\x8a\x02hi\x88\x02\x03\xea\x88\x00",
                        10);
    wire_buffer_clear(&out);
}

UNIT_MAIN(NULL, NULL)
