/* What is shown, as JSON for scripts (--json): one object a line for each event,
 * notice, answer, item of a list, board, question and anything else that would be said.
 * The table of its fields is in janggi.6. Text only: writes into a buffer. */
#ifndef CLIENT_VIEW_JSON_H
#define CLIENT_VIEW_JSON_H

#include <stdint.h>

#include "client/view/facts.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* Room for any of them, made of one line of a server: each byte of it may take six. */
enum { JSON_BYTES = 8 * PROTO_LINE_MAX };

struct manner;

/* An object a line for all that is shown. */
extern const struct manner json_manner;

/* An event that was just folded in. */
void json_event(struct text *out, const struct facts *facts);

/* A game as it stands, in place of the board. */
void json_board(struct text *out, const struct facts *facts);

/* A notice of the server; words: what a person would be told, "" for nothing. */
void json_notice(struct text *out, const struct proto_line *line, const char *words);

/* The OK or ERR to a command of ours that began with verb. */
void json_answer(struct text *out, const char *verb, const struct proto_line *line,
                 const char *words);

/* A line of the list that verb asked for. */
void json_item(struct text *out, const char *verb, const char *line);

/* The next line on standard input is the answer to it. */
void json_question(struct text *out, const char *words);

/* Something that was typed and is not done, and why. */
void json_refusal(struct text *out, const char *words);

/* Anything else: an object for the first line of words, which must not be "". Returns
 * what follows it. */
const char *json_say(struct text *out, const char *words);

#endif
