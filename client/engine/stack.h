/* The search stack: the root position, the plies that led to it, and the plies that the
 * search has made from it. Makes and unmakes moves, and detects the end of the game on
 * this line. */
#ifndef CLIENT_ENGINE_STACK_H
#define CLIENT_ENGINE_STACK_H

#include "client/engine/nnue.h"
#include "client/engine/search.h"
#include "client/engine/tt.h"
#include "common/game/legal.h"

enum { STACK_PLIES = SEARCH_DEPTH_MAX * 2 + 8 };

/* One position of the line. */
struct stack_node {
    struct legal_view view;
    struct move move; /* the move that was made here; tt_no_move() for a null move */
    struct undo undo;
    struct nnue_accumulator accumulator;
};

struct stack {
    const struct ruleset *rules;
    struct position position; /* the position at the top */
    struct stack_node node[STACK_PLIES];
    /* The plies that led to `position`: those before the root, then those of the
     * line. */
    struct search_ply played[SEARCH_PAST_MAX + STACK_PLIES];
    int past;       /* how many plies of `played` are before the root */
    int plies;      /* how many plies `played` has */
    int first;      /* index in `played` of the ply after the last null move (a skipped
                     * turn): positions before this ply cannot be repeated; 0: there is
                     * no null move */
    uint64_t nodes; /* moves made since stack_init(), including those that were
                     * unmade */
    const struct tt *tt; /* borrowed; stack_make() prefetches the entry of the new
                          * position */
};

/* Returns the number of plies from the root to the top. */
static inline int stack_ply(const struct stack *stack)
{
    return stack->plies - stack->past;
}

static inline struct stack_node *stack_top(struct stack *stack)
{
    return &stack->node[stack_ply(stack)];
}

static inline bool stack_in_check(const struct stack_node *node)
{
    return !points_is_empty(node->view.checkers);
}

/* Returns true if the side to move must react to the last ply: it is in check, or the
 * kings face each other (bare kings). */
static inline bool stack_is_pressed(const struct stack_node *node)
{
    return stack_in_check(node) || node->view.is_bare;
}

/* Sets the root: the position of `task` with its past. Borrows the rules and the
 * table. */
void stack_init(struct stack *stack, const struct search_task *task,
                const struct tt *tt);

void stack_make(struct stack *stack, struct move move);
/* Makes a null move: the side to move skips its turn, even where the rules allow no
 * pass. */
void stack_make_null(struct stack *stack);
void stack_unmake(struct stack *stack);
/* Returns true if the last ply was a null move. */
bool stack_is_null(const struct stack *stack);

/* Returns true if the rules end the game in the top position; *score then gets the
 * score for the side to move. If the top position has already occurred in the line,
 * this function assumes that it occurs for the third time. Do not call this function at
 * the root. */
bool stack_is_over(const struct stack *stack, int *score);

/* Returns the key of the top position in the transposition table. */
uint64_t stack_key(const struct stack *stack);

#endif
