/* See puzzle.h. */
#include "client/analyse/puzzle.h"

#define LOSS_LEAST 0.20
enum { NODES = 5000, TABLE_MB = 4 };

static double of_side(enum side side, double red_chance)
{
    return side == SIDE_RED ? red_chance : 1 - red_chance;
}

/* Red's chance after the move, by a short search. Repetitions are not considered. */
static double chance_after(const struct analysis *analysis, struct search *search,
                           int place, struct move move)
{
    struct search_task task = {.rules = analysis->rules,
                               .position = analysis->position[place],
                               .level = SEARCH_LEVEL_MAX,
                               .limits = {.nodes = NODES}};
    struct search_report report;
    struct undo undo;

    rules_make(analysis->rules, &task.position, move, &undo);
    search_run(search, &task, NULL, NULL, &report);
    return analysis_chance(analysis->rules, (enum side)task.position.side, &report);
}

/* True if every move but the best one loses that much. */
static bool is_only_move(const struct analysis *analysis, struct search *search,
                         int place, struct move best)
{
    const struct position *position = &analysis->position[place];
    enum side side = (enum side)position->side;
    double chance = of_side(side, analysis->place[place].chance);
    struct move_list moves;

    rules_legal_moves(analysis->rules, position, &moves);
    for (int i = 0; i < moves.count; i++)
        if (!move_is_same(moves.move[i], best) &&
            chance - of_side(side,
                             chance_after(analysis, search, place, moves.move[i])) <
                LOSS_LEAST)
            return false;
    return true;
}

static bool is_candidate(const struct analysis *analysis, int ply,
                         struct analysis_move *move)
{
    return analysis_judge(analysis, ply, move) && move->has_better &&
           (move->lost >= LOSS_LEAST || move->missed_plies > 0);
}

bool puzzle_find(const struct analysis *analysis, int after_ply, struct puzzle *out)
{
    struct search *search = search_new(TABLE_MB);
    struct analysis_move move;

    *out = (struct puzzle){.ply = 0};
    for (int ply = after_ply + 1; ply <= analysis->plies && out->ply == 0; ply++)
        if (is_candidate(analysis, ply, &move) &&
            is_only_move(analysis, search, ply - 1, move.line[0]))
            *out = (struct puzzle){.ply = ply,
                                   .side = move.side,
                                   .solution = move.line[0],
                                   .played = move.move};
    search_free(search);
    return out->ply != 0;
}
