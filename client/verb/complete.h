/* What Tab offers: the words that may follow what was typed, by the verb it begins
 * with. Pure: looks, and changes nothing. */
#ifndef CLIENT_VERB_COMPLETE_H
#define CLIENT_VERB_COMPLETE_H

#include "client/verb/known.h"
#include "client/verb/verbs.h"
#include "client/view/model.h"
#include "common/base/base.h"

enum { COMPLETE_MAX = 128, COMPLETE_WORD_BYTES = 32 };

struct complete {
    char word[COMPLETE_MAX][COMPLETE_WORD_BYTES];
    int count;
};

/* All that may stand at the end of before, where word has been begun; also such as do
 * not begin with word. known may be NULL. */
void complete_gather(struct complete *out, const struct verb_book *book,
                     const struct model *model, const struct known *known,
                     const char *before, const char *word);

/* The i-th of these words, NULL after the last; all are gathered into complete at the
 * first one that is asked for. */
const char *complete_word(struct complete *complete, const struct verb_book *book,
                          const struct model *model, const struct known *known,
                          const char *before, const char *word, size_t i);

#endif
