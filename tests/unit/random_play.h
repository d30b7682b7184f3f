/* Makes random positions for property tests. The seed is fixed, so every run makes the
 * same positions, with every compiler: no two random numbers in one expression. */
#ifndef TESTS_UNIT_RANDOM_PLAY_H
#define TESTS_UNIT_RANDOM_PLAY_H

#include "common/game/board.h"
#include "common/game/position.h"
#include "common/game/rules.h"

static uint64_t random_state = 1;

/* Returns a random number that is less than `below`. */
static inline unsigned random_below(unsigned below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 32) % below);
}

static inline bool list_has(const struct move_list *list, struct move move)
{
    for (int i = 0; i < list->count; i++)
        if (move_is_same(list->move[i], move))
            return true;
    return false;
}

/* Puts a king into the palace whose lowest row is `row`. */
static inline void put_king(char *board, unsigned row, char letter)
{
    unsigned at = 10 * (row + random_below(3));

    board[at + 3 + random_below(3)] = letter;
}

/* Makes a random position with both kings and up to `most` other pieces. False: the
 * position is invalid. */
static inline bool random_sparse(const struct ruleset *rules, unsigned most,
                                 struct position *out)
{
    static const char kinds[] = "RRNNBBGGCCPPPPP";
    char board[BOARD_ROWS * (BOARD_FILES + 1) + 1], text[POSITION_BYTES];
    unsigned men = random_below(most + 1), quiet;

    for (int i = 0; i < BOARD_ROWS * (BOARD_FILES + 1); i++)
        board[i] = i % 10 == 9 ? '/' : '1';
    board[BOARD_ROWS * 10 - 1] = '\0';
    put_king(board, 0, 'k');
    put_king(board, 7, 'K');
    for (unsigned i = 0; i < men; i++) {
        char letter = kinds[random_below(sizeof kinds - 1)];
        unsigned at = 10 * random_below(BOARD_ROWS);

        at += random_below(BOARD_FILES);
        if (board[at] == '1')
            board[at] = (char)(random_below(2) == 0 ? letter : letter | 0x20);
    }
    quiet = random_below(90);
    snprintf(text, sizeof text, "%s %c - 0 %u 1", board, "rb"[random_below(2)], quiet);
    return position_parse(text, out, NULL) && rules_position_ok(rules, out, NULL);
}

/* Makes a random start: all pieces in random line-ups, or a sparse position. */
static inline void random_start(const struct ruleset *rules, struct position *out)
{
    if (random_below(2) == 0) {
        enum lineup red = (enum lineup)random_below(LINEUPS);

        position_set_up(out, red, (enum lineup)random_below(LINEUPS),
                        ruleset_first_mover(rules));
        return;
    }
    while (!random_sparse(rules, 14, out))
        continue;
}

#endif
