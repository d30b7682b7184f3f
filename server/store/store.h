/* The journal: events, names and invitations on disk, through SQLite on its own
 * thread. The loop never waits for the disk: it queues a batch, and a callback on
 * the loop reports when the batch is committed and synced. Batches that arrive
 * during a commit share the next one. There is one connection to the database, which
 * belongs to the thread.
 *
 * Any error after which the outcome of a commit is unknown ends the process without
 * an answer (status 74): the next start reads the actual state. A full disk is
 * different: the batch is retried every second, and on_trouble reports it.
 *
 * Data from the disk is verified: each event continues a chain of digests, and each
 * row has a digest of its own. Data that does not match is reported as damage and
 * never used as a game. */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct event_base;
struct store;

/* Opens or creates directory/janggid.db. NULL after logging why: another janggid has it
 * open (then, and only then, errno is EBUSY), it is not a database, its schema is
 * newer, or it cannot be written. base is borrowed; callbacks run on it. Existing data
 * is synced first, so that after a crash between write and sync no client sees an event
 * that a power failure could still lose. */
struct store *store_open(struct event_base *base, const char *directory) MUST_USE;
/* Writes the queued batches, stops the thread, closes the database. Calls no callback;
 * must not be called from one. Takes NULL. */
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
/* A damaged log (a link of its chain does not match, a number is missing, or there are
 * fewer events than its row says) is read up to its last intact event. Then the
 * callback gets is_sound false, the number of the first damaged event, and the text "".
 * Do not append to this game. */
typedef void store_event_fn(void *arg, const struct store_event *event);

/* A game is running until its log has an end event. The events of a game arrive
 * together, in order of their numbers. False after logging if the database cannot be
 * read. */
bool store_load_running(struct store *store, store_event_fn *row, void *arg) MUST_USE;

/* Names. key: the SHA-256 of a public key or of a token, as kind says. A damaged row of
 * a name or of an invitation makes the whole read fail. */
enum store_proof { STORE_PROOF_KEY, STORE_PROOF_TOKEN };
enum { STORE_DIGEST_BYTES = 32 };
/* The last seek, challenge or offer that a player accepted. */
struct store_accept {
    int64_t number; /* 0: none */
    int64_t game;   /* the game that it started, or in which it was made */
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
    int64_t number;      /* of the account, never reused; 0: none yet, as in rows of an
                          * older janggid */
    int64_t made_wall_s; /* 0: an older janggid made it */
    bool is_fresh;       /* has finished no game, so it may expire; false in rows of an
                          * older janggid */
};
typedef void store_name_fn(void *arg, const struct store_name *name);
bool store_load_names(struct store *store, store_name_fn *row, void *arg) MUST_USE;

/* Further proofs of a name, for devices other than that of the first login. A damaged
 * row makes the whole read fail. */
struct store_device {
    const char *folded; /* the folded name that it belongs to */
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES]; /* with folded the primary key */
    int64_t since_wall_s;
};
typedef void store_device_fn(void *arg, const struct store_device *device);
bool store_load_devices(struct store *store, store_device_fn *row, void *arg) MUST_USE;

/* Invitations. maker and first are folded names or ""; game is 0 until the game
 * starts. */
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

/* Calls back once for each folded name that has entries for store_read_unseen(). */
typedef void store_folded_fn(void *arg, const char *folded);
bool store_load_unseen(struct store *store, store_folded_fn *row, void *arg) MUST_USE;

/* The audit log of the staff: their acts and settings, and the reports to them, in
 * order, append-only. A damaged or missing row makes the whole read fail. */
struct store_act {
    int64_t id; /* 1, 2, 3 ... */
    int64_t wall_s;
    const char *actor; /* the shown name of an account, or a word for the server */
    const char *text;
};
typedef void store_act_fn(void *arg, const struct store_act *act);
/* In the order of their ids. */
bool store_load_acts(struct store *store, store_act_fn *row, void *arg) MUST_USE;

/* A small fact about an account: whom it ignores, a setting, whom it admits to a game.
 * The first three members are the key. A damaged row makes the whole read fail. */
struct store_mark {
    const char *owner;   /* a folded name, or "" for the server's own */
    const char *kind;    /* a word of the program that reads it */
    const char *subject; /* what the mark is about; "" if the kind has only one mark */
    const char *value;
};
typedef void store_mark_fn(void *arg, const struct store_mark *mark);
/* In the order of their keys. */
bool store_load_marks(struct store *store, store_mark_fn *row, void *arg) MUST_USE;

/* The number of the next new game: the highest one ever used, plus one. */
int64_t store_next_game(const struct store *store);

/* --- On the loop --- */

/* A number that was never used before, even before a crash, so that a number always
 * means one thing. Numbers are reserved on disk in advance, so this does not wait for a
 * write; after a crash the unused reserved ones are skipped. */
int64_t store_next_number(struct store *store);

/* The age of the database: the total time for which a server has run on this directory.
 * It does not advance while no server runs, ignores steps of the wall clock, and never
 * decreases within a run. Stored with each event, every minute, and at close; after a
 * crash it continues from the latest stored value. */
int64_t store_age_ms(const struct store *store);

/* A batch is written completely or not at all. Batches are written in the order of
 * queueing. done (may be NULL) is called on the loop when the batch is on disk. Texts
 * are copied. */
typedef void store_done_fn(void *arg);

/* count events of one game, with the numbers first, first + 1 ... When one of them is
 * the end event, summary has the data for the history, and both players have the end as
 * unseen until store_drop_unseen(). */
struct store_summary {
    const char *red, *blue; /* folded names */
    const char *red_shown, *blue_shown;
    const char *rules, *time;    /* words of the start event */
    const char *result, *reason; /* words of the end event; reason includes by= */
    int plies;
};
void store_append(struct store *store, int64_t game, int first,
                  const char *const text[], int count,
                  const struct store_summary *summary, store_done_fn *done, void *arg);

/* Insert or replace. */
void store_put_name(struct store *store, const struct store_name *name,
                    store_done_fn *done, void *arg);
/* Frees a name: removes its row, proofs, marks and unseen ends. */
void store_drop_name(struct store *store, const char *folded);
void store_put_device(struct store *store, const struct store_device *device,
                      store_done_fn *done, void *arg);
void store_put_invite(struct store *store, const struct store_invite *invite,
                      store_done_fn *done, void *arg);
/* Removes an invitation that is no longer valid. A missing one is not an error. */
void store_drop_invite(struct store *store, const char *code);
/* Removes the proof with that digest, or with digest NULL all proofs of that name. A
 * missing one is not an error. */
void store_drop_device(struct store *store, const char *folded,
                       const unsigned char *digest, store_done_fn *done, void *arg);

/* Appends an act, and returns its id. done as above. */
int64_t store_append_act(struct store *store, int64_t wall_s, const char *actor,
                         const char *text, store_done_fn *done, void *arg);
/* Insert or replace. */
void store_put_mark(struct store *store, const struct store_mark *mark,
                    store_done_fn *done, void *arg);
/* Removes one mark; with subject NULL all of that kind; with kind NULL as well, all of
 * that owner. A missing mark is not an error. */
void store_drop_mark(struct store *store, const char *owner, const char *kind,
                     const char *subject, store_done_fn *done, void *arg);

/* Everything queued between the two calls is one batch. May be nested: the outer pair
 * counts. */
void store_begin_together(struct store *store);
void store_end_together(struct store *store);

/* Reads one game's events from the disk, for readers of an ended game. row is called on
 * the loop for each event, then done with their number (0: no such game). A long game
 * is read in parts, at least a turn of the loop apart. A read sees every batch that was
 * queued before it, and works while the disk is full. */
typedef void store_read_fn(void *arg, int count);
void store_read_game(struct store *store, int64_t game, store_event_fn *row,
                     store_read_fn *done, void *arg);

/* Ended games of a folded name, newest first, at most limit; not those below number
 * first, which an earlier owner of the name played. Damaged rows are skipped and
 * logged. */
struct store_past {
    int64_t game;
    int64_t ended_wall_s;
    bool is_private; /* true also if its start event is damaged */
    struct store_summary summary;
};
typedef void store_past_fn(void *arg, const struct store_past *past);
void store_read_history(struct store *store, const char *folded, int64_t first,
                        int limit, store_past_fn *row, store_read_fn *done, void *arg);

/* Ended games whose end that player may not have seen, in the order of their ends; at
 * most STORE_UNSEEN_MAX, any others are dropped. */
enum { STORE_UNSEEN_MAX = 100 };
void store_read_unseen(struct store *store, const char *folded, store_past_fn *row,
                       store_read_fn *done, void *arg);
/* Records that the player has seen the end of that game; game 0: of all games. */
void store_drop_unseen(struct store *store, const char *folded, int64_t game);

/* --- Care --- */

/* Makes a consistent copy of everything queued before, while play continues: one file,
 * on which a server can be started. The file is named path.part until it is complete
 * and synced. done is called on the loop: why is NULL, or the reason for the failure:
 * path exists, another backup is in progress, or a disk error. */
typedef void store_backup_fn(void *arg, const char *why);
void store_backup(struct store *store, const char *path, store_backup_fn *done,
                  void *arg);

/* Deletes an ended game from the disk. done gets 1; or 0 if there is no such game, if
 * it has not ended, or if it is the newest game, whose number must not be reused. */
void store_prune_game(struct store *store, int64_t game, store_read_fn *done,
                      void *arg);
/* From now on deletes aborted games that ended longer ago than that (0: none), a few at
 * a time. */
void store_keep_aborted(struct store *store, int64_t seconds);

/* Keeps a file of that size beside the database, and removes it when the disk is full,
 * so that play continues while the host frees space. The file is made again when twice
 * its size is free. 0: no such file; an existing one is removed. */
void store_keep_reserve(struct store *store, int64_t bytes);

/* Called on the loop at each change, to inform the host and the players. */
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
    int64_t commit_us_max, commit_us_sum;
    int64_t bytes;        /* used by the database, as of one of the last commits */
    int64_t committed_ms; /* time of the last commit's end; 0: none yet */
};
struct store_counts store_counts(const struct store *store);

#endif
