/* See movepick.h. */
#include "client/engine/movepick.h"

#include "client/engine/eval.h"
#include "client/engine/see.h"
#include "client/engine/tt.h"
#include "common/game/board.h"

enum {
    RANK_FIRST = 1 << 30,
    RANK_CAPTURE = 1 << 24,
    RANK_KILLER = 1 << 22, /* of the first killer; the second has one less */
    RANK_LOSING = -(1 << 24),
    HISTORY_MAX = 1 << 14
};

/* --- Ranks --- */

static int rank_capture(const struct position *position, struct move move)
{
    int prize = eval_kind(position_kind(position, move.to));
    int stake = eval_kind(position_kind(position, move.from));
    int gain = prize >= stake ? prize - stake : see(position, move);

    return gain >= 0 ? RANK_CAPTURE + 16 * prize - stake : RANK_LOSING + gain;
}

static int rank_quiet(const struct position *position,
                      const struct movepick_hints *hints, struct move move)
{
    if (move_is_pass(move)) /* a second pass in a row can end the game, so it is tried
                             * early */
        return position->passes > 0 ? RANK_KILLER : 0;
    for (int i = 0; i < 2; i++)
        if (move_is_same(move, hints->killer[i]))
            return RANK_KILLER - i;
    return hints->history->value[position->at[move.from]][move.to];
}

static void add(struct movepick *pick, struct move move, int rank)
{
    pick->move[pick->count] = move;
    pick->rank[pick->count++] = rank;
}

/* --- Stages --- */

static void add_captures(struct movepick *pick, const struct position *position,
                         int from, struct points victims, struct move first)
{
    while (!points_is_empty(victims)) {
        struct move move = {(int8_t)from, (int8_t)points_take(&victims)};

        if (!move_is_same(move, first))
            add(pick, move, rank_capture(position, move));
    }
}

static void add_all_captures(struct movepick *pick)
{
    const struct legal_view *view = pick->view;
    struct points *targets = pick->targets;

    for (struct points men = view->own; !points_is_empty(men); targets++) {
        int from = points_take(&men);

        *targets = legal_targets(view, from);
        add_captures(pick, view->position, from, points_and(*targets, view->enemy),
                     pick->hints.first);
    }
}

static void add_pass(struct movepick *pick, bool has_move)
{
    const struct legal_view *view = pick->view;

    if (legal_is_pass(view, has_move) && !pick->hints.has_no_pass)
        add(pick, move_pass(),
            move_is_pass(pick->hints.first)
                ? RANK_FIRST
                : rank_quiet(view->position, &pick->hints, move_pass()));
}

static void add_all_quiet(struct movepick *pick)
{
    const struct legal_view *view = pick->view;
    const struct points *targets = pick->targets;

    for (struct points men = view->own; !points_is_empty(men); targets++) {
        int from = points_take(&men);
        struct points quiet = points_less(*targets, view->enemy);

        while (!points_is_empty(quiet)) {
            struct move move = {(int8_t)from, (int8_t)points_take(&quiet)};

            if (!move_is_same(move, pick->hints.first))
                add(pick, move, rank_quiet(view->position, &pick->hints, move));
        }
    }
    add_pass(pick, pick->count > 0);
}

static bool is_legal(const struct legal_view *view, struct move move)
{
    return !move_is_pass(move) && points_has(view->own, move.from) &&
           points_has(legal_targets(view, move.from), move.to);
}

void movepick_all(struct movepick *pick, const struct legal_view *view,
                  const struct movepick_hints *hints)
{
    pick->view = view;
    pick->hints = *hints;
    pick->count = pick->at = 0;
    pick->stage = MOVEPICK_FIRST;
    if (is_legal(view, hints->first))
        add(pick, hints->first, RANK_FIRST);
}

void movepick_captures(struct movepick *pick, const struct legal_view *view)
{
    int kept = 0;

    pick->stage = MOVEPICK_ALL;
    pick->count = pick->at = 0;
    for (struct points men = view->own; !points_is_empty(men);) {
        int from = points_take(&men);
        struct points victims = points_and(legal_targets(view, from), view->enemy);

        add_captures(pick, view->position, from, victims, tt_no_move());
    }
    for (int i = 0; i < pick->count; i++)
        if (pick->rank[i] >= 0) {
            pick->move[kept] = pick->move[i];
            pick->rank[kept++] = pick->rank[i];
        }
    pick->count = kept;
}

/* Returns the index of the best move that is left, or pick->count if there is none. */
static int best_left(const struct movepick *pick)
{
    int best = pick->at;

    for (int i = best + 1; i < pick->count; i++)
        if (pick->rank[i] > pick->rank[best])
            best = i;
    return best;
}

/* Finds the best move that is left. If a move of the next stage could be better, first
 * generates the moves of that stage. Returns the index of the best move, or pick->count
 * if there is none. */
static int find_next(struct movepick *pick)
{
    int best = best_left(pick);

    if (pick->stage == MOVEPICK_FIRST && best == pick->count) {
        pick->stage = MOVEPICK_CAPTURES;
        add_all_captures(pick);
        best = best_left(pick);
    }
    if (pick->stage == MOVEPICK_CAPTURES &&
        (best == pick->count || pick->rank[best] < 0)) {
        pick->stage = MOVEPICK_ALL;
        add_all_quiet(pick);
        best = best_left(pick);
    }
    return best;
}

bool movepick_next(struct movepick *pick, struct move *out)
{
    int best = find_next(pick), rank;

    if (best == pick->count)
        return false;
    *out = pick->move[best];
    rank = pick->rank[best];
    pick->move[best] = pick->move[pick->at];
    pick->rank[best] = pick->rank[pick->at];
    pick->move[pick->at] = *out;
    pick->rank[pick->at++] = rank;
    return true;
}

bool movepick_is_quiet(const struct movepick *pick)
{
    return pick->rank[pick->at - 1] <= RANK_KILLER;
}

/* --- History --- */

/* Adds `bonus`, which may be negative, to a history value. The step becomes smaller
 * when the value comes near HISTORY_MAX or -HISTORY_MAX, so the value does not pass
 * these limits. */
static void add_bonus(int *value, int bonus)
{
    int size = bonus > 0 ? bonus : -bonus;

    *value += bonus - *value * size / HISTORY_MAX;
}

void movepick_reward(struct movepick_history *history, const struct movepick *pick,
                     const struct position *position, struct move move, int depth)
{
    int bonus = depth < 16 ? 16 * depth * depth : 16 * 256;

    for (int i = 0; i < pick->at; i++) {
        struct move tried = pick->move[i];

        if (!move_is_pass(tried) && position->at[tried.to] == 0)
            add_bonus(&history->value[position->at[tried.from]][tried.to],
                      move_is_same(tried, move) ? bonus : -bonus);
    }
}
