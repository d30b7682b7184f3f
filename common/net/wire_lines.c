/* See wire_lines.h. A line ends with LF or CRLF, or it is a frame. */
#include "common/net/wire_lines.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/utf8.h"
#include "common/net/wire_buffer.h"
#include "common/net/wire_frame.h"

enum { LINE_END_MAX = 2 }; /* CRLF, which may also end the line in a frame */

/* Checks text that has no LF yet. The text may have line_max bytes, and then a CR. If
 * the text is longer, drops it and returns WIRE_LINES_TOO_LONG. While a long line is
 * being skipped, drops the text and returns WIRE_LINES_NONE. */
static enum wire_lines_found take_unfinished(struct wire_lines *lines,
                                             struct wire_buffer *text)
{
    size_t max = lines->line_max;
    bool is_fine = text->len <= max ||
                   (text->len == max + 1 && wire_buffer_head(text)[max] == '\r');
    bool was_skipping = lines->is_skipping;

    if (!was_skipping && is_fine)
        return WIRE_LINES_NONE;
    lines->is_skipping = true;
    wire_buffer_take(text, text->len);
    return was_skipping ? WIRE_LINES_NONE : WIRE_LINES_TOO_LONG;
}

/* --- Frames --- */

static enum wire_lines_found close_frames(struct wire_lines *lines,
                                          struct wire_buffer *out, int code,
                                          enum wire_lines_found found)
{
    if (!lines->is_closed)
        wire_frame_put_close(out, code);
    lines->is_closed = true;
    return found;
}

void wire_lines_clear(struct wire_lines *lines)
{
    if (lines->message != NULL)
        wire_buffer_clear(lines->message);
    free(lines->message);
    lines->message = NULL;
    lines->is_joined = false;
}

/* Adds a fragment to those before it. True: it was the last, and *frame is now the whole
 * text, which is valid until the next frame is taken. */
static bool join(struct wire_lines *lines, struct wire_frame *frame)
{
    if (lines->message == NULL)
        lines->message = mem_new(sizeof *lines->message);
    wire_buffer_add(lines->message, frame->payload, frame->len);
    if (!frame->is_last)
        return false;
    wire_buffer_add(lines->message, "", 1);
    frame->payload = wire_buffer_head(lines->message);
    frame->len = lines->message->len - 1;
    lines->is_joined = true;
    return true;
}

/* Takes the line of a text frame, which needs no LF or CRLF at its end but may have
 * one. */
static enum wire_lines_found take_text(struct wire_lines *lines,
                                       struct wire_buffer *out,
                                       const struct wire_frame *frame, char **line,
                                       size_t *len)
{
    *line = frame->payload;
    *len = frame->len;
    if (*len > 0 && (*line)[*len - 1] == '\n')
        --*len;
    if (*len > 0 && *len < frame->len && (*line)[*len - 1] == '\r')
        --*len;
    if (*len > lines->line_max)
        return close_frames(lines, out, WIRE_FRAME_CODE_TOO_BIG, WIRE_LINES_BAD_FRAME);
    if (!utf8_is_valid(*line, *len))
        return close_frames(lines, out, WIRE_FRAME_CODE_UTF8, WIRE_LINES_BAD_FRAME);
    if (!utf8_is_showable(*line, *len))
        return WIRE_LINES_BAD_TEXT;
    (*line)[*len] = '\0';
    return WIRE_LINES_LINE;
}

static enum wire_lines_found take_frame(struct wire_lines *lines,
                                        struct wire_buffer *text,
                                        struct wire_buffer *out, char **line,
                                        size_t *len)
{
    size_t max = lines->line_max + LINE_END_MAX, joined;
    struct wire_frame frame;

    if (lines->is_joined)
        wire_lines_clear(lines);
    joined = lines->message != NULL ? lines->message->len : 0;
    frame = wire_frame_take(text, joined < max ? max - joined : 0);
    switch (frame.kind) {
    case WIRE_FRAME_TEXT:
    case WIRE_FRAME_CONTINUATION:
        if ((frame.kind == WIRE_FRAME_CONTINUATION) != (lines->message != NULL))
            return close_frames(lines, out, WIRE_FRAME_CODE_PROTOCOL,
                                WIRE_LINES_BAD_FRAME);
        if ((frame.is_last && lines->message == NULL) || join(lines, &frame))
            return take_text(lines, out, &frame, line, len);
        break;
    case WIRE_FRAME_PING:
        wire_frame_put_pong(out, frame.payload, frame.len);
        break;
    case WIRE_FRAME_PONG:
        break;
    case WIRE_FRAME_CLOSE:
        if (frame.len > 2 && !utf8_is_valid(frame.payload + 2, frame.len - 2))
            frame.code = WIRE_FRAME_CODE_UTF8;
        return close_frames(lines, out, frame.code, WIRE_LINES_CLOSED);
    case WIRE_FRAME_BAD:
        return close_frames(lines, out, frame.code, WIRE_LINES_BAD_FRAME);
    case WIRE_FRAME_NONE:
        return WIRE_LINES_NONE;
    }
    *len = 0;
    *line = frame.payload;
    **line = '\0';
    return WIRE_LINES_LINE;
}

static void put_frames(struct wire_buffer *out, const char *bytes, size_t len)
{
    const char *end = bytes + len, *next;

    for (; bytes < end; bytes = next + 1) {
        next = memchr(bytes, '\n', (size_t)(end - bytes));
        if (next == NULL)
            next = end;
        wire_frame_put_text(out, bytes, (size_t)(next - bytes));
    }
}

/* --- Lines --- */

static enum wire_lines_found take_line(struct wire_lines *lines,
                                       struct wire_buffer *text, char **line,
                                       size_t *len)
{
    char *begin = wire_buffer_head(text);
    char *end = text->len > 0 ? memchr(begin, '\n', text->len) : NULL;
    bool is_skipped = lines->is_skipping;

    if (end == NULL)
        return take_unfinished(lines, text);
    wire_buffer_take(text, (size_t)(end - begin) + 1);
    lines->is_skipping = false;
    if (is_skipped)
        return WIRE_LINES_SKIPPED;
    if (end > begin && end[-1] == '\r')
        end--;
    *line = begin;
    *len = (size_t)(end - begin);
    if (*len > lines->line_max)
        return WIRE_LINES_TOO_LONG;
    if (!utf8_is_showable(begin, *len))
        return WIRE_LINES_BAD_TEXT;
    *end = '\0';
    return WIRE_LINES_LINE;
}

enum wire_lines_found wire_lines_take(struct wire_lines *lines,
                                      struct wire_buffer *text, struct wire_buffer *out,
                                      char **line, size_t *len)
{
    if (lines->is_framed)
        return take_frame(lines, text, out, line, len);
    return take_line(lines, text, line, len);
}

void wire_lines_put(const struct wire_lines *lines, struct wire_buffer *out,
                    const char *bytes, size_t len)
{
    if (lines->is_framed)
        put_frames(out, bytes, len);
    else
        wire_buffer_add(out, bytes, len);
}

void wire_lines_put_end(struct wire_lines *lines, struct wire_buffer *out)
{
    if (lines->is_framed)
        close_frames(lines, out, WIRE_FRAME_CODE_NORMAL, WIRE_LINES_CLOSED);
}
