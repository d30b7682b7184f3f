/* Measures a game's clocks on the client's side, by the client's own monotonic clock,
 * and checks whether the server's values can be correct. For each move, the client
 * records two moments: when the move was sent, and when the answer came. The server
 * receives the move between these two moments. At that time, it stops the clock of the
 * mover and starts the other clock. So the recorded moments of two moves in a row give
 * a lower and an upper bound for the server's value. These bounds are correct even if
 * the machine is heavily loaded. */
#ifndef TESTS_CHECKER_CLOCK_CHECKER_H
#define TESTS_CHECKER_CLOCK_CHECKER_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"

enum { CLOCK_PLIES = 64, CLOCK_TOLDS = 256 };
enum {
    CLOCK_SLACK_MS = 10
}; /* tolerance: how far the server's value may lie outside the measured bounds */

/* An event happened between these two moments, on our monotonic clock. */
struct clock_span {
    int64_t from_us, to_us;
};

/* The server's answer to a request for the clocks. */
struct clock_told {
    /* `asked`: from the request to the answer; `began`: when the side to move began to
     * think. */
    struct clock_span asked, began;
    int events;
    int64_t shown_ms[SIDES];
    int periods[SIDES];
};

/* One game as observed by this client. */
struct clock_record {
    int64_t game;
    int ply;             /* the latest whose beginning is noted */
    bool is_away[SIDES]; /* of each player: since the server was killed */
    struct clock_span began[CLOCK_PLIES]; /* when the thinking for this ply began */
    struct clock_span moved[CLOCK_PLIES];
    struct clock_told told[CLOCK_TOLDS];
    int tolds;
    struct clock_span last[SIDES]; /* from each player's latest request to the answer */
    int64_t asked_us;       /* when the unanswered request was sent; 0: no request */
    int64_t ended_wall_s;   /* wall time of the game's end, by this machine's clock */
    int64_t written_wall_s; /* wall time of the game's end, as the server wrote it */
};

/* --- While it is played: of each of the two players --- */

/* Call it from the bot's on_step. */
void clock_checker_note_step(struct clock_record *record, struct bot *bot,
                             enum bot_step step, enum bot_ask asked);
/* Requests the clocks. Does nothing if a request is unanswered, or if it is the bot's
 * turn, because then the bot makes other requests. */
void clock_checker_ask(struct clock_record *record, struct bot *bot);
/* Call it from the bot's on_clock. */
void clock_checker_note_told(struct clock_record *record, const struct bot *bot,
                             const struct proto_line *line);
/* Call it when the server has been killed. The checks then assume that no side is
 * charged until the side to move has returned. */
void clock_checker_note_outage(struct clock_record *record, const struct bot *bot);

/* --- Afterwards --- */

/* The findings. The first few faults are printed. */
struct clock_check {
    int figures, faults;
    int skipped;         /* ambiguous values */
    int64_t widest_us;   /* the widest range between the bounds of a move */
    int64_t off_most_ms; /* how far the worst value lay outside its bounds */
};

/* Checks the clocks in the log of the match after every move: the time that this move
 * took, and the time that is left after all moves so far. Also checks every clock that
 * was requested between two moves. */
void clock_checker_check(struct clock_check *check, const struct clock_record *record,
                         const struct bot_match *match);

#endif
