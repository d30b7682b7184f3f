/* What can be typed in the tour: a move, a point, or a verb of its book. See
 * learn_parts.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/learn/learn_parts.h"
#include "client/verb/verbs.h"
#include "common/base/mem.h"
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

/* --- Deeds --- */

static void do_setup(struct learn *learn, const struct deed *deed)
{
    char words[512];
    struct text text = text_into(words, sizeof words);
    enum lineup lineup = (enum lineup)deed->number;

    take(learn, learn_try_lineup(&learn->course, lineup, &text), words, POINT_NONE);
}

static void do_skip(struct learn *learn)
{
    (void)learn_next(&learn->course);
    learn_show_task(learn);
    if (learn_is_done(&learn->course))
        learn_finish(learn);
}

static void do_back(struct learn *learn)
{
    if (learn_back(&learn->course))
        learn_show_task(learn);
    else
        learn_say(learn, _("This is the beginning.\n"));
}

static void do_board(struct learn *learn)
{
    learn_show_board(learn, POINT_NONE);
    learn_say(learn, "%s\n", _(learn_task(&learn->course)->words));
}

static void do_lesson(struct learn *learn, const char *word)
{
    int lesson = word[0] == '\0' ? -1 : learn_find_lesson(word);

    if (lesson < 0 && word[0] != '\0')
        learn_say(learn, _("There is no lesson \"%s\"; these are the lessons:\n"),
                  word);
    if (lesson < 0) {
        learn_show_lessons(learn);
        return;
    }
    learn_begin(&learn->course, lesson);
    learn_show_task(learn);
}

static void do_quit(struct learn *learn)
{
    if (learn->is_screen)
        learn_say(learn, _("To go on here: janggi learn %d\n"),
                  learn->course.lesson + 1);
    learn_finish(learn);
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

static void carry_out(struct learn *learn, const struct deed *deed)
{
    switch (deed->kind) {
    case DEED_NOTHING:
    case DEED_BOARD:
        do_board(learn);
        break;
    case DEED_REFUSE:
        learn->is_refused = true;
        learn_say(learn, "%s", deed->words);
        break;
    case DEED_SAY:
        learn_say(learn, "%s", deed->words);
        break;
    case DEED_MOVE:
        try_move(learn, deed->move, deed->claimed);
        break;
    case DEED_SETUP:
        do_setup(learn, deed);
        break;
    case DEED_HINT:
        learn_say(learn, "%s\n", _(learn_task(&learn->course)->hint));
        break;
    case DEED_NEXT:
        do_skip(learn);
        break;
    case DEED_BACK:
        do_back(learn);
        break;
    case DEED_LESSON:
        do_lesson(learn, deed->words);
        break;
    case DEED_QUIT:
        do_quit(learn);
        break;
    default:
        break; /* of no verb in this book */
    }
}

static void run_line(struct learn *learn, const char *line)
{
    const struct render_view view = {.has_color = learn->has_color,
                                     .is_spoken = learn->prefs.is_speech,
                                     .pieces = learn->prefs.pieces};
    const struct typed_board board = {ruleset_at(0), &learn->course.position};
    struct deed *deed = mem_new(sizeof *deed);

    verbs_read(&verbs_of_learn, &learn->no_game, &board, line, &view, deed);
    carry_out(learn, deed);
    free(deed);
}

void learn_on_line(void *owner, const char *line)
{
    struct learn *learn = owner;
    size_t len;
    int point;

    if (learn->is_leaving)
        return;
    line += strspn(line, " ");
    len = strcspn(line, " ");
    point = len == 2 && line[len + strspn(line + len, " ")] == '\0' ? point_parse(line)
                                                                    : POINT_NONE;
    if (len > 0)
        edit_remember(learn->edit, line);
    if (point != POINT_NONE)
        try_point(learn, point);
    else
        run_line(learn, line);
    learn_show_prompt(learn);
}

const char *learn_on_complete(void *owner, const char *before, size_t i)
{
    struct learn *learn = owner;
    struct complete *complete = &learn->complete;

    if (i == 0)
        complete_gather(complete, &verbs_of_learn, &learn->no_game, NULL, before,
                        edit_word(learn->edit));
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
