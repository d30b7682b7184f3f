/* A change of the log as a value: what one job of the store writes. All texts are
 * borrowed. */
#ifndef SERVER_DATABASE_STORE_WRITE_H
#define SERVER_DATABASE_STORE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_data.h"
#include "server/database/store_seal.h"

/* count events of one game, numbers first, first + 1 ..., or STORE_AFTER_DAMAGE. */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* one after the other, each with its NUL */
    bool has_summary;  /* the last event is the end */
    struct store_summary summary;
};

/* Ended games to delete. */
struct store_pruning {
    int64_t before_wall_s; /* some of the aborted games that ended before that time, */
    int64_t game;          /* and that game if it has ended; 0: none */
    int pruned;            /* the result: how many, or STORE_PRUNED_UNKNOWN. The newest
                            * game is never deleted */
};

/* A name to take out of ended games: see store_erase.h. */
struct store_erasure {
    const char *folded; /* the name */
    const char *alias;  /* in its folded form too */
    int64_t first_game; /* games with a lower number belong to an earlier owner */
    /* The results: the games that have the alias now; and those of which something is
     * damaged. A damaged row is left as it is; a damaged log has new links up to its
     * first damaged event, and so stays damaged from there. */
    int games, damaged;
};

enum store_write_kind {
    STORE_WRITE_EVENTS,
    STORE_WRITE_PRUNE,
    STORE_WRITE_PUT,  /* a row that is written whole */
    STORE_WRITE_DROP, /* such rows; has only their key: see store_db_drop() */
    STORE_WRITE_DROP_UNSEEN,
    STORE_WRITE_REPLACE_ACT, /* see store_replace_act() */
    STORE_WRITE_ERASE
};

struct store_write {
    enum store_write_kind kind;
    union {
        struct store_batch events;
        struct store_pruning prune;
        struct {
            enum store_kind kind;
            bool is_all;
            union store_record of;
        } row; /* of PUT, DROP and REPLACE_ACT */
        struct {
            const char *folded;
            int64_t game; /* 0: all games of that name */
        } unseen;
        struct store_erasure erase;
    };
};

#endif
