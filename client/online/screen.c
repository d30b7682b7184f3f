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

static const struct model_game *find_turn(const struct model *model)
{
    if (model->current != NULL && model_is_our_turn(model->current))
        return model->current;
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        if (model_is_our_turn(game))
            return game;
    return NULL;
}

static void add_words(struct text *out, const struct client *client)
{
    const struct model *model = &client->model;
    const struct model_game *game = find_turn(model);

    if (!visit_is_ready(client->visit))
        text_add(out, _("no connection"));
    else if (game != NULL && game->game.phase == GAME_SETUP)
        text_addf(out, _("your line-up, game %lld"), (long long)game->id);
    else if (game != NULL)
        text_addf(out, _("your move, game %lld"), (long long)game->id);
    else if (model->challenges.count > 0)
        text_add(out, _("a challenge"));
    else if (model->current != NULL && model_is_playing(model->current))
        text_addf(out, _("game %lld"), (long long)model->current->id);
    else if (model->current != NULL && !model->current->is_ours)
        text_addf(out, _("watching game %lld"), (long long)model->current->id);
    else
        text_add(out, _("the lobby"));
}

void screen_title(struct client *client)
{
    char words[TITLE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!client->prefs->has_title || !visit_was_ready(client->visit)) {
        edit_title(console_edit(client->console), "");
        return;
    }
    text_add(&text, "janggi: ");
    add_words(&text, client);
    edit_title(console_edit(client->console), words);
}

/* --- Events --- */

/* Returns true if the game of an event may become the current game automatically.
 * Returns false only if the game is ours and slow (by correspondence or adjourned),
 * several of our games are running, and the event does not begin the game. */
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

/* Returns true if `game` is more urgent than the current game and can replace it on the
 * screen: the current game is slow (by correspondence or adjourned), or it is untimed
 * and `game` is not. */
static bool gives_way(const struct model_game *current, const struct model_game *game)
{
    return model_is_slow(current) ||
           (current->game.clock.terms.is_untimed && !game->game.clock.terms.is_untimed);
}

/* Returns true if the client stays on the ended game of ours although another one goes
 * on. The player may be typing a line for the ended game, or may press Enter, as
 * say_next_game() proposes. A game that begins is shown at once. */
static bool stays(const struct model_game *ended, const struct model_news *news)
{
    return ended->is_ours && news->game->is_ours && news->event.kind != EVENT_START;
}

/* Decides whether the game of an event becomes the current game. If later events of the
 * game will follow, or if may_jump() returns false, changes nothing. Otherwise the
 * event's game becomes the current game in three cases:
 *
 *   1. There is no current game, or it is over and the client does not stay on it
 *      (stays()).
 *   2. The event's game is ours and runs, and the current game is not ours.
 *   3. The event's game is ours and runs, the current game gives way (gives_way()),
 *      and the event's game begins now or is not slow. */
static void notice_game(struct client *client, const struct model_news *news)
{
    struct model_game *current = client->model.current, *game = news->game;
    bool is_running = game->game.phase != GAME_OVER;
    bool is_now = !model_is_slow(game) || news->event.kind == EVENT_START;

    if (current == game || news->is_late || !may_jump(client, news))
        return;
    if (current == NULL ||
        (current->game.phase == GAME_OVER && !stays(current, news)) ||
        (game->is_ours && is_running && !current->is_ours) ||
        (game->is_ours && is_running && is_now && gives_way(current, game)))
        client->model.current = game;
}

/* Returns true if the event is shown. Without a screen, every event is shown. On a
 * screen, an event is not shown if later events of its game will follow. After the
 * login, the events of all our games arrive. On a screen, these events are shown only
 * for the current game, because the table of mine.h lists the other games. */
static bool is_shown(const struct client *client, const struct model_news *news)
{
    const struct model_game *game = news->game;

    if (!console_is_screen(client->console))
        return true;
    return !news->is_late &&
           (game == client->model.current || !model_is_first_seen(game));
}

static const char after_end[] = N_("Type \"rematch\", \"analyse\", \"replay\" or "
                                   "\"quit\"; \"save\" keeps the game.\n");
static const char after_watched_end[] =
    N_("Type \"analyse\" to learn from it, \"replay\" to see it again, or \"save\" to "
       "keep it.\n");

static const char after_nothing[] = N_("Type \"rematch\", or \"quit\".\n");

/* In a game of an evening, the next opponent is that of the next round, so nothing
 * suggests a rematch. */
static bool has_rematch(const struct model_game *game)
{
    return game->is_ours && !game->is_of_round;
}

/* Returns the line that tells the player which commands are possible after the end of a
 * game. If the game ended before its first move, there is nothing to replay, analyse or
 * save. */
static const char *words_after_end(const struct model_game *game)
{
    if (game->game.plies == 0)
        return has_rematch(game) ? _(after_nothing) : "";
    return has_rematch(game) ? _(after_end) : _(after_watched_end);
}

/* If another game of ours goes on, says so. The player goes there by a command. The
 * client does not go there by itself, because the line that the player is typing may be
 * a move for the ended game. */
static void say_next_game(struct client *client)
{
    int64_t now_ms = mono_now_ms();
    const struct model_game *next = model_next_game(&client->model, now_ms);
    char words[128];
    struct text text = text_into(words, sizeof words);

    if (next == NULL)
        return;
    words_standing(&text, next, now_ms);
    console_sayf(client->console,
                 _("-- game %lld against %s goes on (%s): Enter or \"game %lld\" goes "
                   "there\n"),
                 (long long)next->id, next->game.name[side_other(next->side)], words,
                 (long long)next->id);
}

static void on_after_end(evutil_socket_t fd, short what, void *arg)
{
    struct client *client = arg;
    const struct model_game *game = model_find(&client->model, client->ended_game);

    (void)fd;
    (void)what;
    if (game == NULL || console_is_leaving(client->console))
        return;
    console_say(client->console, words_after_end(game));
    say_next_game(client);
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

static void show_event(struct client *client, const struct model_news *news,
                       int64_t now_ms)
{
    bool is_end = news->event.kind == EVENT_END;
    bool waits = is_end && news->game->is_ours && console_is_screen(client->console);

    if (is_end)
        console_prompt(client->console);
    session_show_event(&client->session, news, now_ms,
                       waits ? NULL : words_after_end(news->game));
    if (waits) {
        client->ended_game = news->game->id;
        loop_add(client->after_end, NEWS_MS);
    }
    if (model_is_our_turn(news->game) ||
        (news->event.kind == EVENT_START && news->game->is_ours && !news->is_late))
        screen_ring(client); /* also if the other side chooses its line-up first */
}

void screen_event(struct client *client, const struct model_news *news, int64_t now_ms)
{
    session_follow(&client->session, news->game);
    notice_game(client, news);
    session_check_target(&client->session);
    if (is_shown(client, news))
        show_event(client, news, now_ms);
    console_prompt(client->console);
}
