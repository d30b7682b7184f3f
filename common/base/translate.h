/* Translates messages for people. The code marks its English messages; a function that
 * the program sets looks up the translation. The text is English if no function is set,
 * or if the function finds no translation. The client sets a function at its start; the
 * server sets one while it makes a page for a browser (server/web/web.h). Uses
 * no file and no locale. */
#ifndef COMMON_BASE_TRANSLATE_H
#define COMMON_BASE_TRANSLATE_H

#include <stdint.h>

#include "common/base/base.h"

/* Markers for xgettext. _() translates immediately. N_() only marks a string, for
 * example in a table; translate_words() translates it when it is printed. C_() adds a
 * context, which is not shown. The context distinguishes messages that are equal in
 * English but have different translations. */
#define _(words)           translate_words(words)
#define N_(words)          words
#define C_(context, words) translate_key(context "\004" words, words)

/* Returns the translation of `key`, or NULL if there is no translation. `key` is a
 * message. For C_(), `key` is the context, then the byte 4, then the message. The
 * translation is valid as long as the language is in use. */
typedef const char *(*translate_find)(const char *key);

/* Sets the function that finds translations. NULL: all messages are English. */
void translate_by(translate_find find);

/* Returns the translation of `words`, or `words` if there is none. Borrowed; valid
 * until the language changes. */
const char *translate_words(const char *words) FORMAT_OF(1);
/* Like translate_words(), but looks up `key`. */
const char *translate_key(const char *key, const char *words) FORMAT_OF(2);
/* Returns the translation of `one`, whatever count is, because a translation has only
 * one form for all counts. If there is no translation, returns `one` if count is 1, and
 * `many` for any other count. */
const char *translate_count(const char *one, const char *many, int64_t count)
    FORMAT_OF(1) FORMAT_OF(2);

#endif
