/* The manners of a game as words in the reader's language, the same at a terminal and in
 * a browser. Pure. */
#ifndef COMMON_WORDS_MANNER_WORDS_H
#define COMMON_WORDS_MANNER_WORDS_H

#include <stdbool.h>

#include "common/base/text.h"
#include "common/game/manners.h"

struct ruleset;

enum { MANNER_WORDS_BYTES = 400 };

/* Adds what differs from the usual: ", private, no takebacks, no talk". rules may be
 * NULL. */
void manner_words_add(struct text *text, const struct manners *manners,
                      const struct ruleset *rules);
/* The same without private, takebacks, talk and rated: only what few games have. */
void manner_words_add_rare(struct text *text, const struct manners *manners,
                           const struct ruleset *rules);
/* manner_words_add() for the items of a line, such as "rules=kja private=yes": one space
 * between two items, none inside an item. For position= it adds ", from a position".
 * Skips other items. Changes items. */
void manner_words_add_items(struct text *text, char *items);

/* Cuts the next " key=value" off *rest, a text of manners_format(). False: the end. */
bool manner_words_next(char **rest, const char **key, const char **value);

#endif
