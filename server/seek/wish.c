/* See wish.h. */
#include "server/seek/wish.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/rules.h"
#include "server/seek/seeks.h"

static const char times_rule[] =
    "the times are a list like 10m+5s,5m+3s,3d: at most 8, each once";
static const char rules_rule[] =
    "the rules are a list of names from the greeting, like kja,martin: each once";

static bool has_time(const struct wish *wish, const struct time_terms *time)
{
    for (int i = 0; i < wish->times; i++)
        if (time_terms_is_same(&wish->time[i], time))
            return true;
    return false;
}

static bool has_rules(const struct wish *wish, const struct ruleset *rules)
{
    for (int i = 0; i < wish->rulesets; i++)
        if (wish->rules[i] == rules)
            return true;
    return false;
}

bool wish_parse_times(struct wish *wish, const char *list, const char **why)
{
    struct time_terms time[TIME_LIST_MAX];
    int times = time_terms_parse_list(list, time);

    *why = times_rule;
    if (times == 0)
        return false;
    memcpy(wish->time, time, sizeof time);
    wish->times = times;
    return true;
}

static bool add_rules(struct wish *wish, const char *word)
{
    const struct ruleset *rules = ruleset_find(word);

    if (wish->rulesets == WISH_RULES_MAX || rules == NULL || has_rules(wish, rules))
        return false;
    wish->rules[wish->rulesets++] = rules;
    return true;
}

bool wish_parse_rules(struct wish *wish, const char *list, const char **why)
{
    char copy[WISH_WORDS_BYTES], *rest = copy, *word;
    struct wish next = *wish;

    *why = rules_rule;
    next.rulesets = 0;
    if (!text_copy(copy, sizeof copy, list))
        return false;
    while ((word = strsep(&rest, ",")) != NULL)
        if (!add_rules(&next, word))
            return false;
    *wish = next;
    return true;
}

void wish_format(char out[WISH_WORDS_BYTES], const struct wish *wish)
{
    struct text text = text_into(out, WISH_WORDS_BYTES);
    struct terms first = wish_terms(wish, 0, 0);
    char words[TERMS_BYTES], time[TIME_TERMS_BYTES], range[RATED_RANGE_BYTES];

    terms_format(words, &first);
    text_add(&text, words);
    for (int i = 0; i < wish->times && wish->times > 1; i++) {
        time_terms_format(time, &wish->time[i]);
        text_addf(&text, "%s%s", i == 0 ? " times=" : ",", time);
    }
    for (int i = 0; i < wish->rulesets && wish->rulesets > 1; i++)
        text_addf(&text, "%s%s", i == 0 ? " rulesets=" : ",",
                  ruleset_name(wish->rules[i]));
    if (wish->takes_bots)
        text_add(&text, " bots=yes");
    rated_format_range(range, &wish->range);
    text_add(&text, range);
}

struct terms wish_terms(const struct wish *wish, int i, int j)
{
    return (struct terms){
        .time = wish->time[i],
        .rules = wish->rules[j],
        .side = SIDE_NONE,
        .manners = {.is_rated = wish->is_rated, .bars_takebacks = wish->is_rated}};
}

bool wish_meet(const struct wish *first, const struct wish *second, struct terms *out)
{
    int i = 0, j = 0;

    while (i < first->times && !has_time(second, &first->time[i]))
        i++;
    while (j < first->rulesets && !has_rules(second, first->rules[j]))
        j++;
    if (i == first->times || j == first->rulesets)
        return false;
    *out = wish_terms(first, i, j);
    return true;
}

void wish_format_seek(char out[WISH_WORDS_BYTES], const struct seek *seek)
{
    static_assert((int)TERMS_BYTES + (int)RATED_RANGE_BYTES <= (int)WISH_WORDS_BYTES,
                  "room for either");
    char words[TERMS_BYTES], range[RATED_RANGE_BYTES];

    if (seek->wish != NULL) {
        wish_format(out, seek->wish);
        return;
    }
    terms_format(words, &seek->terms);
    rated_format_range(range, &seek->range);
    snprintf(out, WISH_WORDS_BYTES, "%s%s", words, range);
}
