/* See store_audit.h. */
#include "server/store/store_audit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/database/store_fetch.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/database/store_schema.h"
#include "server/sqlite/store_file.h"
#include "server/sqlite/store_wal.h"

enum { PATH_BYTES = 1024 };

struct store_audit {
    struct store_db *db;
    char path[PATH_BYTES];
    char log[PATH_BYTES]; /* path of its write-ahead log; "": store_audit_adopt() was
                           * called */
    bool has_log;         /* the write-ahead log existed at the start, perhaps empty */
};

static void say(char why[STORE_WHY_BYTES], const char *words)
{
    struct text text = text_into(why, STORE_WHY_BYTES);

    text_add(&text, words);
}

/* --- Opening --- */

/* Escapes a path for SQLite's URI syntax. */
static void add_escaped(struct text *out, const char *path)
{
    for (; *path != '\0'; path++)
        if (strchr("%?#", *path) != NULL)
            text_addf(out, "%%%02x", (unsigned)*path);
        else
            text_addf(out, "%c", *path);
}

/* Opens a database that has no write-ahead log. This means that no server is running,
 * so SQLite may open the database as immutable; it then creates no files beside the
 * database. */
static int open_still(const char *path, sqlite3 **file)
{
    char uri[4 * PATH_BYTES];
    struct text text = text_into(uri, sizeof uri);

    text_add(&text, "file:");
    add_escaped(&text, path);
    text_add(&text, "?immutable=1");
    return sqlite3_open_v2(
        uri, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
}

/* Opens a database that has a write-ahead log. SQLite can read that log only with write
 * permission and with the lock. */
static int open_with_log(const char *path, sqlite3 **file)
{
    int code =
        sqlite3_open_v2(path, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    if (code != SQLITE_OK)
        return code;
    sqlite3_db_config(*file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return sqlite3_exec(*file, "PRAGMA locking_mode = EXCLUSIVE;", NULL, NULL, NULL);
}

static int number_of(sqlite3 *file, const char *words, int64_t *out)
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

/* Returns why the database cannot be checked; NULL: it can. The first read also takes
 * the lock of the file. */
static const char *judge_file(sqlite3 *file)
{
    int64_t tables = 0, application = 0, version = 0;
    int code = number_of(file, "SELECT count(*) FROM sqlite_master", &tables);

    if (code == SQLITE_BUSY) {
        errno = EBUSY;
        return "a server is running on this directory; verify a backup instead: "
               "janggid ctl backup FILE";
    }
    if (code == SQLITE_ROW)
        code = number_of(file, "PRAGMA application_id", &application);
    if (code == SQLITE_ROW)
        code = number_of(file, "PRAGMA user_version", &version);
    if (code != SQLITE_ROW)
        return sqlite3_errmsg(file);
    if (application != STORE_FILE_APPLICATION)
        return "this is not a database of janggid";
    if (version < STORE_SCHEMA)
        return "an older janggid made it; verify it with that version, or start this "
               "janggid once on a copy of it, which brings the copy up to date";
    if (version > STORE_SCHEMA)
        return "a newer janggid made it; verify it with that version";
    return NULL;
}

/* Returns why the path is refused: the file is missing or is no plain file, or a server
 * must repair it first. NULL: it is not refused. */
static const char *judge_path(const struct store_audit *audit)
{
    char journal[PATH_BYTES + 16];
    struct text text = text_into(journal, sizeof journal);
    struct stat found;

    text_addf(&text, "%s-journal", audit->path);
    if (stat(audit->path, &found) != 0)
        return strerror(errno);
    if (!S_ISREG(found.st_mode))
        return "this is not a file";
    if (stat(journal, &found) == 0 && found.st_size > 0)
        return "its server stopped while it was making the database; start the server "
               "once to repair it";
    return NULL;
}

static bool open_file(struct store_audit *audit, char why[STORE_WHY_BYTES])
{
    const char *trouble = judge_path(audit);
    sqlite3 *file = NULL;
    int code;

    if (trouble != NULL) {
        say(why, trouble);
        return false;
    }
    code = audit->has_log ? open_with_log(audit->path, &file)
                          : open_still(audit->path, &file);
    if (code != SQLITE_OK)
        trouble = sqlite3_errmsg(file);
    else if (audit->has_log && sqlite3_db_readonly(file, "main") == 1)
        trouble = "there is a log file beside it, and this user may not write here; "
                  "verify a copy of both files";
    else
        trouble = judge_file(file);
    if (trouble == NULL)
        audit->db = store_db_adopt(file);
    if (trouble == NULL && audit->db == NULL)
        trouble = sqlite3_errmsg(file);
    if (audit->db != NULL)
        return true;
    say(why, trouble);
    sqlite3_close(file);
    return false;
}

struct store_audit *store_audit_open(const char *path, char why[STORE_WHY_BYTES])
{
    struct store_audit *audit = mem_new(sizeof *audit);
    struct text log = text_into(audit->log, sizeof audit->log);

    errno = 0;
    text_addf(&log, "%s-wal", path);
    if (text_copy(audit->path, sizeof audit->path, path) && !log.is_cut) {
        audit->has_log = access(audit->log, F_OK) == 0;
        if (open_file(audit, why))
            return audit;
    } else {
        say(why, "the path is too long");
    }
    store_audit_close(audit);
    return NULL;
}

struct store_audit *store_audit_adopt(struct store_db *db)
{
    struct store_audit *audit = mem_new(sizeof *audit);

    audit->db = db;
    return audit;
}

struct store_db *store_audit_database(struct store_audit *audit)
{
    return audit->db;
}

void store_audit_close(struct store_audit *audit)
{
    if (audit == NULL)
        return;
    store_db_close(audit->db);
    free(audit);
}

/* --- Games --- */

/* A run of the audit. */
struct run {
    struct store_audit *audit;
    const struct store_audit_calls *calls;
    void *arg;
};

static void damage(const struct run *run, const char *what, const char *which,
                   const char *why)
{
    run->calls->on_damage(run->arg, what, which, why);
}

static void read_events(const struct run *run, int64_t game)
{
    struct store_db *db = run->audit->db;
    struct store_reading reading = {.game = game};
    int code = store_fetch_log(db, &reading, INT_MAX, run->calls->on_event, run->arg);

    if (code != SQLITE_DONE)
        store_fetch_give_damage(&reading, run->calls->on_event, run->arg);
}

static void read_games(const struct run *run)
{
    struct store_db *db = run->audit->db;
    struct store_game row = {.id = INT64_MIN};
    bool is_sound;
    int code;

    while ((code = store_fetch_next_row(db, &row, &is_sound)) == SQLITE_ROW) {
        read_events(run, row.id);
        run->calls->on_game(run->arg, &row,
                            is_sound ? STORE_ROW_SOUND : STORE_ROW_DAMAGED);
    }
    if (code != SQLITE_DONE)
        damage(run, "database", "", "not all games can be read");
    sqlite3_reset(db->statement[STORE_LOAD_GAMES]);
}

static void read_orphan(const struct run *run, int64_t game)
{
    struct store_game row;
    int code;

    if (store_rows_find_game(run->audit->db, game, &row, &code) != STORE_ROW_MISSING)
        return;
    read_events(run, game);
    run->calls->on_game(run->arg, &row, STORE_ROW_MISSING);
}

/* Reports games that have events, but no row. */
static void read_orphans(const struct run *run)
{
    struct store_db *db = run->audit->db;
    const struct store_end *end;
    int64_t game = INT64_MIN;
    int code;

    while ((code = store_fetch_next_log(db, &game)) == SQLITE_ROW)
        read_orphan(run, game);
    for (end = db->tail->by_game; end != NULL; end = end->hh.next)
        if (end->parked == 0)
            read_orphan(run, end->game);
    if (code != SQLITE_DONE)
        damage(run, "database", "", "not all events can be read");
}

/* --- Other rows --- */

/* The first two columns, which contain the key. */
struct key {
    char first[PATH_BYTES];
    unsigned char second[STORE_DIGEST_BYTES];
};

/* Sets *before to the key of the row. Returns true if this key is greater than the old
 * *before. If the result is false, the caller must stop reading, because the rows of a
 * damaged tree may repeat without end. */
static bool comes_after(sqlite3_stmt *s, struct key *before)
{
    const char *first = (const char *)sqlite3_column_text(s, 0);
    const void *second = sqlite3_column_blob(s, 1);
    int size = sqlite3_column_bytes(s, 1);
    struct key key = {.first = ""};
    int order;

    if (first == NULL || !text_copy(key.first, sizeof key.first, first))
        return false;
    if (size > 0)
        memcpy(key.second, second,
               (size_t)(size < STORE_DIGEST_BYTES ? size : STORE_DIGEST_BYTES));
    order = strcmp(key.first, before->first);
    if (order == 0)
        order = memcmp(key.second, before->second, sizeof key.second);
    *before = key;
    return order > 0;
}

static void read_rows(const struct run *run, enum store_statement which,
                      enum store_kind kind)
{
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = db->statement[which];
    struct key key = {.first = ""};
    struct store_seal seal;
    union store_record row = {0};
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW && comes_after(s, &key))
        if (!store_rows_read(db, s, kind, &row, &seal))
            damage(run, store_row_layouts[kind].name, key.first,
                   "its row does not fit its seal");
    if (code != SQLITE_DONE)
        damage(run, "database", "", "some rows cannot be read");
    sqlite3_reset(s);
}

/* Passes the mark in the current row to on_mark(). Returns false if the row is
 * damaged. */
static bool read_mark(const struct run *run, sqlite3_stmt *s)
{
    struct store_mark mark;
    struct store_seal seal;

    if (!store_rows_read(run->audit->db, s, STORE_MARK, &mark, &seal))
        return false;
    if (run->calls->on_mark != NULL)
        run->calls->on_mark(run->arg, &mark);
    return true;
}

enum { MARK_KEY_BYTES = 1024 };

/* Joins the three key columns of a mark into one text. Such texts have the same order
 * as the keys, because the separator is lower than any byte in a name or word. Returns
 * false if the text does not fit. */
static bool mark_key(sqlite3_stmt *s, char out[MARK_KEY_BYTES])
{
    struct text key = text_into(out, MARK_KEY_BYTES);

    for (int column = 0; column < 3; column++) {
        const char *part = (const char *)sqlite3_column_text(s, column);

        text_addf(&key, "%s%s", column > 0 ? "\x01" : "", part != NULL ? part : "");
    }
    return !key.is_cut;
}

/* Checks all marks. Stops at the first key that is not greater than the key before it,
 * because the rows of a damaged tree may repeat without end. */
static void read_marks(const struct run *run)
{
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = db->statement[STORE_LOAD_MARKS];
    char before[MARK_KEY_BYTES] = "", key[MARK_KEY_BYTES];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW && mark_key(s, key) &&
           strcmp(key, before) > 0) {
        if (!read_mark(run, s))
            damage(run, "mark", key, "its row does not fit its seal");
        memcpy(before, key, sizeof before);
    }
    if (code != SQLITE_DONE)
        damage(run, "database", "", "some rows cannot be read");
    sqlite3_reset(s);
}

/* Checks the audit log of the staff up to its first damage. The log is a chain, so
 * nothing after that can be trusted. */
static void read_acts(const struct run *run)
{
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = db->statement[STORE_LOAD_ACTS];
    struct store_act act = {.id = 0};
    struct store_seal link = {0};
    char which[24];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        if (!store_rows_read(db, s, STORE_ACT, &act, &link)) {
            snprintf(which, sizeof which, "%lld", (long long)act.id);
            damage(run, "act", which, "it and the entries after it were changed");
            break;
        }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        damage(run, "database", "", "some rows of the audit log cannot be read");
    sqlite3_reset(s);
}

/* Passes the ratings to on_rating(), up to the first damaged row. Each rating depends
 * on all earlier rows, so the rows after the damaged row cannot be checked. */
static void read_ratings(const struct run *run)
{
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = db->statement[STORE_LOAD_RATINGS];
    struct store_rating rating = {.seq = 0};
    struct store_seal seal;
    char which[24];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        int64_t seq = rating.seq + 1;

        if (store_rows_read(db, s, STORE_RATING, &rating, &seal)) {
            run->calls->on_rating(run->arg, &rating);
            continue;
        }
        snprintf(which, sizeof which, "%lld", (long long)seq);
        damage(run, "rating", which, "its row is missing or does not fit its seal");
        break;
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        damage(run, "database", "", "not all ratings can be read");
    sqlite3_reset(s);
}

/* --- The journal --- */

static void on_batch_damage(void *arg, int64_t last_id, const char *why)
{
    char which[24];
    struct text text = text_into(which, sizeof which);

    text_addf(&text, "%lld", (long long)last_id);
    damage(arg, "batch", which, why);
}

/* Checks the batches of the journal. Also checks the number of running games that is
 * stored in the database. Call it before the log of any game is read. */
static void read_journal(struct run *run)
{
    struct store_db *db = run->audit->db;
    int64_t running = 0, listed = 0;

    if (store_journal_scan(db, on_batch_damage, run) != SQLITE_DONE)
        damage(run, "database", "", "the journal cannot be read");
    if (number_of(db->file, store_rows_sql[STORE_COUNT_RUNNING], &running) ==
            SQLITE_ROW &&
        number_of(db->file, store_rows_sql[STORE_COUNT_INDEX], &listed) == SQLITE_ROW &&
        (running != db->tail->now.running || listed != running))
        damage(run, "batch", "",
               "the stored number of running games does not fit the games");
}

/* --- The whole --- */

static void check_log(const struct run *run)
{
    char which[40];
    struct text text = text_into(which, sizeof which);
    int frame;
    enum store_wal_state state = store_wal_judge(run->audit->log, &frame);

    text_addf(&text, "frame %d", frame);
    if (state == STORE_WAL_DAMAGED)
        damage(run, "log", which, "everything after it is lost");
    else if (state == STORE_WAL_FAILED)
        damage(run, "log", "", "it cannot be read");
}

static void check_database(const struct run *run)
{
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db->file, "PRAGMA integrity_check", -1, &s, NULL);

    while (code == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(s, 0);

        if (found == NULL || strcmp(found, "ok") != 0)
            damage(run, "database", "", found != NULL ? found : "it cannot be checked");
    }
    if (sqlite3_finalize(s) != SQLITE_OK || code != SQLITE_OK)
        damage(run, "database", "", sqlite3_errmsg(db->file));
}

bool store_audit_is_certain(const struct store_audit *audit)
{
    return audit->has_log || audit->log[0] == '\0' || access(audit->log, F_OK) != 0;
}

bool store_audit_run(struct store_audit *audit, const struct store_audit_calls *calls,
                     void *arg)
{
    struct run run = {.audit = audit, .calls = calls, .arg = arg};

    if (audit->log[0] != '\0')
        check_log(&run);
    check_database(&run);
    read_journal(&run);
    read_games(&run);
    read_orphans(&run);
    read_rows(&run, STORE_LOAD_NAMES, STORE_NAME);
    read_rows(&run, STORE_LOAD_DEVICES, STORE_DEVICE);
    read_rows(&run, STORE_LOAD_INVITES, STORE_INVITE);
    read_rows(&run, STORE_LOAD_AGE, STORE_AGE);
    read_marks(&run);
    read_acts(&run);
    read_ratings(&run);
    return store_audit_is_certain(audit);
}
