/* What a person is told: the sentences for the server's notices, answers and rows of lists,
 * and their values. Adding a notice, an answer or a row is one entry of the table in told.c. */
#ifndef CLIENT_VIEW_TOLD_H
#define CLIENT_VIEW_TOLD_H

#include <stdbool.h>

#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

/* A line to be put into words. What is NULL is unknown. */
struct told {
    const struct model *model;
    const struct proto_line *line;
    const struct model_game *game;   /* the game that the line is about */
    const struct model_offer *offer; /* gives values that the line does not have */
    const char *about; /* of an answer: the first argument of the command */
    /* For links to the server: its address and its key, and a warning if it cannot be
     * reached from everywhere. */
    const char *server, *server_key, *warning;
    char *number; /* set by told_say() */
};

/* Adds the sentence for `kind`: the name of a notice, "row " and the kind of a row, or "OK "
 * and the verb. Returns its English words, or NULL if it has none. */
const char *told_say(struct text *out, const struct told *told, const char *kind);
/* Returns true if some sentence is for `kind`. */
bool told_knows(const char *kind);

/* Adds a sentence about an offer or a challenge. kind "=open_offer": "kim offers a draw, game 17",
 * "lee challenges you: 5m, martin". "=proposal": "kim proposes: draw". */
void told_offer(struct text *out, const struct model *model,
                const struct model_open *open, const char *kind);

/* Adds the sentence of an ERR line or a notice, from the catalogue of messages; without
 * one, the words of the server. */
void told_message(struct text *out, const struct proto_line *line);
/* Adds the text of a refusal, an ERR line: "-- not played: the bishop on C0 blocks the
 * knight's step". */
void told_refusal(struct text *out, const struct proto_line *line);

/* Splits a row into words and keys, as if it were a notice. *out points into `copy`. If
 * the row is too long, *out has no words. */
enum { TOLD_ROW_BYTES = PROTO_LINE_MAX + 8 };
void told_parse_row(const char *row, char copy[TOLD_ROW_BYTES], struct proto_line *out);
/* Adds the words for `row`, a line of a list without the "|" in front. A row of an
 * unknown kind is added unchanged. */
void told_row(struct text *out, const struct model *model, const char *row);

#endif
