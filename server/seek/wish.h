/* The games that a player who says `play` would accept: a list of times and a list of
 * rulesets, each in the order of preference. Any time may be combined with any ruleset.
 * Pure. */
#ifndef SERVER_SEEK_WISH_H
#define SERVER_SEEK_WISH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "server/seek/rated.h"
#include "server/seek/terms.h"

struct ruleset;
struct seek;

enum { WISH_RULES_MAX = 8, WISH_WORDS_BYTES = 1024 };

struct wish {
    struct time_terms time[TIME_LIST_MAX];
    const struct ruleset *rules[WISH_RULES_MAX];
    int times, rulesets;
    bool takes_bots; /* a program may be the opponent */
    bool is_rated;
    struct range range; /* ratings that the player accepts */
};

/* Each function reads a list like "10m+5s,5m+3s" or "kja,martin", and replaces the old
 * list of *wish. Returns false if the list has an unknown word, the same word twice, or
 * too many words. Then *wish is unchanged. Sets *why to a text that tells people which
 * lists are valid. */
bool wish_parse_times(struct wish *wish, const char *list, const char **why) MUST_USE;
bool wish_parse_rules(struct wish *wish, const char *list, const char **why) MUST_USE;

/* Writes "time=10m+5s rules=kja side=any"; then " times=10m+5s,5m" if there are several
 * times, " rulesets=kja,martin" if there are several rulesets, " bots=yes", and the
 * range (rated_format_range()). */
void wish_format(char out[WISH_WORDS_BYTES], const struct wish *wish);
/* Writes the words that describe a seek or challenge in a list of them: its wish, or,
 * if it has none, its terms and range. */
void wish_format_seek(char out[WISH_WORDS_BYTES], const struct seek *seek);

/* Returns terms with wish->time[i], wish->rules[j], and either side. */
struct terms wish_terms(const struct wish *wish, int i, int j);
/* Finds the first time in the list of `first` that is also in the list of `second`.
 * Does the same for the rules. Returns false if such a time or such rules do not
 * exist. */
bool wish_meet(const struct wish *first, const struct wish *second,
               struct terms *out) MUST_USE;

#endif
