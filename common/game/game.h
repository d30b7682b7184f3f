/* The state of one whole game, computed from its events, without a network. Server,
 * client, replay and tests all use this one implementation.
 *
 * It has two halves. game_judge_...() decide: they read a game, change nothing, and
 * return either what is wrong or the events that would follow. game_apply() applies one
 * event to the game and checks the event again with the rules core, so that a log from
 * a disk or a server is never trusted. The server judges, stores the events and applies
 * them; everybody else only applies.
 *
 * Pure, except that the list of plies grows with realloc, one chunk at a time. */
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
    GAME_SETUP, /* the side of game_turn() must choose its line-up; in a sealed game both */
    GAME_PLAY,
    GAME_OVER
};

/* The data needed to take a ply back, to list it, and to count repetitions. */
struct game_ply {
    struct move move;
    struct undo undo; /* its key is that of the position before the move */
    struct time_left left_before[SIDES];
    bool gave_check; /* the ply gave check by a piece (C1); for perpetual check (J7) */
};

/* Other files may read all members; only game.c changes them. */
struct game {
    enum game_phase phase;
    int events; /* number of events applied; also the number of the next event */
    char name[SIDES][EVENT_NAME_BYTES];
    const struct ruleset *rules;
    struct manners manners; /* as in the start event */
    bool has_position;      /* as in the start event */
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    enum side first;          /* the side that moves first; valid when play has begun */
    int first_number;         /* move number of the first ply; 0: play has not begun */
    struct position position; /* during set-up: with the choices made so far */
    struct clock clock;
    struct time_left left_at_ply[SIDES]; /* the times when this position arose. A
                                          * takeback restores them, even if the game was
                                          * adjourned since then */
    bool is_adjourned;                   /* in play, but no moves are accepted */
    int plies;                           /* played and not taken back */
    struct game_ply *ply;
    int ply_room;
    enum outcome outcome; /* OUTCOME_NONE before the end and for an aborted game */
    enum reason reason;
    enum side ended_by;       /* as in the end event; SIDE_NONE before that event */
    enum outcome due_outcome; /* the outcome that the rules require: only an end event
                               * with it may follow */
    enum reason due_reason;   /* REASON_NONE: no end is due */
};

void game_init(struct game *game);
/* Writes the words that follow the outcome in the end event: "resignation by=red". */
enum { GAME_REASON_BYTES = 40 };
void game_format_reason(char out[GAME_REASON_BYTES], const struct game *game);

/* Frees the members; the caller owns the struct. Accepts a zeroed one. */
void game_clear(struct game *game);

/* The side that must set up or move now; SIDE_NONE before the start, after the end,
 * while an end is due, and while the game is adjourned. */
enum side game_turn(const struct game *game);

/* True when both sides choose a line-up now, and neither sees the other's before both
 * have chosen. game_turn() is then the side whose setup event comes first. */
bool game_is_sealed(const struct game *game);

/* The line-up to propose to the side that sets up now: the other side's if it has
 * chosen, which is Martin's advice; otherwise NBNB, the line-up of figure 2 in
 * Martin's text and the default of the program JANGKI. */
enum lineup game_usual_lineup(const struct game *game);
/* Finds the line-up that `word` means for the side that sets up now: a word of
 * lineup_parse(), or "same" for the other side's line-up. False: unknown word, or
 * "same" before the other side has chosen. */
bool game_find_lineup(const struct game *game, const char *word,
                      enum lineup *out) MUST_USE;

/* Returns the position before the first ply; during the set-up, with the choices made so
 * far. It takes all plies back, so a long game costs more. */
struct position game_start(const struct game *game);
/* Returns the side that makes or made ply number ply, from 1. Call it only in play and
 * after it. */
enum side game_side_of_ply(const struct game *game, int ply);
/* Returns the move number of that ply, as players count: two plies share a number. */
int game_number_of_ply(const struct game *game, int ply);

/* The last move, with the kinds of the moving and the captured piece. Returns false if
 * there is none. */
struct game_last {
    struct move move;
    enum side side;
    enum kind mover; /* KIND_NONE: a pass */
    enum kind taken; /* KIND_NONE: nothing */
    int number;      /* the move number as players count */
};
bool game_last(const struct game *game, struct game_last *out) MUST_USE;

/* Applies event, whose number is game->events. The clock stops (an end stops it at
 * now_ms); game_go() starts it again. False when the event cannot come next (out of
 * order, illegal by the rules, a result that is not due): the game is then
 * unchanged. */
bool game_apply(struct game *game, const struct event *event, int64_t now_ms) MUST_USE;

/* Starts the clock of the side to move at now_ms. Does nothing during set-up, after the
 * end, while adjourned, or in an untimed game. */
void game_go(struct game *game, int64_t now_ms);
/* Call it after game_go(): the side to move is not charged for the lag_ms that its
 * connection takes, unless the terms of the game say otherwise (lag=no) or it is a
 * correspondence game. */
void game_allow_lag(struct game *game, int lag_ms);
/* Charges the running side up to now_ms and stops the clock until game_go(). */
void game_stop(struct game *game, int64_t now_ms);

/* The state of a game after a legal move. */
struct game_step {
    struct position after;
    struct undo undo;
    bool gave_check;
    enum reason reason; /* reason of the end that the move causes, or REASON_NONE */
    enum outcome outcome;
};

/* The events that follow from a judgement: one event, or a move and the end that it
 * causes, or the start and the line-ups that were agreed. */
enum { GAME_EVENTS_MAX = 3 };
struct game_news {
    int count;
    struct event event[GAME_EVENTS_MAX];
    struct game_step step; /* the state after a move; only game_apply_move() reads it */
};

/* Fills *news with the events that begin a game: the start event, and the line-ups if
 * the terms have them. */
void game_begin(const struct event *start, struct game_news *news);
/* Judges whether side may choose this line-up now. Like each judging function below, it
 * fills *news with the events that follow when it returns FAULT_NONE. */
struct fault game_judge_setup(const struct game *game, enum side side,
                              enum lineup lineup, struct game_news *news);
/* Judges both line-ups of a game whose terms say sealed=yes. The events come in the
 * order of every set-up. */
struct fault game_judge_setups(const struct game *game, const enum lineup lineup[SIDES],
                               struct game_news *news);
/* Judges a move of side at now_ms. The move is as typed: rules_read_move() interprets
 * it. */
struct fault game_judge_move(const struct game *game, enum side side, struct move move,
                             int64_t now_ms, struct game_news *news);
/* Applies the move that game_judge_move() has just allowed in this game, without judging
 * it again. The end that it may cause is for game_apply(). */
void game_apply_move(struct game *game, const struct game_news *news);

/* Begins an untimed game from position. False: the ruleset does not allow it. */
bool game_begin_at(struct game *game, const struct ruleset *rules,
                   const struct position *position) MUST_USE;
/* Judges a move of the side to move and, if it is allowed, applies it and the end that it
 * causes. For a game whose clock does not run. */
struct fault game_play(struct game *game, struct move move);
/* Judges a resignation, also during set-up. The ruleset decides what the opponent gets
 * (M5). */
struct fault game_judge_resign(const struct game *game, enum side side,
                               struct game_news *news);

/* Judges an agreed draw: the caller knows what the players agreed. Returns a fault when
 * the phase of the game does not allow it. */
struct fault game_judge_draw(const struct game *game, struct game_news *news);
/* Judges an abort. by: the side that aborts the game alone; SIDE_NONE when both
 * agreed. */
struct fault game_judge_abort(const struct game *game, enum side by,
                              struct game_news *news);
/* Judges that the host of the server ends the game with this outcome. Any outcome is
 * allowed, also during set-up. */
struct fault game_judge_host(const struct game *game, enum outcome outcome,
                             struct game_news *news);
/* Judges a takeback after which `plies` plies remain, 0 <= plies < game->plies. Both
 * clocks will be restored as they were at that ply. */
struct fault game_judge_takeback(const struct game *game, int plies,
                                 struct game_news *news);

/* Judges an adjournment, which stops the clocks at now_ms. No moves are accepted until
 * the game continues. Meanwhile the game may end by resignation, agreement, abort or
 * absence. */
struct fault game_judge_adjourn(const struct game *game, int64_t now_ms,
                                struct game_news *news);
struct fault game_judge_continue(const struct game *game, struct game_news *news);
/* Judges a claim by the side `present`, whose opponent has been absent too long. If
 * wants_win, it claims the result of a loss by the opponent (M5), which is refused
 * while the game is adjourned; otherwise it claims a draw. */
struct fault game_judge_absence(const struct game *game, enum side present,
                                bool wants_win, struct game_news *news);

/* Fills *news with the end by the fall of the running side's flag. False: the flag has
 * not fallen at now_ms. */
bool game_judge_flag(const struct game *game, int64_t now_ms, struct game_news *news);

/* Fills *news with the end that the rules require: for a log that stops before that
 * event, and for a game that starts from a finished position. False: no end is due. */
bool game_judge_due(const struct game *game, struct game_news *news);

#endif
