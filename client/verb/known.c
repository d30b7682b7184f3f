/* See known.h. */
#include "client/verb/known.h"

#include <string.h>

#include "common/base/text.h"

static void note_number(struct known_numbers *numbers, const char *word)
{
    int64_t number;

    if (word == NULL || !text_to_int(word, 0, INT64_MAX, &number))
        return;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->number[i] == number)
            return;
    if (numbers->count < KNOWN_MAX) {
        numbers->number[numbers->count++] = number;
        return;
    }
    numbers->number[numbers->next] = number;
    numbers->next = (numbers->next + 1) % KNOWN_MAX;
}

static void forget_number(struct known_numbers *numbers, const char *word)
{
    int64_t number;

    if (!text_to_int(word, 0, INT64_MAX, &number))
        return;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->number[i] == number) {
            numbers->number[i] = numbers->number[--numbers->count];
            return;
        }
}

/* Stores only valid names: a server may send any text as a name. */
static void note_name(struct known *known, const char *word)
{
    char name[NAME_BYTES];

    if (word == NULL || !utf8_name(name, word))
        return;
    for (int i = 0; i < known->names; i++)
        if (strcmp(known->name[i], name) == 0)
            return;
    if (known->names < KNOWN_MAX) {
        memcpy(known->name[known->names++], name, sizeof name);
        return;
    }
    memcpy(known->name[known->next_name], name, sizeof name);
    known->next_name = (known->next_name + 1) % KNOWN_MAX;
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
        forget_number(&known->offers, line->word[1]);
    else if (strcmp(kind, "seek") == 0 || strcmp(kind, "challenge") == 0 ||
             strcmp(kind, "offer") == 0)
        note_number(&known->offers, line->word[1]);
}

void known_note_row(struct known *known, const char *row)
{
    char copy[PROTO_LINE_MAX + 8];
    struct text text = text_into(copy, sizeof copy);
    struct proto_line parsed;

    text_addf(&text, "! %s", row); /* parse it as if it were a notice */
    proto_parse_line(copy, &parsed);
    known_note(known, &parsed);
}
