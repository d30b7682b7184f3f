/* See terms.h. */
#include "server/lobby/terms.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/rules.h"

const char terms_words[] =
    "the words here are time=, rules=, side=, private=, takebacks= and talk=";

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
    char time[TIME_TERMS_BYTES];

    time_terms_format(time, &terms->time);
    snprintf(out, TERMS_BYTES, "time=%s rules=%s side=%s%s%s%s", time,
             ruleset_name(terms->rules),
             terms->side == SIDE_NONE ? "any" : side_name(terms->side),
             terms->is_private ? " private=yes" : "",
             terms->bars_takebacks ? " takebacks=no" : "",
             terms->bars_talk ? " talk=no" : "");
}

/* *is_other: the value is not the usual one. */
static bool set_either(const char *value, const char *usual, const char *other,
                       bool *is_other)
{
    *is_other = strcmp(value, other) == 0;
    return *is_other || strcmp(value, usual) == 0;
}

bool terms_set(struct terms *terms, const char *key, const char *value,
               const char **why)
{
    if (strcmp(key, "time") == 0) {
        *why = "a time is 10m+5s, 5m, 20m+3x40s, 3d or none";
        return time_terms_parse(value, &terms->time);
    }
    if (strcmp(key, "rules") == 0) {
        const struct ruleset *rules = ruleset_find(value);

        *why = "there are no such rules here; the greeting names those there are";
        if (rules != NULL)
            terms->rules = rules;
        return rules != NULL;
    }
    if (strcmp(key, "side") == 0) {
        *why = "a side is red, blue or any";
        terms->side = side_parse(value);
        return terms->side != SIDE_NONE || strcmp(value, "any") == 0;
    }
    if (strcmp(key, "private") == 0) {
        *why = "private is yes or no";
        return set_either(value, "no", "yes", &terms->is_private);
    }
    if (strcmp(key, "takebacks") == 0) {
        *why = "takebacks is ask (the opponent must agree) or no";
        return set_either(value, "ask", "no", &terms->bars_takebacks);
    }
    if (strcmp(key, "talk") == 0) {
        *why = "talk is yes or no";
        return set_either(value, "yes", "no", &terms->bars_talk);
    }
    *why = terms_words;
    return false;
}

bool terms_meet(const struct terms *a, const struct terms *b, struct terms *out)
{
    *out = *a;
    if (a->side == SIDE_NONE && b->side != SIDE_NONE)
        out->side = side_other(b->side);
    return a->rules == b->rules && a->is_private == b->is_private &&
           a->bars_takebacks == b->bars_takebacks && a->bars_talk == b->bars_talk &&
           time_terms_is_same(&a->time, &b->time) &&
           (a->side == SIDE_NONE || a->side != b->side);
}

bool terms_parse(const char *text, struct terms *out)
{
    char copy[TERMS_BYTES], *rest = copy, *word;
    const char *why;

    *out = terms_default();
    if (!text_copy(copy, sizeof copy, text))
        return false;
    while ((word = strsep(&rest, " ")) != NULL) {
        char *value = strchr(word, '=');

        if (value == NULL)
            return false;
        *value++ = '\0';
        if (!terms_set(out, word, value, &why))
            return false;
    }
    return true;
}
