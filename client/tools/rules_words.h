/* Words of a command or of a line, taken one after the other, and what they stand for:
 * a start, a move. For the tool "janggi rules". */
#ifndef CLIENT_TOOLS_RULES_WORDS_H
#define CLIENT_TOOLS_RULES_WORDS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/rules.h"

/* Owns its words. A zeroed one is empty. */
struct words {
    char **word;
    int count;
    int room;
    int at; /* of the next word to take */
};

/* Adds the words of text, which spaces and tabs part. */
void words_add(struct words *words, const char *text);
void words_clear(struct words *words);

/* NULL after the last; next takes it. */
const char *words_peek(const struct words *words);
const char *words_next(struct words *words);

/* Why something was refused, in one line that may be shown to anybody. */
enum { RULES_WHY_BYTES = 320 };

/* Always false, so that a refusal is one line. What comes from outside goes through
 * words_quote() first. */
bool words_refuse(char why[RULES_WHY_BYTES], const char *format, ...) PRINTF_LIKE(2, 3);
/* The same for a position that cannot be. */
bool words_refuse_position(char why[RULES_WHY_BYTES],
                           const struct position_fault *fault);

/* Always false: nothing may follow, but word does. */
bool words_refuse_more(char why[RULES_WHY_BYTES], const char *word);

/* word as it may be shown, cut if it is long. */
enum { WORDS_QUOTE_BYTES = 48 };
const char *words_quote(char out[WORDS_QUOTE_BYTES], const char *word);

/* True when the next word begins a start: fig1, fig2, RED/BLUE line-ups, a position. */
bool words_is_start(const struct words *words);

/* Takes a start: its one word, or the six of a position text. */
bool words_take_start(struct words *words, const struct ruleset *rules,
                      struct position *out, char why[RULES_WHY_BYTES]) MUST_USE;

/* The same for a board to look at: a position may be a BOARD alone and may lack kings
 * (position_parse_diagram()). */
bool words_take_board(struct words *words, const struct ruleset *rules,
                      struct position *out, char why[RULES_WHY_BYTES]) MUST_USE;

/* Takes the whole rest as one text of at most size - 1 bytes. False: longer. */
bool words_take_rest(struct words *words, char *out, size_t size) MUST_USE;

/* Takes a move, be it one word, "b0 c2" or "B0 - C2"; *kind as move_parse() does. */
bool words_take_move(struct words *words, struct move *out, enum kind *kind,
                     char why[RULES_WHY_BYTES]) MUST_USE;

/* False with a reason when a word is left. */
bool words_must_end(const struct words *words, char why[RULES_WHY_BYTES]) MUST_USE;

#endif
