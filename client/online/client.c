/* See client.h. Creates the parts of a visit, and connects them with the console and
 * the network. */
#include "client/online/client.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/exit.h"
#include "client/verb/answers.h"
#include "client/verb/verbs.h"
#include "common/base/error_words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/move.h"

/* --- Sending --- */

uint32_t client_send(struct client *client, const char *line, int64_t game,
                     bool is_quiet)
{
    uint32_t tag = visit_send(client->visit, line, game, is_quiet);
    char verb[16];

    if (tag != 0 || is_quiet)
        return tag;
    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(line, " "), line);
    if (answers_use(verb) == VERB_TALKS)
        console_say(client->console,
                    _("-- not connected: your message was not sent\n"));
    else
        console_sayf(client->console, _("-- not connected: \"%.*s\" was not sent\n"),
                     (int)strcspn(line, " "), line);
    return 0;
}

uint32_t client_sendf(struct client *client, int64_t game, bool is_quiet,
                      const char *format, ...)
{
    char line[PROTO_LINE_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return client_send(client, line, game, is_quiet);
}

void client_send_pending(struct client *client, const struct model_game *game)
{
    char move[MOVE_BYTES];

    move_format(move, game->pending.move);
    if (visit_is_ready(client->visit))
        client_sendf(client, game->id, false, "move %lld %d %s", (long long)game->id,
                     game->pending.ply, move);
}

/* --- Leaving --- */

void client_fail(struct client *client, int code, const char *format, ...)
{
    char words[512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (console_is_editing(client->console))
        console_sayf(client->console, "janggi: %s\n", words);
    else
        fprintf(stderr, "janggi: %s\n", words);
    console_leave(client->console, code);
}

/* The first call lets the visit say goodbye and end the loop afterwards; a second call
 * ends the loop immediately. */
static void on_leave(void *owner)
{
    struct client *client = owner;

    if (visit_state(client->visit) != VISIT_LEAVING)
        console_hold(client->console, true);
    visit_leave(client->visit);
}

/* --- For the console --- */

/* Returns true while a script must wait: it runs one command at a time, so that each
 * command sees the results of the command before it. */
static bool is_busy(void *owner)
{
    const struct client *client = owner;

    if (client->session.analyst != NULL || visit_requests(client->visit) != NULL ||
        !visit_is_ready(client->visit))
        return true;
    for (const struct model_game *game = client->model.games; game != NULL;
         game = game->next)
        if (game->pending.state != PENDING_NONE ||
            (!game->is_left && game->next_event < game->known_events))
            return true;
    return false;
}

/* Adds the prompt. Also updates the window's title. */
static void add_prompt(void *owner, struct text *out)
{
    struct client *client = owner;

    reconnect_add_prompt(out, client, mono_now_ms());
    if (visit_was_ready(client->visit))
        session_add_prompt(&client->session, out);
    screen_title(client);
}

/* --- Once a second --- */

static bool is_due(int64_t *at_ms, int64_t now_ms)
{
    if (*at_ms == 0 || *at_ms > now_ms)
        return false;
    *at_ms = 0;
    return true;
}

static void on_tick(void *owner, int64_t now_ms)
{
    struct client *client = owner;

    /* Commands that were refused with slow-down, or a move also with later, are sent
     * again after the delay that the server asked for. */
    for (struct model_game *game = client->model.games; game != NULL;
         game = game->next) {
        if (game->pending.state == PENDING_SENT &&
            is_due(&game->pending.again_ms, now_ms))
            client_send_pending(client, game);
        if (is_due(&game->resume_at_ms, now_ms))
            server_events_resume(client, game);
    }
    server_events_say_bad_lines(client);
    reconnect_check_moves(client);
    screen_look_at_clocks(client, now_ms);
    login_look_again(client, now_ms);
    programs_tick(client, now_ms);
}

/* --- Opening --- */

void client_open(struct client *client, struct prefs *prefs, const struct link *to)
{
    static const struct console_calls calls = {.on_line = command_input_line,
                                               .on_answer = command_input_answer,
                                               .on_end = command_input_end,
                                               .on_interrupt = command_input_interrupt,
                                               .on_leave = on_leave,
                                               .is_busy = is_busy,
                                               .add_prompt = add_prompt,
                                               .complete = command_input_complete};

    *client = (struct client){
        .prefs = prefs, .to = to, .is_own_server = getenv("JANGGI_OWN_SERVER") != NULL};
    model_init(&client->model);
    client->console = console_new(prefs, prefs->history_path, &calls, client);
    client->session = (struct session){.prefs = prefs,
                                       .console = client->console,
                                       .model = &client->model,
                                       .verbs = &verbs_of_client,
                                       .known = &client->known,
                                       .referee = &command_input_referee,
                                       .owner = client};
    screen_open(client);
}

void client_open_visit(struct client *client, SSL_CTX *tls)
{
    static const struct visit_calls calls = {
        .on_met = login_on_met,
        .on_ask_key = login_on_ask_key,
        .on_ask_name = login_on_ask_name,
        .on_beside = login_on_beside,
        .on_refused = login_on_refused,
        .on_resume = login_on_resume,
        .on_ready = login_on_ready,
        .on_back = reconnect_on_back,
        .on_event = server_events_on_event,
        .on_notice = server_events_on_notice,
        .on_text = server_events_on_text,
        .on_answer = server_events_on_answer,
        .on_bad_line = server_events_on_bad_line,
        .on_heard = server_events_on_heard,
        .on_tick = on_tick,
        .on_end = login_on_end,
    };
    struct visit_wish wish = {
        .prefs = client->prefs,
        .to = client->to,
        .name = "",
        .owner_code = getenv("JANGGI_OWNER"),
        .door_code = getenv("JANGGI_DOOR"),
        .is_guest = client->to->kind == LINK_WATCH,
        .asks = console_is_screen(client->console),
        .reconnects = client->prefs->reconnects,
    };

    client->visit =
        visit_new(console_base(client->console), tls, &wish, &calls, client);
}

void client_close(struct client *client)
{
    screen_close(client);
    programs_clear(client);
    session_clear(&client->session);
    visit_free(client->visit);
    reconnect_clear(client);
    save_clear(client);
    model_clear(&client->model);
    if (client->log != NULL)
        fclose(client->log);
    console_free(client->console);
}

int client_run(struct prefs *prefs, const struct link *to)
{
    struct client client;
    int code = CLIENT_EXIT_ERROR;
    SSL_CTX *tls;

    client_open(&client, prefs, to);
    if (prefs->log_path[0] != '\0' &&
        (client.log = fopen(prefs->log_path, "ae")) == NULL)
        fprintf(stderr, "janggi: %s: %s\n", prefs->log_path, error_words(errno));
    else if ((tls = visit_tls(prefs, to->kind == LINK_WATCH)) != NULL) {
        client_open_visit(&client, tls);
        visit_start(client.visit);
        code = console_run(client.console);
    }
    client_close(&client);
    return code;
}
