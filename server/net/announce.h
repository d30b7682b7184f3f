/* The messages for the host at startup: the listening address, the key, and the lines
 * to send to a friend. */
#ifndef SERVER_NET_ANNOUNCE_H
#define SERVER_NET_ANNOUNCE_H

#include <stdbool.h>

#include <openssl/types.h>

struct portmap_news;
struct text;
struct world;

/* Writes the address for browsers. If web_origin is configured, the address is
 * web_origin. Otherwise the address is "https://HOST:PORT". HOST is the configured
 * public name, or, if there is no public name, an address of this machine. If the
 * certificate `cert` is not valid for this HOST, HOST is the first host name in the
 * certificate instead. Writes nothing if the certificate is not valid for HOST and does
 * not contain a host name, or if the server does not admit browsers. cert: the
 * certificate that browsers see, or NULL. Returns true if the address comes from the
 * configuration or from the certificate. Returns false if nothing was written, or if
 * HOST is an address of this machine. */
bool announce_origin(struct text *out, const struct world *world, const X509 *cert);

/* Prints the startup messages for the host. They go to standard output, where scripts
 * may read them. code: the code of the host's invitation, or NULL. is_new: the key and
 * the database were just made. */
void announce(const struct world *world, const char *code, bool is_new);

/* Writes the lines that the host can send to friends, with an explanation. Each line
 * ends with LF. code: the code of an invitation. */
enum { ANNOUNCE_BYTES = 4096 };
void announce_invite(struct text *out, const struct world *world, const char *code);

/* True if the links contain a private address. Then it makes sense to ask a router to
 * forward our port (portmap.h). */
bool announce_is_private(const struct world *world);
/* Writes the lines for friends outside our network, whose connections our router
 * forwards to us at world->outside. code: the code of an invitation, or NULL. */
void announce_outside(struct text *out, const struct world *world, const char *code);
/* Writes why no client from outside can connect, and how the host can fix it. port: the
 * port on which we listen. */
void announce_no_outside(struct text *out, const struct portmap_news *news, int port);

/* Each writes lines with a link, as announce_invite() does, and the same link from
 * outside our network, if the router forwards our port. announce_door(): an
 * invitation to become a member, for at most `uses` people. announce_owner(): the link
 * that makes its user an owner. announce_reset(): the code for a player who has lost
 * the key. days, minutes, hours: how long `code` is valid. */
void announce_door(struct text *out, const struct world *world, const char *code,
                   int uses, int days);
void announce_owner(struct text *out, const struct world *world, const char *code,
                    int minutes);
void announce_reset(struct text *out, const struct world *world, const char *name,
                    const char *code, int hours);

/* Writes the "HOST:PORT" that the links of the other functions contain. */
void announce_server(struct text *out, const struct world *world);

/* Writes where others can reach this server, as one "name=value" of an answer line,
 * with a space in front:
 * - "public=HOST:PORT" if a public name is configured;
 * - else "public=ADDRESS:PORT" that the router forwards to us, if it forwards one;
 * - else, for a client on this machine (is_near), "addresses=ADDRESS:PORT,...", the
 *   addresses of this machine;
 * - else nothing. */
void announce_places(struct text *out, const struct world *world, bool is_near);

#endif
