/* What the harnesses that play many games through trouble have in common: saying what
 * was found, and the judgement in the end. */
#ifndef TESTS_LIB_HARNESS_H
#define TESTS_LIB_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"
#include "tests/lib/history.h"
#include "tests/lib/process.h"

struct event_base;

struct proof {
    const char *area; /* in front of each name */
    int passed, failed;
};

/* "ok AREA-NAME", or "not ok AREA-NAME" and why. */
void proof_report(struct proof *proof, bool is_good, const char *name,
                  const char *why_format, ...) PRINTF_LIKE(4, 5);
/* No faults, and something was looked at. */
void proof_verdict(struct proof *proof, const char *name,
                   const struct verdict *verdict);
/* A row of a table for people, in a comment. */
void proof_row(const char *name, int64_t number);
/* The bots have gone through it all, and every game is over. The server is stopped,
 * started again for a watcher who comes late, and stopped; then what both players have
 * been told of each game, what the watcher was told, and the database must be the same,
 * and legal. forge: a lie told to the judge, which must notice; NULL for none. */
void proof_judge(struct proof *proof, const struct bots *bots, struct janggid *server,
                 struct event_base *base, const char *forge);
/* The totals, on a line of their own. The exit status. */
int proof_end(const struct proof *proof);

#endif
