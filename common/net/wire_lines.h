/* Splits bytes into lines, and frames lines as bytes: the only module that knows the
 * framing of a connection. Knows nothing of sockets, TLS and owners. */
#ifndef COMMON_NET_WIRE_LINES_H
#define COMMON_NET_WIRE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

struct wire_buffer;

struct wire_lines {
    size_t line_max;  /* limit of a line in bytes, without its end */
    bool is_skipping; /* skips the rest of a line that is too long */
    bool is_framed;   /* each line is a frame (wire_frame.h), without its end */
    bool is_closed;   /* framed, and our close frame is in the output */
};

enum wire_lines_found {
    WIRE_LINES_NONE,     /* no whole line; more bytes are needed */
    WIRE_LINES_LINE,     /* a line */
    WIRE_LINES_SKIPPED,  /* the end of a line that was reported as too long */
    WIRE_LINES_TOO_LONG, /* dropped; its rest is skipped if it has not ended yet */
    WIRE_LINES_BAD_TEXT, /* dropped: not showable UTF-8 */
    WIRE_LINES_CLOSED,   /* the peer's close frame; it has been answered */
    WIRE_LINES_BAD_FRAME /* invalid; answered with a close frame. Read nothing more, as
                          * after WIRE_LINES_CLOSED */
};

/* Takes the first line out of text. *line is valid for WIRE_LINES_LINE, without its end
 * and NUL-terminated, until text is used again. Answers of the framing itself are added
 * to out. A ping or a pong is an empty line, so that it costs what a line costs. */
enum wire_lines_found wire_lines_take(struct wire_lines *lines,
                                      struct wire_buffer *text, struct wire_buffer *out,
                                      char **line, size_t *len) MUST_USE;

/* Appends whole lines with their LF to out, in the connection's framing. */
void wire_lines_put(const struct wire_lines *lines, struct wire_buffer *out,
                    const char *bytes, size_t len);
/* Nothing is sent after this: adds a close frame, if the framing has one. */
void wire_lines_put_end(struct wire_lines *lines, struct wire_buffer *out);

#endif
