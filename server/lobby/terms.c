/* See terms.h. */
#include "server/lobby/terms.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/event.h"
#include "common/game/rules.h"

const char terms_words[] =
    "the terms are a time (10 5, 10+5, 20m+3x40s, 3d, none), a side (red, blue, any), "
    "a ruleset, private, rated, time=, rules=, side=, private=, takebacks=, talk=, "
    "lag=, "
    "watchers=, rated=, sealed=, delay=, claim=, setup=, handicap= and position=";

struct terms terms_default(void)
{
    return (struct terms){
        .rules = ruleset_at(0),
        .time = {.main_ms = 600000, .increment_ms = 5000},
        .side = SIDE_NONE,
    };
}

void terms_format(char out[TERMS_BYTES], const struct terms *terms)
{
    char time[TIME_TERMS_BYTES], manners[MANNERS_BYTES];
    bool has_position = terms->position[0] != '\0';
    const char *side = terms->side != SIDE_NONE ? side_name(terms->side)
                       : terms->is_by_rank      ? "rank"
                                                : "any";

    time_terms_format(time, &terms->time);
    manners_format(manners, &terms->manners);
    snprintf(out, TERMS_BYTES, "time=%s rules=%s side=%s%s%s%s%s", time,
             ruleset_name(terms->rules), side, manners,
             has_position ? " position=\"" : "", terms->position,
             has_position ? "\"" : "");
}

/* Returns a text that says which values the manner `key` may have; terms_words if there
 * is no such manner. */
static const char *manners_rule(const char *key)
{
    static const char *const rules[][2] = {
        {"private", "private is yes or no"},
        {"takebacks", "takebacks is ask (the opponent must agree) or no"},
        {"talk", "talk is yes or no"},
        {"lag", "lag is yes (the delay of the connection is not charged) or no"},
        {"watchers", "watchers is all, members or none"},
        {"rated", "rated is yes or no"},
        {"sealed", "sealed is no or yes (both choose their line-up at the same time)"},
        {"delay", "delay is a number of plies from 0 to 20"},
        {"claim", "claim is usual, none, or from 30s to 600s"},
        {"setup", "setup is the line-ups of red and blue, like NBNB/NBBN, or none"},
        {"handicap", "handicap is the pieces that a side begins without, like red:r "
                     "or blue:nn, or none"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (strcmp(rules[i][0], key) == 0)
            return rules[i][1];
    return terms_words;
}

bool terms_set(struct terms *terms, const char *key, const char *value,
               const char **why)
{
    if (strcmp(key, "time") == 0) {
        *why = "a time is 10m+5s (or 10+5), 5m, 20m+3x40s, 3d or none";
        return time_terms_parse_typed(value, &terms->time);
    }
    if (strcmp(key, "rules") == 0) {
        const struct ruleset *rules = ruleset_find(value);

        *why = "unknown rules; the greeting lists them";
        if (rules != NULL)
            terms->rules = rules;
        return rules != NULL;
    }
    if (strcmp(key, "side") == 0) {
        *why = "a side is red, blue, any or rank (the higher rank plays red)";
        terms->side = side_parse(value);
        terms->is_by_rank = strcmp(value, "rank") == 0;
        return terms->side != SIDE_NONE || terms->is_by_rank ||
               strcmp(value, "any") == 0;
    }
    if (strcmp(key, "position") == 0) {
        *why = "a position is a board and the side to move, like 4k4/.../3K5_r";
        if (!text_copy(terms->position, sizeof terms->position, value))
            return false;
        if (strcmp(value, "none") == 0)
            terms->position[0] = '\0';
        for (char *at = terms->position; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        return true;
    }
    *why = manners_rule(key);
    return manners_set(&terms->manners, key, value) == MANNERS_SET;
}

/* Returns why a game on these terms cannot be rated; NULL: it can. */
static const char *refuse_rated(const struct terms *terms)
{
    enum { RATED_MS = 180000, MOVES = 40, PERIODS = 25 };
    const struct time_terms *time = &terms->time;
    int64_t game_ms = time->main_ms + MOVES * time->increment_ms +
                      (time->periods > 0 ? PERIODS * time->period_ms : 0);

    if (terms->manners.is_private)
        return "a rated game is not private";
    if (terms->manners.has_odds)
        return "a rated game has no handicap";
    if (terms->position[0] != '\0')
        return "a rated game does not start from a position";
    if (terms->side != SIDE_NONE || terms->is_by_rank)
        return "a rated game has side=any: the player who has begun fewer games begins";
    if (time->is_untimed || game_ms < RATED_MS)
        return "a rated game needs a clock with at least 3 minutes: 40 increments or "
               "25 periods count as well";
    return NULL;
}

bool terms_judge(struct terms *terms, const char **why, struct position_fault *fault)
{
    const struct manners *manners = &terms->manners;
    static const char end[] = " - 0 0 1"; /* of a text that stops after the side */
    bool has_position = terms->position[0] != '\0';
    size_t len = strlen(terms->position);
    const char *side = strchr(terms->position, ' ');
    struct position position;

    if (manners->is_rated) {
        terms->manners.bars_takebacks = true;
        *why = refuse_rated(terms);
        if (*why != NULL)
            return false;
    }
    /* sealed: both choose their line-ups at the same time, in secret */
    *why = "line-ups are sealed only where both sides choose one: not with setup= or "
           "position=";
    if (manners->is_sealed && (manners->has_setup || has_position))
        return false;
    *why = "by correspondence line-ups are not sealed: a restart of the server forgets "
           "the first one";
    if (manners->is_sealed && time_terms_is_correspondence(&terms->time))
        return false;
    *why = "a handicap needs setup=, the line-ups of both sides";
    if (manners->has_odds && !manners->has_setup)
        return false;
    *why = "a game has either setup= or position=";
    if (has_position && manners->has_setup)
        return false;
    *why = NULL;
    if (side != NULL && strchr(side + 1, ' ') == NULL &&
        len + sizeof end <= POSITION_BYTES)
        memcpy(terms->position + len, end, sizeof end);
    if (has_position && !position_parse(terms->position, &position, fault))
        return false;
    if (!has_position && !manners_handicap(manners, terms->rules, &position))
        return true;
    if (!rules_position_ok(terms->rules, &position, fault))
        return false;
    if (has_position)
        position_format(terms->position, &position);
    *why = "the game would be over in that position";
    return !rules_is_over(terms->rules, &position);
}

void terms_start(const struct terms *terms, struct event *start)
{
    *start = (struct event){.kind = EVENT_START,
                            .rules = terms->rules,
                            .terms = terms->time,
                            .manners = terms->manners};
    start->has_position =
        manners_handicap(&terms->manners, terms->rules, &start->position) ||
        (terms->position[0] != '\0' &&
         position_parse(terms->position, &start->position, NULL));
}

bool terms_meet(const struct terms *a, const struct terms *b, struct terms *out)
{
    *out = *a;
    if (a->side == SIDE_NONE && b->side != SIDE_NONE)
        out->side = side_other(b->side);
    return a->rules == b->rules && manners_is_same(&a->manners, &b->manners) &&
           strcmp(a->position, b->position) == 0 &&
           time_terms_is_same(&a->time, &b->time) && a->is_by_rank == b->is_by_rank &&
           (a->side == SIDE_NONE || a->side != b->side);
}

bool terms_parse(const char *text, struct terms *out)
{
    char copy[TERMS_BYTES], *rest = copy;
    struct position_fault fault;
    const char *why;

    *out = terms_default();
    if (!text_copy(copy, sizeof copy, text))
        return false;
    while (*rest != '\0') {
        const char *key = rest;
        char *value = strchr(rest, '='), *end; /* key=value or key="value" */

        if (value == NULL)
            return false;
        *value++ = '\0';
        end = *value == '"' ? strchr(++value, '"') : value + strcspn(value, " ");
        if (end == NULL)
            return false;
        rest = end + strspn(end, "\" ");
        *end = '\0';
        if (!terms_set(out, key, value, &why))
            return false;
    }
    return terms_judge(out, &why, &fault);
}
