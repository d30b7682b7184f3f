/* See web_language.h. A language is set only while a page is made. Pages are made one
 * at a time, so one static variable is enough. */
#include "server/web/web_language.h"

#include <string.h>

#include "common/base/translate.h"

/* The language that is set; NULL: English. It is static, because translate.h calls a
 * function that has no argument for it. */
static const struct web_language *spoken;

static const struct web_language *find_language(const char *name)
{
    const struct web_language *language = web_languages;

    while (language->name != NULL && strcmp(language->name, name) != 0)
        language++;
    return language->name != NULL ? language : NULL;
}

static const char *find_words(const char *key)
{
    for (const struct web_words *each = spoken->words; each->key != NULL; each++)
        if (strcmp(each->key, key) == 0)
            return each->words;
    return NULL;
}

const char *web_language_of(const struct web_request *request)
{
    return find_language(request->language) != NULL ? request->language : "en";
}

void web_language_begin(const struct web_request *request)
{
    spoken = find_language(request->language);
    translate_by(spoken != NULL ? find_words : NULL);
}

void web_language_end(void)
{
    translate_by(NULL);
}
