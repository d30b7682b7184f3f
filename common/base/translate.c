/* See translate.h. */
#include "common/base/translate.h"

#include <stddef.h>

/* The function set by translate_by(). It is static, because a process shows one
 * language at a time. As a parameter, it would have to pass through many unrelated
 * functions. */
static translate_find find_translation;

void translate_by(translate_find find)
{
    find_translation = find;
}

/* Returns NULL if there is no translation of key. */
static const char *look_up(const char *key)
{
    return find_translation == NULL ? NULL : find_translation(key);
}

const char *translate_words(const char *words)
{
    return translate_key(words, words);
}

const char *translate_key(const char *key, const char *words)
{
    const char *found = look_up(key);

    return found != NULL ? found : words;
}

const char *translate_count(const char *one, const char *many, int64_t count)
{
    const char *found = look_up(one);

    if (found != NULL)
        return found;
    return count == 1 ? one : many;
}
