/* Lines from the keyboard, a pipe or -c: answers to questions, and verbs and their
 * actions. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/inside.h"
#include "client/play/partner.h"
#include "client/verb/verbs.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Sending --- */

static void say_not_sent(struct client *client, const char *line)
{
    const struct verb *verb = verbs_find_command(line);

    if (verb != NULL && verb->use == VERB_TALKS)
        console_say(client->console,
                    _("-- not connected: what you said was not sent\n"));
    else
        console_sayf(client->console, _("-- not connected: \"%.*s\" was not sent\n"),
                     (int)strcspn(line, " "), line);
}

uint32_t typed_send(struct client *client, const char *line, int64_t game,
                    bool is_quiet)
{
    uint32_t tag = visit_send(client->visit, line, game, is_quiet);

    if (tag == 0 && !is_quiet)
        say_not_sent(client, line);
    return tag;
}

uint32_t typed_sendf(struct client *client, int64_t game, bool is_quiet,
                     const char *format, ...)
{
    char line[PROTO_LINE_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return typed_send(client, line, game, is_quiet);
}

void typed_send_pending(struct client *client, const struct model_game *game)
{
    char move[MOVE_BYTES];

    move_format(move, game->pending.move);
    if (visit_is_ready(client->visit))
        typed_sendf(client, game->id, false, "move %lld %d %s", (long long)game->id,
                    game->pending.ply, move);
}

/* --- Actions --- */

static void send_move(void *owner, const struct action *action)
{
    struct client *client = owner;
    struct model_game *game = action->game;

    game->pending = (struct model_pending){
        .state = visit_is_ready(client->visit) ? PENDING_SENT : PENDING_TYPED,
        .ply = action->ply,
        .move = action->move,
    };
    if (game->pending.state == PENDING_SENT)
        typed_send_pending(client, game);
    else
        console_say(client->console,
                    _("-- not connected: you are asked about the move when the "
                      "connection is back\n"));
}

static void do_choose(struct client *client, const struct action *action)
{
    model_choose(&client->model, action->game);
    if (console_is_screen(client->console))
        session_show_board(&client->session, action->game);
}

/* make play says itself how to come back to a server that it stops. */
static void say_farewell(struct client *client)
{
    const struct model_game *game = client->model.current;
    const char *command = getenv("JANGGI_COME_BACK");
    char server[LINK_SERVER_BYTES], back[LINK_SERVER_BYTES + 32];

    if (game == NULL || !model_is_playing(game) || !console_is_screen(client->console))
        return;
    if (client->is_own_server) {
        console_sayf(client->console, _("Your seat in game %lld is kept.\n"),
                     (long long)game->id);
        return;
    }
    link_format_typed(server, client->to);
    if (command == NULL || !text_copy(back, sizeof back, command))
        snprintf(back, sizeof back, "janggi %s", server);
    console_sayf(
        client->console,
        model_is_slow(game) || game->game.clock.terms.is_untimed
            ? _("Your seat in game %lld is kept. Come back with:\n  %s\n")
            : _("Game %lld goes on, and so does its clock; your seat is kept. Come "
                "back with:\n  %s\n"),
        (long long)game->id, back);
}

static void do_quit(struct client *client)
{
    say_farewell(client);
    console_finish(client->console);
}

static void run_own(void *owner, const struct action *action)
{
    struct client *client = owner;

    switch (action->kind) {
    case ACTION_NOTHING:
        lost_try_now(client);
        break;
    case ACTION_CHOOSE:
        do_choose(client, action);
        break;
    case ACTION_SAVE:
        save_begin(client, action->number, action->words);
        break;
    case ACTION_COMPUTER:
        partner_want(client, (int)action->number);
        break;
    case ACTION_STOP:
        lost_give_up(client);
        break;
    case ACTION_QUIT:
        do_quit(client);
        break;
    default:
        break; /* of no verb for a server */
    }
}

static void send_line(void *owner, const char *line, int64_t game)
{
    typed_send(owner, line, game, false);
}

static void on_set(void *owner)
{
    struct client *client = owner;

    visit_set_reconnects(client->visit, client->prefs->reconnects);
}

static bool is_ready(void *owner)
{
    const struct client *client = owner;

    return visit_is_ready(client->visit);
}

const struct session_referee typed_referee = {.send = send_line,
                                              .move = send_move,
                                              .run = run_own,
                                              .on_set = on_set,
                                              .is_ready = is_ready};

/* A line of which nothing is to be kept: codes and tokens are good for a seat. Words
 * may be cut short, and links may be pasted. */
static bool is_secret(const char *line)
{
    char word[16];
    const char *at = line + strspn(line, " ");
    const struct verb *verb;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    text_lower(word);
    verb = verbs_find(&verbs_of_client, word);
    return (verb != NULL && verb->is_secret) || strcmp(word, "login") == 0 ||
           strstr(line, "/join/") != NULL || strstr(line, "token=") != NULL ||
           strstr(line, "code=") != NULL;
}

/* --- From the console --- */

void typed_line(void *owner, const char *line)
{
    struct client *client = owner;

    if (!is_secret(line))
        console_remember(client->console, line);
    session_line(&client->session, line);
    lost_look_at_moves(client);
}

void typed_answer(void *owner, int id, const char *line)
{
    struct client *client = owner;

    switch ((enum client_question)id) {
    case QUESTION_KEY:
        entry_take_key(client, line);
        break;
    case QUESTION_NAME:
        entry_take_name(client, line);
        break;
    case QUESTION_SURE:
        session_answer(&client->session, line);
        break;
    case QUESTION_MOVE:
        if (!lost_take_answer(client, line))
            typed_line(client, line); /* the question comes again after it */
        break;
    }
    lost_look_at_moves(client);
}

void typed_end(void *owner)
{
    struct client *client = owner;
    bool was_ready = visit_was_ready(client->visit);

    if (!console_is_screen(client->console)) {
        console_finish(client->console);
        return;
    }
    say_farewell(client);
    console_leave(client->console, was_ready ? CLIENT_EXIT_OK : CLIENT_EXIT_ERROR);
}

bool typed_interrupt(void *owner, bool is_last)
{
    struct client *client = owner;
    const struct model_game *game = client->model.current;

    if (!is_last && visit_is_away(client->visit) &&
        !visit_loss(client->visit)->is_resting) {
        lost_give_up(client);
        return true;
    }
    if (is_last || !visit_is_ready(client->visit)) {
        say_farewell(client);
        console_leave(client->console, CLIENT_EXIT_INTERRUPT);
        return true;
    }
    if (console_question(client->console) == QUESTION_MOVE)
        (void)lost_take_answer(client, "no");
    if (game == NULL || !model_is_playing(game))
        return false;
    console_drop_question(client->console);
    console_sayf(client->console,
                 _("Type \"quit\" to leave, or Ctrl-C once more. Game %lld goes on.\n"),
                 (long long)game->id);
    return true;
}

const char *typed_complete(void *owner, const char *before, const char *word, size_t i)
{
    struct client *client = owner;

    return session_complete(&client->session, before, word, i);
}
