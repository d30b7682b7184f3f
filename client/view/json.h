/* JSON output for scripts (--json): one object per line for each event, notice, answer,
 * list item, board, question and other message. janggi.6 has the table of fields.
 * Writes text into a buffer. */
#ifndef CLIENT_VIEW_JSON_H
#define CLIENT_VIEW_JSON_H

#include "common/base/text.h"
#include "common/net/proto.h"

/* Enough bytes for the JSON object made from one line of a server: each byte of the
 * line may need six bytes. */
enum { JSON_BYTES = 8 * PROTO_LINE_MAX };

struct manner;

/* The manner that writes one JSON object per line. */
extern const struct manner json_manner;

/* Adds a notice of the server. words: the text for a person, or "". */
void json_notice(struct text *out, const struct proto_line *line, const char *words);

/* Adds the answer, OK or ERR, to our command that began with the word `verb`. */
void json_answer(struct text *out, const char *verb, const struct proto_line *line,
                 const char *words);

/* Adds a line of the list that the command `verb` requested. */
void json_item(struct text *out, const char *verb, const char *line);

/* Adds a question: the next line on standard input answers it. */
void json_question(struct text *out, const char *words);

/* Adds an object for the first line of the text `words`, which must not be "". Returns
 * the text after that line. */
const char *json_say(struct text *out, const char *words);

#endif
