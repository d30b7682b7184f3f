/* See store_backup.h.
 *
 * SQLite's backup API copies what this connection writes between two steps as well.
 * The copy has no journal, and SQLite does not sync it: it counts as a backup only
 * under its final name. Each step is synced here, so that no single sync of the
 * whole file makes players wait. */
#include "server/store/store_backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/system/disk.h"
#include "server/database/store_rows.h"

enum { STEP_PAGES = 128, PATH_BYTES = 1024 };

struct store_backup {
    char path[PATH_BYTES];
    char part[PATH_BYTES + 8];
    int fd; /* of part, to sync it */
    sqlite3 *copy;
    sqlite3_backup *copying;
};

static void say(char why[STORE_WHY_BYTES], const char *words, int number)
{
    struct text text = text_into(why, STORE_WHY_BYTES);

    text_add(&text, words);
    if (number != 0)
        text_addf(&text, ": %s", strerror(number));
}

/* --- Beginning --- */

static bool name_files(struct store_backup *backup, const char *path,
                       char why[STORE_WHY_BYTES])
{
    struct text part = text_into(backup->part, sizeof backup->part);
    struct stat found;

    text_addf(&part, "%s.part", path);
    if (!text_copy(backup->path, sizeof backup->path, path) || part.is_cut)
        say(why, "the path is too long", 0);
    else if (lstat(path, &found) == 0)
        say(why, "file exists; choose another name", 0);
    else
        return true;
    return false;
}

static bool make_part(struct store_backup *backup, char why[STORE_WHY_BYTES])
{
    backup->fd =
        open(backup->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (backup->fd >= 0)
        return true;
    if (errno == EEXIST)
        say(why,
            "FILE.part exists: another backup is being made, or one was interrupted",
            0);
    else
        say(why, "the file cannot be created", errno);
    return false;
}

static bool open_copy(struct store_backup *backup, struct store_db *db,
                      char why[STORE_WHY_BYTES])
{
    if (sqlite3_open_v2(backup->part, &backup->copy,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) == SQLITE_OK &&
        sqlite3_exec(backup->copy,
                     "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                     "PRAGMA synchronous = OFF; PRAGMA cache_size = 128;",
                     NULL, NULL, NULL) == SQLITE_OK)
        backup->copying = sqlite3_backup_init(backup->copy, "main", db->file, "main");
    if (backup->copying == NULL)
        say(why, sqlite3_errmsg(backup->copy), 0);
    return backup->copying != NULL;
}

struct store_backup *store_backup_begin(struct store_db *db, const char *path,
                                        char why[STORE_WHY_BYTES])
{
    struct store_backup *backup = mem_new(sizeof *backup);

    backup->fd = -1;
    if (name_files(backup, path, why) && make_part(backup, why) &&
        open_copy(backup, db, why)) {
        log_info("store backup=%s begins", path);
        return backup;
    }
    store_backup_free(backup);
    return NULL;
}

/* --- Going on --- */

/* Never replaces another file: link() fails if it exists. Not every file system has
 * links. */
static bool give_name(const struct store_backup *backup)
{
    struct stat found;

    if (link(backup->part, backup->path) == 0)
        return unlink(backup->part) == 0;
    if (errno == EEXIST)
        return false;
    errno = EEXIST;
    return lstat(backup->path, &found) != 0 && rename(backup->part, backup->path) == 0;
}

static bool finish(struct store_backup *backup, char why[STORE_WHY_BYTES])
{
    int code = sqlite3_backup_finish(backup->copying);

    backup->copying = NULL;
    if (code != SQLITE_OK) {
        say(why, sqlite3_errstr(code), 0);
        return false;
    }
    code = sqlite3_close(backup->copy);
    backup->copy = NULL;
    if (code == SQLITE_OK && disk_sync(backup->fd) && give_name(backup) &&
        disk_sync_directory_of(backup->path))
        return true;
    say(why, "the copy cannot be finished", errno);
    return false;
}

enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES])
{
    int code = sqlite3_backup_step(backup->copying, STEP_PAGES);

    if (code == SQLITE_OK && disk_sync(backup->fd))
        return STORE_BACKUP_GOES_ON;
    if (code == SQLITE_DONE && finish(backup, why)) {
        log_info("store backup=%s done", backup->path);
        return STORE_BACKUP_DONE;
    }
    if (code == SQLITE_OK)
        say(why, "the copy cannot be synced", errno);
    else if (code != SQLITE_DONE)
        say(why, sqlite3_errstr(code), 0);
    return STORE_BACKUP_FAILED;
}

void store_backup_free(struct store_backup *backup)
{
    if (backup == NULL)
        return;
    sqlite3_backup_finish(backup->copying); /* takes NULL */
    sqlite3_close(backup->copy);
    if (backup->fd >= 0) {
        close(backup->fd);
        unlink(backup->part); /* already renamed when the copy is complete */
    }
    free(backup);
}
