/* The judge of a long storm. The testimony of millions of moves need not be kept to the
 * end: the court sits now and then, judges every game whose end its players have seen,
 * keeps a digest of it, and has the bots forget it. In the last session every game of
 * the file is judged, those that were judged before by their digest: a game that is
 * over does not change any more. Then a late watcher is told all of them, and that must
 * be what the file says.
 *
 * Borrows the bots. One loop thread. */
#ifndef TESTS_LIB_CHECKER_H
#define TESTS_LIB_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"
#include "tests/lib/history.h"

struct court;
struct event_base;

/* What was found so far. */
struct court_findings {
    struct verdict seen;   /* what players saw and were promised, against the file */
    struct verdict told;   /* what a late watcher was told, against the file */
    struct verdict played; /* rules and clocks */
    int games;
};

/* forge: the first log of the last session is changed in that way before it is judged,
 * so that the judgement must fail; NULL for none. See ledger_forge_log(). */
struct court *court_new(struct bots *bots, const char *forge) MUST_USE;
/* Takes NULL. */
void court_free(struct court *court);
const struct court_findings *court_findings(const struct court *court);

/* The server is down: data is copied and the copy is read. uptime_ms is how long
 * servers ran so far: no more can have been charged. False after printing why. */
bool court_sit(struct court *court, const char *data, int64_t uptime_ms) MUST_USE;
/* As court_sit(), but what was seen and promised so far in games that go on is looked
 * for too, and nothing is forgotten. */
bool court_look(struct court *court, const char *data) MUST_USE;
/* The server has stopped for good. False after printing why: the file is not in order.
 */
bool court_close(struct court *court, const char *data, int64_t uptime_ms) MUST_USE;
/* After court_close(), from the server that is started once more. */
void court_hear_watcher(struct court *court, struct event_base *base, int port,
                        const char *key);

/* A judge that cannot find a fault proves nothing: after court_close(), is one of that
 * kind found in a game of the file? The kinds of ledger_forge_log(), and "charge": the
 * testimony of a clock says that time was charged to the side that did not think. False
 * too when there was nothing to do it to. */
bool court_finds(struct court *court, const char *data, const char *kind) MUST_USE;

#endif
