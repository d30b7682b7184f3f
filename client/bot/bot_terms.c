/* See bot_terms.h. */
#include "client/bot/bot_terms.h"
#include "common/base/text.h"
#include "common/base/translate.h"

#include <stdio.h>
#include <string.h>

void bot_terms_init(struct bot_terms *terms)
{
    const struct ruleset *rules;

    *terms = (struct bot_terms){
        .shortest = {.main_ms = 60 * 1000},
        .longest = {.main_ms = 2 * 60 * 60 * 1000},
    };
    for (size_t i = 0; (rules = ruleset_at(i)) != NULL; i++)
        if (terms->rules_count < BOT_RULES_MAX)
            terms->rules[terms->rules_count++] = rules;
}

bool bot_terms_take_rules(struct bot_terms *terms, const char *list)
{
    terms->rules_count = 0;
    for (;;) {
        size_t len = strcspn(list, ",");
        const struct ruleset *rules;
        char word[32];

        if (terms->rules_count == BOT_RULES_MAX ||
            !text_cut(word, sizeof word, list, len) ||
            (rules = ruleset_find(word)) == NULL)
            return false;
        terms->rules[terms->rules_count++] = rules;
        if (list[len] == '\0')
            return true;
        list += len + 1;
    }
}

enum { MOVES_OF_A_GAME = 40 };

int64_t bot_terms_length_ms(const struct time_terms *time)
{
    return time->main_ms + MOVES_OF_A_GAME * (time->increment_ms + time->period_ms);
}

static bool refuse(char *why, const char *format, const char *about)
{
    struct text text = text_into(why, BOT_WHY_BYTES);

    text_addf(&text, format, about);
    return false;
}

bool bot_terms_fit(const struct bot_terms *terms, const char *rules, const char *time,
                   char why[BOT_WHY_BYTES])
{
    struct time_terms given;
    bool has_rules = false;

    for (int i = 0; i < terms->rules_count; i++)
        has_rules |= strcmp(ruleset_name(terms->rules[i]), rules) == 0;
    if (!has_rules)
        return refuse(why, _("it does not play these rules: %.40s"), rules);
    if (!time_terms_parse(time, &given) || time_terms_is_correspondence(&given))
        return refuse(why, _("it does not play this time control: %.40s"), time);
    if (given.is_untimed)
        return terms->takes_untimed ||
               refuse(why, _("it does not play untimed games"), "");
    if (bot_terms_length_ms(&given) < bot_terms_length_ms(&terms->shortest))
        return refuse(why, _("this time is too short: %.40s"), time);
    if (bot_terms_length_ms(&given) > bot_terms_length_ms(&terms->longest))
        return refuse(why, _("this time is too long: %.40s"), time);
    return true;
}
