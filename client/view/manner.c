/* See manner.h. */
#include "client/view/manner.h"

#include "client/view/json.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/translate.h"

const struct manner *manner_choose(const struct prefs *prefs)
{
    if (prefs->is_json)
        return &json_manner;
    if (prefs->is_speech)
        return &speech_manner;
    return &render_manner;
}

void manner_setup_choice(const struct manner *manner, struct text *out,
                         const struct manner_scene *scene,
                         const struct model_game *game)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    if (manner->setup_choice == NULL)
        return;
    if (scene->columns > 0) {
        text_add(&text, scene->head);
        manner->setup_choice(&text, scene->model, game, scene->view.now_ms);
    } else {
        text_add(&text, "-- ");
        if (game != scene->model->current)
            text_addf(&text, _("game %lld: "), (long long)game->id);
        words_standing(&text, game, scene->view.now_ms);
        text_add(&text, "\n");
    }
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

void manner_item(const struct manner *manner, struct text *out, const char *verb,
                 const char *row, const char *words, int columns)
{
    if (manner->item != NULL)
        manner->item(out, verb, row);
    else
        manner->say(out, words, columns);
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
