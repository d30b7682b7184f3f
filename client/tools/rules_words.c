/* See rules_words.h. */
#include "client/tools/rules_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/game/board.h"
#include "common/words/sentence.h"

/* --- The list --- */

void words_add(struct words *words, const char *text)
{
    for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
        size_t len = strcspn(text, " \t");
        char *word = mem_resize(NULL, len + 1, 1);

        memcpy(word, text, len);
        word[len] = '\0';
        words->word =
            mem_grow(words->word, words->count, &words->room, 16, sizeof *words->word);
        words->word[words->count++] = word;
        text += len;
    }
}

void words_clear(struct words *words)
{
    for (int i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct words){.word = NULL};
}

const char *words_peek(const struct words *words)
{
    return words->at < words->count ? words->word[words->at] : NULL;
}

const char *words_next(struct words *words)
{
    return words->at < words->count ? words->word[words->at++] : NULL;
}

/* --- Refusals --- */

bool words_refuse(char why[RULES_WHY_BYTES], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, RULES_WHY_BYTES, format, args);
    va_end(args);
    return false;
}

const char *words_quote(char out[WORDS_QUOTE_BYTES], const char *word)
{
    static const char more[] = "...";
    char whole[2 * WORDS_QUOTE_BYTES];

    utf8_escape(whole, sizeof whole, word);
    if (!text_copy(out, WORDS_QUOTE_BYTES, whole)) {
        utf8_escape(out, WORDS_QUOTE_BYTES - sizeof more + 1, word);
        memcpy(out + strlen(out), more, sizeof more);
    }
    return out;
}

bool words_refuse_more(char why[RULES_WHY_BYTES], const char *word)
{
    char quote[WORDS_QUOTE_BYTES];

    return words_refuse(why, _("unexpected argument %s"), words_quote(quote, word));
}

bool words_must_end(const struct words *words, char why[RULES_WHY_BYTES])
{
    const char *word = words_peek(words);

    return word == NULL || words_refuse_more(why, word);
}

/* --- Starts --- */

/* The starts fig1 and fig2 are the set-ups of the figures (RULES.md G6). */
static const char *const figures[] = {"fig1", "fig2"};
static const enum lineup figure_lineups[] = {LINEUP_NBBN, LINEUP_NBNB};

bool words_refuse_position(char why[RULES_WHY_BYTES],
                           const struct position_fault *fault)
{
    char words[SENTENCE_BYTES];

    sentence_position(words, fault);
    return words_refuse(why, "%s", words);
}

enum { POSITION_WORDS = 6 };

static bool take_position(struct words *words, bool may_be_diagram,
                          struct position *out, char *why)
{
    char line[2 * POSITION_BYTES];
    struct position_fault fault;
    struct text text = text_into(line, sizeof line);

    for (int i = 0; i < POSITION_WORDS && words_peek(words) != NULL; i++)
        text_addf(&text, "%s%s", i > 0 ? " " : "", words_next(words));
    if (text.is_cut)
        return words_refuse(why, _("the position is too long"));
    /* Other programs write A and E (advisor and elephant) for our G and B. */
    for (char *at = line; *at != '\0' && *at != ' '; at++)
        if (*at == 'a' || *at == 'A')
            *at += 'g' - 'a';
        else if (*at == 'e' || *at == 'E')
            *at -= 'e' - 'b';
    return (may_be_diagram ? position_parse_diagram(line, out, &fault)
                           : position_parse(line, out, &fault)) ||
           words_refuse_position(why, &fault);
}

bool words_take_start(struct words *words, const struct ruleset *rules,
                      bool may_be_diagram, struct position *out,
                      char why[RULES_WHY_BYTES])
{
    const char *word = words_peek(words), *slash;
    char quote[WORDS_QUOTE_BYTES], first[8];
    enum lineup red, blue;
    int figure;

    if (word == NULL)
        return words_refuse(why, _("missing START: a position, fig1, fig2 or a "
                                   "set-up like NBNB/NBBN"));
    figure = text_find_word(figures, ARRAY_LEN(figures), word);
    if (figure >= 0) {
        position_set_up(out, figure_lineups[figure], figure_lineups[figure],
                        ruleset_first_mover(rules));
        words_next(words);
        return true;
    }
    slash = strchr(word, '/');
    if (slash == NULL)
        return words_refuse(why,
                            _("%s is not a START: a position, fig1, fig2 or a set-up "
                              "like NBNB/NBBN"),
                            words_quote(quote, word));
    if (strchr(slash + 1, '/') != NULL || strpbrk(word, "56789") != NULL)
        return take_position(words, may_be_diagram, out, why);
    words_next(words);
    if (!text_cut(first, sizeof first, word, (size_t)(slash - word)) ||
        !lineup_parse(first, &red) || !lineup_parse(slash + 1, &blue))
        return words_refuse(
            why, _("%s is not a set-up RED/BLUE; each is NBBN, BNBN, NBNB or BNNB"),
            words_quote(quote, word));
    position_set_up(out, red, blue, ruleset_first_mover(rules));
    return true;
}

/* --- The rest --- */

bool words_take_move(struct words *words, struct move *out, enum kind *kind,
                     char why[RULES_WHY_BYTES])
{
    enum { WORDS_MOST = 3 };
    char line[32], quote[WORDS_QUOTE_BYTES];
    struct text text = text_into(line, sizeof line);
    int first = words->at;

    while (words->at < first + WORDS_MOST && words_peek(words) != NULL) {
        text_addf(&text, " %s", words_next(words));
        if (!text.is_cut && move_parse(line, out, kind))
            return true;
    }
    words->at = first;
    if (words_peek(words) == NULL)
        return words_refuse(why, _("a move is missing"));
    return words_refuse(why, _("%s is not a move like B0-C2 or pass"),
                        words_quote(quote, words_peek(words)));
}
