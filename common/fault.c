/* The names of refusals and the sentences that explain them: rules.h, "Faults". */
#include "common/rules.h"

#include <assert.h>

#include "common/text.h"

static const struct {
    const char *name;
    /* In the sentence, %m is the moving piece, %f and %t are the ends of the move, %b is
     * the piece on %a. */
    const char *words;
} faults[] = {
    [FAULT_NONE] = {"none", "the move is legal"},
    [FAULT_NOT_YOUR_TURN] = {"not-your-turn", "it is not your turn"},
    [FAULT_NOT_STARTED] = {"not-started", "the game has not begun; the line-ups are "
                                          "being chosen"},
    [FAULT_OVER] = {"over", "the game is over"},
    [FAULT_TIME] = {"time", "your time is used up"},
    [FAULT_NOT_SETUP] = {"not-setup", "you have no line-up to choose now"},
    [FAULT_NO_PIECE] = {"no-piece", "no piece stands on %a"},
    [FAULT_NOT_YOURS] = {"not-yours", "the %b on %a is not yours"},
    [FAULT_WRONG_PIECE] = {"wrong-piece", "the piece on %a is a %b, not a %m"},
    [FAULT_SAME_POINT] = {"same-point", "the %m stays where it is; to let a turn go by, "
                                        "say pass"},
    [FAULT_OWN_TARGET] = {"own-target", "your own %b stands on %a"},
    [FAULT_SHAPE] = {"shape", "the %m on %f does not go to %t: %h"},
    [FAULT_PATH_BLOCKED] = {"path-blocked", "the %b on %a is in the rook's way to %t"},
    [FAULT_LEG_BLOCKED] = {"leg-blocked", "the %b on %a blocks the %m's step"},
    [FAULT_NO_SCREEN] = {"no-screen", "a cannon needs one piece to jump, and nothing "
                                      "stands between %f and %t"},
    [FAULT_TWO_SCREENS] = {"two-screens", "a cannon jumps one piece only, and the %b on "
                                          "%a is a second one before %t"},
    [FAULT_SCREEN_CANNON] = {"screen-cannon", "a cannon cannot jump a cannon, and the "
                                              "piece to jump on %a is one"},
    [FAULT_TARGET_CANNON] = {"target-cannon", "a cannon cannot take the cannon on %a"},
    [FAULT_LEAVES_FORTRESS] = {"leaves-fortress",
                               "the %m may not leave its fortress, and %t is outside"},
    [FAULT_PAWN_BACKWARD] = {"pawn-backward", "a pawn never moves backward"},
    [FAULT_IN_CHECK] = {"in-check", "the move leaves your king in check by the %b on %a"},
    [FAULT_MUST_ANSWER_BARE] =
        {"must-answer-bare", "the kings face each other, and the move leaves them so"},
    [FAULT_MAY_NOT_BARE] = {"may-not-bare", "the checking piece on %t is guarded by the "
                                            "king on %a: taking it would bare the kings"},
    [FAULT_PASS_HAS_MOVE] = {"pass-has-move",
                             "you cannot pass: you have a move, for one %f-%t"},
    [FAULT_PASS_IN_CHECK] = {"pass-in-check",
                             "you cannot pass: the %b on %a gives check"},
    [FAULT_PASS_BARE] = {"pass-bare", "you cannot pass: the kings face each other, and "
                                      "that is a check"},
    [FAULT_NO_SUCH_PLY] = {"no-such-ply", "the game has no such move to go back to"},
};
static_assert(ARRAY_LEN(faults) == FAULTS, "every fault has a name and its words");

/* How each piece does move, for FAULT_SHAPE (RULES.md P1-P6). */
static const char *const ways[KINDS] = {
    "",
    "it follows one straight painted line",
    "it goes one step straight, then one diagonally outward",
    "it goes one step straight, then two diagonally outward",
    "it goes one step along a painted line",
    "it goes one step along a painted line",
    "it jumps along one straight painted line",
    "it goes one step forward or sideways",
};

const char *fault_name(enum fault_code code)
{
    return faults[code].name;
}

static void add_point(struct text *text, int point)
{
    char name[POINT_BYTES];

    if (point < 0 || point >= BOARD_POINTS)
        return;
    point_format(name, point);
    text_add(text, name);
}

static void add_slot(struct text *text, char slot, const struct fault *fault)
{
    switch (slot) {
    case 'm':
        text_add(text, kind_name(fault->kind));
        break;
    case 'b':
        text_add(text, kind_name(fault->by));
        break;
    case 'h':
        text_add(text, ways[fault->kind]);
        break;
    case 'a':
        add_point(text, fault->at);
        break;
    case 'f':
        add_point(text, fault->move.from);
        break;
    default:
        add_point(text, fault->move.to);
        break;
    }
}

void fault_describe(char out[FAULT_WORDS_BYTES], struct fault fault)
{
    struct text text = text_into(out, FAULT_WORDS_BYTES);

    for (const char *words = faults[fault.code].words; *words != '\0'; words++) {
        if (*words == '%')
            add_slot(&text, *++words, &fault);
        else
            text_addf(&text, "%c", *words);
    }
}
