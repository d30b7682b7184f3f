/* The host's side of the server: the control socket in the data directory, which only
 * root and the user that runs the server may use, and the verbs of the host alone. What
 * connects there is a session in SESSION_HOST (session.h), with the rights of an
 * owner. */
#ifndef SERVER_ADMIN_HOST_H
#define SERVER_ADMIN_HOST_H

#include <stdbool.h>
#include <sys/un.h>

#include "common/base/base.h"

struct command;
struct drain;
struct event_base;
struct host;
struct node;
struct world;

/* Writes the address of the control socket. `directory` is the data directory of the
 * server. False: the path is longer than CONTROL_PATH_MAX, the system's limit. */
enum { CONTROL_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
bool host_address(struct sockaddr_un *out, const char *directory) MUST_USE;

/* The verbs of the host alone; NULL after the last. */
extern const struct command *const host_verbs[];

/* Opens the control socket. Call it while this process holds the lock of the database:
 * an existing socket then belongs to a server that has ended, and is replaced. If the
 * socket cannot be made, logs why, and the server runs without it. node NULL: this server
 * is not one of several nodes. */
struct host *host_open(struct event_base *base, struct world *world,
                       struct drain *drain, const struct node *node) MUST_USE;
/* Sets `word` (good, full, slow, away) as the state of the disk, for `status`. The
 * string must stay valid. */
void host_set_disk(struct host *host, const char *word);
/* Returns the text of `health` (one line) or `metrics`; the caller frees it. *is_good:
 * the server accepts players and moves. */
char *host_probe(const struct host *host, bool is_health, bool *is_good) MUST_USE;
/* Removes the control socket; call it before the database is closed. Accepts NULL. */
void host_close(struct host *host);
/* Call it when the server has ended: answers who waits for that. Accepts NULL. */
void host_free(struct host *host);

#endif
