/* Converts a typed line to an action. Has the books of verbs, finds verbs by unique
 * prefixes, suggests verbs for misspelled words, and writes the help. Pure: does not
 * change the model or the screen. */
#ifndef CLIENT_VERB_VERBS_H
#define CLIENT_VERB_VERBS_H

#include "client/verb/verb.h"

extern const struct verb_book verbs_of_client; /* for a client that is connected
                                                * to a server */
extern const struct verb_book verbs_of_local;  /* for a game at one terminal */
extern const struct verb_book verbs_of_replay;
extern const struct verb_book verbs_of_learn;

/* Converts the typed line to the action *out. `view`: how boards look, and what is on
 * the screen. `board`: the board that a typed move refers to; NULL: the board of the
 * model's current game. If no verb of the book needs a game, the model may be empty.
 * For an empty line, out->kind is ACTION_NOTHING, with one exception: if the screen
 * proposes a line-up or a move, the empty line accepts the proposal. */
void verbs_read(const struct verb_book *book, const struct model *model,
                const struct typed_board *board, const char *typed,
                const struct render_view *view, struct action *out);

/* Returns the name of the verb that `word`, in small letters, names, abbreviates, or is
 * another name of; NULL: there is none. */
const char *verbs_find(const struct verb_book *book, const struct model *model,
                       const char *word);
/* Returns verb number `i` of the book; NULL after the last. */
const struct verb *verbs_row(const struct verb_book *book, size_t i);
/* Returns the verb of the book with this name; NULL: it is the server's, or none. */
const struct verb *verbs_get(const struct verb_book *book, const char *name);
/* Returns the name of verb number `i` of the book and the server; NULL after the last. */
const char *verbs_name_at(const struct verb_book *book, const struct model *model,
                          size_t i);

#endif
