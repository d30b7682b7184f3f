/* See client.h. Creates the parts of a visit, and connects them with the console and
 * the network. */
#include "client/online/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/online/entry.h"
#include "client/online/heard.h"
#include "client/online/typed.h"
#include "client/play/screen.h"
#include "client/verb/verbs.h"
#include "common/base/error_words.h"
#include "common/base/mono.h"
#include "common/base/text.h"

/* --- Leaving --- */

/* Leaves the server. The first call lets the visit say goodbye and end the loop
 * afterwards; a second call ends the loop immediately. */
static void on_leave(void *owner)
{
    struct client *client = owner;

    if (visit_state(client->talk.visit) != VISIT_LEAVING)
        console_hold(client->talk.console, true);
    visit_leave(client->talk.visit);
}

/* Returns true while a script must wait: it runs one command at a time, so that each
 * command sees the results of the command before it. */
static bool is_busy(void *owner)
{
    const struct client *client = owner;

    if (explain_is_busy(&client->talk.session.explain) ||
        visit_requests(client->talk.visit) != NULL ||
        !visit_is_ready(client->talk.visit))
        return true;
    for (const struct model_game *game = client->talk.model.games; game != NULL;
         game = game->next)
        if (game->pending.state != PENDING_NONE ||
            (!game->is_left && game->next_event < game->known_events))
            return true;
    return false;
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
    for (struct model_game *game = client->talk.model.games; game != NULL;
         game = game->next) {
        if (game->pending.state == PENDING_SENT &&
            is_due(&game->pending.again_ms, now_ms))
            talk_send_pending(&client->talk, game);
        if (is_due(&game->resume_at_ms, now_ms))
            heard_resume(client, game);
    }
    heard_say_bad_lines(client);
    doubt_look_at_moves(&client->doubt);
    screen_look_at_clocks(&client->talk, now_ms);
    errand_look_again(&client->errand, now_ms);
    hook_tick(&client->hook, now_ms);
    partner_tick(&client->partner);
}

/* --- After the connection was restored --- */

static void on_back(void *owner, int64_t away_ms)
{
    struct client *client = owner;

    reconnect_say_back(&client->reconnect, away_ms);
}

/* --- The prompt --- */

/* Adds the prompt. Also updates the window's title. */
static void add_prompt(void *owner, struct text *out)
{
    struct client *client = owner;

    reconnect_add_prompt(out, &client->reconnect, mono_now_ms());
    if (visit_was_ready(client->talk.visit))
        session_add_prompt(&client->talk.session, out);
    screen_title(&client->talk);
}

/* --- Opening --- */

void client_open(struct client *client, struct prefs *prefs, const struct link *to)
{
    static const struct console_calls calls = {.on_line = typed_line,
                                               .on_answer = typed_answer,
                                               .on_end = typed_end,
                                               .on_interrupt = typed_interrupt,
                                               .on_leave = on_leave,
                                               .is_busy = is_busy,
                                               .add_prompt = add_prompt,
                                               .complete = typed_complete};
    struct talk *talk = &client->talk;

    *client = (struct client){
        .talk = {.prefs = prefs,
                 .to = to,
                 .is_own_server = getenv("JANGGI_OWN_SERVER") != NULL},
        .doubt = {.talk = talk},
        .save = {.talk = talk},
        .lookup = {.talk = talk},
        .partner = {.talk = talk},
        .errand = {.talk = talk},
        .hook = {.talk = talk},
        .reconnect = {.talk = talk, .save = &client->save, .doubt = &client->doubt},
    };
    model_init(&talk->model);
    talk->console = console_new(prefs, prefs->history_path, &calls, client);
    talk->session = (struct session){.prefs = prefs,
                                     .console = talk->console,
                                     .model = &talk->model,
                                     .verbs = &verbs_of_client,
                                     .known = &client->known,
                                     .referee = &typed_referee,
                                     .owner = client};
    screen_open(talk);
}

static bool is_guest(const struct client *client)
{
    return client->talk.to->kind == LINK_WATCH;
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
        .on_back = on_back,
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
        .prefs = client->talk.prefs,
        .to = client->talk.to,
        .name = "",
        .owner_code = getenv("JANGGI_OWNER"),
        .door_code = getenv("JANGGI_DOOR"),
        .is_guest = is_guest(client),
        .asks = console_is_screen(client->talk.console),
        .reconnects = client->talk.prefs->reconnects,
    };

    client->talk.visit =
        visit_new(console_base(client->talk.console), tls, &wish, &calls, client);
}

void client_close(struct client *client)
{
    screen_close(&client->talk);
    partner_clear(&client->partner);
    session_clear(&client->talk.session);
    visit_free(client->talk.visit);
    reconnect_clear(&client->reconnect);
    save_clear(&client->save);
    model_clear(&client->talk.model);
    if (client->log != NULL)
        fclose(client->log);
    console_free(client->talk.console);
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
    else if ((tls = visit_tls(prefs, is_guest(&client))) != NULL) {
        client_open_visit(&client, tls);
        visit_start(client.talk.visit);
        code = console_run(client.talk.console);
    }
    client_close(&client);
    return code;
}
