/* See store_vfs.h. */
#include "server/sqlite/store_vfs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"

enum { GATHERED_BYTES = 64 * 1024 }; /* about 15 frames */

/* An open write-ahead log. The file struct of the default VFS follows it in memory. */
struct gathering {
    sqlite3_file base;
    bool gathers;         /* false: each write goes to the file at once */
    sqlite3_int64 offset; /* place of the first gathered byte in the file */
    int len;
    char *bytes; /* GATHERED_BYTES, allocated by the first write */
    sqlite3_file real[];
};

static struct gathering *gathering_of(sqlite3_file *file)
{
    return (struct gathering *)file;
}

/* --- Gathering --- */

/* Writes the gathered bytes to the file. Drops them even if that fails: they all belong
 * to the current transaction, which SQLite rolls back when a write or a sync returns
 * the error. */
static int flush(struct gathering *log)
{
    int len = log->len;

    log->len = 0;
    return len == 0
               ? SQLITE_OK
               : log->real->pMethods->xWrite(log->real, log->bytes, len, log->offset);
}

static bool has_room(const struct gathering *log, int len, sqlite3_int64 offset)
{
    return log->len == 0 ||
           (offset == log->offset + log->len && len <= GATHERED_BYTES - log->len);
}

static int on_write(sqlite3_file *file, const void *bytes, int len,
                    sqlite3_int64 offset)
{
    struct gathering *log = gathering_of(file);
    int code = has_room(log, len, offset) ? SQLITE_OK : flush(log);

    if (code != SQLITE_OK)
        return code;
    if (!log->gathers || len > GATHERED_BYTES)
        return log->real->pMethods->xWrite(log->real, bytes, len, offset);
    if (log->bytes == NULL)
        log->bytes = mem_resize(NULL, GATHERED_BYTES, 1);
    if (log->len == 0)
        log->offset = offset;
    memcpy(log->bytes + log->len, bytes, (size_t)len);
    log->len += len;
    return SQLITE_OK;
}

/* --- What is passed on, most after the gathered bytes --- */

static int on_close(sqlite3_file *file)
{
    struct gathering *log = gathering_of(file);
    int flushed = flush(log);
    int code = log->real->pMethods->xClose(log->real);

    free(log->bytes);
    return flushed != SQLITE_OK ? flushed : code;
}

/* If all of the bytes are gathered, copies them. If none of them is gathered, reads the
 * file. If only some are gathered, first writes all gathered bytes to the file, then
 * reads the file. The first two cases must not write: if a read returned the error of a
 * failed write, SQLite would not roll back the whole transaction. */
static int on_read(sqlite3_file *file, void *out, int len, sqlite3_int64 offset)
{
    struct gathering *log = gathering_of(file);
    sqlite3_int64 end = log->offset + log->len;
    bool is_apart = log->len == 0 || offset >= end || offset + len <= log->offset;
    int code = SQLITE_OK;

    if (!is_apart && offset >= log->offset && offset + len <= end) {
        memcpy(out, log->bytes + (offset - log->offset), (size_t)len);
        return SQLITE_OK;
    }
    if (!is_apart)
        code = flush(log);
    return code != SQLITE_OK ? code
                             : log->real->pMethods->xRead(log->real, out, len, offset);
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 to)
{
    struct gathering *log = gathering_of(file);
    int code = flush(log);

    return code != SQLITE_OK ? code : log->real->pMethods->xTruncate(log->real, to);
}

static int on_sync(sqlite3_file *file, int flags)
{
    struct gathering *log = gathering_of(file);
    int code = flush(log);

    return code != SQLITE_OK ? code : log->real->pMethods->xSync(log->real, flags);
}

static int on_file_size(sqlite3_file *file, sqlite3_int64 *out)
{
    struct gathering *log = gathering_of(file);
    int code = flush(log);

    return code != SQLITE_OK ? code : log->real->pMethods->xFileSize(log->real, out);
}

static int on_lock(sqlite3_file *file, int level)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xLock(real, level);
}

static int on_unlock(sqlite3_file *file, int level)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xUnlock(real, level);
}

static int on_check_lock(sqlite3_file *file, int *out)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xCheckReservedLock(real, out);
}

static int on_control(sqlite3_file *file, int what, void *arg)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xFileControl(real, what, arg);
}

static int on_sector_size(sqlite3_file *file)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xSectorSize(real);
}

static int on_characteristics(sqlite3_file *file)
{
    sqlite3_file *real = gathering_of(file)->real;

    return real->pMethods->xDeviceCharacteristics(real);
}

/* --- Opening --- */

/* Opens a write-ahead log. Without POWERSAFE_OVERWRITE nothing is gathered: SQLite then
 * repeats the last frame of a commit to fill a sector, and writes a part of it after
 * the sync. That part would be lost if the writes of a later transaction failed. */
static int open_log(sqlite3_vfs *below, const char *name, sqlite3_file *file, int flags,
                    int *out_flags)
{
    static const sqlite3_io_methods methods = {
        .iVersion = 1,
        .xClose = on_close,
        .xRead = on_read,
        .xWrite = on_write,
        .xTruncate = on_truncate,
        .xSync = on_sync,
        .xFileSize = on_file_size,
        .xLock = on_lock,
        .xUnlock = on_unlock,
        .xCheckReservedLock = on_check_lock,
        .xFileControl = on_control,
        .xSectorSize = on_sector_size,
        .xDeviceCharacteristics = on_characteristics,
    };
    struct gathering *log = gathering_of(file);
    int code;

    *log = (struct gathering){0};
    code = below->xOpen(below, name, log->real, flags, out_flags);
    if (code != SQLITE_OK)
        return code;
    log->base.pMethods = &methods;
    log->gathers = (on_characteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
    return SQLITE_OK;
}

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                   int *out_flags)
{
    sqlite3_vfs *below = sqlite3_vfs_find(NULL);

    if (below->szOsFile + (int)sizeof(struct gathering) > vfs->szOsFile)
        return SQLITE_CANTOPEN; /* a new default VFS needs more memory */
    return (flags & SQLITE_OPEN_WAL) != 0
               ? open_log(below, name, file, flags, out_flags)
               : below->xOpen(below, name, file, flags, out_flags);
}

const char *store_vfs_name(void)
{
    static sqlite3_vfs own;
    static bool is_registered;
    const sqlite3_vfs *below;

    if (is_registered)
        return own.zName;
    below = sqlite3_vfs_find(NULL);
    if (below == NULL)
        log_die("store no memory for SQLite");
    own = *below; /* the other calls take no file, so they need no change */
    own.zName = "janggid";
    own.szOsFile += (int)sizeof(struct gathering);
    own.xOpen = on_open;
    own.pNext = NULL;
    if (sqlite3_vfs_register(&own, 0) != SQLITE_OK)
        log_die("store no vfs");
    is_registered = true;
    return own.zName;
}
