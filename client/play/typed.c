/* Lines from the keyboard, a pipe or -c: answers to questions, and verbs and their
 * deeds. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/play/inside.h"
#include "client/play/partner.h"
#include "client/verb/verbs.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"

enum { INTERRUPT_TWICE_MS = 2000 };

/* --- Sending --- */

static void say_not_sent(struct client *client, const char *line)
{
    const struct verb *verb = verbs_find_command(line);

    if (verb != NULL && verb->use == VERB_TALKS)
        screen_say(client, _("-- not connected: what you said was not sent\n"));
    else
        screen_sayf(client, _("-- not connected: \"%.*s\" was not sent\n"),
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

/* --- Deeds --- */

static void do_move(struct client *client, const struct deed *deed)
{
    struct model_game *game = deed->game;

    game->pending = (struct model_pending){
        .state = visit_is_ready(client->visit) ? PENDING_SENT : PENDING_TYPED,
        .ply = deed->ply,
        .move = deed->move,
    };
    if (game->pending.state == PENDING_SENT)
        typed_send_pending(client, game);
    else
        screen_say(client, _("-- not connected: you are asked about the move when the "
                             "connection is back\n"));
}

static void do_set(struct client *client, const struct deed *deed)
{
    char words[RENDER_SCREEN_BYTES] = "";

    if (deed->line[0] == '\0')
        prefs_list(client->prefs, words, sizeof words);
    else if (!prefs_set(client->prefs, deed->line, deed->words, words))
        screen_sayf(client, "-- %s\n", words);
    else if (client->is_screen)
        screen_sayf(client, "-- %s: %s\n", deed->line, deed->words);
    if (deed->line[0] == '\0')
        screen_say(client, words);
    client->has_color = prefs_wants_color(client->prefs, client->is_screen);
    visit_set_reconnects(client->visit, client->prefs->reconnects);
}

static void do_ask(struct client *client, const struct deed *deed)
{
    char words[128];
    struct text text = text_into(words, sizeof words);

    if (!client->is_screen || !visit_is_ready(client->visit)) {
        typed_send(client, deed->line, -1, false);
        return;
    }
    text_copy(client->sure_line, sizeof client->sure_line, deed->line);
    text_addf(&text, _("%s (yes or no) "), deed->words);
    screen_ask(client, QUESTION_SURE, words);
}

static void do_send(struct client *client, const struct deed *deed)
{
    typed_send(client, deed->line, deed->game != NULL ? deed->game->id : deed->number,
               false);
}

/* Said behind the board, so that nobody takes it for the game's. */
static void do_try(struct client *client, const struct deed *deed)
{
    struct trial *trial = &client->trial;
    char words[SENTENCE_BYTES];
    struct fault fault;

    if (!trial_move(trial, deed->game, deed->move, &fault)) {
        sentence_fault(words, fault);
        client->is_refused = true;
        screen_sayf(client, _("-- not made: %s\n"), words);
        return;
    }
    screen_board(client, &trial->board);
    screen_sayf(client,
                _("-- a private board, %d from the game; nothing is sent; "
                  "\"back\" returns\n"),
                trial->tried);
}

static void do_back(struct client *client, const struct deed *deed)
{
    if (!client->trial.is_on) {
        client->is_refused = true;
        screen_refuse(client, _("No private board is on. Nothing was done.\n"));
        return;
    }
    trial_end(&client->trial);
    screen_board(client, deed->game);
}

static void do_choose(struct client *client, const struct deed *deed)
{
    model_choose(&client->model, deed->game);
    if (client->is_screen)
        screen_board(client, deed->game);
}

static void say_farewell(struct client *client)
{
    const struct model_game *game = client->model.current;
    char server[LINK_SERVER_BYTES];

    if (game == NULL || !model_is_playing(game) || !client->is_screen)
        return;
    link_format_typed(server, client->to);
    screen_sayf(
        client,
        model_is_slow(game) || game->game.clock.terms.is_untimed
            ? _("Your seat in game %lld is kept. Come back with:\n  janggi %s\n")
            : _("Game %lld goes on, and so does its clock; your seat is kept. Come "
                "back "
                "with:\n  janggi %s\n"),
        (long long)game->id, server);
}

static void carry_out(struct client *client, struct deed *deed)
{
    switch (deed->kind) {
    case DEED_NOTHING:
        lost_try_now(client);
        break;
    case DEED_REFUSE:
        client->is_refused = true;
        screen_refuse(client, deed->words);
        break;
    case DEED_SAY:
        screen_say(client, deed->words);
        break;
    case DEED_SEND:
        do_send(client, deed);
        break;
    case DEED_ASK:
        do_ask(client, deed);
        break;
    case DEED_MOVE:
        do_move(client, deed);
        break;
    case DEED_FLIP:
        deed->game->is_turned = !deed->game->is_turned;
        screen_board(client, deed->game);
        break;
    case DEED_BOARD:
        screen_board(client, deed->game);
        break;
    case DEED_CHOOSE:
        do_choose(client, deed);
        break;
    case DEED_SAVE:
        save_begin(client, deed->number, deed->words);
        break;
    case DEED_SET:
        do_set(client, deed);
        break;
    case DEED_TRY:
        do_try(client, deed);
        break;
    case DEED_BACK:
        do_back(client, deed);
        break;
    case DEED_COMPUTER:
        partner_want(client, (int)deed->number);
        break;
    case DEED_STOP:
        lost_give_up(client);
        break;
    case DEED_QUIT:
        say_farewell(client);
        client_leave(client, CLIENT_EXIT_OK);
        break;
    default:
        break; /* of no verb for a server */
    }
}

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

static void run_line(struct client *client, const char *line)
{
    struct deed *deed = mem_new(sizeof *deed);
    struct render_view view = screen_view(client);
    struct typed_board board;

    if (!is_secret(line))
        edit_remember(client->edit, line);
    if (view.tried > 0)
        board = (struct typed_board){client->trial.board.game.rules,
                                     &client->trial.board.game.position};
    verbs_read(&verbs_of_client, &client->model, view.tried > 0 ? &board : NULL, line,
               &view, deed);
    carry_out(client, deed);
    free(deed);
}

/* --- Questions --- */

static void take_sure(struct client *client, const char *line)
{
    if (words_is_yes(line))
        typed_send(client, client->sure_line, -1, false);
    else
        screen_say(client, _("Nothing was done.\n"));
}

static void answer(struct client *client, const char *line)
{
    enum client_question question = client->question;

    client->question = QUESTION_NONE;
    switch (question) {
    case QUESTION_KEY:
        entry_take_key(client, line);
        break;
    case QUESTION_NAME:
        entry_take_name(client, line);
        break;
    case QUESTION_SURE:
        take_sure(client, line);
        break;
    case QUESTION_MOVE:
        if (!lost_take_answer(client, line))
            run_line(client, line); /* the question comes again after it */
        break;
    case QUESTION_NONE:
        break;
    }
}

/* --- From the editor --- */

void typed_line(void *owner, const char *line)
{
    struct client *client = owner;

    if (visit_state(client->visit) == VISIT_LEAVING)
        return;
    if (client->question != QUESTION_NONE && utf8_is_showable(line, strlen(line)))
        answer(client, line);
    else
        run_line(client, line);
    lost_look_at_moves(client);
    screen_prompt(client);
    client_go_on(client);
}

void typed_end(void *owner)
{
    struct client *client = owner;

    client->is_ended = true;
    if (!client->is_screen) {
        client_go_on(client);
        return;
    }
    say_farewell(client);
    client_leave(client,
                 visit_was_ready(client->visit) ? CLIENT_EXIT_OK : CLIENT_EXIT_ERROR);
}

void typed_interrupt(void *owner)
{
    struct client *client = owner;
    const struct model_game *game = client->model.current;
    int64_t now_ms = mono_now_ms();
    bool is_second =
        client->interrupt_ms != 0 && now_ms - client->interrupt_ms < INTERRUPT_TWICE_MS;

    client->interrupt_ms = now_ms;
    if (client->is_screen && !is_second && visit_is_away(client->visit) &&
        !visit_loss(client->visit)->is_resting) {
        lost_give_up(client);
        return;
    }
    if (!client->is_screen || is_second || !visit_is_ready(client->visit)) {
        say_farewell(client);
        client_leave(client, CLIENT_EXIT_INTERRUPT);
        return;
    }
    if (client->question == QUESTION_MOVE)
        (void)lost_take_answer(client, "no");
    if (client->question != QUESTION_NONE) {
        client->question = QUESTION_NONE;
        screen_prompt(client);
    }
    if (game != NULL && model_is_playing(game))
        screen_sayf(
            client,
            _("Type \"quit\" to leave, or Ctrl-C once more. Game %lld goes on.\n"),
            (long long)game->id);
    else
        screen_say(client, _("Type \"quit\" to leave, or Ctrl-C once more.\n"));
}

/* All words are gathered at the first one that is asked for. */
const char *typed_complete(void *owner, const char *before, size_t i)
{
    struct client *client = owner;
    struct complete *complete = &client->complete;

    if (i == 0)
        complete_gather(complete, &verbs_of_client, &client->model, &client->known,
                        before, edit_word(client->edit));
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
