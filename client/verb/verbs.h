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

/* Finds the verb by its name, an alias, or a unique prefix; NULL if there is none. */
const struct verb *verbs_find(const struct verb_book *book, const char *word);

/* The first word of `line` is the name of a server command. Returns the verb that sends
 * this command: for "challenge kim 5m", the verb "match". Returns NULL if there is no
 * such verb. */
const struct verb *verbs_find_command(const char *line);

/* Appends to `out` the text that the player sees when the server has answered our
 * command with OK. The text is one line with "-- " in front, or lines without "-- ", or
 * nothing. Call this function before updating the model. */
void verbs_add_answer(struct text *out, const struct verb_answer *answer);

#endif
