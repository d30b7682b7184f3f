/* See terms.h. */
#include "server/seek/terms.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/event.h"
#include "common/game/rules.h"

const char terms_words[] =
    "the terms are time=, rules=, side=, private=, takebacks=, talk=, lag=, "
    "watchers=, rated=, sealed=, delay=, claim=, setup=, handicap= and position=";

struct terms terms_default(void)
{
    return (struct terms){
        .rules = ruleset_at(0),
        .time = {.main_ms = 600000, .increment_ms = 5000},
        .side = SIDE_NONE,
    };
}

static const char *side_word(const struct terms *terms)
{
    if (terms->side != SIDE_NONE)
        return side_name(terms->side);
    return terms->is_by_rank ? "rank" : "any";
}

void terms_format(char out[TERMS_BYTES], const struct terms *terms)
{
    char time[TIME_TERMS_BYTES], manners[MANNERS_BYTES];
    bool has_position = terms->position[0] != '\0';

    time_terms_format(time, &terms->time);
    manners_format(manners, &terms->manners);
    snprintf(out, TERMS_BYTES, "time=%s rules=%s side=%s%s%s%s%s", time,
             ruleset_name(terms->rules), side_word(terms), manners,
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

static bool set_position(struct terms *terms, const char *value)
{
    if (!text_copy(terms->position, sizeof terms->position, value))
        return false;
    if (strcmp(value, "none") == 0)
        terms->position[0] = '\0';
    for (char *at = terms->position; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return true;
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
        return set_position(terms, value);
    }
    *why = manners_rule(key);
    return manners_set(&terms->manners, key, value) == MANNERS_SET;
}

/* If the text of a position stops after the side to move, adds the usual end to the
 * text. */
static void complete_position(char position[POSITION_BYTES])
{
    static const char end[] = " - 0 0 1";
    const char *side = strchr(position, ' ');
    size_t len = strlen(position);

    if (side != NULL && strchr(side + 1, ' ') == NULL &&
        len + sizeof end <= POSITION_BYTES)
        memcpy(position + len, end, sizeof end);
}

/* Returns a rough estimate of the time that one side uses in a game: the main time,
 * plus 40 increments, plus 25 periods if the terms have periods. */
static int64_t estimated_ms(const struct time_terms *time)
{
    enum { MOVES = 40, PERIODS = 25 };

    return time->main_ms + MOVES * time->increment_ms +
           (time->periods > 0 ? PERIODS * time->period_ms : 0);
}

/* Returns why a game on these terms cannot be rated; NULL: it can. */
static const char *refuse_rated(const struct terms *terms)
{
    enum { RATED_MS = 180000 };

    if (terms->manners.is_private)
        return "a rated game is not private";
    if (terms->manners.has_odds)
        return "a rated game has no handicap";
    if (terms->position[0] != '\0')
        return "a rated game does not start from a position";
    if (terms->side != SIDE_NONE || terms->is_by_rank)
        return "a rated game has side=any: the player who has begun fewer games begins";
    if (terms->time.is_untimed || estimated_ms(&terms->time) < RATED_MS)
        return "a rated game needs a clock with at least 3 minutes: 40 increments or "
               "25 "
               "periods count as well";
    return NULL;
}

/* Returns why the line-ups of a game on these terms cannot be sealed, that is, chosen
 * by both sides at the same time, in secret. NULL: they can. */
static const char *refuse_sealed(const struct terms *terms)
{
    if (terms->manners.has_setup || terms->position[0] != '\0')
        return "line-ups are sealed only where both sides choose one: not with setup= "
               "or position=";
    if (time_terms_is_correspondence(&terms->time))
        return "by correspondence line-ups are not sealed: a restart of the server "
               "forgets the first one";
    return NULL;
}

bool terms_judge(struct terms *terms, const char **why, struct position_fault *fault)
{
    const struct manners *manners = &terms->manners;
    bool has_position = terms->position[0] != '\0';
    struct position position;

    if (manners->is_rated) {
        terms->manners.bars_takebacks = true;
        *why = refuse_rated(terms);
        if (*why != NULL)
            return false;
    }
    *why = manners->is_sealed ? refuse_sealed(terms) : NULL;
    if (*why != NULL)
        return false;
    *why = "a handicap needs setup=, the line-ups of both sides";
    if (manners->has_odds && !manners->has_setup)
        return false;
    *why = "a game has either setup= or position=";
    if (has_position && manners->has_setup)
        return false;
    *why = NULL;
    complete_position(terms->position);
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

/* Cuts the next key=value, or key="value", off *rest, and returns the value. NULL:
 * *rest begins with neither. */
static char *cut_value(char **rest)
{
    char *value = strchr(*rest, '='), *end;

    if (value == NULL)
        return NULL;
    *value++ = '\0';
    end = *value == '"' ? strchr(++value, '"') : value + strcspn(value, " ");
    if (end == NULL)
        return NULL;
    *rest = end + strlen(end) - strlen(end + strspn(end, "\" "));
    *end = '\0';
    return value;
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
        const char *key = rest, *value = cut_value(&rest);

        if (value == NULL || !terms_set(out, key, value, &why))
            return false;
    }
    return terms_judge(out, &why, &fault);
}
