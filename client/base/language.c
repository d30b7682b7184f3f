/* See language.h. */
#include "client/base/language.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/catalogue.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/system/program.h"

/* The values of `set lang`. Except for "auto", they are also the names of the folders
 * of translations, and the first letters of the names of locales. */
static const char *const languages[] = {
    [LANGUAGE_AUTO] = "auto", [LANGUAGE_ENGLISH] = "en", [LANGUAGE_KOREAN] = "ko"};

/* The catalogue that find() searches: a global, because the callback of translate.h has
 * no context argument. */
static struct catalogue *in_use;
static bool is_korean;

static const char *find(const char *key)
{
    const char *found = key[0] == '\0' ? NULL : catalogue_find(in_use, key);

    return found != NULL && found[0] != '\0' ? found : NULL;
}

/* --- Where translations lie --- */

/* Opens the translations for `language`. Looks first beside the program, where a build
 * puts them, then where an installation puts them. Returns NULL if neither place has
 * them. */
static struct catalogue *open_catalogue(enum language language)
{
    static const char *const places[] = {"/locale", "/../share/locale"};
    char home[PATH_MAX], path[PATH_MAX + 64];
    struct catalogue *catalogue = NULL;

    if (!program_folder(home))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(places) && catalogue == NULL; i++) {
        struct text text = text_into(path, sizeof path);

        text_addf(&text, "%s%s/%s/LC_MESSAGES/janggi.mo", home, places[i],
                  languages[language]);
        catalogue = text.is_cut ? NULL : catalogue_open(path);
    }
    return catalogue;
}

/* --- Which language --- */

static const char *value_of(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL ? value : "";
}

/* Returns the language of the locale in the first `len` bytes of `locale`, such as
 * "ko", "ko_KR" or "ko_KR.UTF-8". Returns LANGUAGE_AUTO if we have no such language or
 * the encoding is not UTF-8. */
static enum language language_of(const char *locale, size_t len)
{
    const char *dot = memchr(locale, '.', len);

    if (dot != NULL && strncasecmp(dot, ".utf", 4) != 0)
        return LANGUAGE_AUTO;
    for (enum language i = LANGUAGE_ENGLISH; i <= LANGUAGE_KOREAN; i++)
        if (len >= 2 && strncmp(locale, languages[i], 2) == 0 &&
            (len == 2 || strchr("_.@", locale[2]) != NULL))
            return i;
    return LANGUAGE_AUTO;
}

enum language language_of_environment(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = "", *wanted = value_of("LANGUAGE");
    enum language language = LANGUAGE_AUTO;

    for (size_t i = 0; i < ARRAY_LEN(variables) && locale[0] == '\0'; i++)
        locale = value_of(variables[i]);
    if (locale[0] == '\0' || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0)
        return LANGUAGE_ENGLISH;
    while (*wanted != '\0' && language == LANGUAGE_AUTO) {
        size_t len = strcspn(wanted, ":");

        language = language_of(wanted, len);
        wanted += len + (wanted[len] == ':');
    }
    if (language == LANGUAGE_AUTO)
        language = language_of(locale, strlen(locale));
    return language == LANGUAGE_AUTO ? LANGUAGE_ENGLISH : language;
}

/* --- From outside --- */

bool language_parse(const char *word, enum language *out)
{
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (strcmp(languages[i], word) == 0) {
            *out = (enum language)i;
            return true;
        }
    return false;
}

void language_use(enum language language)
{
    static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};

    if (language == LANGUAGE_AUTO)
        language = language_of_environment();
    catalogue_close(in_use);
    in_use = language == LANGUAGE_ENGLISH ? NULL : open_catalogue(language);
    is_korean = language == LANGUAGE_KOREAN && in_use != NULL;
    translate_by(in_use == NULL ? NULL : find);
    /* The line editor divides what is typed into letters by LC_CTYPE, and loses Hangul if
     * that is not UTF-8. It reads the environment again, so the environment must say the
     * same. The name of such a locale differs between systems. */
    for (size_t i = 0;
         i < ARRAY_LEN(names) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0; i++)
        if (setlocale(LC_CTYPE, names[i]) != NULL)
            setenv(value_of("LC_ALL")[0] != '\0' ? "LC_ALL" : "LC_CTYPE", names[i], 1);
}

bool language_is_korean(void)
{
    return is_korean;
}
