/* See client.h. The life of a visit; its parts are entry.c, heard.c, typed.c and
 * screen.c. */
#include "client/play/client.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/play/inside.h"
#include "client/play/partner.h"
#include "client/verb/verbs.h"
#include "common/base/log.h"
#include "common/base/text.h"

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

/* The visit says goodbye and then ends the loop. */
static void on_leave(void *owner)
{
    struct client *client = owner;

    if (visit_state(client->visit) != VISIT_LEAVING)
        console_hold(client->console, true);
    visit_leave(client->visit);
}

/* A script goes one step at a time, so that each command sees what the one before did.
 */
static bool is_busy(void *owner)
{
    const struct client *client = owner;

    if (visit_requests(client->visit) != NULL || !visit_is_ready(client->visit))
        return true;
    for (const struct model_game *game = client->model.games; game != NULL;
         game = game->next)
        if (game->pending.state != PENDING_NONE ||
            (!game->is_left && game->next_event < game->known_events))
            return true;
    return false;
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
}

/* --- Opening --- */

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

static void open_console(struct client *client)
{
    static const struct console_calls calls = {.on_line = typed_line,
                                               .on_answer = typed_answer,
                                               .on_end = typed_end,
                                               .on_interrupt = typed_interrupt,
                                               .on_leave = on_leave,
                                               .is_busy = is_busy,
                                               .add_prompt = screen_add_prompt,
                                               .complete = typed_complete};

    client->console =
        console_new(client->prefs, client->prefs->history_path, &calls, client);
    client->session = (struct session){.prefs = client->prefs,
                                       .console = client->console,
                                       .model = &client->model,
                                       .verbs = &verbs_of_client,
                                       .known = &client->known,
                                       .referee = &typed_referee,
                                       .owner = client};
}

void client_open(struct client *client, struct prefs *prefs, const struct link *to)
{
    *client = (struct client){.prefs = prefs, .to = to};
    client->is_own_server = getenv("JANGGI_OWN_SERVER") != NULL;
    client->errand = to->kind == LINK_JOIN    ? ERRAND_JOIN
                     : to->kind == LINK_WATCH ? ERRAND_WATCH
                                              : ERRAND_NONE;
    model_init(&client->model);
    open_console(client);
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
        .on_beside = entry_on_beside,
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
        .asks = console_is_screen(client->console),
        .reconnects = client->prefs->reconnects,
    };

    client->visit =
        visit_new(console_base(client->console), tls, &wish, &calls, client);
}

void client_close(struct client *client)
{
    partner_end(client);
    session_clear(&client->session);
    visit_free(client->visit);
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
    if (open_log(&client) && (tls = visit_tls(prefs, is_guest(&client))) != NULL) {
        client_open_visit(&client, tls);
        visit_start(client.visit);
        code = console_run(client.console);
    }
    client_close(&client);
    return code;
}
