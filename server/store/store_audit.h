/* A whole database read and judged as it lies there, by a program that is no server.
 * Nothing in its files is changed. */
#ifndef SERVER_STORE_STORE_AUDIT_H
#define SERVER_STORE_STORE_AUDIT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store.h"
#include "server/store/store_backup.h"
#include "server/store/store_seal.h"

struct store_audit;

/* The database file at path. NULL: *why says in words why it cannot be judged. errno is
 * EBUSY when a server runs on it. */
struct store_audit *store_audit_open(const char *path,
                                     char why[STORE_WHY_BYTES]) MUST_USE;
/* Takes NULL. */
void store_audit_close(struct store_audit *audit);

struct store_audit_calls {
    /* The events of each game, as store_event_fn is told them. */
    store_event_fn *on_event;
    /* After its events. The texts of the row live during the call. */
    void (*on_game)(void *arg, const struct store_game *row, enum store_row state);
    /* Anything else: "name", "invitation", "age", "log", "database"; which of them, or
     * ""; and what is wrong. */
    void (*on_damage)(void *arg, const char *what, const char *which, const char *why);
};

/* False: a server was started meanwhile, so nothing of it is certain. */
bool store_audit_run(struct store_audit *audit, const struct store_audit_calls *calls,
                     void *arg) MUST_USE;

#endif
