/* See proto.h. Splits lines in place; copies only a tag, and the text that `say`
 * needs. */
#include "common/net/proto.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"

/* --- Words and tags --- */

static char *skip_spaces(char *at)
{
    return at + strspn(at, " ");
}

static bool is_tag_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
}

/* Parses the tag at *at, if there is one, and moves *at past it. False: an invalid
 * tag. */
static bool take_tag(char **at, char tag[PROTO_TAG_BYTES])
{
    const char *from = *at;
    size_t len = 1;

    tag[0] = '\0';
    if (*from != '#')
        return true;
    while (is_tag_char(from[len]))
        len++;
    if (len < 2 || (from[len] != ' ' && from[len] != '\0') ||
        !text_cut(tag, PROTO_TAG_BYTES, from, len))
        return false;
    *at = skip_spaces(*at + len);
    return true;
}

/* --- What a client sends --- */

bool proto_parse_command(char *line, char *rest_room, size_t rest_size,
                         struct proto_command *out)
{
    char *from = skip_spaces(line), *at = from;

    out->words = 0;
    out->rest = "";
    if (!text_copy(rest_room, rest_size, from) || !take_tag(&at, out->tag))
        return false;
    while (*at != '\0') {
        out->word[out->words++] = at;
        if (out->words == PROTO_WORDS_MAX)
            return true; /* the last word is the rest of the line */
        at += strcspn(at, " ");
        if (*at == '\0')
            return true;
        *at = '\0';
        at = skip_spaces(at + 1);
        if (out->words == 1)
            out->rest = rest_room + (at - from);
    }
    return true;
}

/* --- What a server sends --- */

/* Returns the mark at *at, which is a whole word, and moves *at past it. Moves nothing
 * for an unknown mark. */
static enum proto_mark take_mark(char **at)
{
    static const struct {
        const char *text;
        enum proto_mark mark;
    } marks[] = {
        {"OK", PROTO_OK},   {"!", PROTO_NEWS},     {"|", PROTO_TEXT},
        {"ERR", PROTO_ERR}, {"*", PROTO_GREETING},
    };
    size_t len = strcspn(*at, " ");

    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (strlen(marks[i].text) == len && memcmp(marks[i].text, *at, len) == 0) {
            *at += len;
            return marks[i].mark;
        }
    return PROTO_STRANGE;
}

/* Removes the quotes of key="value": moves "key=" one byte towards the value, and ends
 * the word at the closing quote. Returns the new start of the word; NULL for misplaced
 * quotes. */
static char *take_quotes(char *word, char *quote, char **end)
{
    char *closing = strchr(quote + 1, '"');

    if (closing == NULL || (closing[1] != ' ' && closing[1] != '\0'))
        return NULL;
    memmove(word + 1, word, (size_t)(quote - word));
    *end = closing[1] == ' ' ? closing + 1 : closing;
    *closing = '\0';
    return word + 1;
}

/* Returns the word at *at, terminated by a NUL, and moves *at past it. Returns NULL for
 * misplaced quotes. */
static char *take_item(char **at)
{
    char *word = *at, *end = word + strcspn(word, " ");
    char *quote = strchr(word, '"');

    if (quote != NULL && quote < end && quote > word && quote[-1] == '=' &&
        memchr(word, '=', (size_t)(quote - word)) == quote - 1) {
        word = take_quotes(word, quote, &end);
        if (word == NULL)
            return NULL;
    }
    *at = *end == ' ' ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool take_items(char *at, struct proto_line *out)
{
    for (at = skip_spaces(at); *at != '\0'; at = skip_spaces(at)) {
        char *word;

        if (at[0] == ':' && (at[1] == ' ' || at[1] == '\0')) {
            out->human = at[1] == ' ' ? at + 2 : at + 1;
            return true;
        }
        if (out->words == PROTO_WORDS_MAX)
            return false;
        word = take_item(&at);
        if (word == NULL)
            return false;
        out->word[out->words++] = word;
    }
    return true;
}

void proto_parse_line(char *line, struct proto_line *out)
{
    char *at = line;
    bool is_read = take_tag(&at, out->tag);

    out->words = 0;
    out->human = "";
    out->mark = is_read ? take_mark(&at) : PROTO_STRANGE;
    if (out->tag[0] != '\0' && out->mark != PROTO_OK && out->mark != PROTO_ERR)
        out->mark = PROTO_STRANGE; /* only an answer has a tag */
    if (out->mark == PROTO_TEXT)
        out->human = *at == ' ' ? at + 1 : at;
    else if (out->mark != PROTO_STRANGE && !take_items(at, out))
        out->mark = PROTO_STRANGE;
    if (out->mark == PROTO_STRANGE) {
        out->words = 0;
        out->human = "";
    }
}

size_t proto_format_line(char *line, size_t size, const char *format, va_list args)
{
    int len = vsnprintf(line, size - 1, format, args);

    assert(len >= 0 && (size_t)len < size - 1);
    line[len++] = '\n';
    return (size_t)len;
}

const char *proto_line_value(const struct proto_line *line, const char *key)
{
    size_t len = strlen(key);

    for (int i = 0; i < line->words; i++)
        if (strncmp(line->word[i], key, len) == 0 && line->word[i][len] == '=')
            return line->word[i] + len + 1;
    return NULL;
}

int64_t proto_line_number(const struct proto_line *line, const char *key,
                          int64_t fallback)
{
    const char *text = proto_line_value(line, key);
    int64_t value;

    if (text == NULL || !text_to_int(text, INT64_MIN, INT64_MAX, &value))
        return fallback;
    return value;
}

/* --- Events --- */

bool proto_cut_event(const char *line, int64_t *game, int *number, const char **text)
{
    static const char mark[] = "! game ";
    char words[2][24];

    if (strncmp(line, mark, sizeof mark - 1) != 0)
        return false;
    line += sizeof mark - 1;
    for (int i = 0; i < 2; i++) {
        size_t len = strcspn(line, " ");

        if (line[len] != ' ' || !text_cut(words[i], sizeof words[i], line, len))
            return false;
        line += len + 1;
    }
    *text = line;
    return text_to_int(words[0], 0, INT64_MAX, game) &&
           text_to_int32(words[1], 0, PROTO_EVENTS_MAX - 1, number);
}

/* --- Reply codes --- */

const char *reply_code(enum reply reply)
{
    static const char *const codes[] = {
        "ok",    "unknown", "args",  "not-now", "slow-down", "line",  "name",
        "proof", "no-such", "which", "illegal", "stale",     "limit", "entry",
    };

    static_assert(ARRAY_LEN(codes) == REPLIES, "a reply has no code");
    return codes[reply];
}
