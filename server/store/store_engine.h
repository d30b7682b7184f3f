/* The engine: the code that keeps the log in one kind of database. The store (store.h)
 * calls the engine through this table, so that the store's queue and thread do not
 * depend on the kind of database. SQLite is one engine (store_db.h), PostgreSQL is
 * the other engine (server/postgres).
 *
 * An engine has no thread, queue or loop. Only one thread at a time uses an open log:
 * during the start the thread of the loop, and later the thread of the store. Another
 * thread uses the reader. */
#ifndef SERVER_STORE_STORE_ENGINE_H
#define SERVER_STORE_STORE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store_data.h"
#include "server/store/store_row.h"

enum { STORE_WHY_BYTES = 200 };

/* Facts about a log that was opened. */
struct store_survey {
    int64_t last_game;    /* the highest number that a game has ever had */
    int64_t last_act;     /* the id of the last act; 0: none */
    struct store_age age; /* the largest age that is stored */
};

/* Called for each row of a copy, table by table: a row of STORE_GAME has no log, and the rows
 * of STORE_EVENT come after those of STORE_GAME, by game and number. The seal is as stored.
 * Returns false to stop. */
typedef bool store_copy_fn(void *arg, enum store_kind kind, const void *row,
                           const struct store_seal *seal);
/* Calls put() for each row of a copy. False: put() has stopped it, or the copy has failed. */
typedef bool store_rows_fn(void *arg, store_copy_fn *put, void *put_arg);
/* Called for a running game: its log must have at least `events` events. */
typedef void store_end_fn(void *arg, int64_t game, int events);

struct store_backup; /* see store_copy.h */

/* The lease of a log that several nodes share. The node that holds the lease is the
 * leader: the only one that writes the log. */
struct store_lease {
    enum store_lease_state {
        STORE_LEASE_FREE, /* no node holds the lease, or it has run out */
        STORE_LEASE_OURS,
        STORE_LEASE_OTHERS
    } state;
    char at[STORE_AT_BYTES]; /* "HOST:PORT" where clients reach the last leader; "":
                              * unknown */
    bool has_other_key;      /* the last leader had another key than this node */
    bool is_behind; /* the log lacks what this node saw acknowledged; it is not taken */
    int64_t epoch;  /* epoch of the last commit; 0: none. A node takes a new, higher
                      * epoch before it writes */
};

/* What a node wants when it looks at the lease. */
enum store_lease_wish {
    STORE_LEASE_NOT,  /* gives the lease back if it is ours */
    STORE_LEASE_KEEP, /* renews the lease if it is ours */
    STORE_LEASE_TAKE  /* renews the lease if it is ours, takes it if it is free */
};

/* --- Writes: each is one change of the stored data. All texts are borrowed --- */

/* Events of one game: `count` of them, with the numbers `first`, first + 1 ...; or
 * `first` is STORE_AFTER_DAMAGE. */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* the texts of the events, each with its NUL */
    bool has_summary;  /* the last event ends the game, and the next two are set */
    struct store_summary summary;
    const char *log; /* see struct store_game */
};

/* Ended games to delete. */
struct store_pruning {
    int64_t before_wall_s; /* deletes some aborted games that ended before then */
    int64_t game; /* deletes also this game, if it has ended; 0: no such game */
    int pruned;   /* result: number of deleted games, or STORE_PRUNED_UNKNOWN. The
                   * newest game is never deleted */
};

enum store_write_kind {
    STORE_WRITE_EVENTS,
    STORE_WRITE_PRUNE,
    STORE_WRITE_PUT, /* inserts a row, or replaces the one with the same key */
    STORE_WRITE_DROP /* removes the rows with the first `keys` columns of the key of `of` */
};

struct store_write {
    enum store_write_kind kind;
    union {
        struct store_batch events;
        struct store_pruning prune;
        struct {
            enum store_kind kind;
            int keys;
            union store_record of;
        } row; /* of PUT and DROP */
    };
};

/* --- The engine --- */

struct store_engine {
    const char *version; /* the version of janggid for which the engine was built */
    enum store_trouble outage; /* STORE_FULL or STORE_AWAY: what a write waits for */
    int chores_ms;             /* has_chores() is called at this interval; 0: only after
                                * other work */

    /* --- Opening and closing --- */

    /* Opens or creates the log. Makes all data in the log durable, so that later reads
     * return only durable data. Returns NULL after logging why; errno is EBUSY when
     * another process has the log, and EAGAIN when the log may be opened later. */
    void *(*open)(const struct store_place *place);
    /* Called from another thread before the log is closed. All waits in the functions
     * of the engine end at the latest `ms` milliseconds after this call. hurry NULL:
     * the functions of the engine never wait. */
    void (*hurry)(void *log, int64_t ms);
    /* Accepts NULL. */
    void (*close)(void *log);

    /* --- At start. False after logging --- */

    /* Reads facts about the log. Must be the first call after open(). */
    bool (*survey)(void *log, struct store_survey *out);
    /* Reads all rows of a kind, in the order of their keys. */
    bool (*load)(void *log, enum store_kind kind, store_row_fn *row, void *arg);
    /* Reads the events of the running games, game by game, in order. */
    bool (*load_running)(void *log, store_event_fn *row, void *arg);
    /* Call it after survey() or load() has failed. True: that call may succeed later.
     * If is_away is NULL, a failed call never succeeds later. */
    bool (*is_away)(const void *log);

    /* --- Writing. False: it is an outage. Later begin and put the same writes again, in
     * the same order and without others: they may be stored already. Any other failure
     * ends the process with status 74 --- */

    /* Begins a transaction. is_again: the last transaction failed, and this one repeats
     * it. If is_again is false after a failure, the failed writes are given up, whether
     * they are stored or not. */
    bool (*begin)(void *log, bool is_again);
    /* Adds a write to the transaction. If an act is replaced, all later acts must be
     * replaced after it, in order. Borrows the texts until the transaction ends. Writes
     * the result of a pruning into *write. */
    bool (*put)(void *log, struct store_write *write);
    /* Commits the transaction. True: it is durable. */
    bool (*commit)(void *log);
    /* Call it after a failure. True: another node writes the log now, so nothing will
     * be written here any more. is_lost NULL: there is no other node. */
    bool (*is_lost)(const void *log);

    /* --- Reading later. A failure ends the process like one of writing. False: it is an
     * outage; drop the rows that came, and read again later --- */

    /* Returns the reader of the log, which another thread passes to the functions below.
     * NULL: these take the log itself. */
    void *(*reader)(void *log);

    /* Calls row() for each event. If it meets a damaged event, calls row() for this one
     * too, and reads no further. *count: the number of sound ones. */
    bool (*read_game)(void *reader, int64_t game, store_event_fn *row, void *arg,
                      int *count);
    /* Reads at most `limit` ended games of a player. */
    bool (*read_pasts)(void *reader, const char *folded, int64_t first, int limit,
                       store_past_fn *row, void *arg);

    /* --- The lease, for a thread of its own. All NULL: the log has one user --- */

    /* Prepares to use the lease, but does not connect. Returns NULL after logging why
     * `place` cannot be used; errno: EINVAL. */
    void *(*open_lease)(const struct store_place *place);
    void (*close_lease)(void *lease); /* takes NULL; does not give up the lease */
    /* Looks at the lease, does what `wish` says, and writes the state of the lease to
     * *out. May wait for some seconds. Returns false, after logging why, if the
     * database cannot be reached (errno is EAGAIN) or cannot be used. */
    bool (*look)(void *lease, enum store_lease_wish wish, struct store_lease *out);

    /* --- Care, between transactions --- */

    /* Returns the bytes that the log uses. */
    int64_t (*bytes)(void *log);
    /* Returns whether chores() should be called now. is_idle: the store has nothing
     * else to do. If is_idle is true, a smaller amount of waiting work is enough for a
     * call. */
    bool (*has_chores)(void *log, bool is_idle);
    /* Does one step of the work that keeps the log fast. It takes some milliseconds,
     * and a move that arrives meanwhile waits. False: it is an outage. */
    bool (*chores)(void *log, bool is_idle);
    /* See store_backup_begin(). NULL: not offered. */
    struct store_backup *(*backup)(void *log, const char *path,
                                   char why[STORE_WHY_BYTES]);

    /* --- All rows, for a copy. No log is open. NULL: not offered. False after logging;
     * errno is EAGAIN or EBUSY when it may succeed later, EEXIST when the log is not
     * empty, and ECANCELED when row or rows has stopped it --- */

    /* Calls row() for each row of the copied tables. Then calls end() for each running
     * game whose number of events is known. A server may write to the log during the
     * copy, but the copy does not contain these writes: all rows show the log at the
     * same moment. Sets last_game and age_ms of *head. True: all rows that were passed
     * to row() are durable. */
    bool (*copy_out)(const struct store_place *place, struct store_head *head,
                     store_copy_fn *row, store_end_fn *end, void *arg);
    /* Writes the rows that rows() passes on into an empty log: all of them, or none. */
    bool (*copy_in)(const struct store_place *place, const struct store_head *head,
                    store_rows_fn *rows, void *arg);
};

#endif
