/* A connection to the primary of PostgreSQL, used by one thread at a time: sends calls
 * in one round trip and waits for their results. It never cancels a statement: when a
 * deadline passes, it closes the connection, and the outcome is unknown. */
#ifndef SERVER_POSTGRES_PG_LINK_H
#define SERVER_POSTGRES_PG_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "common/base/base.h"
#include "server/postgres/pg_call.h"

struct pg_link;

struct pg_link_settings {
    const char *url;      /* postgres://...; borrowed */
    bool is_sync_outside; /* --store-sync outside: the operator takes care of a second
                           * copy, so synchronous standbys are not required */
    const char *role;     /* "writer", "reader" or "lease": shown in application_name
                           * and in log messages */
    int wait_ms;          /* limit of each wait; 0: the usual limits, of many seconds */
    const atomic_llong
        *end_ms; /* the time, as mono_now_ms(), at which all waits end; 0: none.
                  * Borrowed; another thread may set it during a wait */
};

/* Makes a link, but does not connect it. Returns NULL after logging why the URL cannot
 * be used. */
struct pg_link *pg_link_new(const struct pg_link_settings *settings) MUST_USE;
/* Closes the connection. Accepts NULL. */
void pg_link_free(struct pg_link *link);

/* If the link is not open: connects to the host of the URL that can be written, and
 * prepares the statements. Of several, to the one with the highest timeline, whose log
 * must go as far as those of the others. False after logging why, once for each reason, after
 * a few seconds at most. */
bool pg_link_open(struct pg_link *link) MUST_USE;
bool pg_link_is_open(const struct pg_link *link);
/* True if the last pg_link_open() failed because another version made the tables. */
bool pg_link_is_foreign(const struct pg_link *link);
void pg_link_close(struct pg_link *link);

/* Prepares one more statement, only for this connection. which: the statement's number,
 * at least PG_STATEMENTS. False: the reason was logged and the connection is closed. */
bool pg_link_prepare(struct pg_link *link, enum pg_statement which,
                     const struct pg_statement_text *statement) MUST_USE;

/* Runs SQL that returns no rows and has no parameters. False after logging. */
bool pg_link_run_text(struct pg_link *link, const char *sql) MUST_USE;
/* Reads the first column of the only row of a query, as a number. False after
 * logging. */
bool pg_link_ask(struct pg_link *link, const char *sql, int64_t *out) MUST_USE;

enum pg_outcome {
    PG_DONE,
    PG_REFUSED, /* a statement failed, so the transaction is not committed; it has been
                 * rolled back. See pg_link_error() */
    PG_DOUBTFUL /* the connection is closed; the outcome is unknown */
};

/* Called for each row of a call that returns rows. */
typedef void pg_row_fn(void *arg, const PGresult *result, int row);

/* Sends the calls and waits for all results. row may be NULL. */
enum pg_outcome pg_link_run(struct pg_link *link, const struct pg_calls *calls,
                            pg_row_fn *row, void *arg) MUST_USE;
/* Sends one call whose parameters are `count` numbers. */
enum pg_outcome pg_link_call(struct pg_link *link, enum pg_statement statement,
                             int count, const int64_t *numbers, pg_row_fn *row,
                             void *arg) MUST_USE;
/* The same as pg_link_run() for calls that end with a commit. PG_DONE: the commit is
 * durable, also on a synchronous standby. This is known because the primary did not
 * warn that it stopped waiting for the standby, and because its settings still required
 * a standby after the commit. */
enum pg_outcome pg_link_commit(struct pg_link *link,
                               const struct pg_calls *calls) MUST_USE;
/* Commits a transaction that writes no row. The result has the same meaning as the
 * result of pg_link_commit(). */
enum pg_outcome pg_link_commit_own(struct pg_link *link) MUST_USE;

/* Checks the settings of the primary, but commits nothing. False: a commit would not be
 * safe; the reason was logged and the connection is closed. */
bool pg_link_is_safe(struct pg_link *link) MUST_USE;

/* Return the SQLSTATE and the constraint of the last refusal; "" if unknown. */
const char *pg_link_error(const struct pg_link *link);
const char *pg_link_constraint(const struct pg_link *link);

/* Logs the reason `why` for an outage. Does nothing if `why` is also the last logged
 * reason for the current host. */
void pg_link_complain(struct pg_link *link, const char *why);
/* Logs the end of an outage. pg_link_commit() calls it after success. */
void pg_link_note_success(struct pg_link *link);

/* --- Values of a row, in binary form. False: the column has another form --- */

bool pg_link_number(const PGresult *result, int row, int column, int64_t *out) MUST_USE;
/* Also false if the value is not from 0 to INT_MAX. */
bool pg_link_int(const PGresult *result, int row, int column, int *out) MUST_USE;
/* The text is valid as long as the result. Also false if the value is NULL or contains
 * a NUL byte. */
bool pg_link_text(const PGresult *result, int row, int column,
                  const char **out) MUST_USE;
bool pg_link_bytes(const PGresult *result, int row, int column, void *out,
                   size_t size) MUST_USE;

#endif
