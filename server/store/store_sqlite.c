/* See store_sqlite.h. Passes each call on to the functions in server/database, which
 * know the tables. */
#include "server/store/store_sqlite.h"

#include <stdlib.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/database/store_db.h"
#include "server/database/store_erase.h"
#include "server/database/store_fetch.h"
#include "server/database/store_journal.h"
#include "server/store/store_backup.h"
#include "server/store/store_patrol.h"

enum {
    CHECKPOINT_PAGES =
        1000,              /* pages in the write-ahead log at which a checkpoint is made
                            * if idle */
    CHECKPOINT_MUST = 8000 /* pages at which a checkpoint is made even if busy (32
                            * MB) */
};

struct sqlite_log {
    struct store_db *db;
    struct store_patrol patrol;
};

/* --- Opening and closing --- */

static void *sqlite_open(const struct store_place *place)
{
    struct store_db *db = store_db_open(place->directory);
    struct sqlite_log *log;

    if (db == NULL)
        return NULL;
    log = mem_new(sizeof *log);
    log->db = db;
    return log;
}

static void sqlite_close(void *arg)
{
    struct sqlite_log *log = arg;

    if (log == NULL)
        return;
    store_db_close(log->db);
    free(log);
}

/* --- At start --- */

static bool sqlite_survey(void *arg, struct store_survey *out)
{
    struct sqlite_log *log = arg;

    return store_fetch_survey(log->db, &out->last_game, &out->age) &&
           store_fetch_last_act(log->db, &out->last_act);
}

static bool sqlite_load(void *arg, const struct store_visitor *visitor)
{
    struct store_db *db = ((struct sqlite_log *)arg)->db;

    if (visitor->running != NULL)
        return store_fetch_running(db, visitor->running, visitor->arg);
    if (visitor->unseen != NULL)
        return store_fetch_all_unseen(db, visitor->unseen, visitor->arg);
    return store_fetch_rows(db, visitor);
}

/* --- Writing --- */

/* Begins a transaction. If the last transaction failed (is_again), tries a checkpoint
 * first. After a checkpoint, SQLite overwrites the write-ahead log from its start. This
 * may give all the space that is needed. */
static bool sqlite_begin(void *arg, bool is_again)
{
    struct sqlite_log *log = arg;

    if (is_again && !store_db_checkpoint(log->db))
        log_debug("store disk=full");
    return store_db_begin(log->db);
}

static bool sqlite_put(void *arg, struct store_write *write)
{
    struct store_db *db = ((struct sqlite_log *)arg)->db;

    switch (write->kind) {
    case STORE_WRITE_EVENTS:
        return store_db_put_events(db, &write->events);
    case STORE_WRITE_PRUNE:
        return store_db_prune(db, write->prune.before_wall_s, write->prune.game,
                              &write->prune.pruned);
    case STORE_WRITE_PUT:
        return store_db_put(db, write->row.kind, &write->row.of);
    case STORE_WRITE_DROP:
        return store_db_drop(db, write->row.kind, &write->row.of, write->row.is_all);
    case STORE_WRITE_DROP_UNSEEN:
        return store_db_drop_unseen(db, write->unseen.folded, write->unseen.game);
    case STORE_WRITE_REPLACE_ACT:
        return store_db_replace_act(db, &write->row.of.act);
    case STORE_WRITE_ERASE:
        return store_erase_player(db, &write->erase);
    }
    log_die("store bug=\"a write of kind %d\"", (int)write->kind);
}

static bool sqlite_commit(void *arg)
{
    return store_db_commit(((struct sqlite_log *)arg)->db);
}

/* --- Reading later --- */

static bool sqlite_read_game(void *arg, struct store_reading *reading, int limit,
                             store_event_fn *row, void *row_arg)
{
    store_fetch_game(((struct sqlite_log *)arg)->db, reading, limit, row, row_arg);
    return true;
}

static bool sqlite_read_history(void *arg, const char *folded, int64_t first, int limit,
                                store_past_fn *row, void *row_arg)
{
    store_fetch_history(((struct sqlite_log *)arg)->db, folded, first, limit, row,
                        row_arg);
    return true;
}

static bool sqlite_read_unseen(void *arg, const char *folded, store_past_fn *row,
                               void *row_arg)
{
    store_fetch_unseen(((struct sqlite_log *)arg)->db, folded, row, row_arg);
    return true;
}

/* --- Care --- */

static int64_t sqlite_bytes(void *arg)
{
    return store_db_bytes(((struct sqlite_log *)arg)->db);
}

/* True when the write-ahead log is so long that it is time for a checkpoint, which
 * takes tens of milliseconds. */
static bool is_log_long(const struct store_db *db, bool is_idle)
{
    return store_db_waiting_pages(db) >= (is_idle ? CHECKPOINT_PAGES : CHECKPOINT_MUST);
}

static bool sqlite_has_chores(void *arg, bool is_idle)
{
    const struct store_db *db = ((struct sqlite_log *)arg)->db;

    return store_journal_is_long(db, is_idle) || is_log_long(db, is_idle);
}

static bool sqlite_chores(void *arg, bool is_idle)
{
    struct store_db *db = ((struct sqlite_log *)arg)->db;

    if (store_journal_is_long(db, is_idle) && !store_journal_park(db))
        return false;
    return !is_log_long(db, is_idle) || store_db_checkpoint(db);
}

static bool sqlite_patrol(void *arg)
{
    struct sqlite_log *log = arg;

    store_patrol_step(&log->patrol, log->db);
    return !log->patrol.is_done;
}

static struct store_backup *sqlite_backup(void *arg, const char *path,
                                          char why[STORE_WHY_BYTES])
{
    return store_backup_begin(((struct sqlite_log *)arg)->db, path, why);
}

const struct store_engine store_sqlite = {.version = JANGGI_VERSION,
                                          .outage = STORE_FULL,
                                          .open = sqlite_open,
                                          .close = sqlite_close,
                                          .survey = sqlite_survey,
                                          .load = sqlite_load,
                                          .begin = sqlite_begin,
                                          .put = sqlite_put,
                                          .commit = sqlite_commit,
                                          .read_game = sqlite_read_game,
                                          .read_history = sqlite_read_history,
                                          .read_unseen = sqlite_read_unseen,
                                          .bytes = sqlite_bytes,
                                          .chores = sqlite_chores,
                                          .has_chores = sqlite_has_chores,
                                          .patrol = sqlite_patrol,
                                          .backup = sqlite_backup};
