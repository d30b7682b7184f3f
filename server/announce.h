/* What the host sees at the start: where the server listens, its key, and the lines to
 * send to a friend. Written to standard output; scripts may read it. */
#ifndef SERVER_ANNOUNCE_H
#define SERVER_ANNOUNCE_H

#include <stdbool.h>

struct config;
struct listener;
struct tls_key;

/* code: of the host's invitation, or NULL. is_new: key and database were made just now.
 */
void announce(const struct config *config, const struct listener *listener,
              const struct tls_key *key, const char *code, bool is_new);

#endif
