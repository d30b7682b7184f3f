/* See house_person.h. */
#include "server/account/house_person.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

static bool is_name(const struct house_person *person, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return folded[0] != '\0' && strcmp(folded, person->folded) == 0;
}

/* Returns the length of the word that begins at `at`. The word consists of ASCII
 * letters, digits, "_" and "-". A name is one such word, or is in Hangul. A name in
 * Hangul need not end at a space, because a Korean particle may follow it directly. */
static size_t word_length(const char *at)
{
    size_t len = 0;

    while (isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] == '-')
        len++;
    return len;
}

/* Returns the length of the person's name if `text` begins with it; 0: it does not. */
static size_t name_length(const struct house_person *person, const char *text)
{
    size_t len = word_length(text), hangul = strlen(person->folded);
    char word[NAME_BYTES];
    struct text copy = text_into(word, sizeof word);

    if ((person->folded[0] & 0x80) != 0)
        return strncmp(text, person->folded, hangul) == 0 ? hangul : 0;
    text_addf(&copy, "%.*s", (int)len, text);
    return len > 0 && !copy.is_cut && is_name(person, word) ? len : 0;
}

static void add_words(struct text *out, const struct house_person *person,
                      const char *words, size_t len)
{
    const char *end = words + len;

    while (words < end) {
        size_t name = name_length(person, words), word = word_length(words);

        if (name > 0 && name <= (size_t)(end - words)) {
            text_add(out, person->alias);
            words += name;
        } else {
            word = word == 0 ? 1 : word;
            word = word > (size_t)(end - words) ? (size_t)(end - words) : word;
            text_addf(out, "%.*s", (int)word, words);
            words += word;
        }
    }
}

/* Appends to *out the parameters of an act by or about the person. Writes "lines=0" for
 * the number of lines of chat. If is_target is true, leaves out the keys and the
 * network: they are those of the act's target. */
static void add_params(struct text *out, const char *params, bool is_target)
{
    const char *before = "";

    for (size_t len; *params != '\0'; params += len + (params[len] == ' ')) {
        len = strcspn(params, " ");
        if (is_target &&
            (strncmp(params, "near=", 5) == 0 || strncmp(params, "keys=", 5) == 0))
            continue;
        if (strncmp(params, "lines=", 6) == 0)
            text_addf(out, "%slines=0", before);
        else
            text_addf(out, "%s%.*s", before, (int)len, params);
        before = " ";
    }
}

/* Returns an empty text in the rest of the buffer of *text, after its NUL. */
static struct text after(const struct text *text)
{
    return text_into(text->at + text->len + 1, text->size - text->len - 1);
}

bool house_person_erase(const struct house_act *act, const struct house_person *person,
                        struct house_act *out, char **bytes)
{
    bool is_actor = is_name(person, act->actor),
         is_target = is_name(person, act->target);
    bool is_report = strcmp(act->kind, HOUSE_REPORT) == 0;
    size_t len = is_report ? strcspn(act->words, "\n") : strlen(act->words);
    /* Each name that is replaced has at least two bytes, and the alias has fewer
     * than NAME_BYTES. */
    size_t size =
        strlen(act->params) + strlen(act->words) * NAME_BYTES / 2 + NAME_BYTES;
    struct text params, words;

    *bytes = NULL;
    *out = *act;
    if (act->wall_s < person->since_wall_s)
        return false;
    *bytes = mem_new(size + 2);
    params = text_into(*bytes, size);
    if (is_actor || is_target)
        add_params(&params, act->params, is_target);
    else
        text_add(&params, act->params);
    words = after(&params);
    if (!is_report || !is_actor)
        add_words(&words, person, act->words,
                  is_actor || is_target ? len : strlen(act->words));
    out->actor = is_actor ? person->alias : act->actor;
    out->target = is_target ? person->alias : act->target;
    out->params = params.at;
    out->words = words.at;
    if (is_actor || is_target || strcmp(out->words, act->words) != 0)
        return true;
    free(*bytes);
    *bytes = NULL;
    *out = *act;
    return false;
}
