/* Feeds the input to the parser of moves. Also feeds it to the parsers of other short
 * texts of the game: time controls, line-ups, results and others. An accepted text must
 * be the same after it is written and read back. */
#include "common/game/clock.h"
#include "common/game/rules.h"
#include "tests/fuzz/fuzz.h"

static void check_move(const char *text)
{
    struct move move, again;
    enum kind kind;
    char words[MOVE_BYTES];

    if (!move_parse(text, &move, &kind))
        return;
    fuzz_require(move_is_pass(move) || (move.from >= 0 && move.from < BOARD_POINTS &&
                                        move.to >= 0 && move.to < BOARD_POINTS));
    fuzz_require((int)kind < KINDS);
    move_format(words, move);
    fuzz_require(move_parse(words, &again, NULL) && move_is_same(move, again));
}

static void check_time(const char *text)
{
    struct time_terms terms, again;
    char words[TIME_TERMS_BYTES], twice[TIME_TERMS_BYTES];

    if (!time_terms_parse(text, &terms))
        return;
    time_terms_format(words, &terms);
    fuzz_require(time_terms_parse(words, &again));
    time_terms_format(twice, &again);
    fuzz_require(strcmp(words, twice) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    enum lineup lineup;
    enum outcome outcome;
    enum reason reason;

    check_move(text);
    check_time(text);
    if (lineup_parse(text, &lineup))
        fuzz_require((int)lineup < LINEUPS);
    if (outcome_parse(text, &outcome))
        fuzz_require(strcmp(outcome_name(outcome), text) == 0);
    if (reason_parse(text, &reason))
        fuzz_require(strcmp(reason_name(reason), text) == 0);
    if (ruleset_find(text) != NULL)
        fuzz_require(strcmp(ruleset_name(ruleset_find(text)), text) == 0);
    if (size >= 2)
        fuzz_require(side_parse_point(text) < BOARD_POINTS);
    free(text);
    return 0;
}
