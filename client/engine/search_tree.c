/* The tree of moves and replies: alpha-beta with a null window for all but the first
 * move, and at its ends captures until the position is at rest. See search_parts.h. */
#include <string.h>

#include "client/engine/eval.h"
#include "client/engine/search_parts.h"

/* What one look is about; the node beside it belongs to the line. */
struct look {
    struct node *node;
    int alpha, beta;
    int depth;
    int ply;
    struct memory memory; /* of the position, BOUND_NONE without one */
    struct move best;
    int best_score;
    int tried;
    bool is_main; /* on the line that both sides play best, as far as is known */
};

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* --- Limits --- */

enum { LOOK_AGAIN_NODES = 512 };

static bool must_stop(struct tree *tree)
{
    const struct search_limits *limits = tree->limits;
    int64_t spent_ms;

    if (limits->nodes != 0 && tree->nodes >= limits->nodes)
        tree->is_over = true;
    if (limits->spent_ms == NULL || tree->nodes < tree->look_again)
        return tree->is_over;
    tree->look_again = tree->nodes + LOOK_AGAIN_NODES;
    spent_ms = limits->spent_ms(limits->arg);
    if (spent_ms == SEARCH_STOP_MS ||
        (limits->hard_ms != 0 && spent_ms >= limits->hard_ms))
        tree->is_over = true;
    return tree->is_over;
}

/* --- Memory --- */

static int score_to_table(int score, int ply)
{
    if (score >= SCORE_ENDS)
        return score + ply;
    return score <= -SCORE_ENDS ? score - ply : score;
}

static int score_from_table(int score, int ply)
{
    if (score >= SCORE_ENDS)
        return score - ply;
    return score <= -SCORE_ENDS ? score + ply : score;
}

/* True when what is remembered answers the look. */
static bool remember(const struct tree *tree, struct look *look, int *score)
{
    struct memory *memory = &look->memory;

    if (!search_table_find(tree->table, line_key(tree), memory)) {
        *memory = (struct memory){.move = search_no_move(), .bound = BOUND_NONE};
        return false;
    }
    memory->score = *score = score_from_table(memory->score, look->ply);
    if (look->is_main || memory->depth < look->depth)
        return false;
    return memory->bound == BOUND_EXACT ||
           (memory->bound == BOUND_LOWER && *score >= look->beta) ||
           (memory->bound == BOUND_UPPER && *score <= look->alpha);
}

static void keep(const struct tree *tree, const struct look *look, int old_alpha)
{
    struct memory memory = {.move = look->best,
                            .score = score_to_table(look->best_score, look->ply),
                            .depth = max_of(look->depth, 0),
                            .bound = BOUND_EXACT};

    if (look->best_score >= look->beta)
        memory.bound = BOUND_LOWER;
    else if (look->best_score <= old_alpha)
        memory.bound = BOUND_UPPER;
    search_table_keep(tree->table, line_key(tree), &memory);
}

/* The best line from here is move and the best line from there. */
static void note_line(struct node *node, struct move move)
{
    const struct node *next = node + 1;

    node->line[0] = move;
    node->line_plies = min_of(next->line_plies + 1, SEARCH_LINE_MAX);
    memcpy(node->line + 1, next->line,
           (size_t)(node->line_plies - 1) * sizeof node->line[0]);
}

/* --- At rest --- */

enum { PRIZE_MARGIN = 150 };

/* Even with its prize the capture leaves the side short of alpha. */
static bool is_idle(const struct tree *tree, const struct look *look, struct move move)
{
    enum kind prize = position_kind(&tree->position, move.to);

    return look->node->eval + eval_kind(prize) + PRIZE_MARGIN <= look->alpha;
}

static int come_to_rest(struct tree *tree, int alpha, int beta);

static void try_at_rest(struct tree *tree, struct look *look, struct move move)
{
    int score;

    line_play(tree, move);
    score = -come_to_rest(tree, -look->beta, -look->alpha);
    line_back(tree);
    if (tree->is_over || score <= look->best_score)
        return;
    look->best_score = score;
    if (score > look->alpha) {
        look->alpha = score;
        note_line(look->node, move);
    }
}

/* Captures alone; but who is pressed must find an answer among all moves. */
static int come_to_rest(struct tree *tree, int alpha, int beta)
{
    struct look look = {.node = tree_top(tree),
                        .alpha = alpha,
                        .beta = beta,
                        .ply = tree->plies - tree->past,
                        .best_score = -SCORE_MAX};
    bool is_pressed = node_is_pressed(look.node);
    struct move move;
    int score;

    look.node->line_plies = 0;
    if (must_stop(tree))
        return 0;
    if (line_is_over(tree, &score))
        return score;
    look.node->eval = eval_position(tree->rules, &tree->position);
    if (look.ply >= TREE_PLIES - 2)
        return look.node->eval;
    if (!is_pressed) {
        look.best_score = look.node->eval;
        look.alpha = max_of(alpha, look.best_score);
        if (look.best_score >= beta)
            return look.best_score;
        order_captures(tree);
    } else {
        order_all(tree, search_no_move());
    }
    while (look.best_score < beta && !tree->is_over &&
           order_next(&look.node->order, &move))
        if (is_pressed || !is_idle(tree, &look, move))
            try_at_rest(tree, &look, move);
    return look.best_score;
}

/* --- Looks saved --- */

/* Without a rook, cannon or knight having to move may be a burden. */
static bool has_officer(const struct tree *tree)
{
    const struct position *position = &tree->position;
    struct points officers = points_or(
        position->of_kind[KIND_ROOK],
        points_or(position->of_kind[KIND_CANNON], position->of_kind[KIND_KNIGHT]));

    return points_meet(officers, position->of_side[position->side]);
}

/* Whoever stands well enough after leaving out a turn stands well enough. */
static bool skip_refutes(struct tree *tree, const struct look *look)
{
    int less = 3 + look->depth / 4 + min_of((look->node->eval - look->beta) / 300, 3);
    int since = tree->since;
    int score;

    if (look->depth < 3 || look->node->eval < look->beta || !has_officer(tree) ||
        line_is_skipped(tree) || tree->position.passes > 0 || look->beta <= -SCORE_ENDS)
        return false;
    line_skip(tree);
    tree->since = tree->plies;
    score = -tree_look(tree, -look->beta, -look->beta + 1, look->depth - less);
    tree->since = since;
    line_back(tree);
    return !tree->is_over && score >= look->beta;
}

enum { MARGIN_A_PLY = 130, CALM_DEPTH = 5 };

/* True when so far from the window a full look would hardly come back into it. */
static bool is_settled(struct tree *tree, const struct look *look, int *score)
{
    int eval = look->node->eval;

    if (look->is_main || node_is_pressed(look->node))
        return false;
    if (look->depth <= CALM_DEPTH && look->beta < SCORE_ENDS &&
        eval - MARGIN_A_PLY * look->depth >= look->beta) {
        *score = eval;
        return true;
    }
    if (skip_refutes(tree, look)) {
        *score = look->beta;
        return true;
    }
    return false;
}

/* A quiet move far down a list that has held nothing better. */
static bool is_hopeless(const struct look *look, bool is_quiet)
{
    if (look->is_main || !is_quiet || node_is_pressed(look->node) ||
        look->depth > CALM_DEPTH || look->best_score <= -SCORE_ENDS)
        return false;
    return look->tried > 5 + 2 * look->depth * look->depth ||
           look->node->eval + MARGIN_A_PLY * look->depth + 100 <= look->alpha;
}

/* How many plies less a move is looked at that will hardly be the best. */
static int reduction(const struct tree *tree, const struct look *look, struct move move,
                     bool is_quiet)
{
    int less = 0, history;

    if (look->depth < 3 || look->tried < 3 || !is_quiet ||
        node_is_pressed(look->node) || node_is_pressed(look->node + 1))
        return 0;
    for (int tried = look->tried; tried > 2; tried /= 3)
        less++;
    less += look->depth / 6 + (look->is_main ? 0 : 1) - 1;
    if (!move_is_pass(move)) {
        history = tree->history[tree->position.at[move.to]][move.to];
        less -= history / 6000;
    }
    return max_of(0, min_of(less, look->depth - 2));
}

/* --- Moves --- */

/* The score of the move just played. */
static int follow(struct tree *tree, const struct look *look, struct move move,
                  bool is_quiet)
{
    bool is_far = look->ply >= 2 * tree->depth;
    int depth = look->depth - (node_is_checked(look->node + 1) && !is_far ? 0 : 1);
    int less = reduction(tree, look, move, is_quiet);
    int score;

    if (look->tried == 1)
        return -tree_look(tree, -look->beta, -look->alpha, depth);
    score = -tree_look(tree, -look->alpha - 1, -look->alpha, depth - less);
    if (less > 0 && score > look->alpha)
        score = -tree_look(tree, -look->alpha - 1, -look->alpha, depth);
    if (score > look->alpha && score < look->beta)
        score = -tree_look(tree, -look->beta, -look->alpha, depth);
    return score;
}

static void try_move(struct tree *tree, struct look *look, struct move move,
                     bool is_quiet)
{
    int score;

    look->tried++;
    line_play(tree, move);
    score = follow(tree, look, move, is_quiet);
    line_back(tree);
    if (tree->is_over || score <= look->best_score)
        return;
    look->best_score = score;
    if (score <= look->alpha)
        return;
    look->best = move;
    look->alpha = score;
    note_line(look->node, move);
    if (score >= look->beta)
        order_praise(tree, move, look->depth);
}

static void try_moves(struct tree *tree, struct look *look)
{
    struct order *order = &look->node->order;
    struct move move;

    order_all(tree, look->memory.move);
    while (look->best_score < look->beta && !tree->is_over && order_next(order, &move))
        if (!is_hopeless(look, order_is_quiet(order)))
            try_move(tree, look, move, order_is_quiet(order));
}

/* Nothing is known of the position, so the best move will hardly come first: a little
 * less deep is soon enough made good. */
enum { UNKNOWN_DEPTH = 4 };

int tree_look(struct tree *tree, int alpha, int beta, int depth)
{
    struct look look = {.node = tree_top(tree),
                        .alpha = alpha,
                        .beta = beta,
                        .depth = depth,
                        .ply = tree->plies - tree->past,
                        .best = search_no_move(),
                        .best_score = -SCORE_MAX,
                        .is_main = beta - alpha > 1};
    int score;

    if (depth <= 0)
        return come_to_rest(tree, alpha, beta);
    look.node->line_plies = 0;
    if (must_stop(tree))
        return 0;
    if (line_is_over(tree, &score))
        return score;
    if (look.ply >= TREE_PLIES - 2)
        return eval_position(tree->rules, &tree->position);
    if (remember(tree, &look, &score))
        return score;
    if (look.memory.bound == BOUND_NONE && depth >= UNKNOWN_DEPTH)
        look.depth--;
    look.node[1].killer[0] = look.node[1].killer[1] = search_no_move();
    look.node->eval = eval_position(tree->rules, &tree->position);
    if (is_settled(tree, &look, &score))
        return score;
    try_moves(tree, &look);
    if (!tree->is_over)
        keep(tree, &look, alpha);
    return look.best_score;
}
