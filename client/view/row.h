/* Puts the rows of the server's lists (seeks, pending, games, watchers, who, history,
 * devices) into words. Each kind of row is one entry of a table. The functions append
 * the words to a buffer; the caller prints them. */
#ifndef CLIENT_VIEW_ROW_H
#define CLIENT_VIEW_ROW_H

#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* Splits a row into words and keys, as if it were a notice. *out points into `copy`. If
 * the row is too long, *out has no words. */
enum { ROW_COPY_BYTES = PROTO_LINE_MAX + 8 };
void row_parse(const char *row, char copy[ROW_COPY_BYTES], struct proto_line *out);

/* Adds the words for `row`, a line of a list without the "|" in front. A row of an
 * unknown kind is added unchanged. */
void row_say(struct text *out, const struct model *model, const char *row);

/* Adds a line about one of our running games, which the server has described in
 * "! mine" or in the answer to "games mine": "game 3: red against kim, 3d, ply 12, YOUR
 * MOVE, 2 d 3 h left". */
void row_add_own_game(struct text *out, const struct model *model,
                      const struct proto_line *line, const char *id);

#endif
