/* Feeds WebSocket frames, as a browser may send them, to the code that finds lines in
 * them. A line that is found must lie within the received bytes. It must also be valid
 * text and not too long, like a line on a connection without frames. The first byte of
 * the input gives the size of the pieces in which the frames arrive. */
#include "common/base/utf8.h"
#include "common/net/wire_buffer.h"
#include "common/net/wire_lines.h"
#include "tests/fuzz/fuzz.h"

enum { LINE_BYTES = 200 };

/* Takes all lines that have arrived and checks them. False: the connection has
 * ended. */
static bool take_lines(struct wire_lines *lines, struct wire_buffer *text,
                       struct wire_buffer *out)
{
    for (;;) {
        size_t before = text->len, len = 0;
        char *line = NULL;

        switch (wire_lines_take(lines, text, out, &line, &len)) {
        case WIRE_LINES_NONE:
            fuzz_require(text->len == before && before < LINE_BYTES + 2 + 14);
            return true;
        case WIRE_LINES_LINE:
            fuzz_require(text->len < before && len <= LINE_BYTES);
            fuzz_require(strlen(line) == len && utf8_is_showable(line, len));
            break;
        case WIRE_LINES_BAD_TEXT:
            fuzz_require(text->len < before);
            break;
        case WIRE_LINES_CLOSED:
        case WIRE_LINES_BAD_FRAME:
            fuzz_require(lines->is_closed && out->len >= 2);
            return false;
        default:
            abort(); /* the other results do not exist for lines in frames */
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_lines lines = {.line_max = LINE_BYTES, .is_framed = true};
    struct wire_buffer text = {0}, out = {0};
    size_t step = size > 0 ? data[0] + 1u : 1, at = 1;
    bool is_open = true;

    for (; is_open && at < size; at += step) {
        size_t len = size - at < step ? size - at : step;

        wire_buffer_add(&text, (const char *)data + at, len);
        is_open = take_lines(&lines, &text, &out);
    }
    wire_lines_clear(&lines);
    wire_buffer_clear(&text);
    wire_buffer_clear(&out);
    return 0;
}
