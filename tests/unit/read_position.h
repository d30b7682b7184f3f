/* Reads a position in a test, and prints the reason if it is refused. */
#ifndef TESTS_UNIT_READ_POSITION_H
#define TESTS_UNIT_READ_POSITION_H

#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/sentence.h"

static inline bool read_position(const char *text, struct position *out,
                                 char why[SENTENCE_BYTES])
{
    struct position_fault fault;
    bool is_read = position_parse(text, out, &fault);

    if (!is_read)
        sentence_position(why, &fault);
    return is_read;
}

static inline bool position_is_ok(const struct ruleset *rules,
                                  const struct position *position,
                                  char why[SENTENCE_BYTES])
{
    struct position_fault fault;
    bool is_ok = rules_position_ok(rules, position, &fault);

    if (!is_ok)
        sentence_position(why, &fault);
    return is_ok;
}

#endif
