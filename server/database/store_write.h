/* Describes one change of the stored data, which one job of the store writes. All texts
 * are borrowed. */
#ifndef SERVER_DATABASE_STORE_WRITE_H
#define SERVER_DATABASE_STORE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_row.h"
#include "server/database/store_seal.h"

/* Events of one game: `count` of them, with the numbers `first`, first + 1 ...; or
 * `first` is STORE_AFTER_DAMAGE. */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* the texts of the events, each with its NUL */
    bool has_summary;  /* the last event ends the game, and the next two are set */
    struct store_summary summary;
    const char *log; /* see struct store_game */
};

/* Ended games to delete. */
struct store_pruning {
    int64_t before_wall_s; /* deletes some aborted games that ended before then */
    int64_t game; /* deletes also this game, if it has ended; 0: no such game */
    int pruned;   /* result: number of deleted games, or STORE_PRUNED_UNKNOWN. The
                   * newest game is never deleted */
};

enum store_write_kind {
    STORE_WRITE_EVENTS,
    STORE_WRITE_PRUNE,
    STORE_WRITE_PUT, /* inserts a row, or replaces the one with the same key */
    STORE_WRITE_DROP /* removes the rows with the first `keys` columns of the key of `of` */
};

struct store_write {
    enum store_write_kind kind;
    union {
        struct store_batch events;
        struct store_pruning prune;
        struct {
            enum store_kind kind;
            int keys;
            union store_record of;
        } row; /* of PUT and DROP */
    };
};

#endif
