/* See stack.h. */
#include "client/engine/stack.h"

#include <string.h>

#include "client/engine/eval.h"

void stack_init(struct stack *stack, const struct search_task *task,
                const struct tt *tt)
{
    stack->tt = tt;
    stack->rules = task->rules;
    stack->position = task->position;
    memcpy(stack->played, task->past.ply, sizeof task->past.ply);
    stack->past = stack->plies = task->past.plies;
    stack->first = 0;
    stack->nodes = 0;
    legal_look(&stack->node[0].view, stack->rules, &stack->position);
    nnue_look(&stack->node[0].accumulator, &stack->position);
}

/* Returns the move to give to rules_make() and rules_unmake(). These functions do not
 * know null moves, so this function returns a pass for a null move. It returns any
 * other move unchanged. */
static struct move real_move(struct move move)
{
    return move_is_same(move, tt_no_move()) ? move_pass() : move;
}

void stack_make(struct stack *stack, struct move move)
{
    struct stack_node *node = stack_top(stack);
    struct search_ply *ply = &stack->played[stack->plies];

    node->move = move;
    ply->key = stack->position.key;
    nnue_follow(&node[1].accumulator, &node->accumulator, &stack->position,
                real_move(move));
    rules_make(stack->rules, &stack->position, real_move(move), &node->undo);
    stack->plies++;
    stack->nodes++;
    tt_prefetch(stack->tt, stack_key(stack));
    node = stack_top(stack);
    legal_look(&node->view, stack->rules, &stack->position);
    ply->gave_check = stack_in_check(node);
}

void stack_make_null(struct stack *stack)
{
    stack_make(stack, tt_no_move());
}

void stack_unmake(struct stack *stack)
{
    const struct stack_node *node;

    stack->plies--;
    node = stack_top(stack);
    rules_unmake(&stack->position, real_move(node->move), &node->undo);
}

bool stack_is_null(const struct stack *stack)
{
    return stack_ply(stack) > 0 &&
           move_is_same(stack->node[stack_ply(stack) - 1].move, tt_no_move());
}

uint64_t stack_key(const struct stack *stack)
{
    /* After ALL_QUIET plies without a capture, the number of these plies is part of the
     * key. Then the score depends on this number, because the game ends after 100 plies
     * without a capture. */
    enum { ALL_QUIET = 84 };
    const struct position *position = &stack->position;
    uint64_t rest = position->passes | (stack_is_null(stack) ? 4 : 0);

    if (position->quiet >= ALL_QUIET)
        rest |= (uint64_t)position->quiet << 3;
    return position->key ^ rest * UINT64_C(0x9e3779b97f4a7c15);
}

/* --- Ends --- */

static void look_back(const struct stack *stack, struct history_view *history)
{
    const struct search_ply *played = stack->played;
    const struct past_view past = {.key = &played->key,
                                   .gave_check = &played->gave_check,
                                   .stride = sizeof *played,
                                   .plies = stack->plies,
                                   .first = stack->first,
                                   .own = stack->past,
                                   .last_gave_check =
                                       played[stack->plies - 1].gave_check};

    history->was_bare = stack->node[stack_ply(stack) - 1].view.is_bare;
    rules_look_back(&stack->position, &past, history);
}

/* Returns false if the game cannot end in this position under any ruleset; then a call
 * of rules_ending() is not needed. These four conditions are enough, for two reasons.
 * If stack_is_pressed() is false, the side to move always has a move, because it may at
 * least pass. And a side loses its right to win only when it bares the kings. */
static bool may_be_over(const struct stack *stack, const struct history_view *history)
{
    const struct position *position = &stack->position;

    return stack_is_pressed(&stack->node[stack_ply(stack)]) || position->passes > 1 ||
           position->quiet >= 100 || history->occurrences > 2;
}

bool stack_is_over(const struct stack *stack, int *score)
{
    struct history_view history;
    enum outcome outcome;
    bool is_red = stack->position.side == SIDE_RED;

    look_back(stack, &history);
    if (!may_be_over(stack, &history) ||
        rules_ending(stack->rules, &stack->position, &history, &outcome) == REASON_NONE)
        return false;
    if (outcome == OUTCOME_DRAW)
        *score = 0;
    else if ((outcome == OUTCOME_RED) == is_red)
        *score = EVAL_WIN - stack_ply(stack);
    else
        *score = stack_ply(stack) - EVAL_WIN;
    return true;
}
