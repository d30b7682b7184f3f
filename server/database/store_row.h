/* Describes the columns of the rows of each store_kind. Such a row is always written or
 * read as a whole. The code that seals, writes or reads such a row, or copies it into a
 * job, uses these descriptions. This is so for SQLite and for PostgreSQL. The commands
 * `dump` and `load` use store_data_tables instead. The rows of games and of events have
 * functions of their own. Pure. */
#ifndef SERVER_DATABASE_STORE_ROW_H
#define SERVER_DATABASE_STORE_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_data.h"

enum store_kind {
    STORE_NAME,
    STORE_DEVICE,
    STORE_INVITE,
    STORE_AGE,
    STORE_ACT,
    STORE_MARK,
    STORE_RATING
};
enum { STORE_KINDS = STORE_RATING + 1 };

union store_record {
    struct store_name name;
    struct store_device device;
    struct store_invite invite;
    struct store_age age;
    struct store_act act;
    struct store_mark mark;
    struct store_rating rating;
};

struct store_column {
    char type; /* t: text; b: digest; s: seal. Numbers: n: 64 bits; i: 0 to INT_MAX; f:
                * flag; p: proof */
    int since; /* the schema that added the column to the table (see store_seal.c); 0:
                * it was there from the start */
    size_t offset; /* in the struct of the row */
};

struct store_layout {
    const char *name;                  /* the word for such a row in messages */
    const struct store_column *column; /* in the order of the table; after the last one,
                                        * type 0 */
    size_t size;                       /* of the struct of the row */
    int keys;                          /* the first `keys` columns are the key */
    bool is_chain;    /* the seal of a row also covers the previous row */
    bool is_numbered; /* the first column of the rows is 1, 2, 3 ..., so a missing row
                       * is noticed */
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

/* What load() of an engine reads, and the function that it calls for each row. */
struct store_visitor {
    store_event_fn *running; /* called for each event of the games that have not ended,
                              * game by game, in order of their numbers; or NULL */
    store_folded_fn
        *unseen; /* called for the name of each player who has not seen the end of a
                  * game; or NULL */
    enum store_kind kind; /* if running and unseen are NULL: the rows of this kind are
                           * read, in the order of their keys */
    union {
        store_name_fn *name;
        store_device_fn *device;
        store_invite_fn *invite;
        store_act_fn *act;
        store_mark_fn *mark;
        store_rating_fn *rating;
    };
    void *arg;
};
/* Calls the function of the visitor for a row of its kind. */
void store_row_give(const struct store_visitor *visitor, const union store_record *row);

#endif
