/* Owns what is read from the log (the database): accounts, ratings, games, invitations,
 * evenings. These members of struct world are NULL while the log is closed. The log is
 * opened and read when this server becomes the leader (node.h), and closed when it
 * ends. */
#ifndef SERVER_DATA_H
#define SERVER_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

struct event;
struct event_base;
struct notifier;
struct store;
struct world;

struct data_calls {
    /* Called when the log's disk or database has changed its state. state: "good",
     * "full", "slow" or "away". */
    void (*on_disk)(void *arg, const char *state);
    /* Called when another node has begun to write the log. */
    void (*on_lost)(void *arg);
};

/* The caller sets the members up to `arg`, which are borrowed. It sets `sessions` and
 * `admission` of the world before it calls data_open(). */
struct data {
    struct event_base *base;
    struct world *world;
    struct notifier *notifier; /* NULL: no notify program */
    const struct data_calls *calls;
    void *arg;
    /* Written by data.c. */
    char greeting[512]; /* sent to each session; "" before the first data_open() */
    bool is_away;       /* data_open() failed, but may succeed later */
    struct event *beat; /* notices when the loop stood still */
    int64_t beat_ms, beat_ticks_ms; /* time of the last beat, on mono_now_ms() and on
                                     * mono_ticks_ms() */
};

/* Opens the log and reads it, which blocks the loop. Returns false after logging why it
 * cannot; the caller must then call data_close(). */
bool data_open(struct data *data) MUST_USE;
/* Closes the log and what depends on it, also after a failed data_open(). close_store
 * is store_close or store_abandon. */
void data_close(struct data *data, void (*close_store)(struct store *store));
/* Passes changed settings on to what is open. */
void data_change(struct data *data);
/* Writes the greeting again. Call it when the setting "name" has changed. */
void data_make_greeting(struct data *data);

#endif
