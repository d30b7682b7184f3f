/* See rules.h. Refusals, endings, positions, moves, and the counting of sequences of
 * moves. */
#include "common/game/rules.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/legal.h"
#include "common/game/reach.h"
#include "common/game/ruleset.h"

/* --- Refusals --- */

static struct fault fault_at(const struct position *position, struct move move,
                             enum fault_code code, int at)
{
    bool has_from = !move_is_pass(move);

    return (struct fault){
        .code = code,
        .kind = has_from ? position_kind(position, move.from) : KIND_NONE,
        .at = at,
        .by = at != POINT_NONE ? position_kind(position, at) : KIND_NONE,
        .side = has_from ? position_side(position, move.from) : SIDE_NONE,
        .by_side = at != POINT_NONE ? position_side(position, at) : SIDE_NONE,
        .move = move};
}

struct fault rules_judge_claim(const struct position *position, struct move move,
                               enum kind claimed)
{
    struct fault fault = fault_at(position, move, FAULT_NONE, POINT_NONE);

    if (claimed == KIND_NONE || fault.kind == KIND_NONE || claimed == fault.kind)
        return fault;
    fault = fault_at(position, move, FAULT_WRONG_PIECE, move.from);
    fault.kind = claimed;
    return fault;
}

/* --- How each piece moves --- */

/* Counts the pieces between move.from and move.to. Returns their number; -1 if the two
 * points are not on one painted line. Writes the points of the one or two pieces
 * nearest to move.from to `found`, the nearest first. */
static int count_on_way(const struct position *position, struct move move, int found[2])
{
    struct points between;
    int count = 0;
    bool is_up = move.to > move.from; /* a set yields points in ascending order */

    if (!reach_is_line(move.from, move.to, &between))
        return -1;
    for (struct points left = points_and(between, position_taken(position));
         !points_is_empty(left); count++) {
        int at = points_take(&left);

        if (is_up && count < 2)
            found[count] = at;
        if (!is_up) { /* descending: reverse the order */
            found[1] = found[0];
            found[0] = at;
        }
    }
    return count;
}

static struct fault judge_rook(const struct position *position, struct move move)
{
    int found[2] = {POINT_NONE, POINT_NONE};
    int count = count_on_way(position, move, found);

    if (count < 0)
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    if (count > 0)
        return fault_at(position, move, FAULT_PATH_BLOCKED, found[0]);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_cannon(const struct position *position, struct move move)
{
    int found[2] = {POINT_NONE, POINT_NONE};
    int count = count_on_way(position, move, found);

    if (count < 0)
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    if (count == 0)
        return fault_at(position, move, FAULT_NO_SCREEN, POINT_NONE);
    if (position_kind(position, found[0]) == KIND_CANNON)
        return fault_at(position, move, FAULT_SCREEN_CANNON, found[0]);
    if (count > 1)
        return fault_at(position, move, FAULT_TWO_SCREENS, found[1]);
    if (position_kind(position, move.to) == KIND_CANNON &&
        position_side(position, move.to) != (enum side)position->side)
        return fault_at(position, move, FAULT_TARGET_CANNON, move.to);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

/* Judges the steps of a knight or a bishop: every point on the way must be empty. */
static struct fault judge_legs(const struct position *position, struct move move)
{
    int legs[2];
    int count =
        reach_legs(position_kind(position, move.from), move.from, move.to, legs);

    if (count == 0)
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    for (int i = 0; i < count; i++)
        if (position->at[legs[i]] != 0)
            return fault_at(position, move, FAULT_LEG_BLOCKED, legs[i]);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

/* Judges the move of a king or a guard. */
static struct fault judge_step(const struct position *position, struct move move)
{
    if (!side_owns_fortress_at((enum side)position->side, move.to))
        return fault_at(position, move, FAULT_LEAVES_FORTRESS, move.to);
    if (!points_has(reach_king(move.from), move.to))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_pawn(const struct position *position, struct move move)
{
    enum side side = (enum side)position->side;
    int files = point_file(move.to) - point_file(move.from);
    int rows = side_rows_ahead(side, move.to) - side_rows_ahead(side, move.from);

    if (rows == -1 && abs(files) <= 1)
        return fault_at(position, move, FAULT_PAWN_BACKWARD, POINT_NONE);
    if (!points_has(reach_pawn(move.from, side), move.to))
        return fault_at(position, move, FAULT_SHAPE, POINT_NONE);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_way(const struct position *position, struct move move)
{
    switch (position_kind(position, move.from)) {
    case KIND_ROOK:
        return judge_rook(position, move);
    case KIND_CANNON:
        return judge_cannon(position, move);
    case KIND_KNIGHT:
    case KIND_BISHOP:
        return judge_legs(position, move);
    case KIND_GUARD:
    case KIND_KING:
        return judge_step(position, move);
    default:
        return judge_pawn(position, move);
    }
}

/* --- Whose piece, and the kings --- */

static struct fault judge_owner(const struct position *position, struct move move)
{
    if (position->at[move.from] == 0)
        return fault_at(position, move, FAULT_NO_PIECE, move.from);
    if (position_side(position, move.from) != (enum side)position->side)
        return fault_at(position, move, FAULT_NOT_YOURS, move.from);
    if (move.from == move.to)
        return fault_at(position, move, FAULT_SAME_POINT, move.from);
    return fault_at(position, move, FAULT_NONE, POINT_NONE);
}

static struct fault judge_kings(const struct ruleset *rules,
                                const struct position *position, struct move move)
{
    struct legal_view view;
    struct points attackers;
    enum fault_code code;
    int at = POINT_NONE;

    legal_look(&view, rules, position);
    code = legal_try(&view, move.from, move.to, &attackers);
    if (code == FAULT_IN_CHECK)
        at = points_first(attackers);
    else if (code != FAULT_NONE)
        at = view.enemy_king;
    return fault_at(position, move, code, at);
}

static struct fault judge_pass(const struct ruleset *rules,
                               const struct position *position)
{
    struct legal_view view;
    struct move example = move_pass();
    bool has_move;

    legal_look(&view, rules, position);
    has_move = legal_has_move(&view, &example);
    if (legal_is_pass(&view, has_move))
        return fault_at(position, move_pass(), FAULT_NONE, POINT_NONE);
    if (!points_is_empty(view.checkers))
        return fault_at(position, move_pass(), FAULT_PASS_IN_CHECK,
                        points_first(view.checkers));
    if (view.is_bare && rules->bare == BARE_IS_CHECK)
        return fault_at(position, move_pass(), FAULT_PASS_BARE, view.enemy_king);
    return fault_at(position, example, FAULT_PASS_HAS_MOVE, example.from);
}

struct fault rules_judge(const struct ruleset *rules, const struct position *position,
                         struct move move)
{
    struct fault fault;

    if (move_is_pass(move))
        return judge_pass(rules, position);
    fault = judge_owner(position, move);
    if (fault.code == FAULT_NONE)
        fault = judge_way(position, move);
    if (fault.code == FAULT_NONE &&
        position_side(position, move.to) == (enum side)position->side)
        fault = fault_at(position, move, FAULT_OWN_TARGET, move.to);
    if (fault.code == FAULT_NONE)
        fault = judge_kings(rules, position, move);
    return fault;
}

/* --- Names of results and faults --- */

static const char *const outcome_names[] = {"none", "red", "blue", "draw"};

static const char *const reason_names[REASONS] = {
    [REASON_NONE] = "none",
    [REASON_CHECKMATE] = "checkmate",
    [REASON_NAKED_CHECK] = "naked_check",
    [REASON_MATE_BY_FORFEITED] = "mate_by_forfeited",
    [REASON_KING_GUARD] = "king_guard",
    [REASON_BOTH_FORFEITED] = "both_forfeited",
    [REASON_BIKJANG] = "bikjang",
    [REASON_PERPETUAL_CHECK] = "perpetual_check",
    [REASON_DOUBLE_PASS] = "double_pass",
    [REASON_REPETITION] = "repetition",
    [REASON_NO_CAPTURE] = "no_capture",
    [REASON_RESIGNATION] = "resignation",
    [REASON_TIME] = "time",
    [REASON_ABSENCE] = "absence",
    [REASON_AGREEMENT] = "agreement",
    [REASON_ABORTED] = "aborted",
    [REASON_HOST] = "host",
};

const char *outcome_name(enum outcome outcome)
{
    return outcome_names[outcome];
}

bool outcome_parse(const char *word, enum outcome *out)
{
    int found = text_find_word(outcome_names, ARRAY_LEN(outcome_names), word);

    if (found >= 0)
        *out = (enum outcome)found;
    return found >= 0;
}

const char *reason_name(enum reason reason)
{
    return reason_names[reason];
}

bool reason_parse(const char *word, enum reason *out)
{
    int found = text_find_word(reason_names, REASONS, word);

    if (found > REASON_NONE)
        *out = (enum reason)found;
    return found > REASON_NONE;
}

static const char *const fault_names[] = {
    [FAULT_NONE] = "none",
    [FAULT_NOT_YOUR_TURN] = "not-your-turn",
    [FAULT_NOT_STARTED] = "not-started",
    [FAULT_OVER] = "over",
    [FAULT_TIME] = "time",
    [FAULT_NOT_SETUP] = "not-setup",
    [FAULT_ADJOURNED] = "adjourned",
    [FAULT_NOT_ADJOURNED] = "not-adjourned",
    [FAULT_NO_PIECE] = "no-piece",
    [FAULT_NOT_YOURS] = "not-yours",
    [FAULT_WRONG_PIECE] = "wrong-piece",
    [FAULT_SAME_POINT] = "same-point",
    [FAULT_OWN_TARGET] = "own-target",
    [FAULT_SHAPE] = "shape",
    [FAULT_PATH_BLOCKED] = "path-blocked",
    [FAULT_LEG_BLOCKED] = "leg-blocked",
    [FAULT_NO_SCREEN] = "no-screen",
    [FAULT_TWO_SCREENS] = "two-screens",
    [FAULT_SCREEN_CANNON] = "screen-cannon",
    [FAULT_TARGET_CANNON] = "target-cannon",
    [FAULT_LEAVES_FORTRESS] = "leaves-fortress",
    [FAULT_PAWN_BACKWARD] = "pawn-backward",
    [FAULT_IN_CHECK] = "in-check",
    [FAULT_MUST_ANSWER_BARE] = "must-answer-bare",
    [FAULT_MAY_NOT_BARE] = "may-not-bare",
    [FAULT_PASS_HAS_MOVE] = "pass-has-move",
    [FAULT_PASS_IN_CHECK] = "pass-in-check",
    [FAULT_PASS_BARE] = "pass-bare",
    [FAULT_NO_SUCH_PLY] = "no-such-ply",
};
static_assert(ARRAY_LEN(fault_names) == FAULTS, "every fault has a name");

const char *fault_name(enum fault_code code)
{
    return fault_names[code];
}

/* --- Endings --- */

/* The data for the tests of endings. */
struct end_case {
    const struct position *position;
    const struct history_view *history;
    struct legal_view view;
    bool has_reply; /* the side to move has a legal move or a legal pass */
};

enum { NO_CAPTURE_PLIES = 100, REPETITIONS = 3, PASSES = 2 };

static bool has_forfeited(const struct position *position, enum side side)
{
    return position->forfeits >> side & 1;
}

/* --- One test for each reason --- */

static bool is_both_forfeited(const struct end_case *end) /* M6 */
{
    return has_forfeited(end->position, SIDE_RED) &&
           has_forfeited(end->position, SIDE_BLUE);
}

static bool is_double_pass(const struct end_case *end) /* M10, K6, V4, J2 */
{
    return end->position->passes >= PASSES;
}

static bool is_bikjang(const struct end_case *end) /* K3, V3, J5 */
{
    return end->history->was_bare && rules_kings_are_bare(end->position);
}

static bool is_naked_check(const struct end_case *end) /* M4 */
{
    return !end->has_reply && end->view.is_bare;
}

static bool is_mate_by_forfeited(const struct end_case *end) /* M5 */
{
    return !end->has_reply && has_forfeited(end->position, side_other(end->view.side));
}

/* M8: true if the side has no legal reply, but only because rule 7b (M7) forbids its
 * king to take a checking piece. */
static bool is_king_guard(const struct end_case *end)
{
    const struct legal_view *view = &end->view;
    struct points prizes = points_and(reach_king(view->king), view->checkers);

    if (end->has_reply)
        return false;
    while (!points_is_empty(prizes))
        if (legal_try(view, view->king, points_take(&prizes), NULL) ==
            FAULT_MAY_NOT_BARE)
            return true;
    return false;
}

static bool is_checkmate(const struct end_case *end) /* C3 */
{
    return !end->has_reply;
}

static bool is_repetition(const struct end_case *end) /* M11, K7, V8 */
{
    return end->history->occurrences >= REPETITIONS;
}

static bool is_perpetual_check(const struct end_case *end) /* J7 */
{
    return is_repetition(end) && end->history->perpetual != SIDE_NONE;
}

static bool is_no_capture(const struct end_case *end) /* M12, K8, V8, J8 */
{
    return end->position->quiet >= NO_CAPTURE_PLIES;
}

static bool (*const holds[REASONS])(const struct end_case *) = {
    [REASON_CHECKMATE] = is_checkmate,
    [REASON_NAKED_CHECK] = is_naked_check,
    [REASON_MATE_BY_FORFEITED] = is_mate_by_forfeited,
    [REASON_KING_GUARD] = is_king_guard,
    [REASON_BOTH_FORFEITED] = is_both_forfeited,
    [REASON_BIKJANG] = is_bikjang,
    [REASON_PERPETUAL_CHECK] = is_perpetual_check,
    [REASON_DOUBLE_PASS] = is_double_pass,
    [REASON_REPETITION] = is_repetition,
    [REASON_NO_CAPTURE] = is_no_capture,
};

/* --- Results --- */

static enum outcome win_of(enum side side)
{
    return side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE;
}

int rules_points_halves(const struct ruleset *rules, const struct position *position,
                        enum side side)
{
    static const int points[KINDS] = {0, 13, 5, 3, 3, 0, 7, 2}; /* J1, by enum kind */
    int halves = 0;

    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        halves +=
            2 * points[kind] *
            points_count(points_and(position->of_side[side], position->of_kind[kind]));
    if (rules->counts_points && side != rules->first_mover)
        halves += 3;
    return halves;
}

/* Returns the result of an ending that is usually a draw. If the ruleset counts points,
 * the side with more points wins instead; the two sides then never have equal points
 * (J1). */
static enum outcome settle(const struct ruleset *rules, const struct position *position)
{
    int red = rules_points_halves(rules, position, SIDE_RED);
    int blue = rules_points_halves(rules, position, SIDE_BLUE);

    if (!rules->counts_points)
        return OUTCOME_DRAW;
    return win_of(red > blue ? SIDE_RED : SIDE_BLUE);
}

static enum outcome outcome_of(const struct ruleset *rules, const struct end_case *end,
                               enum reason reason)
{
    switch (reason) {
    case REASON_NONE:
        return OUTCOME_NONE;
    case REASON_CHECKMATE:
        return win_of(side_other(end->view.side));
    case REASON_PERPETUAL_CHECK:
        return win_of(side_other(end->history->perpetual));
    default:
        return settle(rules, end->position);
    }
}

const struct history_view rules_no_history = {.occurrences = 1, .perpetual = SIDE_NONE};

enum reason rules_ending(const struct ruleset *rules, const struct position *position,
                         const struct history_view *history, enum outcome *outcome)
{
    struct end_case end = {.position = position, .history = history};
    const enum reason *reason = rules->endings;

    legal_look(&end.view, rules, position);
    /* If has_move is false, legal_is_pass() returns true if a side without another
     * legal move may pass. */
    end.has_reply = legal_is_pass(&end.view, false) || legal_has_move(&end.view, NULL);
    while (*reason != REASON_NONE && !holds[*reason](&end))
        reason++;
    *outcome = outcome_of(rules, &end, *reason);
    return *reason;
}

bool rules_is_over(const struct ruleset *rules, const struct position *position)
{
    enum outcome outcome;

    return rules_ending(rules, position, &rules_no_history, &outcome) != REASON_NONE;
}

/* --- The past --- */

static uint64_t key_before(const struct past_view *past, int ply)
{
    uint64_t key;

    memcpy(&key, (const char *)past->key + (size_t)ply * past->stride, sizeof key);
    return key;
}

static bool gave_check(const struct past_view *past, int ply)
{
    if (ply == past->plies - 1)
        return past->last_gave_check;
    return *(const bool *)((const char *)past->gave_check + (size_t)ply * past->stride);
}

/* True if every second ply, from `last` back to `first`, gave check. */
static bool checked_always(const struct past_view *past, int first, int last)
{
    for (int ply = last; ply >= first; ply -= 2)
        if (!gave_check(past, ply))
            return false;
    return true;
}

/* Compares position with earlier positions. A position before a capture cannot come
 * back, so only the plies since the last capture matter. Of these, only every second
 * ply has the same side to move. */
void rules_look_back(const struct position *position, const struct past_view *past,
                     struct history_view *history)
{
    enum side side = (enum side)position->side;
    int oldest = past->plies - (int)position->quiet;
    int first = past->plies;
    bool by_side, by_other;

    history->occurrences = 1;
    history->perpetual = SIDE_NONE;
    if (oldest < past->first)
        oldest = past->first;
    for (int ply = past->plies - 2; ply >= oldest; ply -= 2)
        if (key_before(past, ply) == position->key) {
            first = ply;
            history->occurrences += ply >= past->own ? 2 : 1;
        }
    if (history->occurrences < 2)
        return;
    by_other = checked_always(past, first, past->plies - 1);
    by_side = checked_always(past, first, past->plies - 2);
    if (by_side != by_other)
        history->perpetual = by_side ? side : side_other(side);
}

enum reason rules_ends_at_once(const struct ruleset *rules,
                               const struct position *position, bool was_bare)
{
    struct history_view history = {.was_bare = was_bare, .perpetual = SIDE_NONE};
    struct end_case end = {.position = position, .history = &history};

    for (const enum reason *reason = rules->endings; *reason != REASON_NONE; reason++) {
        bool is_of_itself = *reason == REASON_BOTH_FORFEITED ||
                            *reason == REASON_DOUBLE_PASS || *reason == REASON_BIKJANG;

        if (is_of_itself && holds[*reason](&end))
            return *reason;
    }
    return REASON_NONE;
}

enum outcome rules_outcome_of_loss(const struct ruleset *rules,
                                   const struct position *position, enum side loser)
{
    enum side winner = side_other(loser);

    if (rules->baring_forfeits && has_forfeited(position, winner))
        return OUTCOME_DRAW;
    return win_of(winner);
}

void rules_points_format(char out[POINTS_BYTES], const struct ruleset *rules,
                         const struct position *position)
{
    struct text text = text_into(out, POINTS_BYTES);

    for (int side = 0; side < SIDES; side++) {
        int halves = rules_points_halves(rules, position, (enum side)side);

        text_addf(&text, "%s%d%s", side == SIDE_RED ? "" : "/", halves / 2,
                  halves % 2 == 0 ? "" : ".5");
    }
}

/* --- Positions --- */

/* Returns the pieces that could take the king of side. */
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

/* Lists the legal moves. MOVES_MAX is enough for 16 pieces: a rook has at most 17 + 4
 * points, a knight, bishop or king 8, a pawn 5. */
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

/* Adds to position->key the part for the side to move and the forfeits, or removes it.
 * Both are the same operation (xor). */
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

/* Counts the legal replies without playing them. rules_perft() uses this count for the
 * last ply of each sequence. */
static uint64_t count_replies(const struct legal_view *view)
{
    int count = legal_count(view);

    return (uint64_t)count + (legal_is_pass(view, count > 0) ? 1 : 0);
}

uint64_t rules_perft(const struct ruleset *rules, struct position *position, int depth,
                     bool was_bare)
{
    struct legal_view view;
    struct move_list list;
    uint64_t count = 0;

    if (depth == 0)
        return 1;
    if (rules_ends_at_once(rules, position, was_bare) != REASON_NONE)
        return 0;
    legal_look(&view, rules, position);
    if (depth == 1)
        return count_replies(&view);
    list_legal(&view, &list);
    for (int i = 0; i < list.count; i++) {
        struct undo undo;

        rules_make(rules, position, list.move[i], &undo);
        count += rules_perft(rules, position, depth - 1, view.is_bare);
        rules_unmake(position, list.move[i], &undo);
    }
    return count;
}
