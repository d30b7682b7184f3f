/* What this side of the wire knows of a game's clocks, by its own monotonic clock, and
 * whether the server's figures can be true. The server times a move from some moment
 * between the sending and the answer of the one before to some moment between the
 * sending and the answer of this one: so its figure must lie between two bounds,
 * whatever the machine is doing. */
#ifndef TESTS_LIB_CLOCK_CHECKER_H
#define TESTS_LIB_CLOCK_CHECKER_H

#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"

enum { CLOCK_PLIES = 64, CLOCK_TOLDS = 256 };
enum { CLOCK_SLACK_MS = 10 }; /* beyond the bounds; that much may be wrong */

/* Something happened between these two moments, on our monotonic clock. */
struct clock_span {
    int64_t from_us, to_us;
};

/* What the server said when it was asked. */
struct clock_told {
    struct clock_span asked, began; /* the thinking, as far as known then */
    int events;
    int64_t shown_ms[SIDES];
    int periods[SIDES];
};

/* One game as it was seen from here. */
struct clock_record {
    int64_t game;
    struct clock_span began[CLOCK_PLIES]; /* the thinking for this ply */
    struct clock_span moved[CLOCK_PLIES];
    struct clock_told told[CLOCK_TOLDS];
    int tolds;
    struct clock_span last[SIDES];        /* what a player asked last, and its answer */
    int64_t asked_us;                     /* the clocks; 0: not now */
    int64_t ended_wall_s, written_wall_s; /* here; as the server wrote it down */
};

/* --- While it is played: of each of the two players --- */

/* What the bot's on_step has to call. */
void clock_checker_note_step(struct clock_record *record, struct bot *bot,
                             enum bot_step step, enum bot_ask asked);
/* Asks for the clocks if it is the other's turn, so that nothing of its own is on the
 * way, and nobody has asked already. */
void clock_checker_ask(struct clock_record *record, struct bot *bot);
/* And what its on_clock has to. */
void clock_checker_note_told(struct clock_record *record, const struct bot *bot,
                             const struct proto_line *line);
/* The server has just been killed: from now on nobody is charged, until the side to
 * move has come back. */
void clock_checker_note_outage(struct clock_record *record, const struct bot *bot);

/* --- Afterwards --- */

/* What was found. The first few faults are printed. */
struct clock_check {
    int figures, faults;
    int skipped;         /* figures that may mean two things */
    int64_t widest_us;   /* between two bounds of a move */
    int64_t off_most_ms; /* beyond the bounds */
};

/* All figures in the log of the match, move by move and summed up from the terms on,
 * and all that were told in between. */
void clock_checker_check(struct clock_check *check, const struct clock_record *record,
                         const struct bot_match *match);

#endif
