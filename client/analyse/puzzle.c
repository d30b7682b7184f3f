/* See puzzle.h. */
#include "client/analyse/puzzle.h"

#include <stdlib.h>

#include "common/base/mem.h"

#define LOSS_LEAST 0.20
/* Each move except the solution is searched with NODES_FIRST nodes. This short search
 * already shows that most positions are not puzzles. If the position can still be a
 * puzzle, each of these moves is searched again, with NODES nodes. */
enum { NODES_FIRST = 5000, NODES = 20000, TABLE_MB = 4 };

struct puzzle_hunt {
    const struct analysis *analysis;
    struct search *search;
    int ply;                   /* the last ply that was examined */
    bool is_candidate;         /* the move of `ply` was bad enough for a puzzle; the
                                * other legal moves are being searched */
    struct analysis_move move; /* the move of `ply`, if is_candidate */
    struct move_list moves;    /* all legal moves in the position before `ply` */
    int tried;                 /* index of the next one of `moves` to search */
    bool is_sure;              /* `moves` are being searched for the second time, with
                                * the higher node limit */
};

/* Searches the position that results if `move` is played in place of the move of
 * hunt->ply. Returns Red's winning chance there. Ignores the rule about repeated
 * positions. */
static double chance_after(const struct puzzle_hunt *hunt, struct move move)
{
    const struct analysis *analysis = hunt->analysis;
    struct search_task task = {
        .rules = analysis->rules,
        .position = analysis->position[hunt->ply - 1],
        .level = SEARCH_LEVEL_MAX,
        .limits = {.nodes = hunt->is_sure ? NODES : NODES_FIRST}};
    struct search_report report;
    struct undo undo;

    rules_make(analysis->rules, &task.position, move, &undo);
    search_run(hunt->search, &task, NULL, NULL, &report);
    return analysis_chance(analysis->rules, (enum side)task.position.side, &report);
}

struct puzzle_hunt *puzzle_hunt_new(const struct analysis *analysis)
{
    struct puzzle_hunt *hunt = mem_new(sizeof *hunt);

    hunt->analysis = analysis;
    hunt->search = search_new(TABLE_MB);
    return hunt;
}

void puzzle_hunt_free(struct puzzle_hunt *hunt)
{
    if (hunt == NULL)
        return;
    search_free(hunt->search);
    free(hunt);
}

/* Finds the next ply whose move was bad enough for a puzzle, unless such a ply is being
 * examined already. Returns false if the game has no more such plies. */
static bool find_candidate(struct puzzle_hunt *hunt)
{
    const struct analysis *analysis = hunt->analysis;
    struct analysis_move *move = &hunt->move;

    while (!hunt->is_candidate && hunt->ply < analysis->plies) {
        hunt->ply++;
        hunt->is_candidate = analysis_judge(analysis, hunt->ply, move) &&
                             move->has_better &&
                             (move->lost >= LOSS_LEAST || move->missed_plies > 0);
    }
    if (hunt->is_candidate && hunt->tried == 0)
        rules_legal_moves(analysis->rules, &analysis->position[hunt->ply - 1],
                          &hunt->moves);
    return hunt->is_candidate;
}

/* Returns true if `move` would lower the mover's winning chance by at least
 * LOSS_LEAST. */
static bool is_wrong(const struct puzzle_hunt *hunt, struct move move)
{
    enum side side = hunt->move.side;
    double chance = analysis_chance_of(side, hunt->move.before);
    double after = chance_after(hunt, move);

    return chance - analysis_chance_of(side, after) >= LOSS_LEAST;
}

static void leave_candidate(struct puzzle_hunt *hunt)
{
    hunt->is_candidate = false;
    hunt->is_sure = false;
    hunt->tried = 0;
}

enum puzzle_step puzzle_hunt_step(struct puzzle_hunt *hunt, struct puzzle *out)
{
    struct move solution, move;

    if (!find_candidate(hunt))
        return PUZZLE_END;
    solution = hunt->move.line[0];
    if (hunt->tried == hunt->moves.count && !hunt->is_sure) {
        hunt->is_sure = true;
        hunt->tried = 0;
    }
    if (hunt->tried == hunt->moves.count) {
        *out = (struct puzzle){.ply = hunt->ply,
                               .side = hunt->move.side,
                               .solution = solution,
                               .played = hunt->move.move};
        leave_candidate(hunt);
        return PUZZLE_FOUND;
    }
    move = hunt->moves.move[hunt->tried++];
    if (!move_is_same(move, solution) && !is_wrong(hunt, move))
        leave_candidate(hunt);
    return PUZZLE_GOES_ON;
}
