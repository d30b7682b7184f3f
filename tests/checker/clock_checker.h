/* Measures a game's clocks on the client's side, by its own monotonic clock, and checks
 * whether the server's values can be correct. The server times a move from a moment
 * between sending and answer of the previous move to a moment between sending and
 * answer of this one, so its value must lie between two bounds, however loaded the
 * machine is. */
#ifndef TESTS_CHECKER_CLOCK_CHECKER_H
#define TESTS_CHECKER_CLOCK_CHECKER_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/bot.h"

enum { CLOCK_PLIES = 64, CLOCK_TOLDS = 256 };
enum { CLOCK_SLACK_MS = 10 }; /* allowed error beyond the bounds */

/* An event happened between these two moments, on our monotonic clock. */
struct clock_span {
    int64_t from_us, to_us;
};

/* The server's answer to a request for the clocks. */
struct clock_told {
    struct clock_span asked, began; /* the thinking, as far as known then */
    int events;
    int64_t shown_ms[SIDES];
    int periods[SIDES];
};

/* One game as observed by this client. */
struct clock_record {
    int64_t game;
    struct clock_span began[CLOCK_PLIES]; /* the thinking for this ply */
    struct clock_span moved[CLOCK_PLIES];
    struct clock_told told[CLOCK_TOLDS];
    int tolds;
    struct clock_span last[SIDES];        /* a player's latest request, and its
                                           * answer */
    int64_t asked_us;                     /* the clocks; 0: not now */
    int64_t ended_wall_s, written_wall_s; /* here; as the server wrote it down */
};

/* --- While it is played: of each of the two players --- */

/* Call it from the bot's on_step. */
void clock_checker_note_step(struct clock_record *record, struct bot *bot,
                             enum bot_step step, enum bot_ask asked);
/* Requests the clocks if it is the opponent's turn, so that no request of its own is
 * unanswered, and if there is no such request yet. */
void clock_checker_ask(struct clock_record *record, struct bot *bot);
/* And what its on_clock has to. */
void clock_checker_note_told(struct clock_record *record, const struct bot *bot,
                             const struct proto_line *line);
/* The server has just been killed: from now on no side is charged, until the side to
 * move has returned. */
void clock_checker_note_outage(struct clock_record *record, const struct bot *bot);

/* --- Afterwards --- */

/* The findings. The first few faults are printed. */
struct clock_check {
    int figures, faults;
    int skipped;         /* ambiguous values */
    int64_t widest_us;   /* between two bounds of a move */
    int64_t off_most_ms; /* beyond the bounds */
};

/* Checks all values in the log of the match, move by move and summed up from the terms,
 * and all that were received in between. */
void clock_checker_check(struct clock_check *check, const struct clock_record *record,
                         const struct bot_match *match);

#endif
