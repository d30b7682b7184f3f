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
#include <openssl/ssl.h>

#include "client/base/keep.h"
#include "client/base/loop.h"
#include "client/play/inside.h"
#include "client/play/partner.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"

enum {
    TICK_MS = 1000,
    QUIET_MS = 25000, /* nothing heard for so long: ask for a sign of life */
    DEAD_MS = 45000   /* still nothing: the connection is dead */
};

/* --- Leaving --- */

void client_leave(struct client *client, int code)
{
    bool is_first = client->state != CLIENT_LEAVING;

    if (client->exit_code == CLIENT_EXIT_OK)
        client->exit_code = code;
    client->state = CLIENT_LEAVING;
    if (is_first && net_is_up(client->net)) {
        edit_hold(client->edit, true);
        net_send(client->net, "quit");
        net_stop(client->net); /* its end brings us here again */
        return;
    }
    event_base_loopbreak(client->base);
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
    if (client->asked != NULL || client->state != CLIENT_READY)
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

    if (!client->is_script || client->state == CLIENT_LEAVING)
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

static void keep_alive(struct client *client, int64_t now_ms)
{
    int64_t quiet_ms = now_ms - client->heard_ms;

    if (!net_is_up(client->net) || client->state == CLIENT_NAMING)
        return;
    if (quiet_ms > DEAD_MS && !client->model.is_stuck)
        net_drop(client->net);
    else if (quiet_ms > QUIET_MS && client->asked == NULL &&
             client->state == CLIENT_READY)
        typed_send(client, "ping", -1, true);
}

static void send_again(struct client *client, int64_t now_ms)
{
    for (struct model_game *game = client->model.games; game != NULL; game = game->next)
        if (game->pending.state == PENDING_SENT && game->pending.again_ms != 0 &&
            game->pending.again_ms <= now_ms) {
            game->pending.again_ms = 0;
            typed_send_pending(client, game);
        }
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct client *client = arg;
    int64_t now_ms = mono_now_ms();

    (void)fd;
    (void)what;
    keep_alive(client, now_ms);
    send_again(client, now_ms);
    heard_say_bad_lines(client);
    lost_look_at_moves(client);
    attention_look_at_clocks(client, now_ms);
    if (client->errand == ERRAND_WATCH && client->look_ms != 0 &&
        now_ms >= client->look_ms && client->state == CLIENT_READY &&
        client->asked == NULL)
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

/* Players prove their name with a key of their own; whoever only watches shows none. */
static SSL_CTX *new_tls(const struct prefs *prefs, const struct link *to)
{
    const char *ca = prefs->ca_path[0] != '\0' ? prefs->ca_path : NULL;

    if (to->kind == LINK_WATCH && !prefs->has_own_identity)
        return tls_client_ctx(NULL, NULL, ca);
    if (!prefs->has_own_identity &&
        (!keep_make_way(prefs->key_path) ||
         !tls_make_identity(prefs->cert_path, prefs->key_path, "janggi player")))
        return tls_client_ctx(NULL, NULL, ca); /* the server gives a token instead */
    return tls_client_ctx(prefs->cert_path, prefs->key_path, ca);
}

static void set_trust(struct client *client)
{
    bool has_pin = client->prefs->pin[0] != '\0';

    text_copy(client->given, sizeof client->given,
              has_pin ? client->prefs->pin : client->to->key);
    client->trust.path = client->prefs->known_path;
    client->trust.to = client->to;
    client->trust.given = client->given;
    client->trust.given_from = has_pin ? "--pin" : "link";
}

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
    text_copy(client->device_code, sizeof client->device_code, prefs->device_code);
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

static void start_tick(struct client *client)
{
    struct timeval second = {.tv_sec = TICK_MS / 1000};

    client->tick = event_new(client->base, -1, EV_PERSIST, on_tick, client);
    if (client->tick == NULL || event_add(client->tick, &second) != 0)
        die("client: the loop takes no timer");
}

static void run_loop(struct client *client)
{
    struct event *term = evsignal_new(client->base, SIGTERM, on_terminate, client);
    struct event *hangup = evsignal_new(client->base, SIGHUP, on_terminate, client);

    event_add(term, NULL);
    event_add(hangup, NULL);
    start_tick(client);
    net_start(client->net);
    event_base_dispatch(client->base);
    event_free(client->tick);
    event_free(hangup);
    event_free(term);
}

int client_run(struct prefs *prefs, const struct link *to)
{
    static const struct net_calls calls = {
        .on_up = entry_on_up,
        .on_line = heard_line,
        .on_bad_line = heard_bad_line,
        .on_down = entry_on_down,
    };
    struct client client = {.prefs = prefs, .to = to, .base = loop_new()};
    SSL_CTX *tls = new_tls(prefs, to);

    client.asked_end = &client.asked;
    if (tls == NULL || !open_log(&client)) {
        client.exit_code = CLIENT_EXIT_ERROR;
        goto done;
    }
    signal(SIGPIPE, SIG_IGN);
    model_init(&client.model);
    set_manner(&client);
    set_trust(&client);
    client.net = net_new(client.base, tls, &client.trust, &calls, &client);
    open_keyboard(&client);
    run_loop(&client);

done:
    partner_end(&client);
    trial_end(&client.trial);
    edit_close(client.edit);
    net_free(client.net);
    typed_forget_asked(&client);
    save_clear(&client);
    model_clear(&client.model);
    if (client.log != NULL)
        fclose(client.log);
    SSL_CTX_free(tls);
    if (client.base != NULL)
        event_base_free(client.base);
    return client.exit_code;
}
