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

void manner_say(const struct manner *manner, struct text *out, const struct said *said,
                int columns)
{
    if (manner->said != NULL) {
        manner->said(out, said);
        return;
    }
    manner->say(out, said->words, columns);
    if (said->kind == SAID_QUESTION && columns == 0)
        text_add(out, "\n");
}
