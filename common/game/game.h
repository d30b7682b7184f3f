/* One whole game without a network: the fold of its events. The server, the client,
 * replay and the tests use this one and no other idea of a game's state.
 *
 * Two halves. game_judge_...() decide: they look at a game, change nothing, and say
 * either what is wrong or which events would follow. game_apply() folds one event in,
 * checking it through the rules core again, so that a log from disk or from a server is
 * never believed blindly. The server judges, writes the events down and applies them;
 * everybody else only applies.
 *
 * Pure but for one thing: the list of plies grows with realloc, a chunk at a time. */
#ifndef COMMON_GAME_GAME_H
#define COMMON_GAME_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "common/game/event.h"
#include "common/game/move.h"
#include "common/game/rules.h"

enum game_phase {
    GAME_EMPTY, /* no event yet */
    GAME_SETUP, /* set_up_next chooses its line-up */
    GAME_PLAY,
    GAME_OVER
};

/* What is needed to take a ply back, to list it, and to count repetitions. */
struct game_ply {
    struct move move;
    struct undo undo; /* its key is that of the position before the move */
    struct time_left left_before[SIDES];
    bool gave_check; /* by a piece (C1): for perpetual check (J7) */
};

/* Read freely; only game.c writes. */
struct game {
    enum game_phase phase;
    int events; /* how many are folded in: the number of the next one */
    char name[SIDES][EVENT_NAME_BYTES];
    const struct ruleset *rules;
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    struct position start;    /* after the set-up */
    struct position position; /* in set-up: with what has been chosen so far */
    struct clock clock;
    struct time_left left_at_ply[SIDES]; /* when this position came up: what a takeback
                                            gives, whatever was adjourned since */
    bool is_adjourned;                   /* in play, but nobody moves */
    int plies;                           /* played and not taken back */
    struct game_ply *ply;
    int ply_room;
    enum outcome outcome; /* OUTCOME_NONE before the end, and of an aborted game */
    enum reason reason;
    enum side ended_by;       /* as in the end event; SIDE_NONE before */
    enum outcome due_outcome; /* the rules ended the game: only this end may follow */
    enum reason due_reason;   /* REASON_NONE: nothing is due */
};

void game_init(struct game *game);
/* The words of an ended game's end event behind its outcome: "resignation by=red". */
enum { GAME_REASON_BYTES = 40 };
void game_format_reason(char out[GAME_REASON_BYTES], const struct game *game);

/* Frees what the game grew; the struct is the caller's. Takes a zeroed one too. */
void game_clear(struct game *game);

/* Whose turn it is to set up or to move; SIDE_NONE before the start, after the end,
 * while an end is due, and while the game is adjourned. */
enum side game_turn(const struct game *game);

/* The line-up to propose to the side that sets up now: that of the other side if it has
 * set up, which is Martin's advice; else that of figure 2, with which JANGKI begins. */
enum lineup game_usual_lineup(const struct game *game);
/* The line-up that word names for the side that sets up now: as lineup_parse(), or
 * "same", that of the other side. False: none, or the other side has none yet. */
bool game_find_lineup(const struct game *game, const char *word,
                      enum lineup *out) MUST_USE;

/* Who makes or made ply number ply, from 1. In play only, and after it. */
enum side game_side_of_ply(const struct game *game, int ply);

/* Folds event in as number game->events. now_ms stops the clock; it does not start
 * again until game_go(). False when the event does not follow (out of order, illegal by
 * the rules, a result that is not due): the game is unchanged. */
bool game_apply(struct game *game, const struct event *event, int64_t now_ms) MUST_USE;

/* The clock of the side to move runs from now_ms on. Nothing in set-up, after the end,
 * while adjourned, or in an untimed game. */
void game_go(struct game *game, int64_t now_ms);
/* The running side is charged up to now_ms and then nobody, until game_go(). */
void game_stop(struct game *game, int64_t now_ms);

/* What may follow from a judgement: one event, or a move and the end that it causes. */
enum { GAME_EVENTS_MAX = 2 };
struct game_news {
    int count;
    struct event event[GAME_EVENTS_MAX];
};

/* Each judges an act of side at now_ms. On FAULT_NONE *news holds what follows. A move is
 * as it was typed: rules_read_move(). */
struct fault game_judge_setup(const struct game *game, enum side side,
                              enum lineup lineup, struct game_news *news);
struct fault game_judge_move(const struct game *game, enum side side, struct move move,
                             int64_t now_ms, struct game_news *news);
/* Also during set-up. What the opponent gets is the ruleset's affair (M5). */
struct fault game_judge_resign(const struct game *game, enum side side,
                               struct game_news *news);

/* For the floor above, which knows what was agreed. A fault when the game is not
 * in a phase that allows it. */
struct fault game_judge_draw(const struct game *game, struct game_news *news);
/* by: who ended it alone; SIDE_NONE when both agreed. */
struct fault game_judge_abort(const struct game *game, enum side by,
                              struct game_news *news);
/* Back to plies, 0 <= plies < game->plies. Clocks: what both sides had at that ply. */
struct fault game_judge_takeback(const struct game *game, int plies,
                                 struct game_news *news);

/* The clocks stop as they are at now_ms, and nobody moves until the game continues.
 * Meanwhile it may end, by resignation, agreement, abort or absence. */
struct fault game_judge_adjourn(const struct game *game, int64_t now_ms,
                                struct game_news *news);
struct fault game_judge_continue(const struct game *game, struct game_news *news);
/* The opponent of present has been away too long. wants_win: what a loss of the other
 * gives (M5), and not while adjourned; else a draw. */
struct fault game_judge_absence(const struct game *game, enum side present,
                                bool wants_win, struct game_news *news);

/* The running side's flag. False when it has not fallen at now_ms. */
bool game_judge_flag(const struct game *game, int64_t now_ms, struct game_news *news);

/* The end that the rules have made due, for a log that stops short of it and for a game
 * that starts from a finished position. False when none is due. */
bool game_judge_due(const struct game *game, struct game_news *news);

#endif
