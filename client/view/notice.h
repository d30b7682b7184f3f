/* Notices: messages of the server that are neither answers nor events of a game. Each
 * notice is one entry of a table: its name, how it changes the model, its words, and
 * whether the bell rings. The functions append the words to a buffer; the caller prints
 * them. */
#ifndef CLIENT_VIEW_NOTICE_H
#define CLIENT_VIEW_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* What the client must do for a notice besides showing its words. */
enum notice_use {
    NOTICE_WORDS,    /* no action besides the words */
    NOTICE_OWN_GAME, /* describes one of our running games */
    NOTICE_LINEUP,   /* a side, perhaps ours, must choose its line-up or has chosen
                      * it */
    NOTICE_BYE       /* the server closes the connection */
};

/* Updates the model. line is a PROTO_NEWS that is not an event. */
void notice_take(struct model *model, const struct proto_line *line, int64_t now_ms);

/* Adds the words for a person: "-- kim offers a draw: "draw" or "decline"". Many
 * notices have no words. Call it before notice_take(), so that it can still name an
 * offer that the notice closes. is_numbered: the words begin with the number of the
 * game. */
void notice_say(struct text *out, const struct model *model,
                const struct proto_line *line, bool is_numbered);

/* Adds "kim (red) chooses a set-up", or "kim (red) has chosen a set-up" if the choice
 * is still hidden. */
void notice_add_chooser(struct text *out, const struct model_game *game,
                        enum side side);

/* Returns true if `line`, a "! setup", asks us for a line-up. Call it after updating
 * the model. */
bool notice_asks_lineup(const struct model_game *game, const struct proto_line *line);

/* Returns true if the bell should ring. Call it after the model was updated. */
bool notice_rings(const struct model *model, const struct proto_line *line,
                  int64_t now_ms);

enum notice_use notice_use(const struct proto_line *line);

#endif
