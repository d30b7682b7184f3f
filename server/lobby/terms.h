/* The terms of a game. The text of the terms always names time, rules and side:
 * "time=10m+5s rules=martin side=any". After these, the text names the manners and the
 * first position, but only if they are not the usual ones. For example, the manners say
 * whether moves can be taken back. Pure. */
#ifndef SERVER_LOBBY_TERMS_H
#define SERVER_LOBBY_TERMS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/clock.h"
#include "common/game/manners.h"
#include "common/game/side.h"

struct event;
struct ruleset;

/* side: the maker's; SIDE_NONE: either, or by rank. */
struct terms {
    const struct ruleset *rules;
    struct time_terms time;
    enum side side;
    bool is_by_rank; /* the player of the higher rank has Red */
    struct manners manners;
    char position[POSITION_BYTES]; /* the position from which the game starts, as the
                                    * player wrote it; terms_judge() completes it; "":
                                    * the game starts with a set-up */
};
struct terms terms_default(void);
enum { TERMS_BYTES = 512, TERMS_KEYS = 15 };
/* Writes "time=10m+5s rules=martin side=any", and what differs from the usual terms,
 * such as " takebacks=no". */
void terms_format(char out[TERMS_BYTES], const struct terms *terms);
/* Sets one key=value. Returns false if the key is unknown or the value is invalid, and
 * sets *why to the reason in words. A position has "_" or " " between its parts; the
 * parts after the side to move may be left out. */
bool terms_set(struct terms *terms, const char *key, const char *value,
               const char **why) MUST_USE;
/* Call it when all terms are set. Makes the checks that concern several terms together,
 * bars takebacks in a rated game, and writes the position in full. Returns false if the
 * terms do not fit together. Then *why is the reason in words, or NULL. If *why is
 * NULL, the rules refuse the position, and *fault says why. */
bool terms_judge(struct terms *terms, const char **why,
                 struct position_fault *fault) MUST_USE;
/* Fills in the start event of a game on these terms, except the names. */
void terms_start(const struct terms *terms, struct event *start);
/* Finds the terms that satisfy both `a` and `b`. out->side: the side of the maker of
 * `a`. Returns false when the sides do not fit together, or any other term differs. */
bool terms_meet(const struct terms *a, const struct terms *b,
                struct terms *out) MUST_USE;
/* A sentence that lists the keys of terms_set(), for the answer to an unknown key. */
extern const char terms_words[];
bool terms_parse(const char *text, struct terms *out) MUST_USE;

#endif
