/* The rows of the server's lists (seeks, pending, games, watchers, who, history,
 * devices) as words: each kind of row is one entry of a table. Text only. */
#ifndef CLIENT_VIEW_ROW_H
#define CLIENT_VIEW_ROW_H

#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* A row, which is all behind its "|". One of a kind that is not known stays as it is. */
void row_say(struct text *out, const struct model *model, const char *row);

/* A running game of ours, from "! mine" or "games mine": "game 3: red against kim, 3d,
 * ply 12, YOUR MOVE, 2 d 3 h left". */
void row_add_own_game(struct text *out, const struct model *model,
                      const struct proto_line *line, const char *id);

#endif
