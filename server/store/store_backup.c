/* See store_backup.h.
 *
 * This connection may write to the database between two steps. SQLite's backup API then
 * copies these changes too. The copy has no journal, and SQLite does not sync the copy.
 * So the copy counts as a backup only when it has its final name. store_backup_step()
 * syncs the copy after each step. Otherwise players would have to wait for one long
 * sync of the whole copy. */
#include "server/store/store_backup.h"

#include <errno.h>
#include <stdlib.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/system/disk.h"
#include "server/database/store_db.h"
#include "server/store/store_part.h"

enum { STEP_PAGES = 128 };

struct store_backup {
    struct store_part file;
    sqlite3 *copy;
    sqlite3_backup *copying;
};

/* --- Beginning --- */

static bool open_copy(struct store_backup *backup, struct store_db *db,
                      char why[STORE_WHY_BYTES])
{
    if (sqlite3_open_v2(backup->file.part, &backup->copy,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) == SQLITE_OK &&
        sqlite3_exec(backup->copy,
                     "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                     "PRAGMA synchronous = OFF; PRAGMA cache_size = 128;",
                     NULL, NULL, NULL) == SQLITE_OK)
        backup->copying = sqlite3_backup_init(backup->copy, "main", db->file, "main");
    if (backup->copying == NULL)
        store_part_say(why, sqlite3_errmsg(backup->copy), 0);
    return backup->copying != NULL;
}

struct store_backup *store_backup_begin(struct store_db *db, const char *path,
                                        char why[STORE_WHY_BYTES])
{
    struct store_backup *backup = mem_new(sizeof *backup);

    if (store_part_create(&backup->file, path, why) && open_copy(backup, db, why)) {
        log_info("store backup=%s begins", path);
        return backup;
    }
    store_backup_free(backup);
    return NULL;
}

/* --- Going on --- */

static bool finish(struct store_backup *backup, char why[STORE_WHY_BYTES])
{
    int code = sqlite3_backup_finish(backup->copying);

    backup->copying = NULL;
    if (code != SQLITE_OK) {
        store_part_say(why, sqlite3_errstr(code), 0);
        return false;
    }
    code = sqlite3_close(backup->copy);
    backup->copy = NULL;
    if (code == SQLITE_OK && store_part_finish(&backup->file))
        return true;
    store_part_say(why, "the copy cannot be finished", errno);
    return false;
}

enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES])
{
    int code = sqlite3_backup_step(backup->copying, STEP_PAGES);

    if (code == SQLITE_OK && disk_sync(backup->file.fd))
        return STORE_BACKUP_GOES_ON;
    if (code == SQLITE_DONE && finish(backup, why)) {
        log_info("store backup=%s done", backup->file.path);
        return STORE_BACKUP_DONE;
    }
    if (code == SQLITE_OK)
        store_part_say(why, "the copy cannot be synced", errno);
    else if (code != SQLITE_DONE)
        store_part_say(why, sqlite3_errstr(code), 0);
    return STORE_BACKUP_FAILED;
}

void store_backup_free(struct store_backup *backup)
{
    if (backup == NULL)
        return;
    sqlite3_backup_finish(backup->copying); /* takes NULL */
    sqlite3_close(backup->copy);
    store_part_drop(&backup->file);
    free(backup);
}
