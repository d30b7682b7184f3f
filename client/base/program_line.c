/* See program_line.h. */
#include "client/base/program_line.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

/* Writes a NUL after the word that begins at `at`. *word gets the word without its
 * quotes. Returns the text after the word; NULL: a quote is not closed, or the closing
 * quote is not followed by a space or the end of the text. */
static char *cut_word(char *at, char **word)
{
    bool is_quoted = *at == '"';
    size_t len = strcspn(at + is_quoted, is_quoted ? "\"" : " ");
    char *end = at + is_quoted + len;

    *word = at + is_quoted;
    if (is_quoted && (*end == '\0' || (end[1] != ' ' && end[1] != '\0')))
        return NULL;
    if (*end == '\0')
        return end;
    *end = '\0';
    return end + 1;
}

bool program_line_parse(struct program_line *out, const char *text)
{
    bool is_home = strncmp(text, "~/", 2) == 0;
    const char *home = getenv("HOME");
    struct text bytes = text_into(out->bytes, sizeof out->bytes);
    char *at = out->bytes;
    int count = 0;

    if (is_home && home == NULL)
        return false;
    text_addf(&bytes, "%s%s", is_home ? home : "", text + is_home);
    if (bytes.is_cut || strlen(text) >= PROGRAM_LINE_BYTES)
        return false;
    while (*(at += strspn(at, " ")) != '\0') {
        if (count == PROGRAM_LINE_WORDS_MAX ||
            (at = cut_word(at, &out->words[count++])) == NULL)
            return false;
    }
    out->words[count] = NULL;
    return count > 0 && out->words[0][0] == '/';
}
