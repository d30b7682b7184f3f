/* A server to be measured: janggid, or Debian's redis-server over TLS, the usual
 * alternative. One kind of redis-server stores nothing (TARGET_REDIS), the other syncs
 * each line as janggid does (TARGET_AOF). Each server is a child process with its own
 * directory. */
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
/* Makes a context for connections to a target of any kind. It offers only the TLS suite
 * that is the fastest for lines on this processor, so that all servers encrypt alike.
 * Otherwise janggid, which measures the suites at its start, would choose another suite
 * under valgrind. The caller owns the context. */
SSL_CTX *target_client_ctx(const char *cert_path, const char *key_path) MUST_USE;

#endif
