/* A store with its accounts in a directory of its own. A test can close and open both
 * again. Each test program must define open_more() and close_more(), which may open
 * and close more modules. */
#ifndef TESTS_UNIT_ACCOUNT_ACCOUNTS_FIXTURE_H
#define TESTS_UNIT_ACCOUNT_ACCOUNTS_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/deadline.h"
#include "server/store/store.h"
#include "tests/clock/stepped_clock.h"
#include "tests/unit/unit.h"

static char directory[UNIT_PATH_BYTES];
static struct event_base *base;
static struct store *store;
static struct accounts *accounts;
static struct deadlines *deadlines;

static void open_more(void);
static void close_more(void);

static void open_all(void)
{
    store = store_open(base, directory);
    assert_non_null(store);
    deadlines = deadlines_new(NULL, mono_wall_s);
    accounts =
        accounts_open(store, deadlines,
                      &(struct accounts_settings){.names_max = 1000, .name_days = 30});
    assert_non_null(accounts);
    open_more();
}

/* Waits until every write that is queued in the store is on disk. */
static void settle(void)
{
    while (store_gate(store)->durable < store_gate(store)->newest)
        event_base_loop(base, EVLOOP_ONCE);
}

static void close_all(void)
{
    settle();
    store_close(store);
    close_more();
    accounts_close(accounts);
    deadlines_free(deadlines);
}

/* Closes the store and the accounts and opens them again: only what is on disk
 * remains. */
static inline void restart(void)
{
    close_all();
    open_all();
}

static int set_up(void **state)
{
    log_set_level(LOG_FATAL);
    if (!unit_make_directory(directory))
        return -1;
    stepped_clock_stop();
    base = event_base_new();
    open_all();
    return 0;
}

static int tear_down(void **state)
{
    close_all();
    event_base_free(base);
    return unit_remove_directory(directory);
}

#endif
