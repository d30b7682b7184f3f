/* The pages that a browser can ask for: the list of games, and each game as a web page,
 * as plain text, as a picture, or as a record. The reader of a page is not logged in.
 * So a page shows only games that a guest without a name may watch. A request for a
 * page does not change anything. */
#ifndef SERVER_WEB_PAGES_H
#define SERVER_WEB_PAGES_H

#include <stdint.h>

struct session;
struct world;

/* Answers a request for path, either at once or later, when the game has been read from
 * disk or its newest events have been written there. Changes `path`. */
void pages_run(struct world *world, struct session *session, char *path,
               int64_t now_ms);

#endif
