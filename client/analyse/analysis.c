/* See analysis.h. */
#include "client/analyse/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "client/engine/eval.h"
#include "common/base/mem.h"

/* --- Life --- */

static void take_win(struct analysis_place *place, bool is_red)
{
    place->points = is_red ? ANALYSIS_POINTS_MAX : -ANALYSIS_POINTS_MAX;
    place->chance = is_red ? 1 : 0;
}

void analysis_init(struct analysis *analysis, const struct game *game, uint64_t nodes)
{
    struct position position = game_start(game);
    size_t plies = (size_t)game->plies;

    *analysis = (struct analysis){.rules = game->rules,
                                  .outcome = game->outcome,
                                  .nodes = nodes,
                                  .plies = game->plies};
    analysis->has_ended_by_rules = game->phase == GAME_OVER &&
                                   game->reason != REASON_NONE &&
                                   game->reason < REASON_RESIGNATION;
    analysis->position = mem_new((plies + 1) * sizeof *analysis->position);
    analysis->place = mem_new((plies + 1) * sizeof *analysis->place);
    analysis->past = mem_new((plies + 1) * sizeof *analysis->past);
    analysis->move = mem_new((plies + 1) * sizeof *analysis->move);
    for (int i = 0; i < game->plies; i++) {
        struct undo undo;

        analysis->position[i] = position;
        analysis->move[i] = game->ply[i].move;
        analysis->past[i] =
            (struct search_ply){game->ply[i].undo.key, game->ply[i].gave_check};
        rules_make(game->rules, &position, game->ply[i].move, &undo);
    }
    analysis->position[plies] = position;
    if (!analysis->has_ended_by_rules)
        return;
    /* The outcome is the result of the last position, which so needs no search. */
    analysis->place[plies].nodes = UINT64_MAX;
    analysis->place[plies].chance = 0.5;
    if (analysis->outcome != OUTCOME_DRAW)
        take_win(&analysis->place[plies], analysis->outcome == OUTCOME_RED);
}

void analysis_clear(struct analysis *analysis)
{
    free(analysis->position);
    free(analysis->place);
    free(analysis->past);
    free(analysis->move);
    *analysis = (struct analysis){.rules = NULL};
}

/* --- The passes --- */

/* The third pass searches the positions around a ply only if the ply changed Red's
 * winning chance by at least this much. */
#define CHANGE_LEAST 0.02

static double change_at(const struct analysis *analysis, int ply)
{
    return fabs(analysis->place[ply].chance - analysis->place[ply + 1].chance);
}

static bool is_shallow(const struct analysis *analysis, int place)
{
    return analysis->place[place].nodes < ANALYSIS_NODES_AGAIN;
}

/* Chooses the next position for the third pass. This pass searches the position before
 * and the position after each ply that changed the winning chance by at least
 * CHANGE_LEAST. The ply with the largest change comes first. Returns the index of the
 * position to search; -1: all these positions have been searched. */
static int find_change(const struct analysis *analysis)
{
    double most = CHANGE_LEAST;
    int found = -1;

    for (int i = 0; i < analysis->plies; i++) {
        bool is_before = is_shallow(analysis, i);

        if ((is_before || is_shallow(analysis, i + 1)) &&
            change_at(analysis, i) >= most) {
            most = change_at(analysis, i);
            found = is_before ? i : i + 1;
        }
    }
    return found;
}

/* Returns the index of the first position that was searched with a limit below `nodes`
 * or not at all; -1: none. */
static int find_shallow(const struct analysis *analysis, uint64_t nodes)
{
    for (int i = 0; i <= analysis->plies; i++)
        if (analysis->place[i].nodes < nodes)
            return i;
    return -1;
}

static int find_place(const struct analysis *analysis, uint64_t *nodes)
{
    static const uint64_t passes[] = {ANALYSIS_NODES_FIRST, ANALYSIS_NODES};

    *nodes = analysis->nodes;
    if (analysis->nodes != 0)
        return find_shallow(analysis, analysis->nodes);
    for (size_t i = 0; i < ARRAY_LEN(passes); i++) {
        int place = find_shallow(analysis, passes[i]);

        *nodes = passes[i];
        if (place >= 0)
            return place;
    }
    *nodes = ANALYSIS_NODES_AGAIN;
    return find_change(analysis);
}

int analysis_next(const struct analysis *analysis, struct search_task *task)
{
    uint64_t nodes;
    int place = find_place(analysis, &nodes), known;

    if (place < 0)
        return -1;
    *task = (struct search_task){.rules = analysis->rules,
                                 .position = analysis->position[place],
                                 .level = SEARCH_LEVEL_MAX};
    known = (int)task->position.quiet < place ? (int)task->position.quiet : place;
    if (known > SEARCH_PAST_MAX)
        known = SEARCH_PAST_MAX;
    task->past.plies = known;
    for (int i = 0; i < known; i++)
        task->past.ply[i] = analysis->past[place - known + i];
    task->limits.nodes = nodes;
    return place;
}

void analysis_take(struct analysis *analysis, int at,
                   const struct search_report *report, uint64_t nodes)
{
    struct analysis_place *place = &analysis->place[at];
    struct ruleset_chance chance = ruleset_chance(analysis->rules);
    int sign = analysis->position[at].side == SIDE_RED ? 1 : -1;
    double points = sign * report->score / (double)EVAL_POINT;

    place->nodes = nodes;
    place->line_plies = report->has_move ? report->line_plies : 0;
    for (int i = 0; i < place->line_plies; i++)
        place->line[i] = report->line[i];
    place->end_plies = sign * report->end_plies;
    place->points = fmax(-ANALYSIS_POINTS_MAX, fmin(points, ANALYSIS_POINTS_MAX));
    place->chance = 1 / (1 + exp(-chance.slope_thousandths / 1000.0 *
                                 (place->points - chance.even_hundredths / 100.0)));
    if (place->end_plies != 0)
        take_win(place, place->end_plies > 0);
}

int analysis_done(const struct analysis *analysis)
{
    uint64_t nodes = analysis->nodes != 0 ? analysis->nodes : ANALYSIS_NODES;
    int done = 0;

    for (int i = 0; i <= analysis->plies; i++)
        done += analysis->place[i].nodes >= nodes;
    return done;
}

/* --- Judgement --- */

/* loss_of: a move gets a mark only if it lowers the mover's winning chance by at least
 * the value for that mark. The values are twice the values of the chess server lichess,
 * because the score of a short search is uncertain by a point. POINTS_LEAST: a move
 * that loses fewer points does not get a mark for its loss. STILL_WINNING: if the
 * mover's chance after the move is at least this, the move is not a blunder.
 * MISSED_PLIES: a move can miss a forced win only if that win takes at most this number
 * of plies. */
static const double loss_of[] = {0, 0.10, 0.20, 0.30};
#define POINTS_LEAST  2.0
#define STILL_WINNING 0.60
enum { MISSED_PLIES = 5 };

const char *analysis_mark_text(enum analysis_mark mark)
{
    static const char *const text[] = {"", "?!", "?", "??"};

    return text[mark];
}

/* Returns the winning chance of `side`. red_chance: Red's winning chance. */
static double side_chance(enum side side, double red_chance)
{
    return side == SIDE_RED ? red_chance : 1 - red_chance;
}

/* Returns the number of plies to a forced win of `side`; 0: none was found. */
static int win_of(const struct analysis_place *place, enum side side)
{
    int plies = side == SIDE_RED ? place->end_plies : -place->end_plies;

    return plies > 0 ? plies : 0;
}

static enum analysis_mark mark_of(const struct analysis_move *move)
{
    enum analysis_mark mark = ANALYSIS_UNMARKED;
    bool is_winning = side_chance(move->side, move->after) >= STILL_WINNING;

    if (move->points_lost >= POINTS_LEAST)
        while (mark < (is_winning ? ANALYSIS_MISTAKE : ANALYSIS_BLUNDER) &&
               move->lost >= loss_of[mark + 1])
            mark++;
    return mark == ANALYSIS_UNMARKED && move->missed_plies > 0 ? ANALYSIS_DOUBTFUL
                                                               : mark;
}

static bool is_won(const struct analysis *analysis, int place, enum side side)
{
    return win_of(&analysis->place[place], side) > 0 ||
           (place == analysis->plies && analysis->has_ended_by_rules &&
            analysis->outcome == (side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE));
}

bool analysis_judge(const struct analysis *analysis, int ply, struct analysis_move *out)
{
    const struct analysis_place *before = &analysis->place[ply - 1],
                                *after = before + 1;
    enum side side = (enum side)analysis->position[ply - 1].side;
    int sign = side == SIDE_RED ? 1 : -1, win;

    if (before->nodes == 0 || after->nodes == 0)
        return false;
    *out = (struct analysis_move){.side = side,
                                  .move = analysis->move[ply - 1],
                                  .before = before->chance,
                                  .after = after->chance,
                                  .line = before->line};
    out->has_better =
        before->line_plies > 0 && !move_is_same(before->line[0], out->move);
    if (!out->has_better)
        return true; /* the best move was played: a difference between the two scores
                      * only shows that searches are inexact */
    out->line_plies = before->line_plies;
    out->lost =
        fmax(0, side_chance(side, before->chance) - side_chance(side, after->chance));
    out->points_lost = fmax(0, sign * (before->points - after->points));
    win = win_of(before, side);
    if (win > 0 && win <= MISSED_PLIES && !is_won(analysis, ply, side))
        out->missed_plies = win;
    out->mark = mark_of(out);
    return true;
}

struct analysis_player analysis_player(const struct analysis *analysis, enum side side)
{
    struct analysis_player player = {0};
    struct analysis_move move;
    double accuracy;

    for (int ply = 1; ply <= analysis->plies; ply++) {
        if (!analysis_judge(analysis, ply, &move) || move.side != side)
            continue;
        player.moves++;
        player.points_lost += move.points_lost;
        /* the formula and constants of lichess: 0 to 100 */
        accuracy = 103.17 * exp(-0.04354 * 100 * move.lost) - 3.17;
        player.accuracy += fmax(0, fmin(accuracy, 100));
    }
    if (player.moves > 0) {
        player.points_lost /= player.moves;
        player.accuracy /= player.moves;
    }
    return player;
}
