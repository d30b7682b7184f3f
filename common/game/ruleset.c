/* The four rulesets (rules.h, "Rulesets"). This table contains all differences between
 * rulesets. */
#include "common/game/ruleset.h"

#include <string.h>

/* The endings that are tested after each ply, in this order (M13; K9, V8; J9). */
static const enum reason martin_endings[] = {
    REASON_BOTH_FORFEITED, REASON_NAKED_CHECK, REASON_MATE_BY_FORFEITED,
    REASON_KING_GUARD,     REASON_CHECKMATE,   REASON_DOUBLE_PASS,
    REASON_REPETITION,     REASON_NO_CAPTURE,  REASON_NONE};
static const enum reason bikjang_endings[] = {REASON_BIKJANG,    REASON_DOUBLE_PASS,
                                              REASON_CHECKMATE,  REASON_REPETITION,
                                              REASON_NO_CAPTURE, REASON_NONE};
static const enum reason points_endings[] = {
    REASON_BIKJANG,    REASON_DOUBLE_PASS, REASON_CHECKMATE, REASON_PERPETUAL_CHECK,
    REASON_REPETITION, REASON_NO_CAPTURE,  REASON_NONE};

static const struct ruleset martin = {
    .name = "martin",
    .rating_pool = "martin",
    .first_mover = SIDE_RED,
    .bare = BARE_IS_CHECK,
    .baring_forfeits = true,
    .has_rule_7b = true,
    .pass_needs_no_move = true,
    .endings = martin_endings,
    .chance = {160, 0},
};

static const struct ruleset courier = {
    .name = "courier",
    .rating_pool = "classic",
    .first_mover = SIDE_RED,
    .bare = BARE_IS_NOTHING,
    .swaps_before_first_move = true,
    .endings = bikjang_endings,
    .chance = {160, 0}, /* as in martin, because both rulesets have draws */
};

static const struct ruleset vchess = {
    .name = "vchess",
    .rating_pool = "classic",
    .first_mover = SIDE_RED,
    .bare = BARE_IS_NOTHING,
    .has_values = true,
    .pass_is_king_on_king = true,
    .endings = bikjang_endings,
    .chance = {160, 0}, /* as in martin, because both rulesets have draws */
};

static const struct ruleset kja = {
    .name = "kja",
    .rating_pool = "kja",
    .first_mover = SIDE_BLUE,
    .bare = BARE_IS_OFFER,
    .counts_points = true,
    .endings = points_endings,
    .chance = {251, -80},
};

static const struct ruleset *const table[] = {&martin, &courier, &vchess, &kja};

const struct ruleset *ruleset_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const struct ruleset *ruleset_at(size_t i)
{
    return i < ARRAY_LEN(table) ? table[i] : NULL;
}

const char *ruleset_name(const struct ruleset *rules)
{
    return rules->name;
}

const char *ruleset_rating_pool(const struct ruleset *rules)
{
    return rules->rating_pool;
}

enum side ruleset_first_mover(const struct ruleset *rules)
{
    return rules->first_mover;
}

struct ruleset_chance ruleset_chance(const struct ruleset *rules)
{
    return rules->chance;
}

bool ruleset_counts_points(const struct ruleset *rules)
{
    return rules->counts_points;
}
