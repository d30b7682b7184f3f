/* Negative controls: damage that a checker must detect. */
#ifndef TESTS_CHECKER_FORGE_H
#define TESTS_CHECKER_FORGE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "tests/bot/history.h"

/* Changes one event of a log. kind: "drop", "alter", "double" or "clock". False: this
 * log cannot be changed in that way. */
bool forge_log(struct history_log *log, const char *kind) MUST_USE;
/* Removes the last event of up to `games` running games from the database, like a disk
 * that reports a sync but does not do it. */
void forge_loss(const char *data, int games);

#endif
