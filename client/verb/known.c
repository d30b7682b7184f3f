/* See known.h. */
#include "client/verb/known.h"

#include <stdio.h>
#include <string.h>

#include "client/view/row.h"
#include "common/base/text.h"

/* Returns the index of the word; -1: it is not in the list. */
static int find(const struct known_words *list, const char *word)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->word[i], word) == 0)
            return i;
    return -1;
}

static void remove_at(struct known_words *list, int at)
{
    list->count--;
    memmove(list->word + at, list->word + at + 1,
            (size_t)(list->count - at) * sizeof list->word[at]);
}

static void note(struct known_words *list, const char *word)
{
    int at = find(list, word);

    if (at >= 0)
        remove_at(list, at);
    else if (list->count == KNOWN_MAX)
        remove_at(list, 0);
    text_copy(list->word[list->count++], NAME_BYTES, word);
}

static void note_number(struct known_words *list, const char *word)
{
    char canonical[NAME_BYTES];
    int64_t number;

    if (word == NULL || !text_to_int(word, 0, INT64_MAX, &number))
        return;
    snprintf(canonical, sizeof canonical, "%lld", (long long)number);
    note(list, canonical);
}

static void forget(struct known_words *list, const char *word)
{
    int at = find(list, word);

    if (at >= 0)
        remove_at(list, at);
}

/* Adds `word` to the known names if it is a valid name: a server can send any text. */
static void note_name(struct known *known, const char *word)
{
    char name[NAME_BYTES];

    if (word != NULL && utf8_name(name, word))
        note(&known->names, name);
}

void known_note(struct known *known, const struct proto_line *line)
{
    static const char *const names[] = {"by", "to", "from", "name", "red", "blue"};
    const char *kind = line->words > 0 ? line->word[0] : "";

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        note_name(known, proto_line_value(line, names[i]));
    note_number(&known->games, proto_line_value(line, "game"));
    if (line->words < 2)
        return;
    if (strcmp(kind, "game") == 0)
        note_number(&known->games, line->word[1]);
    else if (strcmp(kind, "player") == 0)
        note_name(known, line->word[1]);
    else if (strcmp(kind, "gone") == 0)
        forget(&known->offers, line->word[1]);
    else if (strcmp(kind, "seek") == 0 || strcmp(kind, "challenge") == 0 ||
             strcmp(kind, "offer") == 0)
        note_number(&known->offers, line->word[1]);
}

void known_note_row(struct known *known, const char *row)
{
    char copy[ROW_COPY_BYTES];
    struct proto_line parsed;

    row_parse(row, copy, &parsed);
    known_note(known, &parsed);
}
