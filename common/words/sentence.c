/* See sentence.h. */
#include "common/words/sentence.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/game.h"
#include "common/words/term.h"

/* --- A refused move --- */

/* In these sentences, $m is the moving piece, $S its side, $h the rule of its move, $f
 * and $t the points that it moves from and to, $b the piece on the point $a, $w the side
 * of that piece, and $o the other side. */
static const char *const sentences[] = {
    [FAULT_NONE] = N_("the move is legal"),
    [FAULT_NOT_YOUR_TURN] = N_("it is not your turn"),
    [FAULT_NOT_STARTED] = N_("the game has not begun; the line-ups are being chosen"),
    [FAULT_OVER] = N_("the game is over"),
    [FAULT_TIME] = N_("your time is used up"),
    [FAULT_NOT_SETUP] = N_("you have no line-up to choose now"),
    [FAULT_ADJOURNED] =
        N_("the game is adjourned; it goes on when both players type \"continue\""),
    [FAULT_NOT_ADJOURNED] = N_("the game is not adjourned"),
    [FAULT_NO_PIECE] = N_("no piece stands on $a"),
    [FAULT_NOT_YOURS] = N_("the $b on $a is not yours"),
    [FAULT_WRONG_PIECE] = N_("the piece on $a is a $b, not a $m"),
    [FAULT_SAME_POINT] = N_("the $m would stay on $a; to make no move, type pass"),
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
    [FAULT_PASS_HAS_MOVE] = N_("you cannot pass: you can move, for example $f-$t"),
    [FAULT_PASS_IN_CHECK] = N_("you cannot pass: the $b on $a gives check"),
    [FAULT_PASS_BARE] =
        N_("you cannot pass: the kings face each other, and that is a check"),
    [FAULT_NO_SUCH_PLY] = N_("the game has no such move to go back to"),
};
static_assert(ARRAY_LEN(sentences) == FAULTS, "every fault has a sentence");

/* How each piece moves, for FAULT_SHAPE (RULES.md P1-P6). */
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

/* What stands for $ and a letter in a sentence: words, or a number. A list ends with the
 * letter NUL. */
struct slot {
    char letter;
    const char *words;
    int number;
};

static void fill_slots(char out[SENTENCE_BYTES], const char *words,
                       const struct slot *slots)
{
    struct text text = text_into(out, SENTENCE_BYTES);

    for (; *words != '\0'; words++) {
        const struct slot *slot = slots;

        if (*words != '$') {
            text_addf(&text, "%c", *words);
            continue;
        }
        words++;
        while (slot->letter != '\0' && slot->letter != *words)
            slot++;
        if (slot->words != NULL)
            text_add(&text, slot->words);
        else
            text_addf(&text, "%d", slot->number);
    }
}

/* Writes the name of the point, or "" if it is none; returns `out`. */
static const char *point_words(char out[POINT_BYTES], int point)
{
    out[0] = '\0';
    if (point >= 0 && point < BOARD_POINTS)
        side_format_point(out, point);
    return out;
}

static void fill_fault(char out[SENTENCE_BYTES], const char *words,
                       const struct fault *fault)
{
    char at[POINT_BYTES], from[POINT_BYTES], to[POINT_BYTES];
    const struct slot slots[] = {
        {'S', term_side_title(fault->side), 0},
        {'m', term_piece(fault->kind, fault->side), 0},
        {'b', term_piece(fault->by, fault->by_side), 0},
        {'w', term_side(fault->by_side), 0},
        {'o', term_side(side_other(fault->by_side)), 0},
        {'h', _(ways[fault->kind]), 0},
        {'a', point_words(at, fault->at), 0},
        {'f', point_words(from, fault->move.from), 0},
        {'t', point_words(to, fault->move.to), 0},
        {'\0', "", 0},
    };

    fill_slots(out, words, slots);
}

void sentence_fault(char out[SENTENCE_BYTES], struct fault fault)
{
    fill_fault(out, _(sentences[fault.code]), &fault);
}

void sentence_fault_of_both(char out[SENTENCE_BYTES], struct fault fault)
{
    if (fault.code == FAULT_NOT_YOURS)
        fill_fault(out, _("it is $o's turn, and the $b on $a is $w's"), &fault);
    else
        sentence_fault(out, fault);
}

/* --- A move that was made --- */

/* In the sentences of this function, $b is the captured piece. */
void sentence_move(char out[SENTENCE_BYTES], const struct game_last *last)
{
    const struct fault slots = {.side = last->side,
                                .kind = last->mover,
                                .by = last->taken,
                                .by_side = side_other(last->side),
                                .move = last->move};
    const char *words = last->mover == KIND_NONE   ? N_("$S passes.")
                        : last->taken == KIND_NONE ? N_("$S $m $f to $t.")
                                                   : N_("$S $m $f takes $b $t.");

    fill_fault(out, _(words), &slots);
}

/* --- A refused position --- */

/* In these sentences, a $ and a letter stand for a part of the fault:
 *   $S  the side, with a capital letter   $r  the row
 *   $k  the piece                         $n  the row below $r
 *   $p  the point of the piece            $c  the number that was counted
 *   $x  the byte                          $l  the least allowed number
 *   $R  the ruleset                       $m  the greatest allowed number */
static const char *const positions[] = {
    [POSITION_SOUND] = "",
    [POSITION_BYTE] = N_("row $r: $x is neither a piece nor a number of empty points"),
    [POSITION_ROW_LONG] = N_("row $r has more than 9 points"),
    [POSITION_ROW_SHORT] = N_("row $r has $c points, not 9"),
    [POSITION_ROW_MISSING] = N_("the board ends after row $r; row $n is missing"),
    [POSITION_ROWS] = N_("the board has more than 10 rows"),
    [POSITION_FORTRESS] = N_("$S's $k on $p stands outside its fortress"),
    [POSITION_PAWN_BEHIND] =
        N_("$S's pawn on $p stands behind the row it started from"),
    [POSITION_KINGS] = N_("$S has $c kings, not 1"),
    [POSITION_TOO_MANY] = N_("$S has $c $ks; at most $m are allowed"),
    [POSITION_SIDE] = N_("the side to move (after the board) must be r or b"),
    [POSITION_FORFEITS] =
        N_("the forfeits (after the side to move) must be -, r, b or rb"),
    [POSITION_PASSES] = N_("the passes must be a number from $l to $m"),
    [POSITION_QUIET] = N_("the plies without a capture must be a number from $l to $m"),
    [POSITION_NUMBER] = N_("the move number must be a number from $l to $m"),
    [POSITION_TRAILING] = N_("unexpected text after the move number"),
    [POSITION_IN_CHECK] =
        N_("$S is in check by the $k on $p, but it is the other side's turn"),
    [POSITION_NO_FORFEITS] = N_("there are no forfeits in the ruleset $R; write -"),
    [POSITION_FORFEIT_MISSING] =
        N_("the kings are bare, so the forfeits must include $S"),
};
static_assert(ARRAY_LEN(positions) == POSITION_FAULTS, "every fault has a sentence");

void sentence_position(char out[SENTENCE_BYTES], const struct position_fault *fault)
{
    char point[POINT_BYTES], byte[16];
    const struct slot slots[] = {
        {'S', term_side_title(fault->side), 0},
        {'k', term_kind(fault->kind), 0},
        {'p', point_words(point, fault->at), 0},
        {'x', byte, 0},
        {'R', fault->rules != NULL ? ruleset_name(fault->rules) : "", 0},
        {'r', NULL, fault->row},
        {'n', NULL, fault->row - 1},
        {'c', NULL, fault->count},
        {'l', NULL, fault->least},
        {'m', NULL, fault->most},
        {'\0', "", 0},
    };

    snprintf(byte, sizeof byte,
             fault->byte > ' ' && fault->byte <= '~' ? "'%c'" : "byte 0x%02X",
             (unsigned char)fault->byte);
    fill_slots(out, _(positions[fault->code]), slots);
}

/* --- A result --- */

/* How a game was won, in which $S is the winner, and how it was drawn. NULL: the rules of no
 * ruleset say so. */
static const struct {
    const char *won, *drawn;
} results[REASONS] = {
    [REASON_CHECKMATE] = {N_("$S wins by checkmate."), NULL},
    [REASON_NAKED_CHECK] =
        {NULL, N_("Draw: the kings are bare and there is no answer to that.")},
    [REASON_MATE_BY_FORFEITED] =
        {NULL, N_("Draw: mate, but by a side that had bared the kings.")},
    [REASON_KING_GUARD] = {NULL,
                           N_("Draw: mate, but the king could take the mating piece if "
                              "that did not bare the kings.")},
    [REASON_BOTH_FORFEITED] = {NULL, N_("Draw: both sides have bared the kings.")},
    [REASON_BIKJANG] = {N_("$S wins: the kings were left bare."),
                        N_("Draw: the kings were left bare.")},
    [REASON_PERPETUAL_CHECK] = {N_("$S wins: the other side gave perpetual check."),
                                NULL},
    [REASON_DOUBLE_PASS] = {N_("$S wins: both sides passed."),
                            N_("Draw: both sides passed.")},
    [REASON_REPETITION] = {N_("$S wins: the same position for the third time."),
                           N_("Draw: the same position for the third time.")},
    [REASON_NO_CAPTURE] = {N_("$S wins: 100 plies without a capture."),
                           N_("Draw: 100 plies without a capture.")},
    [REASON_RESIGNATION] = {N_("$S wins by resignation."), N_("Draw by resignation.")},
    [REASON_TIME] = {N_("$S wins on time."), N_("Draw on time.")},
    [REASON_ABSENCE] = {N_("$S wins: the other side was away too long."),
                        N_("Draw: the other side was away too long.")},
    [REASON_AGREEMENT] = {NULL, N_("Draw by agreement.")},
    [REASON_HOST] = {N_("$S wins by decision of the host."),
                     N_("Draw by decision of the host.")},
};

void sentence_outcome(char out[SENTENCE_BYTES], enum outcome outcome,
                      enum reason reason)
{
    const struct fault winner = {.side = outcome == OUTCOME_RED ? SIDE_RED : SIDE_BLUE};
    const char *words =
        outcome == OUTCOME_DRAW ? results[reason].drawn : results[reason].won;

    if (reason == REASON_ABORTED)
        words = N_("The game was aborted.");
    else if (outcome == OUTCOME_NONE && reason == REASON_ABSENCE)
        words = N_("The game ended without a result: neither player came.");
    else if (outcome == OUTCOME_NONE && reason == REASON_HOST)
        words = N_("The game ended without a result by decision of the host.");
    else if (outcome == OUTCOME_NONE)
        words = N_("The game goes on.");
    else if (words == NULL)
        words = outcome == OUTCOME_DRAW ? N_("Draw.") : N_("$S wins.");
    fill_fault(out, _(words), &winner);
}

/* --- A ruleset --- */

const char *sentence_ruleset(const struct ruleset *rules)
{
    static const struct {
        const char *name, *words;
    } table[] = {
        {"martin", N_("Roleigh Martin's rules of 1995, the default here")},
        {"courier", N_("the rules of the preset for Korean Chess at Game Courier")},
        {"vchess", N_("the rules of the page on Janggi at vchess")},
        {"kja", N_("modern tournament rules; points decide instead of a draw")},
    };

    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strcmp(table[i].name, ruleset_name(rules)) == 0)
            return _(table[i].words);
    return "";
}
