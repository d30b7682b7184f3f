/* See store_erase.h. */
#include "server/database/store_erase.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "server/database/store_db.h"
#include "server/database/store_fetch.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/sqlite/store_file.h"

/* A list of the numbers of games, in ascending order; or of the ids of rows. */
struct ids {
    int64_t *id;
    int count, room;
};

static void add_id(struct ids *ids, int64_t id)
{
    ids->id = mem_grow(ids->id, ids->count, &ids->room, 64, sizeof *ids->id);
    ids->id[ids->count++] = id;
}

static int compare_ids(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

static bool has_id(const struct ids *ids, int64_t id)
{
    return ids->count > 0 &&
           bsearch(&id, ids->id, (size_t)ids->count, sizeof id, compare_ids) != NULL;
}

/* Resets a statement after its last row. `code` is the result of its last step; ends
 * the process if that is an error. */
static void finish(struct store_db *db, enum store_statement which, int code)
{
    if (code != SQLITE_DONE)
        store_file_fail(db->file, store_rows_sql[which]);
    sqlite3_reset(db->statement[which]);
}

/* --- The alias in place of the name --- */

static bool is_name(const struct store_erasure *erasure, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return strcmp(folded, erasure->folded) == 0;
}

/* Appends a word of a start event to `out`. In "red=hong" the alias replaces "hong" if
 * that is the erased name. */
static void add_word(struct text *out, const char *word,
                     const struct store_erasure *erasure)
{
    const char *value = strchr(word, '=');
    bool is_player = strncmp(word, "red=", 4) == 0 || strncmp(word, "blue=", 5) == 0;

    if (out->len > 0)
        text_add(out, " ");
    if (is_player && is_name(erasure, value + 1))
        text_addf(out, "%.*s%s", (int)(value + 1 - word), word, erasure->alias);
    else
        text_add(out, word);
}

void store_erase_rename_start(char out[STORE_START_BYTES], const char *start,
                              const struct store_erasure *erasure)
{
    char copy[STORE_START_BYTES], *at = copy, *word;
    struct text text = text_into(out, STORE_START_BYTES);

    if (!text_copy(copy, sizeof copy, start))
        return;
    while ((word = strsep(&at, " ")) != NULL)
        add_word(&text, word, erasure);
}

/* --- The log of a game --- */

/* A copy of an event that was read. The copies are in a list, in the order of the
 * events' numbers. */
struct kept {
    struct kept *next;
    struct store_event event;
    char text[];
};

struct log {
    struct kept *first, **last;
};

static void keep_event(void *arg, const struct store_event *event)
{
    size_t size = strlen(event->text) + 1;
    struct log *log = arg;
    struct kept *kept;

    if (!event->is_sound)
        return;
    kept = mem_new(sizeof *kept + size);
    kept->event = *event;
    kept->event.text = memcpy(kept->text, event->text, size);
    *log->last = kept;
    log->last = &kept->next;
}

static void log_clear(struct log *log)
{
    struct kept *next;

    for (struct kept *kept = log->first; kept != NULL; kept = next) {
        next = kept->next;
        free(kept);
    }
}

/* Writes the text and the link (digest) of an event to the row of this event. The row
 * is in the table event if the event has been moved there, otherwise in the table
 * journal. */
static bool put_event(struct store_db *db, const struct store_end *end,
                      const struct store_event *event, const struct store_seal *link)
{
    bool is_parked = end == NULL || event->number < end->parked;
    enum store_statement which = is_parked ? STORE_RELINK_PARKED : STORE_RELINK_JOURNAL;
    sqlite3_stmt *s = db->statement[which];

    sqlite3_bind_int64(s, 1,
                       is_parked ? event->game : end->id[event->number - end->parked]);
    store_rows_bind_text(s, 2, event->text);
    store_rows_bind_seal(s, 3, link);
    if (is_parked)
        sqlite3_bind_int(s, 4, event->number);
    return store_rows_run(db, which);
}

static bool relink(struct store_db *db, int64_t game, const struct log *log,
                   const struct store_erasure *erasure)
{
    struct store_end *end = store_tail_find(db->tail, game);
    struct store_seal link = {0};
    char start[STORE_START_BYTES];
    int number = 0;

    for (const struct kept *kept = log->first; kept != NULL; kept = kept->next) {
        struct store_event event = kept->event;

        number = event.number + 1;
        if (event.number == 0) {
            store_erase_rename_start(start, event.text, erasure);
            event.text = start;
        }
        store_seal_event(db->sealer, &link, &event);
        if (!put_event(db, end, &event, &link))
            return false;
    }
    if (end != NULL && number == end->events)
        store_tail_relink(db->tail, end, &link);
    return true;
}

static bool rename_log(struct store_db *db, int64_t game, struct store_erasure *erasure,
                       bool *is_damaged)
{
    struct store_reading reading = {.game = game};
    struct log log = {.last = &log.first};
    int code = store_fetch_log(db, &reading, INT_MAX, keep_event, &log);
    bool is_done;

    if (code != SQLITE_DONE && (code & 0xff) != SQLITE_CORRUPT)
        store_file_fail(db->file, store_rows_sql[STORE_READ_LOG]);
    *is_damaged = reading.is_damaged || code != SQLITE_DONE;
    is_done = relink(db, game, &log, erasure);
    log_clear(&log);
    return is_done;
}

/* --- The row of a game --- */

void store_erase_rename(struct store_summary *summary,
                        const struct store_erasure *erasure)
{
    if (strcmp(summary->red, erasure->folded) == 0)
        summary->red = summary->red_shown = erasure->alias;
    if (strcmp(summary->blue, erasure->folded) == 0)
        summary->blue = summary->blue_shown = erasure->alias;
}

static bool put_row(struct store_db *db, struct store_game *game,
                    const struct store_erasure *erasure)
{
    sqlite3_stmt *s = db->statement[STORE_RENAME_GAME];
    struct store_summary *summary = &game->summary;
    struct store_seal seal;

    store_erase_rename(summary, erasure);
    store_seal_game(db->sealer, &seal, game);
    sqlite3_bind_int64(s, 1, game->id);
    store_rows_bind_text(s, 2, summary->red);
    store_rows_bind_text(s, 3, summary->blue);
    store_rows_bind_text(s, 4, summary->red_shown);
    store_rows_bind_text(s, 5, summary->blue_shown);
    store_rows_bind_seal(s, 6, &seal);
    return store_rows_run(db, STORE_RENAME_GAME);
}

static bool rename_row(struct store_db *db, int64_t id, struct store_erasure *erasure)
{
    sqlite3_stmt *s = db->statement[STORE_READ_GAME];
    struct store_game game;
    bool is_done = true;
    int code;

    sqlite3_bind_int64(s, 1, id);
    code = sqlite3_step(s);
    if (code == SQLITE_ROW && store_rows_read_game(db, s, &game)) {
        is_done = put_row(db, &game, erasure);
        code = SQLITE_DONE;
    }
    if (code != SQLITE_DONE)
        store_file_fail(db->file, store_rows_sql[STORE_READ_GAME]);
    sqlite3_reset(s);
    return is_done;
}

/* --- All games --- */

/* Finds the player's games, and counts in erasure->damaged how many rows cannot be
 * read. */
static void find_games(struct store_db *db, struct store_erasure *erasure,
                       struct ids *games)
{
    sqlite3_stmt *s = db->statement[STORE_READ_HISTORY];
    struct store_game game;
    int code;

    store_rows_bind_text(s, 1, erasure->folded);
    sqlite3_bind_int64(s, 2, erasure->first_game);
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        if (store_rows_read_game(db, s, &game))
            add_id(games, game.id);
        else
            erasure->damaged++;
    finish(db, STORE_READ_HISTORY, code);
    if (games->count > 0)
        qsort(games->id, (size_t)games->count, sizeof *games->id, compare_ids);
}

/* Renames the player also in rows of the journal that were copied to the table event.
 * These rows are not used any more, but they remain until the journal is trimmed. */
static bool rename_unused(struct store_db *db, const struct ids *games,
                          const struct store_erasure *erasure)
{
    sqlite3_stmt *s = db->statement[STORE_FIND_STARTS];
    sqlite3_stmt *put = db->statement[STORE_RENAME_START];
    char start[STORE_START_BYTES];
    struct ids rows = {0};
    bool is_done = true;
    const char *text;
    int code;

    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        if (has_id(games, sqlite3_column_int64(s, 1)))
            add_id(&rows, sqlite3_column_int64(s, 0));
    finish(db, STORE_FIND_STARTS, code);
    s = db->statement[STORE_READ_EVENT];
    for (int i = 0; is_done && i < rows.count; i++) {
        sqlite3_bind_int64(s, 1, rows.id[i]);
        if (sqlite3_step(s) != SQLITE_ROW)
            store_file_fail(db->file, store_rows_sql[STORE_READ_EVENT]);
        start[0] = '\0';
        text = (const char *)sqlite3_column_text(s, 1);
        if (text != NULL)
            store_erase_rename_start(start, text, erasure);
        sqlite3_reset(s);
        if (text == NULL) /* damaged: it contains no name */
            continue;
        sqlite3_bind_int64(put, 1, rows.id[i]);
        store_rows_bind_text(put, 2, start);
        is_done = store_rows_run(db, STORE_RENAME_START);
    }
    free(rows.id);
    return is_done;
}

bool store_erase_player(struct store_db *db, struct store_erasure *erasure)
{
    struct ids games = {0};
    bool is_done = true, is_damaged;

    erasure->games = erasure->damaged = 0;
    if (!store_journal_insert(db))
        return false;
    find_games(db, erasure, &games);
    for (int i = 0; is_done && i < games.count; i++) {
        is_done = rename_log(db, games.id[i], erasure, &is_damaged) &&
                  rename_row(db, games.id[i], erasure);
        erasure->games++;
        erasure->damaged += is_damaged;
    }
    is_done = is_done && rename_unused(db, &games, erasure);
    db->erasures++;
    free(games.id);
    return is_done;
}
