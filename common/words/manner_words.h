/* Describes the manners of a game in the reader's language. The manners are all terms
 * of the game except the time control, the ruleset and the start position. The text is
 * the same at a terminal and in a browser. Pure. */
#ifndef COMMON_WORDS_MANNER_WORDS_H
#define COMMON_WORDS_MANNER_WORDS_H

#include <stdbool.h>

#include "common/base/text.h"
#include "common/game/manners.h"

struct ruleset;

enum { MANNER_WORDS_BYTES = 400 };

/* Adds the terms that differ from the usual ones: ", private, no takebacks, no talk".
 * rules may be NULL. */
void manner_words_add(struct text *text, const struct manners *manners,
                      const struct ruleset *rules);
/* Like manner_words_add(), but leaves out `private`, `takebacks`, `talk` and `rated`.
 * So it adds only terms that few games have. */
void manner_words_add_rare(struct text *text, const struct manners *manners,
                           const struct ruleset *rules);
/* Like manner_words_add(), but reads the manners from `items`, for example "rules=kja
 * private=yes". There is one space between two items, and an item does not contain a
 * space. If there is an item position=, adds ", from a custom position". Skips other items
 * that are not about manners. Changes the text of `items`. */
void manner_words_add_items(struct text *text, char *items);

/* Takes the next " key=value" from the text *rest, which has the form that
 * manners_format() writes. Moves *rest to the text after this value. *key and *value
 * then point into the text, where each of them now ends with a NUL. Returns false if
 * nothing is left. */
bool manner_words_next(char **rest, const char **key, const char **value);

#endif
