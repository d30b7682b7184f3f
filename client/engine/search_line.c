/* The line from the past of a game to the position that is being looked at: moves
 * played and taken back, positions that come again, and the ends that the rules see on
 * it. See search_parts.h. */
#include <string.h>

#include "client/engine/search_parts.h"

static int ply_of(const struct tree *tree)
{
    return tree->plies - tree->past;
}

void line_begin(struct tree *tree, const struct search_task *task)
{
    tree->rules = task->rules;
    tree->limits = &task->limits;
    tree->position = task->position;
    memcpy(tree->played, task->past.ply, sizeof task->past.ply);
    tree->past = tree->plies = task->past.plies;
    tree->since = 0;
    tree->nodes = tree->look_again = 0;
    tree->is_over = false;
    legal_look(&tree->node[0].view, tree->rules, &tree->position);
}

static void push(struct tree *tree, struct move move)
{
    struct node *node = tree_top(tree);
    struct search_ply *ply = &tree->played[tree->plies];

    node->move = move;
    ply->key = tree->position.key;
    rules_make(tree->rules, &tree->position,
               move_is_same(move, search_no_move()) ? move_pass() : move, &node->undo);
    tree->plies++;
    tree->nodes++;
    node = tree_top(tree);
    legal_look(&node->view, tree->rules, &tree->position);
    ply->gave_check = node_is_checked(node);
}

void line_play(struct tree *tree, struct move move)
{
    push(tree, move);
}

void line_skip(struct tree *tree)
{
    push(tree, search_no_move());
}

void line_back(struct tree *tree)
{
    struct node *node;

    tree->plies--;
    node = tree_top(tree);
    rules_unmake(&tree->position,
                 move_is_same(node->move, search_no_move()) ? move_pass() : node->move,
                 &node->undo);
}

bool line_is_skipped(const struct tree *tree)
{
    return tree->plies > tree->past &&
           move_is_same(tree->node[ply_of(tree) - 1].move, search_no_move());
}

uint64_t line_key(const struct tree *tree)
{
    enum { ALL_QUIET = 84 }; /* from there on the end by no capture comes into view */
    const struct position *position = &tree->position;
    uint64_t rest = position->passes | (line_is_skipped(tree) ? 4 : 0);

    if (position->quiet >= ALL_QUIET)
        rest |= (uint64_t)position->quiet << 3;
    return position->key ^ rest * UINT64_C(0x9e3779b97f4a7c15);
}

/* --- Ends --- */

/* Whether side gave check with each of its plies from number first on. */
static bool checked_always(const struct tree *tree, int first, enum side side)
{
    bool is_last_mover = side != (enum side)tree->position.side;

    for (int i = is_last_mover ? tree->plies - 1 : tree->plies - 2; i >= first; i -= 2)
        if (!tree->played[i].gave_check)
            return false;
    return true;
}

static void look_back(const struct tree *tree, struct history_view *history)
{
    int first = tree->plies;
    bool red, blue;

    for (int i = tree->plies - 2;
         i >= tree->since && tree->plies - i <= (int)tree->position.quiet; i -= 2)
        if (tree->played[i].key == tree->position.key) {
            first = i;
            history->occurrences += i >= tree->past ? 2 : 1;
        }
    if (history->occurrences < 2)
        return;
    red = checked_always(tree, first, SIDE_RED);
    blue = checked_always(tree, first, SIDE_BLUE);
    if (red != blue)
        history->perpetual = red ? SIDE_RED : SIDE_BLUE;
}

/* No ruleset ends a game where none of this holds: who is not pressed has a reply, be
 * it the pass; and who forfeits has just bared the kings. */
static bool may_be_over(const struct tree *tree, const struct node *node,
                        const struct history_view *history)
{
    const struct position *position = &tree->position;

    return node_is_pressed(node) || position->passes > 1 || position->quiet >= 100 ||
           history->occurrences > 2;
}

bool line_is_over(const struct tree *tree, int *score)
{
    int ply = ply_of(tree);
    const struct node *node = &tree->node[ply];
    struct history_view history = {.was_bare = tree->node[ply - 1].view.is_bare,
                                   .occurrences = 1,
                                   .perpetual = SIDE_NONE};
    enum side side = (enum side)tree->position.side;
    enum outcome outcome;

    look_back(tree, &history);
    if (!may_be_over(tree, node, &history) ||
        rules_ending(tree->rules, &tree->position, &history, &outcome) == REASON_NONE)
        return false;
    if (outcome == OUTCOME_DRAW)
        *score = 0;
    else if ((outcome == OUTCOME_RED) == (side == SIDE_RED))
        *score = -score_of_loss(ply);
    else
        *score = score_of_loss(ply);
    return true;
}
