/* The search thinks about a position within limits and returns the move that it would
 * play. It works in every ruleset, because it asks the rules which moves are legal and
 * when a game ends.
 *
 * Pure, except for the memory that search_new() allocates. The search does not create
 * threads and does not read the time itself. It asks its caller for the time, often
 * enough to stop within milliseconds. If the tasks are limited only by nodes or depth,
 * the same tasks in the same order give the same answers. Use one search in one thread
 * at a time; two searches do not share data. */
#ifndef CLIENT_ENGINE_SEARCH_H
#define CLIENT_ENGINE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/game/move.h"
#include "common/game/rules.h"

struct search;

/* The largest values of the depth in plies, of the level, and of the size of the table
 * in megabytes. */
enum { SEARCH_DEPTH_MAX = 60, SEARCH_LEVEL_MAX = 10, SEARCH_TABLE_MB_MAX = 4096 };

/* Creates a search, which the caller owns. table_mb: size of the transposition table in
 * megabytes, 1 to SEARCH_TABLE_MB_MAX. */
struct search *search_new(size_t table_mb) MUST_USE;
/* Frees the search. `search` may be NULL. */
void search_free(struct search *search);
/* Clears the transposition table and the history. Call it before an unrelated game. */
void search_forget(struct search *search);

/* --- What to think about --- */

/* The plies before a position, back to the last capture. The rules about repetition
 * need them (M11, J7). */
enum { SEARCH_PAST_MAX = 100 };
struct search_ply {
    uint64_t key;    /* of the position before the ply */
    bool gave_check; /* the ply gave check by a piece; bare kings do not count */
};
struct search_past {
    int plies; /* number of plies in `ply`; ply[0] is the oldest */
    struct search_ply ply[SEARCH_PAST_MAX];
};

/* The limits of a search. A member that is 0 sets no limit. */
struct search_limits {
    int depth;
    uint64_t nodes;
    int64_t soft_ms; /* no new iteration begins after this time */
    int64_t hard_ms; /* the search stops at this time */
    /* Returns milliseconds since the search began, or SEARCH_STOP_MS to stop it. NULL:
     * no time limit. Called every few hundred nodes. */
    int64_t (*spent_ms)(void *arg);
    void *arg;
};
#define SEARCH_STOP_MS INT64_MAX

struct search_task {
    const struct ruleset *rules;
    struct position position;
    struct search_past past;
    struct search_limits limits;
    int level;     /* 1: for beginners; SEARCH_LEVEL_MAX: full strength */
    uint64_t seed; /* seed of the random choices of lower levels */
};

/* Fills *task with the position of `game` and the plies before this position. Sets the
 * limits to 0 (unlimited) and the level to SEARCH_LEVEL_MAX. */
void search_take_game(struct search_task *task, const struct game *game);

/* --- What it found --- */

enum { SEARCH_LINE_MAX = 32 };
struct search_report {
    bool has_move; /* false: the side to move has no legal move */
    struct move move;
    int depth; /* of the last complete iteration */
    uint64_t nodes;
    int score;     /* hundredths of a point, for the side to move */
    int end_plies; /* number of plies until the end of the game: above 0 if the side to
                    * move wins, below 0 if it loses; 0: the search has not found a win
                    * or a loss */
    int line_plies;
    struct move line[SEARCH_LINE_MAX]; /* the principal variation */
};

/* Called after each iteration; report is borrowed. */
typedef void search_on_report(void *arg, const struct search_report *report);

/* Runs the search of `task` and fills *out. out->move is legal if a legal move exists.
 * on_report may be NULL. */
void search_run(struct search *search, const struct search_task *task,
                search_on_report *on_report, void *arg, struct search_report *out);

#endif
