/* Feeds a move or a position in another program's notation to its parser. What is
 * accepted must be the same after it is written and read back. */
#include "client/formats/notation.h"
#include "common/game/rules.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/read_position.h"

static void check_move(enum notation notation, const char *text,
                       const struct position *position)
{
    char words[NOTATION_BYTES], why[NOTATION_WHY_BYTES] = "";
    struct move move, again;

    if (!notation_parse_move(notation, text, position, &move, why)) {
        fuzz_require(why[0] != '\0');
        return;
    }
    if (notation == NOTATION_COURIER)
        return;
    if (!notation_format_move(words, notation, move, position, why)) {
        fuzz_require(position == NULL && move_is_pass(move));
        return;
    }
    fuzz_require(notation_parse_move(notation, words, position, &again, NULL));
    fuzz_require(move_is_same(move, again));
}

static void check_swap(const char *text)
{
    enum side side;
    enum wing wing;

    if (notation_parse_swap(text, &side, &wing))
        fuzz_require(side != SIDE_NONE && (wing == WING_LEFT || wing == WING_RIGHT));
}

static void check_fen(const char *text)
{
    char words[NOTATION_FEN_BYTES], why[SENTENCE_BYTES] = "";
    struct position position, again;

    if (!notation_fen_parse(text, &position, why)) {
        fuzz_require(why[0] != '\0');
        return;
    }
    notation_fen_format(words, &position);
    fuzz_require(notation_fen_parse(words, &again, NULL));
    fuzz_require(memcmp(&position, &again, sizeof position) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct position start;

    position_set_up(&start, LINEUP_NBBN, LINEUP_NBNB, SIDE_BLUE);
    for (int notation = 0; notation < NOTATIONS; notation++) {
        check_move((enum notation)notation, text, NULL);
        check_move((enum notation)notation, text, &start);
    }
    check_swap(text);
    check_fen(text);
    free(text);
    return 0;
}
