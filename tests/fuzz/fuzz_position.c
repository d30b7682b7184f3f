/* Feeds the text of a position to its parser. A position that is accepted must be the
 * same after it is written and read back. It must be possible to play every legal move
 * and to undo it. */
#include "common/game/position.h"
#include "common/game/rules.h"
#include "common/words/diagram.h"
#include "common/words/sentence.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/read_position.h"

static void check_text(const struct position *position)
{
    char text[POSITION_BYTES], why[SENTENCE_BYTES];
    struct position again;

    position_format(text, position);
    fuzz_require(read_position(text, &again, why));
    fuzz_require(memcmp(&again, position, sizeof again) == 0);
}

static void check_figure(const struct position *position)
{
    char figure[DIAGRAM_BYTES];

    for (int is_flipped = 0; is_flipped < 2; is_flipped++) {
        diagram_format(figure, position, is_flipped, NULL);
        fuzz_require(strlen(figure) < DIAGRAM_BYTES);
    }
}

static void check_moves(const struct ruleset *rules, const struct position *position)
{
    struct move_list list;

    rules_legal_moves(rules, position, &list);
    fuzz_require(list.count >= 0 && list.count < MOVES_MAX);
    for (int i = 0; i < list.count; i++) {
        struct position after = *position;
        struct undo undo;

        fuzz_require(rules_judge(rules, position, list.move[i]).code == FAULT_NONE);
        rules_make(rules, &after, list.move[i], &undo);
        fuzz_require(after.key == position_key(&after));
        rules_unmake(&after, list.move[i], &undo);
        fuzz_require(memcmp(&after, position, sizeof after) == 0);
    }
}

static void check_refusals(const struct ruleset *rules, const struct position *position)
{
    char words[SENTENCE_BYTES];

    for (int from = 0; from < BOARD_POINTS; from += 7)
        for (int to = 0; to < BOARD_POINTS; to++)
            sentence_fault(words, rules_judge(rules, position,
                                              (struct move){(int8_t)from, (int8_t)to}));
}

static void check_rules(const struct ruleset *rules, const struct position *position)
{
    struct history_view history = {false, 1, SIDE_NONE};
    struct position played = *position;
    char why[SENTENCE_BYTES];
    enum outcome outcome;

    if (!position_is_ok(rules, position, why)) {
        fuzz_require(why[0] != '\0' && strlen(why) < sizeof why);
        return;
    }
    check_moves(rules, position);
    check_refusals(rules, position);
    (void)rules_ending(rules, position, &history, &outcome);
    (void)rules_perft(rules, &played, 2, false);
    fuzz_require(memcmp(&played, position, sizeof played) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), why[SENTENCE_BYTES] = "";
    struct position position;

    if (read_position(text, &position, why)) {
        check_text(&position);
        check_figure(&position);
        for (size_t i = 0; ruleset_at(i) != NULL; i++)
            check_rules(ruleset_at(i), &position);
    } else {
        fuzz_require(why[0] != '\0' && strlen(why) < sizeof why);
        fuzz_require(!position_parse(text, &position, NULL));
    }
    free(text);
    return 0;
}
