/* Reads and checks a whole database file, for a program that is not a server. Changes
 * nothing. */
#ifndef SERVER_STORE_STORE_AUDIT_H
#define SERVER_STORE_STORE_AUDIT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store.h"
#include "server/store/store_engine.h"
#include "server/store/store_row.h"

struct store_audit;
struct store_db;

/* Opens the database file at `path`. Returns NULL if it cannot be checked; *why says
 * why, and errno is EBUSY when a server uses it. */
struct store_audit *store_audit_open(const char *path,
                                     char why[STORE_WHY_BYTES]) MUST_USE;
/* Takes a database that is open already. It must have the current schema, and no server
 * may use its file. The audit owns it from now on. */
struct store_audit *store_audit_adopt(struct store_db *db) MUST_USE;
/* Returns the database of the audit, for a caller that wants to read more of it. */
struct store_db *store_audit_database(struct store_audit *audit);
/* Accepts NULL. */
void store_audit_close(struct store_audit *audit);

struct store_audit_calls {
    /* Called for each event of each game, as store_event_fn says. */
    store_event_fn *on_event;
    /* Called after the game's events. The texts of the row are valid during the
     * call. */
    void (*on_game)(void *arg, const struct store_game *row, enum store_row state);
    /* Called for each undamaged row of another kind, in the order of the keys: of acts and
     * ratings, up to the first damaged one. */
    void (*on_row)(void *arg, enum store_kind kind, const void *row);
    /* Called for other damage. what: the kind of the damaged thing: "name",
     * "invitation", "age", "mark", "act", "rating", "journal", "head", "log" or
     * "database";
     * which: its key, or ""; why: the error. */
    void (*on_damage)(void *arg, const char *what, const char *which, const char *why);
};

/* Checks the whole database and makes the calls. Returns false if a server was started
 * meanwhile, so that the result is not reliable. */
bool store_audit_run(struct store_audit *audit, const struct store_audit_calls *calls,
                     void *arg) MUST_USE;
/* True if no server was started meanwhile, so that what was read after the audit is
 * reliable as well. */
bool store_audit_is_certain(const struct store_audit *audit);

#endif
