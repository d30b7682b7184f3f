/* Words for people, in their language. Whoever makes words marks them in the code, in
 * English, and takes what a translation has for them; whoever knows the language hands
 * down where to look. Until then, and for all that is not found, English it is: a
 * server never changes that. Pure: knows no file, no locale and no language. */
#ifndef COMMON_BASE_TRANSLATE_H
#define COMMON_BASE_TRANSLATE_H

#include <stdint.h>

#include "common/base/base.h"

/* The marks that xgettext looks for. _() is said here and now; N_() stands in a table
 * and goes through translate_words() where it is said; C_() tells apart what is the
 * same word in English only, by a context that nobody sees. */
#define _(words)           translate_words(words)
#define N_(words)          words
#define C_(context, words) translate_key(context "\004" words, words)

/* The translation of a key (the words; or context, 4, words), living as long as the
 * language is in use. NULL: there is none. */
typedef const char *(*translate_find)(const char *key);

/* From now on translations come from find; NULL: none, English. */
void translate_by(translate_find find);

/* words, or their translation. Borrowed: used up before the language can change. */
const char *translate_words(const char *words) FORMAT_OF(1);
/* The same, looked up under key. */
const char *translate_key(const char *key, const char *words) FORMAT_OF(2);
/* one or many in English as count is 1 or not. A translation has one form for all
 * counts. */
const char *translate_count(const char *one, const char *many, int64_t count)
    FORMAT_OF(1) FORMAT_OF(2);

#endif
