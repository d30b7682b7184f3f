/* A bot's way to its server and back: trust, name, the games that wait there, lines, a
 * lost connection, and leaving. See bot_parts.h. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "client/base/keep.h"
#include "client/base/loop.h"
#include "client/bot/bot_parts.h"
#include "client/view/words.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum { QUIET_MS = 25000, DEAD_MS = 45000 };

/* --- Words --- */

void visit_sayf(struct bot *bot, const char *format, ...)
{
    va_list args;

    (void)bot;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
}

void visit_send(struct bot *bot, const char *format, ...)
{
    char line[PROTO_LINE_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    net_send(bot->net, line);
}

void visit_leave(struct bot *bot, int code)
{
    bool is_first = !bot->is_leaving;

    if (is_first)
        bot->exit_code = code;
    bot->is_leaving = true;
    if (is_first && net_is_up(bot->net)) {
        net_send(bot->net, "quit");
        net_stop(bot->net); /* its end brings us here again */
        return;
    }
    event_base_loopbreak(bot->base);
}

void visit_fail(struct bot *bot, int code, const char *format, ...)
{
    char words[512];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    fprintf(stderr, "janggi: bot: %s\n", words);
    visit_leave(bot, code);
}

/* --- Up and down --- */

static void on_up(void *owner, enum trust_verdict verdict, const struct tls_key *key)
{
    struct bot *bot = owner;
    char words[TRUST_WORDS_BYTES];

    bot->heard_ms = mono_now_ms();
    if (verdict == TRUST_GIVEN)
        (void)trust_keep_given(&bot->trust, key, false);
    if (bot->was_ready)
        return;
    trust_describe_good(words, &bot->trust, verdict);
    visit_sayf(bot, "-- %s", words);
}

static void distrust(struct bot *bot, const struct net_down *down)
{
    char words[TRUST_WORDS_BYTES];

    trust_describe_bad(words, &bot->trust, down->verdict, &down->key);
    fputs(words, stderr);
    visit_leave(bot, CLIENT_EXIT_TRUST);
}

static void on_down(void *owner, const struct net_down *down)
{
    struct bot *bot = owner;

    bot->is_ready = false;
    model_lose_connection(&bot->model);
    play_lose_connection(bot);
    if (bot->is_leaving || down->end == NET_CLOSED)
        visit_leave(bot, CLIENT_EXIT_OK);
    else if (down->end == NET_DISTRUST)
        distrust(bot, down);
    else if (down->retry_ms < 0)
        visit_fail(bot, CLIENT_EXIT_LOST, "%s: %s",
                   bot->was_ready ? _("the connection is lost") : _("no connection"),
                   down->words);
    else
        visit_sayf(bot, _("-- no connection (%s), trying again in %lld s\n"),
                   down->words, (long long)((down->retry_ms + 999) / 1000));
}

/* --- Login --- */

static void greet(struct bot *bot, const struct proto_line *line)
{
    if (line->words == 0 || strncmp(line->word[0], "janggi/1", 8) != 0)
        visit_fail(bot, CLIENT_EXIT_ERROR, _("this server speaks something else"));
    else
        visit_send(bot, "#login login %s", bot->name);
}

/* Each game is read on from where we stand: from its beginning if we do not know it. */
static void resume_games(struct bot *bot, const char *games)
{
    while (games[0] >= '0' && games[0] <= '9') {
        char *end;
        long long id = strtoll(games, &end, 10);
        struct model_game *game = model_get(&bot->model, id);

        game->is_asked = true;
        visit_send(bot, "#r%lld resume %lld %d", id, id, game->next_event);
        games = *end == ',' ? end + 1 : end;
    }
}

static void take_login(struct bot *bot, const struct proto_line *line)
{
    const char *name = proto_line_value(line, "name");
    const char *games = proto_line_value(line, "games");

    if (name == NULL || !text_copy(bot->model.name, NAME_BYTES, name)) {
        visit_fail(bot, CLIENT_EXIT_ERROR, _("the server gave no name"));
        return;
    }
    visit_sayf(bot, _("-- %s as %s\n"), bot->was_ready ? _("back") : _("here"), name);
    bot->is_ready = bot->was_ready = true;
    net_set_reconnects(bot->net, bot->prefs.reconnects);
    resume_games(bot, games != NULL ? games : "");
    if (bot->to.kind == LINK_JOIN && !bot->is_joined)
        visit_send(bot, "#j join %s", bot->to.code);
    bot->is_joined = true;
    play_go_on(bot, mono_now_ms());
}

/* --- Answers --- */

static int64_t id_of_tag(const char *tag)
{
    int64_t id;

    return tag[0] == '#' && tag[1] != '\0' && text_to_int(tag + 2, 1, INT64_MAX, &id)
               ? id
               : -1;
}

static void take_ok(struct bot *bot, const struct proto_line *line, int64_t now_ms)
{
    struct model_game *game;
    int64_t id = proto_line_number(line, "game", -1);

    if (strcmp(line->tag, "#login") == 0)
        take_login(bot, line);
    else if (strcmp(line->tag, "#k") == 0)
        play_take_seek(bot, line);
    else if (line->tag[0] == '#' && line->tag[1] == 'r' &&
             (game = model_find(&bot->model, id_of_tag(line->tag))) != NULL) {
        game->is_asked = false;
        model_take_clock(game, line, now_ms);
    } else if (strcmp(line->tag, "#j") == 0 && id > 0 &&
               model_find(&bot->model, id) == NULL) {
        model_get(&bot->model, id)->is_asked = true;
        visit_send(bot, "#r%lld resume %lld 0", (long long)id, (long long)id);
    }
    play_go_on(bot, now_ms);
}

static void take_err(struct bot *bot, const struct proto_line *line)
{
    bool is_login = strcmp(line->tag, "#login") == 0;
    bool is_withdrawal = strcmp(line->tag, "#w") == 0;
    bool is_join = strcmp(line->tag, "#j") == 0;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    words_refusal(&text, line);
    if (!is_withdrawal) /* what was taken up meanwhile is gone as well */
        visit_sayf(bot, "%s", words);
    if (strcmp(line->tag, "#a") == 0)
        bot->is_accepting = false;
    if (strcmp(line->tag, "#k") == 0)
        bot->is_seeking = false; /* once more, in a while */
    if (is_login)
        visit_fail(bot, CLIENT_EXIT_REFUSED, _("the server does not let %s in"),
                   bot->name);
    else if (is_join && play_count(bot) == 0)
        visit_fail(bot, CLIENT_EXIT_REFUSED,
                   _("the invitation is not good (any more)"));
    else if (line->tag[0] == '#' && (line->tag[1] == 'm' || line->tag[1] == 's'))
        play_take_refusal(bot, id_of_tag(line->tag));
}

/* --- Lines --- */

static void take_event(struct bot *bot, int64_t id, int number, const char *text,
                       int64_t now_ms)
{
    struct model_news news = {.took = MODEL_OLD};

    model_take_event(&bot->model, id, number, text, now_ms, &news);
    if (news.took == MODEL_GAP && !news.game->is_asked) {
        news.game->is_asked = true;
        visit_send(bot, "#r%lld resume %lld %d", (long long)id, (long long)id,
                   news.game->next_event);
    } else if (news.took == MODEL_NEW) {
        play_take_event(bot, &news);
    } else if (news.took == MODEL_BROKEN) {
        visit_sayf(bot, _("-- game %lld event %d does not follow here: %s\n"),
                   (long long)id, number, text);
    }
    play_go_on(bot, now_ms);
}

static void take_news(struct bot *bot, const struct proto_line *line, int64_t now_ms)
{
    play_take_notice(bot, line);
    model_take_notice(&bot->model, line, now_ms);
    play_go_on(bot, now_ms);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct bot *bot = owner;
    struct proto_line parsed;
    const char *text;
    int64_t id;
    int number;

    (void)len;
    bot->heard_ms = now_ms;
    if (bot->is_leaving)
        return;
    if (model_cut_event(line, &id, &number, &text)) {
        take_event(bot, id, number, text, now_ms);
        return;
    }
    proto_parse_line(line, &parsed);
    if (parsed.mark == PROTO_GREETING)
        greet(bot, &parsed);
    else if (parsed.mark == PROTO_OK)
        take_ok(bot, &parsed, now_ms);
    else if (parsed.mark == PROTO_ERR && parsed.words > 0)
        take_err(bot, &parsed);
    else if (parsed.mark == PROTO_NEWS)
        take_news(bot, &parsed, now_ms);
}

static void on_bad_line(void *owner)
{
    visit_sayf(owner, _("-- a line came that cannot be shown; it was passed over\n"));
}

/* --- Life --- */

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct bot *bot = arg;
    int64_t now_ms = mono_now_ms();

    (void)fd;
    (void)what;
    if (bot->is_ready && now_ms - bot->heard_ms > DEAD_MS)
        net_drop(bot->net);
    else if (bot->is_ready && now_ms - bot->heard_ms > QUIET_MS)
        visit_send(bot, "ping");
    play_go_on(bot, now_ms);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    (void)what;
    visit_leave(arg, 128 + (int)number);
}

/* A name is proved by a key, which is made at the first visit. */
static SSL_CTX *new_tls(const struct prefs *prefs)
{
    const char *ca = prefs->ca_path[0] != '\0' ? prefs->ca_path : NULL;

    if (!prefs->has_own_identity &&
        (!keep_make_way(prefs->key_path) ||
         !tls_make_identity(prefs->cert_path, prefs->key_path, "janggi player")))
        return NULL;
    return tls_client_ctx(prefs->cert_path, prefs->key_path, ca);
}

static void set_trust(struct bot *bot)
{
    bool has_pin = bot->prefs.pin[0] != '\0';

    text_copy(bot->given, sizeof bot->given, has_pin ? bot->prefs.pin : bot->to.key);
    bot->trust = (struct trust){.path = bot->prefs.known_path,
                                .to = &bot->to,
                                .given = bot->given,
                                .given_from = has_pin ? "--pin" : "link"};
}

static void run_loop(struct bot *bot)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct event *signals[ARRAY_LEN(numbers)];
    struct timeval second = {.tv_sec = 1};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        signals[i] = evsignal_new(bot->base, numbers[i], on_signal, bot);
        event_add(signals[i], NULL);
    }
    bot->tick = event_new(bot->base, -1, EV_PERSIST, on_tick, bot);
    event_add(bot->tick, &second);
    event_base_dispatch(bot->base);
    event_free(bot->tick);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        event_free(signals[i]);
}

int visit_live(struct bot *bot)
{
    static const struct net_calls calls = {on_up, on_line, on_bad_line, on_down};
    SSL_CTX *tls = new_tls(&bot->prefs);

    bot->exit_code = CLIENT_EXIT_ERROR;
    signal(SIGPIPE, SIG_IGN);
    bot->base = loop_new();
    model_init(&bot->model);
    set_trust(bot);
    bot->engine = bot_engine_new(bot->base, &bot->wish, &play_engine_calls, bot);
    if (tls != NULL && bot->engine != NULL) {
        bot->net = net_new(bot->base, tls, &bot->trust, &calls, bot);
        run_loop(bot);
    }
    bot_engine_free(bot->engine);
    net_free(bot->net);
    model_clear(&bot->model);
    SSL_CTX_free(tls);
    event_base_free(bot->base);
    return bot->exit_code;
}
