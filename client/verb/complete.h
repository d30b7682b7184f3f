/* Completion with the Tab key: lists the words that may follow the typed text. Pure:
 * changes nothing. */
#ifndef CLIENT_VERB_COMPLETE_H
#define CLIENT_VERB_COMPLETE_H

#include "client/verb/known.h"
#include "client/verb/verbs.h"
#include "client/view/model.h"

enum { COMPLETE_MAX = 128, COMPLETE_WORD_BYTES = 32 };

struct complete {
    char word[COMPLETE_MAX][COMPLETE_WORD_BYTES];
    int count;
};

/* Lists the words that may follow the text `before`. `word` is the typed beginning of
 * the next word. The list can also contain words that do not begin with `word`. The
 * function uses `word` to choose what to list. For example, if the line begins with a
 * point such as "b0", the function lists moves instead of verbs. `known` may be
 * NULL. */
void complete_gather(struct complete *out, const struct verb_book *book,
                     const struct model *model, const struct known *known,
                     const char *before, const char *word);

/* Returns the word with index `i`, or NULL after the last. The call with i = 0 fills
 * `complete`. */
const char *complete_word(struct complete *complete, const struct verb_book *book,
                          const struct model *model, const struct known *known,
                          const char *before, const char *word, size_t i);

#endif
