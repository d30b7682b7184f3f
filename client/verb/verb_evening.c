/* The verb for club evenings. Its arguments are sent as they were typed. Only the
 * server knows which arguments an evening allows, so the server checks them. */
#include <string.h>

#include "client/verb/verb.h"
#include "client/view/words.h"
#include "common/base/translate.h"

/* Adds how the evening is played, such as "Swiss, rounds: 5, ". */
static void add_system(struct text *out, const struct proto_line *line)
{
    if (strcmp(words_value(line, "system", ""), "rr") == 0)
        text_add(out, _("everybody meets everybody, "));
    else
        text_addf(out, _("Swiss, rounds: %s, "), words_value(line, "rounds", "?"));
}

static void add_rated(struct text *out, const struct proto_line *line)
{
    if (strcmp(words_value(line, "rated", "no"), "yes") == 0)
        text_add(out, _(", rated"));
}

static void add_hour(struct text *out, int64_t at_s)
{
    text_add(out, _("; it begins at "));
    words_moment(out, at_s);
}

/* Adds the terms of an evening, such as ": Swiss, rounds: 5, 20m+3x40s, kja". Servers
 * of 0.1.0 do not send them. */
static void add_terms(struct text *out, const struct proto_line *line)
{
    int64_t at_s = proto_line_number(line, "at_s", 0);

    if (proto_line_value(line, "system") == NULL)
        return;
    text_add(out, ": ");
    add_system(out, line);
    text_addf(out, "%s, %s", words_time_terms(line), words_value(line, "rules", "?"));
    add_rated(out, line);
    if (at_s > 0)
        add_hour(out, at_s);
}

/* Adds the line below the table, such as "club: round 2 of 5, 12 players, 10m, kja; the
 * games begin in 60 s"; before the first round, "club: Swiss, 5 rounds, 12 players,
 * 10m, kja". */
static void add_summary(struct text *out, const struct proto_line *line)
{
    const char *state = words_value(line, "state", "");
    int64_t in_s = proto_line_number(line, "in_s", 0);
    int64_t at_s = proto_line_number(line, "at_s", 0);

    text_addf(out, "%s: ", words_value(line, "name", "?"));
    if (strcmp(state, "open") != 0)
        text_addf(out, _("round %s of %s, "), words_value(line, "round", "?"),
                  words_value(line, "rounds", "?"));
    else
        add_system(out, line);
    text_addf(out, _("%s players, %s, %s"), words_value(line, "players", "?"),
              words_time_terms(line), words_value(line, "rules", "?"));
    add_rated(out, line);
    if (strcmp(state, "over") == 0)
        text_add(out, _("; it is over"));
    else if (in_s > 0)
        text_addf(out, _("; the games begin in %lld s"), (long long)in_s);
    else if (at_s > 0)
        add_hour(out, at_s);
    else if (strcmp(state, "open") == 0 &&
             strcmp(words_value(line, "joined", ""), "yes") == 0)
        text_add(out, _("; it has not begun, and you take part"));
    else if (strcmp(state, "open") == 0)
        text_addf(out, _("; it has not begun; to take part: \"evening join %s\""),
                  words_value(line, "id", "?"));
}

static void evening_answer(struct text *out, const struct verb_answer *answer)
{
    static const struct {
        const char *about, *words, *more; /* `more` follows the terms */
    } acts[] = {
        {"new", N_("evening %s is open"),
         N_("; \"evening join %s\" to take part, and when all are there, \"evening "
            "start %s\"")},
        {"join", N_("you take part in evening %s"),
         N_("; \"evening leave %s\" ends that")},
        {"leave", N_("left evening %s; \"evening join %s\" to come back"), NULL},
        {"start",
         N_("the first round of evening %s is paired; \"evening %s\" shows it"), NULL},
        {"pair", N_("the next round of evening %s is paired; \"evening %s\" shows it"),
         NULL},
        {"result",
         N_("the result counts in evening %s; \"evening %s\" shows the table"), NULL},
        {"adjust", N_("the points count in evening %s; \"evening %s\" shows the table"),
         NULL},
        {"end", N_("evening %s is over; \"evening %s\" shows the table"), NULL},
    };
    const char *id = words_value(answer->line, "id", "");
    const char *in_s = proto_line_value(answer->line, "in_s");
    int64_t count = proto_line_number(answer->line, "count", -1);

    if (count == 0)
        text_add(out, id[0] == '\0' ? _("there are no evenings")
                                    : _("no game of that evening has begun"));
    else if (count > 0 && id[0] == '\0')
        text_add(out, _("type \"evening join ID\" to take part, or \"evening ID\" for "
                        "the table"));
    else if (proto_line_value(answer->line, "name") != NULL)
        add_summary(out, answer->line);
    else if (proto_line_value(answer->line, "game") != NULL)
        text_add(out, _("the game was ended; its result counts in the evening"));
    for (size_t i = 0; i < ARRAY_LEN(acts) && id[0] != '\0'; i++) {
        if (strcmp(acts[i].about, answer->about) != 0)
            continue;
        text_addf(out, _(acts[i].words), id, id);
        if (acts[i].more == NULL)
            continue;
        add_terms(out, answer->line);
        text_addf(out, _(acts[i].more), id, id);
    }
    if (strcmp(answer->about, "leave") == 0 && in_s != NULL)
        text_addf(out, _("; but the game of this round still begins, in %s s"), in_s);
}

const struct verb verb_evening = {
    .name = "evening",
    .alias = "evenings",
    .args = {{.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = "ID"}},
    .help = N_("club evenings: list them, see a table, take part"),
    .more =
        N_("evening           lists the evenings\n"
           "evening 4         the table of evening 4 and its last round\n"
           "evening 4 2       the table, and round 2\n"
           "evening join 4    takes part; your games begin by themselves\n"
           "evening leave 4   no longer takes part\n"
           "To run an evening:\n"
           "evening new club system=swiss rounds=5 time=20m+3x40s rules=kja\n"
           "evening new open rated=yes   its games are rated\n"
           "evening start 4   pairs the first round\n"
           "evening pair 4    pairs the next round (with pairs=hand)\n"
           "evening result 4 3 red kim was ill   board 3: Red wins, and why\n"
           "evening adjust 4 hong +1 for the best game\n"
           "evening end 4\n"
           "In a shell on the host:\n"
           "janggid ctl evening 4 trf >club.trf        the file for other programs"),
    .see = "games, watch",
    .use = VERB_ACTS,
    .has_rows = true,
    .answer = evening_answer,
};
