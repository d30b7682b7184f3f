/* The terms of a game and their text: "time=10m+5s rules=martin side=any", and then what
 * differs from the usual: "private=yes takebacks=no talk=no". Pure. */
#ifndef SERVER_LOBBY_TERMS_H
#define SERVER_LOBBY_TERMS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "common/game/side.h"

struct ruleset;

/* side: the maker's; SIDE_NONE: either. */
struct terms {
    const struct ruleset *rules;
    struct time_terms time;
    enum side side;
    bool is_private, bars_takebacks, bars_talk;
};
struct terms terms_default(void);
enum { TERMS_BYTES = 96 };
/* "time=10m+5s rules=martin side=any", and perhaps " private=yes takebacks=no talk=no" */
void terms_format(char out[TERMS_BYTES], const struct terms *terms);
/* Sets one key=value. False: unknown key or invalid value; *why in words. */
bool terms_set(struct terms *terms, const char *key, const char *value,
               const char **why) MUST_USE;
/* The terms that satisfy both; side is that of a's maker. False when the sides do not
 * fit, or anything else differs. */
bool terms_meet(const struct terms *a, const struct terms *b,
                struct terms *out) MUST_USE;
/* The keys of terms_set() in words, for a refusal. */
extern const char terms_words[];
bool terms_parse(const char *text, struct terms *out) MUST_USE;

#endif
