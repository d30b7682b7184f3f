/* See manner_words.h. */
#include "common/words/manner_words.h"

#include <string.h>

#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/game/rules.h"
#include "common/game/ruleset.h"
#include "common/words/term.h"

/* Because of the handicap, one side begins without some pieces, and so the other side
 * leads. Returns this lead in points; 0 if the ruleset does not count points. */
static int handicap_points(const struct manners *manners, const struct ruleset *rules)
{
    enum side side = (enum side)manners->odds_side;
    struct position full, less;

    if (rules == NULL || !ruleset_counts_points(rules) ||
        !manners_handicap(manners, rules, &less))
        return 0;
    position_set_up(&full, (enum lineup)manners->setup[SIDE_RED],
                    (enum lineup)manners->setup[SIDE_BLUE], ruleset_first_mover(rules));
    return (rules_points_halves(rules, &full, side) -
            rules_points_halves(rules, &less, side)) /
           2;
}

/* Adds ", red without rook, knight (a lead of 18 points for blue)". */
static void add_handicap(struct text *text, const struct manners *manners,
                         const struct ruleset *rules)
{
    enum side side = (enum side)manners->odds_side;
    int points = handicap_points(manners, rules);
    const char *before = "";
    char pieces[160];
    struct text list = text_into(pieces, sizeof pieces);

    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < manners->odds[kind]; i++, before = ", ")
            text_addf(&list, "%s%s", before, term_piece((enum kind)kind, side));
    text_addf(text, _(", %s without %s"), term_side(side), pieces);
    if (points > 0)
        text_addf(text, _(" (a lead of %d points for %s)"), points,
                  term_side(side_other(side)));
}

void manner_words_add_rare(struct text *text, const struct manners *manners,
                           const struct ruleset *rules)
{
    if (manners->watchers == WATCHERS_MEMBERS)
        text_add(text, _(", only members may watch"));
    if (manners->watchers == WATCHERS_NONE)
        text_add(text, _(", nobody may watch"));
    if (manners->delay_plies != 0)
        text_addf(text,
                  translate_count(", watchers are %d ply behind",
                                  ", watchers are %d plies behind",
                                  manners->delay_plies),
                  manners->delay_plies);
    if (manners->bars_lag)
        text_add(text, _(", clocks also count the network delay"));
    if (manners->claim_s == CLAIM_NONE)
        text_add(text, _(", no claims for absence"));
    else if (manners->claim_s != 0)
        text_addf(text, _(", a claim after %d s of absence"), manners->claim_s);
    if (manners->is_sealed)
        text_add(text, _(", line-ups chosen in secret"));
    if (manners->has_setup)
        text_addf(text, _(", line-ups red %s, blue %s"),
                  lineup_name((enum lineup)manners->setup[SIDE_RED]),
                  lineup_name((enum lineup)manners->setup[SIDE_BLUE]));
    if (manners->has_odds)
        add_handicap(text, manners, rules);
}

void manner_words_add(struct text *text, const struct manners *manners,
                      const struct ruleset *rules)
{
    if (manners->is_private)
        text_add(text, _(", private"));
    if (manners->bars_takebacks)
        text_add(text, _(", no takebacks"));
    if (manners->bars_talk)
        text_add(text, _(", no talk"));
    if (manners->is_rated)
        text_add(text, _(", rated"));
    manner_words_add_rare(text, manners, rules);
}

bool manner_words_next(char **rest, const char **key, const char **value)
{
    char *word = *rest + strspn(*rest, " "), *equals = strchr(word, '=');

    if (equals == NULL)
        return false;
    *equals = '\0';
    *key = word;
    *value = equals + 1;
    *rest = equals + 1 + strcspn(equals + 1, " ");
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return true;
}

void manner_words_add_items(struct text *text, char *items)
{
    struct manners manners = {.is_private = false};
    const struct ruleset *rules = NULL;
    bool has_position = false;
    const char *key, *value;

    while (manner_words_next(&items, &key, &value)) {
        if (strcmp(key, "rules") == 0)
            rules = ruleset_find(value);
        else if (strcmp(key, "position") == 0)
            has_position = true;
        else
            (void)!manners_set(&manners, key, value);
    }
    manner_words_add(text, &manners, rules);
    if (has_position)
        text_add(text, _(", from a custom position"));
}
