/* The server's answers to commands: what the player sees, and what the model learns. */
#ifndef CLIENT_VERB_ANSWERS_H
#define CLIENT_VERB_ANSWERS_H

#include "client/verb/verb.h"

/* The purpose of a command sent to the server. */
enum verb_use {
    VERB_ACTS,
    VERB_LOOKS, /* only reads, so it can be sent again */
    VERB_TALKS
};
enum verb_use answers_use(const char *verb);

/* Returns true if the text block before the OK is a list, one key=value row a line. */
bool answers_has_rows(const char *verb);

/* Adds the text that the player sees when the server has answered with OK: one line with
 * "-- " in front, or lines without it, or nothing. Call it before answers_take(). */
void answers_add(struct text *out, const struct verb_answer *answer);

/* Updates the model after the OK or ERR to the command `verb`. Returns false if it has
 * failed and will not be sent again. A script then ends. */
bool answers_take(const char *verb, const struct verb_answer *answer);

/* Returns true if a server may have the verb, though this mode has none. */
bool answers_know(const char *verb);

#endif
