/* Entering and leaving a server: asks the person whether to trust its key and which
 * name to use, greets after the login, and reports why a visit ended. `owner` is a
 * struct client. */
#ifndef CLIENT_ONLINE_ENTRY_H
#define CLIENT_ONLINE_ENTRY_H

#include <stdbool.h>

#include "client/net/visit.h"
#include "common/net/proto.h"

struct client;

/* The callbacks of a visit: see visit.h. */
void entry_on_met(void *owner, const char *words, bool keeps_other);
void entry_on_ask_key(void *owner, const char *words);
void entry_on_ask_name(void *owner, const char *bad, const char *busy, bool is_refused);
void entry_on_beside(void *owner, const char *busy, const char *name);
void entry_on_refused(void *owner, const struct proto_line *line);
void entry_on_resume(void *owner, const char *games);
void entry_on_ready(void *owner, const struct proto_line *line, bool is_first);
void entry_on_end(void *owner, enum visit_end end);
/* entry_take_key() handles the answer to QUESTION_KEY, entry_take_name() the answer to
 * QUESTION_NAME. */
void entry_take_key(struct client *client, const char *line);
void entry_take_name(struct client *client, const char *line);

#endif
