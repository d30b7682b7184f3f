/* A server to be measured: janggid or, for comparison, Debian's redis-server over TLS.
 * There are two kinds of redis-server: TARGET_REDIS stores nothing, and TARGET_AOF
 * syncs each line to the disk, as janggid does. Each server is a child process with its
 * own directory. */
#ifndef TESTS_BENCH_TARGET_H
#define TESTS_BENCH_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include <openssl/ssl.h>

#include "tests/lib/janggid.h"

enum target_kind { TARGET_JANGGID, TARGET_REDIS, TARGET_AOF };
enum { TARGETS = TARGET_AOF + 1 };

struct target {
    enum target_kind kind;
    char directory[PROCESS_PATH_BYTES];
    struct janggid janggid;
    pid_t pid;
    int port;
};

const char *target_name(enum target_kind kind);
/* Starts a fresh server in an empty directory below `parent`. under: a program that is
 * to run the server (valgrind), with its arguments and NULL at the end; or NULL. False:
 * it did not start. */
bool target_start(struct target *target, enum target_kind kind, const char *build,
                  const char *parent, const char *const *under) MUST_USE;
void target_stop(struct target *target);
/* Makes a context for connections to a target of any kind. The context offers only one
 * TLS suite: the suite that encrypts short lines fastest on this processor. So all
 * servers use the same suite. If the context offered more suites, janggid could choose
 * another suite under valgrind, because janggid measures the suites at its start. The
 * caller owns the context. */
SSL_CTX *target_client_ctx(const char *cert_path, const char *key_path) MUST_USE;

#endif
