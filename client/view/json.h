/* JSON output for scripts (--json): one object per line for each event, notice, answer,
 * list item, board, question and other message. janggi.6 has the table of fields.
 * Writes text into a buffer. */
#ifndef CLIENT_VIEW_JSON_H
#define CLIENT_VIEW_JSON_H

#include "client/view/manner.h"

/* Enough bytes for the JSON object made from one line of a server: each byte of the
 * line may need six bytes. */
enum { JSON_BYTES = 8 * PROTO_LINE_MAX };

/* The manner that writes one JSON object per line. */
extern const struct manner json_manner;

/* Adds an object for what is said; for words one for each line that is not empty. */
void json_said(struct text *out, const struct said *said);

#endif
