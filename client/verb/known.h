/* Names, games and offers that the server has mentioned recently. Stored only for
 * completion. Each list is limited: a new word replaces the word that was not mentioned for
 * the longest time. */
#ifndef CLIENT_VERB_KNOWN_H
#define CLIENT_VERB_KNOWN_H

#include <stdint.h>

#include "common/base/utf8.h"
#include "common/net/proto.h"

enum { KNOWN_MAX = 48 };

struct known_words {
    char word[KNOWN_MAX][NAME_BYTES]; /* the word that was mentioned last is the last */
    int count;
};

/* A zeroed struct is empty. */
struct known {
    struct known_words names;
    struct known_words games;  /* the numbers of games, as text */
    struct known_words offers; /* the numbers of seeks, challenges and offers */
};

/* Stores the names, games and offers that `line`, a notice or an answer, mentions. If
 * `line` says that an offer has ended, removes that offer. */
void known_note(struct known *known, const struct proto_line *line);
/* Does the same for `row`, a line of a list, such as "game 3 red=hong ...". */
void known_note_row(struct known *known, const char *row);

#endif
