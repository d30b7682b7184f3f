/* All output of the tour. See learn_parts.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/learn/learn_parts.h"
#include "client/play/client.h"
#include "client/view/figure.h"
#include "client/view/primer.h"
#include "client/view/speech.h"
#include "common/base/translate.h"
#include "common/words/names.h"

enum { SAY_BYTES = 4096 };

static void print(struct learn *learn, const char *words)
{
    size_t len = strlen(words);

    if (len > 0 && !edit_print(learn->edit, words, len))
        learn_leave(learn, CLIENT_EXIT_ERROR); /* nobody reads us any more */
}

void learn_say(struct learn *learn, const char *format, ...)
{
    char words[SAY_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    print(learn, words);
}

void learn_show_board(struct learn *learn, int at)
{
    const struct learn_task *task = learn_task(&learn->course);
    bool marks[BOARD_POINTS] = {false};
    struct figure figure = {.position = &learn->course.position,
                            .marks = marks,
                            .last = learn->course.last,
                            .pieces = learn->prefs.pieces,
                            .has_color = learn->has_color};
    char words[SAY_BYTES];
    struct text text = text_into(words, sizeof words);

    if (at != POINT_NONE)
        marks[at] = true;
    if (learn->prefs.is_speech)
        speech_pieces(&text, &learn->course.position);
    else
        figure_rows(&text, &figure, task->lowest, task->highest);
    print(learn, words);
}

/* The lesson's own words, or those of the piece that it is about. */
static void show_words(struct learn *learn, const struct learn_lesson *lesson)
{
    char words[SAY_BYTES];
    struct text text = text_into(words, sizeof words);

    learn_say(learn, _("\nLesson %d of %d: %s"), learn->course.lesson + 1,
              learn_lessons(), _(lesson->title));
    if (lesson->kind == KIND_NONE) {
        learn_say(learn, "\n\n%s", _(lesson->words));
        return;
    }
    text_add(&text, " (");
    names_describe(&text, lesson->kind);
    text_addf(&text, ")\n\n%s", _(primer_get(lesson->kind)->words));
    if (learn->prefs.is_speech)
        primer_targets(&text, lesson->kind);
    else
        primer_board(&text, lesson->kind, learn->prefs.pieces, learn->has_color);
    print(learn, words);
}

void learn_show_task(struct learn *learn)
{
    const struct learn_course *course = &learn->course;

    if (learn_is_done(course)) {
        learn_say(learn, _("\nThat was the last lesson. Now play a game:\n"
                           "  janggi computer --level 1\n"));
        return;
    }
    if (course->task == 0)
        show_words(learn, learn_lesson(course));
    learn_say(learn, "\n");
    learn_show_board(learn, POINT_NONE);
    learn_say(learn, _("Task %d of %d\n%s\n"), course->task + 1,
              learn_lesson(course)->count, _(learn_task(course)->words));
}

void learn_show_lessons(struct learn *learn)
{
    for (int i = 0; i < learn_lessons(); i++)
        learn_say(learn, "%s %2d  %s\n", i == learn->course.lesson ? ">" : " ", i + 1,
                  _(learn_lesson_at(i)->title));
}

void learn_show_prompt(struct learn *learn)
{
    char prompt[64];

    if (!learn->is_screen || learn_is_done(&learn->course))
        return;
    snprintf(prompt, sizeof prompt, _("lesson %d of %d> "), learn->course.lesson + 1,
             learn_lessons());
    edit_prompt(learn->edit, prompt);
}
