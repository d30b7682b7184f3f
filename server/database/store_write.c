/* See store_write.h. */
#include "server/database/store_write.h"

#include <string.h>

#include "common/base/text.h"
#include "common/base/utf8.h"

static bool is_name(const struct store_erasure *erasure, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return strcmp(folded, erasure->folded) == 0;
}

/* Adds a word of a start event: "red=hong" gets the alias. */
static void add_word(struct text *out, const char *word,
                     const struct store_erasure *erasure)
{
    const char *value = strchr(word, '=');
    bool is_player = strncmp(word, "red=", 4) == 0 || strncmp(word, "blue=", 5) == 0;

    if (out->len > 0)
        text_add(out, " ");
    if (is_player && is_name(erasure, value + 1))
        text_addf(out, "%.*s%s", (int)(value + 1 - word), word, erasure->alias);
    else
        text_add(out, word);
}

void store_write_rename_start(char out[STORE_START_BYTES], const char *start,
                              const struct store_erasure *erasure)
{
    char copy[STORE_START_BYTES], *at = copy, *word;
    struct text text = text_into(out, STORE_START_BYTES);

    if (!text_copy(copy, sizeof copy, start))
        return;
    while ((word = strsep(&at, " ")) != NULL)
        add_word(&text, word, erasure);
}
