/* The pages that a browser can ask for: the list of games, a game as text, figure or
 * picture. Nobody is logged in on these pages: they show what a guest without a name
 * may watch. Pages change nothing. */
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
