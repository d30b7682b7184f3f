/* See bot.h. Connection, login, answers, and back-off. */
#include "tests/bot/bot.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/event.h>
#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"

enum { NARROW_RECEIVE_BYTES = 16384, NARROW_SEGMENT_BYTES = 536 };
enum { BACKOFF_FIRST_MS = 20, BACKOFF_MAX_MS = 1000, BACKOFF_DOUBLINGS = 6 };
enum { CLIENT_FIRST_MS = 1000, CLIENT_MAX_MS = 30000, CLIENT_DOUBLINGS = 5 };

static void on_open(void *owner);
static void on_line(void *owner, char *line, size_t len, int64_t now_ms);
static void on_end(void *owner, enum wire_why why, const char *detail);
static const struct wire_calls calls = {
    .on_open = on_open, .on_line = on_line, .on_end = on_end};

/* --- Small things --- */

/* Uses splitmix64. Each bot has its own series of random numbers. */
uint32_t bot_random(struct bot *bot, uint32_t below)
{
    uint64_t z = (bot->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

void bot_fault(struct bot *bot, const char *format, ...)
{
    va_list args;

    if (bot->of->counts.faults++ >= BOT_FAULTS_SHOWN)
        return;
    printf("# bot %s: ", bot->name[0] != '\0' ? bot->name : "guest");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void bot_ask(struct bot *bot, enum bot_ask what)
{
    bot->asking = what;
    bot->asked_us = mono_now_us();
    bot_step(bot, BOT_ASKS, what);
}

void bot_step(struct bot *bot, enum bot_step step, enum bot_ask asked)
{
    const struct bots_settings *settings = &bot->of->settings;

    if (settings->on_step != NULL)
        settings->on_step(settings->arg, bot, step, asked);
}

void bot_sayf(struct bot *bot, const char *format, ...)
{
    char line[256];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof line - 1)
        log_die("bot line too long");
    line[len++] = '\n';
    wire_send(bot->wire, line, (size_t)len);
}

/* --- Connecting --- */

static bool accept_key(void *arg, const struct tls_seen *seen)
{
    const struct bots *bots = arg;

    return bots->key[0] == '\0' || tls_key_matches(&seen->key, bots->key);
}

/* Returns a delay that doubles with each failure, varied from 75 % to 125 %, as in
 * client/net/net.c. */
static int64_t client_back_off_ms(struct bot *bot)
{
    int doublings = bot->failures < CLIENT_DOUBLINGS ? bot->failures : CLIENT_DOUBLINGS;
    int64_t ms = (int64_t)CLIENT_FIRST_MS << doublings;

    if (ms > CLIENT_MAX_MS)
        ms = CLIENT_MAX_MS;
    return ms * 3 / 4 + bot_random(bot, (uint32_t)ms / 2 + 1);
}

static int64_t back_off_ms(struct bot *bot)
{
    int doublings =
        bot->failures < BACKOFF_DOUBLINGS ? bot->failures : BACKOFF_DOUBLINGS;
    const struct bots_settings *settings = &bot->of->settings;
    int first_ms = settings->back_off_first_ms, limit_ms = settings->back_off_most_ms;
    int64_t most_ms = (int64_t)(first_ms > 0 ? first_ms : BACKOFF_FIRST_MS)
                      << doublings;

    if (limit_ms == 0)
        limit_ms = BACKOFF_MAX_MS;
    if (most_ms > limit_ms)
        most_ms = limit_ms;
    return most_ms / 2 + bot_random(bot, (uint32_t)most_ms / 2 + 1);
}

static void come_back_later(struct bot *bot)
{
    int64_t ms = bot->of->settings.has_client_back_off ? client_back_off_ms(bot)
                                                       : back_off_ms(bot);
    struct timeval delay = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    bot->failures++;
    evtimer_add(bot->timer, &delay);
}

/* Returns an address 127.x.y.z that depends on the bot's number; z is never 0 or
 * 255. */
static uint32_t address_of(const struct bot *bot)
{
    uint32_t n = (uint32_t)bot->number;

    return 127u << 24 | (1 + n / 50000) << 16 | (n / 200 % 250) << 8 | (1 + n % 200);
}

struct bot *bots_at(const struct bots *bots, uint32_t address)
{
    struct bot *bot = bots->first;

    while (bot != NULL && address_of(bot) != address)
        bot = bot->next;
    return bot;
}

static void bind_somewhere(const struct bot *bot, int fd)
{
    struct sockaddr_in from = {.sin_family = AF_INET};

    from.sin_addr.s_addr = htonl(address_of(bot));
    if (bind(fd, (struct sockaddr *)&from, sizeof from) != 0)
        bot->of->counts.faults++;
}

static int open_socket(const struct bot *bot)
{
    const struct bots_settings *settings = &bot->of->settings;
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)bot->of->port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1, receive = NARROW_RECEIVE_BYTES, segment = NARROW_SEGMENT_BYTES;

    if (fd < 0)
        log_die("bot no socket: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (settings->is_narrow) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive, sizeof receive);
        setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    if (settings->is_from_all_over)
        bind_somewhere(bot, fd);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS)
        return fd;
    evutil_closesocket(fd);
    return -1;
}

static void begin(struct bot *bot)
{
    const struct bots_settings *settings = &bot->of->settings;
    int fd = open_socket(bot);

    if (settings->server_began_ms != NULL)
        bot->server_began_ms = settings->server_began_ms(settings->arg);
    if (fd >= 0)
        bot->wire = wire_connect(bot->of->hub, bot->of->tls, fd, "localhost",
                                 accept_key, bot->of, &calls, bot);
    if (bot->wire == NULL) {
        come_back_later(bot);
        return;
    }
    bot->state = BOT_CONNECTING;
    bot->heard_ms = mono_now_ms();
    bot->is_pinged = false;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct bot *bot = arg;

    (void)fd;
    (void)what;
    if (bot->is_cutting) {
        bot->is_cutting = false;
        wire_drop(bot->wire, WIRE_CLOSED_HERE);
    } else if (bot->is_thinking) {
        bot->is_thinking = false;
        bot_take_turn(bot);
    } else if (bot->state == BOT_AWAY && !bot->has_stopped) {
        begin(bot);
    }
}

/* TLS is established. The bot sends nothing yet, because the server speaks first. */
static void on_open(void *owner)
{
    struct bot *bot = owner;

    if (bot->of->settings.has_client_back_off)
        bot->failures = 0;
}

/* --- Silence --- */

/* Handles silence as a client does: pings a silent server, and drops the connection if
 * no answer comes, even if the system still considers the connection open. */
static void on_alive(evutil_socket_t fd, short what, void *arg)
{
    struct bot *bot = arg;
    int patience_ms = bot->of->settings.patience_ms;
    int64_t silent_ms = mono_now_ms() - bot->heard_ms;

    (void)fd;
    (void)what;
    if (bot->wire == NULL || bot->has_stopped)
        return;
    if (silent_ms > patience_ms) {
        wire_drop(bot->wire, WIRE_TIMEOUT);
    } else if (silent_ms > patience_ms / 2 && !bot->is_pinged && bot->state == BOT_IN) {
        bot->is_pinged = true;
        bot_sayf(bot, "ping");
    }
}

static void look_for_silence(struct bot *bot)
{
    int every_ms = bot->of->settings.patience_ms / 4;
    struct timeval every = {.tv_sec = every_ms / 1000,
                            .tv_usec = every_ms % 1000 * 1000};

    if (every_ms == 0)
        return;
    bot->alive = event_new(bot->of->base, -1, EV_PERSIST, on_alive, bot);
    if (bot->alive == NULL || event_add(bot->alive, &every) != 0)
        log_die("bot no timer");
}

static void on_end(void *owner, enum wire_why why, const char *detail)
{
    struct bot *bot = owner;

    if (why == WIRE_BAD_TEXT || why == WIRE_LINE_TOO_LONG || why == WIRE_FLOOD)
        bot_fault(bot, "the connection ended: %s (%s)", wire_why_name(why), detail);
    if (bot->state == BOT_IN)
        bot->of->online--;
    bot->state = BOT_AWAY;
    bot->wire = NULL;
    bot->is_thinking = bot->is_cutting = false;
    event_del(bot->timer);
    bot->asking = ASK_NONE;
    bot->resumes_due = 0;
    bot->seek_id = 0;
    bot->is_again = bot->move_ply != 0;
    bot->is_answered_here = false;
    bot_forget_offers(bot);
    if (!bot->has_stopped)
        come_back_later(bot);
}

/* --- Login --- */

static void log_in(struct bot *bot)
{
    bot->state = BOT_LOGIN;
    bot_ask(bot, ASK_LOGIN);
    if (bot->name[0] == '\0')
        bot_sayf(bot, "login");
    else if (bot->token[0] == '\0')
        bot_sayf(bot, "login %s", bot->name);
    else
        bot_sayf(bot, "login %s token=%s", bot->name, bot->token);
}

static void take_login(struct bot *bot, const struct proto_line *line)
{
    const char *token = proto_line_value(line, "token");
    const char *games = proto_line_value(line, "games");

    if (token != NULL && !text_copy(bot->token, sizeof bot->token, token))
        bot_fault(bot, "the token is too long");
    bot->state = BOT_IN;
    bot->failures = 0;
    bot->of->online++;
    bot->of->counts.logins++;
    bot_step(bot, BOT_ANSWERED, ASK_LOGIN);
    bot_take_seats(bot, games != NULL ? games : "-");
    if (bot->of->settings.on_in != NULL)
        bot->of->settings.on_in(bot->of->settings.arg, bot);
}

/* Handles a refused login. If the code is "proof", an earlier login has registered the
 * name, but the server was killed before the bot got the token. Nobody can log in with
 * that name any more (PROTOCOL.md), so the bot uses another name. If it is "not-now" (no
 * room on the disk, or the server stops), the bot connects again. */
static void take_login_refusal(struct bot *bot, const struct proto_line *line)
{
    const char *code = line->words > 0 ? line->word[0] : "";
    char base[BOT_NAME_BYTES];

    if (strcmp(code, "proof") == 0 && bot->token[0] == '\0') {
        text_copy(base, sizeof base, bot->name);
        base[strcspn(base, "_")] = '\0';
        snprintf(bot->name, sizeof bot->name, "%.10s_%d", base,
                 ++bot->name_tries % 1000);
        log_in(bot);
        return;
    }
    if (strcmp(code, "not-now") != 0)
        bot_fault(bot, "login was refused: %s %s", code, line->human);
    wire_drop(bot->wire, WIRE_CLOSED_HERE);
}

/* --- Lines --- */

/* Returns true for a verb whose OK the bot does not wait for. */
static bool is_aside(const char *verb)
{
    static const char *const verbs[] = {"quit", "ping", "clock", "history"};

    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        if (strcmp(verb, verbs[i]) == 0)
            return true;
    return false;
}

static void take_aside(struct bot *bot, const struct proto_line *line)
{
    const struct bots_settings *settings = &bot->of->settings;

    if (strcmp(line->word[0], "clock") == 0 && settings->on_clock != NULL)
        settings->on_clock(settings->arg, bot, line);
}

void bot_ask_clock(struct bot *bot, int64_t game)
{
    bot_sayf(bot, "clock %lld", (long long)game);
}

void bot_say(struct bot *bot, const char *line)
{
    bot_sayf(bot, "%s", line);
}

static void on_answer(struct bot *bot, char *text)
{
    struct proto_line line;

    proto_parse_line(text, &line);
    bot->of->counts.answers++;
    if (line.mark == PROTO_OK && line.words > 0 && is_aside(line.word[0])) {
        take_aside(bot, &line);
        return;
    }
    if (bot->asking == ASK_LOGIN) {
        bot->asking = ASK_NONE;
        if (line.mark == PROTO_OK)
            take_login(bot, &line);
        else
            take_login_refusal(bot, &line);
    } else if (line.mark == PROTO_OK) {
        bot_take_ok(bot, &line);
    } else {
        bot_take_err(bot, &line);
    }
    if (bot->wire != NULL)
        bot_act(bot);
}

static void on_news(struct bot *bot, char *line)
{
    if (strncmp(line, "! game ", 7) == 0)
        bot_take_event(bot, line + 7);
    else if (strncmp(line, "! offer ", 8) == 0)
        bot_hear_offer(bot, line);
    else if (strncmp(line, "! gone ", 7) == 0)
        bot_hear_gone(bot, line);
    else if (strncmp(line, "! notice ", 9) == 0 && bot->of->settings.on_notice != NULL)
        bot->of->settings.on_notice(bot->of->settings.arg, bot, line + 9);
}

static void on_greeting(struct bot *bot, const char *line)
{
    if (bot->state != BOT_CONNECTING) {
        bot_fault(bot, "greeted again: %s", line);
        return;
    }
    bot_step(bot, BOT_GREETED, ASK_NONE);
    log_in(bot);
}

static void on_line(void *owner, char *line, size_t len, int64_t now_ms)
{
    struct bot *bot = owner;
    const struct bots_settings *settings = &bot->of->settings;

    (void)len;
    bot->heard_ms = now_ms;
    bot->is_pinged = false;
    if (bot->has_stopped)
        return;
    switch (line[0]) {
    case '!':
        on_news(bot, line);
        break;
    case '*':
        on_greeting(bot, line);
        break;
    case '|':
        if (settings->on_block != NULL)
            settings->on_block(settings->arg, bot, line);
        break;
    case 'O':
    case 'E':
        on_answer(bot, line);
        break;
    default:
        break;
    }
}

/* --- The crowd --- */

struct bots *bots_new(struct event_base *base, const struct bots_settings *settings)
{
    struct bots *bots = mem_new(sizeof *bots);
    struct wire_limits limits = wire_limits_default();

    bots->base = base;
    bots->settings = *settings;
    if (settings->patience_ms > 0)
        limits.handshake_ms = settings->patience_ms;
    bots->hub = wire_hub_new(base, &limits);
    bots->tls = tls_client_ctx(NULL, NULL, NULL);
    if (bots->hub == NULL || bots->tls == NULL)
        log_die("bots cannot speak TLS");
    return bots;
}

void bots_set_server(struct bots *bots, int port, const char *key)
{
    bots->port = port;
    if (!text_copy(bots->key, sizeof bots->key, key))
        log_die("bots key is none: %s", key);
}

struct bot *bots_add(struct bots *bots, const char *name)
{
    struct bot *bot = mem_new(sizeof *bot);
    struct timeval now = {0, 0};

    bot->of = bots;
    bot->number = bots->count++;
    bot->random = bots->settings.seed * 1000003u + (uint64_t)bot->number;
    bot->timer = evtimer_new(bots->base, on_timer, bot);
    if (bot->timer == NULL || !text_copy(bot->name, sizeof bot->name, name))
        log_die("bot cannot be made");
    if (bots->last != NULL)
        bots->last->next = bot;
    else
        bots->first = bot;
    bots->last = bot;
    look_for_silence(bot);
    evtimer_add(bot->timer, &now);
    return bot;
}

static void add_pair(struct bots *bots, int number, const char *terms)
{
    char name[BOT_NAME_BYTES];
    struct bot *maker, *taker;

    snprintf(name, sizeof name, "maker%d", number);
    maker = bots_add(bots, name);
    snprintf(name, sizeof name, "taker%d", number);
    taker = bots_add(bots, name);
    maker->partner = taker;
    taker->partner = maker;
    maker->is_maker = true;
    maker->terms = taker->terms = terms;
}

void bots_add_pairs(struct bots *bots, int pairs, const char *const *terms, int count)
{
    int first = bots->count / 2;

    for (int number = first; number < first + pairs; number++)
        add_pair(bots, number, terms[number % count]);
}

bool bots_have_finished(const struct bots *bots)
{
    for (const struct bot *bot = bots->first; bot != NULL; bot = bot->next)
        if (bot->matches == NULL || bot->match != NULL || bot->state != BOT_IN ||
            bot->asking != ASK_NONE)
            return false;
    return true;
}

void bot_stop(struct bot *bot)
{
    if (bot->has_stopped)
        return;
    bot->has_stopped = true;
    event_del(bot->timer);
    bot->is_thinking = bot->is_cutting = false;
    if (bot->wire == NULL)
        return;
    if (bot->state == BOT_IN)
        bot_sayf(bot, "quit");
    wire_close(bot->wire);
}

static void bot_free(struct bot *bot)
{
    while (bot->matches != NULL)
        bot_forget_match(bot, bot->matches);
    event_free(bot->timer);
    if (bot->alive != NULL)
        event_free(bot->alive);
    free(bot);
}

void bots_free(struct bots *bots)
{
    struct bot *bot, *next;

    if (bots == NULL)
        return;
    for (bot = bots->first; bot != NULL; bot = bot->next)
        bot_stop(bot);
    while (wire_hub_count(bots->hub) > 0)
        event_base_loop(bots->base, EVLOOP_ONCE);
    for (bot = bots->first; bot != NULL; bot = next) {
        next = bot->next;
        bot_free(bot);
    }
    wire_hub_free(bots->hub);
    SSL_CTX_free(bots->tls);
    free(bots);
}
