/* The four rulesets as one table (rules.h, "Rulesets"), and the words for results. To
 * read the table is to read how they differ; nothing else in the program does. */
#include "common/game/ruleset.h"
#include "common/base/translate.h"

#include <stdio.h>
#include <string.h>

/* The tests after each ply in their order (M13; K9, V8; J9). */
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

/* No source gives the set-up a time; a minute is what pychess and others come near to.
 */
enum { SETUP_S = 60 };

static const struct ruleset martin = {
    .name = "martin",
    .summary = N_("Roleigh Martin's rules of 1995: baring the kings is a check that "
                  "costs the right to win; pass only when nothing can move"),
    .first_mover = SIDE_RED,
    .first_to_set_up = SIDE_RED,
    .setup_s = SETUP_S,
    .bare = BARE_IS_CHECK,
    .baring_forfeits = true,
    .has_rule_7b = true,
    .pass_needs_no_move = true,
    .endings = martin_endings,
};

static const struct ruleset courier = {
    .name = "courier",
    .summary = N_("the Game Courier preset: pass at any time but in check; kings left "
                  "bare for two plies are a draw"),
    .first_mover = SIDE_RED,
    .first_to_set_up = SIDE_RED,
    .setup_s = SETUP_S,
    .bare = BARE_IS_NOTHING,
    .endings = bikjang_endings,
};

static const struct ruleset vchess = {
    .name = "vchess",
    .summary = N_("the vchess page, traditional Janggi: pass at any time but in check; "
                  "kings left bare for two plies are a draw"),
    .first_mover = SIDE_RED,
    .first_to_set_up = SIDE_RED,
    .setup_s = SETUP_S,
    .bare = BARE_IS_NOTHING,
    .endings = bikjang_endings,
};

static const struct ruleset kja = {
    .name = "kja",
    .summary = N_("modern tournament: Blue moves first, Red has 1.5 points for that, "
                  "and points decide what would be a draw"),
    .first_mover = SIDE_BLUE,
    .first_to_set_up = SIDE_RED,
    .setup_s = SETUP_S,
    .bare = BARE_IS_OFFER,
    .counts_points = true,
    .endings = points_endings,
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

const char *ruleset_summary(const struct ruleset *rules)
{
    return rules->summary;
}

enum side ruleset_first_mover(const struct ruleset *rules)
{
    return rules->first_mover;
}

int ruleset_setup_s(const struct ruleset *rules)
{
    return rules->setup_s;
}

enum side ruleset_first_to_set_up(const struct ruleset *rules)
{
    return rules->first_to_set_up;
}

bool ruleset_counts_points(const struct ruleset *rules)
{
    return rules->counts_points;
}

/* --- Words for results --- */

static const char *const outcome_names[] = {N_("none"), N_("red"), N_("blue"),
                                            N_("draw")};

static const char *const reason_names[REASONS] = {
    [REASON_NONE] = N_("none"),
    [REASON_CHECKMATE] = N_("checkmate"),
    [REASON_NAKED_CHECK] = N_("naked_check"),
    [REASON_MATE_BY_FORFEITED] = N_("mate_by_forfeited"),
    [REASON_KING_GUARD] = N_("king_guard"),
    [REASON_BOTH_FORFEITED] = N_("both_forfeited"),
    [REASON_BIKJANG] = N_("bikjang"),
    [REASON_PERPETUAL_CHECK] = N_("perpetual_check"),
    [REASON_DOUBLE_PASS] = N_("double_pass"),
    [REASON_REPETITION] = N_("repetition"),
    [REASON_NO_CAPTURE] = N_("no_capture"),
    [REASON_RESIGNATION] = N_("resignation"),
    [REASON_TIME] = N_("time"),
    [REASON_ABSENCE] = N_("absence"),
    [REASON_AGREEMENT] = N_("agreement"),
    [REASON_ABORTED] = N_("aborted"),
};

/* What follows "Red wins" or "Draw". */
static const char *const reason_words[REASONS] = {
    [REASON_NONE] = "",
    [REASON_CHECKMATE] = N_(" by checkmate"),
    [REASON_NAKED_CHECK] = N_(": the kings are bare and there is no answer to that"),
    [REASON_MATE_BY_FORFEITED] = N_(": mate, but by a side that had bared the kings"),
    [REASON_KING_GUARD] = N_(": mate, but only the bare king guards the mating piece"),
    [REASON_BOTH_FORFEITED] = N_(": both sides have bared the kings"),
    [REASON_BIKJANG] = N_(": the kings were left bare"),
    [REASON_PERPETUAL_CHECK] = N_(": the other side gave check without end"),
    [REASON_DOUBLE_PASS] = N_(": both sides passed"),
    [REASON_REPETITION] = N_(": the same position for the third time"),
    [REASON_NO_CAPTURE] = N_(": 100 plies without a capture"),
    [REASON_RESIGNATION] = N_(" by resignation"),
    [REASON_TIME] = N_(" on time"),
    [REASON_ABSENCE] = N_(": the other side was away too long"),
    [REASON_AGREEMENT] = N_(" by agreement"),
    [REASON_ABORTED] = "",
};

const char *outcome_name(enum outcome outcome)
{
    return outcome_names[outcome];
}

bool outcome_parse(const char *word, enum outcome *out)
{
    for (size_t i = 0; i < ARRAY_LEN(outcome_names); i++)
        if (strcmp(word, outcome_names[i]) == 0) {
            *out = (enum outcome)i;
            return true;
        }
    return false;
}

const char *reason_name(enum reason reason)
{
    return reason_names[reason];
}

bool reason_parse(const char *word, enum reason *out)
{
    for (size_t i = REASON_CHECKMATE; i < REASONS; i++)
        if (strcmp(word, reason_names[i]) == 0) {
            *out = (enum reason)i;
            return true;
        }
    return false;
}

void outcome_describe(char out[OUTCOME_WORDS_BYTES], enum outcome outcome,
                      enum reason reason)
{
    static const char *const result[] = {N_("The game goes on"), N_("Red wins"),
                                         N_("Blue wins"), N_("Draw")};
    const char *begin =
        reason == REASON_ABORTED ? N_("The game was aborted") : result[outcome];

    snprintf(out, OUTCOME_WORDS_BYTES, "%s%s.", _(begin), _(reason_words[reason]));
}
