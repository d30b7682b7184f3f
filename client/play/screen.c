/* What the server sent, as it is shown: which events and which game. How an event is
 * shown is known in session.c. */
#include "client/play/inside.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

void screen_setup_choice(struct client *client, const struct model_game *game)
{
    char head[64] = "";
    struct text text = text_into(head, sizeof head);

    if (game != client->model.current)
        text_addf(&text, _("-- game %lld:\n"), (long long)game->id);
    session_show_setup_choice(&client->session, game, head);
}

/* The window's title changes with the prompt. */
void screen_add_prompt(void *owner, struct text *out)
{
    struct client *client = owner;

    lost_add_prompt(out, client, mono_now_ms());
    if (visit_was_ready(client->visit))
        session_add_prompt(&client->session, out);
    attention_title(client);
}

/* --- Events --- */

/* Of several games of ours none is chosen for us that nobody sits waiting in, unless it
 * begins right now. */
static bool may_jump(const struct client *client, const struct model_news *news)
{
    const struct model_game *game = news->game;
    int running = 0;

    if (news->event.kind == EVENT_START)
        return true;
    for (const struct model_game *g = client->model.games; g != NULL; g = g->next)
        running += model_is_playing(g) || (g->game.phase == GAME_EMPTY && g->is_asked);
    return running <= 1 || !game->is_ours || !model_is_slow(game);
}

/* A game takes the player's attention when there is none, or when it is his and the
 * other is not, or is over, or can wait. What becomes of it shows at its last event. */
static void notice_game(struct client *client, const struct model_news *news)
{
    struct model_game *current = client->model.current, *game = news->game;
    bool is_running = game->game.phase != GAME_OVER;
    bool is_now = !model_is_slow(game) || news->event.kind == EVENT_START;

    if (current == game || news->is_late || !may_jump(client, news))
        return;
    if (current == NULL || current->game.phase == GAME_OVER ||
        (game->is_ours && is_running && !current->is_ours) ||
        (game->is_ours && is_running && is_now && model_is_slow(current)))
        model_choose(&client->model, game);
}

/* What comes last is shown; and of our games that are told after login only the
 * current one, for the table has the others. */
static bool is_shown(const struct client *client, const struct model_news *news)
{
    const struct model_game *game = news->game;

    if (!console_is_screen(client->console))
        return true;
    return !news->is_late && (game == client->model.current || !game->is_catching_up ||
                              !game->is_from_zero);
}

static const char after_end[] = N_("Type \"rematch\", \"replay\" to see it again, "
                                   "\"save\" to keep it, or \"quit\".\n");

static void show_event(struct client *client, const struct model_news *news,
                       int64_t now_ms)
{
    if (news->event.kind == EVENT_END)
        console_prompt(client->console);
    session_show_event(&client->session, news, now_ms,
                       news->game->is_ours ? _(after_end) : NULL);
    if (model_is_our_turn(news->game))
        attention_ring(client);
}

void screen_event(struct client *client, const struct model_news *news, int64_t now_ms)
{
    session_follow(&client->session, news->game);
    notice_game(client, news);
    if (is_shown(client, news))
        show_event(client, news, now_ms);
    console_prompt(client->console);
}
