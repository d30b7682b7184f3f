/* The journal: events, names and invitations on disk, through SQLite on a thread of its
 * own. The loop never waits for the disk: it hands a batch over and is called back, on
 * the loop, once the batch is committed and synced. Batches that arrive during a commit
 * share the next one. There is one connection to the database, and it belongs to the
 * thread.
 *
 * Any error after which the outcome of a commit is unknown ends the process without an
 * answer (status 74): a restart reads what is there. A full disk does not: the batch is
 * tried again every second, and on_trouble says so. */
#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base.h"

struct event_base;
struct store;

/* Opens or makes directory/janggid.db. Logs why not and returns NULL: another janggid
 * has it (then, and only then, errno is EBUSY), not a database, a newer schema, cannot
 * write. base is borrowed; callbacks come on it. What is found is synced first, so that
 * a crash between write and sync cannot show an event that a power cut takes back. */
struct store *store_open(struct event_base *base, const char *directory) MUST_USE;
/* Writes what is queued, stops the thread, closes. No callback afterwards; not from
 * inside one. Takes NULL. */
void store_close(struct store *store);

/* --- At start, before the first batch: called on the caller's thread. ---- */

/* A game is running until its end event is there. rows arrive in order of game and
 * number. False after logging if the database cannot be read. */
typedef void store_event_fn(void *arg, int64_t game, int number, const char *text,
                            int64_t wall_s);
bool store_load_running(struct store *store, store_event_fn *row, void *arg) MUST_USE;

/* Names. key: SHA-256 of a public key, or of a token; kind says which. */
enum store_proof { STORE_PROOF_KEY, STORE_PROOF_TOKEN };
enum { STORE_DIGEST_BYTES = 32 };
struct store_name {
    const char *folded; /* primary key: the form names are compared in */
    const char *shown;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t seen_wall_s;
};
typedef void store_name_fn(void *arg, const struct store_name *name);
bool store_load_names(struct store *store, store_name_fn *row, void *arg) MUST_USE;

/* Invitations. maker and first are folded names or "" ; game is 0 until it began. */
struct store_invite {
    const char *code;
    const char *terms; /* "time=10m+5s rules=martin side=any" */
    const char *maker;
    const char *first; /* who joined and waits, when there is no maker */
    int64_t made_wall_s;
    int64_t game;
};
typedef void store_invite_fn(void *arg, const struct store_invite *invite);
bool store_load_invites(struct store *store, store_invite_fn *row, void *arg) MUST_USE;

/* The number that the next new game gets: one more than any ever used. */
int64_t store_next_game(const struct store *store);

/* --- On the loop --------------------------------------------------------- */

/* A batch is written whole or not at all. done is called on the loop when it is on
 * disk, in the order in which batches were queued; it may be NULL. Texts are copied. */
typedef void store_done_fn(void *arg);

/* count events of one game, numbers first, first + 1 ... When one of them is the end
 * event, summary holds what history shows of the game. */
struct store_summary {
    const char *red, *blue; /* folded names */
    const char *red_shown, *blue_shown;
    const char *rules, *time; /* words of the start event */
    const char *result, *reason;
    int plies;
};
void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_summary *summary, store_done_fn *done, void *arg);

/* Insert or replace. */
void store_put_name(struct store *store, const struct store_name *name,
                    store_done_fn *done, void *arg);
void store_put_invite(struct store *store, const struct store_invite *invite,
                      store_done_fn *done, void *arg);
/* Of no use to anybody any more. One that is not there is no fault. */
void store_drop_invite(struct store *store, const char *code);

/* What is queued between the two is written whole or not at all, as one batch. Do not
 * nest. */
void store_begin_together(struct store *store);
void store_end_together(struct store *store);

/* One game's events, from the disk, for a reader of a game that is over. row is called
 * for each event on the loop, then done with how many there were (0: no such game). A
 * long game comes in pieces, a loop turn or more apart. A read sees every batch that
 * was queued before it, and goes on while the disk is full. */
typedef void store_read_fn(void *arg, int count);
void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg);

/* Ended games of a folded name, newest first, at most limit. */
struct store_past {
    int64_t game;
    int64_t ended_wall_s;
    struct store_summary summary;
};
typedef void store_past_fn(void *arg, const struct store_past *past);
void store_read_history(struct store *store, const char *folded, int limit,
                        store_past_fn *row, store_read_fn *done, void *arg);

/* Told on the loop when writing stands still for want of space (true) and when it goes
 * on. */
void store_on_trouble(struct store *store, void (*trouble)(void *arg, bool is_stuck),
                      void *arg);

/* Counters since the start. */
struct store_counts {
    uint64_t batches;
    uint64_t commits;
    uint64_t events;
    int64_t commit_us_max;
};
struct store_counts store_counts(const struct store *store);

#endif
