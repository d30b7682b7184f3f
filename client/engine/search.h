/* An opponent: thinks about a position, within limits, and says what it would play.
 * What is legal and what ends a game it asks the rules, in every ruleset.
 *
 * Pure but for the memory that search_new() takes: no thread, no clock of its own; it
 * is told the time, and asks often enough to be stopped within milliseconds. The same
 * tasks in the same order, limited by nodes or depth, give the same answers. One search
 * is for one thread at a time; two searches share nothing. */
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

/* How far it looks, in plies; how strong it may be told to be. */
enum { SEARCH_DEPTH_MAX = 60, SEARCH_LEVEL_MAX = 10, SEARCH_TABLE_MB_MAX = 4096 };

/* Remembers positions in table_mb (1 to SEARCH_TABLE_MB_MAX) megabytes. The caller owns
 * it. */
struct search *search_new(size_t table_mb) MUST_USE;
/* Takes NULL. */
void search_free(struct search *search);
/* Forgets all that was seen: the next game has nothing to do with the last. */
void search_forget(struct search *search);

/* --- What to think about --- */

/* The plies before a position, back to the last capture: what rules about repetition
 * ask for (M11, J7). */
enum { SEARCH_PAST_MAX = 100 };
struct search_ply {
    uint64_t key;    /* of the position before the ply */
    bool gave_check; /* by a piece */
};
struct search_past {
    int plies; /* known, the oldest first */
    struct search_ply ply[SEARCH_PAST_MAX];
};

/* Each at 0 means: no such limit. */
struct search_limits {
    int depth;
    uint64_t nodes;
    int64_t soft_ms; /* no deeper look is begun after that */
    int64_t hard_ms; /* stops there, with what it has */
    /* Milliseconds since the search began, SEARCH_STOP_MS to stop it at once. NULL: no
     * time passes. Asked once for some hundreds of positions. */
    int64_t (*spent_ms)(void *arg);
    void *arg;
};
#define SEARCH_STOP_MS INT64_MAX

struct search_task {
    const struct ruleset *rules;
    struct position position;
    struct search_past past;
    struct search_limits limits;
    int level;     /* 1 a beginner's opponent, SEARCH_LEVEL_MAX all it can */
    uint64_t seed; /* of the whims of the lower levels */
};

/* The position of game with its past, for the side to move. Limits: none. */
void search_take_game(struct search_task *task, const struct game *game);

/* --- What it found --- */

enum { SEARCH_LINE_MAX = 32 };
struct search_report {
    bool has_move; /* false: the side to move has no legal move */
    struct move move;
    int depth; /* looked through in full */
    uint64_t nodes;
    int score;     /* hundredths of a point, from the side to move */
    int end_plies; /* plies to the end it foresees: >0 won, <0 lost, 0 none is seen */
    int line_plies;
    struct move line[SEARCH_LINE_MAX]; /* what it expects, beginning with move */
};

/* Called after each depth; the report is borrowed. */
typedef void search_on_report(void *arg, const struct search_report *report);

/* Fills *out; its move is legal whenever there is one. on_report may be NULL. */
void search_run(struct search *search, const struct search_task *task,
                search_on_report *on_report, void *arg, struct search_report *out);

#endif
