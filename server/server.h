/* The whole server put together: hands the callbacks down and watches signals. How it
 * ends is drain.h. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "common/base/base.h"

struct config;

/* Runs until SIGINT or SIGTERM. The exit status: 0, or why it could not start (72 key
 * or certificate, 73 database, 71 socket). */
int server_run(const struct config *config);

/* --check-config: opens the certificate and key as a start would, and listens to
 * nothing. */
int server_check(const struct config *config);

/* janggid key: prints the key that clients know this server by. */
int server_print_key(const struct config *config);

#endif
