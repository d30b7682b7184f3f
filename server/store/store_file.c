/* See store_file.h. */
#include "server/store/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/store/store_schema.h"

/* --- Damage in the write-ahead log --- */

/* Part 4 of https://sqlite.org/fileformat2.html describes the format.
 *
 * SQLite writes and syncs all frames of a transaction before it writes the first frame
 * of the next transaction. The last frame of a transaction is marked as its commit. If
 * a frame was written after a commit, everything up to this commit had been synced. A
 * mismatch before this commit is then damage. A power failure during the last
 * transaction is not damage, even if its commit is there and earlier frames are
 * missing. In this case, only frames of the following kinds can come after the commit.
 * They do not prove damage, and this file recognizes them:
 *
 *   - Frames from before the last restart of the log. They have another salt.
 *   - Frames of a transaction that was rolled back because the disk was full. They have
 *     the current salt, but not a whole commit. The first of these frames does not
 *     match the frame before it, because that frame was overwritten later. Each of the
 *     other frames matches the frame before it.
 *   - Copies of the commit, if SQLite repeats it to fill a sector. Each copy has the
 *     same page as the commit.
 *
 * Damage in the very last transaction cannot be detected, because frames do not follow
 * it. The header lies within one sector, which a disk writes completely or not at all,
 * and is synced before the first frame: a bad header before a frame is damage. */

enum {
    HEADER_BYTES = 32,
    FRAME_BYTES = 24, /* header before each page */
    FORMAT = 3007000,
    MAGIC = 0x377f0682, /* lowest bit set: checksums of big-endian numbers */
    SECTOR_BYTES = 512, /* a sector is written completely or not at all */
    PAGE_USUAL = 4096
};

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Continues the checksum sum[2] with `size` bytes. */
static void add_sum(uint32_t sum[2], bool is_big_endian, const unsigned char *at,
                    size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word = number_at(at + i);

        sum[i / 4 % 2] +=
            (is_big_endian ? word : __builtin_bswap32(word)) + sum[1 - i / 4 % 2];
    }
}

static bool is_sum(const uint32_t sum[2], const unsigned char *stored)
{
    return sum[0] == number_at(stored) && sum[1] == number_at(stored + 4);
}

static enum store_wal_state judge(const unsigned char *log, size_t size, int *frame)
{
    bool is_big = (log[3] & 1) != 0, is_whole = true, has_commit = false;
    uint32_t sum[2] = {0, 0}, bytes = number_at(log + 8);
    size_t page = bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) == 0
                      ? bytes
                      : PAGE_USUAL;
    const unsigned char *stored = log + HEADER_BYTES - 8; /* the checksum before */
    bool is_commit = false; /* the frame before is the last one of a transaction, and
                             * its header can be trusted */
    int n = 1;

    add_sum(sum, is_big, log, HEADER_BYTES - 8);
    if ((number_at(log) & ~1u) != MAGIC || number_at(log + 4) != FORMAT ||
        !is_sum(sum, stored)) {
        *frame = 1;
        if (size < HEADER_BYTES + FRAME_BYTES)
            return STORE_WAL_WHOLE;
        return number_at(log + HEADER_BYTES) != 0 ? STORE_WAL_DAMAGED : STORE_WAL_TORN;
    }
    for (size_t at = HEADER_BYTES; at + FRAME_BYTES + page <= size;
         at += FRAME_BYTES + page, n++) {
        const unsigned char *now = log + at;
        bool is_ours = memcmp(now + 8, log + 16, 8) == 0, fits, is_again;

        sum[0] = number_at(stored);
        sum[1] = number_at(stored + 4);
        add_sum(sum, is_big, now, 8);
        add_sum(sum, is_big, now + FRAME_BYTES, page);
        fits = is_ours && number_at(now) != 0 && is_sum(sum, now + 16);
        is_again = n > 1 && memcmp(now, now - FRAME_BYTES - page, 8) == 0 &&
                   memcmp(now + FRAME_BYTES, now - page, page) == 0;
        if (is_whole)
            *frame = n;
        else if (fits && !is_again &&
                 (is_commit || (has_commit && number_at(now + 4) != 0)))
            return STORE_WAL_DAMAGED;
        else
            has_commit = has_commit || (fits && number_at(now + 4) != 0);
        is_whole = is_whole && fits;
        is_commit = number_at(now + 4) != 0 && is_ours &&
                    (fits || at % SECTOR_BYTES + FRAME_BYTES <= SECTOR_BYTES);
        stored = now + 16;
    }
    return is_whole ? STORE_WAL_WHOLE : STORE_WAL_TORN;
}

enum store_wal_state store_wal_judge(const char *path, int *frame)
{
    enum store_wal_state state = STORE_WAL_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char *log = NULL;
    struct stat found;

    *frame = 0;
    if (fd < 0)
        return errno == ENOENT ? STORE_WAL_WHOLE : STORE_WAL_FAILED;
    if (fstat(fd, &found) == 0 && found.st_size < HEADER_BYTES) {
        state = STORE_WAL_WHOLE; /* too short for a header: no log was begun */
    } else {
        size_t size = (size_t)found.st_size, done = 0;
        ssize_t got = 1;

        log = mem_resize(NULL, size, 1);
        for (; done < size && got > 0; done += got > 0 ? (size_t)got : 0)
            got = read(fd, log + done, size - done);
        if (done == size)
            state = judge(log, size, frame);
    }
    free(log);
    close(fd);
    return state;
}

enum { PATH_BYTES = 1024 };

const char store_file_advice[] =
    "restore a backup; \"janggid verify\" lists all that is damaged";

/* --- What an error means --- */

void store_file_refuse(sqlite3 *file, const char *step)
{
    int code = sqlite3_errcode(file) & 0xff;
    const char *why = sqlite3_errmsg(file);

    if (code == SQLITE_BUSY)
        why = "another janggid owns this directory";
    else if (code == SQLITE_NOTADB)
        why = "this is not a database";
    else if (code == SQLITE_CORRUPT)
        why = "the database is damaged; restore a backup";
    if (code != SQLITE_BUSY ||
        !log_advise("another janggid runs on this directory (janggid ctl status --data "
                    "DIR). Stop it with janggid drain, or give this one a directory of "
                    "its own: --data DIR"))
        log_warn("store step=\"%s\" code=%d why=\"%s\"", step,
                 sqlite3_extended_errcode(file), why);
    if (code == SQLITE_BUSY)
        errno = EBUSY;
    else if (code == SQLITE_NOMEM) /* `file` may be NULL: it was not opened */
        errno = ENOMEM;
    else if (store_file_is_full(file))
        errno = ENOSPC;
    else
        errno = EIO;
}

/* Returns the errno of the last failed write to a file; 0: none has failed. `which` is
 * the opcode by which sqlite3_file_control() finds the file: the database itself or its
 * log. */
static int last_errno(sqlite3 *file, int which)
{
    sqlite3_file *part = NULL;
    int why = 0;

    sqlite3_file_control(file, "main", which, &part);
    if (part != NULL && part->pMethods != NULL)
        part->pMethods->xFileControl(part, SQLITE_FCNTL_LAST_ERRNO, &why);
    return why;
}

static bool wants_room(int why)
{
    return why == ENOSPC || why == EDQUOT || why == EFBIG;
}

/* SQLite reports ENOSPC as SQLITE_FULL, but an exceeded quota or file size limit as
 * SQLITE_IOERR_WRITE. Both errors arise at the same place, and SQLite rolls the
 * transaction back in the same way. */
bool store_file_is_full(sqlite3 *file)
{
    int code = sqlite3_extended_errcode(file);
    int of_log = last_errno(file, SQLITE_FCNTL_JOURNAL_POINTER);
    int of_database = last_errno(file, SQLITE_FCNTL_FILE_POINTER);

    if (code == SQLITE_IOERR_WRITE)
        return (wants_room(of_log) && (of_database == 0 || wants_room(of_database))) ||
               (wants_room(of_database) && of_log == 0);
    return (code & 0xff) == SQLITE_FULL;
}

/* Ends the process by _exit(), because exit() could still flush buffers, make a
 * checkpoint or send answers. */
void store_file_fail(sqlite3 *file, const char *step)
{
    log_warn("store step=\"%s\" code=%d why=\"%s\" : stopping, unanswered", step,
             sqlite3_extended_errcode(file), sqlite3_errmsg(file));
    _exit(EX_IOERR);
}

/* --- Settings, read back --- */

bool store_file_run(sqlite3 *file, const char *words)
{
    if (sqlite3_exec(file, words, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    store_file_refuse(file, words);
    return false;
}

bool store_file_demand(sqlite3 *file, const char *words, const char *wanted)
{
    sqlite3_stmt *statement = NULL;
    const char *got = NULL;
    int why = 0;

    if (sqlite3_prepare_v2(file, words, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        got = (const char *)sqlite3_column_text(statement, 0);
    if (got == NULL) {
        store_file_refuse(file, words);
        why = errno;
    } else if (strcmp(got, wanted) != 0) {
        log_warn("store step=\"%s\" got=\"%s\" wanted=\"%s\"", words, got, wanted);
        why = EIO;
    }
    sqlite3_finalize(statement);
    errno = why;
    return why == 0;
}

int store_file_number(sqlite3 *file, const char *words, int64_t *out)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(file, words, -1, &statement, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code;
}

/* --- Opening --- */

/* Refuses a database of another program or of an unknown schema, before anything is
 * written to it. The first read takes the exclusive lock, which is kept. */
static bool check_owner(sqlite3 *file, int *version)
{
    int64_t tables, application, found;

    if (!store_file_demand(file, "PRAGMA locking_mode = EXCLUSIVE", "exclusive"))
        return false;
    if (store_file_number(file, "SELECT count(*) FROM sqlite_master", &tables) !=
            SQLITE_ROW ||
        store_file_number(file, "PRAGMA application_id", &application) != SQLITE_ROW ||
        store_file_number(file, "PRAGMA user_version", &found) != SQLITE_ROW) {
        store_file_refuse(file, "open");
        return false;
    }
    *version = 0;
    if (tables == 0 && application == 0 && found == 0)
        return true;
    if (application == STORE_FILE_APPLICATION && found > 0 && found < INT_MAX &&
        store_schema_is_known((int)found)) {
        *version = (int)found;
        return true;
    }
    if (application != STORE_FILE_APPLICATION)
        log_warn("store why=\"this database belongs to another program\"");
    else
        log_warn("store schema=%lld why=\"made by another version of janggid; run that "
                 "one\"",
                 (long long)found);
    errno = EIO;
    return false;
}

/* Makes SQLite use a write-ahead log and sync every commit. The log needs no shared
 * memory, because we hold the exclusive lock. */
static bool set_modes(sqlite3 *file)
{
    return store_file_demand(file, "PRAGMA journal_mode = WAL", "wal") &&
           store_file_demand(file, "PRAGMA journal_size_limit = 16777216",
                             "16777216") &&
           store_file_run(file,
                          "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1;"
                          "PRAGMA checkpoint_fullfsync = 1;"
                          "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY;"
                          "PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0;") &&
           store_file_demand(file, "PRAGMA synchronous", "2") &&
           store_file_demand(file, "PRAGMA locking_mode", "exclusive");
}

bool store_file_settle(sqlite3 *file)
{
    if (sqlite3_wal_checkpoint_v2(file, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
        SQLITE_OK)
        return true;
    store_file_refuse(file, "checkpoint");
    return false;
}

static int64_t file_bytes(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 ? (int64_t)found.st_size : 0;
}

/* Refuses a log with frames beside a missing or empty database: SQLite writes frames
 * only when the database has a page. A log that is not longer than its header is empty;
 * a power failure during the first start can leave one. */
static bool has_database(const char *path, const char *log)
{
    if (file_bytes(path) > 0 || file_bytes(log) <= HEADER_BYTES)
        return true;
    log_warn("store path=%s why=\"database missing or empty, but its write-ahead log "
             "exists\" : put it back beside %s, or remove that file",
             path, log);
    errno = EIO;
    return false;
}

/* Refuses a damaged log: SQLite ignores everything after the first damage in it. */
static bool check_log(const char *log)
{
    int frame;
    enum store_wal_state state = store_wal_judge(log, &frame);

    if (state == STORE_WAL_TORN)
        log_info("store log=torn frame=%d : the crash came before that was synced",
                 frame);
    else if (state == STORE_WAL_DAMAGED)
        log_warn("store damaged=log path=%s frame=%d : moves that were acknowledged "
                 "would be lost; %s",
                 log, frame, store_file_advice);
    else if (state == STORE_WAL_FAILED)
        log_warn("store path=%s why=\"%s\"", log, strerror(errno));
    errno = EIO;
    return state == STORE_WAL_WHOLE || state == STORE_WAL_TORN;
}

static sqlite3 *open_at(const char *path, int *version)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    char log[PATH_BYTES + 8];
    struct text text = text_into(log, sizeof log);
    sqlite3 *file = NULL;
    bool was_crash;
    int why;

    text_addf(&text, "%s-wal", path);
    was_crash = file_bytes(log) > 0;
    if (!has_database(path, log))
        return NULL;
    if (sqlite3_open_v2(path, &file, flags, NULL) != SQLITE_OK) {
        store_file_refuse(file, "open");
    } else {
        sqlite3_extended_result_codes(file, 1);
        sqlite3_db_config(file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        /* a refused database is left unchanged */
        sqlite3_db_config(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        /* If the process crashed between a write and its sync, the log may be only in the
         * kernel's memory. A checkpoint copies it into the database and syncs that. */
        if (check_owner(file, version) && check_log(log) && set_modes(file) &&
            store_file_settle(file)) {
            if (was_crash)
                log_info("store was=crashed now=synced");
            sqlite3_db_config(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
            return file;
        }
    }
    why = errno;
    sqlite3_close(file);
    errno = why;
    return NULL;
}

sqlite3 *store_file_open(const char *directory, int *version)
{
    mode_t mask = umask(077);
    char path[PATH_BYTES];
    struct text text = text_into(path, sizeof path);
    sqlite3 *file = NULL;
    int why;

    text_addf(&text, "%s/janggid.db", directory);
    errno = ENAMETOOLONG;
    if (!text.is_cut && (mkdir(directory, 0700) == 0 || errno == EEXIST))
        file = open_at(path, version);
    why = errno;
    if (file != NULL)
        chmod(path, 0600); /* a copied file may be readable for others */
    else
        log_warn("store path=%s why=\"cannot be opened: %s\"", path, strerror(why));
    umask(mask);
    errno = why;
    return file;
}

bool store_file_checkpoint(sqlite3 *file)
{
    if (sqlite3_wal_checkpoint_v2(file, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) ==
        SQLITE_OK)
        return true;
    if (!store_file_is_full(file))
        store_file_fail(file, "checkpoint");
    return false;
}
