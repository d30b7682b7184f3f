/* Notices: what a server tells us that was not asked for and is not an event of a game.
 * Each is one entry of a table: its name, what the model does with it, how it is said,
 * and whether it rings. Text only: prints nothing. */
#ifndef CLIENT_VIEW_NOTICE_H
#define CLIENT_VIEW_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* What a notice is good for besides its words. */
enum notice_use {
    NOTICE_WORDS,    /* nothing */
    NOTICE_OWN_GAME, /* a row about a running game of ours */
    NOTICE_LINEUP,   /* a side is to choose its line-up; perhaps we are */
    NOTICE_BYE       /* the server closes the connection */
};

/* Tells the model. line is a PROTO_NEWS that is not an event. */
void notice_take(struct model *model, const struct proto_line *line, int64_t now_ms);

/* The words for a person, before the model takes the notice in, so that an offer that
 * is gone can still be named: "-- kim offers a draw: "draw" or "decline"". Often
 * nothing. With is_numbered, the number of the game comes first. */
void notice_say(struct text *out, const struct model *model,
                const struct proto_line *line, bool is_numbered);

/* It is worth a bell; after the model has taken it in. */
bool notice_rings(const struct model *model, const struct proto_line *line,
                  int64_t now_ms);

enum notice_use notice_use(const struct proto_line *line);

#endif
