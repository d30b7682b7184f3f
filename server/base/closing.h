/* Tells whether new games may begin while the server prepares to end. drain.c sets
 * struct closing. The commands that begin games ask these functions, and so do the
 * modules that begin games by themselves. */
#ifndef SERVER_BASE_CLOSING_H
#define SERVER_BASE_CLOSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct closing {
    bool is_draining; /* the server ends when the running games are over */
    int64_t ends_ms;  /* time of the announced shutdown; INT64_MAX: none */
};

/* If a game cannot begin because the server will end, the next attempt is after this
 * many seconds. */
enum { CLOSING_RETRY_S = 10 };

/* True when no new game may begin. */
bool closing_bars_games(const struct closing *closing, int64_t now_ms) MUST_USE;
/* Returns the seconds until the announced shutdown. 0: the server ends when the running
 * games are over. */
int64_t closing_in_s(const struct closing *closing, int64_t now_ms);

#endif
