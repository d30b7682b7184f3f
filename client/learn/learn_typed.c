/* What can be typed in the tour: a move, a point or a line-up, or one of a table of
 * words. See learn_parts.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/learn/learn_parts.h"
#include "client/play/client.h"
#include "client/view/primer.h"
#include "common/base/translate.h"
#include "common/words/names.h"

/* --- Tries --- */

/* What the course said is shown, and what follows from it. */
static void take(struct learn *learn, enum learn_verdict verdict, const char *words,
                 int at)
{
    learn_say(learn, "%s", words);
    if (verdict == LEARN_WRONG) {
        learn->is_refused = true;
        if (at != POINT_NONE && learn->is_screen && !learn->prefs.is_speech)
            learn_show_board(learn, at);
        return;
    }
    if (verdict == LEARN_ON) {
        learn_show_board(learn, POINT_NONE);
        return;
    }
    (void)learn_next(&learn->course);
    learn_show_task(learn);
    if (learn_is_done(&learn->course))
        learn_finish(learn);
}

static void try_move(struct learn *learn, struct move move, enum kind claimed)
{
    char words[512];
    struct text text = text_into(words, sizeof words);
    int at;
    enum learn_verdict verdict =
        learn_try_move(&learn->course, move, claimed, &text, &at);

    take(learn, verdict, words, at);
}

static void try_point(struct learn *learn, int point)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    take(learn, learn_try_point(&learn->course, point, &text), words, POINT_NONE);
}

/* --- Words --- */

static void do_setup(struct learn *learn, const char *rest)
{
    char words[512];
    struct text text = text_into(words, sizeof words);
    enum lineup lineup;

    if (lineup_parse(rest, &lineup))
        take(learn, learn_try_lineup(&learn->course, lineup, &text), words, POINT_NONE);
    else
        learn_say(learn, _("setup 1, 2, 3 or 4: which line-up?\n"));
}

static void do_hint(struct learn *learn, const char *rest)
{
    (void)rest;
    learn_say(learn, "%s\n", _(learn_task(&learn->course)->hint));
}

static void do_skip(struct learn *learn, const char *rest)
{
    (void)rest;
    (void)learn_next(&learn->course);
    learn_show_task(learn);
    if (learn_is_done(&learn->course))
        learn_finish(learn);
}

static void do_back(struct learn *learn, const char *rest)
{
    (void)rest;
    if (learn_back(&learn->course))
        learn_show_task(learn);
    else
        learn_say(learn, _("This is the beginning.\n"));
}

static void do_board(struct learn *learn, const char *rest)
{
    (void)rest;
    learn_show_board(learn, POINT_NONE);
    learn_say(learn, "%s\n", _(learn_task(&learn->course)->words));
}

static void do_lesson(struct learn *learn, const char *rest)
{
    int lesson = rest[0] == '\0' ? -1 : learn_find_lesson(rest);

    if (lesson < 0 && rest[0] != '\0')
        learn_say(learn, _("There is no lesson \"%s\"; these are the lessons:\n"),
                  rest);
    if (lesson < 0) {
        learn_show_lessons(learn);
        return;
    }
    learn_begin(&learn->course, lesson);
    learn_show_task(learn);
}

static void do_quit(struct learn *learn, const char *rest)
{
    (void)rest;
    if (learn->is_screen)
        learn_say(learn, _("To go on here: janggi learn %d\n"),
                  learn->course.lesson + 1);
    learn_finish(learn);
}

static void do_help(struct learn *learn, const char *rest);

static const struct {
    const char *name;
    const char *words; /* what it takes */
    const char *help;
    void (*run)(struct learn *learn, const char *rest);
} commands[] = {
    {"hint", "", N_("help with this task"), do_hint},
    {"skip", "", N_("to the next task"), do_skip},
    {"back", "", N_("to the task before"), do_back},
    {"board", "", N_("the board and the task again; Enter does too"), do_board},
    {"lesson", " WORD", N_("to that lesson: 5, cannon"), do_lesson},
    {"lessons", "", N_("the list of them"), do_lesson},
    {"setup", " 1-4", N_("a line-up, where one is asked for"), do_setup},
    {"help", " [PIECE]",
     N_("this list, or what a piece does; help names, help xiangqi"), do_help},
    {"quit", "", N_("leave"), do_quit},
};

static void do_help(struct learn *learn, const char *rest)
{
    char page[4096];
    struct text text = text_into(page, sizeof page);

    if (primer_tell(&text, rest, learn->prefs.pieces, learn->has_color,
                    learn->prefs.is_speech)) {
        learn_say(learn, "%s", page);
        return;
    }
    learn_say(learn, "  %-13s %s\n  %-13s %s\n  %-13s %s\n", "b0c2",
              _("a move: from where, and where to"), _("pass"),
              _("move nothing, where the rules allow it"), "E1",
              _("a point, where one is asked for"));
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char usage_words[32];

        snprintf(usage_words, sizeof usage_words, "%s%s", commands[i].name,
                 commands[i].words);
        learn_say(learn, "  %-13s %s\n", usage_words, _(commands[i].help));
    }
}

int learn_find_lesson(const char *word)
{
    enum kind kind = names_find_kind(word);
    int64_t number;

    if (text_to_int(word, 1, learn_lessons(), &number))
        return (int)number - 1;
    for (int i = 0; i < learn_lessons(); i++) {
        const char *title = learn_lesson_at(i)->title;
        const char *short_title = strncmp(title, "the ", 4) == 0 ? title + 4 : title;

        if (strcasecmp(title, word) == 0 || strcasecmp(short_title, word) == 0)
            return i;
        if (kind != KIND_NONE && learn_lesson_at(i)->kind == kind)
            return i;
    }
    return -1;
}

/* The command that word, len long, is or begins; ARRAY_LEN for none. */
static size_t find_command(const char *word, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strncasecmp(commands[i].name, word, len) == 0)
            return i;
    return ARRAY_LEN(commands);
}

static void run_word(struct learn *learn, const char *line)
{
    size_t len = strcspn(line, " "), at = find_command(line, len);

    if (at == ARRAY_LEN(commands)) {
        learn->is_refused = true;
        learn_say(learn, _("\"%s\"? Type a move like b0c2, hint, skip, or help.\n"),
                  line);
        return;
    }
    commands[at].run(learn, line + len + strspn(line + len, " "));
}

static void run_line(struct learn *learn, const char *line)
{
    int point = strlen(line) == 2 ? point_parse(line) : POINT_NONE;
    enum kind claimed;
    struct move move;

    if (line[0] == '\0')
        do_board(learn, "");
    else if (point != POINT_NONE)
        try_point(learn, point);
    else if (move_parse(line, &move, &claimed))
        try_move(learn, move, claimed);
    else
        run_word(learn, line);
}

void learn_on_line(void *owner, const char *line)
{
    struct learn *learn = owner;
    char copy[256];
    size_t len;

    if (learn->is_leaving)
        return;
    line += strspn(line, " \t");
    snprintf(copy, sizeof copy, "%s", line);
    len = strlen(copy);
    while (len > 0 && (copy[len - 1] == ' ' || copy[len - 1] == '\t'))
        copy[--len] = '\0';
    if (len > 0)
        edit_remember(learn->edit, copy);
    run_line(learn, copy);
    learn_show_prompt(learn);
}

const char *learn_on_complete(void *owner, const char *before, size_t i)
{
    (void)owner;
    return before[0] == '\0' && i < ARRAY_LEN(commands) ? commands[i].name : NULL;
}
