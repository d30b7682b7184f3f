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
/* Writes what is queued, stops the thread, closes. No callback afterwards; not from
 * inside one. Takes NULL. */
void store_close(struct store *store);

/* --- At start, before the first batch: called on the caller's thread. --- */

/* One event as it is on disk. */
struct store_event {
    int64_t game;
    int number;
    const char *text;
    int64_t wall_s; /* when it was queued, for people */
    int64_t age_ms; /* the same as store_age_ms() had it */
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
/* The seek, challenge or offer that a player accepted last. */
struct store_accept {
    int64_t number; /* 0: none */
    int64_t game;   /* that it began, or that it was made in */
    bool is_offer;  /* made in a game */
};
struct store_name {
    const char *folded; /* primary key: the form names are compared in */
    const char *shown;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t seen_wall_s;
    int64_t first_game; /* a game with a lower number is that of an earlier owner */
    struct store_accept accepted;
};
typedef void store_name_fn(void *arg, const struct store_name *name);
bool store_load_names(struct store *store, store_name_fn *row, void *arg) MUST_USE;

/* Further proofs of a name: those of other devices than the one of its first login. A
 * damaged row is a database that cannot be read. */
struct store_device {
    const char *folded; /* whose */
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
    const char *first; /* who joined and waits, when there is no maker */
    int64_t made_wall_s;
    int64_t game;
};
typedef void store_invite_fn(void *arg, const struct store_invite *invite);
bool store_load_invites(struct store *store, store_invite_fn *row, void *arg) MUST_USE;

/* The folded names, each once, that have something for store_read_unseen(). */
typedef void store_folded_fn(void *arg, const char *folded);
bool store_load_unseen(struct store *store, store_folded_fn *row, void *arg) MUST_USE;

/* The number that the next new game gets: one more than any ever used. */
int64_t store_next_game(const struct store *store);

/* --- On the loop --- */

/* A number that was never given before, not even before a crash: a number that is
 * repeated after a restart must not mean something else. Numbers are reserved on disk
 * in advance, so this does not wait for a write; a crash skips those that were reserved
 * and not given. */
int64_t store_next_number(struct store *store);

/* The age of what is kept here: for how long, in total, a server has run on this
 * directory. It stands still while none runs, no step of the wall clock touches it, and
 * it never goes back within a run. Kept with each event, every minute, and at close;
 * after a crash it goes on from the latest of these. */
int64_t store_age_ms(const struct store *store);

/* A batch is written whole or not at all. done is called on the loop when it is on
 * disk, in the order in which batches were queued; it may be NULL. Texts are copied. */
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
/* Of no use to anybody any more. One that is not there is no fault. */
void store_drop_invite(struct store *store, const char *code);
/* A further proof with that digest, or all of that name when digest is NULL. One that
 * is not there is no fault. */
void store_drop_device(struct store *store, const char *folded,
                       const unsigned char *digest, store_done_fn *done, void *arg);

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

/* Ended games of a folded name, newest first, at most limit. One whose row is damaged
 * is left out and logged. */
struct store_past {
    int64_t game;
    int64_t ended_wall_s;
    struct store_summary summary;
};
typedef void store_past_fn(void *arg, const struct store_past *past);
void store_read_history(struct store *store, const char *folded, int limit,
                        store_past_fn *row, store_read_fn *done, void *arg);

/* Ended games whose end the player with that folded name may not have seen, in the
 * order in which they ended; at most STORE_UNSEEN_MAX, the others once these are
 * dropped. */
enum { STORE_UNSEEN_MAX = 100 };
void store_read_unseen(struct store *store, const char *folded, store_past_fn *row,
                       store_read_fn *done, void *arg);
/* The player has seen the end of that game, or of all games when it is 0. */
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

/* Told on the loop whenever it changes. A host and the players want to know. */
enum store_trouble {
    STORE_OK_AGAIN,
    STORE_FULL, /* writing stands still for want of space */
    STORE_SLOW  /* a write that is not done yet takes more than 2 s */
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
