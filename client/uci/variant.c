/* See variant.h. Fairy-Stockfish has four variants of Korean chess. They differ in
 * whether bare kings (kings that face each other) offer a draw, and in whether points
 * decide a game that would be a draw. The first variant has the rules of our ruleset
 * "kja". */
#include "client/uci/variant.h"

#include <string.h>

#include "common/game/ruleset.h"

static const enum reason bikjang_endings[] = {
    REASON_BIKJANG,    REASON_DOUBLE_PASS, REASON_CHECKMATE, REASON_PERPETUAL_CHECK,
    REASON_REPETITION, REASON_NO_CAPTURE,  REASON_NONE};
static const enum reason open_endings[] = {REASON_DOUBLE_PASS,     REASON_CHECKMATE,
                                           REASON_PERPETUAL_CHECK, REASON_REPETITION,
                                           REASON_NO_CAPTURE,      REASON_NONE};

static const struct ruleset traditional = {
    .name = "janggitraditional",
    .first_mover = SIDE_BLUE,
    .bare = BARE_IS_OFFER,
    .endings = bikjang_endings,
};

static const struct ruleset modern = {
    .name = "janggimodern",
    .first_mover = SIDE_BLUE,
    .bare = BARE_IS_NOTHING,
    .counts_points = true,
    .endings = open_endings,
};

static const struct ruleset casual = {
    .name = "janggicasual",
    .first_mover = SIDE_BLUE,
    .bare = BARE_IS_NOTHING,
    .endings = open_endings,
};

static const struct ruleset *const others[] = {&traditional, &modern, &casual};

struct variant variant_at(size_t i)
{
    const struct ruleset *rules;

    if (i == 0)
        return (struct variant){"janggi", ruleset_find("kja")};
    if (i <= ARRAY_LEN(others))
        return (struct variant){others[i - 1]->name, others[i - 1]};
    rules = ruleset_at(i - 1 - ARRAY_LEN(others));
    return (struct variant){rules == NULL ? "" : rules->name, rules};
}

const struct ruleset *variant_find(const char *name)
{
    struct variant variant;

    for (size_t i = 0; (variant = variant_at(i)).rules != NULL; i++)
        if (strcmp(variant.name, name) == 0)
            return variant.rules;
    return NULL;
}

const char *variant_name(const struct ruleset *rules)
{
    struct variant variant;

    for (size_t i = 0; (variant = variant_at(i)).rules != NULL; i++)
        if (variant.rules == rules)
            return variant.name;
    return rules->name;
}
