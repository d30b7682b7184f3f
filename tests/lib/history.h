/* What one reader of one game has been told: every event by its number, and every OK.
 * It keeps the server's words as they came and believes none of them, so that after a
 * crash it can testify: this was promised. The judge beside it compares a testimony
 * with the log that the server has in the end. Knows no connection. */
#ifndef TESTS_LIB_HISTORY_H
#define TESTS_LIB_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/board.h"

/* What the server said of the clocks when the log had so many events. */
struct witness_clock {
    int events;
    int64_t shown_ms[SIDES]; /* main time, or what is left of the current period */
    int periods[SIDES];
    enum side running; /* SIDE_NONE: nobody is charged */
    int64_t run_ms;    /* since the server of then was started */
};

struct witness {
    int64_t game;
    char **event; /* by number; NULL where nothing was seen yet */
    int events;   /* the highest number seen, and one more */
    int event_room;
    char **promise; /* how the event begins that an OK stands for: "move 7 red B0-C2" */
    int promises, promise_room;
    struct witness_clock *clock;
    int clocks, clock_room;
};

void witness_init(struct witness *witness, int64_t game);
void witness_clear(struct witness *witness);

/* False: number was seen before with another text, or is no number of an event. */
bool witness_see(struct witness *witness, int number, const char *text);
/* An OK stands for an event of the log that begins with these words. */
void witness_promise(struct witness *witness, const char *words);
void witness_hear_clock(struct witness *witness, const struct witness_clock *clock);

/* --- A whole log --- */

struct script {
    int64_t game;
    char **text;
    int count, room;
};

void script_init(struct script *script, int64_t game);
void script_clear(struct script *script);
void script_add(struct script *script, const char *text);
void script_copy(struct script *to, const struct script *from);

/* --- The judge --- */

/* What was found wrong. The first few are printed in words. */
struct verdict {
    int checked; /* events and promises that were compared */
    int lost;    /* seen or promised, and not in the log */
    int changed; /* there with another text */
    int doubled; /* promised once and there twice */
    int illegal; /* does not follow by the rules, or the game does not end */
    int clock;   /* a clock went up without reason, or was charged for nothing */
    int quiet;   /* findings that are counted and not printed any more */
    bool is_silent;
};
int verdict_faults(const struct verdict *verdict);
/* Counts a finding in *kind, which is one of verdict's, and says it. */
void verdict_note(struct verdict *verdict, int *kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* All that the witness saw and was promised is in the log, once, and the same. */
void judge_testimony(struct verdict *verdict, const struct witness *witness,
                     const struct script *log);
/* The clocks that the witness heard go on from those of the log: the side that thinks
 * was charged no more than the time since the last start of the server, the other one
 * nothing. */
void judge_clocks(struct verdict *verdict, const struct witness *witness,
                  const struct script *log);
/* Two whole logs of a game are the same, byte for byte. */
void judge_equal(struct verdict *verdict, const struct script *one,
                 const struct script *other);
/* The log follows the rules from its start to its end, its texts are the ones that
 * common/event writes, and its clocks only fall, but for increments. uptime_ms is how
 * long servers ran at all: no more can have been charged. */
void judge_play(struct verdict *verdict, const struct script *log, int64_t uptime_ms);

#endif
