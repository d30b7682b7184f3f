/* The tail: the newest events, which are in the table journal and not yet in the table
 * event. For each game with such events the tail has the ids of their rows, and the
 * link of the last event (its digest), from which the next link is computed. It also
 * has the counts that each row of the table batch repeats. Memory only: store_journal.c
 * reads and writes the tables.
 *
 * A commit keeps what the open transaction has changed in the tail. A rollback restores
 * the values of the last commit. */
#ifndef SERVER_DATABASE_STORE_TAIL_H
#define SERVER_DATABASE_STORE_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/database/store_data.h"
#include "server/database/store_seal.h"

/* One game that has events in the journal. Only store_tail.c changes the members. */
struct store_end {
    int64_t game;
    int parked;             /* its events below this number are in the table event */
    int events;             /* number of all its events, so also the number of the next
                             * one */
    struct store_seal link; /* of the last event */
    int64_t *id; /* row ids of events `parked`, parked + 1 ...; 0: no row is there */
    int room;    /* allocated members of `id` */
    bool is_dropped; /* the game is deleted when the transaction is committed */
    bool is_touched; /* changed by the open transaction */
    int kept_events; /* `events` as of the last commit */
    struct store_seal kept_link;   /* `link` as of the last commit */
    struct store_end *touched;     /* next in the list of changed games */
    struct store_end *prev, *next; /* list of all games, ordered by the oldest row of
                                    * each game */
    UT_hash_handle hh;
};

/* An event of the open transaction. */
struct store_listed {
    int64_t game;
    int number;
};

/* An event of the open transaction whose row is not inserted yet. */
struct store_waiting {
    int64_t id;
    struct store_event event;
    struct store_seal link;
};
enum { STORE_PUT_ROWS = 8 }; /* number of events that one statement inserts */

struct store_tail {
    /* `now` includes the open transaction. `kept` is as of the last commit. */
    struct store_tally now, kept;
    struct store_end *by_game, *oldest, *touched;
    struct store_listed *listed; /* the events of the open transaction */
    int listed_count, listed_room;
    struct store_waiting waiting[STORE_PUT_ROWS];
    int waiting_count;
    int64_t first_row; /* no id in the table journal is lower */
    int64_t parked_at; /* last_id when events were last moved to the table event; 0:
                        * never in this run */
};

struct store_tail *store_tail_new(void) MUST_USE;
/* `tail` may be NULL. */
void store_tail_free(struct store_tail *tail);

/* Returns the entry of the game. NULL: no event of that game is in the journal. */
struct store_end *store_tail_find(const struct store_tail *tail, int64_t game);
/* Adds a game that has `parked` events in the table event. `link` is the link of the
 * last of these events. After the call, the caller must add an event at once, or remove
 * the entry by store_tail_forget(). */
struct store_end *store_tail_add(struct store_tail *tail, int64_t game, int parked,
                                 const struct store_seal *link);
/* Adds the next event of the game: gives it the next row id, and puts it on the list of
 * the open transaction. `link` is its link. */
void store_tail_append(struct store_tail *tail, struct store_end *end,
                       const struct store_seal *link);
/* Adds an event that is on disk already; id 0: its row is missing. */
void store_tail_found(struct store_tail *tail, struct store_end *end, int64_t id,
                      const struct store_seal *link);
/* Sets the link of the game's last event to `link`. Call it after an erasure has
 * changed the links of the log. */
void store_tail_relink(struct store_tail *tail, struct store_end *end,
                       const struct store_seal *link);
/* Marks a game as deleted by the open transaction. Accepts NULL. */
void store_tail_drop(struct store_tail *tail, struct store_end *end);
/* Removes a game whose events are all in the table event, or deleted. Frees end. */
void store_tail_forget(struct store_tail *tail, struct store_end *end);

/* Returns the minimum number of rows that stay in the journal. The number is so high
 * that most games end before their events are moved to the table event. */
int store_tail_kept_rows(void);
/* Returns the lowest id of a row in the journal that is still needed. */
int64_t store_tail_first_id(const struct store_tail *tail);

void store_tail_commit(struct store_tail *tail);
void store_tail_rollback(struct store_tail *tail);

#endif
