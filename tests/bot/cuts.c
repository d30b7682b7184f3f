/* See cuts.h. */
#include "tests/bot/cuts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"

enum {
    CHANCE = 3, /* until a state has enough cuts, one of CHANCE visits to the state
                 * causes a cut */
    CHANCE_LATER = 400, /* afterwards, one of CHANCE_LATER visits */
    HELLO_BYTES = 200   /* shorter than the first TLS messages in both directions */
};

/* The moment within a state at which a connection is cut. */
enum when {
    AT_ONCE,    /* before the player reads or writes again */
    ON_CONNECT, /* before the first byte of the connection */
    UP,         /* the player's next bytes do not arrive */
    REPLY,      /* the player's next bytes arrive, the answer does not */
    HELLO_UP,   /* HELLO_UP, HELLO_DOWN: within the first TLS message to or from the
                 * server */
    HELLO_DOWN
};

/* All states of a connection in PROTOCOL.md. */
static const struct state {
    const char *name;
    enum when when;
    enum bot_step step;
    enum bot_ask asked;
} states[] = {
    {"connecting", ON_CONNECT, BOT_GREETED, ASK_NONE},
    {"handshake-up", HELLO_UP, BOT_GREETED, ASK_NONE},
    {"handshake-down", HELLO_DOWN, BOT_GREETED, ASK_NONE},
    {"greeted", AT_ONCE, BOT_GREETED, ASK_NONE},
    {"login-lost", UP, BOT_ASKS, ASK_LOGIN},
    {"login-unanswered", REPLY, BOT_ASKS, ASK_LOGIN},
    {"login-answered", AT_ONCE, BOT_ANSWERED, ASK_LOGIN},
    {"resume-lost", UP, BOT_ASKS, ASK_RESUME},
    {"resume-unanswered", REPLY, BOT_ASKS, ASK_RESUME},
    {"resume-answered", AT_ONCE, BOT_ANSWERED, ASK_RESUME},
    {"seek-lost", UP, BOT_ASKS, ASK_SEEK},
    {"seek-unanswered", REPLY, BOT_ASKS, ASK_SEEK},
    {"seek-answered", AT_ONCE, BOT_ANSWERED, ASK_SEEK},
    {"accept-lost", UP, BOT_ASKS, ASK_ACCEPT},
    {"accept-unanswered", REPLY, BOT_ASKS, ASK_ACCEPT},
    {"accept-answered", AT_ONCE, BOT_ANSWERED, ASK_ACCEPT},
    {"setup-lost", UP, BOT_ASKS, ASK_SETUP},
    {"setup-unanswered", REPLY, BOT_ASKS, ASK_SETUP},
    {"setup-answered", AT_ONCE, BOT_ANSWERED, ASK_SETUP},
    {"move-lost", UP, BOT_ASKS, ASK_MOVE},
    {"move-unanswered", REPLY, BOT_ASKS, ASK_MOVE},
    {"move-answered", AT_ONCE, BOT_ANSWERED, ASK_MOVE},
    {"move-seen", AT_ONCE, BOT_SEES_MOVE, ASK_NONE},
    {"offer-lost", UP, BOT_ASKS, ASK_OFFER},
    {"offer-unanswered", REPLY, BOT_ASKS, ASK_OFFER},
    {"offer-answered", AT_ONCE, BOT_ANSWERED, ASK_OFFER},
    {"offer-seen", AT_ONCE, BOT_SEES_OFFER, ASK_NONE},
    {"reply-lost", UP, BOT_ASKS, ASK_REPLY},
    {"reply-unanswered", REPLY, BOT_ASKS, ASK_REPLY},
    {"reply-answered", AT_ONCE, BOT_ANSWERED, ASK_REPLY},
    {"resign-lost", UP, BOT_ASKS, ASK_RESIGN},
    {"resign-unanswered", REPLY, BOT_ASKS, ASK_RESIGN},
    {"resign-answered", AT_ONCE, BOT_ANSWERED, ASK_RESIGN},
    {"end-seen", AT_ONCE, BOT_SEES_END, ASK_NONE},
};
enum { STATES = ARRAY_LEN(states) };

struct cuts {
    struct cuts_settings settings;
    struct impair *impair;
    const struct bots *bots;
    struct impair_link **link; /* by the player's number; NULL: no link */
    int links;
    int tries[STATES], count[STATES][IMPAIR_MANNERS];
};

/* --- Where to cut --- */

static int count_cuts(const struct cuts *cuts, int state)
{
    int sum = 0;

    for (int manner = 0; manner < IMPAIR_MANNERS; manner++)
        sum += cuts->count[state][manner];
    return sum;
}

static bool is_spared(const struct cuts *cuts, int state)
{
    return cuts->settings.spared != NULL &&
           strcmp(cuts->settings.spared, states[state].name) == 0;
}

/* Of the states that match, chooses the state with the fewest tries. Then decides at
 * random whether to cut the connection in this state now. Returns -1 if the connection
 * is not cut now, or if no state matches. */
static int choose_state(const struct cuts *cuts, struct bot *bot, bool is_new_link,
                        enum bot_step step, enum bot_ask asked)
{
    int best = -1, chance;

    for (int i = 0; i < STATES; i++) {
        bool is_before = states[i].when == ON_CONNECT || states[i].when == HELLO_UP ||
                         states[i].when == HELLO_DOWN;

        if (is_before == is_new_link && states[i].step == step &&
            states[i].asked == asked && !is_spared(cuts, i) &&
            (best < 0 || cuts->tries[i] < cuts->tries[best]))
            best = i;
    }
    if (best < 0)
        return -1;
    chance = count_cuts(cuts, best) < cuts->settings.wanted ? (int)CHANCE
                                                            : (int)CHANCE_LATER;
    return bot_random(bot, (uint32_t)chance) == 0 ? best : -1;
}

/* Returns how to cut the connection. Each call for the same state returns the next of
 * the possible ways. IMPAIR_GARBLE is possible only if bytes are in transit. */
static enum impair_manner choose_manner(struct cuts *cuts, int state)
{
    bool has_garble = states[state].when == UP || states[state].when == REPLY;

    return (enum impair_manner)((cuts->tries[state]++ + state) %
                                (has_garble ? IMPAIR_MANNERS : IMPAIR_GARBLE));
}

/* Cuts a link now. The player must not read bytes that have already arrived, so the
 * player's own connection is dropped too. If the player must not notice the cut, this
 * connection is not dropped, but held (wire_hold()). */
static void cut_at_once(struct cuts *cuts, struct bot *bot, int state,
                        enum impair_manner manner)
{
    cuts->count[state][manner]++;
    impair_cut(cuts->link[bot->number], manner);
    if (manner == IMPAIR_SERVER_VANISHES)
        wire_hold(bot->wire, true);
    else
        wire_drop(bot->wire, WIRE_RESET);
}

void cuts_on_step(struct cuts *cuts, struct bot *bot, enum bot_step step,
                  enum bot_ask asked)
{
    struct impair_link *link = cuts->link[bot->number];
    int state = link != NULL ? choose_state(cuts, bot, false, step, asked) : -1;
    enum impair_manner manner;

    if (state < 0)
        return;
    manner = choose_manner(cuts, state);
    if (states[state].when == AT_ONCE)
        cut_at_once(cuts, bot, state, manner);
    else
        impair_trap(
            link, states[state].when == UP ? IMPAIR_BEFORE_BYTES : IMPAIR_BEFORE_REPLY,
            0, manner, state);
}

static void on_link(void *arg, struct impair_link *link)
{
    struct cuts *cuts = arg;
    struct bot *bot = bots_at(cuts->bots, impair_link_address(link));
    enum impair_manner manner;
    int state;

    if (bot == NULL)
        return;
    cuts->link[bot->number] = link;
    state = choose_state(cuts, bot, true, BOT_GREETED, ASK_NONE);
    if (state < 0)
        return;
    manner = choose_manner(cuts, state);
    if (states[state].when == ON_CONNECT) {
        cuts->count[state][manner]++;
        impair_cut(link, manner);
        return;
    }
    impair_trap(link,
                states[state].when == HELLO_UP ? IMPAIR_AFTER_UP : IMPAIR_AFTER_DOWN,
                1 + (int)bot_random(bot, HELLO_BYTES), manner, state);
}

static void on_cut(void *arg, struct impair_link *link, int mark,
                   enum impair_manner manner)
{
    struct cuts *cuts = arg;

    (void)link;
    cuts->count[mark][manner]++;
}

static void on_gone(void *arg, struct impair_link *link)
{
    struct cuts *cuts = arg;

    for (int i = 0; i < cuts->links; i++)
        if (cuts->link[i] == link)
            cuts->link[i] = NULL;
}

/* --- From above --- */

struct cuts *cuts_new(struct event_base *base, int server_port,
                      const struct impair_weather *weather,
                      const struct cuts_settings *settings)
{
    static const struct impair_calls calls = {
        .on_link = on_link, .on_cut = on_cut, .on_gone = on_gone};
    struct cuts *cuts = mem_new(sizeof *cuts);

    cuts->settings = *settings;
    cuts->impair = impair_new(base, server_port, weather, &calls, cuts);
    return cuts;
}

int cuts_port(const struct cuts *cuts)
{
    return impair_port(cuts->impair);
}

void cuts_set_bots(struct cuts *cuts, const struct bots *bots)
{
    cuts->bots = bots;
    cuts->links = bots->count;
    cuts->link = mem_new((size_t)bots->count * sizeof *cuts->link);
}

struct impair_counts cuts_close(struct cuts *cuts)
{
    struct impair_counts counts = impair_counts(cuts->impair);

    impair_free(cuts->impair);
    cuts->impair = NULL;
    return counts;
}

void cuts_free(struct cuts *cuts)
{
    if (cuts == NULL)
        return;
    impair_free(cuts->impair);
    free(cuts->link);
    free(cuts);
}

/* --- What came of it --- */

void cuts_print(const struct cuts *cuts)
{
    printf("# %-18s", "cut in state");
    for (int manner = 0; manner < IMPAIR_MANNERS; manner++)
        printf(" %15s", impair_manner_name((enum impair_manner)manner));
    for (int i = 0; i < STATES; i++) {
        printf("\n# %-18s", states[i].name);
        for (int manner = 0; manner < IMPAIR_MANNERS; manner++)
            printf(" %15d", cuts->count[i][manner]);
    }
    putchar('\n');
}

bool cuts_has_every_state(const struct cuts *cuts)
{
    int missing = 0;

    for (int i = 0; i < STATES; i++)
        if (count_cuts(cuts, i) == 0)
            printf("%s %s", missing++ == 0 ? "# never cut:" : ",", states[i].name);
    if (missing > 0)
        putchar('\n');
    return missing == 0;
}

bool cuts_has_every_manner(const struct cuts *cuts)
{
    int used = 0;

    for (int manner = 0; manner < IMPAIR_MANNERS; manner++) {
        int sum = 0;

        for (int i = 0; i < STATES; i++)
            sum += cuts->count[i][manner];
        used += sum > 0;
    }
    return used == IMPAIR_MANNERS;
}
