/* The names of refusals and the sentences that explain them: rules.h, "Faults". */
#include "common/game/rules.h"

#include <assert.h>

#include "common/base/text.h"
#include "common/base/translate.h"

static const char *const names[] = {
    [FAULT_NONE] = "none",
    [FAULT_NOT_YOUR_TURN] = "not-your-turn",
    [FAULT_NOT_STARTED] = "not-started",
    [FAULT_OVER] = "over",
    [FAULT_TIME] = "time",
    [FAULT_NOT_SETUP] = "not-setup",
    [FAULT_ADJOURNED] = "adjourned",
    [FAULT_NOT_ADJOURNED] = "not-adjourned",
    [FAULT_NO_PIECE] = "no-piece",
    [FAULT_NOT_YOURS] = "not-yours",
    [FAULT_WRONG_PIECE] = "wrong-piece",
    [FAULT_SAME_POINT] = "same-point",
    [FAULT_OWN_TARGET] = "own-target",
    [FAULT_SHAPE] = "shape",
    [FAULT_PATH_BLOCKED] = "path-blocked",
    [FAULT_LEG_BLOCKED] = "leg-blocked",
    [FAULT_NO_SCREEN] = "no-screen",
    [FAULT_TWO_SCREENS] = "two-screens",
    [FAULT_SCREEN_CANNON] = "screen-cannon",
    [FAULT_TARGET_CANNON] = "target-cannon",
    [FAULT_LEAVES_FORTRESS] = "leaves-fortress",
    [FAULT_PAWN_BACKWARD] = "pawn-backward",
    [FAULT_IN_CHECK] = "in-check",
    [FAULT_MUST_ANSWER_BARE] = "must-answer-bare",
    [FAULT_MAY_NOT_BARE] = "may-not-bare",
    [FAULT_PASS_HAS_MOVE] = "pass-has-move",
    [FAULT_PASS_IN_CHECK] = "pass-in-check",
    [FAULT_PASS_BARE] = "pass-bare",
    [FAULT_NO_SUCH_PLY] = "no-such-ply",
};
static_assert(ARRAY_LEN(names) == FAULTS, "every fault has a name");

/* In a sentence $m is the moving piece, $f and $t are the ends of the move, $b is the
 * piece on $a, and $h how the moving piece does move. */
static const char *const sentences[] = {
    [FAULT_NONE] = N_("the move is legal"),
    [FAULT_NOT_YOUR_TURN] = N_("it is not your turn"),
    [FAULT_NOT_STARTED] = N_("the game has not begun; the line-ups are being chosen"),
    [FAULT_OVER] = N_("the game is over"),
    [FAULT_TIME] = N_("your time is used up"),
    [FAULT_NOT_SETUP] = N_("you have no line-up to choose now"),
    [FAULT_ADJOURNED] = N_("the game is adjourned; it goes on once both say continue"),
    [FAULT_NOT_ADJOURNED] = N_("the game is not adjourned"),
    [FAULT_NO_PIECE] = N_("no piece stands on $a"),
    [FAULT_NOT_YOURS] = N_("the $b on $a is not yours"),
    [FAULT_WRONG_PIECE] = N_("the piece on $a is a $b, not a $m"),
    [FAULT_SAME_POINT] = N_("the $m would stay on $a; to let a turn go by, say pass"),
    [FAULT_OWN_TARGET] = N_("your own $b stands on $a"),
    [FAULT_SHAPE] = N_("the $m on $f does not go to $t: $h"),
    [FAULT_PATH_BLOCKED] = N_("the $b on $a is in the rook's way to $t"),
    [FAULT_LEG_BLOCKED] = N_("the $b on $a blocks the $m's step"),
    [FAULT_NO_SCREEN] =
        N_("a cannon needs one piece to jump, and nothing stands between "
           "$f and $t"),
    [FAULT_TWO_SCREENS] =
        N_("a cannon jumps one piece only, and the $b on $a is a second "
           "one before $t"),
    [FAULT_SCREEN_CANNON] = N_("a cannon cannot jump a cannon, and there is one on $a"),
    [FAULT_TARGET_CANNON] = N_("a cannon cannot take the cannon on $a"),
    [FAULT_LEAVES_FORTRESS] =
        N_("the $m may not leave its fortress, and $t is outside"),
    [FAULT_PAWN_BACKWARD] = N_("a pawn never moves backward"),
    [FAULT_IN_CHECK] = N_("the move leaves your king in check by the $b on $a"),
    [FAULT_MUST_ANSWER_BARE] =
        N_("the kings face each other, and the move leaves them so"),
    [FAULT_MAY_NOT_BARE] =
        N_("the king on $a guards the piece on $t: taking it would bare "
           "the kings"),
    [FAULT_PASS_HAS_MOVE] = N_("you cannot pass: you have a move, for one $f-$t"),
    [FAULT_PASS_IN_CHECK] = N_("you cannot pass: the $b on $a gives check"),
    [FAULT_PASS_BARE] =
        N_("you cannot pass: the kings face each other, and that is a check"),
    [FAULT_NO_SUCH_PLY] = N_("the game has no such move to go back to"),
};
static_assert(ARRAY_LEN(sentences) == FAULTS, "every fault has a sentence");

/* How each piece does move, for FAULT_SHAPE (RULES.md P1-P6). */
static const char *const ways[KINDS] = {
    "",
    N_("it follows one straight painted line"),
    N_("it goes one step straight, then one diagonally outward"),
    N_("it goes one step straight, then two diagonally outward"),
    N_("it goes one step along a painted line"),
    N_("it goes one step along a painted line"),
    N_("it jumps along one straight painted line"),
    N_("it goes one step forward or sideways"),
};

const char *fault_name(enum fault_code code)
{
    return names[code];
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
        text_add(text, _(kind_name(fault->kind)));
        break;
    case 'b':
        text_add(text, _(kind_name(fault->by)));
        break;
    case 'h':
        text_add(text, _(ways[fault->kind]));
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

    for (const char *words = _(sentences[fault.code]); *words != '\0'; words++) {
        if (*words == '$')
            add_slot(&text, *++words, &fault);
        else
            text_addf(&text, "%c", *words);
    }
}
