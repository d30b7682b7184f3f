/* The language of the player: which one, where its translations are, and setting it.
 * See common/base/translate.h for how texts are marked. */
#ifndef CLIENT_BASE_LANGUAGE_H
#define CLIENT_BASE_LANGUAGE_H

#include <stdbool.h>

/* The languages, in the order of the values of `set lang`. */
enum language { LANGUAGE_AUTO, LANGUAGE_ENGLISH, LANGUAGE_KOREAN };

/* Sets the language; LANGUAGE_AUTO: from the environment. Without a translation the
 * language is English. From then on, texts and typed input are UTF-8. */
void language_use(enum language language);

/* Parses "auto", "en" or "ko". Returns false for another word. */
bool language_parse(const char *word, enum language *out);

/* The language that the environment asks for, by the rules of gettext: the locale is the
 * first of LC_ALL, LC_MESSAGES and LANG that is set. Unless it is plain C, LANGUAGE, a
 * list in order of preference, has priority over it. */
enum language language_of_environment(void);

#endif
