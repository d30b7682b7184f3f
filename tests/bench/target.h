/* A server to be measured: janggid, or Debian's redis-server over TLS as the peer that
 * a user would reach for: one that stores nothing, and one that syncs each line as
 * janggid does. All are children with a directory of their own. */
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
/* A fresh one, with an empty directory below parent. under: a program to run it under,
 * with its arguments and NULL at the end; or NULL. False after printing why. */
bool target_start(struct target *target, enum target_kind kind, const char *build,
                  const char *parent, const char *const *under) MUST_USE;
void target_stop(struct target *target);
/* A context for connections to any of them. It offers only the suite that is the fastest
 * for lines on this processor, so that all servers encrypt alike, also under valgrind:
 * there janggid would measure the suites at its start and choose another one. The caller
 * owns it. */
SSL_CTX *target_client_ctx(const char *cert_path, const char *key_path) MUST_USE;

#endif
