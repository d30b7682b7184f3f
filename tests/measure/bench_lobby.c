/* Measures whether the cost of a request depends on the number of players. One lobby
 * has 100 other players, a second lobby has 10,000. Each of them has an open seek (an
 * offer to anybody), an open challenge and an open invitation. Each request is made
 * many times, in turns in the two lobbies. Prints both medians in nanoseconds of
 * processor time, and their ratio. If the cost does not depend on the number of other
 * players, the ratio is 1.
 *
 *   bench_lobby [ROUNDS]
 *
 * The lobby, the accounts and the store are real. There are no connections, so nothing
 * is sent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/base/deadline.h"
#include "server/base/world.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/store/store.h"

enum { FEW = 100, MANY = 10000, ROUNDS = 21, TIMES = 500 };

/* A lobby in which each of many other players has a seek, a challenge and an
 * invitation. */
struct house {
    char directory[64];
    struct event_base *base;
    struct world modules;
    struct account *me, *other;
    struct account *ignored; /* an account that all others ignore */
    struct seek *mine;
};

static struct account *bind_name(struct house *house, const char *name)
{
    static const unsigned char key[STORE_DIGEST_BYTES] = {1};
    char token[TOKEN_BYTES];

    return accounts_bind(house->modules.accounts, name, key, token, mono_wall_s());
}

static void wait_for_disk(struct house *house)
{
    const struct gate *gate = store_gate(house->modules.store);

    while (gate->durable < gate->newest)
        event_base_loop(house->base, EVLOOP_ONCE);
}

static void ignore_lee(struct house *house, const struct account *account)
{
    if (!marks_put(accounts_marks(house->modules.accounts), account->folded,
                   MARK_IGNORE, "lee", ""))
        log_die("bench_lobby no mark");
}

static void add_others(struct house *house, int count)
{
    struct terms terms = terms_default();
    int max;

    for (int i = 0; i < count; i++) {
        char name[NAME_BYTES];
        struct account *account;

        snprintf(name, sizeof name, "x%d", 2 * 111111 + i);
        account = bind_name(house, name);
        terms.side = i % 2 == 0 ? SIDE_RED : SIDE_BLUE;
        ignore_lee(house, account);
        if (seeks_open(lobby_seeks(house->modules.lobby), account, NULL, &terms,
                       NULL) == NULL ||
            seeks_open(lobby_seeks(house->modules.lobby), account, house->me, &terms,
                       NULL) == NULL ||
            invites_open(lobby_invites(house->modules.lobby), account, &terms, &max) ==
                NULL)
            log_die("bench_lobby bug=\"a limit was reached\"");
    }
}

static void house_open(struct house *house, int others)
{
    static const struct room_settings times = {.keep_ms = 1000};
    static const struct session_settings settings = {.greeting = "*", .login_ms = 1000};
    static const struct session_calls session_calls;
    static const struct room_calls room_calls;
    static const struct lobby_limits limits;
    static const struct accounts_settings accounts = {
        .names_max = 1000000,
        .name_days = 30,
        .quotas = {.of = {[QUOTA_GAME] = {.account = 32},
                          [QUOTA_SEEK] = {.account = 3},
                          [QUOTA_CHALLENGE] = {.account = 10},
                          [QUOTA_INVITE] = {.account = 10}}}};

    strcpy(house->directory, "/tmp/bench_lobby.XXXXXX");
    if (mkdtemp(house->directory) == NULL)
        log_die("bench_lobby no directory");
    house->base = event_base_new();
    house->modules.store = store_open(house->base, house->directory);
    house->modules.deadlines = deadlines_new(house->base, mono_wall_s);
    house->modules.spans = deadlines_new(house->base, mono_now_s);
    house->modules.accounts =
        accounts_open(house->modules.store, house->modules.deadlines, &accounts);
    house->modules.sessions =
        sessions_new(house->base, &settings, &session_calls, NULL);
    house->modules.rooms =
        rooms_new(house->base, house->modules.store, house->modules.sessions,
                  house->modules.accounts, &times, &room_calls, NULL);
    house->modules.ratings = ratings_new();
    house->modules.closing.ends_ms = INT64_MAX;
    house->modules.lobby = lobby_new(&house->modules, &limits);
    house->me = bind_name(house, "hong");
    house->other = bind_name(house, "kim");
    house->ignored = bind_name(house, "lee");
    ignore_lee(house, house->other);
    add_others(house, others);
    wait_for_disk(house);
}

static void house_close(struct house *house)
{
    char command[96];

    store_close(house->modules.store);
    rooms_free(house->modules.rooms);
    lobby_free(house->modules.lobby);
    ratings_free(house->modules.ratings);
    accounts_close(house->modules.accounts);
    deadlines_free(house->modules.deadlines);
    deadlines_free(house->modules.spans);
    sessions_free(house->modules.sessions);
    event_base_free(house->base);
    snprintf(command, sizeof command, "rm -r %s", house->directory);
    if (system(command) != 0)
        log_warn("bench_lobby directory=%s why=not-removed", house->directory);
}

/* --- What is measured --- */

static void seek(struct house *house)
{
    struct terms terms = terms_default();
    struct seek *mine =
        seeks_open(lobby_seeks(house->modules.lobby), house->me, NULL, &terms, NULL);

    if (seeks_find_fit(lobby_seeks(house->modules.lobby), mine) == NULL)
        log_die("bench_lobby bug=\"no seek fits\"");
    seeks_drop(lobby_seeks(house->modules.lobby), mine, "withdrawn");
}

/* Runs the command `play` for a player who finds an opponent. */
static void play(struct house *house)
{
    const struct seek wish = {.maker = house->me, .terms = terms_default()};
    struct terms terms;

    if (lobby_find_match(house->modules.lobby, &wish, &terms) == NULL)
        log_die("bench_lobby bug=\"nobody to play\"");
}

/* Runs `play` with a time that no seek of another player has. The player then begins to
 * wait. lobby_end_wait() ends the wait at once. */
static void play_and_wait(struct house *house)
{
    struct seek wish = {.maker = house->me, .terms = terms_default()};
    struct terms terms;

    wish.terms.time.main_ms *= 2;
    if (lobby_find_match(house->modules.lobby, &wish, &terms) != NULL)
        log_die("bench_lobby bug=\"an opponent with another time\"");
    if (lobby_wait(house->modules.lobby, &wish) == NULL)
        log_die("bench_lobby bug=\"a limit was reached\"");
    lobby_end_wait(house->modules.lobby, house->me);
}

/* Runs `play` for a player whom all others ignore. */
static void play_ignored(struct house *house)
{
    const struct seek wish = {.maker = house->ignored, .terms = terms_default()};
    struct terms terms;

    if (lobby_find_match(house->modules.lobby, &wish, &terms) != NULL)
        log_die("bench_lobby bug=\"ignored and matched\"");
}

static void refused_seek(struct house *house)
{
    struct terms terms = terms_default();

    while (seeks_open(lobby_seeks(house->modules.lobby), house->other, NULL, &terms,
                      NULL) != NULL)
        ;
}

static void challenge(struct house *house)
{
    struct terms terms = terms_default();

    if (seeks_find_challenge(house->me, house->other) != NULL)
        log_die("bench_lobby bug=\"a challenge is left\"");
    seeks_drop(lobby_seeks(house->modules.lobby),
               seeks_open(lobby_seeks(house->modules.lobby), house->me, house->other,
                          &terms, NULL),
               "withdrawn");
}

static void refused_invite(struct house *house)
{
    struct terms terms = terms_default();
    int max;

    while (invites_open(lobby_invites(house->modules.lobby), house->other, &terms,
                        &max) != NULL)
        ;
}

/* Computes the counts in the first lines of the answers to `who`, `games` and `seeks`.
 * The cost of the rows after these lines is bounded, so it is not measured. */
static void counts(struct house *house)
{
    if (seeks_first(lobby_seeks(house->modules.lobby)) == NULL ||
        seeks_count(lobby_seeks(house->modules.lobby)) < FEW ||
        rooms_count_shown(house->modules.rooms, false) != 0 ||
        sessions_count_here(house->modules.sessions) != 0)
        log_die("bench_lobby bug=\"a wrong count\"");
}

static void expiry(struct house *house)
{
    accounts_touch(house->modules.accounts, house->me, mono_wall_s());
}

static const struct {
    const char *name;
    void (*run)(struct house *house);
} requests[] = {
    {"seek, its hint, withdraw", seek},     {"seek, refused", refused_seek},
    {"play, an opponent is found", play},   {"play, wait", play_and_wait},
    {"play, ignored by all", play_ignored}, {"challenge, withdraw", challenge},
    {"invite, refused", refused_invite},    {"heads of who, games, seeks", counts},
    {"login moves its expiry", expiry},
};

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Returns the processor time of this thread. Other work of the machine does not
 * increase this time. */
static double processor_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        log_die("bench_lobby no clock");
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double measure(struct house *house, void (*run)(struct house *house))
{
    double began = processor_ns();

    for (int i = 0; i < TIMES; i++)
        run(house);
    return (processor_ns() - began) / TIMES;
}

static void print_request(struct house *few, struct house *many, size_t which,
                          int rounds)
{
    double *ns[2] = {calloc((size_t)rounds, sizeof(double)),
                     calloc((size_t)rounds, sizeof(double))};

    for (int i = 0; i < rounds; i++) {
        ns[0][i] = measure(few, requests[which].run);
        ns[1][i] = measure(many, requests[which].run);
    }
    for (int i = 0; i < 2; i++)
        qsort(ns[i], (size_t)rounds, sizeof(double), compare);
    printf("%-28s %9.0f %9.0f %6.2f\n", requests[which].name, ns[0][rounds / 2],
           ns[1][rounds / 2], ns[1][rounds / 2] / ns[0][rounds / 2]);
    free(ns[0]);
    free(ns[1]);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    struct house few = {.me = NULL}, many = {.me = NULL};

    if (rounds < 1) {
        fprintf(stderr, "bench_lobby: %s: it takes a number of rounds\n", argv[1]);
        return 2;
    }
    log_set_level(LOG_FATAL);
    house_open(&few, FEW);
    house_open(&many, MANY);
    printf("%-28s %9s %9s %6s\n", "ns, with others open:", "100", "10,000", "ratio");
    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        print_request(&few, &many, i, rounds);
    house_close(&few);
    house_close(&many);
    return 0;
}
