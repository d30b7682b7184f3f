/* The rules for players: a page for each ruleset, a table of the differences between
 * rulesets, and pages about other subjects. All differences are read from the ruleset's
 * table entry (ruleset.h), so the text always agrees with the rules code. Pure. */
#ifndef COMMON_WORDS_GUIDE_H
#define COMMON_WORDS_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

struct ruleset;

/* The maximum size of a page or table, in columns and in lines. The build for browsers
 * defines a larger GUIDE_COLUMNS, because a browser wraps the text itself. English text
 * is plain ASCII, except for the hangul and hanja in the topic "names". */
#ifndef GUIDE_COLUMNS
#define GUIDE_COLUMNS 78
#endif
enum { GUIDE_LINES = 24 };

/* Receives one line, without an LF. The line is valid only during the call. */
typedef void (*guide_line)(void *context, const char *line);

/* Writes the page on how to play by this ruleset, in the current language, with
 * Martin's names and coordinates. Calls `line` for each line. */
void guide_page(const struct ruleset *rules, guide_line line, void *context);
/* Like guide_page(), but leaves out the moves of the pieces and the names of other
 * pages. Use it for a page that shows these moves in its own way. */
void guide_rules(const struct ruleset *rules, guide_line line, void *context);

/* Writes the table of the differences between the rulesets, one column for each
 * ruleset. */
void guide_compare(guide_line line, void *context);

/* Writes a page about another subject. "names": a list of the names of the pieces in
 * other languages. "xiangqi": help for people who play xiangqi. For an unknown name,
 * returns false and writes nothing. */
bool guide_topic(const char *name, guide_line line, void *context);
/* Returns the name of the i-th topic, from 0; NULL after the last. */
const char *guide_topic_at(size_t i);

#endif
