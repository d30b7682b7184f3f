/* Reading the database: nothing is believed before its seal, or its link of the chain,
 * fits. store_audit.c uses the rows; store.c and store_thread.c the rest. */
#ifndef SERVER_STORE_STORE_FETCH_H
#define SERVER_STORE_STORE_FETCH_H

#include <sqlite3.h>

#include "server/store/store_db.h"
#include "server/store/store_seal.h"

/* --- Reading at start. False after logging. --- */

/* The highest number of a game ever used, and the store's own row, with the largest age
 * that is on disk. */
bool store_fetch_survey(struct store_db *db, int64_t *last_game,
                        struct store_age *age) MUST_USE;
bool store_fetch_running(struct store_db *db, store_event_fn *row, void *arg) MUST_USE;
bool store_fetch_names(struct store_db *db, store_name_fn *row, void *arg) MUST_USE;
bool store_fetch_devices(struct store_db *db, store_device_fn *row, void *arg) MUST_USE;
bool store_fetch_invites(struct store_db *db, store_invite_fn *row, void *arg) MUST_USE;
bool store_fetch_all_unseen(struct store_db *db, store_folded_fn *row,
                            void *arg) MUST_USE;

/* --- Reading later. A failure ends the process like one of writing --- */

/* A reader of one game's log, some events at a time. All zero at first but for game. */
struct store_reading {
    int64_t game;
    int next;               /* the number of the event that comes next */
    struct store_seal link; /* of the one before it */
    bool has_end;           /* which was the end event */
    bool is_done;           /* there is nothing more, */
    bool is_damaged;        /* or nothing more can be believed */
};
/* Gives at most limit events, and the one that cannot be believed. */
void store_fetch_game(struct store_db *db, struct store_reading *reading, int limit,
                      store_event_fn *row, void *arg);
void store_fetch_history(struct store_db *db, const char *folded, int limit,
                         store_past_fn *row, void *arg);
void store_fetch_unseen(struct store_db *db, const char *folded, store_past_fn *row,
                        void *arg);

/* --- Rows --- */

/* Rows of the LOAD statements, and of READ_GAME. The texts live until the next step.
 * False: the row is damaged. */
bool store_fetch_game_row(struct store_db *db, sqlite3_stmt *s, struct store_game *out);
bool store_fetch_name_row(struct store_db *db, sqlite3_stmt *s, struct store_name *out);
bool store_fetch_device_row(struct store_db *db, sqlite3_stmt *s,
                            struct store_device *out);
bool store_fetch_invite_row(struct store_db *db, sqlite3_stmt *s,
                            struct store_invite *out);
bool store_fetch_age_row(struct store_db *db, sqlite3_stmt *s, struct store_age *out);

/* The next row of LOAD_GAMES; game->id is the one before, INT64_MIN at first.
 * SQLITE_ROW, SQLITE_DONE, or what failed: in a damaged tree a search may lead back. */
int store_fetch_next_row(struct store_db *db, struct store_game *game,
                         bool *is_sound) MUST_USE;
/* The next game after *game of which there are events, whatever its row says, to *game.
 * SQLITE_ROW, SQLITE_DONE, or what failed. */
int store_fetch_next_log(struct store_db *db, int64_t *game) MUST_USE;
/* What is known of a game by its row. */
enum store_row store_fetch_find_row(struct store_db *db, int64_t game, int *events,
                                    int *code);

/* Gives at most limit events of a log, and the one that cannot be believed. SQLITE_ROW:
 * there may be more. SQLITE_DONE: reading->is_done. Else what failed. */
int store_fetch_log(struct store_db *db, struct store_reading *reading, int limit,
                    store_event_fn *row, void *arg) MUST_USE;
/* The log ends here, and cannot be believed further. */
void store_fetch_give_damage(struct store_reading *reading, store_event_fn *row,
                             void *arg);
/* If so, the host is told. */
void store_fetch_log_damage(const struct store_reading *reading);

#endif
