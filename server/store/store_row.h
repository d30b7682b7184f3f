/* Describes every table: its columns, their types, and the key. From this come the
 * statements, the tables of a new database, the seals, the loading at start, `dump`,
 * `load` and `verify`, for SQLite and for PostgreSQL. A module passes a struct; only this
 * file knows which member is which column. Pure, except that it uses OpenSSL.
 *
 * To add a column: append it here with the next schema as `since`. Rows of older schemas
 * have 0 or "" in it, and keep their seals. */
#ifndef SERVER_STORE_STORE_ROW_H
#define SERVER_STORE_STORE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store_data.h"

/* The kinds of rows; each kind is a table. */
enum store_kind {
    STORE_GAME,  /* struct store_game: an ended game, with its whole log */
    STORE_EVENT, /* struct store_event, table journal: events of running games, and those
                  * of ended games that were not removed yet */
    STORE_HEAD,  /* struct store_head: one row, about the journal and the games */
    STORE_NAME,
    STORE_DEVICE,
    STORE_INVITE,
    STORE_UNSEEN,
    STORE_AGE,
    STORE_ACT,
    STORE_MARK,
    STORE_RATING
};
enum { STORE_KINDS = STORE_RATING + 1, STORE_COLUMNS_MAX = 17 };

union store_record {
    struct store_game game;
    struct store_event event;
    struct store_head head;
    struct store_name name;
    struct store_device device;
    struct store_invite invite;
    struct store_unseen unseen;
    struct store_age age;
    struct store_act act;
    struct store_mark mark;
    struct store_rating rating;
};

struct store_column {
    const char *name;
    /* t: text; b: digest; s: the row's seal. Numbers: n: 64 bits; i: 0 to INT_MAX; f:
     * flag; p: proof; q: as n, but not sealed. Without a member: o: always 1; a: counted
     * up by the database, neither read nor sealed. 0: the end of the list */
    char type;
    int since; /* the schema that added the column; 0: it was there from the start */
    size_t offset; /* of the member in the struct of the row */
};

struct store_layout {
    const char *name; /* of the table */
    const char *word; /* for such a row in messages */
    const struct store_column *column;
    int since;     /* the schema that added the table; 0: it was there from the start */
    size_t size;   /* of the struct of the row */
    int keys;      /* the first `keys` columns are the key; 0: rows are only added */
    char letter;   /* of its seals; 0: it has none */
    bool is_chain; /* the seal of a row also covers the one before: of the table, or of
                     * the game of an event */
    bool is_numbered; /* the first column is 1, 2, 3 ..., so a missing row is noticed */
    const char *indexes; /* statements that make its indexes in SQLite */
};
extern const struct store_layout store_row_layouts[STORE_KINDS];

/* Returns the address of the value of the column in `row`. */
void *store_row_at(const struct store_column *column, const void *row);
/* Returns the address of the text pointer of a column of type t in `row`. */
const char **store_row_text(const struct store_column *column, const void *row);
/* Returns the value of a column that is a number. */
int64_t store_row_number(const struct store_column *column, const void *row);
/* Sets a column that is a number. False: the number is out of the column's range. */
bool store_row_set(const struct store_column *column, void *row,
                   int64_t number) MUST_USE;
/* Returns the bytes of the texts of the row, with their NULs. */
size_t store_row_bytes(enum store_kind kind, const void *row);
/* Copies the texts of the row to *at, as text_pack() does, and points it at them. */
void store_row_pack(enum store_kind kind, void *row, char **at);

/* Statements, whose parameters $1, $2 ... are the columns in their order (but a and o). */
enum store_sql {
    STORE_SQL_CREATE, /* makes the table and its indexes in SQLite */
    STORE_SQL_PUT,    /* inserts the row, or replaces the one with the same key */
    STORE_SQL_LOAD,   /* all rows, by their keys */
    STORE_SQL_FIND,   /* the row with that key */
    STORE_SQL_DROP1,  /* the rows with that first column of the key */
    STORE_SQL_DROP2,  /* the first two */
    STORE_SQL_DROP3
};
enum { STORE_SQLS = STORE_SQL_DROP3 + 1, STORE_SQL_BYTES = 1200 };
/* Writes the statement to `out`. False: there is no such one for this table. */
bool store_row_sql(char out[STORE_SQL_BYTES], enum store_kind kind,
                   enum store_sql which);

/* --- Seals --- */

/* Seals that make damage detectable: a short digest of all columns of a row. The seal
 * of an event, its link, also covers the event before it, so that a log is a chain: no
 * event can be changed, moved, or removed from the middle without a mismatch. The audit
 * log of the staff is such a chain as well. The digests have no key: they detect a
 * failing disk, not a forger. */

/* A seal is the first bytes of a SHA-256. */
enum { STORE_SEAL_BYTES = 16 };
struct store_seal {
    unsigned char bytes[STORE_SEAL_BYTES];
};
bool store_seal_is_same(const struct store_seal *one, const struct store_seal *other);

/* The state of the row of a game. */
enum store_row { STORE_ROW_MISSING, STORE_ROW_DAMAGED, STORE_ROW_SOUND };

/* One sealer is used by one thread at a time. */
struct store_sealer;
struct store_sealer *store_sealer_new(void) MUST_USE;
/* `sealer` may be NULL. */
void store_sealer_free(struct store_sealer *sealer);

/* Computes the seal of a row of that kind into *seal. If the kind is a
 * chain, the caller must first set *seal to the seal of the previous row. For the first
 * row, the caller sets *seal to all zero. */
void store_seal_row(struct store_sealer *sealer, struct store_seal *seal,
                    enum store_kind kind, const void *row);
static inline void store_seal_event(struct store_sealer *sealer,
                                    struct store_seal *link,
                                    const struct store_event *event)
{
    store_seal_row(sealer, link, STORE_EVENT, event);
}
/* Computes the seal of a row of the table batch of PostgreSQL, whose commit has these bytes as
 * parameters. */
void store_seal_batch(struct store_sealer *sealer, struct store_seal *out,
                      const void *bytes, size_t size);

#endif
