/* What the parts of the search share: search.c (depth after depth, levels),
 * search_tree.c (the tree of moves and replies), search_line.c (the line from the past
 * to the position looked at, and how games end on it) and search_order.c (which moves
 * to try first). Nobody else includes this. */
#ifndef CLIENT_ENGINE_SEARCH_PARTS_H
#define CLIENT_ENGINE_SEARCH_PARTS_H

#include "client/engine/search.h"
#include "client/engine/search_table.h"
#include "common/game/legal.h"

enum {
    SCORE_END = 30000,             /* less the plies to it: the game is won */
    SCORE_ENDS = SCORE_END - 1000, /* beyond that a score is of an end */
    SCORE_MAX = 31000,             /* beyond all scores */
    TREE_PLIES = SEARCH_DEPTH_MAX * 2 + 8
};

/* --- Moves in the order in which they are tried --- */

struct order {
    int count;
    int at; /* of the next one */
    struct move move[MOVES_MAX];
    int rank[MOVES_MAX];
};

/* One position of the line that is being looked at. */
struct node {
    struct legal_view view;
    struct order order;
    struct move move;      /* that led on from here; none: a null move */
    struct move killer[2]; /* quiet moves that refuted a sibling */
    struct undo undo;
    int eval;
    int line_plies; /* the best line from here on */
    struct move line[SEARCH_LINE_MAX];
};

struct tree {
    const struct ruleset *rules;
    const struct search_limits *limits;
    struct search_table *table;
    struct position position;
    struct node node[TREE_PLIES];
    /* The plies that led to position: those of the past, then those of the line. */
    struct search_ply played[SEARCH_PAST_MAX + TREE_PLIES];
    int past;  /* how many are of the past */
    int plies; /* how many there are */
    int depth; /* that is being looked through from the root */
    int since; /* none before this one can come again: a null move stands there */
    uint64_t nodes;
    uint64_t look_again; /* at the time, when there are so many nodes */
    bool is_over;        /* a limit is reached: what comes back now is nothing */
    int history[2 * KINDS][BOARD_POINTS]; /* how often a piece did well on a point */
};

static inline struct node *tree_top(struct tree *tree)
{
    return &tree->node[tree->plies - tree->past];
}

static inline bool node_is_checked(const struct node *node)
{
    return !points_is_empty(node->view.checkers);
}

/* There is something that must not be left to stand: a check, or the bare kings. */
static inline bool node_is_pressed(const struct node *node)
{
    return node_is_checked(node) || node->view.is_bare;
}

/* --- search_line.c --- */

/* The root: a task's position with its past. */
void line_begin(struct tree *tree, const struct search_task *task);

/* Plays move on the top of the line, and takes it back; the new top has its view. A
 * null move is a turn left out, which is no pass: see line_skip(). */
void line_play(struct tree *tree, struct move move);
void line_skip(struct tree *tree);
void line_back(struct tree *tree);
/* The last ply was a null move. */
bool line_is_skipped(const struct tree *tree);

/* True when the game is over at the top, as the rules have it; a position that comes
 * again on the line counts as if it came for the third time. *score is for the side to
 * move. Not asked at the root. */
bool line_is_over(const struct tree *tree, int *score);

/* What the top is remembered by. */
uint64_t line_key(const struct tree *tree);

/* --- search_order.c --- */

/* All legal moves of the top, the pass too unless a turn has just been left out,
 * ranked; first before all others. */
void order_all(struct tree *tree, struct move first);
/* Captures that do not lose by exchange. */
void order_captures(struct tree *tree);
/* The next by rank. False: there are no more. */
bool order_next(struct order *order, struct move *out);
/* Which rank a move had that was given out last: not a capture, or one that loses. */
bool order_is_quiet(const struct order *order);

/* What the side to move wins by the capture and the recaptures on its point, in
 * hundredths of a point. */
int order_exchange(const struct position *position, struct move move);

/* The quiet move refuted the top; the ones before it in its order did not. */
void order_praise(struct tree *tree, struct move move, int depth);

/* --- search_tree.c --- */

/* The score of the top for its side, between alpha and beta or a bound beyond them, as
 * far as depth plies show it. Asks limits; once tree->is_over it is meaningless. */
int tree_look(struct tree *tree, int alpha, int beta, int depth);

/* Scores of ends count plies: from the root in the tree, from the position in the
 * table.
 */
static inline int score_of_loss(int plies)
{
    return plies - SCORE_END;
}

#endif
