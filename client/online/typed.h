/* Handles lines that were typed, read from a pipe or given with -c: commands, and
 * answers to questions of the client. `owner` is a struct client. */
#ifndef CLIENT_ONLINE_TYPED_H
#define CLIENT_ONLINE_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "client/session/session.h"

/* The callbacks of the console: see struct console_calls. */
void typed_line(void *owner, const char *line);
void typed_answer(void *owner, int id, const char *line);
void typed_end(void *owner);
bool typed_interrupt(void *owner, bool is_last);
const char *typed_complete(void *owner, const char *before, const char *word, size_t i);

/* The callbacks of the session: see struct session_referee. */
extern const struct session_referee typed_referee;

#endif
