/* See search.h: iterative deepening, alpha-beta, quiescence, and the handicaps of lower
 * levels. */
#include "client/engine/search.h"

#include <stdlib.h>
#include <string.h>

#include "client/engine/eval.h"
#include "client/engine/movepick.h"
#include "client/engine/stack.h"
#include "client/engine/tt.h"
#include "common/base/mem.h"
#include "common/game/board.h"

/* A root move, and its score in the last iteration. */
struct candidate {
    struct move move;
    int score; /* -EVAL_INFINITE: too low to be chosen */
};

/* The state of the search for each ply. */
struct frame {
    struct movepick pick;
    struct move killer[2]; /* quiet moves that caused a cutoff in another position of
                            * this ply */
    int eval;
    int pv_plies; /* length of `pv`, the principal variation from this ply */
    struct move pv[SEARCH_LINE_MAX];
};

struct search {
    struct tt *tt;
    const struct search_limits *limits;
    uint64_t nodes_max; /* 0: no limit */
    struct stack stack;
    struct frame frame[STACK_PLIES];
    struct movepick_history history;
    int depth;              /* of this iteration */
    uint64_t check_time_at; /* spent_ms() is called again at this number of nodes */
    bool is_stopped;        /* a limit is reached: scores are invalid */
    struct candidate candidate[MOVES_MAX];
    int candidates;
    int slack; /* how much worse the chosen move may be than the best move, in
                * hundredths of a point */
    int alpha, beta;
    uint64_t random;
};

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

static struct frame *top_frame(struct search *search)
{
    return &search->frame[stack_ply(&search->stack)];
}

/* --- Life --- */

struct search *search_new(size_t table_mb)
{
    struct search *search = mem_new(sizeof *search);

    search->tt = tt_new(table_mb);
    return search;
}

void search_free(struct search *search)
{
    if (search == NULL)
        return;
    tt_free(search->tt);
    free(search);
}

void search_forget(struct search *search)
{
    tt_clear(search->tt);
    memset(&search->history, 0, sizeof search->history);
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

/* The state of one call of alphabeta() or quiescence(). */
struct visit {
    const struct stack_node *node;
    struct frame *frame;
    int alpha, beta;
    int depth;
    int ply;
    struct tt_data tt; /* the entry of the position; BOUND_NONE if it is not in the
                        * table */
    struct move best;
    int best_score;
    int tried;  /* moves tried so far */
    bool is_pv; /* on the principal variation */
};

/* --- Limits --- */

enum { CHECK_TIME_NODES = 512 };

static bool must_stop(struct search *search)
{
    const struct search_limits *limits = search->limits;
    int64_t spent_ms;

    if (search->nodes_max != 0 && search->stack.nodes >= search->nodes_max)
        search->is_stopped = true;
    if (limits->spent_ms == NULL || search->stack.nodes < search->check_time_at)
        return search->is_stopped;
    search->check_time_at = search->stack.nodes + CHECK_TIME_NODES;
    spent_ms = limits->spent_ms(limits->arg);
    if (spent_ms == SEARCH_STOP_MS ||
        (limits->hard_ms != 0 && spent_ms >= limits->hard_ms))
        search->is_stopped = true;
    return search->is_stopped;
}

/* --- Transposition table --- */

static int score_to_table(int score, int ply)
{
    if (score >= EVAL_WINS)
        return score + ply;
    return score <= -EVAL_WINS ? score - ply : score;
}

static int score_from_table(int score, int ply)
{
    if (score >= EVAL_WINS)
        return score - ply;
    return score <= -EVAL_WINS ? score + ply : score;
}

/* Looks up the position in the transposition table. If the table has an entry, *score
 * gets the score of the entry. Returns true if this score makes a search of the
 * position unnecessary. */
static bool probe(const struct search *search, struct visit *visit, int *score)
{
    struct tt_data *data = &visit->tt;

    if (!tt_probe(search->tt, stack_key(&search->stack), data)) {
        *data = (struct tt_data){
            .move = tt_no_move(), .bound = BOUND_NONE, .eval = TT_NO_EVAL};
        return false;
    }
    data->score = *score = score_from_table(data->score, visit->ply);
    if (visit->is_pv || data->depth < visit->depth)
        return false;
    return data->bound == BOUND_EXACT ||
           (data->bound == BOUND_LOWER && *score >= visit->beta) ||
           (data->bound == BOUND_UPPER && *score <= visit->alpha);
}

static void store(const struct search *search, const struct visit *visit, int old_alpha)
{
    struct tt_data data = {.move = visit->best,
                           .score = score_to_table(visit->best_score, visit->ply),
                           .depth = max_of(visit->depth, 0),
                           .bound = BOUND_EXACT,
                           .eval = visit->frame->eval};

    if (visit->best_score >= visit->beta)
        data.bound = BOUND_LOWER;
    else if (visit->best_score <= old_alpha)
        data.bound = BOUND_UPPER;
    tt_store(search->tt, stack_key(&search->stack), &data);
}

/* Stores the principal variation from this ply: `move`, followed by the variation of
 * the next ply. */
static void update_pv(struct frame *frame, struct move move)
{
    const struct frame *next = frame + 1;

    frame->pv[0] = move;
    frame->pv_plies = min_of(next->pv_plies + 1, SEARCH_LINE_MAX);
    memcpy(frame->pv + 1, next->pv,
           (size_t)(frame->pv_plies - 1) * sizeof frame->pv[0]);
}

/* --- Moves --- */

static void forget_killers(struct frame *frame)
{
    frame->killer[0] = frame->killer[1] = tt_no_move();
}

static void pick_all(struct search *search, struct visit *visit, struct move first)
{
    struct frame *frame = visit->frame;
    const struct movepick_hints hints = {.first = first,
                                         .killer = {frame->killer[0], frame->killer[1]},
                                         .history = &search->history,
                                         .has_no_pass = stack_is_null(&search->stack)};

    movepick_all(&frame->pick, &visit->node->view, &hints);
}

/* Updates the killers and the history after `move` has caused a cutoff. */
static void reward(struct search *search, const struct visit *visit, struct move move)
{
    struct frame *frame = visit->frame;

    if (move_is_pass(move) || search->stack.position.at[move.to] != 0)
        return;
    if (!move_is_same(move, frame->killer[0])) {
        frame->killer[1] = frame->killer[0];
        frame->killer[0] = move;
    }
    movepick_reward(&search->history, &frame->pick, &search->stack.position, move,
                    visit->depth);
}

/* --- Nodes --- */

static int evaluate_anew(const struct search *search, const struct visit *visit)
{
    return eval_position(search->stack.rules, &search->stack.position,
                         &visit->node->accumulator);
}

/* Returns the static evaluation of the position. Uses the value in the transposition
 * table if the table has one. If many plies have passed without a capture, does not use
 * the table, because temper() in eval.c makes the value depend on the number of these
 * plies. */
static int evaluate(const struct search *search, const struct visit *visit)
{
    if (visit->tt.eval != TT_NO_EVAL && search->stack.position.quiet <= EVAL_QUIET)
        return visit->tt.eval;
    return evaluate_anew(search, visit);
}

/* Begins the visit of the top position. Returns false if there is nothing to search;
 * *score is then the score of the position. */
static bool enter_node(struct search *search, struct visit *visit, int alpha, int beta,
                       int depth, int *score)
{
    *visit = (struct visit){.node = stack_top(&search->stack),
                            .frame = top_frame(search),
                            .alpha = alpha,
                            .beta = beta,
                            .depth = depth,
                            .ply = stack_ply(&search->stack),
                            .best = tt_no_move(),
                            .best_score = -EVAL_INFINITE,
                            .is_pv = beta - alpha > 1};
    visit->frame->pv_plies = 0;
    *score = 0;
    if (must_stop(search) || stack_is_over(&search->stack, score))
        return false;
    if (visit->ply < STACK_PLIES - 2)
        return !probe(search, visit, score);
    *score = evaluate_anew(search, visit);
    return false;
}

/* --- Quiescence --- */

enum { DELTA_MARGIN = 150 };

/* Returns true if the score stays below alpha even with the value of the captured piece
 * (delta pruning). */
static bool is_futile_capture(const struct search *search, const struct visit *visit,
                              struct move move)
{
    enum kind prize = position_kind(&search->stack.position, move.to);

    return visit->frame->eval + eval_kind(prize) + DELTA_MARGIN <= visit->alpha;
}

static int quiescence(struct search *search, int alpha, int beta);

static void try_capture(struct search *search, struct visit *visit, struct move move)
{
    int score;

    stack_make(&search->stack, move);
    score = -quiescence(search, -visit->beta, -visit->alpha);
    stack_unmake(&search->stack);
    if (search->is_stopped || score <= visit->best_score)
        return;
    visit->best_score = score;
    if (score > visit->alpha) {
        visit->alpha = score;
        visit->best = move;
        update_pv(visit->frame, move);
    }
}

/* Searches captures until the position is quiet, and returns its score. If the side to
 * move is in check, or the kings face each other (bare kings), tries all moves
 * instead. */
static int quiescence(struct search *search, int alpha, int beta)
{
    struct visit visit;
    struct move move;
    bool is_pressed;
    int score;

    if (!enter_node(search, &visit, alpha, beta, 0, &score))
        return score;
    is_pressed = stack_is_pressed(visit.node);
    visit.frame->eval = is_pressed ? TT_NO_EVAL : evaluate(search, &visit);
    if (!is_pressed) {
        visit.best_score = visit.frame->eval;
        visit.alpha = max_of(alpha, visit.best_score);
        if (visit.best_score >= beta) {
            if (visit.tt.bound == BOUND_NONE)
                store(search, &visit, alpha);
            return visit.best_score;
        }
        movepick_captures(&visit.frame->pick, &visit.node->view);
    } else {
        pick_all(search, &visit, visit.tt.move);
    }
    while (visit.best_score < beta && !search->is_stopped &&
           movepick_next(&visit.frame->pick, &move))
        if (is_pressed || !is_futile_capture(search, &visit, move))
            try_capture(search, &visit, move);
    if (!search->is_stopped)
        store(search, &visit, alpha);
    return visit.best_score;
}

/* --- Pruning --- */

static int alphabeta(struct search *search, int alpha, int beta, int depth);

/* Returns true if the side to move has a rook, cannon or knight. Without one, having to
 * move may be a disadvantage (zugzwang). */
static bool has_attacker(const struct search *search)
{
    const struct position *position = &search->stack.position;
    struct points attackers = points_or(
        position->of_kind[KIND_ROOK],
        points_or(position->of_kind[KIND_CANNON], position->of_kind[KIND_KNIGHT]));

    return points_meet(attackers, position->of_side[position->side]);
}

/* Null move pruning: returns true if the score reaches beta although the side to move
 * skips its turn. A real move then most likely reaches beta too. */
static bool null_move_refutes(struct search *search, const struct visit *visit)
{
    int less =
        3 + visit->depth / 4 + min_of((visit->frame->eval - visit->beta) / 300, 3);
    int first = search->stack.first;
    int score;

    if (visit->depth < 3 || visit->frame->eval < visit->beta || !has_attacker(search) ||
        stack_is_null(&search->stack) || search->stack.position.passes > 0 ||
        visit->beta <= -EVAL_WINS)
        return false;
    stack_make_null(&search->stack);
    search->stack.first = search->stack.plies;
    score = -alphabeta(search, -visit->beta, -visit->beta + 1, visit->depth - less);
    search->stack.first = first;
    stack_unmake(&search->stack);
    return !search->is_stopped && score >= visit->beta;
}

enum { FUTILITY_MARGIN = 130, FUTILITY_DEPTH = 5 };

/* Returns true if the position need not be searched, because its score is unlikely to
 * fall below beta (reverse futility pruning and null move pruning). *score then gets
 * the score to return. */
static bool can_prune(struct search *search, const struct visit *visit, int *score)
{
    int eval = visit->frame->eval;

    if (visit->is_pv || stack_is_pressed(visit->node))
        return false;
    if (visit->depth <= FUTILITY_DEPTH && visit->beta < EVAL_WINS &&
        eval - FUTILITY_MARGIN * visit->depth >= visit->beta) {
        *score = eval;
        return true;
    }
    if (null_move_refutes(search, visit)) {
        *score = visit->beta;
        return true;
    }
    return false;
}

/* Returns true if the move need not be searched: a late quiet move is unlikely to raise
 * alpha (late move pruning and futility pruning). Returns false once a win is seen,
 * because a quiet move may win sooner. */
static bool can_skip(const struct visit *visit, bool is_quiet)
{
    if (visit->is_pv || !is_quiet || stack_is_pressed(visit->node) ||
        visit->depth > FUTILITY_DEPTH || visit->best_score <= -EVAL_WINS ||
        visit->alpha >= EVAL_WINS)
        return false;
    return visit->tried > 8 + 2 * visit->depth * visit->depth ||
           visit->frame->eval + FUTILITY_MARGIN * visit->depth + 100 <= visit->alpha;
}

/* Returns by how many plies the search of a late quiet move is shortened (late move
 * reduction). */
static int reduction(const struct search *search, const struct visit *visit,
                     struct move move, bool is_quiet)
{
    int less = 0, history;

    if (visit->depth < 3 || visit->tried < 3 || !is_quiet ||
        stack_is_pressed(visit->node) || stack_is_pressed(visit->node + 1))
        return 0;
    for (int tried = visit->tried; tried > 2; tried /= 3)
        less++;
    less += visit->depth / 6 + (visit->is_pv ? 0 : 1) - 1;
    if (!move_is_pass(move)) {
        history = search->history.value[search->stack.position.at[move.to]][move.to];
        less -= history / 6000;
    }
    return max_of(0, min_of(less, visit->depth - 2));
}

/* --- Alpha-beta --- */

/* Searches the move that was just made and returns its score, by principal variation
 * search: all moves but the first get a null window and a reduced depth, and are
 * searched again if their score is above alpha. A check extends the search. */
static int search_move(struct search *search, const struct visit *visit,
                       struct move move, bool is_quiet)
{
    bool is_far = visit->ply >= 2 * search->depth;
    int depth = visit->depth - (stack_in_check(visit->node + 1) && !is_far ? 0 : 1);
    int less = reduction(search, visit, move, is_quiet);
    int score;

    if (visit->tried == 1)
        return -alphabeta(search, -visit->beta, -visit->alpha, depth);
    score = -alphabeta(search, -visit->alpha - 1, -visit->alpha, depth - less);
    if (less > 0 && score > visit->alpha)
        score = -alphabeta(search, -visit->alpha - 1, -visit->alpha, depth);
    if (score > visit->alpha && score < visit->beta)
        score = -alphabeta(search, -visit->beta, -visit->alpha, depth);
    return score;
}

static void try_move(struct search *search, struct visit *visit, struct move move,
                     bool is_quiet)
{
    int score;

    visit->tried++;
    stack_make(&search->stack, move);
    score = search_move(search, visit, move, is_quiet);
    stack_unmake(&search->stack);
    if (search->is_stopped || score <= visit->best_score)
        return;
    visit->best_score = score;
    if (score <= visit->alpha)
        return;
    visit->best = move;
    visit->alpha = score;
    update_pv(visit->frame, move);
    if (score >= visit->beta)
        reward(search, visit, move);
}

static void try_moves(struct search *search, struct visit *visit)
{
    struct movepick *pick = &visit->frame->pick;
    struct move move;

    pick_all(search, visit, visit->tt.move);
    while (visit->best_score < visit->beta && !search->is_stopped &&
           movepick_next(pick, &move)) {
        if (can_skip(visit, movepick_is_quiet(pick)))
            break; /* the moves that follow are quiet as well */
        try_move(search, visit, move, movepick_is_quiet(pick));
    }
}

/* From this depth on, a position without an entry in the table is searched one ply less
 * deeply, because the move order is poor without a move from the table (internal
 * iterative reduction). */
enum { IIR_DEPTH = 4 };

/* Returns the score of the top position for its side: exact between alpha and beta,
 * otherwise a bound. Invalid once search->is_stopped is set. */
static int alphabeta(struct search *search, int alpha, int beta, int depth)
{
    struct visit visit;
    int score;

    if (depth <= 0)
        return quiescence(search, alpha, beta);
    if (!enter_node(search, &visit, alpha, beta, depth, &score))
        return score;
    if (visit.tt.bound == BOUND_NONE && depth >= IIR_DEPTH)
        visit.depth--;
    forget_killers(visit.frame + 1);
    visit.frame->eval =
        stack_is_pressed(visit.node) ? TT_NO_EVAL : evaluate(search, &visit);
    if (can_prune(search, &visit, &score))
        return score;
    try_moves(search, &visit);
    if (!search->is_stopped)
        store(search, &visit, alpha);
    return visit.best_score;
}

/* --- Levels --- */

/* Levels 1 to 6 have a small search depth. They play one of the moves that are nearly
 * as good as the best move they found. Their quiescence search is complete, so they do
 * not lose pieces by accident. Levels 7 to 9 do not have a fixed depth, but search a
 * limited number of positions. So they search more deeply in the end game. When these
 * levels had a fixed depth, they lost all games against level 10 in the end game. The
 * values were tuned by test games, so that each level wins about nine of ten games
 * against the level below. In these games, level 10 had one second for each move
 * (tests/measure/engine/match). */
static const struct level {
    int depth;      /* 0: no limit */
    int slack;      /* hundredths of a point */
    uint64_t nodes; /* 0: no limit */
} levels[SEARCH_LEVEL_MAX + 1] = {
    [1] = {1, 250, 0},    [2] = {2, 400, 0}, [3] = {3, 380, 0},   [4] = {3, 130, 0},
    [5] = {4, 125, 0},    [6] = {5, 90, 0},  [7] = {0, 0, 19000}, [8] = {0, 0, 80000},
    [9] = {0, 0, 240000}, [10] = {0, 0, 0},
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

/* Returns a random number from 0 to `below` - 1 (xorshift64). */
static int random_below(struct search *search, int below)
{
    search->random ^= search->random << 13;
    search->random ^= search->random >> 7;
    search->random ^= search->random << 17;
    return (int)(search->random >> 33) % below;
}

/* Returns the index of the candidate with the best sum of score and random bonus. */
static int choose(struct search *search)
{
    int chosen = 0, most = -2 * EVAL_INFINITE;

    for (int i = 0; i < search->candidates; i++) {
        int score = search->candidate[i].score;

        if (search->slack > 0 && score > -EVAL_WINS && score < EVAL_WINS)
            score += random_below(search, search->slack);
        if (score > most) {
            most = score;
            chosen = i;
        }
    }
    return chosen;
}

/* --- Root moves --- */

static void list_candidates(struct search *search)
{
    struct visit root = {.node = stack_top(&search->stack), .frame = top_frame(search)};
    struct tt_data data;
    struct move move;

    if (!tt_probe(search->tt, stack_key(&search->stack), &data))
        data.move = tt_no_move();
    pick_all(search, &root, data.move);
    search->candidates = 0;
    while (movepick_next(&root.frame->pick, &move))
        search->candidate[search->candidates++] = (struct candidate){move, 0};
}

/* Moves the candidate with index `i`, the best one, to the front, so that the next
 * iteration begins with it. The other candidates keep their order. */
static void bring_forward(struct search *search, int i)
{
    struct candidate best = search->candidate[i];

    memmove(search->candidate + 1, search->candidate, (size_t)i * sizeof best);
    search->candidate[0] = best;
}

static int search_candidate(struct search *search, int i, int low, int depth)
{
    int score = low + 1;

    stack_make(&search->stack, search->candidate[i].move);
    if (i > 0)
        score = -alphabeta(search, -low - 1, -low, depth - 1);
    if (score > low && !search->is_stopped)
        score = -alphabeta(search, -search->beta, -low, depth - 1);
    stack_unmake(&search->stack);
    return score;
}

/* Searches all root moves, stores their scores, and finds the best move. A move that is
 * worse than the best one by at least search->slack gets the score -EVAL_INFINITE.
 * Returns false if a limit was reached before the first move was done. */
static bool search_root(struct search *search, int depth, int *best)
{
    int top = -EVAL_INFINITE;

    *best = -1;
    for (int i = 0; i < search->candidates; i++) {
        int low = search->alpha;
        int score;

        if (top - search->slack > low)
            low = top - search->slack;
        score = search_candidate(search, i, low, depth);
        if (search->is_stopped)
            break;
        search->candidate[i].score = score > low ? score : -EVAL_INFINITE;
        if (score > top) {
            top = score;
            *best = i;
            update_pv(&search->frame[0], search->candidate[i].move);
            search->candidate[i].score = score;
        }
        if (score >= search->beta)
            break;
    }
    return *best >= 0;
}

/* --- Iterative deepening --- */

static void fill_report(const struct search *search, int depth, int score,
                        struct search_report *out)
{
    const struct frame *root = &search->frame[0];

    out->move = root->pv[0];
    out->depth = depth;
    out->score = score;
    out->end_plies = 0;
    if (score >= EVAL_WINS)
        out->end_plies = EVAL_WIN - score;
    else if (score <= -EVAL_WINS)
        out->end_plies = -(EVAL_WIN + score);
    out->line_plies = root->pv_plies;
    memcpy(out->line, root->pv, sizeof root->pv);
}

static void store_root(struct search *search, int depth,
                       const struct search_report *report)
{
    struct tt_data data = {.move = report->move,
                           .score = report->score,
                           .depth = depth,
                           .bound = BOUND_EXACT,
                           .eval = TT_NO_EVAL};

    tt_store(search->tt, stack_key(&search->stack), &data);
}

/* WINDOW: half the width of the first aspiration window, in hundredths of a point.
 * WINDOW_DEPTH: the least depth that is searched with such a window. */
enum { WINDOW = 60, WINDOW_DEPTH = 4 };

static void set_window(struct search *search, int score, int width)
{
    search->alpha = score - width > -EVAL_INFINITE ? score - width : -EVAL_INFINITE;
    search->beta = score + width < EVAL_INFINITE ? score + width : EVAL_INFINITE;
}

/* Runs one iteration in an aspiration window around the last score; the window widens
 * until the score is inside. Returns false if a limit was reached. *out then has the
 * best move of the incomplete iteration, or is unchanged if that iteration has no
 * usable result. */
static bool deepen(struct search *search, int depth, struct search_report *out)
{
    int width = depth < WINDOW_DEPTH || search->slack > 0 ? 2 * EVAL_INFINITE : WINDOW;
    int best, score = out->score;

    for (;; width *= 4) {
        set_window(search, score, width);
        if (!search_root(search, depth, &best) ||
            (search->is_stopped && search->slack > 0))
            return false;
        score = search->candidate[best].score;
        if (score <= search->alpha && !search->is_stopped)
            continue;
        if (score <= search->alpha)
            return false;
        bring_forward(search, best);
        fill_report(search, search->is_stopped ? out->depth : depth, score, out);
        if (search->is_stopped)
            return false;
        if (score < search->beta)
            return true;
    }
}

/* Returns true if a deeper iteration would change nothing or would take too long. */
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

/* Chooses the move to play: on a lower level it need not be the best one. */
static void play_weaker(struct search *search, struct search_report *out)
{
    const struct candidate *chosen = &search->candidate[choose(search)];

    if (move_is_same(chosen->move, out->move))
        return;
    out->move = out->line[0] = chosen->move;
    out->line_plies = 1;
    out->score = chosen->score;
    out->end_plies = 0;
}

static uint64_t nodes_limit(const struct search_task *task)
{
    uint64_t level = levels[task->level].nodes, asked = task->limits.nodes;

    return level != 0 && (asked == 0 || level < asked) ? level : asked;
}

static void begin(struct search *search, const struct search_task *task)
{
    stack_init(&search->stack, task, search->tt);
    search->limits = &task->limits;
    search->nodes_max = nodes_limit(task);
    search->check_time_at = 0;
    search->is_stopped = false;
    memset(search->frame[0].killer, 0, sizeof search->frame[0].killer);
    memset(search->frame[1].killer, 0, sizeof search->frame[1].killer);
    tt_new_search(search->tt);
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

        search->depth = depth;
        is_whole = deepen(search, depth, out);
        out->nodes = search->stack.nodes;
        if (!is_whole)
            break;
        store_root(search, depth, out);
        if (on_report != NULL)
            on_report(arg, out);
        if (is_enough(search, task, out))
            break;
    }
    if (search->slack > 0)
        play_weaker(search, out);
}
