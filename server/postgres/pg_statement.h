/* The statements of the engine, and the tables that they use. A parameter is a number,
 * a text or bytes, or an array of these; the letters of a statement say which. */
#ifndef SERVER_POSTGRES_PG_STATEMENT_H
#define SERVER_POSTGRES_PG_STATEMENT_H

enum pg_statement {
    PG_BEGIN,
    PG_COMMIT,
    PG_ROLLBACK,
    PG_LOCK_SOON,     /* lock timeout of 2 s for this transaction */
    PG_END_HALF_SENT, /* ends the connections of other writers that have sent half of a
                       * commit; returns a row for each */
    PG_CHECK,         /* the settings on which a commit depends */
    PG_WAIT_FOR_NONE, /* this transaction commits without waiting for a standby */
    PG_LEASE_LOOK,
    PG_LEASE_RENEW,
    PG_LEASE_TAKE,
    PG_LEASE_GIVE,
    PG_PUT_BATCH,
    PG_LAST_BATCH,
    PG_WITNESS, /* see pg_witness.c */
    PG_LOAD_BATCHES,
    PG_TRIM_BATCHES,
    PG_PUT_EVENTS,
    PG_PUT_GAME,
    PG_END_GAME,
    PG_PRUNE_EVENTS,
    PG_PRUNE_UNSEEN,
    PG_PRUNE_GAMES,
    PG_PUT_NAME,
    PG_DROP_NAME,
    PG_PUT_DEVICE,
    PG_DROP_DEVICE,
    PG_PUT_INVITE,
    PG_DROP_INVITE,
    PG_PUT_UNSEEN,
    PG_DROP_UNSEEN,
    PG_PUT_AGE,
    PG_PUT_ACT,
    PG_REPLACE_ACT,
    PG_PUT_MARK,
    PG_DROP_MARK,
    PG_PUT_RATING,
    PG_LAST_GAME,
    PG_LAST_ACT,
    PG_FIND_ACT,
    PG_LOAD_AGE,
    PG_LOAD_ENDS,
    PG_LOAD_RUNNING,
    PG_FIND_LISTED, /* the number of the last event that a game must have */
    PG_LOAD_LISTED, /* the number of the last event that each running game must have */
    PG_LOAD_NAMES,
    PG_LOAD_DEVICES,
    PG_LOAD_INVITES,
    PG_LOAD_UNSEEN,
    PG_LOAD_ACTS,
    PG_LOAD_MARKS,
    PG_LOAD_RATINGS,
    PG_FIND_GAME,
    PG_READ_LOG,
    PG_READ_START,
    PG_READ_HISTORY,
    PG_READ_UNSEEN,
    PG_OWN_COMMIT, /* a commit that writes no row */
    PG_SIZE
};
enum { PG_STATEMENTS = PG_SIZE + 1 };

/* The SQL of a statement, and a letter for the type of each of its parameters. n:
 * number, t: text, b: bytes; N, T, B: arrays of these. */
struct pg_statement_text {
    const char *sql;
    const char *params;
};
extern const struct pg_statement_text pg_statement_texts[PG_STATEMENTS];

/* Step i changes the tables of version i into the tables of version i + 1. Version 0:
 * the schema janggid is empty. */
enum { PG_SCHEMA = 6 };
extern const char *const pg_statement_steps[PG_SCHEMA];

#endif
