/* Checks, lists of moves, making and unmaking them, counting them. See rules.h. */
#include "common/game/rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/game/ending.h"
#include "common/game/legal.h"
#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* --- Positions --- */

/* The pieces that could take the king of side. */
static struct points checkers_of(const struct position *position, enum side side)
{
    enum side other = side_other(side);
    struct crowd crowd = {position_taken(position), position->of_kind[KIND_CANNON]};

    return reach_attackers(position->king[side], other, position->of_side[other],
                           position->of_kind, &crowd);
}

bool rules_position_ok(const struct ruleset *rules, const struct position *position,
                       struct position_fault *why)
{
    enum side waiting = side_other((enum side)position->side);
    struct points checkers = checkers_of(position, waiting);

    if (!points_is_empty(checkers)) {
        int at = points_first(checkers);

        return position_refuse(
            why, (struct position_fault){.code = POSITION_IN_CHECK,
                                         .side = waiting,
                                         .kind = position_kind(position, at),
                                         .at = at});
    }
    if (!rules->baring_forfeits && position->forfeits != 0)
        return position_refuse(
            why, (struct position_fault){.code = POSITION_NO_FORFEITS, .rules = rules});
    if (rules->baring_forfeits && rules_kings_are_bare(position) &&
        !(position->forfeits >> waiting & 1))
        return position_refuse(
            why,
            (struct position_fault){.code = POSITION_FORFEIT_MISSING, .side = waiting});
    return true;
}

bool rules_kings_are_bare(const struct position *position)
{
    return reach_are_bare(position->king[SIDE_RED], position->king[SIDE_BLUE],
                          position_taken(position));
}

enum check rules_check(const struct position *position)
{
    bool by_piece = !points_is_empty(checkers_of(position, (enum side)position->side));
    bool by_king = rules_kings_are_bare(position);

    if (by_piece)
        return by_king ? CHECK_BOTH : CHECK_PIECE;
    return by_king ? CHECK_KINGS : CHECK_NONE;
}

const char *check_name(enum check check)
{
    static const char *const name[] = {"none", "piece", "kings", "both"};

    return name[check];
}

/* --- Moves --- */

static void list_targets(struct move_list *list, int from, struct points targets)
{
    while (!points_is_empty(targets))
        list->move[list->count++] =
            (struct move){(int8_t)from, (int8_t)points_take(&targets)};
}

/* The list is long enough: 16 pieces with at most 17 + 4 points for a rook, 8 for a
 * knight, bishop or king, 5 for a pawn. */
static void list_legal(const struct legal_view *view, struct move_list *out)
{
    out->count = 0;
    for (struct points men = view->own; !points_is_empty(men);) {
        int from = points_take(&men);

        list_targets(out, from, legal_targets(view, from));
    }
    if (legal_is_pass(view, out->count > 0))
        out->move[out->count++] = move_pass();
}

void rules_legal_moves(const struct ruleset *rules, const struct position *position,
                       struct move_list *out)
{
    struct legal_view view;

    legal_look(&view, rules, position);
    list_legal(&view, out);
}

void rules_free_moves(const struct position *position, int from, struct move_list *out)
{
    struct crowd crowd = {position_taken(position), position->of_kind[KIND_CANNON]};
    enum side side = position_side(position, from);

    out->count = 0;
    list_targets(
        out, from,
        points_less(reach_of(position_kind(position, from), side, from, &crowd),
                    position->of_side[side]));
}

struct move rules_read_move(const struct ruleset *rules,
                            const struct position *position, enum side side,
                            struct move typed)
{
    bool is_king_on_king = !move_is_pass(typed) && typed.from == position->king[side] &&
                           typed.to == position->king[side_other(side)];

    return rules->pass_is_king_on_king && is_king_on_king ? move_pass() : typed;
}

/* --- Moving --- */

/* The part of the key that is not pieces, put in or taken out. */
static void toggle_turn_key(struct position *position)
{
    position->key ^=
        position_key_of_turn((enum side)position->side, position->forfeits);
}

static void carry(struct position *position, int from, int to)
{
    uint8_t code = position->at[from];

    position_take_off(position, from);
    position_put(position, to, code);
}

void rules_make(const struct ruleset *rules, struct position *position,
                struct move move, struct undo *undo)
{
    enum side mover = (enum side)position->side;

    *undo = (struct undo){.key = position->key,
                          .quiet = position->quiet,
                          .move_number = position->move_number,
                          .passes = position->passes,
                          .forfeits = position->forfeits};
    toggle_turn_key(position);
    position->quiet++;
    if (move_is_pass(move)) {
        position->passes++;
    } else {
        undo->captured = position->at[move.to];
        if (undo->captured != 0) {
            position_take_off(position, move.to);
            position->quiet = 0;
        }
        carry(position, move.from, move.to);
        position->passes = 0;
    }
    if (rules->baring_forfeits && rules_kings_are_bare(position)) /* M2 */
        position->forfeits = (uint8_t)(position->forfeits | 1u << mover);
    if (mover != rules->first_mover)
        position->move_number++;
    position->side = (uint8_t)side_other(mover);
    toggle_turn_key(position);
}

void rules_unmake(struct position *position, struct move move, const struct undo *undo)
{
    if (!move_is_pass(move)) {
        carry(position, move.to, move.from);
        if (undo->captured != 0)
            position_put(position, move.to, undo->captured);
    }
    position->side = (uint8_t)side_other((enum side)position->side);
    position->forfeits = undo->forfeits;
    position->passes = undo->passes;
    position->quiet = undo->quiet;
    position->move_number = undo->move_number;
    position->key = undo->key;
}

/* --- Counting --- */

/* The last ply is counted without being played. */
static uint64_t count_replies(const struct legal_view *view)
{
    int count = legal_count(view);

    return (uint64_t)count + (legal_is_pass(view, count > 0) ? 1 : 0);
}

static uint64_t perft(const struct ruleset *rules, struct position *position, int depth,
                      bool was_bare)
{
    struct legal_view view;
    struct move_list list;
    uint64_t count = 0;

    if (depth == 0)
        return 1;
    if (ending_at_once(rules, position, was_bare) != REASON_NONE)
        return 0;
    legal_look(&view, rules, position);
    if (depth == 1)
        return count_replies(&view);
    list_legal(&view, &list);
    for (int i = 0; i < list.count; i++) {
        struct undo undo;

        rules_make(rules, position, list.move[i], &undo);
        count += perft(rules, position, depth - 1, view.is_bare);
        rules_unmake(position, list.move[i], &undo);
    }
    return count;
}

uint64_t rules_perft(const struct ruleset *rules, struct position *position, int depth)
{
    return perft(rules, position, depth, false);
}
