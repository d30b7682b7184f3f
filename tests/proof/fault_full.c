/* The disk is full for some seconds, in the middle of games. Everybody is told; nothing
 * is acknowledged; clocks stand still, also that of a player who thinks; and when there
 * is room again play goes on by itself. In the end everything that anybody saw and was
 * promised is there.
 *
 * Full is the disk either because tests/proof/fault/preload.c says so, or really: --real DIR
 * is a small file system of its own, which is filled and emptied.
 *
 *   fault_full [--build DIR] [--full-s S] [--games N] [--seed N] [--real DIR] [--never]
 *
 * --never: it does not get full after all; a control, with which this must fail. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/lib/bot.h"
#include "tests/lib/checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/process.h"
#include "tests/proof/fault/preload.h"

enum {
    LOOK_US = 5000,
    HANG_MS = 30000,
    NEVER_MS = 3000,
    THINK_MS = 4,
    PLIES = 100,
    IDLE_PLIES = 4, /* then the two who think sit still */
    MOVES_BEFORE = 100,
    CLOCK_WORDS = 60
};

enum phase { PHASE_PLAY, PHASE_FILLING, PHASE_FULL, PHASE_FREED, PHASE_END };

struct full {
    const char *build, *real;
    int full_s, games;
    uint64_t seed;
    bool is_never;

    struct event_base *base;
    struct event *watch;
    char directory[JANGGID_PATH_BYTES], flag[JANGGID_PATH_BYTES + 16];
    char preload[JANGGID_PATH_BYTES];
    struct janggid server;
    struct bots *bots;
    struct court *court;
    struct bot *idler; /* to move in a game in which nobody moves */

    enum phase phase;
    bool has_hung;
    int64_t since_ms; /* of the phase */
    int told_full, told_back, early_answers;
    int64_t moves_at_back, full_ms, told_ms, resumed_ms;
    char first_clock[CLOCK_WORDS], last_clock[CLOCK_WORDS];
    int clocks_asked, clocks_told;
    struct proof proof;
};

static const char *const terms[] = {"time=10m+5s", "time=20m+3x40s"};

/* --- The disk --- */

static void fill(const struct full *full)
{
    static const char nothing[4096];
    int fd = open(full->flag, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    size_t size = sizeof nothing;

    while (full->real != NULL && size > 0)
        if (write(fd, nothing, size) < 0)
            size = errno == ENOSPC ? size / 2 : 0;
    close(fd);
}

static void make_room(const struct full *full)
{
    unlink(full->flag);
}

static bool start_server(struct full *full)
{
    bool is_up;

    if (full->real == NULL) {
        setenv("JANGGI_FAULT_CALL", "write", 1);
        setenv("JANGGI_FAULT_ERRNO", "ENOSPC", 1);
        setenv("JANGGI_FAULT_WHILE", full->flag, 1);
        setenv("LD_PRELOAD", full->preload, 1);
    }
    is_up = janggid_start(&full->server);
    unsetenv("LD_PRELOAD");
    return is_up;
}

/* --- The players --- */

static bool is_idler(const struct bot *bot)
{
    return strncmp(bot->name, "idler", 5) == 0;
}

static bool wants_game(void *arg, struct bot *bot)
{
    const struct full *full = arg;

    return bot->matches == NULL || (full->phase < PHASE_END && !is_idler(bot));
}

static bool wants_turn(void *arg, struct bot *bot)
{
    struct full *full = arg;

    if (!is_idler(bot) || full->phase >= PHASE_FREED ||
        bot->match->game.plies < IDLE_PLIES)
        return true;
    full->idler = bot;
    return false;
}

static void on_notice(void *arg, struct bot *bot, const char *words)
{
    struct full *full = arg;

    (void)bot;
    full->told_full += strncmp(words, "why=storage-full", 16) == 0;
    full->told_back += strncmp(words, "why=storage-back", 16) == 0;
}

static void on_answered(void *arg, struct bot *bot, int64_t took_us)
{
    struct full *full = arg;

    (void)bot;
    (void)took_us;
    full->early_answers += full->phase == PHASE_FULL;
}

static void on_clock(void *arg, struct bot *bot, const struct proto_line *line)
{
    struct full *full = arg;
    char *out = full->clocks_told++ == 0 ? full->first_clock : full->last_clock;

    (void)bot;
    snprintf(out, CLOCK_WORDS, "red_ms=%lld blue_ms=%lld",
             (long long)proto_line_number(line, "red_ms", -1),
             (long long)proto_line_number(line, "blue_ms", -1));
}

static void add_pair(struct full *full, const char *one, const char *other, int number)
{
    char name[BOT_NAME_BYTES];
    struct bot *maker, *taker;

    snprintf(name, sizeof name, "%s%d", one, number);
    maker = bots_add(full->bots, name);
    snprintf(name, sizeof name, "%s%d", other, number);
    taker = bots_add(full->bots, name);
    bots_pair(maker, taker, terms[(size_t)number % ARRAY_LEN(terms)]);
}

static void gather(struct full *full)
{
    struct bots_settings settings = {.seed = full->seed,
                                     .think_ms = THINK_MS,
                                     .plies_max = PLIES,
                                     .arg = full,
                                     .wants_game = wants_game,
                                     .wants_turn = wants_turn,
                                     .on_notice = on_notice,
                                     .on_answered = on_answered,
                                     .on_clock = on_clock};

    full->bots = bots_new(full->base, &settings);
    full->court = court_new(full->bots, NULL);
    bots_set_server(full->bots, full->server.port, full->server.key);
    add_pair(full, "idler", "idlers", 0);
    for (int i = 1; i <= full->games; i++)
        add_pair(full, "red", "blue", i);
}

static bool is_over(const struct full *full)
{
    for (const struct bot *bot = full->bots->first; bot != NULL; bot = bot->next)
        if (bot->matches == NULL || bot->match != NULL || bot->state != BOT_IN ||
            bot->asking != ASK_NONE)
            return false;
    return true;
}

/* --- What happens when --- */

static void enter(struct full *full, enum phase phase)
{
    full->phase = phase;
    full->since_ms = mono_now_ms();
}

static void ask_clock(struct full *full)
{
    full->clocks_asked++;
    bot_sayf(full->idler, "clock %lld", (long long)full->idler->match->witness.game);
}

static void see_full(struct full *full)
{
    full->told_ms = mono_now_ms() - full->since_ms;
    enter(full, PHASE_FULL);
    ask_clock(full);
}

/* The second clock is asked for when the disk has been full for most of the time. */
static void wait_full(struct full *full, int64_t passed_ms)
{
    int64_t full_ms = (int64_t)full->full_s * 1000;

    if (full->clocks_asked == 1 && passed_ms > full_ms - 500)
        ask_clock(full);
    if (passed_ms < full_ms)
        return;
    full->full_ms = passed_ms + full->told_ms;
    full->moves_at_back = full->bots->counts.moves;
    enter(full, PHASE_FREED);
    make_room(full);
    bot_act(full->idler);
}

static void see_play(struct full *full, int64_t passed_ms)
{
    if (full->bots->counts.moves == full->moves_at_back)
        return;
    full->resumed_ms = passed_ms;
    enter(full, PHASE_END);
}

static void go_on(struct full *full)
{
    int64_t passed_ms = mono_now_ms() - full->since_ms;

    switch (full->phase) {
    case PHASE_PLAY:
        if (full->idler != NULL && full->bots->counts.moves > MOVES_BEFORE) {
            enter(full, PHASE_FILLING);
            if (!full->is_never)
                fill(full);
        }
        break;
    case PHASE_FILLING:
        if (full->told_full >= full->bots->count)
            see_full(full);
        break;
    case PHASE_FULL:
        wait_full(full, passed_ms);
        break;
    case PHASE_FREED:
        see_play(full, passed_ms);
        break;
    default:
        break;
    }
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct full *full = arg;
    int64_t hang_ms = full->is_never ? NEVER_MS : HANG_MS;

    (void)fd;
    (void)what;
    go_on(full);
    if (full->phase == PHASE_FULL)
        hang_ms += (int64_t)full->full_s * 1000;
    full->has_hung = mono_now_ms() - full->since_ms > hang_ms;
    if ((full->phase == PHASE_END && is_over(full)) || full->has_hung ||
        full->bots->counts.faults > 0 || !janggid_is_up(&full->server))
        event_base_loopbreak(full->base);
}

static void run(struct full *full)
{
    struct timeval every = {.tv_usec = LOOK_US};

    enter(full, PHASE_PLAY);
    event_add(full->watch, &every);
    event_base_dispatch(full->base);
    event_del(full->watch);
}

/* --- Judgement --- */

static int64_t whole_ms(const struct game *game, const struct game_ply *ply, int side)
{
    return ply->left_before[side].main_ms +
           ply->left_before[side].periods * game->clock.terms.period_ms;
}

/* The most that a move in this game cost its player. A clock that did not change is
 * that of the other. */
static int64_t dearest_of_game_ms(const struct game *game)
{
    int64_t most_ms = 0;

    for (int i = 1; i < game->plies; i++)
        for (int side = 0; side < SIDES; side++) {
            int64_t had_ms = whole_ms(game, &game->ply[i - 1], side);
            int64_t has_ms = whole_ms(game, &game->ply[i], side);
            int64_t spent_ms = had_ms + game->clock.terms.increment_ms - has_ms;

            if (has_ms != had_ms && spent_ms > most_ms)
                most_ms = spent_ms;
        }
    return most_ms;
}

static int64_t dearest_move_ms(const struct full *full)
{
    int64_t most_ms = 0;

    for (const struct bot *bot = full->bots->first; bot != NULL; bot = bot->next)
        for (const struct bot_match *m = bot->matches; m != NULL; m = m->next) {
            int64_t spent_ms = dearest_of_game_ms(&m->game);

            if (spent_ms > most_ms)
                most_ms = spent_ms;
        }
    return most_ms;
}

static void judge_log(struct full *full)
{
    const struct court_findings *findings = court_findings(full->court);
    bool is_read;

    proof_report(&full->proof, janggid_stop(&full->server, full->base),
                 "server-stops-in-order", "see above");
    is_read = court_close(full->court, full->server.data, INT64_MAX);
    proof_report(&full->proof,
                 is_read && verdict_faults(&findings->seen) == 0 &&
                     findings->seen.checked > 0,
                 "nothing-seen-or-promised-is-lost", "see above");
    proof_report(&full->proof, is_read && verdict_faults(&findings->played) == 0,
                 "replay-is-legal-and-clocks-fall", "see above");
}

static void judge(struct full *full)
{
    int64_t dearest_ms = dearest_move_ms(full);
    char why[160];

    snprintf(why, sizeof why, "in phase %d of %d; %d of %d were told that it is full",
             (int)full->phase, (int)PHASE_END, full->told_full, full->bots->count);
    proof_report(&full->proof,
                 full->phase == PHASE_END && is_over(full) && !full->has_hung,
                 "play-goes-on-when-there-is-room", "%s", why);
    if (full->phase != PHASE_END)
        return;
    proof_report(&full->proof, full->told_full >= full->bots->count,
                 "everybody-is-told", "%s", why);
    snprintf(why, sizeof why, "%d moves were acknowledged", full->early_answers);
    proof_report(&full->proof, full->early_answers == 0,
                 "nothing-is-acknowledged-meanwhile", "%s", why);
    snprintf(why, sizeof why, "%s, and then %s", full->first_clock, full->last_clock);
    proof_report(&full->proof,
                 full->clocks_told == 2 &&
                     strcmp(full->first_clock, full->last_clock) == 0,
                 "who-thinks-is-not-charged", "%s", why);
    snprintf(why, sizeof why, "a move cost %lld ms", (long long)dearest_ms);
    proof_report(&full->proof, dearest_ms < full->full_ms / 2,
                 "who-waits-is-not-charged", "%s", why);
    judge_log(full);
    printf("# full for %lld ms; all were told after %lld ms; the first move was "
           "acknowledged %lld ms after there was room (goal: 5000); the dearest move "
           "cost %lld ms; %lld moves\n",
           (long long)full->full_ms, (long long)full->told_ms,
           (long long)full->resumed_ms, (long long)dearest_ms,
           (long long)full->bots->counts.moves);
}

/* --- From the command line --- */

static bool read_options(struct full *full, int argc, char **argv)
{
    static const struct option options[] = {{"build", 1, NULL, 'b'},
                                            {"full-s", 1, NULL, 'f'},
                                            {"games", 1, NULL, 'g'},
                                            {"seed", 1, NULL, 's'},
                                            {"real", 1, NULL, 'r'},
                                            {"never", 0, NULL, 'n'},
                                            {0}};
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        long number = optarg != NULL ? strtol(optarg, NULL, 10) : 1;

        switch (c) {
        case 'b':
            full->build = optarg;
            break;
        case 'f':
            full->full_s = (int)number;
            break;
        case 'g':
            full->games = (int)number;
            break;
        case 's':
            full->seed = (uint64_t)number;
            break;
        case 'r':
            full->real = optarg;
            break;
        case 'n':
            full->is_never = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc && full->games > 0 && full->full_s > 0;
}

static bool start(struct full *full)
{
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    process_allow_preload("");
    if (full->real == NULL)
        scratch_make(full->directory, "full");
    else if (!text_copy(full->directory, sizeof full->directory, full->real))
        return false;
    snprintf(full->flag, sizeof full->flag, "%s/full", full->directory);
    snprintf(full->preload, sizeof full->preload, "%s/tests/proof/fault/preload.so",
             full->build);
    full->base = event_base_new();
    full->watch = event_new(full->base, -1, EV_PERSIST, on_look, full);
    return janggid_init(&full->server, full->build, full->directory) &&
           start_server(full);
}

int main(int argc, char **argv)
{
    struct full full = {.proof.area = "full",
                        .build = "build",
                        .full_s = 4,
                        .games = 8,
                        .seed = (uint64_t)wall_now_s()};

    if (!read_options(&full, argc, argv)) {
        fprintf(stderr, "fault_full: see the head of tests/proof/fault_full.c\n");
        return 2;
    }
    if (full.real != NULL)
        full.proof.area = "full-really";
    printf("# fault_full --seed %llu\n", (unsigned long long)full.seed);
    if (!start(&full)) {
        proof_report(&full.proof, false, "server-starts", "see above");
        return 1;
    }
    gather(&full);
    run(&full);
    judge(&full);
    janggid_kill(&full.server);
    court_free(full.court);
    bots_free(full.bots);
    event_free(full.watch);
    event_base_free(full.base);
    if (full.real == NULL && full.proof.failed == 0)
        scratch_remove(full.directory);
    else if (full.proof.failed > 0)
        printf("# files are in %s\n", full.directory);
    return proof_end(&full.proof);
}
