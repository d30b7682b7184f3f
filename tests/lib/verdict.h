/* Checks of what a client was told against the server's log of the game, and of that log
 * against the rules. */
#ifndef TESTS_LIB_VERDICT_H
#define TESTS_LIB_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/history.h"

/* The findings of a check. The first few are printed in words. */
struct verdict {
    int checked; /* events and acknowledgements that were compared */
    int lost;    /* seen or acknowledged, and not in the log */
    int changed; /* there with another text */
    int doubled; /* acknowledged once and there twice */
    int illegal; /* does not follow by the rules, or the game does not end */
    int clock;   /* a clock went up without reason, or was charged for nothing */
    int quiet;   /* findings that are counted and not printed any more */
    bool is_silent;
};
int verdict_faults(const struct verdict *verdict);
/* Counts a finding in *kind, which is one of verdict's, and says it. */
void verdict_note(struct verdict *verdict, int *kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* All that the client saw and got an OK for is in the log, once and unchanged. */
void verdict_check_history(struct verdict *verdict, const struct history *history,
                           const struct history_log *log);
/* The clocks that the client was told go on from those of the log: the side that thinks
 * was charged no more than the time since the last start of the server, the other one
 * nothing. */
void verdict_check_clocks(struct verdict *verdict, const struct history *history,
                          const struct history_log *log);
/* Two whole logs of a game are the same, byte for byte. */
void verdict_check_equal(struct verdict *verdict, const struct history_log *one,
                         const struct history_log *other);
/* The log follows the rules from its start to its end, its texts are the ones that
 * common/event writes, and its clocks only fall, but for increments. uptime_ms is how
 * long servers ran at all: no more can have been charged. */
void verdict_check_play(struct verdict *verdict, const struct history_log *log,
                        int64_t uptime_ms);

#endif
