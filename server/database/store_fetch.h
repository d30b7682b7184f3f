/* Reads the database. Uses a row only if its seal (a digest) matches, and an event only
 * if its link (a digest of it and of all events before) matches. store_audit.c uses the
 * functions under "Rows", store_sqlite.c all others. */
#ifndef SERVER_DATABASE_STORE_FETCH_H
#define SERVER_DATABASE_STORE_FETCH_H

#include <sqlite3.h>

#include "server/database/store_db.h"
#include "server/database/store_engine.h"
#include "server/database/store_seal.h"

/* --- Reading at start. False after logging. --- */

/* Reads the tables journal and batch into db->tail. *last_game: the highest game number
 * ever used. *age: the largest age on disk, and the highest number that
 * store_next_number() may have returned. */
bool store_fetch_survey(struct store_db *db, int64_t *last_game,
                        struct store_age *age) MUST_USE;
/* Calls row() for each event of the games that have not ended, game by game. */
bool store_fetch_running(struct store_db *db, store_event_fn *row, void *arg) MUST_USE;
/* Calls the visitor's function for each row of visitor->kind. */
bool store_fetch_rows(struct store_db *db,
                      const struct store_visitor *visitor) MUST_USE;
/* Reads the id of the last act; 0: none. */
bool store_fetch_last_act(struct store_db *db, int64_t *id) MUST_USE;
bool store_fetch_all_unseen(struct store_db *db, store_folded_fn *row,
                            void *arg) MUST_USE;

/* --- Reading later. A failure ends the process like one of writing --- */

/* Calls row() for at most `limit` events. If it meets a damaged event, calls row() for
 * this one too, and reads no further. */
void store_fetch_game(struct store_db *db, struct store_reading *reading, int limit,
                      store_event_fn *row, void *arg);
void store_fetch_history(struct store_db *db, const char *folded, int64_t first,
                         int limit, store_past_fn *row, void *arg);
void store_fetch_unseen(struct store_db *db, const char *folded, store_past_fn *row,
                        void *arg);

/* --- Rows --- */

/* Steps the statement STORE_LOAD_GAMES to the next row, and reads the row into *game.
 * Set game->id to INT64_MIN before the first call. Returns SQLITE_ROW, SQLITE_DONE or
 * an error. If the database is damaged, the id of the row may be not higher than the id
 * of the row before. This is an error too. */
int store_fetch_next_row(struct store_db *db, struct store_game *game,
                         bool *is_sound) MUST_USE;
/* Sets *game to the next game that has events, whatever its row contains. Returns
 * SQLITE_ROW, SQLITE_DONE or an error. */
int store_fetch_next_log(struct store_db *db, int64_t *game) MUST_USE;

/* Calls row() for at most `limit` events of a log. If it meets a damaged event, calls
 * row() for this one too, and reads no further. Returns SQLITE_ROW if there may be more
 * events, SQLITE_DONE if reading->is_done, otherwise an error. */
int store_fetch_log(struct store_db *db, struct store_reading *reading, int limit,
                    store_event_fn *row, void *arg) MUST_USE;
/* Marks the reading as done and damaged, and calls row() once, with is_sound false. */
void store_fetch_give_damage(struct store_reading *reading, store_event_fn *row,
                             void *arg);
/* If the game's log is damaged, writes a warning to the server's log. */
void store_fetch_log_damage(const struct store_reading *reading);

#endif
