/* The host's own door: a socket in the data directory, for the user that the server
 * runs as and for root. Whoever connects sends one line and gets lines back: "| ..."
 * for each row of an answer, and one "OK ..." or "ERR ..." at the end, after which the
 * connection closes. Knows libevent and the socket; what is asked and answered is
 * host.h. */
#ifndef SERVER_ADMIN_CONTROL_H
#define SERVER_ADMIN_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "common/base/base.h"

struct control;
struct event_base;
struct talk; /* one connection and what it asked */

enum { CONTROL_LINE_MAX = 8192 }; /* bytes of a request: a path fits */

/* The socket of the server on directory. False: its path is longer than that of a
 * socket may be (CONTROL_PATH_MAX bytes). */
enum { CONTROL_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
bool control_address(struct sockaddr_un *out, const char *directory) MUST_USE;

/* A request, without its line end; it may be changed. The answer may come later: keep
 * control_id() until then. */
typedef void control_ask_fn(void *arg, struct talk *talk, char *line);

/* Call it while the database is ours: a socket that is there belongs to a server that
 * is dead, and is replaced. NULL after logging why; a server can do without. */
struct control *control_open(struct event_base *base, const char *directory,
                             control_ask_fn *on_ask, void *arg) MUST_USE;
/* Takes the socket away, while the database is ours still; who waits, waits on. Takes
 * NULL. */
void control_close(struct control *control);
/* The server has ended: says so to who waits. Takes NULL. */
void control_free(struct control *control);

uint64_t control_id(const struct talk *talk);
/* NULL when it has gone or was answered. */
struct talk *control_find(struct control *control, uint64_t id);

/* One row of the answer. */
void control_sayf(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);
/* The end of the answer. */
void control_ok(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);
void control_refuse(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);

/* It waits for the end of the server, which is then its OK and not a failure. */
void control_await_end(struct talk *talk);
/* Refuses all that wait for the end. */
void control_refuse_waiting(struct control *control, const char *words);

#endif
