/* Splits received bytes into lines, and turns lines into bytes to send. No other module
 * knows whether a line of a connection ends with LF or is a WebSocket frame. Knows
 * nothing of sockets, TLS and owners. */
#ifndef COMMON_NET_WIRE_LINES_H
#define COMMON_NET_WIRE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

struct wire_buffer;

/* If all members but line_max are zero, no line has come. */
struct wire_lines {
    size_t line_max;  /* limit of a line in bytes, without its end */
    bool is_skipping; /* skips the rest of a line that is too long */
    bool is_framed;   /* each line is a frame (wire_frame.h), and needs no LF */
    bool is_closed;   /* our close frame is in the output; only if is_framed */
    bool is_joined;   /* `message` has ended, and its line was taken */
    struct wire_buffer *message; /* the fragments that have come, or NULL */
};

enum wire_lines_found {
    WIRE_LINES_NONE,     /* no whole line; more bytes are needed */
    WIRE_LINES_LINE,     /* a line */
    WIRE_LINES_SKIPPED,  /* the end of a line that was reported as too long */
    WIRE_LINES_TOO_LONG, /* a long line was dropped; if it has not ended yet, the rest
                          * of it will be skipped */
    WIRE_LINES_BAD_TEXT, /* a line was dropped: it was not showable UTF-8 */
    WIRE_LINES_CLOSED,   /* the peer's close frame; it has been answered */
    WIRE_LINES_BAD_FRAME /* an invalid frame; answered with a close frame. Read nothing
                          * more, as after WIRE_LINES_CLOSED */
};

/* Frees the fragments. */
void wire_lines_clear(struct wire_lines *lines);
/* Removes the first line from `text`. With WIRE_LINES_LINE, *line is the line without
 * its LF or CRLF, NUL-terminated, and valid until text is used again. Adds a pong or a
 * close frame to out when one must be sent. A ping, a pong and a fragment that is not the
 * last are reported as an empty line, so that the limits on lines count them. */
enum wire_lines_found wire_lines_take(struct wire_lines *lines,
                                      struct wire_buffer *text, struct wire_buffer *out,
                                      char **line, size_t *len) MUST_USE;

/* Appends whole lines with their LF to out, in the connection's framing. */
void wire_lines_put(const struct wire_lines *lines, struct wire_buffer *out,
                    const char *bytes, size_t len);
/* Ends the output: adds a close frame if lines are framed. Send nothing after this. */
void wire_lines_put_end(struct wire_lines *lines, struct wire_buffer *out);

#endif
