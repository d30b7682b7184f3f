/* Decides which events and which game are shown. session.c decides how an event is
 * shown. */
#include "client/online/client.h"

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/console/edit.h"
#include "client/console/title.h"
#include "client/view/notice.h"
#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

enum { NEWS_MS = 200 }; /* time to wait for more news after the end of a game */

void screen_setup_choice(struct client *client, const struct model_game *game)
{
    char head[512] = "";
    struct text text = text_into(head, sizeof head);

    session_check_target(&client->session);
    if (game != client->model.current)
        text_addf(&text,
                  _("-- game %lld, red %s, blue %s: you choose a set-up; \"game %lld\" "
                    "goes there\n"),
                  (long long)game->id, game->game.name[SIDE_RED],
                  game->game.name[SIDE_BLUE], (long long)game->id);
    session_show_setup_choice(&client->session, game, head);
}

void screen_setup_of_others(struct client *client, const struct model_game *game)
{
    for (enum side side = SIDE_RED; side != SIDE_NONE; side++) {
        char words[256];
        struct text text = text_into(words, sizeof words);

        if (side != game_turn(&game->game) && !game_is_sealed(&game->game))
            continue;
        if (game != client->model.current)
            text_addf(&text, _("game %lld: "), (long long)game->id);
        notice_add_chooser(&text, game, side);
        console_sayf(client->console, "-- %s\n", words);
    }
}

/* --- The bell and the title --- */
/* Only our own words, never text of the server or of a player. */

void screen_ring(struct client *client)
{
    if (console_is_screen(client->console) && client->prefs->has_bell)
        edit_bell(console_edit(client->console));
}

/* Rings when less than RENDER_LOW_MS is left. After that, does not ring again until the
 * player has at least 2 * RENDER_LOW_MS. Otherwise the bell would ring at every move in
 * a short byoyomi. */
void screen_look_at_clocks(struct client *client, int64_t now_ms)
{
    for (struct model_game *game = client->model.games; game != NULL;
         game = game->next) {
        int64_t left_ms;

        if (!model_is_playing(game) || game->clock.running != game->side ||
            model_is_slow(game))
            continue;
        left_ms = clock_shown_ms(&game->clock, game->side, now_ms, &(int){0});
        if (left_ms >= 2 * RENDER_LOW_MS)
            game->is_low = false;
        if (game->is_low || left_ms >= RENDER_LOW_MS || left_ms < 0)
            continue;
        game->is_low = true;
        screen_ring(client);
    }
}

void screen_title(struct client *client)
{
    const struct model *model = &client->model;
    const struct model_game *current = model->current, *game = current;
    char words[TITLE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!client->prefs->has_title || !visit_was_ready(client->visit)) {
        edit_title(console_edit(client->console), "");
        return;
    }
    if (game == NULL || !model_is_our_turn(game))
        for (game = model->games; game != NULL && !model_is_our_turn(game);)
            game = game->next;
    text_add(&text, "janggi: ");
    if (!visit_is_ready(client->visit))
        text_add(&text, _("no connection"));
    else if (game != NULL && game->game.phase == GAME_SETUP)
        text_addf(&text, _("your line-up, game %lld"), (long long)game->id);
    else if (game != NULL)
        text_addf(&text, _("your move, game %lld"), (long long)game->id);
    else if (model->challenges.count > 0)
        text_add(&text, _("a challenge"));
    else if (current != NULL && model_is_playing(current))
        text_addf(&text, _("game %lld"), (long long)current->id);
    else if (current != NULL && !current->is_ours)
        text_addf(&text, _("watching game %lld"), (long long)current->id);
    else
        text_add(&text, _("the lobby"));
    edit_title(console_edit(client->console), words);
}

/* --- Events --- */

/* Decides whether the game of an event becomes the current game. Nothing changes if later
 * events of the game will follow; or if the game is ours and slow (by correspondence or
 * adjourned), several of our games are running, and the event does not begin the game.
 * Otherwise the event's game becomes the current game in three cases:
 *
 *   1. There is no current game, or it is over. But the client stays on an ended game of
 *      ours when another one goes on: the player may be typing a line for the ended game,
 *      or may press Enter, as on_after_end() proposes.
 *   2. The event's game is ours and runs, and the current game is not ours.
 *   3. The event's game is ours and runs, it begins now or is not slow, and the current
 *      game is slow, or untimed while the event's game is not. */
static void notice_game(struct client *client, const struct model_news *news)
{
    struct model_game *current = client->model.current, *game = news->game;
    bool begins = news->event.kind == EVENT_START, is_slow = model_is_slow(game);
    bool may_replace;
    int running = 0;

    for (const struct model_game *g = client->model.games; g != NULL; g = g->next)
        running += model_is_playing(g) || (g->game.phase == GAME_EMPTY && g->is_asked);
    if (current == game || news->is_late ||
        (!begins && running > 1 && game->is_ours && is_slow))
        return;
    if (current == NULL)
        may_replace = true;
    else if (current->game.phase == GAME_OVER &&
             (begins || !current->is_ours || !game->is_ours))
        may_replace = true;
    else
        may_replace =
            game->is_ours && game->game.phase != GAME_OVER &&
            (!current->is_ours ||
             ((begins || !is_slow) &&
              (model_is_slow(current) || (current->game.clock.terms.is_untimed &&
                                          !game->game.clock.terms.is_untimed))));
    if (may_replace)
        client->model.current = game;
}

static const char after_end[] = N_("Type \"rematch\", \"analyse\", \"replay\" or "
                                   "\"quit\"; \"save\" keeps the game.\n");
static const char after_watched_end[] =
    N_("Type \"analyse\" to learn from it, \"replay\" to see it again, or \"save\" to "
       "keep it.\n");

static const char after_nothing[] = N_("Type \"rematch\", or \"quit\".\n");

/* Returns the line that tells the player which commands are possible after the end of a
 * game. If the game ended before its first move, there is nothing to replay, analyse or
 * save. In a game of an evening, the next opponent is that of the next round, so nothing
 * suggests a rematch. */
static const char *words_after_end(const struct model_game *game)
{
    bool has_rematch = game->is_ours && !game->is_of_round;

    if (game->game.plies == 0)
        return has_rematch ? _(after_nothing) : "";
    return has_rematch ? _(after_end) : _(after_watched_end);
}

/* If another game of ours goes on, says so. The player goes there by a command. The
 * client does not go there by itself, because the line that the player is typing may be
 * a move for the ended game. */
static void on_after_end(evutil_socket_t fd, short what, void *arg)
{
    struct client *client = arg;
    const struct model_game *game = model_find(&client->model, client->ended_game);
    int64_t now_ms = mono_now_ms();
    const struct model_game *next = model_next_game(&client->model, now_ms);
    char words[128];
    struct text text = text_into(words, sizeof words);

    (void)fd;
    (void)what;
    if (game == NULL || console_is_leaving(client->console))
        return;
    console_say(client->console, words_after_end(game));
    if (next != NULL) {
        words_standing(&text, next, now_ms);
        console_sayf(client->console,
                     _("-- game %lld against %s goes on (%s): Enter or \"game %lld\" "
                       "goes there\n"),
                     (long long)next->id, next->game.name[side_other(next->side)],
                     words, (long long)next->id);
    }
    console_prompt(client->console);
}

void screen_say_after_end(struct client *client)
{
    if (!evtimer_pending(client->after_end, NULL))
        return;
    event_del(client->after_end);
    on_after_end(-1, 0, client);
}

void screen_open(struct client *client)
{
    client->after_end =
        loop_event(console_base(client->console), -1, 0, on_after_end, client);
}

void screen_close(struct client *client)
{
    event_free(client->after_end);
}

/* Without a screen, every event is shown. On a screen, an event is not shown if later
 * events of its game will follow. After the login, the events of all our games arrive; on
 * a screen they are shown only for the current game, because a table lists the others. */
void screen_event(struct client *client, const struct model_news *news, int64_t now_ms)
{
    const struct model_game *game = news->game;
    bool is_screen = console_is_screen(client->console);
    bool is_end = news->event.kind == EVENT_END;
    bool waits = is_end && game->is_ours && is_screen;

    session_follow(&client->session, game);
    notice_game(client, news);
    session_check_target(&client->session);
    if (!is_screen || (!news->is_late &&
                       (game == client->model.current || !model_is_first_seen(game)))) {
        if (is_end)
            console_prompt(client->console);
        session_show_event(&client->session, news, now_ms,
                           waits ? NULL : words_after_end(game));
        if (waits) {
            client->ended_game = game->id;
            loop_add(client->after_end, NEWS_MS);
        }
        if (model_is_our_turn(game) ||
            (news->event.kind == EVENT_START && game->is_ours && !news->is_late))
            screen_ring(client); /* also if the other side chooses its line-up first */
    }
    console_prompt(client->console);
}
