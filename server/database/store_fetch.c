/* See store_fetch.h. */
#include "server/database/store_fetch.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/event.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/sqlite/store_file.h"

/* --- At the start: games --- */

static void refuse_table(const char *table)
{
    log_warn("store damaged=database table=%s : %s", table, store_file_advice);
    errno = EIO;
}

/* Resets a startup statement after its last row, and reports an error. */
static bool finish_load(struct store_db *db, enum store_statement which, int code)
{
    if (code == SQLITE_CORRUPT && which == STORE_LOAD_GAMES)
        refuse_table("game");
    else if (code != SQLITE_DONE)
        store_file_refuse(db->file, store_rows_sql[which]);
    sqlite3_reset(db->statement[which]);
    return code == SQLITE_DONE;
}

/* Reads the number in the only row of a statement. */
static bool read_number(struct store_db *db, enum store_statement which, int64_t *out)
{
    sqlite3_stmt *s = db->statement[which];
    int code = sqlite3_step(s);

    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        code = sqlite3_step(s);
    }
    return finish_load(db, which, code);
}

static bool last_game(struct store_db *db, int64_t *out)
{
    if (!read_number(db, STORE_LAST_GAME, out))
        return false;
    if (*out >= 0 && *out < INT64_MAX)
        return true;
    log_warn("store damaged=game row=%lld : %s", (long long)*out, store_file_advice);
    errno = EIO;
    return false;
}

static bool saved_age(struct store_db *db, struct store_age *age)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_AGE];
    struct store_seal seal;
    struct store_age found = {0};
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!store_rows_read(db, s, STORE_AGE, &found, &seal)) {
            log_warn("store damaged=age : the latest event's is taken");
            continue;
        }
        age->number = found.number;
        if (found.age_ms > age->age_ms)
            age->age_ms = found.age_ms;
    }
    return finish_load(db, STORE_LOAD_AGE, code);
}

int store_fetch_next_row(struct store_db *db, struct store_game *game, bool *is_sound)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_GAMES];
    int64_t before = game->id;
    int code = sqlite3_step(s);

    if (code != SQLITE_ROW)
        return code;
    *is_sound = store_rows_read_game(db, s, game);
    return game->id > before ? SQLITE_ROW : SQLITE_CORRUPT;
}

static void tell_batch(void *arg, int64_t last_id, const char *why)
{
    (void)arg;
    log_warn("store damaged=batch row=%lld why=\"%s\" : %s", (long long)last_id, why,
             store_file_advice);
}

/* Compares the number of games in the index of running games with the number in the
 * last row of the table batch. If they differ, sets db->is_doubtful: then all rows of
 * games are read. Returns false after logging an error. */
static bool check_running(struct store_db *db)
{
    struct store_tally *tally = &db->tail->now;
    int64_t listed = 0;

    if (!read_number(db, STORE_COUNT_INDEX, &listed))
        return false;
    db->is_doubtful = listed != tally->running;
    if (!db->is_doubtful)
        return true;
    log_warn("store damaged=games listed=%lld running=%lld : all games are read; %s",
             (long long)listed, (long long)tally->running, store_file_advice);
    if (!read_number(db, STORE_COUNT_RUNNING, &tally->running))
        return false;
    db->tail->kept.running = tally->running;
    return true;
}

bool store_fetch_survey(struct store_db *db, int64_t *last, struct store_age *age)
{
    int code = store_journal_scan(db, tell_batch, NULL);

    *age = (struct store_age){.age_ms = db->tail->now.age_ms};
    if (code != SQLITE_DONE) {
        store_file_refuse(db->file, store_rows_sql[STORE_LOAD_JOURNAL]);
        return false;
    }
    if (!check_running(db) || !last_game(db, last) || !saved_age(db, age))
        return false;
    if (*last < db->tail->now.last_game)
        *last = db->tail->now.last_game;
    return true;
}

static bool load_log(struct store_db *db, struct store_reading *reading,
                     store_event_fn *row, void *arg)
{
    if (store_fetch_log(db, reading, INT_MAX, row, arg) == SQLITE_DONE) {
        store_fetch_log_damage(reading);
        return true;
    }
    store_file_refuse(db->file, store_rows_sql[STORE_READ_LOG]);
    return false;
}

static void ignore_event(void *arg, const struct store_event *event)
{
    (void)arg;
    (void)event;
}

/* Loads a game whose row is damaged or missing, unless its log shows that it has
 * ended. */
static bool load_doubtful(struct store_db *db, int64_t game, store_event_fn *row,
                          void *arg)
{
    struct store_reading look = {.game = game}, again = look;

    if (store_fetch_log(db, &look, INT_MAX, ignore_event, NULL) != SQLITE_DONE ||
        !look.has_end)
        return load_log(db, &again, row, arg);
    log_warn("store game=%lld damaged=row : it is over, and missing in lists",
             (long long)game);
    return true;
}

/* If the database is damaged, SQLite may find a game whose number is not higher than
 * *game. Returns an error in this case. */
int store_fetch_next_log(struct store_db *db, int64_t *game)
{
    sqlite3_stmt *s = db->statement[STORE_NEXT_LOG];
    int64_t before = *game;
    int code;

    sqlite3_bind_int64(s, 1, before);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW && sqlite3_column_type(s, 0) == SQLITE_NULL)
        code = SQLITE_DONE;
    if (code == SQLITE_ROW) {
        *game = sqlite3_column_int64(s, 0);
        if (*game <= before)
            code = SQLITE_CORRUPT;
    }
    sqlite3_reset(s);
    return code;
}

static bool load_orphan(struct store_db *db, int64_t game, store_event_fn *row,
                        void *arg)
{
    struct store_game found;
    int code;

    return store_rows_find_game(db, game, &found, &code) != STORE_ROW_MISSING ||
           load_doubtful(db, game, row, arg);
}

/* Loads games that have events, but no row. */
static bool load_orphans(struct store_db *db, store_event_fn *row, void *arg)
{
    int64_t game = INT64_MIN;
    int code;

    while ((code = store_fetch_next_log(db, &game)) == SQLITE_ROW)
        if (!load_orphan(db, game, row, arg))
            return false;
    for (struct store_end *end = db->tail->by_game; end != NULL; end = end->hh.next)
        if (end->parked == 0 && !load_orphan(db, end->game, row, arg))
            return false;
    if (code == SQLITE_DONE)
        return true;
    refuse_table("event");
    return false;
}

/* Loads the running games from all rows of games and of events, because the index of
 * running games cannot be trusted. */
static bool load_thoroughly(struct store_db *db, store_event_fn *row, void *arg)
{
    struct store_game game = {.id = INT64_MIN};
    bool is_good = true, is_sound;
    int code = SQLITE_DONE;

    while (is_good &&
           (code = store_fetch_next_row(db, &game, &is_sound)) == SQLITE_ROW) {
        struct store_reading reading = {.game = game.id};

        if (!is_sound)
            is_good = load_doubtful(db, game.id, row, arg);
        else if (!game.is_over)
            is_good = load_log(db, &reading, row, arg);
    }
    if (is_good)
        return finish_load(db, STORE_LOAD_GAMES, code) && load_orphans(db, row, arg);
    sqlite3_reset(db->statement[STORE_LOAD_GAMES]);
    return false;
}

/* Sets *game to the next game in the index of running games. Returns SQLITE_ROW,
 * SQLITE_DONE or an error. */
static int next_running(struct store_db *db, int64_t *game)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_RUNNING];
    int64_t before = *game;
    int code;

    sqlite3_bind_int64(s, 1, before);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        *game = sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return code == SQLITE_ROW && *game <= before ? SQLITE_CORRUPT : code;
}

/* Loads a game that is in the index of running games, if it still runs. */
static bool load_listed(struct store_db *db, int64_t game, store_event_fn *row,
                        void *arg)
{
    struct store_reading reading = {.game = game};
    struct store_game found;
    int code;

    if (store_rows_find_game(db, game, &found, &code) != STORE_ROW_SOUND)
        return load_doubtful(db, game, row, arg);
    return found.is_over || load_log(db, &reading, row, arg);
}

bool store_fetch_running(struct store_db *db, store_event_fn *row, void *arg)
{
    int64_t game = INT64_MIN;
    int code;

    if (db->is_doubtful)
        return load_thoroughly(db, row, arg);
    while ((code = next_running(db, &game)) == SQLITE_ROW)
        if (!load_listed(db, game, row, arg))
            return false;
    if (code == SQLITE_DONE)
        return true;
    refuse_table("game");
    return false;
}

/* --- Names, invitations and what is unseen --- */

static void refuse_row(sqlite3_stmt *s, const char *kind)
{
    const unsigned char *key = sqlite3_column_text(s, 0);

    log_warn("store damaged=%s row=\"%s\" : %s", kind,
             key != NULL ? (const char *)key : "", store_file_advice);
    sqlite3_reset(s);
}

bool store_fetch_rows(struct store_db *db, const struct store_visitor *visitor)
{
    static const enum store_statement loads[] = {
        [STORE_NAME] = STORE_LOAD_NAMES,     [STORE_DEVICE] = STORE_LOAD_DEVICES,
        [STORE_INVITE] = STORE_LOAD_INVITES, [STORE_AGE] = STORE_LOAD_AGE,
        [STORE_ACT] = STORE_LOAD_ACTS,       [STORE_MARK] = STORE_LOAD_MARKS,
        [STORE_RATING] = STORE_LOAD_RATINGS};
    enum store_statement which = loads[visitor->kind];
    sqlite3_stmt *s = db->statement[which];
    struct store_seal seal = {0};
    union store_record row;
    int code;

    memset(&row, 0, sizeof row);
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!store_rows_read(db, s, visitor->kind, &row, &seal)) {
            refuse_row(s, store_row_layouts[visitor->kind].name);
            return false;
        }
        store_row_give(visitor, &row);
    }
    return finish_load(db, which, code);
}

bool store_fetch_last_act(struct store_db *db, int64_t *id)
{
    return read_number(db, STORE_COUNT_ACTS, id);
}

bool store_fetch_all_unseen(struct store_db *db, store_folded_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_UNSEEN];
    char before[NAME_BYTES] = "";
    int code;

    for (;;) {
        const char *folded;

        store_rows_bind_text(s, 1, before);
        code = sqlite3_step(s);
        folded = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
        if (folded == NULL || strcmp(folded, before) <= 0 ||
            !text_copy(before, sizeof before, folded))
            break;
        sqlite3_reset(s);
        row(arg, before);
    }
    return finish_load(db, STORE_LOAD_UNSEEN, code == SQLITE_ROW ? SQLITE_DONE : code);
}

/* Reads the event number reading->next from the current row. False: the row is not that
 * event, or is damaged. */
static bool get_event(struct store_db *db, sqlite3_stmt *s,
                      const struct store_reading *reading, struct store_event *out,
                      struct store_seal *link)
{
    *out = (struct store_event){.game = reading->game, .number = reading->next};
    *link = reading->link;
    return store_rows_read_event(db, s, out, link);
}

/* --- One log --- */

/* Facts about a log that are known before it is read. */
struct log {
    enum store_row state;
    int counted; /* number of its events */
    int most;    /* no more events than this are read: `counted`, or INT_MAX if the row
                  * of the game is damaged or missing */
    int parked;  /* number of its events in the table event; INT_MAX: all */
    const struct store_end *end; /* its events in the table journal; NULL: none are
                                  * there */
};

/* Finds the facts about a log before it is read. Returns SQLITE_DONE or an error. */
static int look_at_log(struct store_db *db, int64_t game, struct log *log)
{
    struct store_game row;
    int code;

    log->state = store_rows_find_game(db, game, &row, &code);
    log->counted = row.events;
    log->end = store_tail_find(db->tail, game);
    log->parked = log->end != NULL ? log->end->parked : INT_MAX;
    if (log->end != NULL && !row.is_over && log->end->events > log->counted)
        log->counted = log->end->events;
    log->most = log->state == STORE_ROW_SOUND ? log->counted : INT_MAX;
    return code == SQLITE_ROW ? SQLITE_DONE : code;
}

/* True when the whole log has been read. Without an intact row of the game, only an end
 * event shows that the log is whole. */
static bool is_whole(const struct store_reading *reading, const struct log *log)
{
    if (log->state == STORE_ROW_SOUND)
        return reading->next == log->counted;
    return reading->has_end || (log->state == STORE_ROW_MISSING && reading->next == 0);
}

void store_fetch_give_damage(struct store_reading *reading, store_event_fn *row,
                             void *arg)
{
    struct store_event event = {
        .game = reading->game, .number = reading->next, .text = ""};

    reading->is_done = reading->is_damaged = true;
    row(arg, &event);
}

void store_fetch_log_damage(const struct store_reading *reading)
{
    if (reading->is_damaged)
        log_warn("store game=%lld damaged-from-event=%d : %s", (long long)reading->game,
                 reading->next, store_file_advice);
}

/* Reads the event in the current row of `s` and passes it to row(). False: it is
 * damaged. */
static bool give_next(struct store_db *db, struct store_reading *reading,
                      const struct log *log, sqlite3_stmt *s, store_event_fn *row,
                      void *arg)
{
    struct store_event event;
    struct store_seal link;

    if (reading->next >= log->most || !get_event(db, s, reading, &event, &link))
        return false;
    row(arg, &event);
    reading->has_end = strncmp(event.text, "end ", 4) == 0;
    reading->link = link;
    reading->next++;
    return true;
}

/* Reads at most *limit events from the table event, and subtracts their number from
 * *limit. Returns SQLITE_DONE if no damage was found, SQLITE_ROW if the next event is
 * damaged, otherwise an error. */
static int give_parked(struct store_db *db, struct store_reading *reading,
                       const struct log *log, int *limit, store_event_fn *row,
                       void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_READ_LOG];
    int code = SQLITE_DONE;

    if (reading->next >= log->parked)
        return SQLITE_DONE;
    sqlite3_bind_int64(s, 1, reading->game);
    sqlite3_bind_int(s, 2, reading->next);
    while (*limit > 0 && (code = sqlite3_step(s)) == SQLITE_ROW &&
           give_next(db, reading, log, s, row, arg)) {
        code = SQLITE_DONE;
        --*limit;
    }
    sqlite3_reset(s);
    return code;
}

/* Reads one event of the journal. Returns the same codes as give_parked(). */
static int give_unparked(struct store_db *db, struct store_reading *reading,
                         const struct log *log, store_event_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_READ_EVENT];
    int64_t id = log->end->id[reading->next - log->parked];
    int code;

    if (id == 0)
        return SQLITE_ROW;
    sqlite3_bind_int64(s, 1, id);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW && sqlite3_column_int64(s, 5) == reading->game &&
        give_next(db, reading, log, s, row, arg))
        code = SQLITE_DONE;
    else if (code == SQLITE_DONE)
        code = SQLITE_ROW;
    sqlite3_reset(s);
    return code;
}

static int give_all(struct store_db *db, struct store_reading *reading,
                    const struct log *log, int *limit, store_event_fn *row, void *arg)
{
    int code = give_parked(db, reading, log, limit, row, arg);

    while (code == SQLITE_DONE && *limit > 0 && log->end != NULL &&
           reading->next >= log->parked && reading->next < log->end->events) {
        code = give_unparked(db, reading, log, row, arg);
        *limit -= code == SQLITE_DONE;
    }
    return code;
}

/* An erasure changes the links (digests) of events. reading->link is the link of the
 * last event that was read. If there was an erasure since the last call, computes
 * reading->link again. Returns SQLITE_DONE or an error. */
static int find_link(struct store_db *db, struct store_reading *reading,
                     const struct log *log)
{
    struct store_reading again = {.game = reading->game};
    int limit = reading->next, code = SQLITE_DONE;

    if (reading->next > 0 && reading->erasures != db->erasures)
        code = give_all(db, &again, log, &limit, ignore_event, NULL);
    if (again.next > 0)
        reading->link = again.link;
    reading->erasures = db->erasures;
    return code == SQLITE_ROW ? SQLITE_DONE : code; /* not an error here: the caller
                                                     * notices the damage when it reads
                                                     * on */
}

int store_fetch_log(struct store_db *db, struct store_reading *reading, int limit,
                    store_event_fn *row, void *arg)
{
    struct log log;
    int code = look_at_log(db, reading->game, &log);

    if (code == SQLITE_DONE)
        code = find_link(db, reading, &log);
    if (code == SQLITE_DONE)
        code = give_all(db, reading, &log, &limit, row, arg);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return code;
    if (code == SQLITE_DONE && limit == 0)
        return SQLITE_ROW;
    if (code == SQLITE_ROW || !is_whole(reading, &log))
        store_fetch_give_damage(reading, row, arg);
    reading->is_done = true;
    return SQLITE_DONE;
}

/* Reads some events of the game. An unreadable page counts as damage of the game and
 * does not end the process, because no write was in progress. */
void store_fetch_game(struct store_db *db, struct store_reading *reading, int limit,
                      store_event_fn *row, void *arg)
{
    int code = store_fetch_log(db, reading, limit, row, arg);

    if ((code & 0xff) == SQLITE_CORRUPT)
        store_fetch_give_damage(reading, row, arg);
    else if (code != SQLITE_DONE && code != SQLITE_ROW)
        store_file_fail(db->file, store_rows_sql[STORE_READ_LOG]);
    store_fetch_log_damage(reading);
}

/* --- Ended games --- */

static void see_start(void *arg, const struct store_event *start)
{
    bool *is_private = arg;
    struct event event;

    if (start->is_sound && event_parse(start->text, &event) == EVENT_OK)
        *is_private = event.manners.is_private;
}

/* True if the game is private. Only its start event says that; a game whose start event
 * cannot be read counts as private. */
static bool is_private(struct store_db *db, int64_t game)
{
    struct store_reading reading = {.game = game};
    bool is_secret = true;

    if (store_fetch_log(db, &reading, 1, see_start, &is_secret) != SQLITE_ROW)
        is_secret = true;
    return is_secret;
}

/* Calls row() for at most `limit` games. The statement `which` must select
 * GAME_COLUMNS. */
static void give_pasts(struct store_db *db, enum store_statement which, int limit,
                       store_past_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[which];
    struct store_game game;
    int code = SQLITE_DONE;

    while (limit > 0 && (code = sqlite3_step(s)) == SQLITE_ROW) {
        struct store_past past;

        if (!store_rows_read_game(db, s, &game)) {
            log_warn("store game=%lld damaged=row : %s", (long long)game.id,
                     store_file_advice);
            continue;
        }
        past = (struct store_past){.game = game.id,
                                   .ended_wall_s = game.ended_wall_s,
                                   .is_private = is_private(db, game.id),
                                   .summary = game.summary};
        row(arg, &past);
        limit--;
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        store_file_fail(db->file, store_rows_sql[which]);
    sqlite3_reset(s);
}

void store_fetch_history(struct store_db *db, const char *folded, int64_t first,
                         int limit, store_past_fn *row, void *arg)
{
    sqlite3_bind_int64(db->statement[STORE_READ_HISTORY], 2, first);
    store_rows_bind_text(db->statement[STORE_READ_HISTORY], 1, folded);
    give_pasts(db, STORE_READ_HISTORY, limit, row, arg);
}

void store_fetch_unseen(struct store_db *db, const char *folded, store_past_fn *row,
                        void *arg)
{
    store_rows_bind_text(db->statement[STORE_READ_UNSEEN], 1, folded);
    give_pasts(db, STORE_READ_UNSEEN, STORE_UNSEEN_MAX, row, arg);
}
