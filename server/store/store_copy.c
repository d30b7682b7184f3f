/* See store_copy.h.
 *
 * Rows are copied with their seals, so damage stays visible. But logs have another form in
 * PostgreSQL: each event is a row there, also of an ended game, and a running game has a
 * row too. */
#include "server/store/store_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
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
#include "server/store/store.h"
#include "server/store/store_db.h"
#include "server/store/store_file.h"
#include "server/store/store_schema.h"

/* --- A file that gets its name when it is whole --- */

enum { PATH_BYTES = 1024 };

/* A new file: it is written as FILE.part, synced, and renamed. It never replaces another
 * file. */
struct part {
    char path[PATH_BYTES];
    char part[PATH_BYTES + 8]; /* its path while it is written: FILE.part */
    int fd;                    /* the open file, to sync it; -1: not open */
};

/* Writes `words` into `why`. Appends what the errno `number` means, unless it is 0. */
static void say(char why[STORE_WHY_BYTES], const char *words, int number)
{
    struct text text = text_into(why, STORE_WHY_BYTES);

    text_add(&text, words);
    if (number != 0)
        text_addf(&text, ": %s", strerror(number));
}

/* Creates the empty file path.part with mode 0600. False: drop_part() is not needed. */
static bool create_part(struct part *part, const char *path, char why[STORE_WHY_BYTES])
{
    struct text name = text_into(part->part, sizeof part->part);
    struct stat found;

    part->fd = -1;
    text_addf(&name, "%s.part", path);
    if (!text_copy(part->path, sizeof part->path, path) || name.is_cut) {
        say(why, "the path is too long", 0);
        return false;
    }
    if (lstat(path, &found) == 0) {
        say(why, "file exists; choose another name", 0);
        return false;
    }
    part->fd =
        open(part->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (part->fd < 0 && errno == EEXIST)
        say(why,
            "FILE.part exists: another backup is being made, or one was interrupted",
            0);
    else if (part->fd < 0)
        say(why, "the file cannot be created", errno);
    return part->fd >= 0;
}

/* Gives the file its final name. Never replaces another file: link() fails if that name
 * exists. Where the file system has no links, checks the name and uses rename(). */
static bool give_name(const struct part *part)
{
    struct stat found;

    if (link(part->part, part->path) == 0)
        return unlink(part->part) == 0;
    if (errno == EEXIST)
        return false;
    errno = EEXIST;
    return lstat(part->path, &found) != 0 && rename(part->part, part->path) == 0;
}

/* Syncs the file and gives it its final name. Then syncs the directory, so that the name
 * survives a power failure. Returns false with errno set. */
static bool finish_part(struct part *part)
{
    return disk_sync(part->fd) && give_name(part) && disk_sync_directory_of(part->path);
}

/* Closes the file, and removes it if it does not have its final name yet. */
static void drop_part(struct part *part)
{
    if (part->fd < 0)
        return;
    close(part->fd);
    unlink(part->part); /* does nothing if the file has its final name */
    part->fd = -1;
}

/* --- Backup --- */

/* This connection may write to the database between two steps. SQLite's backup API then
 * copies these changes too. The copy has no journal, and SQLite does not sync the copy.
 * So the copy counts as a backup only when it has its final name. store_backup_step()
 * syncs the copy after each step. Otherwise players would have to wait for one long
 * sync of the whole copy. */

enum { STEP_PAGES = 128 };

struct store_backup {
    struct part file;
    sqlite3 *copy;
    sqlite3_backup *copying;
};

struct store_backup *store_backup_begin(void *arg, const char *path,
                                        char why[STORE_WHY_BYTES])
{
    struct store_backup *backup = mem_new(sizeof *backup);
    struct store_db *db = arg;

    if (create_part(&backup->file, path, why)) {
        if (sqlite3_open_v2(backup->file.part, &backup->copy,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                            NULL) == SQLITE_OK &&
            sqlite3_exec(backup->copy,
                         "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                         "PRAGMA synchronous = OFF; PRAGMA cache_size = 128;",
                         NULL, NULL, NULL) == SQLITE_OK)
            backup->copying =
                sqlite3_backup_init(backup->copy, "main", db->file, "main");
        if (backup->copying != NULL) {
            log_info("store backup=%s begins", path);
            return backup;
        }
        say(why, sqlite3_errmsg(backup->copy), 0);
    }
    store_backup_free(backup);
    return NULL;
}

enum store_backup_state store_backup_step(struct store_backup *backup,
                                          char why[STORE_WHY_BYTES])
{
    int code = sqlite3_backup_step(backup->copying, STEP_PAGES);

    if (code == SQLITE_OK) {
        if (disk_sync(backup->file.fd))
            return STORE_BACKUP_GOES_ON;
        say(why, "the copy cannot be synced", errno);
        return STORE_BACKUP_FAILED;
    }
    if (code == SQLITE_DONE) {
        code = sqlite3_backup_finish(backup->copying);
        backup->copying = NULL;
    }
    if (code != SQLITE_OK) {
        say(why, sqlite3_errstr(code), 0);
        return STORE_BACKUP_FAILED;
    }
    code = sqlite3_close(backup->copy);
    backup->copy = NULL;
    if (code == SQLITE_OK && finish_part(&backup->file)) {
        log_info("store backup=%s done", backup->file.path);
        return STORE_BACKUP_DONE;
    }
    say(why, "the copy cannot be finished", errno);
    return STORE_BACKUP_FAILED;
}

void store_backup_free(struct store_backup *backup)
{
    if (backup == NULL)
        return;
    sqlite3_backup_finish(backup->copying); /* takes NULL */
    sqlite3_close(backup->copy);
    drop_part(&backup->file);
    free(backup);
}

/* Set by a signal handler. */
static volatile sig_atomic_t is_stopped;

void store_copy_stop(void)
{
    is_stopped = 1;
}

static void count_row(struct store_copied *done, enum store_kind kind)
{
    done->games += kind == STORE_GAME;
    done->events += kind == STORE_EVENT;
    done->names += kind == STORE_NAME;
}

/* --- Into a file --- */

struct dump {
    struct store_db *db;
    struct store_logs logs;
    struct store_copied done;
    char *why;
};

static bool put_row(void *arg, enum store_kind kind, const void *row,
                    const struct store_seal *seal)
{
    struct dump *dump = arg;

    if (is_stopped)
        say(dump->why, "interrupted", 0);
    else if (!(kind == STORE_EVENT ? store_logs_add(&dump->logs, row, seal)
                                   : store_db_put_row(dump->db, kind, row, seal)))
        say(dump->why, sqlite3_errmsg(dump->db->file), 0);
    count_row(&dump->done, kind);
    return dump->why[0] == '\0';
}

static void keep_end(void *arg, int64_t game, int events)
{
    struct dump *dump = arg;

    if (!store_logs_must(&dump->logs, game, events - 1))
        say(dump->why, sqlite3_errmsg(dump->db->file), 0);
}

/* Makes a database file at `path` ("": a temporary file) and copies the log at `place`
 * into it. Only the last step marks the file as a database of janggid, so programs do not
 * use an incomplete copy. Returns NULL after a failure, with errno set. */
static struct store_db *make(struct dump *dump, const struct store_place *place,
                             const char *path)
{
    const struct store_engine *engine = store_load_postgres();
    struct store_head head = {.last_game = 0};
    sqlite3 *file = NULL;
    bool is_good;
    char sql[64];
    struct text mark = text_into(sql, sizeof sql);
    int why = EIO;

    text_addf(&mark, "PRAGMA application_id = %d", STORE_FILE_APPLICATION);
    is_good = sqlite3_open_v2(path, &file,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                  SQLITE_OPEN_NOMUTEX,
                              NULL) == SQLITE_OK &&
              sqlite3_exec(file,
                           "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                           "PRAGMA synchronous = OFF",
                           NULL, NULL, NULL) == SQLITE_OK &&
              engine != NULL && store_schema_bring(file, 0) &&
              (dump->db = store_db_adopt(file)) != NULL &&
              sqlite3_exec(file, "PRAGMA application_id = 0; BEGIN", NULL, NULL,
                           NULL) == SQLITE_OK &&
              store_logs_begin(&dump->logs, dump->db);
    if (is_good) {
        is_good = engine->copy_out(place, &head, put_row, keep_end, dump);
        why = is_good ? EIO : errno;
    }
    is_good = is_good && dump->why[0] == '\0' && store_logs_end(&dump->logs, &head) &&
              sqlite3_exec(file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_exec(file, sql, NULL, NULL, NULL) == SQLITE_OK;
    if (!is_good && why == EIO && dump->why[0] == '\0' && engine != NULL)
        say(dump->why, sqlite3_errmsg(file), 0);
    if (!is_good && dump->db != NULL)
        store_db_close(dump->db);
    else if (!is_good)
        sqlite3_close(file); /* takes NULL */
    errno = why;
    return is_good ? dump->db : NULL;
}

bool store_copy_dump(const struct store_place *place, const char *path,
                     struct store_copied *out, char why[STORE_WHY_BYTES])
{
    struct dump dump = {.why = why};
    struct part part;
    struct store_db *db;
    bool is_done = false;
    int reason;

    why[0] = '\0';
    if (!create_part(&part, path, why)) {
        errno = EEXIST;
        return false;
    }
    db = make(&dump, place, part.part);
    reason = errno;
    store_db_close(db);
    if (db != NULL) {
        is_done = finish_part(&part);
        reason = EIO;
    }
    if (db != NULL && !is_done)
        say(why, "the file cannot be finished", errno);
    drop_part(&part);
    *out = dump.done;
    errno = reason;
    return is_done;
}

struct store_audit *store_copy_audit(const struct store_place *place,
                                     char why[STORE_WHY_BYTES])
{
    struct dump dump = {.why = why};
    struct store_db *db;

    why[0] = '\0';
    db = make(&dump, place, "");
    return db != NULL ? store_audit_adopt(db) : NULL;
}

/* --- Out of a file --- */

struct load {
    struct store_audit *audit;
    struct store_db *db;
    enum store_kind kind; /* of the rows that are passed on now */
    store_copy_fn *put;
    void *put_arg;
    struct store_seal link; /* of the last event */
    bool is_stopped;
    struct store_copied done;
    char *why;
};

static void stop(struct load *load, const char *why)
{
    say(load->why, why, 0);
    load->is_stopped = true;
}

static void pass(struct load *load, const void *row, const struct store_seal *seal)
{
    if (is_stopped)
        stop(load, "interrupted");
    if (load->is_stopped)
        return;
    count_row(&load->done, load->kind);
    load->is_stopped = !load->put(load->put_arg, load->kind, row, seal);
}

/* Passes the row of an event on; for STORE_GAME, that of the running game that it begins. */
static void on_event(void *arg, const struct store_event *event)
{
    struct load *load = arg;
    const struct store_game game = {.id = event->game,
                                    .events = 1,
                                    .age_ms = event->age_ms,
                                    .summary = {"", "", "", "", "", "", "", "", 0},
                                    .log = ""};
    struct store_seal seal;

    if (load->kind == STORE_GAME && event->number == 0) {
        store_seal_row(load->db->sealer, &seal, STORE_GAME, &game);
        pass(load, &game, &seal);
    }
    if (load->kind == STORE_GAME)
        return;
    if (event->number == 0)
        load->link = (struct store_seal){0};
    store_seal_event(load->db->sealer, &load->link, event);
    pass(load, event, &load->link);
}

/* Passes on the rows of load->kind. */
static void pass_table(struct load *load)
{
    bool is_log = load->kind == STORE_GAME || load->kind == STORE_EVENT;
    enum store_kind from = is_log ? STORE_GAME : load->kind;
    sqlite3_stmt *s = load->db->of[from][STORE_SQL_LOAD];
    struct store_seal seal = {0};
    union store_record row;
    int code = SQLITE_ROW;

    memset(&row, 0, sizeof row);
    while (!load->is_stopped && (code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!store_db_read_row(load->db, s, from, &row, &seal)) {
            stop(load, "a row is damaged");
        } else if (load->kind == STORE_EVENT) {
            store_db_give_log(&row.game, true, on_event, load);
        } else {
            if (is_log) {
                row.game.log = "";
                store_seal_row(load->db->sealer, &seal, STORE_GAME, &row);
            }
            pass(load, &row, &seal);
        }
    }
    if (is_log && code == SQLITE_DONE)
        store_db_each_running(load->db, on_event, NULL, load, NULL);
    else if (code != SQLITE_DONE && code != SQLITE_ROW)
        stop(load, sqlite3_errmsg(load->db->file));
    sqlite3_reset(s);
}

static bool pass_rows(void *arg, store_copy_fn *put, void *put_arg)
{
    struct load *load = arg;

    load->put = put;
    load->put_arg = put_arg;
    for (int kind = 0; kind < STORE_KINDS && !load->is_stopped; kind++) {
        load->kind = (enum store_kind)kind;
        if (kind != STORE_HEAD)
            pass_table(load);
    }
    if (!load->is_stopped && !store_audit_is_certain(load->audit))
        stop(load, "a server was started on it meanwhile");
    return !load->is_stopped;
}

/* Refuses a file with a table or a column that the copy would leave out. */
static bool check_columns(struct load *load)
{
    static const char sql[] =
        "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
        " WHERE m.type IN ('table', 'view') AND m.name <> 'sqlite_sequence'";
    sqlite3_stmt *s = NULL;
    bool is_known = sqlite3_prepare_v2(load->db->file, sql, -1, &s, NULL) == SQLITE_OK;

    while (is_known && sqlite3_step(s) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(s, 0);
        const char *column = (const char *)sqlite3_column_text(s, 1);

        is_known = false;
        for (int kind = 0; kind < STORE_KINDS; kind++)
            for (const struct store_column *c = store_row_layouts[kind].column;
                 c->type != '\0'; c++)
                is_known =
                    is_known || (strcmp(table, store_row_layouts[kind].name) == 0 &&
                                 strcmp(column, c->name) == 0);
    }
    sqlite3_finalize(s);
    if (!is_known)
        say(load->why, "it has a table or a column that is not known", 0);
    return is_known;
}

bool store_copy_load(struct store_audit *audit, const struct store_place *place,
                     struct store_copied *out, char why[STORE_WHY_BYTES])
{
    const struct store_engine *engine = store_load_postgres();
    struct load load = {.audit = audit, .db = store_audit_database(audit), .why = why};
    const struct store_head head = {.last_game = load.db->tail.now.last_game,
                                    .age_ms = load.db->tail.now.age_ms};
    bool is_done;

    why[0] = '\0';
    if (engine == NULL)
        return false;
    errno = EIO;
    is_done = check_columns(&load) && engine->copy_in(place, &head, pass_rows, &load);
    *out = load.done;
    return is_done;
}
