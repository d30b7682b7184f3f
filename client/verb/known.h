/* Names, games and offers that the server has mentioned recently. Stored only for
 * completion. The length of each list is limited. If a list is full, a new word
 * replaces the first word of the list. The words are in the order of their last
 * mention, the oldest first. */
#ifndef CLIENT_VERB_KNOWN_H
#define CLIENT_VERB_KNOWN_H

#include <stdint.h>

#include "common/base/utf8.h"
#include "common/net/proto.h"

enum { KNOWN_MAX = 48 };

struct known_words {
    char word[KNOWN_MAX][NAME_BYTES]; /* in the order of the last mention, the newest at
                                       * the end */
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

#endif
