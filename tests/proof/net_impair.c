/* Many games over a bad network: what passes is late, in pieces as small as one byte
 * and stands still at times, and connections are cut in every state that the protocol
 * has, in every way in which networks cut them. All games must finish, and both
 * players, a late watcher and the database must have the same logs. The states are
 * listed below, cuts are counted in each, and a state that was never cut fails the
 * proof.
 *
 *   net_impair [--build DIR] [--games N] [--at-once N] [--seed N] [--plies N]
 *              [--think MS] [--delay MS] [--jitter MS] [--patience MS] [--cuts N]
 *              [--give-up S] [--spare STATE] [--never-resumes] [--lose N]
 *              [--forge drop|alter|double|clock] [--keep]
 *
 * The last line but one are controls, with which it must fail: one state is left alone;
 * players come back and do not say what they have seen; the server is killed once and
 * loses the last event of N games; an event is changed before it is judged. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "tests/lib/bot.h"
#include "tests/lib/cuts.h"
#include "tests/lib/harness.h"
#include "tests/lib/impair.h"
#include "tests/lib/ledger.h"
#include "tests/lib/process.h"

enum {
    LOOK_MS = 100,
    OFFERS_PER_MILLE = 60,
    STALLS_PER_MILLE = 2,
    STALL_MS = 1500,
    STUCK_SHOWN = 10
};

struct trial {
    const char *build;
    int games, at_once, rounds, plies, think_ms, patience_ms, give_up_s;
    struct impair_weather weather;
    struct cuts_settings cutting;
    bool never_resumes;
    int lose;
    const char *forge;
    bool keeps_files;

    struct proof proof;
    struct event_base *base;
    struct event *look;
    struct janggid server;
    struct cuts *cuts;
    struct bots *bots;
    char directory[JANGGID_PATH_BYTES];
    int64_t began_ms, give_up_ms;
    bool is_broken;
};

static const char *const terms[] = {"time=none", "time=30m+2s", "time=20m+3x40s"};

/* --- Play --- */

static bool wants_game(void *arg, struct bot *bot)
{
    const struct trial *trial = arg;

    return bot->played < trial->rounds;
}

static int games_over(const struct trial *trial)
{
    int sum = 0;

    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        sum += bot->is_maker ? bot->played : 0;
    return sum;
}

static bool is_done(const struct trial *trial, const struct bot *bot)
{
    return bot->state == BOT_IN && bot->match == NULL && bot->asking == ASK_NONE &&
           bot->resumes_due == 0 && bot->played >= trial->rounds;
}

static bool is_over(const struct trial *trial)
{
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        if (!is_done(trial, bot))
            return false;
    return true;
}

/* The control: the server forgets what it has promised. */
static void lie(struct trial *trial)
{
    janggid_kill(&trial->server);
    ledger_lose(trial->server.data, trial->lose);
    trial->lose = 0;
    if (!janggid_start(&trial->server))
        trial->is_broken = true;
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct trial *trial = arg;

    (void)fd;
    (void)what;
    if (trial->lose > 0 && trial->bots->counts.moves > trial->games * trial->plies / 3)
        lie(trial);
    if (!trial->is_broken && !janggid_is_up(&trial->server))
        trial->is_broken = true;
    if (is_over(trial) || trial->is_broken || trial->bots->counts.faults > 0 ||
        mono_now_ms() > trial->give_up_ms)
        event_base_loopbreak(trial->base);
}

static void on_step(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked)
{
    struct trial *trial = arg;

    cuts_on_step(trial->cuts, bot, step, asked);
}

static void gather(struct trial *trial)
{
    struct bots_settings settings = {.seed = trial->weather.seed,
                                     .think_ms = trial->think_ms,
                                     .plies_max = trial->plies,
                                     .offers_per_mille = OFFERS_PER_MILLE,
                                     .patience_ms = trial->patience_ms,
                                     .is_from_all_over = true,
                                     .never_resumes = trial->never_resumes,
                                     .arg = trial,
                                     .wants_game = wants_game,
                                     .on_step = on_step};
    char name[BOT_NAME_BYTES];

    trial->cuts =
        cuts_new(trial->base, trial->server.port, &trial->weather, &trial->cutting);
    trial->bots = bots_new(trial->base, &settings);
    bots_set_server(trial->bots, cuts_port(trial->cuts), trial->server.key);
    for (int i = 0; i < trial->at_once; i++) {
        struct bot *maker, *taker;

        snprintf(name, sizeof name, "near%d", i);
        maker = bots_add(trial->bots, name);
        snprintf(name, sizeof name, "far%d", i);
        taker = bots_add(trial->bots, name);
        bots_pair(maker, taker, terms[(size_t)i % ARRAY_LEN(terms)]);
    }
    cuts_set_bots(trial->cuts, trial->bots);
}

static void travel(struct trial *trial)
{
    struct timeval every = {.tv_usec = LOOK_MS * 1000};

    trial->began_ms = mono_now_ms();
    trial->give_up_ms = trial->began_ms + (int64_t)trial->give_up_s * 1000;
    trial->look = event_new(trial->base, -1, EV_PERSIST, on_look, trial);
    event_add(trial->look, &every);
    event_base_dispatch(trial->base);
    event_free(trial->look);
}

/* --- What came of it --- */

/* The network is closed for it. */
static void print_passage(const struct trial *trial)
{
    const struct bots_counts *counts = &trial->bots->counts;
    struct impair_counts passed;

    for (struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        bot_stop(bot);
    passed = cuts_close(trial->cuts);
    printf(
        "# net-impair: seed %llu, delay %d +- %d ms each way, %d games, %lld "
        "connections, %lld stalls; up %lld bytes in %lld pieces, down %lld in %lld\n",
        (unsigned long long)trial->weather.seed, trial->weather.delay_ms,
        trial->weather.jitter_ms, games_over(trial), (long long)passed.links,
        (long long)passed.stalls, (long long)passed.bytes[IMPAIR_UP],
        (long long)passed.pieces[IMPAIR_UP], (long long)passed.bytes[IMPAIR_DOWN],
        (long long)passed.pieces[IMPAIR_DOWN]);
    printf("# %lld logins, %lld moves acknowledged, %lld sent again of which %lld had "
           "been played, %lld s\n",
           (long long)counts->logins, (long long)counts->moves,
           (long long)counts->resent, (long long)counts->repeats,
           (long long)(mono_now_ms() - trial->began_ms) / 1000);
}

static void print_stuck(const struct trial *trial)
{
    int shown = 0;

    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next) {
        const struct bot_match *match = bot->match;

        if (is_done(trial, bot) || shown++ >= STUCK_SHOWN)
            continue;
        printf("# %s: state %d, asking %d, resumes %d, played %d, its offer %lld, "
               "theirs %lld, thinking %d",
               bot->name, (int)bot->state, (int)bot->asking, bot->resumes_due,
               bot->played, (long long)bot->offer_id, (long long)bot->reply_id,
               bot->is_thinking);
        if (match != NULL)
            printf(", game %lld, phase %d, %d events of %d, turn %d of %d, move %d, "
                   "answered %d",
                   (long long)match->witness.game, (int)match->game.phase,
                   match->game.events, match->due_events, (int)game_turn(&match->game),
                   (int)match->side, bot->move_ply, bot->answered_ply);
        putchar('\n');
    }
}

static void report_play(struct trial *trial)
{
    const struct bots_counts *counts = &trial->bots->counts;

    proof_report(&trial->proof, counts->faults == 0, "protocol-promises-hold",
                 "%lld complaints, see above", (long long)counts->faults);
    proof_report(&trial->proof, is_over(trial), "every-game-finishes",
                 "%d of %d games are over", games_over(trial), trial->games);
    proof_report(&trial->proof, cuts_has_every_state(trial->cuts),
                 "every-state-was-cut", "see above");
    proof_report(&trial->proof, cuts_has_every_manner(trial->cuts),
                 "every-way-to-cut-was-used", "see the table");
}

/* --- From the command line --- */

enum option_letter {
    BUILD = 1,
    GAMES,
    AT_ONCE_OPTION,
    SEED,
    PLIES,
    THINK,
    DELAY,
    JITTER,
    PATIENCE,
    GIVE_UP,
    CUTS,
    SPARE,
    NEVER_RESUMES,
    LOSE,
    FORGE,
    KEEP
};

static bool take_option(struct trial *trial, int option, const char *value)
{
    int number = value != NULL ? (int)strtol(value, NULL, 10) : 0;

    switch (option) {
    case BUILD:
        trial->build = value;
        return true;
    case GAMES:
        trial->games = number;
        return true;
    case AT_ONCE_OPTION:
        trial->at_once = number;
        return true;
    case SEED:
        trial->weather.seed = (uint64_t)number;
        return true;
    case PLIES:
        trial->plies = number;
        return true;
    case THINK:
        trial->think_ms = number;
        return true;
    case DELAY:
        trial->weather.delay_ms = number;
        return true;
    case JITTER:
        trial->weather.jitter_ms = number;
        return true;
    case PATIENCE:
        trial->patience_ms = number;
        return true;
    case GIVE_UP:
        trial->give_up_s = number;
        return true;
    case CUTS:
        trial->cutting.wanted = number;
        return true;
    case SPARE:
        trial->cutting.spared = value;
        return true;
    case NEVER_RESUMES:
        trial->never_resumes = true;
        return true;
    case LOSE:
        trial->lose = number;
        return true;
    case FORGE:
        trial->forge = value;
        return true;
    case KEEP:
        trial->keeps_files = true;
        return true;
    default:
        return false;
    }
}

/* Every pair plays as many games as any other: a few more than were asked for, if need
 * be. */
static void spread(struct trial *trial)
{
    trial->rounds = (trial->games + trial->at_once - 1) / trial->at_once;
    trial->at_once = (trial->games + trial->rounds - 1) / trial->rounds;
    trial->games = trial->at_once * trial->rounds;
}

static bool read_options(struct trial *trial, int argc, char **argv)
{
    static const struct option options[] = {{"build", 1, NULL, BUILD},
                                            {"games", 1, NULL, GAMES},
                                            {"at-once", 1, NULL, AT_ONCE_OPTION},
                                            {"seed", 1, NULL, SEED},
                                            {"plies", 1, NULL, PLIES},
                                            {"think", 1, NULL, THINK},
                                            {"delay", 1, NULL, DELAY},
                                            {"jitter", 1, NULL, JITTER},
                                            {"patience", 1, NULL, PATIENCE},
                                            {"give-up", 1, NULL, GIVE_UP},
                                            {"cuts", 1, NULL, CUTS},
                                            {"spare", 1, NULL, SPARE},
                                            {"never-resumes", 0, NULL, NEVER_RESUMES},
                                            {"lose", 1, NULL, LOSE},
                                            {"forge", 1, NULL, FORGE},
                                            {"keep", 0, NULL, KEEP},
                                            {0}};
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!take_option(trial, c, optarg))
            return false;
    if (optind != argc || trial->games < 1 || trial->at_once < 1 ||
        trial->weather.jitter_ms > trial->weather.delay_ms)
        return false;
    spread(trial);
    return true;
}

static bool start(struct trial *trial)
{
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    process_raise_files(30000);
    scratch_make(trial->directory, "impair");
    trial->base = event_base_new();
    return trial->base != NULL &&
           janggid_init(&trial->server, trial->build, trial->directory) &&
           janggid_start(&trial->server);
}

static void run(struct trial *trial)
{
    bool is_whole;

    gather(trial);
    travel(trial);
    if (!is_over(trial) && trial->bots->counts.faults == 0)
        print_stuck(trial);
    report_play(trial);
    cuts_print(trial->cuts);
    is_whole = is_over(trial) && trial->bots->counts.faults == 0;
    print_passage(trial);
    if (is_whole)
        proof_judge(&trial->proof, trial->bots, &trial->server, trial->base,
                    trial->forge);
    else
        janggid_kill(&trial->server);
    bots_free(trial->bots);
    cuts_free(trial->cuts);
    event_base_free(trial->base);
}

int main(int argc, char **argv)
{
    struct trial trial = {.proof = {.area = "net-impair"},
                          .build = "build",
                          .games = 1000,
                          .at_once = 250,
                          .plies = 60,
                          .think_ms = 20,
                          .patience_ms = 8000,
                          .give_up_s = 1800,
                          .weather = {.seed = (uint64_t)wall_now_s(),
                                      .delay_ms = 300,
                                      .jitter_ms = 200,
                                      .stalls_per_mille = STALLS_PER_MILLE,
                                      .stall_ms = STALL_MS,
                                      .is_in_pieces = true}};

    trial.cutting.wanted = 100;
    if (!read_options(&trial, argc, argv)) {
        fprintf(stderr, "net_impair: see the head of tests/proof/net_impair.c\n");
        return 2;
    }
    printf("# net_impair --seed %llu\n", (unsigned long long)trial.weather.seed);
    if (start(&trial))
        run(&trial);
    else
        proof_report(&trial.proof, false, "server-starts", "see above");
    if (trial.proof.failed == 0 && !trial.keeps_files)
        scratch_remove(trial.directory);
    else
        printf("# files are in %s\n", trial.directory);
    return proof_end(&trial.proof);
}
