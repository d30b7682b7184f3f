/* What a server has mentioned: names, games, and what can be accepted. A memory of the
 * newest for completion, and for nothing else; bounded, whatever is said. */
#ifndef CLIENT_VERB_KNOWN_H
#define CLIENT_VERB_KNOWN_H

#include <stdint.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"

enum { KNOWN_MAX = 48 };

struct known_numbers {
    int64_t number[KNOWN_MAX];
    int count;
    int next; /* the place of the next one, when all are taken */
};

/* A zeroed one is empty. */
struct known {
    char name[KNOWN_MAX][NAME_BYTES];
    int names;
    int next_name;
    struct known_numbers games;
    struct known_numbers offers; /* seeks, challenges and offers */
};

/* A notice or an answer. */
void known_note(struct known *known, const struct proto_line *line);
/* One line of a list: "game 3 red=hong ...". */
void known_note_row(struct known *known, const char *row);

#endif
