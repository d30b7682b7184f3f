/* See legal.h. legal_targets() calls legal_try() only for moves that may be illegal. If
 * view->is_pressed is true, each move may be illegal. Otherwise only two kinds of moves
 * may be illegal: moves of the king, and moves from or to a point of view->watch. */
#include "common/game/legal.h"

void legal_look(struct legal_view *view, const struct ruleset *rules,
                const struct position *position)
{
    enum side side = (enum side)position->side;
    enum side other = side_other(side);

    view->rules = rules;
    view->position = position;
    view->side = side;
    view->king = position->king[side];
    view->enemy_king = position->king[other];
    view->own = position->of_side[side];
    view->enemy = position->of_side[other];
    view->crowd.taken = points_or(view->own, view->enemy);
    view->crowd.cannons = position->of_kind[KIND_CANNON];
    view->checkers = reach_attackers(view->king, other, view->enemy, position->of_kind,
                                     &view->crowd);
    view->watch = reach_watch(view->king, view->enemy, position->of_kind);
    view->is_bare = reach_are_bare(view->king, view->enemy_king, view->crowd.taken);
    view->is_pressed = !points_is_empty(view->checkers) ||
                       (view->is_bare && rules->bare != BARE_IS_NOTHING);
}

/* Returns the pieces that are on the board after a move from `from` to `to`. */
static struct crowd crowd_after(const struct legal_view *view, int from, int to)
{
    struct points left = points_of(from), entered = points_of(to);
    struct crowd after;
    bool is_cannon = points_meet(view->crowd.cannons, left);

    after.taken = points_or(points_less(view->crowd.taken, left), entered);
    after.cannons = points_less(view->crowd.cannons, points_or(left, entered));
    if (is_cannon)
        after.cannons = points_or(after.cannons, entered);
    return after;
}

enum fault_code legal_try(const struct legal_view *view, int from, int to,
                          struct points *attackers)
{
    struct crowd after = crowd_after(view, from, to);
    struct points enemy = points_less(view->enemy, points_of(to));
    int king = from == view->king ? to : view->king;
    struct points found = reach_attackers(king, side_other(view->side), enemy,
                                          view->position->of_kind, &after);
    bool is_bare;

    if (attackers != NULL)
        *attackers = found;
    if (!points_is_empty(found)) /* C2 */
        return FAULT_IN_CHECK;
    if (!view->is_pressed)
        return FAULT_NONE;
    is_bare = reach_are_bare(king, view->enemy_king, after.taken);
    if (is_bare && view->is_bare && view->rules->bare != BARE_IS_NOTHING) /* M3, J4 */
        return FAULT_MUST_ANSWER_BARE;
    if (is_bare && view->rules->has_rule_7b && from == view->king &&
        points_has(view->checkers, to)) /* M7 */
        return FAULT_MAY_NOT_BARE;
    return FAULT_NONE;
}

/* Returns the points that the piece on `from` reaches, without the points of its own
 * side's pieces. */
static struct points targets(const struct legal_view *view, int from)
{
    enum kind kind = piece_kind(view->position->at[from]);

    return points_less(reach_of(kind, view->side, from, &view->crowd), view->own);
}

struct points legal_targets(const struct legal_view *view, int from)
{
    struct points legal = targets(view, from);
    bool is_free =
        !view->is_pressed && from != view->king && !points_has(view->watch, from);
    struct points doubtful = is_free ? points_and(legal, view->watch) : legal;

    while (!points_is_empty(doubtful)) {
        int to = points_take(&doubtful);

        if (legal_try(view, from, to, NULL) != FAULT_NONE)
            legal = points_less(legal, points_of(to));
    }
    return legal;
}

int legal_count(const struct legal_view *view)
{
    int count = 0;

    for (struct points men = view->own; !points_is_empty(men);)
        count += points_count(legal_targets(view, points_take(&men)));
    return count;
}

bool legal_has_move(const struct legal_view *view, struct move *example)
{
    for (struct points men = view->own; !points_is_empty(men);) {
        int from = points_take(&men);
        struct points legal = legal_targets(view, from);

        if (points_is_empty(legal))
            continue;
        if (example != NULL)
            *example = (struct move){(int8_t)from, (int8_t)points_first(legal)};
        return true;
    }
    return false;
}

bool legal_is_pass(const struct legal_view *view, bool has_move)
{
    if (view->is_bare && view->rules->bare != BARE_IS_NOTHING)
        return view->rules->bare == BARE_IS_OFFER;
    if (!points_is_empty(view->checkers))
        return false;
    return !has_move || !view->rules->pass_needs_no_move;
}
