/* See store_file.h. */
#include "server/sqlite/store_file.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "server/sqlite/store_wal.h"

enum { EXIT_IOERR = 74 };
enum { PATH_BYTES = 1024, LOG_HEADER_BYTES = 32 };

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
    _exit(EXIT_IOERR);
}

/* --- Settings, read back --- */

bool store_file_run(sqlite3 *file, const char *words)
{
    if (sqlite3_exec(file, words, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    store_file_refuse(file, words);
    return false;
}

/* Reads the first column of the only row of the query `words`, as text. Returns false
 * after store_file_refuse() has logged an error, or if the text does not fit. */
static bool ask(sqlite3 *file, const char *words, char *out, size_t size)
{
    sqlite3_stmt *statement = NULL;
    const unsigned char *text = NULL;
    bool is_answered = false;
    int why;

    *out = '\0';
    if (sqlite3_prepare_v2(file, words, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        text = sqlite3_column_text(statement, 0);
    if (text != NULL)
        is_answered = text_copy(out, size, (const char *)text);
    else
        store_file_refuse(file, words);
    why = errno;
    sqlite3_finalize(statement);
    errno = why;
    return is_answered;
}

/* Runs `words`, a PRAGMA, and checks that SQLite answers `wanted`. The check is needed
 * because SQLite sometimes ignores a setting. */
static bool demand(sqlite3 *file, const char *words, const char *wanted)
{
    char answer[64];

    if (!ask(file, words, answer, sizeof answer))
        return false;
    if (strcmp(answer, wanted) == 0)
        return true;
    log_warn("store step=\"%s\" got=%s wanted=%s", words, answer, wanted);
    errno = EIO;
    return false;
}

static bool ask_number(sqlite3 *file, const char *words, int64_t *out)
{
    char answer[32];

    return ask(file, words, answer, sizeof answer) &&
           text_to_int(answer, INT64_MIN, INT64_MAX, out);
}

bool store_file_check(sqlite3 *file, const char *words)
{
    sqlite3_stmt *statement = NULL;
    const char *found = NULL;
    bool is_sound = false;
    int why = EIO;

    if (sqlite3_prepare_v2(file, words, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        found = (const char *)sqlite3_column_text(statement, 0);
    if (found == NULL) {
        store_file_refuse(file, words);
        why = errno;
    } else if (strcmp(found, "ok") == 0) {
        is_sound = true;
    } else {
        log_warn("store damaged=database step=\"%s\" why=\"%s\" : %s", words, found,
                 store_file_advice);
    }
    sqlite3_finalize(statement);
    if (!is_sound)
        errno = why;
    return is_sound;
}

/* --- Opening --- */

static bool make_directory(const char *directory)
{
    int why;

    if (mkdir(directory, 0700) == 0 || errno == EEXIST)
        return true;
    why = errno;
    log_warn("store directory=%s why=\"%s\"", directory, strerror(why));
    errno = why;
    return false;
}

/* Refuses a database of another program or of an unknown schema, before anything is
 * written to it. The first read takes the exclusive lock, which is kept. */
static bool check_owner(sqlite3 *file, bool (*is_known)(int), int *version)
{
    int64_t tables, application, found;

    if (!demand(file, "PRAGMA locking_mode = EXCLUSIVE", "exclusive") ||
        !ask_number(file, "SELECT count(*) FROM sqlite_master", &tables) ||
        !ask_number(file, "PRAGMA application_id", &application) ||
        !ask_number(file, "PRAGMA user_version", &found))
        return false;
    *version = 0;
    if (tables == 0 && application == 0 && found == 0)
        return true;
    if (application == STORE_FILE_APPLICATION && found > 0 && found < INT_MAX &&
        is_known((int)found)) {
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
    return demand(file, "PRAGMA journal_mode = WAL", "wal") &&
           demand(file, "PRAGMA journal_size_limit = 16777216", "16777216") &&
           store_file_run(file,
                          "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1;"
                          "PRAGMA checkpoint_fullfsync = 1;"
                          "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY;"
                          "PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0;") &&
           demand(file, "PRAGMA synchronous", "2") &&
           demand(file, "PRAGMA locking_mode", "exclusive");
}

static void keep_log_at_close(sqlite3 *file, bool is_kept)
{
    sqlite3_db_config(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept, NULL);
}

bool store_file_settle(sqlite3 *file)
{
    if (sqlite3_wal_checkpoint_v2(file, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ==
        SQLITE_OK)
        return true;
    store_file_refuse(file, "checkpoint");
    return false;
}

/* If the process crashed between a write and its sync, the log may be only in the
 * kernel's memory. A checkpoint copies the log into the database and syncs the
 * database. */
static bool settle(sqlite3 *file, bool was_crash)
{
    if (!store_file_settle(file))
        return false;
    if (was_crash)
        log_info("store was=crashed now=synced");
    return true;
}

/* Returns the path of the write-ahead log that belongs to the database file `path`. The
 * text is in a static buffer, so this function may only be called by one thread, at the
 * start of the server. */
static const char *log_path(const char *path)
{
    static char name[PATH_BYTES + 8];
    struct text text = text_into(name, sizeof name);

    text_addf(&text, "%s-wal", path);
    return name;
}

static int64_t file_bytes(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 ? (int64_t)found.st_size : 0;
}

/* Refuses a damaged log: SQLite ignores everything after the first damage in it. */
static bool check_log(const char *path)
{
    int frame;

    switch (store_wal_judge(log_path(path), &frame)) {
    case STORE_WAL_WHOLE:
        return true;
    case STORE_WAL_TORN:
        log_info("store log=torn frame=%d : the crash came before that was synced",
                 frame);
        return true;
    case STORE_WAL_DAMAGED:
        log_warn("store damaged=log path=%s frame=%d : moves that were acknowledged "
                 "would be lost; %s",
                 log_path(path), frame, store_file_advice);
        break;
    default:
        log_warn("store path=%s why=\"%s\"", log_path(path), strerror(errno));
    }
    errno = EIO;
    return false;
}

/* Refuses a log with frames beside a missing or empty database: SQLite writes frames
 * only when the database has a page. A log that is not longer than its header is empty;
 * a power failure during the first start can leave one. */
static bool has_database(const char *path)
{
    if (file_bytes(path) > 0 || file_bytes(log_path(path)) <= LOG_HEADER_BYTES)
        return true;
    log_warn("store path=%s why=\"database missing or empty, but its write-ahead log "
             "exists\" : put it back beside %s, or remove that file",
             path, log_path(path));
    errno = EIO;
    return false;
}

static sqlite3 *open_at(const char *path, bool (*is_known)(int), int *version)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    bool was_crash = file_bytes(log_path(path)) > 0;
    sqlite3 *file = NULL;
    int why;

    if (!has_database(path))
        return NULL;
    if (sqlite3_open_v2(path, &file, flags, NULL) != SQLITE_OK) {
        store_file_refuse(file, "open");
        goto fail;
    }
    sqlite3_extended_result_codes(file, 1);
    sqlite3_db_config(file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    keep_log_at_close(file, true); /* a refused database is left unchanged */
    if (check_owner(file, is_known, version) && check_log(path) && set_modes(file) &&
        settle(file, was_crash)) {
        keep_log_at_close(file, false);
        return file;
    }

fail:
    why = errno;
    sqlite3_close(file);
    errno = why;
    return NULL;
}

sqlite3 *store_file_open(const char *directory, bool (*is_known)(int version),
                         int *version)
{
    mode_t mask = umask(077);
    char path[PATH_BYTES];
    struct text text = text_into(path, sizeof path);
    sqlite3 *file = NULL;
    int why;

    text_addf(&text, "%s/janggid.db", directory);
    errno = ENAMETOOLONG;
    if (!text.is_cut && make_directory(directory))
        file = open_at(path, is_known, version);
    why = errno;
    if (file != NULL)
        chmod(path, 0600); /* a copied file may be readable for others */
    else
        log_warn("store path=%s why=\"cannot be opened\"", path);
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
