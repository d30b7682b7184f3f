/* See database.h. */
#include "tests/checker/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/process.h"

enum { NAME_ROOM = PROCESS_PATH_BYTES + 24, COPY_BYTES = 65536 };

/* Collects the events of all games: those in the journal, and the lines of the logs of
 * ended games. An event can be in both. UNION then gives one row for it. If the two texts
 * differ, it gives two rows, and the primary key makes the second INSERT fail. */
static const char all_events[] =
    "PRAGMA temp_store = MEMORY;"
    "CREATE TEMP TABLE said(game INTEGER, number INTEGER, text TEXT,"
    " PRIMARY KEY(game, number)) WITHOUT ROWID;"
    "INSERT INTO said WITH RECURSIVE line(game, number, text, rest) AS"
    " (SELECT id, -1, '', log FROM game UNION ALL SELECT game, number + 1,"
    " substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + "
    "1)"
    " FROM line WHERE rest <> '')"
    " SELECT game, number, text FROM line WHERE number >= 0"
    " UNION SELECT game, number, text FROM journal;";

sqlite3 *database_open(const char *data)
{
    char path[NAME_ROOM];
    sqlite3 *file = NULL;

    snprintf(path, sizeof path, "%s/janggid.db", data);
    if (sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_exec(file, all_events, NULL, NULL, NULL) == SQLITE_OK)
        return file;
    printf("# %s: %s\n", path, sqlite3_errmsg(file));
    sqlite3_close(file);
    return NULL;
}

bool database_is_in_order(sqlite3 *file)
{
    sqlite3_stmt *check = NULL;
    const char *said = NULL;
    bool is_good;

    if (sqlite3_prepare_v2(file, "PRAGMA integrity_check", -1, &check, NULL) ==
            SQLITE_OK &&
        sqlite3_step(check) == SQLITE_ROW)
        said = (const char *)sqlite3_column_text(check, 0);
    is_good = said != NULL && strcmp(said, "ok") == 0;
    if (!is_good)
        printf("# the database is damaged: %s\n",
               said != NULL ? said : sqlite3_errmsg(file));
    sqlite3_finalize(check);
    return is_good;
}

/* --- A copy --- */

static bool copy_bytes(int from, int to)
{
    static char bytes[COPY_BYTES]; /* one copy at a time */
    ssize_t got;

    while ((got = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)got) != got)
            return false;
    return got == 0;
}

static bool copy_file(const char *data, const char *to, const char *name)
{
    char source[NAME_ROOM], target[NAME_ROOM];
    bool is_good;
    int in, out;

    snprintf(source, sizeof source, "%s/%s", data, name);
    snprintf(target, sizeof target, "%s/%s", to, name);
    in = open(source, O_RDONLY | O_CLOEXEC);
    if (in < 0 && errno == ENOENT) {
        unlink(target); /* left by an earlier copy */
        return true;
    }
    out = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    is_good = in >= 0 && out >= 0 && copy_bytes(in, out);
    if (!is_good)
        printf("# %s cannot be copied: %s\n", source, strerror(errno));
    close(in);
    close(out);
    return is_good;
}

bool database_copy(const char *data, const char *to)
{
    mkdir(to, 0700); /* an existing directory is fine */
    return copy_file(data, to, "janggid.db") && copy_file(data, to, "janggid.db-wal") &&
           copy_file(data, to, "janggid.db-journal");
}

/* --- Logs --- */

/* Adds the event in the current row of the query's result to the log. Returns false if
 * the log then has a gap. */
static bool add_row(sqlite3_stmt *row, struct history_log *log)
{
    int number = sqlite3_column_int(row, 1);

    if (number != log->count) {
        printf("# the database has event %d of game %lld, which leaves a gap\n", number,
               (long long)log->game);
        return false;
    }
    history_log_add(log, (const char *)sqlite3_column_text(row, 2));
    return true;
}

static void give(struct history_log *log, database_log_fn *give_log, void *arg)
{
    if (log->count > 0)
        give_log(arg, log);
    history_log_clear(log);
}

static bool read_rows(sqlite3_stmt *rows, database_log_fn *give_log, void *arg)
{
    struct history_log log;
    bool is_good = true;
    int code = SQLITE_DONE;

    history_log_init(&log, 0);
    while (is_good && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        int64_t game = sqlite3_column_int64(rows, 0);

        if (game != log.game) {
            give(&log, give_log, arg);
            history_log_init(&log, game);
        }
        is_good = add_row(rows, &log);
    }
    give(&log, give_log, arg);
    return is_good && code == SQLITE_DONE;
}

bool database_read(sqlite3 *file, database_log_fn *log, void *arg)
{
    sqlite3_stmt *rows = NULL;
    bool is_good =
        sqlite3_prepare_v2(file,
                           "SELECT game, number, text FROM said ORDER BY game, number",
                           -1, &rows, NULL) == SQLITE_OK &&
        read_rows(rows, log, arg);

    if (!is_good)
        printf("# the database cannot be read: %s\n", sqlite3_errmsg(file));
    sqlite3_finalize(rows);
    return is_good;
}

bool database_read_game(sqlite3 *file, int64_t game, struct history_log *log)
{
    sqlite3_stmt *rows = NULL;
    bool is_good =
        sqlite3_prepare_v2(
            file, "SELECT game, number, text FROM said WHERE game = ?1 ORDER BY number",
            -1, &rows, NULL) == SQLITE_OK &&
        sqlite3_bind_int64(rows, 1, game) == SQLITE_OK;
    int code = SQLITE_DONE;

    while (is_good && (code = sqlite3_step(rows)) == SQLITE_ROW)
        is_good = add_row(rows, log);
    sqlite3_finalize(rows);
    return is_good && code == SQLITE_DONE;
}
