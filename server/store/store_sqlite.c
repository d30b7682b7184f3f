/* See store_sqlite.h. */
#include "server/store/store_sqlite.h"

#include "server/database/store_db.h"
#include "server/store/store_backup.h"

static struct store_backup *backup(void *db, const char *path,
                                   char why[STORE_WHY_BYTES])
{
    return store_backup_begin(db, path, why);
}

const struct store_engine store_sqlite = {.version = JANGGI_VERSION,
                                          .outage = STORE_FULL,
                                          .open = store_db_open,
                                          .close = store_db_close,
                                          .survey = store_db_survey,
                                          .load = store_db_load,
                                          .load_running = store_db_load_running,
                                          .begin = store_db_begin,
                                          .put = store_db_put,
                                          .commit = store_db_commit,
                                          .read_game = store_db_read_game,
                                          .read_history = store_db_read_history,
                                          .read_unseen = store_db_read_unseen,
                                          .bytes = store_db_bytes,
                                          .has_chores = store_db_has_chores,
                                          .chores = store_db_chores,
                                          .backup = backup};
