/* Puts the server together: makes its parts, connects their callbacks, handles signals.
 * drain.h has the shutdown. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

struct config;

/* Runs the server until it is shut down (drain.h). Returns the exit status: 0 after a
 * shutdown; 70 if the event loop failed; another one if the server could not start: 71
 * socket, 72 key or certificate, 73 database, 75 database away for now or no room for
 * the host's program, 77 unsafe user or directory, 78 the host's program. */
int server_run(struct config *config);

/* --check-config: opens the certificate and key as a start would, without listening,
 * and prints all settings. Returns the exit status: 0, or 72 key or certificate. */
int server_check(const struct config *config);

/* janggid key: prints the key by which clients know this server. Returns the exit
 * status: 0, or 72 if there is no key or certificate that can be read. */
int server_print_key(const struct config *config);

#endif
