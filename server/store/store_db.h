/* The log in a database of SQLite. Every table comes from store_row.h. The functions that
 * take `void *` are those of struct store_engine.
 *
 * The events of running games are in the journal, whose rows have numbers without gaps,
 * and each event has a link: a digest of it and of the events of its game before it. The
 * row `head` says which rows the journal must have. So a lost row is noticed, and only
 * the games that it may have belonged to are damaged. The end of a game puts its whole
 * log into its row in the table game, in the same commit; its rows in the journal are
 * then rubbish, which store_db_chores() removes from the front, while it moves the rows of
 * running games to the end. */
#ifndef SERVER_STORE_STORE_DB_H
#define SERVER_STORE_STORE_DB_H

#include <sqlite3.h>

#include "common/base/base.h"
#include "server/store/store_engine.h"
#include "server/store/store_tail.h"

enum store_statement {
    STORE_BEGIN,
    STORE_COMMIT,
    STORE_ROLLBACK,
    STORE_LIST_JOURNAL, /* seq and game of its first rows */
    STORE_TRIM_JOURNAL,
    STORE_READ_RUNNING, /* the events of a game in the journal */
    STORE_LIST_HISTORY,
    STORE_LIST_UNSEEN,
    STORE_PRUNE_UNSEEN,
    STORE_PRUNE_GAMES
};
enum { STORE_STATEMENTS = STORE_PRUNE_GAMES + 1 };

struct store_db {
    sqlite3 *file;
    struct store_sealer *sealer;
    sqlite3_stmt *of[STORE_KINDS][STORE_SQLS], *other[STORE_STATEMENTS];
    struct store_tail tail;
    struct store_running
        *found;         /* the running games that store_db_survey() has read; freed
                                * when they are loaded */
    int64_t first_seq;  /* of the journal */
    int64_t trimmed_at; /* last_seq at the last trim */
    bool is_damaged;    /* rows of the journal are missing: it is not trimmed */
    int waiting_pages;  /* of the write-ahead log */
};

/* Takes an open database of the present schema. Returns NULL if a statement cannot be
 * prepared; the caller then closes `file`. */
struct store_db *store_db_adopt(sqlite3 *file) MUST_USE;
void store_db_close(void *db); /* accepts NULL */
/* --- The engine --- */

void *store_db_open(const struct store_place *place) MUST_USE;
bool store_db_survey(void *db, struct store_survey *out) MUST_USE;
bool store_db_load(void *db, enum store_kind kind, store_row_fn *row,
                   void *arg) MUST_USE;
bool store_db_load_running(void *db, store_event_fn *row, void *arg) MUST_USE;
bool store_db_begin(void *db, bool is_again) MUST_USE;
bool store_db_put(void *db, struct store_write *write) MUST_USE;
bool store_db_commit(void *db) MUST_USE;
bool store_db_read_game(void *db, int64_t game, store_event_fn *row, void *arg,
                        int *count) MUST_USE;
bool store_db_read_pasts(void *db, const char *folded, int64_t first, int limit,
                         store_past_fn *row, void *arg) MUST_USE;
int64_t store_db_bytes(void *db);
bool store_db_has_chores(void *db, bool is_idle);
bool store_db_chores(void *db, bool is_idle);

/* --- For programs that are not a server --- */

/* Writes `alias` in place of the folded name into the ended games from first_game on, in
 * one commit. *damaged: how many of them have a damaged row or log, which may keep the
 * name. Returns the number of games; -1: the disk is full. */
int store_db_rename(void *db, const char *folded, const char *alias, int64_t first_game,
                    int *damaged);

/* Reads the row to which a statement of STORE_SQL_LOAD or STORE_SQL_FIND has stepped. Of
 * a chain, *seal is the seal of the row before, and becomes that of this one; of numbered
 * rows, `row` has the number of the row before. False: the row is damaged. The texts are
 * valid until the next step. */
bool store_db_read_row(struct store_db *db, sqlite3_stmt *s, enum store_kind kind,
                       void *row, struct store_seal *seal) MUST_USE;
/* Binds and runs STORE_SQL_PUT with that seal; NULL: computes it. */
bool store_db_put_row(void *db, enum store_kind kind, const void *row,
                      const struct store_seal *seal) MUST_USE;
/* Reads the journal and its head into db->tail and db->found. damage() is called for each
 * damage that does not belong to one game. Returns SQLITE_DONE or an error. */
typedef void store_damage_fn(void *arg, const char *what, const char *which,
                             const char *why);
int store_db_scan(struct store_db *db, store_damage_fn *damage, void *arg) MUST_USE;
/* Passes the events of the running games, by game; after those of each, calls end(), which
 * may be NULL. */
void store_db_each_running(struct store_db *db, store_event_fn *row,
                           void (*end)(void *arg, int64_t game), void *arg,
                           void *end_arg);
/* Passes the events of the log of an ended game. Returns their number; an event that is
 * not sound follows them if the log is damaged, also if is_sound is false. */
int store_db_give_log(const struct store_game *game, bool is_sound, store_event_fn *row,
                      void *arg);

#endif
