/* The control socket of the server. It is in the data directory. Only root and the user
 * that runs the server may use it. A client sends a request, which is one line. The
 * server answers with these lines, and then closes the connection:
 *   | ...      for each row
 *   OK ...     at the end, if the request succeeded
 *   ERR ...    at the end, if the request failed
 * This module reads and writes the socket; the module host.h carries out the requests. */
#ifndef SERVER_ADMIN_CONTROL_H
#define SERVER_ADMIN_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "common/base/base.h"

struct control;
struct event_base;
struct talk; /* one connection and its request */
struct wire_hub;

enum { CONTROL_LINE_MAX = 8192 }; /* limit of a request: long enough for a path */

/* Writes the address of the control socket. `directory` is the data directory of the
 * server. False: the path of the socket is longer than CONTROL_PATH_MAX, the system's
 * limit for a socket. */
enum { CONTROL_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
bool control_address(struct sockaddr_un *out, const char *directory) MUST_USE;

/* Called for each request. line: the request without its line end; the callee may
 * change it. To answer later, the callee stores control_id(talk), and then finds the
 * request with control_find(). */
typedef void control_ask_fn(void *arg, struct talk *talk, char *line);

/* Opens the control socket. Call it while this process holds the lock of the database:
 * an existing socket then belongs to a server that has ended, and is replaced. Borrows
 * the hub, whose gate the answers wait for, until control_free(). Returns
 * NULL after logging why it cannot; the server can run without a control socket. */
struct control *control_open(struct event_base *base, struct wire_hub *hub,
                             const char *directory, control_ask_fn *on_ask,
                             void *arg) MUST_USE;
/* Removes the socket; call it while the database is still locked. Open requests stay
 * open. Accepts NULL. */
void control_close(struct control *control);
/* Call it when the server has ended. Sends OK to the requests that called
 * control_await_end(), and ERR to all other open requests. Accepts NULL. */
void control_free(struct control *control);

uint64_t control_id(const struct talk *talk);
/* Returns the request with that control_id(). NULL: it was answered, or its connection
 * was closed. */
struct talk *control_find(struct control *control, uint64_t id);

/* Sends one row of the answer. */
void control_sayf(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);
/* End the answer: control_ok() with OK, control_refuse() with ERR. */
void control_ok(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);
void control_refuse(struct talk *talk, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes the request wait: it gets its OK when the server has ended. */
void control_await_end(struct talk *talk);
/* Refuses all requests that wait for the end. */
void control_refuse_waiting(struct control *control, const char *words);

#endif
