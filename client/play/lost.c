/* A connection that is lost: what is said of it, the attempts to come back, giving up,
 * and what becomes of a move of which nobody knows whether it arrived. Nothing is ever
 * sent twice by guess: a move goes out again with its number, which the server plays
 * once, and only after a person said so; all else is the player's to repeat. */
#include <string.h>

#include "client/play/inside.h"
#include "client/verb/verbs.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Commands that nobody will answer now --- */

static void say_unanswered(struct client *client)
{
    for (const struct visit_request *a = visit_requests(client->visit); a != NULL;
         a = a->next) {
        const struct verb *verb = verbs_find_command(a->verb);
        enum verb_use use = verb != NULL ? verb->use : VERB_ACTS;

        if (a->is_quiet || verb == &verb_move)
            continue; /* a move is looked into when we are back */
        if (use == VERB_TALKS)
            console_say(client->console,
                        _("-- what you said last may not have arrived\n"));
        else
            console_sayf(client->console,
                         use == VERB_LOOKS
                             ? _("-- \"%s\" was not answered; ask again later\n")
                             : _("-- \"%s\" was sent and not answered; it is not sent "
                                 "again, look whether it happened\n"),
                         a->verb);
    }
}

/* --- Down --- */

static bool is_our_clock_running(const struct client *client)
{
    const struct model_game *game = client->model.current;

    return game != NULL && model_is_playing(game) && game->clock.running == game->side;
}

/* On a terminal of 80 columns each of the two lines stands on one. */
static void say_down(struct client *client, const struct visit_loss *loss,
                     bool is_first)
{
    int64_t left_ms = loss->retry_at_ms - mono_now_ms();
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (!is_first)
        text_addf(&text, _("-- still no connection (%s)\n"), loss->why);
    else if (!visit_has_bye(client->visit))
        text_addf(&text, _("-- connection lost (%s%s)\n"), loss->why,
                  is_our_clock_running(client) ? _("; your clock runs") : "");
    text_addf(&text, _("-- trying again in %d s (attempt %d)%s\n"),
              (int)((left_ms + 999) / 1000), loss->attempt,
              is_first && console_is_screen(client->console)
                  ? _("; Enter tries now, Ctrl-C or \"stop\" gives up")
                  : "");
    console_say(client->console, words);
}

static void say_no_more(struct client *client, const char *why)
{
    console_sayf(
        client->console,
        _("-- no connection (%s), and no further attempt by itself: Enter tries "
          "again, \"quit\" leaves\n"),
        why);
}

/* On a screen the countdown stands in the prompt, and a failure is said only when its
 * reason is another one. */
static bool is_worth_saying(struct client *client, const struct visit_loss *loss)
{
    bool is_new = strcmp(client->lost_why, loss->why) != 0;

    (void)!text_copy(client->lost_why, sizeof client->lost_why, loss->why);
    return is_new || !console_is_screen(client->console);
}

static void forget_what_was_asked(struct client *client)
{
    save_clear(client);
    model_lose_connection(&client->model);
    if (console_question(client->console) == QUESTION_MOVE)
        console_drop_question(client->console);
}

bool lost_begin(struct client *client)
{
    const struct visit_loss *loss = visit_loss(client->visit);
    bool is_first = client->lost_why[0] == '\0';
    bool is_said = is_worth_saying(client, loss);

    if (is_first)
        say_unanswered(client);
    forget_what_was_asked(client);
    if (loss->is_resting &&
        (!console_is_screen(client->console) || !client->prefs->reconnects))
        return false;
    if (loss->is_resting)
        say_no_more(client, loss->why);
    else if (is_said)
        say_down(client, loss, is_first);
    console_prompt(client->console);
    return true;
}

/* --- While away --- */

void lost_try_now(struct client *client)
{
    if (!visit_is_away(client->visit))
        return;
    visit_try_now(client->visit);
    console_prompt(client->console);
}

void lost_give_up(struct client *client)
{
    if (!visit_is_away(client->visit)) {
        console_say(client->console,
                    _("There is nothing to stop: the connection stands.\n"));
        return;
    }
    if (!console_is_screen(client->console)) {
        console_leave(client->console, CLIENT_EXIT_LOST);
        return;
    }
    visit_rest(client->visit);
    console_say(client->console,
                _("Not trying any more. What you see is as it was. Enter tries "
                  "again, \"quit\" leaves.\n"));
    console_prompt(client->console);
}

void lost_add_prompt(struct text *out, const struct client *client, int64_t now_ms)
{
    const struct visit_loss *loss = visit_loss(client->visit);
    int64_t left_ms = loss->retry_at_ms - now_ms;

    if (!visit_is_away(client->visit))
        return;
    if (visit_state(client->visit) == VISIT_AWAY && loss->is_resting)
        text_add(out, _("(no connection) "));
    else if (loss->retry_at_ms != 0 && left_ms > 0)
        text_addf(out, _("(no connection, attempt %d in %d s) "), loss->attempt,
                  (int)((left_ms + 999) / 1000));
    else
        text_add(out, _("(connecting) "));
}

/* --- Back --- */

void lost_on_back(void *owner, int64_t away_ms)
{
    struct client *client = owner;
    int seconds = (int)((away_ms + 999) / 1000);

    if (client->missed == 0)
        console_sayf(client->console, _("-- back after %d s, nothing missed\n"),
                     seconds);
    else
        console_sayf(client->console,
                     translate_count("-- back after %d s, %d event missed\n",
                                     "-- back after %d s, %d events missed\n",
                                     client->missed),
                     seconds, client->missed);
    client->lost_why[0] = '\0';
}

/* --- A move that may not have arrived --- */

static bool is_in_doubt(const struct model_game *game)
{
    return game->pending.state == PENDING_TYPED || game->pending.state == PENDING_LOST;
}

void lost_say_found(struct client *client, const struct model_game *game)
{
    char move[MOVE_BYTES];

    move_format(move, game->pending.move);
    console_sayf(client->console, _("-- your move %s had arrived: it is ply %d\n"),
                 move, game->pending.ply);
    if (console_question(client->console) == QUESTION_MOVE && client->doubt == game->id)
        console_drop_question(client->console);
}

/* Why it cannot be played any more; NULL: it can. */
static const char *why_too_late(const struct model_game *game)
{
    if (game->is_broken)
        return NULL; /* our own board is not to be believed */
    if (game->game.phase == GAME_OVER)
        return _("the game is over");
    if (!model_is_our_turn(game))
        return _("it is not your turn any more");
    if (rules_judge(game->game.rules, &game->game.position, game->pending.move).code !=
        FAULT_NONE)
        return _("the position is another one now");
    return NULL;
}

static void drop(struct client *client, struct model_game *game, const char *why)
{
    char move[MOVE_BYTES];

    move_format(move, game->pending.move);
    console_sayf(client->console,
                 _("-- your move %s (game %lld, ply %d) was not played: %s\n"), move,
                 (long long)game->id, game->pending.ply, why);
    game->pending.state = PENDING_NONE;
    console_note_refusal(client->console);
}

static void send_it(struct client *client, struct model_game *game)
{
    game->pending.state = PENDING_SENT;
    game->pending.ply = game->game.plies + 1;
    game->pending.again_ms = 0;
    typed_send_pending(client, game);
}

static void tell(struct client *client, struct model_game *game)
{
    char words[256], move[MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    move_format(move, game->pending.move);
    if (game->pending.state == PENDING_TYPED)
        text_addf(&text,
                  _("-- you typed %s (ply %d) without a connection; it was not sent"),
                  move, game->pending.ply);
    else
        text_addf(
            &text,
            _("-- you sent %s (ply %d); it was not answered and the game does not "
              "have it"),
            move, game->pending.ply);
    if (game->pending.ply != game->game.plies + 1)
        text_addf(&text, _(". The game has moved on: it would be ply %d now"),
                  game->game.plies + 1);
    console_sayf(client->console, "%s\n", words);
    game->pending.is_told = true;
}

static void ask(struct client *client, struct model_game *game)
{
    char words[128], move[MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!game->pending.is_told)
        tell(client, game);
    move_format(move, game->pending.move);
    text_addf(&text, _("Send %s now"), move);
    if (game != client->model.current)
        text_addf(&text, _(" in game %lld"), (long long)game->id);
    text_add(&text, _("? (y/n) "));
    client->doubt = game->id;
    console_ask(client->console, QUESTION_MOVE, words);
}

/* A script has nobody to ask: what is still the next ply goes out, guarded by it. */
static void look_at(struct client *client, struct model_game *game)
{
    const char *why = why_too_late(game);

    if (why == NULL && !console_is_screen(client->console) &&
        game->pending.ply != game->game.plies + 1)
        why = _("the game has moved on");
    if (why != NULL)
        drop(client, game, why);
    else if (console_is_screen(client->console))
        ask(client, game);
    else
        send_it(client, game);
}

void lost_look_at_moves(struct client *client)
{
    if (!visit_is_ready(client->visit) || visit_is_resuming(client->visit))
        return;
    for (struct model_game *game = client->model.games;
         game != NULL && console_question(client->console) == 0; game = game->next)
        if (is_in_doubt(game) && model_is_caught_up(game))
            look_at(client, game);
}

bool lost_take_answer(struct client *client, const char *line)
{
    struct model_game *game = model_find(&client->model, client->doubt);
    bool is_yes = words_is_yes(line);

    if (game == NULL || !is_in_doubt(game))
        return false;
    if (!is_yes && !words_is_no(line))
        return false;
    if (is_yes) {
        send_it(client, game);
        return true;
    }
    game->pending.state = PENDING_NONE;
    console_say(client->console, _("It is not sent.\n"));
    return true;
}
