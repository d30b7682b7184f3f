/* See store_schema.h.
 *
 * Version 0.1.0 made schema 3. Until schema 6, all events of a game were in the tables
 * `event` and `journal` (one with an older form), and `batch` listed those of each commit.
 * What later schemas added is in store_row.c. */
#include "server/store/store_schema.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/store/store_file.h"

bool store_schema_is_known(int version)
{
    return version == 0 || version == STORE_SCHEMA_0_1_0 ||
           version == STORE_SCHEMA_LAST || version == STORE_SCHEMA;
}

/* --- Logs --- */

/* Runs a statement with up to two numbers and a text. */
static bool run_with(sqlite3 *file, const char *sql, int64_t one, int64_t two,
                     const char *text)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(file, sql, -1, &s, NULL);

    if (code == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, one);
        if (sqlite3_bind_parameter_count(s) > 1)
            sqlite3_bind_int64(s, 2, two);
        if (sqlite3_bind_parameter_count(s) > 2)
            sqlite3_bind_text(s, 3, text, -1, SQLITE_STATIC);
        code = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    return code == SQLITE_DONE;
}

/* Reads a number; `other` if there is no row. */
static int64_t ask(sqlite3 *file, const char *sql, int64_t parameter, int64_t other)
{
    sqlite3_stmt *s = NULL;

    if (sqlite3_prepare_v2(file, sql, -1, &s, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, parameter);
        if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
            other = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return other;
}

bool store_logs_begin(struct store_logs *logs, struct store_db *db)
{
    *logs = (struct store_logs){.db = db};
    return sqlite3_exec(
               db->file,
               "CREATE TEMP TABLE must(game INTEGER PRIMARY KEY, number INTEGER)", NULL,
               NULL, NULL) == SQLITE_OK;
}

bool store_logs_must(struct store_logs *logs, int64_t game, int number)
{
    return run_with(logs->db->file,
                    "INSERT INTO temp.must VALUES(?1, ?2) ON CONFLICT(game) DO UPDATE"
                    " SET number = max(number, excluded.number)",
                    game, number, NULL);
}

static void add_text(struct store_logs *logs, const char *text)
{
    size_t size = strlen(text);

    if (logs->size + size + 2 > logs->room) {
        logs->room = 2 * (logs->size + size + 2);
        logs->text = mem_resize(logs->text, logs->room, 1);
    }
    memcpy(logs->text + logs->size, text, size);
    logs->size += size;
    logs->text[logs->size++] = '\n';
    logs->text[logs->size] = '\0';
}

/* Writes a row that fits no chain in place of an event of a running game that is lost. */
static bool put_lost(struct store_logs *logs, int64_t game, int number)
{
    const struct store_seal no_link = {0};
    const struct store_event event = {.seq = ++logs->db->tail.now.last_seq,
                                      .game = game,
                                      .number = number,
                                      .text = ""};

    return store_db_put_row(logs->db, STORE_EVENT, &event, &no_link);
}

/* Writes the events of a running game to the journal. */
static bool put_running(struct store_logs *logs, bool is_damaged)
{
    struct store_event event = {.game = logs->game, .text = logs->text};
    char *end;

    for (int i = 0; i < logs->events; i++, event.text = end + 1) {
        end = strchr(event.text, '\n');
        *end = '\0';
        event.seq = ++logs->db->tail.now.last_seq;
        event.number = i;
        event.wall_s = logs->event[i].wall_s;
        event.age_ms = logs->event[i].age_ms;
        if (!store_db_put_row(logs->db, STORE_EVENT, &event, &logs->event[i].link))
            return false;
    }
    return (!is_damaged || put_lost(logs, logs->game, logs->events)) &&
           run_with(logs->db->file, "DELETE FROM game WHERE id = ?1", logs->game, 0,
                    NULL);
}

/* Writes the log of logs->game to its row, or to the journal if it runs. */
static bool end_game(struct store_logs *logs)
{
    sqlite3 *file = logs->db->file;
    sqlite3_stmt *s = logs->db->of[STORE_GAME][STORE_SQL_FIND];
    struct store_game game = {.id = 0};
    struct store_seal seal;
    bool is_sound, is_there, is_over, is_damaged, is_good;
    char *bytes = NULL, *at;
    int64_t must;

    if (logs->game == 0)
        return true;
    sqlite3_bind_int64(s, 1, logs->game);
    is_there = sqlite3_step(s) == SQLITE_ROW;
    is_sound = is_there && store_db_read_row(logs->db, s, STORE_GAME, &game, &seal) &&
               game.id == logs->game;
    if (is_sound) {
        at = bytes = mem_new(store_row_bytes(STORE_GAME, &game) + 1);
        store_row_pack(STORE_GAME, &game, &at);
    }
    sqlite3_reset(s);
    is_over = is_sound ? game.is_over : logs->has_end;
    must = ask(file, "SELECT number FROM temp.must WHERE game = ?1", logs->game, 0) + 1;
    if (is_sound && game.events > must)
        must = game.events;
    is_damaged = logs->is_damaged || (!is_over && (!is_sound || logs->events < must)) ||
                 (is_over && is_sound && logs->events != game.events);
    if (logs->text == NULL)
        logs->text = mem_new(logs->room = 64);
    if (is_over && is_damaged)
        add_text(logs, STORE_LOG_DAMAGED);
    game.log = logs->text;
    if (!is_over)
        is_good = put_running(logs, is_damaged);
    else if (is_sound)
        is_good = store_db_put_row(logs->db, STORE_GAME, &game, NULL);
    else if (is_there) /* its seal does not fit, before and after */
        is_good = run_with(file, "UPDATE game SET is_over = ?2, log = ?3 WHERE id = ?1",
                           logs->game, 1, logs->text);
    else
        is_good = run_with(file,
                           "INSERT INTO game(id, is_over, events, age_ms, ended_s, red,"
                           " blue, red_shown, blue_shown, rules, time, result, reason,"
                           " plies, seal, log) VALUES(?1, ?2, 0, 0, 0, '', '', '', '',"
                           " '', '', '', '', 0, zeroblob(16), ?3)",
                           logs->game, 1, logs->text);
    free(bytes);
    return is_good &&
           run_with(file, "DELETE FROM temp.must WHERE game = ?1", logs->game, 0, NULL);
}

bool store_logs_add(struct store_logs *logs, const struct store_event *event,
                    const struct store_seal *link)
{
    struct store_log_event *kept;

    if (event->game != logs->game) {
        if (!end_game(logs))
            return false;
        logs->game = event->game;
        logs->size = 0;
        if (logs->text != NULL)
            logs->text[0] = '\0';
        logs->events = 0;
        logs->link = (struct store_seal){0};
        logs->is_damaged = logs->has_end = false;
        if (event->game > logs->last_game)
            logs->last_game = event->game;
    }
    if (logs->is_damaged)
        return true;
    store_seal_event(logs->db->sealer, &logs->link, event);
    if (event->number != logs->events || !store_seal_is_same(&logs->link, link)) {
        logs->is_damaged = true;
        return true;
    }
    logs->event =
        mem_grow(logs->event, logs->events, &logs->event_room, 64, sizeof *logs->event);
    kept = &logs->event[logs->events++];
    *kept = (struct store_log_event){event->wall_s, event->age_ms, *link};
    add_text(logs, event->text);
    logs->has_end = strncmp(event->text, "end ", 4) == 0;
    if (event->age_ms > logs->age_ms)
        logs->age_ms = event->age_ms;
    return true;
}

/* Damages the running games of which events are missing at the end, or all. */
static bool end_lost(struct store_logs *logs)
{
    static const char sql[] = "SELECT min(game) FROM (SELECT game FROM temp.must UNION"
                              " SELECT id FROM game WHERE is_over = 0) WHERE game > ?1";
    sqlite3 *file = logs->db->file;
    int64_t game = 0;

    while ((game = ask(file, sql, game, 0)) > 0) {
        int64_t must =
            ask(file, "SELECT number FROM temp.must WHERE game = ?1", game, 0);
        int64_t last =
            ask(file, "SELECT max(number) FROM journal WHERE game = ?1", game, -1);

        if (last < must &&
            ask(file, "SELECT is_over FROM game WHERE id = ?1", game, 0) == 0 &&
            (!put_lost(logs, game, (int)last + 1) ||
             !run_with(file, "DELETE FROM game WHERE id = ?1", game, 0, NULL)))
            return false;
    }
    return true;
}

bool store_logs_end(struct store_logs *logs, const struct store_head *least)
{
    sqlite3 *file = logs->db->file;
    bool is_good = end_game(logs);
    struct store_head head = {.first_seq = 1, .last_game = least->last_game};

    logs->game = 0;
    is_good = is_good && end_lost(logs);
    head.last_seq = logs->db->tail.now.last_seq;
    if (logs->last_game > head.last_game)
        head.last_game = logs->last_game;
    head.age_ms = logs->age_ms > least->age_ms ? logs->age_ms : least->age_ms;
    head.games = ask(file, "SELECT count(*) FROM game WHERE ?1 = 0", 0, 0);
    is_good = is_good && store_db_put_row(logs->db, STORE_HEAD, &head, NULL) &&
              sqlite3_exec(file, "DROP TABLE temp.must", NULL, NULL, NULL) == SQLITE_OK;
    free(logs->text);
    free(logs->event);
    *logs = (struct store_logs){.db = NULL};
    return is_good;
}

/* --- From the schemas 3 and 6 --- */

/* Adds what the rows of `batch` list: which events must be there. A list is game, number,
 * game, number ... each as bytes of 7 bits, the lowest first, all but the last with bit
 * 7. */
static bool read_lists(struct store_logs *logs, struct store_head *least)
{
    sqlite3_stmt *s = NULL;
    bool is_good =
        sqlite3_prepare_v2(logs->db->file, "SELECT last_game, age_ms, list FROM batch",
                           -1, &s, NULL) == SQLITE_OK;

    while (is_good && sqlite3_step(s) == SQLITE_ROW) {
        const unsigned char *at = sqlite3_column_blob(s, 2);
        int left = sqlite3_column_bytes(s, 2), shift = 0, count = 0;
        uint64_t number[2] = {0, 0};

        if (sqlite3_column_int64(s, 0) > least->last_game)
            least->last_game = sqlite3_column_int64(s, 0);
        if (sqlite3_column_int64(s, 1) > least->age_ms)
            least->age_ms = sqlite3_column_int64(s, 1);
        for (; is_good && left > 0; left--, at++) {
            number[count] |= shift < 64 ? (uint64_t)(*at & 0x7f) << shift : 0;
            shift += 7;
            if ((*at & 0x80) != 0)
                continue;
            shift = 0;
            count++;
            if (count < 2)
                continue;
            if (number[0] <= INT64_MAX && number[1] < INT_MAX)
                is_good = store_logs_must(logs, (int64_t)number[0], (int)number[1]);
            number[0] = number[1] = 0;
            count = 0;
        }
    }
    /* a game that is in no table any more was removed by the host */
    return sqlite3_finalize(s) == SQLITE_OK && is_good &&
           sqlite3_exec(logs->db->file,
                        "DELETE FROM temp.must WHERE game NOT IN (SELECT id FROM game)"
                        " AND game NOT IN (SELECT game FROM event)"
                        " AND game NOT IN (SELECT game FROM journal_6)",
                        NULL, NULL, NULL) == SQLITE_OK;
}

static bool read_events(struct store_logs *logs, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(logs->db->file, sql, -1, &s, NULL);
    bool is_good = code == SQLITE_OK;

    while (is_good && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 2);
        int64_t number = sqlite3_column_int64(s, 1);
        struct store_event event = {
            .game = sqlite3_column_int64(s, 0),
            .number = number >= 0 && number < INT_MAX ? (int)number : INT_MAX,
            .text = text != NULL ? text : "",
            .wall_s = sqlite3_column_int64(s, 3),
            .age_ms = sqlite3_column_int64(s, 4)};
        struct store_seal link = {0};

        if (sqlite3_column_bytes(s, 5) == STORE_SEAL_BYTES)
            memcpy(link.bytes, sqlite3_column_blob(s, 5), STORE_SEAL_BYTES);
        is_good = event.game <= 0 || store_logs_add(logs, &event, &link);
    }
    sqlite3_finalize(s);
    return is_good && code == SQLITE_DONE;
}

static bool convert_logs(sqlite3 *file, int version)
{
    bool has_journal = version == STORE_SCHEMA_LAST;
    struct store_head least = {
        .last_game = ask(file, "SELECT max(id) FROM game WHERE ?1 = 0", 0, 0)};
    struct store_db *db = store_db_adopt(file);
    struct store_logs logs = {.db = NULL};
    bool is_good = db != NULL && store_logs_begin(&logs, db);

    is_good = is_good && (!has_journal || read_lists(&logs, &least));
    is_good =
        is_good &&
        (version == 0 ||
         read_events(
             &logs,
             has_journal
                 ? "SELECT game, number, text, wall_s, age_ms, chain FROM event"
                   " UNION ALL SELECT game, number, text, wall_s, age_ms, link"
                   " FROM journal_6 WHERE NOT EXISTS (SELECT 1 FROM event AS parked"
                   " WHERE parked.game = journal_6.game"
                   " AND parked.number = journal_6.number) ORDER BY game, number"
                 : "SELECT game, number, text, wall_s, age_ms, chain FROM event"
                   " ORDER BY game, number"));
    is_good = db != NULL && store_logs_end(&logs, &least) && is_good;
    if (!is_good)
        store_file_refuse(file, "migration");
    if (db != NULL)
        db->file = NULL; /* the caller's */
    store_db_close(db);
    return is_good;
}

static bool make_tables(sqlite3 *file, int version)
{
    bool is_good = true;
    char sql[STORE_SQL_BYTES];

    for (int kind = 0; is_good && kind < STORE_KINDS; kind++) {
        const struct store_layout *layout = &store_row_layouts[kind];

        if (version == 0 || layout->since > version) {
            is_good = store_row_sql(sql, (enum store_kind)kind, STORE_SQL_CREATE) &&
                      store_file_run(file, sql);
            continue;
        }
        for (const struct store_column *c = layout->column; c->type != '\0'; c++) {
            struct text text = text_into(sql, sizeof sql);

            text_addf(&text, "ALTER TABLE %s ADD COLUMN %s %s", layout->name, c->name,
                      c->type == 't' ? "TEXT NOT NULL DEFAULT ''"
                                     : "INTEGER NOT NULL DEFAULT 0");
            if (c->since > version)
                is_good = is_good && store_file_run(file, sql);
        }
    }
    return is_good;
}

bool store_schema_bring(sqlite3 *file, int version)
{
    char words[100];
    struct text text = text_into(words, sizeof words);

    assert(store_schema_is_known(version));
    if (version == STORE_SCHEMA)
        return true;
    if (version > 0)
        log_info("store schema=%d becomes=%d", version, STORE_SCHEMA);
    text_addf(&text, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
              STORE_FILE_APPLICATION, STORE_SCHEMA);
    return store_file_run(file, "BEGIN EXCLUSIVE") &&
           (version != STORE_SCHEMA_LAST ||
            store_file_run(file, "ALTER TABLE journal RENAME TO journal_6;"
                                 "DROP INDEX game_running")) &&
           (version != STORE_SCHEMA_0_1_0 ||
            store_file_run(file, "CREATE INDEX game_aborted ON game(ended_s)"
                                 " WHERE is_over = 1 AND result = 'none'")) &&
           make_tables(file, version) && convert_logs(file, version) &&
           (version == 0 || store_file_run(file, "DROP TABLE event")) &&
           (version != STORE_SCHEMA_LAST ||
            store_file_run(file, "DROP TABLE journal_6; DROP TABLE batch")) &&
           store_file_run(file, words) && store_file_run(file, "COMMIT") &&
           store_file_settle(file);
}
