/* Puts the server together: makes its parts, connects their callbacks, handles signals.
 * drain.h has the shutdown. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

struct config;

/* Runs the server until it is shut down (drain.h). Returns the exit status: 0 after a
 * shutdown, 70 if the event loop failed. If the server could not start, the status says
 * what failed: 71 a socket, 72 the key or the certificate, 73 the database, 77 an
 * unsafe user or directory, 78 the notify program. The status is 75 if a new start
 * may help: the database cannot be reached now, or the system does not have enough
 * resources for the notify program. */
int server_run(struct config *config);

/* --check-config: opens the certificate and the key as a start would, but does not
 * listen. Prints all settings. Returns the exit status: 0, or 72 if the key or the
 * certificate cannot be used. */
int server_check(const struct config *config);

/* janggid key: prints the key by which clients know this server. Returns the exit
 * status: 0, or 72 if there is no key or certificate that can be read. */
int server_print_key(const struct config *config);

#endif
