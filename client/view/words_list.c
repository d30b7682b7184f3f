/* Lists as words: see words.h. */
#include <string.h>

#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/term.h"

/* Names may be wide: padded by columns, not by bytes. */
static void add_name(struct text *out, const char *name)
{
    int width = utf8_width(name);

    text_addf(out, "%s%*s ", name, width < 16 ? 16 - width : 0, "");
}

static void list_seek(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    (void)model;
    text_addf(out, "  %-4s ", line->word[1]);
    add_name(out, words_value(line, "by", "?"));
    text_addf(out, _("%-12s %-8s plays %s\n"), words_value(line, "time", "?"),
              words_value(line, "rules", "?"),
              words_side(words_value(line, "side", "any")));
}

static const char *phase_word(const char *phase)
{
    return strcmp(phase, "adjourned") == 0 ? _("adjourned") : phase;
}

/* "your move", "kim to move", "adjourned": how a running game of ours stands. */
static void add_stand(struct text *out, const struct proto_line *line, const char *side,
                      const char *other)
{
    const char *phase = words_value(line, "phase", "");
    bool is_turn = strcmp(words_value(line, "turn", ""), side) == 0;

    if (strcmp(phase, "setup") == 0)
        text_add(out, is_turn ? _("your line-up") : _("setting up"));
    else if (strcmp(phase, "play") == 0 && is_turn)
        text_add(out, _("YOUR MOVE"));
    else if (strcmp(phase, "play") == 0)
        text_addf(out, _("%s to move"), other);
    else
        text_add(out, phase_word(phase));
}

static bool is_side_here(const struct proto_line *line, const char *side)
{
    const char *here = words_value(line, "here", "");
    size_t len = strlen(side);

    for (; *here != '\0'; here += *here == ',')
        if (strncmp(here, side, len) == 0 && (here[len] == ',' || here[len] == '\0'))
            return true;
        else
            here += strcspn(here, ",");
    return false;
}

void words_own_game(struct text *out, const struct model *model,
                    const struct proto_line *line, const char *id)
{
    bool is_red = model_is_same_name(words_value(line, "red", ""), model->name);
    const char *side = is_red ? "red" : "blue";
    const char *other = words_value(line, is_red ? "blue" : "red", "?");
    int64_t left_ms = model_number(line, "left_ms", 0, MODEL_MS_MAX, -1);

    text_addf(out, _("game %s: %s against %s%s, %s, ply %s, "), id, words_side(side),
              other, is_side_here(line, is_red ? "blue" : "red") ? _(" (here)") : "",
              words_value(line, "time", "?"), words_value(line, "ply", "?"));
    add_stand(out, line, side, other);
    if (left_ms < 0 || strcmp(words_value(line, "phase", ""), "adjourned") == 0)
        return;
    text_add(out, ", ");
    render_time(out, left_ms);
    text_add(out, _(" left"));
}

static void list_running(struct text *out, const struct model *model,
                         const struct proto_line *line)
{
    const char *phase = words_value(line, "phase", "");

    text_add(out, "  ");
    if (proto_line_value(line, "side") != NULL) {
        words_own_game(out, model, line, line->word[1]);
        text_add(out, "\n");
        return;
    }
    text_addf(out, _("game %s: red %s, blue %s, %s, %s, "), line->word[1],
              words_value(line, "red", "?"), words_value(line, "blue", "?"),
              words_value(line, "time", "?"), words_value(line, "rules", "?"));
    if (strcmp(phase, "setup") == 0)
        text_add(out, _("setting up"));
    else if (strcmp(phase, "play") == 0)
        text_addf(out, _("%s plies, %s to move"), words_value(line, "ply", "?"),
                  words_side(words_value(line, "turn", "?")));
    else
        text_addf(out, _("%s plies, %s"), words_value(line, "ply", "?"),
                  phase_word(phase));
    text_addf(out, _(", %s watching\n"), words_value(line, "watchers", "0"));
}

static const char *result_word(const struct proto_line *line)
{
    const char *word = words_value(line, "result", "?");
    enum outcome outcome;

    return outcome_parse(word, &outcome) ? term_outcome(outcome) : word;
}

static const char *reason_word(const struct proto_line *line)
{
    const char *word = words_value(line, "reason", "?");
    enum reason reason;

    return reason_parse(word, &reason) ? term_reason(reason) : word;
}

static void list_ended(struct text *out, const struct proto_line *line)
{
    text_addf(out, _("  game %s: red %s, blue %s, %s, %s, %s plies: %s %s\n"),
              line->word[1], words_value(line, "red", "?"),
              words_value(line, "blue", "?"), words_value(line, "time", "?"),
              words_value(line, "rules", "?"), words_value(line, "plies", "?"),
              result_word(line), reason_word(line));
}

static void list_player(struct text *out, const struct model *model,
                        const struct proto_line *line)
{
    const char *games = words_value(line, "games", "-");

    (void)model;
    text_add(out, "  ");
    add_name(out, line->word[1]);
    if (strcmp(games, "-") != 0)
        text_addf(out, _("plays game %s"), games);
    text_add(out, "\n");
}

static void list_game(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    if (proto_line_value(line, "result") != NULL)
        list_ended(out, line);
    else
        list_running(out, model, line);
}

void words_list_line(struct text *out, const struct model *model, const char *line)
{
    static const struct {
        const char *kind;
        void (*say)(struct text *out, const struct model *model,
                    const struct proto_line *line);
    } lists[] = {
        {"seek", list_seek},
        {"game", list_game},
        {"player", list_player},
    };
    char copy[PROTO_LINE_MAX + 8];
    struct text text = text_into(copy, sizeof copy);
    struct proto_line parsed;

    /* A list line is made of items, as news are. */
    text_addf(&text, "! %s", line);
    proto_parse_line(copy, &parsed);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (parsed.words > 1 && strcmp(lists[i].kind, parsed.word[0]) == 0) {
            lists[i].say(out, model, &parsed);
            return;
        }
    text_addf(out, "%s\n", line);
}
