/* How a game ends by the rules, and who has won then. See rules.h, "Endings". */
#include "common/game/ending.h"

#include <string.h>

#include "common/base/text.h"

#include <stddef.h>

#include "common/game/legal.h"
#include "common/game/ruleset.h"

/* What a test of an ending may look at. */
struct end_case {
    const struct position *position;
    const struct history_view *history;
    struct legal_view view;
    bool has_reply; /* a move or a pass */
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
    return end->history->was_bare &&
           reach_are_bare(end->position->king[SIDE_RED], end->position->king[SIDE_BLUE],
                          position_taken(end->position));
}

static bool is_naked_check(const struct end_case *end) /* M4 */
{
    return !end->has_reply && end->view.is_bare;
}

static bool is_mate_by_forfeited(const struct end_case *end) /* M5 */
{
    return !end->has_reply && has_forfeited(end->position, side_other(end->view.side));
}

/* A checking piece that nothing but rule 7b saves from the king (M8). */
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

/* What would be a draw: one, or in a ruleset that counts a win for the richer side,
 * which there always is (J1). */
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

enum reason rules_ending(const struct ruleset *rules, const struct position *position,
                         const struct history_view *history, enum outcome *outcome)
{
    struct end_case end = {.position = position, .history = history};
    const enum reason *reason = rules->endings;

    legal_look(&end.view, rules, position);
    /* Asked as if there were no move, so that the pass is the reply left, if any. */
    end.has_reply = legal_is_pass(&end.view, false) || legal_has_move(&end.view, NULL);
    while (*reason != REASON_NONE && !holds[*reason](&end))
        reason++;
    *outcome = outcome_of(rules, &end, *reason);
    return *reason;
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

/* Whether each ply from first on gave check, every other one back from last. */
static bool checked_always(const struct past_view *past, int first, int last)
{
    for (int ply = last; ply >= first; ply -= 2)
        if (!gave_check(past, ply))
            return false;
    return true;
}

/* A capture never comes back, so only the plies since the last one count, and of them
 * every other one, in which the same side was to move. */
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

enum reason ending_at_once(const struct ruleset *rules, const struct position *position,
                           bool was_bare)
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
