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

void store_part_say(char why[STORE_WHY_BYTES], const char *words, int number)
{
    struct text text = text_into(why, STORE_WHY_BYTES);

    text_add(&text, words);
    if (number != 0)
        text_addf(&text, ": %s", strerror(number));
}

bool store_part_create(struct store_part *part, const char *path,
                       char why[STORE_WHY_BYTES])
{
    struct text name = text_into(part->part, sizeof part->part);
    struct stat found;

    part->fd = -1;
    text_addf(&name, "%s.part", path);
    if (!text_copy(part->path, sizeof part->path, path) || name.is_cut) {
        store_part_say(why, "the path is too long", 0);
        return false;
    }
    if (lstat(path, &found) == 0) {
        store_part_say(why, "file exists; choose another name", 0);
        return false;
    }
    part->fd =
        open(part->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (part->fd < 0 && errno == EEXIST)
        store_part_say(
            why,
            "FILE.part exists: another backup is being made, or one was interrupted",
            0);
    else if (part->fd < 0)
        store_part_say(why, "the file cannot be created", errno);
    return part->fd >= 0;
}

/* Gives the file its final name. Never replaces another file: link() fails if that name
 * exists. Where the file system has no links, checks the name and uses rename(). */
static bool give_name(const struct store_part *part)
{
    struct stat found;

    if (link(part->part, part->path) == 0)
        return unlink(part->part) == 0;
    if (errno == EEXIST)
        return false;
    errno = EEXIST;
    return lstat(part->path, &found) != 0 && rename(part->part, part->path) == 0;
}

bool store_part_finish(struct store_part *part)
{
    return disk_sync(part->fd) && give_name(part) && disk_sync_directory_of(part->path);
}

void store_part_drop(struct store_part *part)
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
    struct store_part file;
    sqlite3 *copy;
    sqlite3_backup *copying;
};

struct store_backup *store_backup_begin(void *arg, const char *path,
                                        char why[STORE_WHY_BYTES])
{
    struct store_backup *backup = mem_new(sizeof *backup);
    struct store_db *db = arg;

    if (store_part_create(&backup->file, path, why)) {
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
        store_part_say(why, sqlite3_errmsg(backup->copy), 0);
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
        store_part_say(why, "the copy cannot be synced", errno);
        return STORE_BACKUP_FAILED;
    }
    if (code == SQLITE_DONE) {
        code = sqlite3_backup_finish(backup->copying);
        backup->copying = NULL;
    }
    if (code != SQLITE_OK) {
        store_part_say(why, sqlite3_errstr(code), 0);
        return STORE_BACKUP_FAILED;
    }
    code = sqlite3_close(backup->copy);
    backup->copy = NULL;
    if (code == SQLITE_OK && store_part_finish(&backup->file)) {
        log_info("store backup=%s done", backup->file.path);
        return STORE_BACKUP_DONE;
    }
    store_part_say(why, "the copy cannot be finished", errno);
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
    bool has_failed; /* a write has failed */
    struct store_copied done;
    char *why;
};

static bool put_row(void *arg, enum store_kind kind, const union store_record *row,
                    const struct store_seal *seal)
{
    struct dump *dump = arg;

    if (is_stopped)
        store_part_say(dump->why, "interrupted", 0);
    else if (!(kind == STORE_EVENT ? store_logs_add(&dump->logs, &row->event, seal)
                                   : store_db_put_row(dump->db, kind, row, seal)))
        store_part_say(dump->why, sqlite3_errmsg(dump->db->file), 0);
    count_row(&dump->done, kind);
    return dump->why[0] == '\0';
}

static void keep_end(void *arg, int64_t game, int events)
{
    struct dump *dump = arg;

    if (!store_logs_must(&dump->logs, game, events - 1))
        dump->has_failed = true;
}

/* Makes a database file at `path` ("": a temporary file) and copies the log at `place`
 * into it. Only the last step marks the file as a database of janggid, so programs do not
 * use an incomplete copy. Returns NULL after a failure, with errno set. */
static struct store_db *make(struct dump *dump, const struct store_place *place,
                             const char *path)
{
    const struct store_engine *engine = store_load_postgres();
    struct store_tally tally = {.last_game = 0};
    sqlite3 *file = NULL;
    bool is_good, is_copied;
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
        is_copied = engine->copy_out(place, &tally, put_row, keep_end, dump);
        why = errno;
        is_good = is_copied && !dump->has_failed;
        if (is_good) {
            why = EIO;
            is_good = store_logs_end(&dump->logs, &tally) &&
                      sqlite3_exec(file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK &&
                      sqlite3_exec(file, sql, NULL, NULL, NULL) == SQLITE_OK;
        }
    }
    if (!is_good && why == EIO && dump->why[0] == '\0' && engine != NULL)
        store_part_say(dump->why, sqlite3_errmsg(file), 0);
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
    struct store_part part;
    struct store_db *db;
    bool is_done = false;
    int reason;

    why[0] = '\0';
    if (!store_part_create(&part, path, why)) {
        errno = EEXIST;
        return false;
    }
    db = make(&dump, place, part.part);
    reason = errno;
    store_db_close(db);
    if (db != NULL) {
        is_done = store_part_finish(&part);
        reason = EIO;
    }
    if (db != NULL && !is_done)
        store_part_say(why, "the file cannot be finished", errno);
    store_part_drop(&part);
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
    enum store_kind kind;
    sqlite3_stmt *s; /* NULL: the table has not been begun */
    struct store_row_list {
        struct store_row_list *next;
        union store_record row;
        struct store_seal seal;
        char bytes[];
    } * first, **last, *given; /* rows that were made and not given yet; the last one */
    struct store_seal link;    /* of the last event */
    int64_t game;              /* of the last event */
    bool is_last;              /* the rows of the journal were made */
    struct store_copied done;
    char *why;
};

static void add_row(struct load *load, enum store_kind kind, const void *row,
                    const struct store_seal *seal)
{
    struct store_row_list *item =
        mem_new(sizeof *item + store_row_bytes(kind, row) + 1);
    char *at = item->bytes;

    memcpy(&item->row, row, store_row_layouts[kind].size);
    store_row_pack(kind, &item->row, &at);
    item->seal = *seal;
    *load->last = item;
    load->last = &item->next;
}

/* Makes the row of an event; for STORE_GAME, that of the running game that it begins. */
static void on_event(void *arg, const struct store_event *event)
{
    struct load *load = arg;
    struct store_game game = {.id = event->game,
                              .events = event->number + 1,
                              .age_ms = event->age_ms,
                              .summary = {"", "", "", "", "", "", "", "", 0},
                              .log = ""};
    struct store_seal seal;

    if (load->kind == STORE_GAME) {
        store_seal_row(load->db->sealer, &seal, STORE_GAME, &game);
        if (event->number == 0)
            add_row(load, STORE_GAME, &game, &seal);
        return;
    }
    if (event->number == 0)
        load->link = (struct store_seal){0};
    store_seal_event(load->db->sealer, &load->link, event);
    add_row(load, STORE_EVENT, event, &load->link);
}

static enum store_next stop(struct load *load, const char *why)
{
    store_part_say(load->why, why, 0);
    return STORE_NEXT_FAILED;
}

static enum store_next next_row(void *arg, enum store_kind kind,
                                union store_record *row, struct store_seal *seal)
{
    struct load *load = arg;
    bool is_log = kind == STORE_GAME || kind == STORE_EVENT;
    int code;

    if (load->s == NULL || load->kind != kind) {
        load->kind = kind;
        load->s = load->db->of[is_log ? STORE_GAME : kind][STORE_SQL_LOAD];
        load->is_last = false;
        memset(row, 0, sizeof *row);
        *seal = (struct store_seal){0};
    }
    while (load->first == NULL) {
        union store_record found = *row;
        struct store_seal own;

        if (is_stopped)
            return stop(load, "interrupted");
        code = load->is_last ? SQLITE_DONE : sqlite3_step(load->s);
        if (code == SQLITE_DONE && !store_audit_is_certain(load->audit))
            return stop(load, "a server was started on it meanwhile");
        if (code == SQLITE_DONE && is_log && !load->is_last) {
            load->is_last = true;
            sqlite3_reset(load->s);
            store_db_each_running(load->db, on_event, NULL, load, NULL);
            continue;
        }
        if (code == SQLITE_DONE) {
            sqlite3_reset(load->s);
            load->s = NULL;
            return STORE_NEXT_END;
        }
        if (code != SQLITE_ROW)
            return stop(load, sqlite3_errmsg(load->db->file));
        if (!store_db_read_row(load->db, load->s, is_log ? STORE_GAME : kind, &found,
                               seal))
            return stop(load, "a row is damaged");
        if (kind == STORE_EVENT) {
            store_db_give_log(&found.game, true, on_event, load);
            continue;
        }
        if (kind == STORE_GAME) {
            found.game.log = "";
            store_seal_row(load->db->sealer, &own, STORE_GAME, &found.game);
        }
        *row = found;
        if (kind == STORE_GAME)
            *seal = own;
        count_row(&load->done, kind);
        return STORE_NEXT_ROW;
    }
    free(load->given);
    load->given = load->first;
    load->first = load->given->next;
    if (load->first == NULL)
        load->last = &load->first;
    *row = load->given->row;
    *seal = load->given->seal;
    count_row(&load->done, kind);
    return STORE_NEXT_ROW;
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
        store_part_say(load->why, "it has a table or a column that is not known", 0);
    return is_known;
}

bool store_copy_load(struct store_audit *audit, const struct store_place *place,
                     struct store_copied *out, char why[STORE_WHY_BYTES])
{
    const struct store_engine *engine = store_load_postgres();
    struct load load = {.audit = audit,
                        .db = store_audit_database(audit),
                        .last = &load.first,
                        .why = why};
    const struct store_tally tally = {.last_game = load.db->tail.now.last_game,
                                      .age_ms = load.db->tail.now.age_ms};
    bool is_done;
    int reason;

    why[0] = '\0';
    if (engine == NULL)
        return false;
    errno = EIO;
    is_done = check_columns(&load) && engine->copy_in(place, &tally, next_row, &load);
    reason = errno;
    for (struct store_row_list *next; load.first != NULL; load.first = next) {
        next = load.first->next;
        free(load.first);
    }
    free(load.given);
    *out = load.done;
    errno = reason;
    return is_done;
}
