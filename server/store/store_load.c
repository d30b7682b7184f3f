/* See store_db.h. What a server reads at its start, before anything is queued. */
#include "server/store/store_db.h"

#include <errno.h>
#include <limits.h>

#include <sqlite3.h>

#include "common/base/log.h"
#include "server/store/store_db_parts.h"
#include "server/store/store_file.h"

/* --- Games --- */

static void refuse_table(const char *table)
{
    log_warn("store damaged=database table=%s : %s", table, store_file_advice);
    errno = EIO;
}

/* After the last row of a statement of the start. */
static bool finish_load(struct store_db *db, enum store_statement which, int code)
{
    if (code == SQLITE_CORRUPT && which == STORE_LOAD_GAMES)
        refuse_table("game");
    else if (code != SQLITE_DONE)
        store_file_refuse(db->file, store_sql[which]);
    sqlite3_reset(db->statement[which]);
    return code == SQLITE_DONE;
}

static bool last_game(struct store_db *db, int64_t *out)
{
    sqlite3_stmt *s = db->statement[STORE_LAST_GAME];
    int code = sqlite3_step(s);

    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        code = sqlite3_step(s);
    }
    if (!finish_load(db, STORE_LAST_GAME, code))
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
    struct store_age found;
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        if (!store_get_age(db, s, &found)) {
            log_warn("store damaged=age : the latest event's is taken");
            continue;
        }
        age->number = found.number;
        if (found.age_ms > age->age_ms)
            age->age_ms = found.age_ms;
    }
    return finish_load(db, STORE_LOAD_AGE, code);
}

int store_next_row(struct store_db *db, struct store_game *game, bool *is_sound)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_GAMES];
    int64_t before = game->id;
    int code = sqlite3_step(s);

    if (code != SQLITE_ROW)
        return code;
    *is_sound = store_get_game(db, s, game);
    return game->id > before ? SQLITE_ROW : SQLITE_CORRUPT;
}

bool store_db_survey(struct store_db *db, int64_t *last, struct store_age *age)
{
    struct store_game game = {.id = INT64_MIN};
    bool is_sound;
    int code;

    *age = (struct store_age){0};
    while ((code = store_next_row(db, &game, &is_sound)) == SQLITE_ROW)
        if (is_sound && game.age_ms > age->age_ms)
            age->age_ms = game.age_ms;
    return finish_load(db, STORE_LOAD_GAMES, code) && last_game(db, last) &&
           saved_age(db, age);
}

static bool load_log(struct store_db *db, struct store_reading *reading,
                     store_event_fn *row, void *arg)
{
    if (store_read_log(db, reading, INT_MAX, row, arg) == SQLITE_DONE) {
        store_log_damage(reading);
        return true;
    }
    store_file_refuse(db->file, store_sql[STORE_READ_LOG]);
    return false;
}

static void ignore_event(void *arg, const struct store_event *event)
{
    (void)arg;
    (void)event;
}

/* A game whose row is damaged or missing: only its log can say whether it is over. */
static bool load_doubtful(struct store_db *db, int64_t game, store_event_fn *row,
                          void *arg)
{
    struct store_reading look = {.game = game}, again = look;

    if (store_read_log(db, &look, INT_MAX, ignore_event, NULL) != SQLITE_DONE ||
        !look.has_end)
        return load_log(db, &again, row, arg);
    log_warn("store game=%lld damaged=row : it is over, and missing in lists",
             (long long)game);
    return true;
}

/* In a damaged tree a search may lead back. */
int store_next_log(struct store_db *db, int64_t *game)
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

/* Games of which there are events, but no row. */
static bool load_orphans(struct store_db *db, store_event_fn *row, void *arg)
{
    int64_t game = INT64_MIN;
    int code, events, found;

    while ((code = store_next_log(db, &game)) == SQLITE_ROW)
        if (store_find_row(db, game, &events, &found) == STORE_ROW_MISSING &&
            !load_doubtful(db, game, row, arg))
            return false;
    if (code == SQLITE_DONE)
        return true;
    refuse_table("event");
    return false;
}

bool store_db_load_running(struct store_db *db, store_event_fn *row, void *arg)
{
    struct store_game game = {.id = INT64_MIN};
    bool is_good = true, is_sound;
    int code = SQLITE_DONE;

    while (is_good && (code = store_next_row(db, &game, &is_sound)) == SQLITE_ROW) {
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

/* --- Names, invitations and what is unseen --- */

static void refuse_row(sqlite3_stmt *s, const char *kind)
{
    const unsigned char *key = sqlite3_column_text(s, 0);

    log_warn("store damaged=%s row=\"%s\" : %s", kind,
             key != NULL ? (const char *)key : "", store_file_advice);
    sqlite3_reset(s);
}

bool store_db_load_names(struct store_db *db, store_name_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_NAMES];
    bool is_sound = true;
    struct store_name name;
    int code = SQLITE_DONE;

    while (is_sound && (code = sqlite3_step(s)) == SQLITE_ROW) {
        is_sound = store_get_name(db, s, &name);
        if (is_sound)
            row(arg, &name);
    }
    if (is_sound)
        return finish_load(db, STORE_LOAD_NAMES, code);
    refuse_row(s, "name");
    return false;
}

bool store_db_load_devices(struct store_db *db, store_device_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_DEVICES];
    bool is_sound = true;
    struct store_device device;
    int code = SQLITE_DONE;

    while (is_sound && (code = sqlite3_step(s)) == SQLITE_ROW) {
        is_sound = store_get_device(db, s, &device);
        if (is_sound)
            row(arg, &device);
    }
    if (is_sound)
        return finish_load(db, STORE_LOAD_DEVICES, code);
    refuse_row(s, "device");
    return false;
}

bool store_db_load_invites(struct store_db *db, store_invite_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_INVITES];
    bool is_sound = true;
    struct store_invite invite;
    int code = SQLITE_DONE;

    while (is_sound && (code = sqlite3_step(s)) == SQLITE_ROW) {
        is_sound = store_get_invite(db, s, &invite);
        if (is_sound)
            row(arg, &invite);
    }
    if (is_sound)
        return finish_load(db, STORE_LOAD_INVITES, code);
    refuse_row(s, "invitation");
    return false;
}

bool store_db_load_unseen(struct store_db *db, store_folded_fn *row, void *arg)
{
    sqlite3_stmt *s = db->statement[STORE_LOAD_UNSEEN];
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const unsigned char *folded = sqlite3_column_text(s, 0);

        if (folded != NULL)
            row(arg, (const char *)folded);
    }
    return finish_load(db, STORE_LOAD_UNSEEN, code);
}
