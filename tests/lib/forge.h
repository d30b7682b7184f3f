/* Negative controls: damage that a checker must detect. */
#ifndef TESTS_LIB_FORGE_H
#define TESTS_LIB_FORGE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "tests/lib/history.h"

/* Changes one event of a log: drop, alter, double or clock. False: the log has nothing that
 * can be changed so. */
bool forge_log(struct history_log *log, const char *kind) MUST_USE;
/* Takes the last event of so many running games out of the database, as a disk does that
 * lies about what it has synced. */
void forge_loss(const char *data, int games);

#endif
