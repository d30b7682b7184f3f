/* The language that the player reads: which one, where its translations lie, and that
 * all words go through them. See common/base/translate.h for how words are marked. */
#ifndef CLIENT_BASE_LANGUAGE_H
#define CLIENT_BASE_LANGUAGE_H

#include <stdbool.h>

/* In the order of the words that `set lang` takes. */
enum language { LANGUAGE_AUTO, LANGUAGE_ENGLISH, LANGUAGE_KOREAN };

/* All words are in that language from now on; with LANGUAGE_AUTO in the one that the
 * environment asks for. English where there is no translation to be found. Translated
 * words are UTF-8, and so is what is typed from then on. */
void language_use(enum language language);

/* "auto", "en", "ko". False: none of them. */
bool language_parse(const char *word, enum language *out);

/* What LANGUAGE, LC_ALL, LC_MESSAGES and LANG ask for, by the rules of gettext: the
 * first of the last three that is set must be no plain C; then LANGUAGE comes first,
 * with several languages in the order of preference. */
enum language language_of_environment(void);

#endif
