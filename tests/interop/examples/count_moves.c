/* An example of a program that uses only the rules. Prints the legal moves of a
 * position, and how many sequences of three plies follow. */
#include <stdio.h>

#include "common/game/board.h"
#include "common/game/position.h"
#include "common/words/sentence.h"

int main(int argc, char **argv)
{
    const struct ruleset *rules = ruleset_find(argc > 1 ? argv[1] : "martin");
    struct position_fault fault = {.code = POSITION_SOUND};
    char why[SENTENCE_BYTES] = "unknown ruleset", text[MOVE_BYTES];
    struct position position;
    struct move_list list;

    if (rules != NULL)
        position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN,
                        ruleset_first_mover(rules));
    if (rules == NULL || (argc > 2 && !position_parse(argv[2], &position, &fault)) ||
        !rules_position_ok(rules, &position, &fault)) {
        if (fault.code != POSITION_SOUND)
            sentence_position(why, &fault);
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    rules_legal_moves(rules, &position, &list);
    for (int i = 0; i < list.count; i++) {
        move_format(text, list.move[i]);
        printf("%s%c", text, i + 1 < list.count ? ' ' : '\n');
    }
    printf("%llu\n", (unsigned long long)rules_perft(rules, &position, 3, false));
    return 0;
}
