/* Checks the events that a client received against the server's log of the game, and
 * that log against the rules. */
#ifndef TESTS_CHECKER_VERDICT_H
#define TESTS_CHECKER_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/bot/history.h"

/* The findings of a check. The first few are printed in words. */
struct verdict {
    int checked; /* events and acknowledgements that were compared */
    int lost;    /* received or acknowledged, but not in the log */
    int changed; /* received, but in the log with another text */
    int doubled; /* acknowledged once, but in the log more than once */
    int illegal; /* illegal by the rules, or the game does not end */
    int clock;   /* clocks that increased, or were charged without reason */
    int quiet;   /* findings that are counted but no longer printed */
    bool is_silent;
};
int verdict_faults(const struct verdict *verdict);
/* Counts a finding in *kind, a counter of *verdict. Prints the finding after the game's
 * number. */
void verdict_note(struct verdict *verdict, int *kind, int64_t game, const char *format,
                  ...) PRINTF_LIKE(4, 5);

/* Checks that all events and OKs that the client received are in the log, once and
 * unchanged. */
void verdict_check_history(struct verdict *verdict, const struct history *history,
                           const struct history_log *log);
/* Checks the clocks that the client received against those of the log: the side to move
 * was charged at most the time since the last start of the server, and the other side
 * nothing. */
void verdict_check_clocks(struct verdict *verdict, const struct history *history,
                          const struct history_log *log);
/* Checks that two whole logs of a game are equal, byte for byte. */
void verdict_check_equal(struct verdict *verdict, const struct history_log *one,
                         const struct history_log *other);
/* Checks that the log is legal from its start to its end, that its texts are those that
 * common/event writes, and that its clocks increase only by increments. uptime_ms is
 * the total running time of the servers: no clock can have been charged more than that
 * for a move. */
void verdict_check_play(struct verdict *verdict, const struct history_log *log,
                        int64_t uptime_ms);

#endif
