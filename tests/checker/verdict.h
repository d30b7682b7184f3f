/* Checks the events that a client received against the server's log of the game. Also
 * checks this log against the rules. */
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
/* Counts a finding in *kind, which is a counter of *verdict. Then prints the number of
 * the game and the finding, unless is_silent is set or many findings were already
 * printed. */
void verdict_note(struct verdict *verdict, int *kind, int64_t game, const char *format,
                  ...) PRINTF_LIKE(4, 5);

/* Checks that all events and OKs that the client received are in the log, once and
 * unchanged. */
void verdict_check_history(struct verdict *verdict, const struct history *history,
                           const struct history_log *log);
/* Checks the clocks that the client received against the clocks in the log. The side
 * whose clock runs may have less time than in the log. The difference must not be more
 * than the time since the last start of the server. The other side must have the same
 * time as in the log. */
void verdict_check_clocks(struct verdict *verdict, const struct history *history,
                          const struct history_log *log);
/* Checks that two whole logs of a game are equal, byte for byte. */
void verdict_check_equal(struct verdict *verdict, const struct history_log *one,
                         const struct history_log *other);
/* Checks that the log is legal from its start to its end, that common/game/event would
 * write the same texts, and that the clocks increase only by increments. uptime_ms: the
 * total running time of the servers. Both clocks together cannot have been charged more
 * than this time. */
void verdict_check_play(struct verdict *verdict, const struct history_log *log,
                        int64_t uptime_ms);

#endif
