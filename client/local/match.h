/* A game at one terminal, between two people or against the computer: connects the
 * table (table.h), the computer (thinker.h) and the session (session.h). */
#ifndef CLIENT_LOCAL_MATCH_H
#define CLIENT_LOCAL_MATCH_H

#include <stdint.h>

#include "client/base/prefs.h"
#include "client/local/table.h"

struct match_wish {
    struct table_wish table;
    bool is_flipped;
    uint64_t seed;         /* for the computer's random choices */
    const char *load_path; /* continue the game in this file; NULL: start a new one */
};

/* Runs until the players leave. The command `set` may change prefs. Returns the exit
 * status (exit.h). */
int match_run(struct prefs *prefs, const struct match_wish *wish);

#endif
