/* Which moves to try first: what was best before, captures that win something, quiet
 * moves that did well elsewhere, and last what loses. See search_parts.h. */
#include "client/engine/eval.h"
#include "client/engine/search_parts.h"

enum {
    RANK_FIRST = 1 << 30,
    RANK_CAPTURE = 1 << 24,
    RANK_KILLER = 1 << 22, /* the second is one less */
    RANK_LOSING = -(1 << 24),
    HISTORY_MAX = 1 << 14
};

/* --- Exchanges --- */

/* Who may still take on one point. */
struct exchange {
    const struct position *position;
    int point;
    struct points alive; /* of both sides, less those that have taken */
    struct points cannons;
    bool is_cannon_there; /* which no cannon takes */
};

static struct points takers(const struct exchange *exchange, enum side side)
{
    const struct position *position = exchange->position;
    struct points men = points_and(position->of_side[side], exchange->alive);
    struct crowd crowd = {points_or(exchange->alive, points_of(exchange->point)),
                          exchange->cannons};
    struct points found =
        reach_attackers(exchange->point, side, men, position->of_kind, &crowd);
    struct points court =
        points_or(position->of_kind[KIND_GUARD], position->of_kind[KIND_KING]);

    if (exchange->is_cannon_there)
        found = points_less(found, position->of_kind[KIND_CANNON]);
    return points_or(found,
                     points_and(points_and(men, court), reach_king(exchange->point)));
}

/* The cheapest of men, the king last. */
static int cheapest(const struct position *position, struct points men)
{
    static const enum kind by_worth[] = {KIND_PAWN,   KIND_BISHOP, KIND_GUARD,
                                         KIND_KNIGHT, KIND_CANNON, KIND_ROOK,
                                         KIND_KING};

    for (size_t i = 0; i < ARRAY_LEN(by_worth); i++) {
        struct points found = points_and(men, position->of_kind[by_worth[i]]);

        if (!points_is_empty(found))
            return points_first(found);
    }
    return POINT_NONE;
}

static void step_in(struct exchange *exchange, int from)
{
    struct points left = points_of(from);

    exchange->is_cannon_there = position_kind(exchange->position, from) == KIND_CANNON;
    exchange->alive = points_less(exchange->alive, left);
    exchange->cannons = points_less(exchange->cannons, left);
}

/* What side, to take next, wins at most when the piece there is worth prize. */
static int gain_of(struct exchange *exchange, enum side side, int prize)
{
    struct points men = takers(exchange, side);
    int from = cheapest(exchange->position, men);
    enum kind kind;
    int gain;

    if (from == POINT_NONE)
        return 0;
    kind = position_kind(exchange->position, from);
    step_in(exchange, from);
    if (kind == KIND_KING && !points_is_empty(takers(exchange, side_other(side))))
        return 0; /* it would step into check */
    gain = prize - gain_of(exchange, side_other(side), eval_kind(kind));
    return gain > 0 ? gain : 0;
}

int order_exchange(const struct position *position, struct move move)
{
    enum side other = side_other((enum side)position->side);
    struct exchange exchange = {
        .position = position,
        .point = move.to,
        .alive = points_less(position_taken(position), points_of(move.to)),
        .cannons = points_less(position->of_kind[KIND_CANNON], points_of(move.to))};
    int prize = eval_kind(position_kind(position, move.to));
    int stake = eval_kind(position_kind(position, move.from));

    step_in(&exchange, move.from);
    return prize - gain_of(&exchange, other, stake);
}

/* --- Ranks --- */

static int rank_capture(const struct position *position, struct move move)
{
    int prize = eval_kind(position_kind(position, move.to));
    int stake = eval_kind(position_kind(position, move.from));
    int gain = prize >= stake ? prize - stake : order_exchange(position, move);

    return gain >= 0 ? RANK_CAPTURE + 16 * prize - stake : RANK_LOSING + gain;
}

static int rank_quiet(const struct tree *tree, const struct node *node,
                      struct move move)
{
    if (move_is_pass(move)) /* which may end the game: that is seen at once */
        return tree->position.passes > 0 ? RANK_KILLER : 0;
    for (int i = 0; i < 2; i++)
        if (move_is_same(move, node->killer[i]))
            return RANK_KILLER - i;
    return tree->history[tree->position.at[move.from]][move.to];
}

static void add(struct order *order, struct move move, int rank)
{
    order->move[order->count] = move;
    order->rank[order->count++] = rank;
}

static void add_targets(struct tree *tree, struct node *node, int from,
                        struct points targets, struct move first)
{
    while (!points_is_empty(targets)) {
        struct move move = {(int8_t)from, (int8_t)points_take(&targets)};

        if (move_is_same(move, first))
            add(&node->order, move, RANK_FIRST);
        else if (tree->position.at[move.to] != 0)
            add(&node->order, move, rank_capture(&tree->position, move));
        else
            add(&node->order, move, rank_quiet(tree, node, move));
    }
}

void order_all(struct tree *tree, struct move first)
{
    struct node *node = tree_top(tree);

    node->order.count = node->order.at = 0;
    for (struct points men = node->view.own; !points_is_empty(men);) {
        int from = points_take(&men);

        add_targets(tree, node, from, legal_targets(&node->view, from), first);
    }
    if (legal_is_pass(&node->view, node->order.count > 0) && !line_is_skipped(tree))
        add(&node->order, move_pass(),
            move_is_pass(first) ? RANK_FIRST : rank_quiet(tree, node, move_pass()));
}

void order_captures(struct tree *tree)
{
    struct node *node = tree_top(tree);
    struct order *order = &node->order;
    int kept = 0;

    order->count = order->at = 0;
    for (struct points men = node->view.own; !points_is_empty(men);) {
        int from = points_take(&men);
        struct points prizes =
            points_and(legal_targets(&node->view, from), node->view.enemy);

        add_targets(tree, node, from, prizes, search_no_move());
    }
    for (int i = 0; i < order->count; i++)
        if (order->rank[i] >= 0) {
            order->move[kept] = order->move[i];
            order->rank[kept++] = order->rank[i];
        }
    order->count = kept;
}

bool order_next(struct order *order, struct move *out)
{
    int best = order->at, rank;

    if (order->at == order->count)
        return false;
    for (int i = best + 1; i < order->count; i++)
        if (order->rank[i] > order->rank[best])
            best = i;
    *out = order->move[best];
    rank = order->rank[best];
    order->move[best] = order->move[order->at];
    order->rank[best] = order->rank[order->at];
    order->move[order->at] = *out;
    order->rank[order->at++] = rank;
    return true;
}

bool order_is_quiet(const struct order *order)
{
    return order->rank[order->at - 1] <= RANK_KILLER;
}

/* --- History --- */

/* Moves a figure towards the bonus, the slower the nearer it is. */
static void nudge(int *figure, int bonus)
{
    int size = bonus > 0 ? bonus : -bonus;

    *figure += bonus - *figure * size / HISTORY_MAX;
}

void order_praise(struct tree *tree, struct move move, int depth)
{
    struct node *node = tree_top(tree);
    int bonus = depth < 16 ? 16 * depth * depth : 16 * 256;

    if (move_is_pass(move) || tree->position.at[move.to] != 0)
        return;
    if (!move_is_same(move, node->killer[0])) {
        node->killer[1] = node->killer[0];
        node->killer[0] = move;
    }
    for (int i = 0; i < node->order.at; i++) {
        struct move tried = node->order.move[i];

        if (!move_is_pass(tried) && tree->position.at[tried.to] == 0)
            nudge(&tree->history[tree->position.at[tried.from]][tried.to],
                  move_is_same(tried, move) ? bonus : -bonus);
    }
}
