/* Cases that the other tests lacked, as mutation testing (tests/mutants) showed. In
 * most of them, two rules apply to one position, and the order in which the program
 * tests the rules decides the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/game/game.h"
#include "tests/unit/read_position.h"

static int failures;

static void expect(bool holds, const char *name, size_t number)
{
    if (holds)
        return;
    printf("not ok %s: case %zu\n", name, number);
    failures++;
}

static void done(const char *name, int failures_before)
{
    if (failures == failures_before)
        printf("ok %s\n", name);
}

static struct position position_of(const char *text)
{
    struct position position;
    char why[SENTENCE_BYTES];

    if (!read_position(text, &position, why)) {
        printf("not ok %s: %s\n", text, why);
        exit(1);
    }
    return position;
}

static struct move move_of(const char *text)
{
    struct move move;

    if (!move_parse(text, &move, NULL)) {
        printf("not ok %s is no move\n", text);
        exit(1);
    }
    return move;
}

/* --- Ends that meet (M13, K9, J9) --- */

#define GUARDED_MATE "4k4/4R4/9/9/9/9/9/9/9/4K4 b "
#define BARE_MATE    "4k3R/8R/9/9/9/9/9/9/9/4K4 b "
#define QUIET        "3k5/9/9/9/9/9/P8/9/9/4K4 r "

static const struct {
    const char *rules, *position;
    bool was_bare;
    int occurrences;
    enum side perpetual;
    enum reason reason;
    enum outcome outcome;
} ends[] = {
    {"martin", GUARDED_MATE "- 0 0 1", false, 1, SIDE_NONE, REASON_KING_GUARD,
     OUTCOME_DRAW},
    {"martin", GUARDED_MATE "r 0 0 1", false, 1, SIDE_NONE, REASON_MATE_BY_FORFEITED,
     OUTCOME_DRAW},
    {"martin", GUARDED_MATE "rb 0 0 1", false, 1, SIDE_NONE, REASON_BOTH_FORFEITED,
     OUTCOME_DRAW},
    {"martin", BARE_MATE "r 0 100 1", false, 3, SIDE_NONE, REASON_NAKED_CHECK,
     OUTCOME_DRAW},
    {"martin", QUIET "- 2 100 9", false, 3, SIDE_NONE, REASON_DOUBLE_PASS,
     OUTCOME_DRAW},
    {"martin", QUIET "- 1 100 9", false, 3, SIDE_NONE, REASON_REPETITION, OUTCOME_DRAW},
    {"martin", QUIET "- 1 100 9", false, 2, SIDE_NONE, REASON_NO_CAPTURE, OUTCOME_DRAW},
    {"martin", QUIET "- 1 99 9", true, 2, SIDE_NONE, REASON_NONE, OUTCOME_NONE},
    {"courier", BARE_MATE "- 2 100 1", true, 3, SIDE_NONE, REASON_BIKJANG,
     OUTCOME_DRAW},
    {"courier", BARE_MATE "- 0 100 1", false, 3, SIDE_NONE, REASON_CHECKMATE,
     OUTCOME_RED},
    {"vchess", BARE_MATE "- 2 100 1", false, 3, SIDE_NONE, REASON_DOUBLE_PASS,
     OUTCOME_DRAW},
    {"courier", QUIET "- 0 100 1", true, 3, SIDE_NONE, REASON_REPETITION, OUTCOME_DRAW},
    {"courier", QUIET "- 0 100 1", true, 2, SIDE_RED, REASON_NO_CAPTURE, OUTCOME_DRAW},
    {"courier", QUIET "- 0 9 1", true, 3, SIDE_RED, REASON_REPETITION, OUTCOME_DRAW},
    {"kja", BARE_MATE "- 2 100 1", true, 3, SIDE_RED, REASON_BIKJANG, OUTCOME_RED},
    {"kja", BARE_MATE "- 0 0 1", false, 1, SIDE_NONE, REASON_NONE, OUTCOME_NONE},
    {"kja", GUARDED_MATE "- 0 100 1", false, 1, SIDE_NONE, REASON_NO_CAPTURE,
     OUTCOME_RED},
    {"kja", QUIET "- 2 100 1", false, 3, SIDE_RED, REASON_DOUBLE_PASS, OUTCOME_RED},
    {"kja", QUIET "- 0 100 1", false, 3, SIDE_RED, REASON_PERPETUAL_CHECK,
     OUTCOME_BLUE},
    {"kja", QUIET "- 0 100 1", false, 3, SIDE_NONE, REASON_REPETITION, OUTCOME_RED},
    {"kja", QUIET "- 0 100 1", false, 2, SIDE_RED, REASON_NO_CAPTURE, OUTCOME_RED},
};

static void of_two_ends_the_first_of_the_list_counts(void)
{
    int before = failures;

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        struct position position = position_of(ends[i].position);
        struct history_view history = {ends[i].was_bare, ends[i].occurrences,
                                       ends[i].perpetual};
        enum outcome outcome;
        enum reason reason =
            rules_ending(ruleset_find(ends[i].rules), &position, &history, &outcome);

        expect(reason == ends[i].reason && outcome == ends[i].outcome, __func__, i);
    }
    done(__func__, before);
}

/* --- Moves and refusals --- */

static const struct {
    const char *rules, *position, *move;
    enum fault_code code;
} judged[] = {
    /* Rule M7 of RULES.md is only about captures by the king: another piece may take a
     * checking piece, even if the kings then face each other. */
    {"martin", "4k4/9/9/9/9/9/9/4Rn3/9/4K4 r - 0 0 1", "E2-F2", FAULT_NONE},
    /* A bishop gives check, although a knight at the same distance is blocked. */
    {"courier", "3k5/9/9/9/9/6b2/3n5/3G5/4K4/9 r - 0 0 1", "pass", FAULT_PASS_IN_CHECK},
    /* The cannon on the target belongs to the mover, so the fault is not
     * FAULT_TARGET_CANNON. */
    {"martin", "5k3/1C7/9/9/1P7/1C7/9/9/9/3K5 r - 0 0 1", "B4-B8", FAULT_OWN_TARGET},
    {"martin", "5k3/9/9/9/P8/9/9/9/9/3K5 r - 0 0 1", "A5-A4", FAULT_PAWN_BACKWARD},
    {"martin", "5k3/9/9/9/P8/9/9/9/9/3K5 r - 0 0 1", "A5-B4", FAULT_PAWN_BACKWARD},
    {"martin", "5k3/9/9/9/P8/9/9/9/9/3K5 r - 0 0 1", "A5-A3", FAULT_SHAPE},
    {"martin", "5k3/9/9/9/P8/9/9/9/9/3K5 r - 0 0 1", "A5-C4", FAULT_SHAPE},
    {"martin", "5k3/9/9/9/P8/9/9/9/9/3K5 r - 0 0 1", "A5-A6", FAULT_NONE},
};

static void refusals_at_the_edge_of_a_rule(void)
{
    int before = failures;

    for (size_t i = 0; i < ARRAY_LEN(judged); i++) {
        struct position position = position_of(judged[i].position);
        struct fault fault = rules_judge(ruleset_find(judged[i].rules), &position,
                                         move_of(judged[i].move));

        expect(fault.code == judged[i].code, __func__, i);
    }
    done(__func__, before);
}

/* --- Texts --- */

/* Checks that a position may have the greatest number of pieces of each kind, but not
 * one more piece of any kind, and that no king may be missing. */
static void nobody_has_more_than_a_side_begins_with(void)
{
    static const char *const sound = "3k5/9/9/RRNNBBCCP/PPPP5/9/9/9/3GG4/4K4 r - 0 0 1";
    static const char *const broken[] = {
        "3k5/9/9/RRNNBBCCP/PPPP4R/9/9/9/3GG4/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP4N/9/9/9/3GG4/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP4B/9/9/9/3GG4/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP4C/9/9/9/3GG4/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP4P/9/9/9/3GG4/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP5/9/9/9/3GGG3/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP5/9/9/9/3GGK3/4K4 r - 0 0 1",
        "3k5/9/9/RRNNBBCCP/PPPP5/9/9/9/3GG4/9 r - 0 0 1",
    };
    int before = failures;
    struct position position;

    expect(position_parse(sound, &position, NULL), __func__, 0);
    for (size_t i = 0; i < ARRAY_LEN(broken); i++)
        expect(!position_parse(broken[i], &position, NULL), __func__, i + 1);
    done(__func__, before);
}

static void no_other_letter_is_a_piece(void)
{
    int before = failures;

    for (char letter = 'A'; letter <= 'Z'; letter++) {
        const char text[] = {letter, 'B', '0', '-', 'C', '2', '\0'};
        struct move move;
        enum kind kind = KIND_NONE;
        bool is_read = move_parse(text, &move, &kind);

        expect(is_read == (strchr("RNBGKCP", letter) != NULL), __func__,
               (size_t)letter);
    }
    done(__func__, before);
}

static void no_other_word_is_a_pass(void)
{
    static const char *const words[] = {
        "past", "quit", "pas", "passs",   "pass pass", "p ass", "pass-",
        "bass", "help", "",    "nB0-C2x", "PASS B0",   "0000"};
    int before = failures;
    struct move move;

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        expect(!move_parse(words[i], &move, NULL), __func__, i);
    expect(move_parse(" PaSs ", &move, NULL) && move_is_pass(move), __func__, 99);
    done(__func__, before);
}

/* --- Whole games --- */

/* Repeats the four moves from a position until the game ends. Returns the number of
 * plies. */
static int play_round(const char *rules, const char *text, const char *const moves[4],
                      enum reason *reason, enum outcome *outcome)
{
    struct position position = position_of(text);
    struct game game;
    int plies;

    expect(game_begin_at(&game, ruleset_find(rules), &position), rules, 0);
    while (game_turn(&game) != SIDE_NONE && game.plies < 50) {
        struct move move = move_of(moves[game.plies % 4]);
        struct game_news news;

        if (game_judge_move(&game, game_turn(&game), move, 0, &news).code != FAULT_NONE)
            break;
        for (int i = 0; i < news.count; i++)
            expect(game_apply(&game, &news.event[i], 0), rules, (size_t)game.plies);
    }
    *reason = game.reason;
    *outcome = game.outcome;
    plies = game.plies;
    game_clear(&game);
    return plies;
}

/* In this position, each of the four moves parries a check and gives one, so neither
 * side loses by perpetual check (J7). */
#define BOTH_CHECK "2C2N1r1/4k2r1/2Nb5/6Rn1/9/8p/9/3G5/3K2b1c/4C4 r - 0 0 1"
/* The two kings, and row 3 as given, which holds one rook. */
#define ROOK_ON(row_3) "3k5/9/9/9/9/9/" row_3 "/9/9/5K3 r - 0 0 1"

static const struct {
    const char *rules, *start, *moves[4];
    int plies;
    enum reason reason;
    enum outcome outcome;
} rounds[] = {
    {"kja",
     BOTH_CHECK,
     {"D2-E1", "G1-E4", "E1-D2", "E4-G1"},
     8,
     REASON_REPETITION,
     OUTCOME_BLUE},
    {"courier",
     BOTH_CHECK,
     {"D2-E1", "G1-E4", "E1-D2", "E4-G1"},
     8,
     REASON_REPETITION,
     OUTCOME_DRAW},
    {"kja",
     ROOK_ON("4R4"),
     {"E3-D3", "D9-E9", "D3-E3", "E9-D9"},
     8,
     REASON_PERPETUAL_CHECK,
     OUTCOME_BLUE},
    {"martin",
     ROOK_ON("4R4"),
     {"E3-D3", "D9-E9", "D3-E3", "E9-D9"},
     8,
     REASON_REPETITION,
     OUTCOME_DRAW},
    {"kja",
     ROOK_ON("R8"),
     {"A3-D3", "D9-E9", "D3-A3", "E9-D9"},
     8,
     REASON_REPETITION,
     OUTCOME_RED},
    {"vchess",
     ROOK_ON("R8"),
     {"A3-D3", "D9-D8", "D3-A3", "D8-D9"},
     1,
     REASON_NONE,
     OUTCOME_NONE},
};

static void the_third_occurrence_ends_a_game(void)
{
    int before = failures;

    for (size_t i = 0; i < ARRAY_LEN(rounds); i++) {
        enum reason reason;
        enum outcome outcome;
        int plies = play_round(rounds[i].rules, rounds[i].start, rounds[i].moves,
                               &reason, &outcome);

        if (plies != rounds[i].plies)
            printf("# %d plies, %s\n", plies, reason_name(reason));
        expect(plies == rounds[i].plies && reason == rounds[i].reason &&
                   outcome == rounds[i].outcome,
               __func__, i);
    }
    done(__func__, before);
}

int main(void)
{
    of_two_ends_the_first_of_the_list_counts();
    refusals_at_the_edge_of_a_rule();
    nobody_has_more_than_a_side_begins_with();
    no_other_letter_is_a_piece();
    no_other_word_is_a_pass();
    the_third_occurrence_ends_a_game();
    return failures != 0;
}
