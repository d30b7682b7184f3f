/* The protocol's names of faults (rules.h, "Faults"). */
#include "common/game/rules.h"

#include <assert.h>

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

const char *fault_name(enum fault_code code)
{
    return names[code];
}
