/* See client.h. A move is sent again with the number of its ply, so the server plays it at
 * most once. On a screen the player must confirm it nevertheless; in a script it is sent
 * automatically. */
#include "client/online/client.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/verb/answers.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

/* LOSS_MAX_MS: if the connection was lost for a longer time, the commands seek and play
 * are not sent again, because the player may have left. PLAY_MINUTES: how long a play
 * command lasts if the server's answer does not contain `minutes`. */
enum { LOSS_MAX_MS = 5 * 60 * 1000, PLAY_MINUTES = 15, PLAY_MINUTES_MAX = 24 * 60 };

static void forget(struct reconnect_wait *wait)
{
    free(wait->line);
    *wait = (struct reconnect_wait){.line = NULL};
}

void reconnect_forget_seeks(struct client *client)
{
    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++)
        forget(&client->reconnect.waits[i]);
}

void reconnect_clear(struct client *client)
{
    for (int i = 0; i < RECONNECT_WAITS; i++)
        forget(&client->reconnect.waits[i]);
}

/* --- What waits --- */

static bool is_seek(const struct visit_request *asked)
{
    return strcmp(asked->verb, "seek") == 0 || strcmp(asked->verb, "play") == 0;
}

/* Returns the entry for the command: for a seek, its own if it was sent again, otherwise
 * a free one. NULL: it is not a command that waits. */
static struct reconnect_wait *find_wait(struct client *client,
                                        const struct visit_request *asked)
{
    struct reconnect_wait *waits = client->reconnect.waits,
                          *out = &waits[RECONNECT_SEEKS];

    if (strcmp(asked->verb, "tv") == 0)
        return &waits[RECONNECT_TV];
    if (strcmp(asked->verb, "seeks") == 0 && asked->about[0] != '\0')
        return &waits[RECONNECT_NEWS];
    if (!is_seek(asked))
        return NULL;
    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++) {
        if (waits[i].tag == asked->tag)
            return &waits[i];
        if (out->line != NULL && waits[i].line == NULL)
            out = &waits[i];
    }
    return out;
}

static void keep(struct reconnect_wait *wait, const struct visit_request *asked,
                 const struct proto_line *line)
{
    if (wait->tag != asked->tag) {
        forget(wait);
        wait->line = mem_copy_text(asked->line);
        if (strcmp(asked->verb, "play") == 0)
            wait->until_ms =
                mono_with_sleep_ms() +
                model_number(line, "minutes", 1, PLAY_MINUTES_MAX, PLAY_MINUTES) *
                    60000;
    }
    wait->id = is_seek(asked) ? proto_line_number(line, "id", -1)
                              : proto_line_number(line, "game",
                                                  proto_line_number(line, "after", 0));
}

void reconnect_take_answer(struct client *client, const struct visit_request *asked,
                           const struct proto_line *line)
{
    struct reconnect_wait *wait = find_wait(client, asked),
                          *tv = &client->reconnect.waits[RECONNECT_TV];
    bool is_ok = line->mark == PROTO_OK, goes_on;

    if (is_ok && strcmp(asked->verb, "unwatch") == 0 &&
        tv->id == proto_line_number(line, "game", -1))
        forget(tv);
    if (wait == NULL)
        return;
    /* a seek that found no opponent yet, or another command that is not "off" */
    goes_on = is_seek(asked) ? proto_line_value(line, "id") != NULL
                             : strcmp(asked->about, "off") != 0;
    if (is_ok && goes_on)
        keep(wait, asked, line);
    else if (wait->tag == asked->tag || (is_ok && !is_seek(asked)))
        forget(wait);
}

void reconnect_take_notice(struct client *client, const struct proto_line *line)
{
    struct reconnect_wait *waits = client->reconnect.waits;
    int64_t id;

    if (line->words > 1 && strcmp(line->word[0], "gone") == 0 &&
        text_to_int(line->word[1], 0, INT64_MAX, &id)) {
        for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++)
            if (waits[i].id == id)
                forget(&waits[i]);
    } else if (line->words > 0 && strcmp(line->word[0], "tv") == 0) {
        waits[RECONNECT_TV].id = proto_line_number(line, "game", 0);
    }
}

/* --- Moves without an answer --- */

static bool is_unacked(const struct model_game *game)
{
    return game->pending.state == PENDING_TYPED || game->pending.state == PENDING_LOST;
}

static void drop_question(struct client *client)
{
    if (console_question(client->console) == QUESTION_MOVE)
        console_drop_question(client->console);
}

/* Writes the pending move in the player's language: "pass" is translated. */
static void name_move(char out[WORDS_MOVE_BYTES], const struct model_game *game)
{
    words_move(out, &(struct game_last){.move = game->pending.move});
}

void reconnect_say_found(struct client *client, const struct model_game *game)
{
    char move[WORDS_MOVE_BYTES];

    name_move(move, game);
    console_sayf(client->console, _("-- your move %s arrived: it is ply %d\n"), move,
                 game->pending.ply);
    if (client->reconnect.asked_game == game->id)
        drop_question(client);
}

/* Returns why the move cannot be played any more, or NULL if it can. */
static const char *why_too_late(const struct model_game *game)
{
    if (game->is_broken)
        return NULL; /* our own board may be wrong: let the server judge */
    if (game->game.phase == GAME_OVER)
        return _("the game is over");
    if (!model_is_our_turn(game))
        return _("it is not your turn any more");
    if (rules_judge(game->game.rules, &game->game.position, game->pending.move).code !=
        FAULT_NONE)
        return _("the position has changed");
    return NULL;
}

static void send_it(struct client *client, struct model_game *game)
{
    game->pending.state = PENDING_SENT;
    game->pending.ply = game->game.plies + 1;
    game->pending.again_ms = 0;
    client_send_pending(client, game);
}

static void ask(struct client *client, struct model_game *game)
{
    struct model_pending *pending = &game->pending;
    int ply = game->game.plies + 1;
    char told[256], words[128], move[WORDS_MOVE_BYTES];
    struct text tell = text_into(told, sizeof told),
                text = text_into(words, sizeof words);

    name_move(move, game);
    text_addf(&tell,
              pending->state == PENDING_TYPED
                  ? _("-- you typed %s (ply %d) without a connection; it was not sent")
                  : _("-- the server did not answer your move %s (ply %d), and it is "
                      "not in the game"),
              move, pending->ply);
    if (pending->ply != ply)
        text_addf(&tell, _(". The game has changed meanwhile: it would be ply %d now"),
                  ply);
    if (!pending->is_told)
        console_sayf(client->console, "%s\n", told);
    pending->is_told = true;
    text_addf(&text, _("Send %s now"), move);
    if (game != client->model.current)
        text_addf(&text, _(" in game %lld"), (long long)game->id);
    text_add(&text, _("? (y/n) "));
    client->reconnect.asked_game = game->id;
    console_ask(client->console, QUESTION_MOVE, words);
}

void reconnect_check_moves(struct client *client)
{
    bool is_screen = console_is_screen(client->console);

    if (!visit_is_ready(client->visit) || visit_is_resuming(client->visit))
        return;
    for (struct model_game *game = client->model.games;
         game != NULL && console_question(client->console) == 0; game = game->next) {
        char move[WORDS_MOVE_BYTES];
        const char *why;

        if (!is_unacked(game) || !model_is_caught_up(game))
            continue;
        why = why_too_late(game);
        if (why == NULL && !is_screen && game->pending.ply != game->game.plies + 1)
            why = _("the game has changed meanwhile");
        if (why != NULL) {
            name_move(move, game);
            console_sayf(client->console,
                         _("-- your move %s (game %lld, ply %d) was not played: %s\n"),
                         move, (long long)game->id, game->pending.ply, why);
            game->pending.state = PENDING_NONE;
            console_note_refusal(client->console);
        } else if (is_screen) {
            ask(client, game);
        } else {
            send_it(client, game);
        }
    }
}

bool reconnect_answer_move(struct client *client, const char *line)
{
    struct model_game *game = model_find(&client->model, client->reconnect.asked_game);
    bool is_yes = words_is_yes(line);

    if (game == NULL || !is_unacked(game) || (!is_yes && !words_is_no(line)))
        return false;
    if (is_yes) {
        send_it(client, game);
    } else {
        game->pending.state = PENDING_NONE;
        console_say(client->console, _("-- it was not sent\n"));
    }
    return true;
}

/* --- Down --- */

/* Reports the commands that nobody will answer now. */
static void say_unanswered(struct client *client)
{
    struct console *console = client->console;

    for (const struct visit_request *a = visit_requests(client->visit); a != NULL;
         a = a->next) {
        enum verb_use use = answers_use(a->verb);
        bool is_kept = false; /* it is sent again after the reconnection */

        for (int i = 0; i < RECONNECT_WAITS; i++)
            is_kept = is_kept || client->reconnect.waits[i].tag == a->tag;
        if (a->is_quiet || strcmp(a->verb, "move") == 0 || is_kept)
            continue; /* the client has sent it by itself, or asks about it */
        if (use == VERB_TALKS)
            console_say(console, _("-- your last message may not have arrived\n"));
        else
            console_sayf(
                console,
                use == VERB_LOOKS
                    ? _("-- the server did not answer \"%s\"; try again later\n")
                    : _("-- the server did not answer \"%s\", and janggi does not send "
                        "it again: check whether it was done\n"),
                a->verb);
    }
}

/* Reports a loss (is_first) or a failed attempt. Each message fits on one line of an
 * 80-column terminal. */
static void say_down(struct client *client, const struct visit_loss *loss,
                     bool is_first)
{
    const struct model_game *game = client->model.current;
    bool is_our_clock_running =
        game != NULL && model_is_playing(game) && game->clock.running == game->side;
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (!is_first)
        text_addf(&text, _("-- still no connection (%s)\n"), loss->why);
    else if (!visit_has_bye(client->visit))
        text_addf(&text, _("-- connection lost (%s%s)\n"), loss->why,
                  is_our_clock_running ? _("; your clock runs") : "");
    text_addf(&text, _("-- trying again in %d s (attempt %d)%s\n"),
              (int)mono_whole_s(loss->retry_at_ms - mono_now_ms()), loss->attempt,
              is_first && console_is_screen(client->console)
                  ? _("; Enter tries now, Ctrl-C or \"stop\" gives up")
                  : "");
    console_say(client->console, words);
}

bool reconnect_begin(struct client *client)
{
    const struct visit_loss *loss = visit_loss(client->visit);
    bool is_screen = console_is_screen(client->console);
    bool is_first = client->reconnect.why[0] == '\0';
    bool is_new = strcmp(client->reconnect.why, loss->why) != 0;

    (void)!text_copy(client->reconnect.why, sizeof client->reconnect.why, loss->why);
    if (is_first)
        say_unanswered(client);
    save_clear(client);
    model_lose_connection(&client->model);
    drop_question(client);
    if (loss->is_resting && (!is_screen || !client->prefs->reconnects))
        return false;
    if (loss->is_resting)
        console_sayf(client->console,
                     _("-- no connection (%s); janggi does not try again by itself: "
                       "Enter tries again, \"quit\" leaves\n"),
                     loss->why);
    else if (is_new || !is_screen) /* on a screen the prompt shows the countdown */
        say_down(client, loss, is_first);
    console_prompt(client->console);
    return true;
}

/* --- While away --- */

void reconnect_try_now(struct client *client)
{
    if (!visit_is_away(client->visit))
        return;
    visit_try_now(client->visit);
    console_prompt(client->console);
}

void reconnect_give_up(struct client *client)
{
    struct console *console = client->console;

    if (!visit_is_away(client->visit)) {
        console_say(console, _("-- there is nothing to stop: you are connected\n"));
        return;
    }
    if (!console_is_screen(console)) {
        console_leave(console, CLIENT_EXIT_LOST);
        return;
    }
    visit_rest(client->visit);
    console_say(console,
                _("-- janggi has stopped trying to connect; you see the last known "
                  "state. Enter tries again, \"quit\" leaves.\n"));
    console_prompt(console);
}

void reconnect_add_prompt(struct text *out, const struct client *client, int64_t now_ms)
{
    const struct visit *visit = client->visit;
    const struct visit_loss *loss = visit_loss(visit);
    int64_t left_ms = loss->retry_at_ms - now_ms;

    if (!visit_is_away(visit))
        return;
    if (visit_state(visit) == VISIT_AWAY && loss->is_resting)
        text_add(out, _("(no connection) "));
    else if (loss->retry_at_ms != 0 && left_ms > 0)
        text_addf(out, _("(no connection, attempt %d in %d s) "), loss->attempt,
                  (int)mono_whole_s(left_ms));
    else
        text_add(out, _("(connecting) "));
}

/* --- Back --- */

/* Returns true if we are in a game with clocks. When such a game begins, the server
 * ends all our seeks. */
static bool is_playing(const struct model *model)
{
    for (const struct model_game *game = model->games; game != NULL; game = game->next)
        if (model_is_playing(game) && !model_is_slow(game) &&
            !game->game.clock.terms.is_untimed)
            return true;
    return false;
}

void reconnect_on_back(void *owner, int64_t away_ms)
{
    struct client *client = owner;
    struct console *console = client->console;
    int seconds = (int)mono_whole_s(away_ms), missed = client->reconnect.missed;
    int64_t now_ms = mono_with_sleep_ms();
    bool was_long = now_ms - client->reconnect.heard_ms > LOSS_MAX_MS;

    console_ignore_enter(console); /* it meant "try now" until here */
    if (missed == 0)
        console_sayf(console, _("-- back after %d s, nothing missed\n"), seconds);
    else
        console_sayf(console,
                     translate_count("-- back after %d s, %d event missed\n",
                                     "-- back after %d s, %d events missed\n", missed),
                     seconds, missed);
    client->reconnect.why[0] = '\0';
    if (is_playing(&client->model))
        reconnect_forget_seeks(client);
    for (int i = RECONNECT_SEEKS; i < RECONNECT_WAITS; i++) {
        struct reconnect_wait *wait = &client->reconnect.waits[i];

        /* A game must not begin while the player is absent. */
        if (wait->line == NULL ||
            (!was_long && (wait->until_ms == 0 || now_ms < wait->until_ms)))
            continue;
        console_sayf(console,
                     _("-- this request ended while the connection was lost; type it "
                       "again: %s\n"),
                     wait->line);
        forget(wait);
    }
    for (int i = 0; i < RECONNECT_WAITS; i++) {
        struct reconnect_wait *wait = &client->reconnect.waits[i];

        if (wait->line == NULL)
            continue;
        console_sayf(console,
                     _("-- the connection was lost, so this is sent again: %s\n"),
                     wait->line);
        /* With the number of the watched game, tv does not change to a better one. The
         * answer to a seek is shown, because the seek has a new number. */
        if (i == RECONNECT_TV)
            wait->tag = client_sendf(client, -1, true, "%s after=%lld", wait->line,
                                     (long long)wait->id);
        else
            wait->tag = client_send(client, wait->line, -1, i == RECONNECT_NEWS);
    }
}
