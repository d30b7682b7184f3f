/* Why a move is refused: rules_judge() of rules.h. Looks for the most telling cause in
 * this order: whose piece it is, how the piece moves, what is in its way, what stands
 * on the target, what would become of the own king. Each piece is judged by walking its
 * way on the board, not by the tables of legal.c; the tests hold both against each
 * other. */
#include "common/game/rules.h"

#include <stdlib.h>

#include "common/game/legal.h"
#include "common/game/reach.h"

static struct fault fault_at(const struct position *position, struct move move,
                             enum fault_code code, int at)
{
    bool has_from = !move_is_pass(move);

    return (struct fault){
        .code = code,
        .kind = has_from ? position_kind(position, move.from) : KIND_NONE,
        .at = at,
        .by = at != POINT_NONE ? position_kind(position, at) : KIND_NONE,
        .move = move};
}

/* --- How each piece moves --- */

/* Pieces on the way along a line, nearest first; their number, at most 2 are noted. */
static int count_on_way(const struct position *position, struct move move, int found[2])
{
    struct points between;
    int count = 0;
    bool is_up = move.to > move.from; /* points of a line are in order of number */

    if (!reach_is_line(move.from, move.to, &between))
        return 0;
    for (struct points left = points_and(between, position_taken(position));
         !points_is_empty(left); count++) {
        int at = points_take(&left);

        if (is_up && count < 2)
            found[count] = at;
        if (!is_up) { /* nearest last */
            found[1] = found[0];
            found[0] = at;
        }
    }
    return count;
}

static struct fault judge_rook(const struct position *position, struct move move)
{
    int found[2] = {POINT_NONE, POINT_NONE};
    struct points between;

    if (!reach_is_line(move.from, move.to, &between))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    if (count_on_way(position, move, found) > 0)
        return fault_at(position, move, FAULT_PATH_BLOCKED, found[0]);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_cannon(const struct position *position, struct move move)
{
    int found[2] = {POINT_NONE, POINT_NONE};
    struct points between;
    int count;

    if (!reach_is_line(move.from, move.to, &between))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    count = count_on_way(position, move, found);
    if (count == 0)
        return fault_at(position, move, FAULT_NO_SCREEN, POINT_NONE);
    if (position_kind(position, found[0]) == KIND_CANNON)
        return fault_at(position, move, FAULT_SCREEN_CANNON, found[0]);
    if (count > 1)
        return fault_at(position, move, FAULT_TWO_SCREENS, found[1]);
    if (position_kind(position, move.to) == KIND_CANNON &&
        position_side(position, move.to) != (enum side)position->side)
        return fault_at(position, move, FAULT_TARGET_CANNON, move.to);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

/* Knight and bishop: every point they pass must be empty. */
static struct fault judge_legs(const struct position *position, struct move move)
{
    int legs[2];
    int count =
        reach_legs(position_kind(position, move.from), move.from, move.to, legs);

    if (count == 0)
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    for (int i = 0; i < count; i++)
        if (position->at[legs[i]] != 0)
            return fault_at(position, move, FAULT_LEG_BLOCKED, legs[i]);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

/* King and guard. */
static struct fault judge_step(const struct position *position, struct move move)
{
    if (!side_owns_fortress_at((enum side)position->side, move.to))
        return fault_at(position, move, FAULT_LEAVES_FORTRESS, move.to);
    if (!points_has(reach_king(move.from), move.to))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_pawn(const struct position *position, struct move move)
{
    enum side side = (enum side)position->side;
    int files = point_file(move.to) - point_file(move.from);
    int rows = side_rows_ahead(side, move.to) - side_rows_ahead(side, move.from);

    if (rows == -1 && abs(files) <= 1)
        return fault_at(position, move, FAULT_PAWN_BACKWARD, POINT_NONE);
    if (!points_has(reach_pawn(move.from, side), move.to))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_way(const struct position *position, struct move move)
{
    switch (position_kind(position, move.from)) {
    case KIND_ROOK:
        return judge_rook(position, move);
    case KIND_CANNON:
        return judge_cannon(position, move);
    case KIND_KNIGHT:
    case KIND_BISHOP:
        return judge_legs(position, move);
    case KIND_GUARD:
    case KIND_KING:
        return judge_step(position, move);
    default:
        return judge_pawn(position, move);
    }
}

/* --- Whose piece, and the kings --- */

static struct fault judge_owner(const struct position *position, struct move move)
{
    if (position->at[move.from] == 0)
        return fault_at(position, move, FAULT_NO_PIECE, move.from);
    if (position_side(position, move.from) != (enum side)position->side)
        return fault_at(position, move, FAULT_NOT_YOURS, move.from);
    if (move.from == move.to)
        return fault_at(position, move, FAULT_SAME_POINT, move.from);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_kings(const struct ruleset *rules,
                                const struct position *position, struct move move)
{
    struct legal_view view;
    struct points attackers;
    enum fault_code code;
    int at = POINT_NONE;

    legal_look(&view, rules, position);
    code = legal_try(&view, move.from, move.to, &attackers);
    if (code == FAULT_IN_CHECK)
        at = points_first(attackers);
    else if (code != FAULT_NONE)
        at = view.enemy_king;
    return fault_at(position, move, code, at);
}

static struct fault judge_pass(const struct ruleset *rules,
                               const struct position *position)
{
    struct legal_view view;
    struct move example = move_pass();
    bool has_move;

    legal_look(&view, rules, position);
    has_move = legal_has_move(&view, &example);
    if (legal_is_pass(&view, has_move))
        return fault_at(position, move_pass(), FAULT_NONE, POINT_NONE);
    if (!points_is_empty(view.checkers))
        return fault_at(position, move_pass(), FAULT_PASS_IN_CHECK,
                        points_first(view.checkers));
    if (view.is_bare && rules->bare == BARE_IS_CHECK)
        return fault_at(position, move_pass(), FAULT_PASS_BARE, view.enemy_king);
    return fault_at(position, example, FAULT_PASS_HAS_MOVE, example.from);
}

struct fault rules_judge(const struct ruleset *rules, const struct position *position,
                         struct move move)
{
    struct fault fault;

    if (move_is_pass(move))
        return judge_pass(rules, position);
    fault = judge_owner(position, move);
    if (fault.code == FAULT_NONE)
        fault = judge_way(position, move);
    if (fault.code == FAULT_NONE &&
        position_side(position, move.to) == (enum side)position->side)
        fault = fault_at(position, move, FAULT_OWN_TARGET, move.to);
    if (fault.code == FAULT_NONE)
        fault = judge_kings(rules, position, move);
    return fault;
}
