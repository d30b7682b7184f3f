/* The journal: events, names and invitations on disk, through SQLite on a thread of its
 * own. The loop never waits for the disk: it hands a batch over and is called back, on
 * the loop, once the batch is committed and synced. Batches that arrive during a commit
 * share the next one. There is one connection to the database, and it belongs to the
 * thread.
 *
 * Any error after which the outcome of a commit is unknown ends the process without an
 * answer (status 74): a restart reads what is there. A full disk does not: the batch is
 * tried again every second, and on_trouble says so.
 *
 * What the disk gives back is not believed: each event continues a chain of digests,
 * each row carries one, and what does not fit is told as damage, never as a game. */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/board.h"

struct event_base;
struct store;

/* Opens or makes directory/janggid.db. Logs why not and returns NULL: another janggid
 * has it (then, and only then, errno is EBUSY), not a database, a newer schema, cannot
 * write. base is borrowed; callbacks come on it. What is found is synced first, so that
 * a crash between write and sync cannot show an event that a power cut takes back. */
struct store *store_open(struct event_base *base, const char *directory) MUST_USE;
/* Writes what is queued, stops the thread, closes. Calls no callback afterwards; must
 * not be called from one. Takes NULL. */
void store_close(struct store *store);

/* --- At start, before the first batch: called on the caller's thread. --- */

/* One event as stored. */
struct store_event {
    int64_t game;
    int number;
    const char *text;
    int64_t wall_s; /* wall clock when it was queued, for people */
    int64_t age_ms; /* store_age_ms() when it was queued */
    bool is_sound;
};
/* A game whose log is damaged (a link of its chain is wrong, a number is missing, there
 * are fewer events than its row counts) is given up to its last sound event, and then
 * once more with is_sound false, the number of the first event that cannot be believed,
 * and the text "". Nothing may be appended to it. */
typedef void store_event_fn(void *arg, const struct store_event *event);

/* A game is running until its end event is there. The rows of a game come together, in
 * order of number. False after logging if the database cannot be read. */
bool store_load_running(struct store *store, store_event_fn *row, void *arg) MUST_USE;

/* Names. key: SHA-256 of a public key, or of a token; kind says which. A damaged row of
 * a name or of an invitation is a database that cannot be read. */
enum store_proof { STORE_PROOF_KEY, STORE_PROOF_TOKEN };
enum { STORE_DIGEST_BYTES = 32 };
/* The last seek, challenge or offer that a player accepted. */
struct store_accept {
    int64_t number; /* 0: none */
    int64_t game;   /* the game that it began, or in which it was made */
    bool is_offer;  /* it was made in a game */
};
struct store_name {
    const char *folded; /* primary key: the folded name */
    const char *shown;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t seen_wall_s;
    int64_t first_game; /* games with a lower number belong to an earlier owner */
    struct store_accept accepted;
};
typedef void store_name_fn(void *arg, const struct store_name *name);
bool store_load_names(struct store *store, store_name_fn *row, void *arg) MUST_USE;

/* Further proofs of a name: those of other devices than the one of its first login. A
 * damaged row is a database that cannot be read. */
struct store_device {
    const char *folded; /* the folded name that it belongs to */
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES]; /* with folded the primary key */
    int64_t since_wall_s;
};
typedef void store_device_fn(void *arg, const struct store_device *device);
bool store_load_devices(struct store *store, store_device_fn *row, void *arg) MUST_USE;

/* Invitations. maker and first are folded names or "" ; game is 0 until it began. */
struct store_invite {
    const char *code;
    const char *terms; /* "time=10m+5s rules=martin side=any" */
    const char *maker;
    const char *first; /* the player who waits in an invitation of the host */
    int64_t made_wall_s;
    int64_t game;
};
typedef void store_invite_fn(void *arg, const struct store_invite *invite);
bool store_load_invites(struct store *store, store_invite_fn *row, void *arg) MUST_USE;

/* Each folded name that has ends for store_read_unseen(), once. */
typedef void store_folded_fn(void *arg, const char *folded);
bool store_load_unseen(struct store *store, store_folded_fn *row, void *arg) MUST_USE;

/* The number of the next new game: the highest one ever used, plus one. */
int64_t store_next_game(const struct store *store);

/* --- On the loop --- */

/* A number that was never given before, even before a crash, so that a repeated number
 * cannot mean something else. Numbers are reserved on disk in advance, so this does not
 * wait for a write; after a crash the reserved ones that were not given are skipped. */
int64_t store_next_number(struct store *store);

/* The age of what is kept here: for how long, in total, a server has run on this
 * directory. It stands still while none runs, no step of the wall clock touches it, and
 * it never goes back within a run. Kept with each event, every minute, and at close;
 * after a crash it goes on from the latest of these. */
int64_t store_age_ms(const struct store *store);

/* A batch is written completely or not at all. Batches are written in the order of
 * queueing. done (may be NULL) is called on the loop when the batch is on disk. Texts
 * are copied. */
typedef void store_done_fn(void *arg);

/* count events of one game, numbers first, first + 1 ... When one of them is the end
 * event, summary holds what history shows of the game, and the end is unseen by both
 * players until store_drop_unseen(). */
struct store_summary {
    const char *red, *blue; /* folded names */
    const char *red_shown, *blue_shown;
    const char *rules, *time;    /* words of the start event */
    const char *result, *reason; /* words of the end event; reason with its by= */
    int plies;
};
void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_summary *summary, store_done_fn *done, void *arg);

/* Insert or replace. */
void store_put_name(struct store *store, const struct store_name *name,
                    store_done_fn *done, void *arg);
void store_put_device(struct store *store, const struct store_device *device,
                      store_done_fn *done, void *arg);
void store_put_invite(struct store *store, const struct store_invite *invite,
                      store_done_fn *done, void *arg);
/* Removes an invitation that can no longer be used. A missing one is not an error. */
void store_drop_invite(struct store *store, const char *code);
/* Removes the proof with that digest, or all proofs of that name when digest is NULL. A
 * missing one is not an error. */
void store_drop_device(struct store *store, const char *folded,
                       const unsigned char *digest, store_done_fn *done, void *arg);

/* Everything queued between the two is one batch. Do not nest. */
void store_begin_together(struct store *store);
void store_end_together(struct store *store);

/* One game's events, from the disk, for a reader of a game that is over. row is called
 * for each event on the loop, then done with how many there were (0: no such game). A
 * long game comes in pieces, a loop turn or more apart. A read sees every batch that
 * was queued before it, and goes on while the disk is full. */
typedef void store_read_fn(void *arg, int count);
void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg);

/* Ended games of a folded name, newest first, at most limit. Damaged rows are left out
 * and logged. */
struct store_past {
    int64_t game;
    int64_t ended_wall_s;
    struct store_summary summary;
};
typedef void store_past_fn(void *arg, const struct store_past *past);
void store_read_history(struct store *store, const char *folded, int limit,
                        store_past_fn *row, store_read_fn *done, void *arg);

/* Ended games whose end that player may not have seen, in the order of their ends; at
 * most STORE_UNSEEN_MAX, the rest after these are dropped. */
enum { STORE_UNSEEN_MAX = 100 };
void store_read_unseen(struct store *store, const char *folded, store_past_fn *row,
                       store_read_fn *done, void *arg);
/* The player has seen the end of that game; game 0: of all games. */
void store_drop_unseen(struct store *store, const char *folded, int64_t game);

/* --- Care --- */

/* A consistent copy of everything that was queued before, in one file that a server can
 * be started on, made while play goes on. It is called path.part until it is whole and
 * synced. done is called on the loop: why is NULL, or says in words why there is no
 * copy: the path is taken, another backup is being made, the disk. */
typedef void store_backup_fn(void *arg, const char *why);
void store_backup(struct store *store, const char *path, store_backup_fn *done,
                  void *arg);

/* Keeps a file of that size beside the database, to be given back to the file system
 * when a disk turns out to be full, so that play goes on while the host makes room.
 * It is made again once there is room for twice its size. 0: none is kept, and one that
 * is there is removed. */
void store_keep_reserve(struct store *store, int64_t bytes);

/* Reported on the loop at each change, for the host and the players. */
enum store_trouble {
    STORE_OK_AGAIN,
    STORE_FULL, /* the disk is full: writes wait */
    STORE_SLOW  /* a write takes more than 2 s */
};
typedef void store_trouble_fn(void *arg, enum store_trouble trouble);
void store_on_trouble(struct store *store, store_trouble_fn *trouble, void *arg);

/* Counters since the start. */
struct store_counts {
    uint64_t batches;
    uint64_t commits;
    uint64_t events;
    int64_t commit_us_max;
};
struct store_counts store_counts(const struct store *store);

#endif
