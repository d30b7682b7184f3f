/* From a typed line to an action: the books of verbs, unique prefixes, what was probably
 * meant, and the help. Pure: changes neither model nor screen. */
#ifndef CLIENT_VERB_VERBS_H
#define CLIENT_VERB_VERBS_H

#include <stdint.h>

#include "client/verb/verb.h"

extern const struct verb_book verbs_of_client; /* at a server */
extern const struct verb_book verbs_of_local;  /* in a game at one terminal */
extern const struct verb_book verbs_of_replay;
extern const struct verb_book verbs_of_learn;

/* What the typed line asks for, with boards as view has them. A typed move is about
 * board; NULL: about the board of the model's current game. A model without a game will
 * do where no verb of the book asks for one. action->kind is ACTION_NOTHING for an empty
 * line, but where a screen proposes a line-up. */
void verbs_read(const struct verb_book *book, const struct model *model,
                const struct typed_board *board, const char *typed,
                const struct render_view *view, struct action *out);

/* The verb that word names, in full, by an alias, or by a beginning that only one has.
 * NULL for none. */
const struct verb *verbs_find(const struct verb_book *book, const char *word);

/* The verb for a server whose command line is, or begins with, line: "challenge kim 5m"
 * is match. NULL for none. */
const struct verb *verbs_find_command(const char *line);

/* The words for the OK to a command of ours, before the model takes it in, with a mark
 * and a line end; perhaps none. */
void verbs_add_answer(struct text *out, const struct verb_answer *answer);

/* The i-th verb, NULL after the last. */
const struct verb *verbs_at(const struct verb_book *book, size_t i);

#endif
