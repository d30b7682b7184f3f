/* A connection to the primary of PostgreSQL, used by one thread at a time: sends calls
 * in one round trip and waits for their results. It never cancels a statement: when a
 * deadline passes, it closes the connection, and the outcome is unknown. */
#ifndef SERVER_POSTGRES_PG_LINK_H
#define SERVER_POSTGRES_PG_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "common/base/base.h"
#include "server/store/store_data.h"

/* --- The calls of one round trip, with copies of their parameters --- */

enum { PG_PARAMS_MAX = 16 };

struct pg_call {
    const char *sql; /* borrowed. It is prepared when a connection runs it first */
    bool is_new;     /* it is prepared in the same round trip */
    int *affected;   /* gets the number of changed rows, if known; NULL: not wanted */
    int count;       /* of its parameters */
    size_t at[PG_PARAMS_MAX]; /* where each parameter begins in pg_calls.bytes */
    int size[PG_PARAMS_MAX];  /* of each parameter, in bytes; -1: it is SQL's NULL */
};

/* All zero: no calls. */
struct pg_calls {
    struct pg_call *call;
    int count, room;
    unsigned char *bytes;
    size_t used, bytes_room;
};

void pg_calls_clear(struct pg_calls *calls); /* keeps the memory */
void pg_calls_free(struct pg_calls *calls);
/* Begins a call; its parameters follow in their order. The result is valid until the
 * next call is begun. */
struct pg_call *pg_calls_add(struct pg_calls *calls, const char *sql);
void pg_calls_number(struct pg_calls *calls, int64_t number);
void pg_calls_bytes(struct pg_calls *calls, const void *bytes, size_t size); /* NULL:
                                                                              * SQL's */
void pg_calls_text(struct pg_calls *calls, const char *text);
/* Returns the last call of that statement whose first parameter is that number; NULL: none. */
const struct pg_call *pg_calls_find(const struct pg_calls *calls, const char *sql,
                                    int64_t number);

#define PG_BEGIN  "BEGIN"
#define PG_COMMIT "COMMIT"
/* Locks are waited for at most 2 s in this transaction. */
#define PG_LOCK_SOON "SET LOCAL lock_timeout = '2s'"

/* --- The connection --- */

struct pg_link;

/* Shown in application_name and in log messages. A reader makes no tables, and a lease waits
 * for at most 2.5 s each time. */
enum pg_role { PG_WRITER, PG_READER, PG_LEASE };

/* Makes a link to the database at place->url, but does not connect it. end_ms: the time, as
 * mono_now_ms(), at which all waits end; 0 or NULL: none. It is borrowed, and another thread
 * may set it during a wait. Returns NULL after logging why the URL cannot be used. */
struct pg_link *pg_link_new(const struct store_place *place, enum pg_role role,
                            const atomic_llong *end_ms) MUST_USE;
/* Closes the connection. Accepts NULL. */
void pg_link_free(struct pg_link *link);

/* If the link is not open: connects to the host of the URL that can be written. Of
 * several, to the one with the highest timeline, whose log must go as far as those of
 * the others. Makes the tables, unless it is a reader. False after logging why, once for
 * each reason, after a few seconds at most. */
bool pg_link_open(struct pg_link *link) MUST_USE;
bool pg_link_is_open(const struct pg_link *link);
/* True if the last pg_link_open() failed because another version made the tables. */
bool pg_link_is_foreign(const struct pg_link *link);

enum pg_outcome {
    PG_DONE,
    PG_REFUSED, /* a statement failed, so the transaction is not committed; it has been
                 * rolled back. See pg_link_refusal() */
    PG_DOUBTFUL /* the connection is closed; the outcome is unknown */
};

/* Called for each row of a result; each result has one row. */
typedef void pg_row_fn(void *arg, const PGresult *row);

/* Sends the calls and waits for all results. row may be NULL. */
enum pg_outcome pg_link_run(struct pg_link *link, struct pg_calls *calls,
                            pg_row_fn *row, void *arg) MUST_USE;
/* Runs one statement. number: its only parameter; NULL: it has none. A refusal is
 * logged. */
enum pg_outcome pg_link_ask(struct pg_link *link, const char *sql,
                            const int64_t *number, pg_row_fn *row, void *arg) MUST_USE;
/* Runs a statement whose result is a row that begins with `count` numbers. */
bool pg_link_ask_numbers(struct pg_link *link, const char *sql, int64_t *out,
                         int count) MUST_USE;
/* The same as pg_link_run() for calls that end with a commit. PG_DONE: the commit is
 * durable, also on a synchronous standby. This is known because the primary did not
 * warn that it stopped waiting for the standby, and because its settings still required
 * a standby after the commit. Adds a call to *calls. */
enum pg_outcome pg_link_commit(struct pg_link *link, struct pg_calls *calls) MUST_USE;
/* Commits a transaction that writes no row. The result has the same meaning as the
 * result of pg_link_commit(). */
enum pg_outcome pg_link_commit_own(struct pg_link *link) MUST_USE;

/* Checks the settings of the primary, but commits nothing. False: a commit would not be
 * safe; the reason was logged and the connection is closed. */
bool pg_link_is_safe(struct pg_link *link) MUST_USE;

/* Returns the last refusal. Its texts may be "". */
struct pg_refusal {
    char sqlstate[6], constraint[64], why[300];
};
const struct pg_refusal *pg_link_refusal(const struct pg_link *link);

/* Logs the reason `why` for an outage. Does nothing if `why` is also the last logged
 * reason for the current host. */
void pg_link_complain(struct pg_link *link, const char *why);
/* Logs the end of an outage. pg_link_commit() calls it after success. */
void pg_link_note_success(struct pg_link *link);

/* --- Values of a row, in binary form. False: the column has another form --- */

bool pg_link_number(const PGresult *row, int column, int64_t *out) MUST_USE;
/* Also false if the value is not from 0 to INT_MAX - 1. */
bool pg_link_int(const PGresult *row, int column, int *out) MUST_USE;
/* The text is valid as long as the row. Also false if the value is NULL or contains a
 * NUL byte. */
bool pg_link_text(const PGresult *row, int column, const char **out) MUST_USE;
bool pg_link_bytes(const PGresult *row, int column, void *out, size_t size) MUST_USE;

#endif
