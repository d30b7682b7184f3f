/* See see.h. */
#include "client/engine/see.h"

#include "client/engine/eval.h"
#include "common/game/board.h"
#include "common/game/reach.h"

/* An exchange on one point: the pieces that can still capture there. */
struct exchange {
    const struct position *position;
    int point;
    struct points alive; /* the pieces on the board, without those that have captured
                          * already */
    struct points cannons;
    bool is_cannon_there; /* the piece on the point is a cannon, which no cannon can
                           * capture */
};

static struct points attackers(const struct exchange *exchange, enum side side)
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

/* Returns the point of the least valuable piece in `men`; POINT_NONE: `men` is empty.
 * The king counts as the most valuable piece. */
static int least_valuable(const struct position *position, struct points men)
{
    static const enum kind by_value[] = {KIND_PAWN,   KIND_BISHOP, KIND_GUARD,
                                         KIND_KNIGHT, KIND_CANNON, KIND_ROOK,
                                         KIND_KING};

    for (size_t i = 0; i < ARRAY_LEN(by_value); i++) {
        struct points found = points_and(men, position->of_kind[by_value[i]]);

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

/* Returns how much `side` can win by the exchange if it is the next to capture. The
 * result is at least 0, because `side` need not capture. prize: the value of the piece
 * on the point. */
static int gain_of(struct exchange *exchange, enum side side, int prize)
{
    struct points men = attackers(exchange, side);
    int from = least_valuable(exchange->position, men);
    enum kind kind;
    int gain;

    if (from == POINT_NONE)
        return 0;
    kind = position_kind(exchange->position, from);
    step_in(exchange, from);
    if (kind == KIND_KING && !points_is_empty(attackers(exchange, side_other(side))))
        return 0; /* the king would be in check */
    gain = prize - gain_of(exchange, side_other(side), eval_kind(kind));
    return gain > 0 ? gain : 0;
}

int see(const struct position *position, struct move move)
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
