/* The state of one whole game, computed from its events, without a network. Server,
 * client, replay and tests all use this one implementation.
 *
 * There are two kinds of functions. game_judge_...() decide: they read a game, change
 * nothing, and return either what is wrong or the events that would follow.
 * game_apply() applies one event to the game. It checks the event again with the rules
 * core, so that a log from a disk or a server is never trusted. The server judges,
 * stores the events and applies them; all other programs only apply events.
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
    GAME_SETUP, /* the side of game_turn() must choose its line-up; in a sealed game
                 * (game_is_sealed()), both sides must */
    GAME_PLAY,
    GAME_OVER
};

/* The data needed to take a ply back, to list it, and to count repetitions. */
struct game_ply {
    struct move move;
    struct undo undo; /* undo.key is the key of the position before the move */
    struct time_left left_before[SIDES];
    bool gave_check; /* a piece gave check with this ply (C1); needed for perpetual
                      * check (J7) */
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
    struct position position; /* during set-up: with the line-ups chosen so far */
    struct clock clock;
    struct time_left left_at_ply[SIDES]; /* the time that each side had left when the
                                          * game reached `position`. An adjournment does
                                          * not change this time. A takeback to
                                          * `position` sets the clocks to this time */
    bool is_adjourned;                   /* in play, but no moves are accepted */
    int plies;                           /* number of plies that were played and not
                                          * taken back */
    struct game_ply *ply;
    int ply_room;
    enum outcome outcome; /* OUTCOME_NONE before the end, and for a game without a
                           * result */
    enum reason reason;
    enum side ended_by;       /* as in the end event; SIDE_NONE before that event */
    enum outcome due_outcome; /* the outcome that the rules require; the next event must
                               * be an end event with this outcome */
    enum reason due_reason;   /* REASON_NONE: no end is due */
};

void game_init(struct game *game);
/* Writes the words that follow the outcome in the end event: "resignation by=red". */
enum { GAME_REASON_BYTES = 40 };
void game_format_reason(char out[GAME_REASON_BYTES], const struct game *game);

/* Frees the members; the caller owns the struct. Accepts a struct of zeros. */
void game_clear(struct game *game);

/* Returns the side that must set up or move now. SIDE_NONE: before the start, after the
 * end, while an end is due, and while the game is adjourned. */
enum side game_turn(const struct game *game);

/* True when both sides are choosing their line-ups in secret: neither side sees the
 * other side's line-up before both sides have chosen. game_turn() then returns the side
 * whose setup event comes first. */
bool game_is_sealed(const struct game *game);

/* Returns the line-up to propose to the side that sets up now. This is the other side's
 * line-up if that side has chosen, as Martin advises. Otherwise it is NBNB, the line-up
 * of figure 2 in Martin's text and the default of the program JANGKI. */
enum lineup game_usual_lineup(const struct game *game);
/* Finds the line-up that `word` means for the side that sets up now. word: a word of
 * lineup_parse(), or "same" for the other side's line-up. False: an unknown word, or
 * "same" before the other side has chosen. */
bool game_find_lineup(const struct game *game, const char *word,
                      enum lineup *out) MUST_USE;

/* Returns the position before the first ply; during the set-up, the position with the
 * line-ups chosen so far. Takes all plies back in a copy, so a long game costs more. */
struct position game_start(const struct game *game);
/* Returns the side that makes or made ply number `ply`, from 1. Call it only after play
 * has begun. */
enum side game_side_of_ply(const struct game *game, int ply);
/* Returns the move number of ply number `ply`, as players count: two plies share a
 * number. */
int game_number_of_ply(const struct game *game, int ply);

/* The last move of a game. game_last() returns false if there is none. */
struct game_last {
    struct move move;
    enum side side;
    enum kind mover; /* KIND_NONE: a pass */
    enum kind taken; /* KIND_NONE: nothing */
    int number;      /* the move number, as in game_number_of_ply() */
};
bool game_last(const struct game *game, struct game_last *out) MUST_USE;

/* Applies `event` and stops the clock. The number of the event is game->events. Call
 * game_go() to start the clock again. Only an end event uses now_ms: the running side
 * is charged up to now_ms. False: the event cannot come next (out of order, illegal by
 * the rules, a result that is not due), and the game is unchanged. */
bool game_apply(struct game *game, const struct event *event, int64_t now_ms) MUST_USE;

/* Starts the clock of the side to move at now_ms. Does nothing during set-up, after the
 * end, while the game is adjourned, or in an untimed game. */
void game_go(struct game *game, int64_t now_ms);
/* Makes the first lag_ms of the turn free for the side to move, because its connection
 * takes that time. Does nothing for a game with the term lag=no and for a
 * correspondence game. Call it after game_go(). */
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

/* The events that follow from a judgement: one event; or a move and the end that it
 * causes; or the start and the agreed line-ups; or the line-ups of a sealed game. */
enum { GAME_EVENTS_MAX = 3 };
struct game_news {
    int count;
    struct event event[GAME_EVENTS_MAX];
    struct game_step step; /* the state after a move; only game_apply_move() reads it */
};

/* Fills *news with the events that begin a game: the start event, and the line-ups if
 * they are agreed in its terms. */
void game_begin(const struct event *start, struct game_news *news);
/* Judges whether side may choose this line-up now. This and the other judging functions
 * return FAULT_NONE and fill *news with the events that follow, or return why the act
 * is not possible. */
struct fault game_judge_setup(const struct game *game, enum side side,
                              enum lineup lineup, struct game_news *news);
/* Judges both line-ups of a game whose terms say sealed=yes. The event for Red's
 * line-up comes first, as in every set-up. */
struct fault game_judge_setups(const struct game *game, const enum lineup lineup[SIDES],
                               struct game_news *news);
/* Judges a move of side at now_ms. move: as the player typed it; rules_read_move()
 * interprets it. */
struct fault game_judge_move(const struct game *game, enum side side, struct move move,
                             int64_t now_ms, struct game_news *news);
/* Applies the move that game_judge_move() has just allowed in this game, without
 * judging it again. If news has an end event too, pass that event to game_apply(). */
void game_apply_move(struct game *game, const struct game_news *news);

/* Initializes *game and begins an untimed game from position. False: the ruleset does
 * not allow this position. */
bool game_begin_at(struct game *game, const struct ruleset *rules,
                   const struct position *position) MUST_USE;
/* Judges a move of the side to move. If the move is allowed, applies it and the end
 * that it causes. For a game whose clock does not run. */
struct fault game_play(struct game *game, struct move move);
/* Judges a resignation by side, also during set-up. The opponent wins; if it has
 * forfeited the right to win, the game is drawn (M5). */
struct fault game_judge_resign(const struct game *game, enum side side,
                               struct game_news *news);

/* Judges a draw by agreement, which is possible only during play. The caller ensures
 * that both players have agreed. */
struct fault game_judge_draw(const struct game *game, struct game_news *news);
/* Judges an abort. by: the side that aborts the game alone; SIDE_NONE when both
 * agreed. */
struct fault game_judge_abort(const struct game *game, enum side by,
                              struct game_news *news);
/* Judges the decision of the server's host that the game ends with this outcome. Any
 * outcome is allowed, also during set-up. */
struct fault game_judge_host(const struct game *game, enum outcome outcome,
                             struct game_news *news);
/* Judges a takeback after which `plies` plies remain, 0 <= plies < game->plies. The
 * takeback will also set both clocks to the times before the first ply that is taken
 * back. */
struct fault game_judge_takeback(const struct game *game, int plies,
                                 struct game_news *news);

/* Judges an adjournment, which stops the clocks at now_ms. No moves are accepted until
 * the game continues. Meanwhile the game may end by resignation, agreement, abort or
 * absence. */
struct fault game_judge_adjourn(const struct game *game, int64_t now_ms,
                                struct game_news *news);
struct fault game_judge_continue(const struct game *game, struct game_news *news);
/* The side `present` claims the end of the game, because its opponent has been absent
 * too long. Judges this claim; the caller checks the time. If wants_win is true, the
 * absent side gets the result of a loss (M5), but the claim is refused while the game
 * is adjourned. If wants_win is false, the game is drawn. */
struct fault game_judge_absence(const struct game *game, enum side present,
                                bool wants_win, struct game_news *news);

/* Judges the end of a game to which a player did not come, also during set-up. present:
 * the side that came and wins; SIDE_NONE: neither side came. The caller checks the
 * time. */
struct fault game_judge_missed(const struct game *game, enum side present,
                               struct game_news *news);

/* If the flag of the running side has fallen at now_ms, fills *news with the end event.
 * False: no flag has fallen. */
bool game_judge_flag(const struct game *game, int64_t now_ms, struct game_news *news);

/* Fills *news with the end event that the rules require. Use it for a stored game that
 * lacks this event, and for a game that starts from a finished position. False: no end
 * is due. */
bool game_judge_due(const struct game *game, struct game_news *news);

#endif
