/* See term.h. */
#include "common/words/term.h"

#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"

const char *term_side(enum side side)
{
    static const char *const words[] = {N_("red"), N_("blue"), N_("none")};

    return _(words[side]);
}

const char *term_side_title(enum side side)
{
    static const char *const words[] = {N_("Red"), N_("Blue"), N_("Nobody")};

    return _(words[side]);
}

const char *term_kind(enum kind kind)
{
    static const char *const words[KINDS] = {"",           N_("rook"),  N_("knight"),
                                             N_("bishop"), N_("guard"), N_("king"),
                                             N_("cannon"), N_("pawn")};

    return kind == KIND_NONE ? "" : _(words[kind]);
}

const char *term_piece(enum kind kind, enum side side)
{
    if (kind == KIND_PAWN && side == SIDE_RED)
        return C_("red", "pawn");
    if (kind == KIND_PAWN && side == SIDE_BLUE)
        return C_("blue", "pawn");
    return term_kind(kind);
}

const char *term_role(const char *role)
{
    static const char *const roles[] = {N_("guest"), N_("player"), N_("member"),
                                        N_("moderator"), N_("owner")};

    for (size_t i = 0; i < ARRAY_LEN(roles); i++)
        if (strcmp(roles[i], role) == 0)
            return _(roles[i]);
    return role;
}

const char *term_move(char out[TERM_MOVE_BYTES], struct move move)
{
    struct text text = text_into(out, TERM_MOVE_BYTES);
    char points[MOVE_BYTES];

    move_format(points, move);
    text_add(&text, move_is_pass(move) ? _("pass") : points);
    return out;
}

const char *term_outcome(enum outcome outcome)
{
    static const char *const words[] = {N_("none"), N_("red"), N_("blue"), N_("draw")};

    return _(words[outcome]);
}

const char *term_reason(enum reason reason)
{
    static const char *const words[REASONS] = {
        [REASON_NONE] = N_("none"),
        [REASON_CHECKMATE] = N_("checkmate"),
        [REASON_NAKED_CHECK] = N_("naked_check"),
        [REASON_MATE_BY_FORFEITED] = N_("mate_by_forfeited"),
        [REASON_KING_GUARD] = N_("king_guard"),
        [REASON_BOTH_FORFEITED] = N_("both_forfeited"),
        [REASON_BIKJANG] = N_("bikjang"),
        [REASON_PERPETUAL_CHECK] = N_("perpetual_check"),
        [REASON_DOUBLE_PASS] = N_("double_pass"),
        [REASON_REPETITION] = N_("repetition"),
        [REASON_NO_CAPTURE] = N_("no_capture"),
        [REASON_RESIGNATION] = N_("resignation"),
        [REASON_TIME] = N_("time"),
        [REASON_ABSENCE] = N_("absence"),
        [REASON_AGREEMENT] = N_("agreement"),
        [REASON_ABORTED] = N_("aborted"),
        [REASON_HOST] = N_("host"),
    };

    return _(words[reason]);
}
