/* Reads and writes frames of RFC 6455 (WebSocket) for a server. A peer may send only
 * masked frames of text, and control frames; any other frame ends the connection with a
 * code. There are no extensions and no binary data. Knows nothing of lines and
 * connections, nor whether a fragment fits those before it. */
#ifndef COMMON_NET_WIRE_FRAME_H
#define COMMON_NET_WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

struct wire_buffer;

enum wire_frame_kind {
    WIRE_FRAME_NONE,         /* no whole frame; more bytes are needed */
    WIRE_FRAME_TEXT,         /* a text, or its first fragment */
    WIRE_FRAME_CONTINUATION, /* a further fragment */
    WIRE_FRAME_PING,
    WIRE_FRAME_PONG,
    WIRE_FRAME_CLOSE,
    WIRE_FRAME_BAD /* a frame that a peer must not send */
};

/* Codes of a close frame. */
enum wire_frame_code {
    WIRE_FRAME_CODE_NORMAL = 1000,
    WIRE_FRAME_CODE_PROTOCOL = 1002,
    WIRE_FRAME_CODE_DATA = 1003,    /* a frame with binary data */
    WIRE_FRAME_CODE_NO_CODE = 1005, /* stands for a close frame without a code; the
                                     * number 1005 itself is never sent */
    WIRE_FRAME_CODE_UTF8 = 1007,
    WIRE_FRAME_CODE_TOO_BIG = 1009
};

struct wire_frame {
    enum wire_frame_kind kind;
    char *payload; /* unmasked, NUL-terminated; valid until the buffer is used again */
    size_t len;
    bool is_last; /* of the fragments of a text */
    int code; /* WIRE_FRAME_CLOSE: the code that the peer gave; WIRE_FRAME_BAD: the code
               * to send */
};

/* Removes the first frame from `bytes` and returns it. text_max: limit of a text in
 * bytes; a longer text makes the frame bad as soon as its length is known. After
 * WIRE_FRAME_BAD nothing more can be taken, because the end of the bad frame is
 * unknown. */
struct wire_frame wire_frame_take(struct wire_buffer *bytes, size_t text_max) MUST_USE;

/* Each of these functions adds one whole, unmasked frame to out. */
void wire_frame_put_text(struct wire_buffer *out, const char *bytes, size_t len);
void wire_frame_put_pong(struct wire_buffer *out, const char *bytes, size_t len);
void wire_frame_put_close(struct wire_buffer *out, int code);

#endif
