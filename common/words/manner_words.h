/* Describes the manners of a game, which are its terms except the time control, the
 * ruleset and the start position, in the reader's language. The text is the same at a
 * terminal and in a browser. Pure. */
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
 * The terms that remain are those that few games have. */
void manner_words_add_rare(struct text *text, const struct manners *manners,
                           const struct ruleset *rules);
/* Like manner_words_add(), for manners given as the items of a line, such as "rules=kja
 * private=yes". There is one space between two items, and none inside an item. Adds ",
 * from a position" for an item position=. Skips items that are no manners. Changes the
 * text of `items`. */
void manner_words_add_items(struct text *text, char *items);

/* Takes the next " key=value" from *rest, a text that manners_format() has written, and
 * moves *rest behind it. Sets *key and *value to point into that text, and ends both
 * with a NUL there. Returns false if nothing is left. */
bool manner_words_next(char **rest, const char **key, const char **value);

#endif
