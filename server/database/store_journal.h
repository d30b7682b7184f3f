/* The journal on disk. New events of all games are appended to the table journal in the
 * order of their arrival, so that a commit writes few pages. Each transaction also adds
 * one row to the table batch. This row has a list of the new events. Later the events
 * of a game are parked: they are moved to the table event, which keeps a game's log
 * together. Schema 4 had only the table event, so the logs of schema 4 count as parked.
 *
 * The log of a game has two parts: its rows in event, numbers 0 to parked - 1, and then
 * its rows in journal. Rows of journal that are already parked are ignored. They are
 * deleted later, the oldest rows first.
 *
 * SQLite does not detect every bit error: an error in the cell count of a page makes
 * rows disappear. Therefore the lists in batch say which events must exist. The last
 * row of batch is never deleted. It says how many games run and which numbers were
 * used. */
#ifndef SERVER_DATABASE_STORE_JOURNAL_H
#define SERVER_DATABASE_STORE_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_db.h"
#include "server/database/store_tail.h"

/* Called for a damaged row of the table batch, with its id and the error. The events
 * that it lists are still read. */
typedef void store_journal_damage_fn(void *arg, int64_t last_id, const char *why);

/* Reads both tables into db->tail. Returns SQLITE_DONE or an error. */
int store_journal_scan(struct store_db *db, store_journal_damage_fn *damage,
                       void *arg) MUST_USE;

/* --- In a transaction. False: the disk is full, and the transaction is undone --- */

/* Returns the game's entry in db->tail, for a caller that appends the event `number` to
 * the game. Any number but the next one is a bug of ours and calls log_die().
 * STORE_AFTER_DAMAGE stands for the number after all events that are known. */
struct store_end *store_journal_end(struct store_db *db, int64_t game, int number);
/* Appends an event. Running a statement costs as much as inserting a row. Therefore the
 * rows wait until one statement can insert STORE_PUT_ROWS rows. Borrows event->text
 * until the transaction ends. */
bool store_journal_put(struct store_db *db, struct store_end *end,
                       const struct store_event *event) MUST_USE;
/* Inserts the rows that still wait. Call it before a statement reads the journal. */
bool store_journal_insert(struct store_db *db) MUST_USE;
/* Inserts the rows that still wait, and lists the events that the transaction has
 * added, if any. */
bool store_journal_put_batch(struct store_db *db) MUST_USE;

/* Writes into the row of a running game how many of its events are in the table event.
 * The rows of the table batch list these events too, but these rows are deleted later.
 * Then only the row of the game says that the events must exist. Does not change a
 * damaged row. Does not change the row of an ended game, because it has the number
 * already. */
bool store_journal_count_parked(struct store_db *db, int64_t id, int events) MUST_USE;

/* --- Between transactions --- */

/* True when the journal is so long that games should be parked. is_idle: fewer rows are
 * enough. */
bool store_journal_is_long(const struct store_db *db, bool is_idle);
/* Parks the oldest games, and removes rows that are no longer needed, in a transaction
 * of its own. Usually parks about 500 rows, and removes at most about 2,000 rows. If
 * many rows were added since the last call, parks and removes more: up to about twice
 * the number of the added rows. False: the disk is full. */
bool store_journal_park(struct store_db *db) MUST_USE;

#endif
