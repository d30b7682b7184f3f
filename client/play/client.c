/* See client.h. The life of a visit; its parts are entry.c, heard.c, typed.c and
 * screen.c. */
#include "client/play/client.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/play/inside.h"
#include "client/play/partner.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"

/* --- Leaving --- */

void client_leave(struct client *client, int code)
{
    if (client->exit_code == CLIENT_EXIT_OK)
        client->exit_code = code;
    if (visit_state(client->visit) != VISIT_LEAVING)
        edit_hold(client->edit, true);
    visit_leave(client->visit);
}

void client_fail(struct client *client, int code, const char *format, ...)
{
    char words[512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (client->is_editing)
        screen_sayf(client, "janggi: %s\n", words);
    else
        fprintf(stderr, "janggi: %s\n", words);
    client_leave(client, code);
}

/* --- Scripts --- */

static bool is_anything_open(const struct client *client)
{
    if (visit_requests(client->visit) != NULL || !visit_is_ready(client->visit))
        return true;
    for (const struct model_game *game = client->model.games; game != NULL;
         game = game->next)
        if (game->pending.state != PENDING_NONE ||
            (!game->is_left && game->next_event < game->known_events))
            return true;
    return false;
}

/* The next command of -c, up to the semicolon. */
static void take_script(struct client *client)
{
    char line[PROTO_LINE_MAX + 2]; /* one that is too long stays so, and is refused */
    size_t len = strcspn(client->script, ";");
    const char *at = client->script;

    client->script = at[len] == ';' ? at + len + 1 : NULL;
    snprintf(line, sizeof line, "%.*s", (int)len, at);
    typed_line(client, line);
}

/* A script goes one step at a time, so that each command sees what the one before did.
 */
void client_go_on(struct client *client)
{
    bool is_open = is_anything_open(client);

    if (!client->is_script || visit_state(client->visit) == VISIT_LEAVING)
        return;
    edit_hold(client->edit, is_open || client->prefs->script != NULL);
    if (is_open)
        return;
    if (client->script != NULL) {
        take_script(client);
        return;
    }
    if (client->is_ended || client->prefs->script != NULL)
        client_leave(client, client->is_refused ? CLIENT_EXIT_MOVE : CLIENT_EXIT_OK);
}

/* --- Once a second --- */

static void send_again(struct client *client, int64_t now_ms)
{
    for (struct model_game *game = client->model.games; game != NULL; game = game->next)
        if (game->pending.state == PENDING_SENT && game->pending.again_ms != 0 &&
            game->pending.again_ms <= now_ms) {
            game->pending.again_ms = 0;
            typed_send_pending(client, game);
        }
}

static void on_tick(void *owner, int64_t now_ms)
{
    struct client *client = owner;

    send_again(client, now_ms);
    heard_say_bad_lines(client);
    lost_look_at_moves(client);
    attention_look_at_clocks(client, now_ms);
    if (client->errand == ERRAND_WATCH && client->look_ms != 0 &&
        now_ms >= client->look_ms && visit_is_ready(client->visit) &&
        visit_requests(client->visit) == NULL)
        entry_look_for_game(client);
    if (client->prefs->has_tick)
        screen_prompt(client);
}

static void on_terminate(evutil_socket_t number, short what, void *arg)
{
    (void)what;
    client_leave(arg, 128 + (int)number);
}

/* --- Opening --- */

static void set_manner(struct client *client)
{
    const struct prefs *prefs = client->prefs;
    const char *term = getenv("TERM");
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool is_dumb = term == NULL || strcmp(term, "dumb") == 0;

    client->is_screen = is_terminal && !prefs->is_plain && prefs->script == NULL;
    client->is_editing = client->is_screen && !is_dumb && edit_has_readline();
    client->is_script = prefs->script != NULL || !isatty(STDIN_FILENO);
    client->script = prefs->script;
    client->has_color = prefs_wants_color(prefs, client->is_screen);
    client->errand = client->to->kind == LINK_JOIN    ? ERRAND_JOIN
                     : client->to->kind == LINK_WATCH ? ERRAND_WATCH
                                                      : ERRAND_NONE;
}

static bool open_log(struct client *client)
{
    const char *path = client->prefs->log_path;

    if (path[0] == '\0')
        return true;
    client->log = fopen(path, "ae");
    if (client->log == NULL)
        fprintf(stderr, "janggi: %s: %s\n", path, strerror(errno));
    return client->log != NULL;
}

static void open_keyboard(struct client *client)
{
    static const struct edit_calls calls = {
        .on_line = typed_line,
        .on_end = typed_end,
        .on_interrupt = typed_interrupt,
        .on_complete = typed_complete,
    };
    struct edit_options options = {
        .has_keys = client->is_editing,
        .has_prompt = client->is_screen,
        .history_path = client->prefs->history_path,
    };

    client->edit = edit_open(client->base, &options, &calls, client);
}

static bool is_guest(const struct client *client)
{
    return client->to->kind == LINK_WATCH;
}

void client_open_visit(struct client *client, SSL_CTX *tls)
{
    static const struct visit_calls calls = {
        .on_met = entry_on_met,
        .on_ask_key = entry_on_ask_key,
        .on_ask_name = entry_on_ask_name,
        .on_refused = entry_on_refused,
        .on_resume = entry_on_resume,
        .on_ready = entry_on_ready,
        .on_back = lost_on_back,
        .on_event = heard_on_event,
        .on_notice = heard_on_notice,
        .on_text = heard_on_text,
        .on_answer = heard_on_answer,
        .on_bad_line = heard_on_bad_line,
        .on_heard = heard_on_heard,
        .on_tick = on_tick,
        .on_end = entry_on_end,
    };
    struct visit_wish wish = {
        .prefs = client->prefs,
        .to = client->to,
        .name = "",
        .is_guest = is_guest(client),
        .asks = client->is_screen,
        .reconnects = client->prefs->reconnects,
    };

    client->visit = visit_new(client->base, tls, &wish, &calls, client);
}

static void run_loop(struct client *client)
{
    struct event *term = evsignal_new(client->base, SIGTERM, on_terminate, client);
    struct event *hangup = evsignal_new(client->base, SIGHUP, on_terminate, client);

    event_add(term, NULL);
    event_add(hangup, NULL);
    visit_start(client->visit);
    event_base_dispatch(client->base);
    event_free(hangup);
    event_free(term);
}

int client_run(struct prefs *prefs, const struct link *to)
{
    struct client client = {.prefs = prefs, .to = to, .base = loop_new()};
    SSL_CTX *tls;

    model_init(&client.model);
    set_manner(&client);
    if (!open_log(&client) || (tls = visit_tls(prefs, is_guest(&client))) == NULL) {
        client.exit_code = CLIENT_EXIT_ERROR;
        goto done;
    }
    client_open_visit(&client, tls);
    open_keyboard(&client);
    run_loop(&client);

done:
    partner_end(&client);
    trial_end(&client.trial);
    edit_close(client.edit);
    visit_free(client.visit);
    save_clear(&client);
    model_clear(&client.model);
    if (client.log != NULL)
        fclose(client.log);
    if (client.base != NULL)
        event_base_free(client.base);
    return client.exit_code;
}
