/* Caches the rows of `who`, `games` and `seeks` as one text for all clients. A request
 * rebuilds the text if the text is max_age_ms old (usually one second), or if the
 * client has acted since its last request. A client always pays for the bytes of the
 * list. If the text is rebuilt only because this client has acted, the client also pays
 * SHARED_COST lines. A shared list must not contain private rows. */
#ifndef SERVER_COMMAND_SHARED_H
#define SERVER_COMMAND_SHARED_H

#include "common/base/base.h"
#include "server/command/command.h"

enum shared_kind { SHARED_WHO, SHARED_GAMES, SHARED_SEEKS };
enum { SHARED_KINDS = SHARED_SEEKS + 1 };

struct shared;       /* one list */
struct shared_lists; /* all of them */

/* Makes the lists. A list that is max_age_ms old is rebuilt at the next request. */
struct shared_lists *shared_lists_new(int64_t max_age_ms) MUST_USE;
/* `lists` may be NULL. */
void shared_lists_free(struct shared_lists *lists);

/* Writes the rows with shared_addf(), at most LIST_ROWS_MAX. Returns how many rows the
 * list would have without that limit. */
typedef int shared_make_fn(struct world *world, struct shared *list);

/* Adds one line, "| ...", and its LF. */
void shared_addf(struct shared *list, const char *format, ...) PRINTF_LIKE(2, 3);

/* Sends the rows of the list `kind` to the caller, and returns their count. If the list
 * must be rebuilt for this client alone, the client pays SHARED_COST lines. */
enum { SHARED_COST = 10 };
int shared_send(struct call *call, enum shared_kind kind, shared_make_fn *make);

#endif
