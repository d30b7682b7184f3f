/* Chooses the language of the player and loads its translations. See
 * common/base/translate.h for how texts are marked. */
#ifndef CLIENT_BASE_LANGUAGE_H
#define CLIENT_BASE_LANGUAGE_H

#include <stdbool.h>

/* The languages, in the order of the values of `set lang`. */
enum language { LANGUAGE_AUTO, LANGUAGE_ENGLISH, LANGUAGE_KOREAN };

/* Sets the language; LANGUAGE_AUTO: the language that the environment asks for. If no
 * translation for the language is installed, texts are in English. After a change to a
 * language other than English, texts and typed input are UTF-8. */
void language_use(enum language language);

/* Returns true if texts are in Korean now. */
bool language_is_korean(void);

/* Parses "auto", "en" or "ko". Returns false for another word. */
bool language_parse(const char *word, enum language *out);

/* Returns the language that the environment asks for, by the rules of gettext. The
 * locale is the first of LC_ALL, LC_MESSAGES and LANG that is set. If that locale is C
 * or POSIX, the language is English. Otherwise the variable LANGUAGE, a list in order
 * of preference, has priority over the locale. */
enum language language_of_environment(void);

#endif
