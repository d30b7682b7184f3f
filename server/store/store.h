/* The journal: events, names and invitations on disk, through a database engine (SQLite
 * or PostgreSQL) on its own thread. The loop never waits for the disk: it queues rows,
 * each with a number (gate.h), and hears how far they are committed and synced. Rows that
 * arrive during a commit share the next one. The connection that writes
 * belongs to the thread.
 *
 * Any error after which the outcome of a commit is unknown ends the process without an
 * answer (status 74): the next start reads the actual state. An outage is different: on
 * a full disk the batch is retried every second, and store_on_trouble() reports it.
 *
 * Data from the disk is verified: each event continues a chain of digests, and each row
 * has a digest of its own. Data that does not match is reported as damage and never
 * used as a game. */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/gate.h"
#include "server/store/store_row.h"

struct config;
struct event_base;
struct store;
struct store_engine;

/* Opens or creates directory/janggid.db. Returns NULL after logging why: another
 * janggid has it open (then, and only then, errno is EBUSY), it is not a database, its
 * schema is newer, or it cannot be written. base is borrowed; callbacks run on it.
 *
 * Syncs the existing data first. If the last server crashed between a write and its
 * sync, a power failure could still destroy the written data. So the data must be
 * synced before clients see it. */
struct store *store_open(struct event_base *base, const char *directory) MUST_USE;
/* Loads the engine for PostgreSQL, and never unloads it. It is a library of its own, so
 * that a server without PostgreSQL does not need libpq. Returns NULL after logging if
 * the library is missing or of another version. */
const struct store_engine *store_load_postgres(void) MUST_USE;
/* Returns the place of the log that is set in the configuration. Borrows the texts of
 * config. */
struct store_place store_place_of(const struct config *config);
/* The same as store_open() for a log in PostgreSQL. `place` is borrowed during the
 * call. */
struct store *store_open_at(struct event_base *base,
                            const struct store_place *place) MUST_USE;
/* Writes what is queued without calling callbacks, stops the thread and closes the
 * database. Do not call it from a callback of the store. Accepts NULL. */
void store_close(struct store *store);
/* Stops the thread and closes the database. Does not write the batches that are queued
 * or are waiting for the database, because another node writes the log now. Accepts
 * NULL. */
void store_abandon(struct store *store);

/* True if a load at start failed but may succeed later, because the database server
 * cannot be reached now. */
bool store_is_away(const struct store *store);

/* --- At start, before the first batch: called on the caller's thread. --- */

/* Passes on the events of all running games: those whose log has no end event. The
 * events of a game come together, in the order of their numbers. False after logging if
 * the database cannot be read. */
bool store_load_running(struct store *store, store_event_fn *row, void *arg) MUST_USE;

/* Passes on all rows of a kind, in the order of their keys: `row` gets the struct of that
 * kind. The events of ended games are not among them. */
bool store_load(struct store *store, enum store_kind kind, store_row_fn *row,
                void *arg) MUST_USE;

/* Writes `alias` in place of a folded name into the ended games from first_game on. Returns
 * their number; -1 after logging that the disk is full. *damaged: how many of them have a
 * damaged row or log, which may keep the name. Only for SQLite. */
int store_rename(struct store *store, const char *folded, const char *alias,
                 int64_t first_game, int *damaged);

/* Returns the number of the next new game: the highest one ever used, plus one. */
int64_t store_next_game(const struct store *store);

/* --- On the loop --- */

/* Returns a number that was never used before, even before a crash, so that a number
 * always means one thing. Numbers are reserved on disk in advance, so this does not
 * wait for a write; after a crash the unused reserved ones are skipped. */
int64_t store_next_number(struct store *store);

/* Returns the age of the database in milliseconds: the total time for which a server
 * has run on this directory. It does not advance while no server runs, ignores steps of
 * the wall clock, and never decreases within a run. It is stored with each event, every
 * minute, and at close; after a crash it continues from the latest stored value. */
int64_t store_age_ms(const struct store *store);

/* Returns the wall clock in seconds, for everything that is deleted when it is old: at
 * most the wall clock, and eight seconds more for each second for which a server runs.
 * So a wall clock that was wrong for a moment deletes nothing, and a server that runs
 * one day in eight keeps up with it. It is stored every hour. A clock that goes back is
 * followed at once, and only while it is back. */
int64_t store_calendar_s(struct store *store);

/* True when everything that was queued has been answered. */
bool store_is_idle(const struct store *store);
/* Waits until everything that was queued is on disk; for programs that are not a server.
 * False: the disk is full. */
bool store_flush(struct store *store);

/* Returns the gate (gate.h) whose rows are what this store is told to write. */
struct gate *store_gate(struct store *store);
/* `durable` is called on the loop when gate->durable has grown. */
typedef void store_durable_fn(void *arg);
void store_on_durable(struct store *store, store_durable_fn *durable, void *arg);

/* What is queued is written in this order. What is queued in one turn of the loop is written
 * completely or not at all. Texts are copied. */

/* Allocates zeroed memory for the `arg` of a callback. The callback must free this
 * memory. If the store closes before it calls the callback, store_close() calls
 * drop(arg) and then frees the memory. drop() must free everything to which the fields
 * of *arg point. `drop` may be NULL. */
void *store_arg_new(struct store *store, size_t size, void (*drop)(void *arg)) MUST_USE;
/* Frees memory of store_arg_new(). Does not call `drop`. */
void store_arg_free(void *arg);

/* What the end of a game adds to its row. */
struct store_ending {
    struct store_summary summary; /* for the history */
    const char *before; /* the texts of the events before these, each with an LF; of a
                         * damaged log those that can be read */
};
/* Appends `count` events of one game, with the numbers first, first + 1 ... If `first`
 * is STORE_AFTER_DAMAGE, they follow a damaged log. `ending` is not NULL if the last one
 * is the end: the end then counts as unseen for both players until they have seen it. */
void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_ending *ending);

/* Inserts the row, or replaces the one with the same key. The rows of STORE_RATING are
 * only appended, with the next seq; an act that is replaced must be on disk already, and
 * all later ones must be replaced too, in order and in the same turn of the loop. */
void store_put(struct store *store, enum store_kind kind, const void *row);
/* Removes the rows with the first `keys` columns of the key of `row`. None is not an
 * error. */
void store_drop(struct store *store, enum store_kind kind, const void *row, int keys);
/* Makes a name available again: removes its row, proofs, marks and unseen ends. */
void store_drop_name(struct store *store, const char *folded);
/* Appends an entry to the audit log of the staff, and returns its id. */
int64_t store_append_act(struct store *store, int64_t wall_s, const char *actor,
                         const char *text);

/* Reads the events of one game from the disk, for readers of an ended game. Calls row
 * on the loop for each event, then calls done with the number of events (0: there is no
 * such game). A long game is read in parts, and the loop handles other events between
 * two parts. A read sees every batch that was queued before it, and works while the
 * disk is full. */
typedef void store_read_fn(void *arg, int count);
void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg);

/* Reads at most `limit` ended games of a folded name, newest first. Leaves out games
 * with a number below `first`, which an earlier owner of the name played. Damaged rows
 * are skipped and logged. */
void store_read_history(struct store *store, const char *folded, int64_t first,
                        int limit, store_past_fn *row, store_read_fn *done, void *arg);

/* Reads the ended games whose end the player has possibly not seen, in the order of
 * their ends. Reads at most STORE_UNSEEN_MAX games; the others stay on disk for a later
 * call. */
void store_read_unseen(struct store *store, const char *folded, store_past_fn *row,
                       store_read_fn *done, void *arg);
/* --- Care --- */

/* Copies the database, with everything that was queued before this call, into one new
 * file. Play continues during the copy. The copy is consistent, and a server can use it
 * as its database. The file is named path.part until it is complete and synced. done is
 * called on the loop. Its argument why is NULL after success. After a failure, why is
 * the reason: path exists, another backup is in progress, or a disk error. */
typedef void store_backup_fn(void *arg, const char *why);
void store_backup(struct store *store, const char *path, store_backup_fn *done,
                  void *arg);

/* Deletes an ended game from the disk. done gets 1; or 0 if there is no such game, if
 * it has not ended, or if it is the newest game, whose number must not be reused; or
 * STORE_PRUNED_UNKNOWN. */
void store_prune_game(struct store *store, int64_t game, store_read_fn *done,
                      void *arg);
/* From now on, deletes aborted games when they ended more than `seconds` ago, a few at
 * a time. 0: deletes none. */
void store_keep_aborted(struct store *store, int64_t seconds);

/* Keeps a file of that size beside the database, and removes it when the disk is full,
 * so that play continues while the host frees space. The file is made again when twice
 * its size is free. 0: no such file; an existing one is removed. */
void store_keep_reserve(struct store *store, int64_t bytes);

/* Called on the loop when the trouble changes, to inform the host and the players. */
typedef void store_trouble_fn(void *arg, enum store_trouble trouble);
void store_on_trouble(struct store *store, store_trouble_fn *trouble, void *arg);

/* Counters since the server's start. */
struct store_counts {
    uint64_t batches;
    uint64_t commits;
    uint64_t events;
    int64_t commit_us_max, commit_us_sum;
    int64_t bytes;        /* size of the database; measured only at some of the
                           * commits */
    int64_t committed_ms; /* time of the last commit's end; 0: none yet */
};
struct store_counts store_counts(const struct store *store);

#endif
