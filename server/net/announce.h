/* The messages for the host at startup: the listening address, the key, and the lines
 * to send to a friend. */
#ifndef SERVER_NET_ANNOUNCE_H
#define SERVER_NET_ANNOUNCE_H

#include <stdbool.h>

#include <openssl/types.h>

struct config;
struct listener;
struct portmap_news;
struct text;
struct tls_key;

/* What the links for browsers need. */
struct announce_web {
    const char *origin; /* as announce_origin() found it */
    bool has_page;      /* the program contains the page, and not only pages of text */
};

/* Writes "https://HOST:PORT", where this server answers browsers; nothing if it lets no
 * browsers in, or if the certificate names no host. cert: the one that browsers see, or
 * NULL. True if HOST comes from the configuration or from the certificate; otherwise it
 * is an address of this machine. */
bool announce_origin(struct text *out, const struct config *config,
                     const struct listener *listener, const X509 *cert);

/* Prints to standard output; scripts may read it. code: of the host's invitation, or
 * NULL. is_new: key and database were just made. */
void announce(const struct config *config, const struct listener *listener,
              const struct announce_web *web, const struct tls_key *key,
              const char *code, bool is_new);

/* The lines to send, with an explanation: several lines, each with its LF. */
enum { ANNOUNCE_BYTES = 4096 };
void announce_invite(struct text *out, const struct config *config,
                     const struct listener *listener, const struct announce_web *web,
                     const struct tls_key *key, const char *code);

/* True if the address in links is a private one: a router may forward our port. */
bool announce_is_private(const struct config *config, const struct listener *listener);
/* Writes the lines for friends outside our network. outside: the "ADDRESS:PORT" that our
 * router forwards to us. code: NULL for none. */
void announce_outside(struct text *out, const char *outside, const struct tls_key *key,
                      const char *code);
/* Writes any other link for these friends: "janggi://OUTSIDE/WORD/CODE/KEY", without a
 * code if that is "". Nothing if the router forwards nothing (outside is ""). */
void announce_outside_link(struct text *out, const char *outside,
                           const struct tls_key *key, const char *word,
                           const char *code);
/* Writes why no client from outside can connect, and how the host can fix it. port:
 * ours. */
void announce_no_outside(struct text *out, const struct portmap_news *news, int port);

/* As announce_invite(): the lines for an invitation to the door, for the owner link, and
 * for the code of a player who has lost their key. */
void announce_door(struct text *out, const struct config *config,
                   const struct listener *listener, const struct tls_key *key,
                   const char *code, int uses, int days);
void announce_owner(struct text *out, const struct config *config,
                    const struct listener *listener, const struct tls_key *key,
                    const char *code, int minutes);
void announce_reset(struct text *out, const struct config *config,
                    const struct listener *listener, const struct tls_key *key,
                    const char *name, const char *code, int hours);

/* Writes "HOST:PORT" of the links that the others print. */
void announce_server(struct text *out, const struct config *config,
                     const struct listener *listener);

/* Writes the addresses at which others can reach this server, as items of an answer:
 * " public=HOST:PORT" if that is configured, or if the router forwards a port to us, with
 * outside for HOST:PORT (else outside is ""); otherwise " addresses=ADDRESS:PORT,..." of
 * this machine, but only for a client on this machine (is_near); otherwise nothing. */
void announce_places(struct text *out, const struct config *config,
                     const struct listener *listener, const char *outside,
                     bool is_near);

#endif
