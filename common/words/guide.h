/* The rules in plain words, for players: a page for each ruleset, a table of what the
 * rulesets differ in, and pages about other subjects. Everything that a ruleset may
 * differ in is read from its entry in the table (ruleset.h), so the words cannot fall
 * behind the referee. Pure. */
#ifndef COMMON_WORDS_GUIDE_H
#define COMMON_WORDS_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/game/rules.h"

/* A page or a table is at most this large. In English it is plain ASCII, except for
 * the hangul and hanja in the topic "names". */
enum { GUIDE_COLUMNS = 78, GUIDE_LINES = 24 };

/* Takes one line, without a LF; it is the caller's only until the next one. */
typedef void (*guide_line)(void *context, const char *line);

/* How to play by rules, in the language in use, in Martin's names and coordinates. */
void guide_page(const struct ruleset *rules, guide_line line, void *context);

/* What the rulesets differ in, a column for each. */
void guide_compare(guide_line line, void *context);

/* A page about another subject: "names" has the names of the pieces in other languages,
 * "xiangqi" what a player of that game must know. False, without a line, for another
 * name. */
bool guide_topic(const char *name, guide_line line, void *context);
/* The name of the i-th topic, NULL after the last. */
const char *guide_topic_at(size_t i);

#endif
