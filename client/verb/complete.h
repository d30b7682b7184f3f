/* Completion with the Tab key: lists the words that may follow the typed text, also the
 * names, games and offers that the server has mentioned recently. */
#ifndef CLIENT_VERB_COMPLETE_H
#define CLIENT_VERB_COMPLETE_H

#include "client/verb/verbs.h"
#include "client/view/model.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"

/* --- What the server has mentioned --- */

enum { KNOWN_MAX = 48 };

struct known_words {
    char word[KNOWN_MAX][NAME_BYTES]; /* in the order of the last mention, the newest at
                                       * the end; a new one replaces the first */
    int count;
};

/* A zeroed struct is empty. */
struct known {
    struct known_words names;
    struct known_words games;  /* the numbers of games, as text */
    struct known_words offers; /* the numbers of seeks, challenges and offers */
};

/* `line` is a notice or an answer of the server. Stores the names, games and offers in
 * `line`. If `line` says that an offer has ended, removes that offer. */
void known_note(struct known *known, const struct proto_line *line);
/* Does the same for `row`, a line of a list, such as "game 3 red=hong ...". */
void known_note_row(struct known *known, const char *row);

/* --- Completion --- */

enum { COMPLETE_MAX = 128, COMPLETE_WORD_BYTES = 32 };

struct complete {
    char word[COMPLETE_MAX][COMPLETE_WORD_BYTES];
    int count;
};

/* Lists the words that may follow the text `before`. `word` is the typed beginning of
 * the next word. The list can also contain words that do not begin with `word`. The
 * function uses `word` to choose what to list. For example, if the line begins with a
 * point such as "b0", the function lists moves instead of verbs. `known` may be
 * NULL. */
void complete_gather(struct complete *out, const struct verb_book *book,
                     const struct model *model, const struct known *known,
                     const char *before, const char *word);

/* Returns the word with index `i`, or NULL after the last. The call with i = 0 fills
 * `complete`. */
const char *complete_word(struct complete *complete, const struct verb_book *book,
                          const struct model *model, const struct known *known,
                          const char *before, const char *word, size_t i);

#endif
