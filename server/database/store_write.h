/* Describes one change of the stored data, which one job of the store writes. All texts
 * are borrowed. */
#ifndef SERVER_DATABASE_STORE_WRITE_H
#define SERVER_DATABASE_STORE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_data.h"
#include "server/database/store_seal.h"

/* Events of one game: `count` of them, with the numbers `first`, first + 1 ...; or
 * `first` is STORE_AFTER_DAMAGE. */
struct store_batch {
    int64_t game;
    int first, count;
    int64_t wall_s, age_ms;
    const char *texts; /* the texts of the events, each with its NUL */
    bool has_summary;  /* the last event ends the game, and `summary` is set */
    struct store_summary summary;
};

/* Ended games to delete. */
struct store_pruning {
    int64_t before_wall_s; /* deletes some aborted games that ended before then */
    int64_t game; /* deletes also this game, if it has ended; 0: no such game */
    int pruned;   /* result: number of deleted games, or STORE_PRUNED_UNKNOWN. The
                   * newest game is never deleted */
};

/* A name to take out of ended games: see store_erase.h. */
struct store_erasure {
    const char *folded; /* the name */
    const char *alias;  /* takes the place of the name; must be a folded name */
    int64_t first_game; /* games with a lower number belong to an earlier owner */
    /* The results. games: number of games that have the alias now. damaged: number of
     * games with a damaged row or log. A damaged row is not changed. In a damaged log
     * the links (digests) of the events before the first damaged one are computed
     * again; the rest stays damaged. */
    int games, damaged;
};

enum store_write_kind {
    STORE_WRITE_EVENTS,
    STORE_WRITE_PRUNE,
    STORE_WRITE_PUT,  /* writes a row of one of the kinds in store_row.h */
    STORE_WRITE_DROP, /* removes rows of such a kind; `of` has only the key: see
                       * store_db_drop() */
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
