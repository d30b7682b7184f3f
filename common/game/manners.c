/* See manners.h. */
#include "common/game/manners.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "common/base/text.h"

/* A key whose values are words, the usual one first; its member is the number of the
 * word, in one byte. */
enum { WORDS_MOST = 3 };
static const struct choice {
    const char *key;
    size_t member;
    const char *word[WORDS_MOST];
} choices[] = {
    {"private", offsetof(struct manners, is_private), {"no", "yes"}},
    {"takebacks", offsetof(struct manners, bars_takebacks), {"ask", "no"}},
    {"talk", offsetof(struct manners, bars_talk), {"yes", "no"}},
};
static_assert(sizeof(bool) == 1, "a choice is stored in one byte");

static enum manners_set set_choice(struct manners *manners, const struct choice *choice,
                                   const char *value)
{
    for (int i = 0; i < WORDS_MOST && choice->word[i] != NULL; i++)
        if (strcmp(value, choice->word[i]) == 0) {
            ((uint8_t *)manners)[choice->member] = (uint8_t)i;
            return MANNERS_SET;
        }
    return MANNERS_BAD;
}

/* "NBNB/NBBN": the line-ups of red and of blue. */
static enum manners_set set_setup(struct manners *manners, const char *value)
{
    char names[] = "NBNB/NBNB";
    enum lineup red, blue;

    manners->has_setup = false;
    manners->setup[SIDE_RED] = manners->setup[SIDE_BLUE] = 0;
    if (strcmp(value, "none") == 0)
        return MANNERS_SET;
    if (!text_copy(names, sizeof names, value) || strlen(value) != sizeof names - 1 ||
        names[4] != '/')
        return MANNERS_BAD;
    names[4] = '\0';
    if (!lineup_parse(names, &red) || !lineup_parse(names + 5, &blue))
        return MANNERS_BAD;
    manners->has_setup = true;
    manners->setup[SIDE_RED] = (uint8_t)red;
    manners->setup[SIDE_BLUE] = (uint8_t)blue;
    return MANNERS_SET;
}

enum manners_set manners_set(struct manners *manners, const char *key,
                             const char *value)
{
    for (size_t i = 0; i < ARRAY_LEN(choices); i++)
        if (strcmp(key, choices[i].key) == 0)
            return set_choice(manners, &choices[i], value);
    if (strcmp(key, "setup") == 0)
        return set_setup(manners, value);
    return MANNERS_UNKNOWN;
}

void manners_format(char out[MANNERS_BYTES], const struct manners *manners)
{
    struct text text = text_into(out, MANNERS_BYTES);

    for (size_t i = 0; i < ARRAY_LEN(choices); i++) {
        uint8_t value = ((const uint8_t *)manners)[choices[i].member];

        if (value != 0)
            text_addf(&text, " %s=%s", choices[i].key, choices[i].word[value]);
    }
    if (manners->has_setup)
        text_addf(&text, " setup=%s/%s",
                  lineup_name((enum lineup)manners->setup[SIDE_RED]),
                  lineup_name((enum lineup)manners->setup[SIDE_BLUE]));
}

bool manners_is_same(const struct manners *a, const struct manners *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
