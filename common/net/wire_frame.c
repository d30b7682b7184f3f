/* See wire_frame.h. */
#include "common/net/wire_frame.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/net/wire_buffer.h"

/* Bits of the first byte of a frame. */
enum { FIN = 0x80, RESERVED = 0x70, OPCODE = 0x0f };
enum {
    OPCODE_CONTINUATION = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10
};
/* The second byte of a frame: the mask bit, and the length or the size of the length
 * field. */
enum { MASKED = 0x80, LENGTH = 0x7f, LENGTH_IN_2 = 126, LENGTH_IN_8 = 127 };
enum { MASK_BYTES = 4, CONTROL_MAX = 125, HEAD_MAX = 10 };

struct head {
    int opcode;
    bool is_last;
    uint64_t len;
    size_t bytes; /* size of the head, including the mask */
};

static bool is_control(int opcode)
{
    return opcode >= OPCODE_CLOSE;
}

/* Returns 0 if the first two bytes of a frame are valid, otherwise the code to send in
 * a close frame. */
static int judge_start(unsigned first, unsigned second)
{
    int opcode = (int)(first & OPCODE);
    bool is_known = opcode <= OPCODE_BINARY || opcode == OPCODE_CLOSE ||
                    opcode == OPCODE_PING || opcode == OPCODE_PONG;

    if ((first & RESERVED) != 0 || !is_known || (second & MASKED) == 0)
        return WIRE_FRAME_CODE_PROTOCOL;
    if (is_control(opcode) && ((first & FIN) == 0 || (second & LENGTH) > CONTROL_MAX))
        return WIRE_FRAME_CODE_PROTOCOL;
    return opcode == OPCODE_BINARY ? WIRE_FRAME_CODE_DATA : 0;
}

static uint64_t read_number(const unsigned char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = 0; i < len; i++)
        number = number << 8 | bytes[i];
    return number;
}

/* Reads the head of a frame. Returns false when there are too few bytes. *code: 0, or
 * the close code that says why the frame is bad. */
static bool read_head(const struct wire_buffer *buffer, size_t text_max,
                      struct head *head, int *code)
{
    const unsigned char *bytes = (const unsigned char *)wire_buffer_head(buffer);
    unsigned length;
    size_t more; /* size of the extra length field */

    *code = 0;
    if (buffer->len < 2)
        return false;
    *code = judge_start(bytes[0], bytes[1]);
    if (*code != 0)
        return true;
    length = bytes[1] & LENGTH;
    more = length == LENGTH_IN_2 ? 2 : length == LENGTH_IN_8 ? 8 : 0;
    if (buffer->len < 2 + more)
        return false;
    head->opcode = bytes[0] & OPCODE;
    head->is_last = (bytes[0] & FIN) != 0;
    head->len = more == 0 ? length : read_number(bytes + 2, more);
    head->bytes = 2 + more + MASK_BYTES;
    /* RFC 6455 demands the shortest form of a length */
    if ((more == 2 && head->len <= CONTROL_MAX) ||
        (more == 8 && (head->len <= UINT16_MAX || head->len > INT64_MAX)))
        *code = WIRE_FRAME_CODE_PROTOCOL;
    else if (!is_control(head->opcode) && head->len > text_max)
        *code = WIRE_FRAME_CODE_TOO_BIG;
    return true;
}

/* Unmasks the payload, and moves it to `begin`, over the head of the frame. Then
 * appends a NUL; the move has made room for it. Returns the payload. */
static char *unmask(char *begin, const struct head *head)
{
    const char *masked = begin + head->bytes;
    char mask[MASK_BYTES];

    memcpy(mask, masked - MASK_BYTES, MASK_BYTES);
    for (size_t i = 0; i < head->len; i++)
        begin[i] = (char)(masked[i] ^ mask[i % MASK_BYTES]);
    begin[head->len] = '\0';
    return begin;
}

static struct wire_frame bad(int code)
{
    return (struct wire_frame){.kind = WIRE_FRAME_BAD, .code = code};
}

static struct wire_frame read_close(struct wire_frame frame)
{
    frame.kind = WIRE_FRAME_CLOSE;
    frame.code = WIRE_FRAME_CODE_NO_CODE;
    if (frame.len == 0)
        return frame;
    if (frame.len > 1)
        frame.code = (int)read_number((const unsigned char *)frame.payload, 2);
    /* the codes that a peer may give (RFC 6455, 7.4) */
    return (frame.code >= 1000 && frame.code <= 1003) ||
                   (frame.code >= 1007 && frame.code <= 1014) ||
                   (frame.code >= 3000 && frame.code <= 4999)
               ? frame
               : bad(WIRE_FRAME_CODE_PROTOCOL);
}

struct wire_frame wire_frame_take(struct wire_buffer *bytes, size_t text_max)
{
    struct wire_frame frame = {.kind = WIRE_FRAME_NONE};
    struct head head;
    int code;

    if (!read_head(bytes, text_max, &head, &code))
        return frame;
    if (code != 0)
        return bad(code);
    if (bytes->len < head.bytes + head.len)
        return frame;
    frame.payload = unmask(wire_buffer_head(bytes), &head);
    frame.len = (size_t)head.len;
    wire_buffer_take(bytes, head.bytes + frame.len);
    if (head.opcode == OPCODE_CLOSE)
        return read_close(frame);
    frame.is_last = head.is_last;
    frame.kind = head.opcode == OPCODE_TEXT           ? WIRE_FRAME_TEXT
                 : head.opcode == OPCODE_CONTINUATION ? WIRE_FRAME_CONTINUATION
                 : head.opcode == OPCODE_PING         ? WIRE_FRAME_PING
                                                      : WIRE_FRAME_PONG;
    return frame;
}

/* --- Writing --- */

static void put(struct wire_buffer *out, int opcode, const char *bytes, size_t len)
{
    char head[HEAD_MAX];
    size_t at = 0, more = len <= CONTROL_MAX ? 0 : len <= UINT16_MAX ? 2 : 8;

    head[at++] = (char)(FIN | opcode);
    head[at++] = (char)(more == 0 ? len : more == 2 ? LENGTH_IN_2 : LENGTH_IN_8);
    for (size_t i = more; i > 0; i--)
        head[at++] = (char)((uint64_t)len >> 8 * (i - 1));
    wire_buffer_add(out, head, at);
    wire_buffer_add(out, bytes, len);
}

void wire_frame_put_text(struct wire_buffer *out, const char *bytes, size_t len)
{
    put(out, OPCODE_TEXT, bytes, len);
}

void wire_frame_put_pong(struct wire_buffer *out, const char *bytes, size_t len)
{
    put(out, OPCODE_PONG, bytes, len);
}

void wire_frame_put_close(struct wire_buffer *out, int code)
{
    char bytes[2] = {(char)(code >> 8), (char)code};

    put(out, OPCODE_CLOSE, bytes, code == WIRE_FRAME_CODE_NO_CODE ? 0 : sizeof bytes);
}
