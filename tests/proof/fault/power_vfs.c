/* The VFS of a janggid whose power can fail. This file is linked with the whole real
 * server. Before main() begins, it registers a new default VFS of SQLite. This VFS
 * passes every call on to the system's own VFS. It reports writes, truncations,
 * removals and syncs to power_disk.c, which decides when the power fails and what the
 * files contain then.
 *
 * Only SQLite's files go through this VFS. The key and the certificate do not, because
 * janggid writes them itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "tests/proof/fault/power_disk.h"

/* An open file. SQLite allocates it together with the system's own file struct,
 * `real`. */
struct power_file {
    sqlite3_file base;
    struct disk_file *disk; /* NULL: a nameless temporary file, lost at any crash */
    sqlite3_file real[];
};

/* A process has one such VFS. has_opened_directory: the sync that this thread is doing
 * has opened a directory. */
static sqlite3_vfs *system_vfs;
static int (*open_directory)(const char *path, int *fd);
static _Thread_local bool has_opened_directory;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct power_file *)file)->real;
}

static struct disk_file *disk_of(sqlite3_file *file)
{
    return ((struct power_file *)file)->disk;
}

/* --- What changes --- */

/* Returns the present bytes at `offset`, up to `len` of them; the caller frees them. */
static void *read_old(sqlite3_file *real, int64_t offset, int64_t len, size_t *old_len,
                      int64_t *size)
{
    sqlite3_int64 bytes = 0;
    void *old;

    if (real->pMethods->xFileSize(real, &bytes) != SQLITE_OK)
        log_die("power cannot measure a file");
    *size = bytes;
    if (len > bytes - offset)
        len = bytes > offset ? bytes - offset : 0;
    *old_len = (size_t)len;
    old = mem_resize(NULL, *old_len + 1, 1);
    if (len > 0 && real->pMethods->xRead(real, old, (int)len, offset) != SQLITE_OK)
        log_die("power cannot read a file");
    return old;
}

/* Reports a part of a write, at most one page, and then writes it. */
static int write_piece(sqlite3_file *file, const void *bytes, int len,
                       sqlite3_int64 offset)
{
    sqlite3_file *real = real_of(file);
    size_t old_len;
    int64_t size;
    void *old = read_old(real, offset, len, &old_len, &size);

    disk_write(disk_of(file), offset, bytes, (size_t)len, old, old_len, size);
    free(old);
    return real->pMethods->xWrite(real, bytes, len, offset);
}

/* Reports a write page by page: the power may fail between any two pages, and a disk
 * stores them in any order. */
static int on_write(sqlite3_file *file, const void *bytes, int len,
                    sqlite3_int64 offset)
{
    enum { PAGE = 4096 };
    int code = SQLITE_OK;

    if (disk_of(file) == NULL)
        return real_of(file)->pMethods->xWrite(real_of(file), bytes, len, offset);
    for (int done = 0, piece; done < len && code == SQLITE_OK; done += piece) {
        piece = PAGE - (int)((offset + done) % PAGE);
        if (piece > len - done)
            piece = len - done;
        code = write_piece(file, (const char *)bytes + done, piece, offset + done);
    }
    return code;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 to)
{
    sqlite3_file *real = real_of(file);

    if (disk_of(file) != NULL) {
        size_t old_len;
        int64_t size;
        void *old = read_old(real, to, INT32_MAX, &old_len, &size);

        disk_truncate(disk_of(file), to, old, old_len, size);
        free(old);
    }
    return real->pMethods->xTruncate(real, to);
}

static int on_sync(sqlite3_file *file, int flags)
{
    sqlite3_file *real = real_of(file);
    int code;

    if (disk_of(file) == NULL)
        return real->pMethods->xSync(real, flags);
    disk_sync_begins(disk_of(file));
    has_opened_directory = false;
    code = real->pMethods->xSync(real, flags);
    if (code == SQLITE_OK)
        disk_synced(disk_of(file), has_opened_directory);
    return code;
}

/* --- What is passed on --- */

static int on_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int on_read(sqlite3_file *file, void *out, int len, sqlite3_int64 offset)
{
    return real_of(file)->pMethods->xRead(real_of(file), out, len, offset);
}

static int on_file_size(sqlite3_file *file, sqlite3_int64 *out)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), out);
}

static int on_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int on_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int on_check_lock(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int on_control(sqlite3_file *file, int what, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, arg);
}

static int on_sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int on_characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

/* Version 1: no shared memory and no mapped pages. The server locks its database
 * exclusively and needs neither. */
static const sqlite3_io_methods methods = {.iVersion = 1,
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
                                           .xDeviceCharacteristics =
                                               on_characteristics};

/* --- Names --- */

static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                   int *out_flags)
{
    struct power_file *power = (struct power_file *)file;
    bool is_kept = name != NULL && (flags & SQLITE_OPEN_DELETEONCLOSE) == 0;
    bool was_there = is_kept && access(name, F_OK) == 0;
    int code;

    (void)vfs;
    memset(power, 0, sizeof *power);
    code = system_vfs->xOpen(system_vfs, name, power->real, flags, out_flags);
    if (code != SQLITE_OK)
        return code;
    power->base.pMethods = &methods;
    if (is_kept)
        power->disk = disk_open(name, !was_there);
    return SQLITE_OK;
}

/* Returns the whole content of a file that is not open any more. The caller frees
 * it. */
static void *read_file(const char *name, size_t *len)
{
    FILE *file = fopen(name, "rb");
    char *bytes = NULL;
    size_t got;

    *len = 0;
    do {
        bytes = mem_resize(bytes, *len + 65536, 1);
        got = file != NULL ? fread(bytes + *len, 1, 65536, file) : 0;
        *len += got;
    } while (got > 0);
    if (file != NULL)
        fclose(file);
    return bytes;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int wants_sync)
{
    int code;

    (void)vfs;
    if (access(name, F_OK) == 0) {
        size_t len;
        void *bytes = read_file(name, &len);

        disk_remove(name, bytes, len);
        free(bytes);
    }
    code = system_vfs->xDelete(system_vfs, name, wants_sync);
    if (code == SQLITE_OK && wants_sync)
        disk_directory_synced();
    return code;
}

/* Notes that the system's own sync opens a directory. It does so only to sync the
 * directory of a new journal. */
static int on_open_directory(const char *path, int *fd)
{
    has_opened_directory = true;
    return open_directory(path, fd);
}

/* --- Before main() --- */

__attribute__((constructor)) static void take_over(void)
{
    static sqlite3_vfs power; /* SQLite keeps a pointer to it for the life of the
                               * process */

    disk_init();
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL)
        log_die("power no files");
    open_directory = (int (*)(const char *, int *))system_vfs->xGetSystemCall(
        system_vfs, "openDirectory");
    if (open_directory == NULL ||
        system_vfs->xSetSystemCall(system_vfs, "openDirectory",
                                   (sqlite3_syscall_ptr)on_open_directory) != SQLITE_OK)
        log_die("power cannot see directories");
    power = *system_vfs;
    power.zName = "power";
    power.pNext = NULL;
    power.szOsFile = (int)sizeof(struct power_file) + system_vfs->szOsFile;
    power.xOpen = on_open;
    power.xDelete = on_delete;
    if (sqlite3_vfs_register(&power, 1) != SQLITE_OK)
        log_die("power cannot register");
}
