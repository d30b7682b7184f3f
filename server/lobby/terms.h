/* What a game is to be, and its text: "time=10m+5s rules=martin side=any". Pure. */
#ifndef SERVER_LOBBY_TERMS_H
#define SERVER_LOBBY_TERMS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/clock.h"
#include "common/game/rules.h"

/* side: what its maker takes, SIDE_NONE for either. */
struct terms {
    const struct ruleset *rules;
    struct time_terms time;
    enum side side;
};
struct terms terms_default(void);
enum { TERMS_BYTES = 96 };
/* "time=10m+5s rules=martin side=any" */
void terms_format(char out[TERMS_BYTES], const struct terms *terms);
/* One key=value into terms. False: no such key or value; *why in words. */
bool terms_set(struct terms *terms, const char *key, const char *value,
               const char **why) MUST_USE;
/* The game that both want, side being that of a's maker: false when rules, time or sides
 * do not fit. */
bool terms_meet(const struct terms *a, const struct terms *b,
                struct terms *out) MUST_USE;
bool terms_parse(const char *text, struct terms *out) MUST_USE;

#endif
