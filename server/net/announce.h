/* What the host sees at the start: the listening address, the key, and the lines to
 * send to a friend. */
#ifndef SERVER_NET_ANNOUNCE_H
#define SERVER_NET_ANNOUNCE_H

#include <stdbool.h>

struct config;
struct listener;
struct text;
struct tls_key;

/* Prints to standard output; scripts may read it. code: of the host's invitation, or
 * NULL. is_new: key and database were just made. */
void announce(const struct config *config, const struct listener *listener,
              const struct tls_key *key, const char *code, bool is_new);

/* The lines to send, with an explanation: several lines, each with its LF. */
enum { ANNOUNCE_BYTES = 4096 };
void announce_invite(struct text *out, const struct config *config,
                     const struct listener *listener, const struct tls_key *key,
                     const char *code);

/* Where others can reach this server, as items of an answer: " public=HOST:PORT" if it
 * is configured; otherwise " addresses=ADDRESS:PORT,..." of this machine, but only for
 * a client on this machine; otherwise nothing. */
void announce_places(struct text *out, const struct config *config,
                     const struct listener *listener, bool is_near);

#endif
