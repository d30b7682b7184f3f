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
#include "server/store/store_db.h"
#include "server/store/store_file.h"
#include "server/store/store_schema.h"

enum { PATH_BYTES = 1024 };

struct store_audit {
    struct store_db *db;
    char log[PATH_BYTES]; /* path of its write-ahead log; "": store_audit_adopt() was
                           * called */
    bool has_log;         /* the write-ahead log existed at the start, perhaps empty */
};

/* --- Opening --- */

/* Returns why the database cannot be checked; NULL: it can. The first read also takes
 * the lock of the file. */
static const char *judge_file(sqlite3 *file)
{
    int64_t tables = 0, application = 0, version = 0;
    int code = store_file_number(file, "SELECT count(*) FROM sqlite_master", &tables);

    if (code == SQLITE_BUSY) {
        errno = EBUSY;
        return "a server is running on this directory; verify a backup instead: "
               "janggid ctl backup FILE";
    }
    if (code == SQLITE_ROW)
        code = store_file_number(file, "PRAGMA application_id", &application);
    if (code == SQLITE_ROW)
        code = store_file_number(file, "PRAGMA user_version", &version);
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

/* Opens the file. Returns why it cannot be checked; NULL: it can.
 *
 * SQLite reads a write-ahead log only with write permission and with the lock. Without one,
 * no server runs, so SQLite may take the database as immutable; it then creates no files
 * beside it. */
static const char *open_file(struct store_audit *audit, const char *path,
                             sqlite3 **file)
{
    char journal[PATH_BYTES], uri[4 * PATH_BYTES] = "";
    struct text log_path = text_into(audit->log, sizeof audit->log),
                journal_path = text_into(journal, sizeof journal),
                still = text_into(uri, sizeof uri);
    const char *trouble;
    struct stat found;
    int code;

    text_addf(&log_path, "%s-wal", path);
    text_addf(&journal_path, "%s-journal", path);
    if (journal_path.is_cut)
        return "the path is too long";
    if (stat(path, &found) != 0)
        return strerror(errno);
    if (!S_ISREG(found.st_mode))
        return "this is not a file";
    if (stat(journal, &found) == 0 && found.st_size > 0)
        return "its server stopped while it was making the database; start the server "
               "once to repair it";
    audit->has_log = access(audit->log, F_OK) == 0;
    if (audit->has_log) {
        code = sqlite3_open_v2(path, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                               NULL);
        if (code == SQLITE_OK) {
            sqlite3_db_config(*file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
            code = sqlite3_exec(*file, "PRAGMA locking_mode = EXCLUSIVE;", NULL, NULL,
                                NULL);
        }
    } else {
        text_add(&still, "file:");
        for (const char *at = path; *at != '\0'; at++)
            text_addf(&still, strchr("%?#", *at) != NULL ? "%%%02x" : "%c", *at);
        text_add(&still, "?immutable=1");
        code = sqlite3_open_v2(
            uri, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
            NULL);
    }
    if (code != SQLITE_OK)
        return sqlite3_errmsg(*file);
    if (audit->has_log && sqlite3_db_readonly(*file, "main") == 1)
        return "there is a log file beside it, and this user may not write here; "
               "verify a copy of both files";
    trouble = judge_file(*file);
    if (trouble != NULL)
        return trouble;
    audit->db = store_db_adopt(*file);
    return audit->db != NULL ? NULL : sqlite3_errmsg(*file);
}

struct store_audit *store_audit_open(const char *path, char why[STORE_WHY_BYTES])
{
    struct store_audit *audit = mem_new(sizeof *audit);
    sqlite3 *file = NULL;
    const char *trouble;

    errno = 0;
    trouble = open_file(audit, path, &file);
    if (trouble == NULL)
        return audit;
    snprintf(why, STORE_WHY_BYTES, "%s", trouble);
    sqlite3_close(file);
    free(audit);
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

/* --- Rows --- */

/* A run of the audit. */
struct run {
    struct store_audit *audit;
    const struct store_audit_calls *calls;
    void *arg;
};

static void damage(void *arg, const char *what, const char *which, const char *why)
{
    const struct run *run = arg;

    run->calls->on_damage(run->arg, what, which, why);
}

enum { KEY_BYTES = 1024 };

/* Writes the key of the row as a text; such texts have the same order as the keys, because
 * the separator is lower than any byte in a name or word. */
static void write_key(char out[KEY_BYTES], enum store_kind kind, const void *row)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    struct text key = text_into(out, KEY_BYTES);

    for (int i = 0; i < layout->keys; i++) {
        const struct store_column *c = &layout->column[i];
        const unsigned char *bytes = store_row_at(c, row);

        text_add(&key, i > 0 ? "\x01" : "");
        if (c->type == 't')
            text_add(&key,
                     *store_row_text(c, row) != NULL ? *store_row_text(c, row) : "");
        else if (c->type == 'b')
            for (int at = 0; at < STORE_DIGEST_BYTES; at++)
                text_addf(&key, "%02x", bytes[at]);
        else
            text_addf(&key, "%lld", (long long)store_row_number(c, row));
    }
}

/* True if the key of the row comes after that of the row before. If not, the caller stops:
 * the rows of a damaged tree may repeat without end. */
static bool comes_after(enum store_kind kind, const char *key, const char *before,
                        bool is_first)
{
    const char type = store_row_layouts[kind].column[0].type;

    if (is_first || type == 'o')
        return is_first;
    return type == 'n' ? strtoll(key, NULL, 10) > strtoll(before, NULL, 10)
                       : strcmp(key, before) > 0;
}

/* Checks all rows of a kind. After a damaged row, those of a chain or of numbered rows
 * cannot be checked. */
static void read_rows(struct run *run, enum store_kind kind)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    struct store_db *db = run->audit->db;
    sqlite3_stmt *s = db->of[kind][STORE_SQL_LOAD];
    char before[KEY_BYTES] = "", key[KEY_BYTES];
    struct store_seal seal = {0};
    union store_record row;
    bool is_first = true;
    int code;

    memset(&row, 0, sizeof row);
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        bool is_sound = store_db_read_row(db, s, kind, &row, &seal);

        write_key(key, kind, &row);
        if (!comes_after(kind, key, before, is_first))
            break;
        is_first = false;
        memcpy(before, key, sizeof before);
        if (kind == STORE_GAME) {
            if (is_sound)
                store_db_give_log(&row.game, true, run->calls->on_event, run->arg);
            run->calls->on_game(run->arg, &row.game,
                                is_sound ? STORE_ROW_SOUND : STORE_ROW_DAMAGED);
        } else if (is_sound) {
            run->calls->on_row(run->arg, kind, &row);
        } else if (layout->is_chain || layout->is_numbered) {
            damage(run, layout->word, key, "it and the rows after it were changed");
            break;
        } else {
            damage(run, layout->word, key, "its row does not fit its seal");
        }
    }
    if (code != SQLITE_DONE && (code != SQLITE_ROW || !layout->is_numbered))
        damage(run, "database", "", "not all rows can be read");
    sqlite3_reset(s);
}

static void on_end(void *arg, int64_t game)
{
    const struct run *run = arg;
    const struct store_game row = {.id = game};

    run->calls->on_game(run->arg, &row, STORE_ROW_SOUND);
}

/* Checks the journal and the games that run, and how many games have ended. */
static void read_journal(struct run *run)
{
    struct store_db *db = run->audit->db;
    int64_t games = -1;

    if (store_db_scan(db, damage, run) != SQLITE_DONE)
        damage(run, "database", "", "the journal cannot be read");
    store_db_each_running(db, run->calls->on_event, on_end, run->arg, run);
    if (store_file_number(db->file, "SELECT count(*) FROM game", &games) ==
            SQLITE_ROW &&
        games != db->tail.now.games)
        damage(run, "head", "", "the number of games is another one");
}

/* --- The whole --- */

static void check_log(struct run *run)
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

static void check_database(struct run *run)
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
    for (int kind = 0; kind < STORE_KINDS; kind++)
        if (kind != STORE_EVENT && store_row_layouts[kind].letter != '\0')
            read_rows(&run, (enum store_kind)kind);
    return store_audit_is_certain(audit);
}
