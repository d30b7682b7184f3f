/* See manner.h. */
#include "client/view/manner.h"

#include "client/view/json.h"
#include "client/view/speech.h"

const struct manner *manner_choose(const struct prefs *prefs, bool is_screen)
{
    if (prefs->is_json)
        return &json_manner;
    if (prefs->is_speech)
        return &speech_manner;
    return is_screen ? &render_screen_manner : &render_plain_manner;
}

void manner_setup_choice(const struct manner *manner, struct text *out,
                         const struct manner_scene *scene,
                         const struct model_game *game)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (manner->setup_choice == NULL || scene->columns == 0)
        return;
    text_add(&text, scene->head);
    manner->setup_choice(&text, scene->model, game, scene->view.now_ms);
    manner->say(out, words, scene->columns);
}

void manner_notice(const struct manner *manner, struct text *out,
                   const struct proto_line *line, const char *words, int columns)
{
    if (manner->notice != NULL)
        manner->notice(out, line, words);
    else
        manner->say(out, words, columns);
}

void manner_answer(const struct manner *manner, struct text *out, const char *verb,
                   const struct proto_line *line, const char *words, int columns)
{
    if (manner->answer != NULL)
        manner->answer(out, verb, line, words);
    else
        manner->say(out, words, columns);
}

/* Adds a row of a list. Without a terminal (columns 0), adds it as the server sent
 * it. */
void manner_item(const struct manner *manner, struct text *out, const char *verb,
                 const char *row, const char *words, int columns)
{
    if (manner->item != NULL) {
        manner->item(out, verb, row);
    } else if (columns > 0) {
        manner->say(out, words, columns);
    } else {
        manner->say(out, row, columns);
        text_add(out, "\n");
    }
}

void manner_question(const struct manner *manner, struct text *out, const char *words,
                     int columns)
{
    if (manner->question != NULL) {
        manner->question(out, words);
    } else {
        manner->say(out, words, columns);
        if (columns == 0)
            text_add(out, "\n");
    }
}

void manner_refusal(const struct manner *manner, struct text *out, const char *words,
                    int columns)
{
    if (manner->refusal != NULL)
        manner->refusal(out, words);
    else
        manner->say(out, words, columns);
}
