/* See search.h: one depth after the other, and what the lower levels leave out. */
#include "client/engine/search.h"

#include <stdlib.h>
#include <string.h>

#include "client/engine/search_parts.h"
#include "common/base/mem.h"

/* A first move, and what is known of it at the depth looked through last. */
struct candidate {
    struct move move;
    int score; /* -SCORE_MAX: worse than what could be chosen */
};

struct search {
    struct search_table *table;
    struct tree tree;
    struct candidate candidate[MOVES_MAX];
    int candidates;
    int slack; /* by how much a move may be worse than the best and be chosen */
    int alpha, beta;
    uint64_t random;
};

/* --- Levels --- */

/* A lower level looks less deep, and takes one of several moves that are nearly as good
 * as the best it sees; but it sees captures to their end, so that it throws no piece
 * away for nothing. */
static const struct level {
    int depth; /* 0: no limit */
    int slack; /* hundredths of a point */
} levels[SEARCH_LEVEL_MAX + 1] = {
    [1] = {1, 250}, [2] = {2, 200}, [3] = {2, 100}, [4] = {3, 80}, [5] = {3, 30},
    [6] = {4, 20},  [7] = {5, 10},  [8] = {6, 0},   [9] = {8, 0},  [10] = {0, 0},
};

static int depth_limit(const struct search_task *task)
{
    int depth = SEARCH_DEPTH_MAX, level = levels[task->level].depth;

    if (level != 0 && level < depth)
        depth = level;
    if (task->limits.depth != 0 && task->limits.depth < depth)
        depth = task->limits.depth;
    return depth;
}

/* 0 .. below - 1 (xorshift64) */
static int random_below(struct search *search, int below)
{
    search->random ^= search->random << 13;
    search->random ^= search->random >> 7;
    search->random ^= search->random << 17;
    return (int)(search->random >> 33) % below;
}

/* The best by score and whim. */
static int choose(struct search *search)
{
    int chosen = 0, most = -2 * SCORE_MAX;

    for (int i = 0; i < search->candidates; i++) {
        int score = search->candidate[i].score;

        if (search->slack > 0 && score > -SCORE_ENDS && score < SCORE_ENDS)
            score += random_below(search, search->slack);
        if (score > most) {
            most = score;
            chosen = i;
        }
    }
    return chosen;
}

/* --- Life --- */

struct search *search_new(size_t table_mb)
{
    struct search *search = mem_new(sizeof *search);

    search->table = search_table_new(table_mb);
    search->tree.table = search->table;
    return search;
}

void search_free(struct search *search)
{
    if (search == NULL)
        return;
    search_table_free(search->table);
    free(search);
}

void search_forget(struct search *search)
{
    search_table_clear(search->table);
    memset(search->tree.history, 0, sizeof search->tree.history);
}

void search_take_game(struct search_task *task, const struct game *game)
{
    int known = (int)game->position.quiet;
    struct search_past *past = &task->past;

    if (known > game->plies)
        known = game->plies;
    if (known > SEARCH_PAST_MAX)
        known = SEARCH_PAST_MAX;
    *task = (struct search_task){
        .rules = game->rules, .position = game->position, .level = SEARCH_LEVEL_MAX};
    past->plies = known;
    for (int i = 0; i < known; i++) {
        const struct game_ply *ply = &game->ply[game->plies - known + i];

        past->ply[i] = (struct search_ply){ply->undo.key, ply->gave_check};
    }
}

/* --- The first moves --- */

static void list_candidates(struct search *search)
{
    struct tree *tree = &search->tree;
    struct memory memory = {.move = search_no_move()};
    struct move move;

    if (!search_table_find(search->table, line_key(tree), &memory))
        memory.move = search_no_move();
    order_all(tree, memory.move);
    search->candidates = 0;
    while (order_next(&tree->node[0].order, &move))
        search->candidate[search->candidates++] = (struct candidate){move, 0};
}

/* Best first, so that the next depth begins with it; the others keep their order. */
static void bring_forward(struct search *search, int i)
{
    struct candidate best = search->candidate[i];

    memmove(search->candidate + 1, search->candidate, (size_t)i * sizeof best);
    search->candidate[0] = best;
}

static void note_best(struct search *search, struct candidate best)
{
    struct node *root = &search->tree.node[0];
    const struct node *next = root + 1;

    root->line[0] = best.move;
    root->line_plies =
        next->line_plies < SEARCH_LINE_MAX ? next->line_plies + 1 : SEARCH_LINE_MAX;
    memcpy(root->line + 1, next->line,
           (size_t)(root->line_plies - 1) * sizeof root->line[0]);
}

static int look_at(struct search *search, int i, int low, int depth)
{
    struct tree *tree = &search->tree;
    int score = low + 1;

    line_play(tree, search->candidate[i].move);
    if (i > 0)
        score = -tree_look(tree, -low - 1, -low, depth - 1);
    if (score > low && !tree->is_over)
        score = -tree_look(tree, -search->beta, -low, depth - 1);
    line_back(tree);
    return score;
}

/* Looks at all first moves; their scores, and the best of them. What is more than slack
 * below the best has no score. False: a limit was reached before one was seen. */
static bool look_through(struct search *search, int depth, int *best)
{
    struct tree *tree = &search->tree;
    int top = -SCORE_MAX;

    *best = -1;
    for (int i = 0; i < search->candidates; i++) {
        int low = search->alpha;
        int score;

        if (top - search->slack > low)
            low = top - search->slack;
        score = look_at(search, i, low, depth);
        if (tree->is_over)
            break;
        search->candidate[i].score = score > low ? score : -SCORE_MAX;
        if (score > top) {
            top = score;
            *best = i;
            note_best(search, search->candidate[i]);
            search->candidate[i].score = score;
        }
        if (score >= search->beta)
            break;
    }
    return *best >= 0;
}

/* --- Depth after depth --- */

static void fill_report(const struct search *search, int depth, int score,
                        struct search_report *out)
{
    const struct node *root = &search->tree.node[0];

    out->move = root->line[0];
    out->depth = depth;
    out->score = score;
    out->end_plies = 0;
    if (score >= SCORE_ENDS)
        out->end_plies = SCORE_END - score;
    else if (score <= -SCORE_ENDS)
        out->end_plies = -(SCORE_END + score);
    out->line_plies = root->line_plies;
    memcpy(out->line, root->line, sizeof root->line);
}

static void remember_root(struct search *search, int depth,
                          const struct search_report *report)
{
    struct memory memory = {.move = report->move,
                            .score = report->score,
                            .depth = depth,
                            .bound = BOUND_EXACT};

    search_table_keep(search->table, line_key(&search->tree), &memory);
}

enum { WINDOW = 60, WINDOW_DEPTH = 4 };

static void set_window(struct search *search, int score, int width)
{
    search->alpha = score - width > -SCORE_MAX ? score - width : -SCORE_MAX;
    search->beta = score + width < SCORE_MAX ? score + width : SCORE_MAX;
}

/* One depth in a narrow window round the last score, wider as long as the score falls
 * out of it. False: a limit was reached; *out has what was found till then, if it is
 * better than what it had. */
static bool deepen(struct search *search, int depth, struct search_report *out)
{
    const struct tree *tree = &search->tree;
    int width = depth < WINDOW_DEPTH || search->slack > 0 ? 2 * SCORE_MAX : WINDOW;
    int best, score = out->score;

    for (;; width *= 4) {
        set_window(search, score, width);
        if (!look_through(search, depth, &best) || (tree->is_over && search->slack > 0))
            return false;
        score = search->candidate[best].score;
        if (score <= search->alpha && !tree->is_over)
            continue;
        if (score <= search->alpha)
            return false;
        bring_forward(search, best);
        fill_report(search, tree->is_over ? out->depth : depth, score, out);
        if (tree->is_over)
            return false;
        if (score < search->beta)
            return true;
    }
}

/* Deeper looks would change nothing, or there is no time for one. */
static bool is_enough(const struct search *search, const struct search_task *task,
                      const struct search_report *report)
{
    const struct search_limits *limits = &task->limits;
    int end = report->end_plies < 0 ? -report->end_plies : report->end_plies;

    if (end != 0 && report->depth > end + 2)
        return true;
    if (limits->soft_ms == 0 || limits->spent_ms == NULL)
        return false;
    return search->candidates == 1 || limits->spent_ms(limits->arg) >= limits->soft_ms;
}

/* The whim of a level: another move than the best that was seen. */
static void give_way(struct search *search, struct search_report *out)
{
    const struct candidate *chosen = &search->candidate[choose(search)];

    if (move_is_same(chosen->move, out->move))
        return;
    out->move = out->line[0] = chosen->move;
    out->line_plies = 1;
    out->score = chosen->score;
    out->end_plies = 0;
}

static void begin(struct search *search, const struct search_task *task)
{
    struct tree *tree = &search->tree;

    line_begin(tree, task);
    memset(tree->node[0].killer, 0, sizeof tree->node[0].killer);
    memset(tree->node[1].killer, 0, sizeof tree->node[1].killer);
    search_table_age(search->table);
    search->slack = levels[task->level].slack;
    search->random = (task->seed ^ task->position.key) | 1;
    list_candidates(search);
}

void search_run(struct search *search, const struct search_task *task,
                search_on_report *on_report, void *arg, struct search_report *out)
{
    int depth_most = depth_limit(task);

    *out = (struct search_report){.has_move = false};
    begin(search, task);
    if (search->candidates == 0)
        return;
    out->has_move = true;
    out->line_plies = 1;
    out->move = out->line[0] = search->candidate[0].move;
    for (int depth = 1; depth <= depth_most; depth++) {
        bool is_whole;

        search->tree.depth = depth;
        is_whole = deepen(search, depth, out);
        out->nodes = search->tree.nodes;
        if (!is_whole)
            break;
        remember_root(search, depth, out);
        if (on_report != NULL)
            on_report(arg, out);
        if (is_enough(search, task, out))
            break;
    }
    if (search->slack > 0)
        give_way(search, out);
}
