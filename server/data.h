/* What depends on the log: accounts, ratings, games, invitations, evenings. It is opened
 * and read when this server becomes the house, and closed when it becomes a door, or
 * ends. Owns the members of struct world that are NULL without the log. */
#ifndef SERVER_DATA_H
#define SERVER_DATA_H

#include <stdbool.h>

#include "common/base/base.h"

struct config;
struct deadlines;
struct event_base;
struct notifier;
struct pairing_program;
struct store;
struct world;

struct data_calls {
    /* The disk of the log is "good", "full", "slow" or "away". */
    void (*on_disk)(void *arg, const char *state);
    /* Another node writes the log. */
    void (*on_lost)(void *arg);
};

/* The caller sets the first members, which are borrowed; world has its sessions and
 * admission before data_open(). */
struct data {
    const struct config *config;
    struct event_base *base;
    struct world *world;
    struct notifier *notifier;       /* NULL: none */
    struct pairing_program *pairing; /* of the host; NULL: none */
    const struct data_calls *calls;
    void *arg;
    /* Written by data.c. */
    struct deadlines *deadlines;
    char greeting[512]; /* of all sessions; "" before the first data_open() */
    bool is_away;       /* why data_open() failed: it may succeed later */
};

/* Opens the log and reads it, which blocks the loop. Returns false after logging why it
 * cannot; then data_close() is to be called. */
bool data_open(struct data *data) MUST_USE;
/* Also takes what data_open() left half-open. close_store: store_close or
 * store_abandon. */
void data_close(struct data *data, void (*close_store)(struct store *store));
/* The setting "name" has changed. */
void data_make_greeting(struct data *data);

#endif
