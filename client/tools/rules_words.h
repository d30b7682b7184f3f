/* Splits a command or a line into words, and parses the moves and the starts that the
 * words form. A start is a position from which a game begins. Used by "janggi
 * rules". */
#ifndef CLIENT_TOOLS_RULES_WORDS_H
#define CLIENT_TOOLS_RULES_WORDS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/rules.h"

/* A list of words. The list owns the words. A zeroed struct is an empty list. */
struct words {
    char **word;
    int count;
    int room;
    int at; /* index of the next word */
};

/* Appends the words of `text`, which are separated by spaces and tabs. */
void words_add(struct words *words, const char *text);
void words_clear(struct words *words);

/* Both return the next word, or NULL after the last one; words_next() also advances. */
const char *words_peek(const struct words *words);
const char *words_next(struct words *words);

/* Size of the text that says why input was refused: one line that is safe to print. */
enum { RULES_WHY_BYTES = 320 };

/* Writes to `why` the reason why input was refused, and returns false. Each piece of
 * input among the arguments must be quoted with words_quote(). */
bool words_refuse(char why[RULES_WHY_BYTES], const char *format, ...) PRINTF_LIKE(2, 3);
/* Like words_refuse(), for an invalid position. */
bool words_refuse_position(char why[RULES_WHY_BYTES],
                           const struct position_fault *fault);

/* Writes that `word` is an unexpected argument. Always returns false. */
bool words_refuse_more(char why[RULES_WHY_BYTES], const char *word);

/* Writes `word` in a printable form and returns `out`. A long word is cut. */
enum { WORDS_QUOTE_BYTES = 48 };
const char *words_quote(char out[WORDS_QUOTE_BYTES], const char *word);

/* Takes a start: one word, or the six words of a position. may_be_diagram: also the BOARD
 * alone, which may lack kings (position_parse_diagram()). Returns false with the reason
 * in `why`. */
bool words_take_start(struct words *words, const struct ruleset *rules,
                      bool may_be_diagram, struct position *out,
                      char why[RULES_WHY_BYTES]) MUST_USE;

/* Takes a move written as one or more words: "b0c2", "b0 c2" or "B0 - C2". For *kind
 * see move_parse(). Returns false with the reason in `why`. */
bool words_take_move(struct words *words, struct move *out, enum kind *kind,
                     char why[RULES_WHY_BYTES]) MUST_USE;

/* Returns true if no word remains; otherwise writes the reason to `why` and returns
 * false. */
bool words_must_end(const struct words *words, char why[RULES_WHY_BYTES]) MUST_USE;

#endif
