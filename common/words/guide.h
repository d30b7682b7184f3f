/* The rules for players: a page for each ruleset, a table of the differences between
 * rulesets, and pages about other subjects. All differences are read from the ruleset's
 * table entry (ruleset.h), so the text always agrees with the referee. Pure. */
#ifndef COMMON_WORDS_GUIDE_H
#define COMMON_WORDS_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

struct ruleset;

/* The maximum size of a page or table. English text is plain ASCII, except for the
 * hangul and hanja in the topic "names". */
#ifndef GUIDE_COLUMNS
#define GUIDE_COLUMNS 78 /* a page for browsers sets more, and wraps by itself */
#endif
enum { GUIDE_LINES = 24 };

/* Receives one line, without a LF; valid only during the call. */
typedef void (*guide_line)(void *context, const char *line);

/* How to play by this ruleset, in the current language, with Martin's names and
 * coordinates. */
void guide_page(const struct ruleset *rules, guide_line line, void *context);
/* The same without how the pieces move, and without the names of other pages: for a
 * reader who sees the pieces beside it. */
void guide_rules(const struct ruleset *rules, guide_line line, void *context);

/* Prints the differences between the rulesets, one column for each. */
void guide_compare(guide_line line, void *context);

/* A page about another subject: "names" lists the names of the pieces in other
 * languages, "xiangqi" helps players of that game. False, without a line, for an
 * unknown name. */
bool guide_topic(const char *name, guide_line line, void *context);
/* The name of the i-th topic, NULL after the last. */
const char *guide_topic_at(size_t i);

#endif
