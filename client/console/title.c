/* See title.h. The terminal saves its previous title on its own stack; a terminal
 * without a stack is left with an empty title. Setting a title does not move the
 * cursor. */
#include "client/console/title.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/text.h"

#define TITLE_PUSH "\033[22;0t"
#define TITLE_POP  "\033]0;\a\033[23;0t"

/* Writes to the terminal. Ignores errors: if the terminal is closed, the next output
 * reports it. */
static void put(const char *bytes)
{
    ssize_t wrote = write(STDOUT_FILENO, bytes, strlen(bytes));

    (void)wrote;
}

void title_init(struct title *title, bool is_wanted)
{
    static const char *const without[] = {"", "dumb", "linux", "unknown"};
    const char *term = getenv("TERM");

    title->words[0] = '\0';
    title->is_possible = is_wanted && term != NULL && strncmp(term, "vt", 2) != 0 &&
                         text_find_word(without, ARRAY_LEN(without), term) < 0;
}

static void put_words(const struct title *title)
{
    char line[TITLE_BYTES + 8];
    struct text text = text_into(line, sizeof line);

    text_addf(&text, "\033]0;%s\a", title->words);
    put(line);
}

void title_show(struct title *title)
{
    if (title->words[0] == '\0')
        return;
    put(TITLE_PUSH);
    put_words(title);
}

void title_hide(struct title *title)
{
    if (title->words[0] != '\0')
        put(TITLE_POP);
}

void title_set(struct title *title, const char *words)
{
    bool was_empty = title->words[0] == '\0';

    if (!title->is_possible || strcmp(title->words, words) == 0)
        return;
    if (words[0] == '\0')
        title_hide(title);
    if (!text_copy(title->words, sizeof title->words, words) || words[0] == '\0')
        return;
    if (was_empty)
        title_show(title);
    else
        put_words(title);
}
