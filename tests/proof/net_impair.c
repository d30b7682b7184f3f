/* Plays many games over a bad network: data is delayed, split into pieces as small as
 * one byte, and stalled; and connections are cut in every state of the protocol, in
 * every way in which networks fail. All games must finish, and both players, a late
 * watcher and the database must have the same logs. tests/bot/cuts.c lists the states
 * and counts the cuts in each. A state that was never cut fails the proof.
 *
 * --spare, --never-resumes, --lose and --forge are negative controls: with each of them
 * the proof must fail. */
#include <stdio.h>

#include "common/base/mono.h"
#include "tests/bot/bot.h"
#include "tests/bot/cuts.h"
#include "tests/bot/impair.h"
#include "tests/checker/forge.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"

enum {
    LOOK_MS = 100,
    OFFERS_PER_MILLE = 60,
    STALLS_PER_MILLE = 2,
    STALL_MS = 1500,
    STUCK_SHOWN = 10
};

struct trial {
    struct harness harness;
    int games, at_once, rounds, plies, think_ms, patience_ms, give_up_s;
    struct impair_weather weather;
    struct cuts_settings cutting;
    bool never_resumes;
    int lose;
    const char *forge;

    struct cuts *cuts;
    struct bots *bots;
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

/* The negative control --lose: makes the server lose acknowledged events. */
static void lie(struct trial *trial)
{
    janggid_kill(&trial->harness.server);
    forge_loss(trial->harness.server.data, trial->lose);
    trial->lose = 0;
    if (!janggid_start(&trial->harness.server))
        trial->is_broken = true;
}

static bool must_stop(void *arg)
{
    struct trial *trial = arg;

    if (trial->lose > 0 && trial->bots->counts.moves > trial->games * trial->plies / 3)
        lie(trial);
    if (!trial->is_broken && !janggid_is_up(&trial->harness.server))
        trial->is_broken = true;
    return is_over(trial) || trial->is_broken || trial->bots->counts.faults > 0 ||
           mono_now_ms() > trial->give_up_ms;
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

    trial->cuts = cuts_new(trial->harness.base, trial->harness.server.port,
                           &trial->weather, &trial->cutting);
    trial->bots = bots_new(trial->harness.base, &settings);
    bots_set_server(trial->bots, cuts_port(trial->cuts), trial->harness.server.key);
    bots_add_pairs(trial->bots, trial->at_once, terms, ARRAY_LEN(terms));
    cuts_set_bots(trial->cuts, trial->bots);
}

static void travel(struct trial *trial)
{
    trial->began_ms = mono_now_ms();
    trial->give_up_ms = trial->began_ms + (int64_t)trial->give_up_s * 1000;
    harness_watch(&trial->harness, LOOK_MS, must_stop, trial);
}

/* --- What came of it --- */

/* Stops the bots, closes the network, and prints what passed through it. */
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
                   (long long)match->history.game, (int)match->game.phase,
                   match->game.events, match->due_events, (int)game_turn(&match->game),
                   (int)match->side, bot->move_ply, bot->answered_ply);
        putchar('\n');
    }
}

static void report_play(struct trial *trial)
{
    const struct bots_counts *counts = &trial->bots->counts;

    harness_report(&trial->harness, counts->faults == 0, "protocol-promises-hold",
                   "%lld complaints, see above", (long long)counts->faults);
    harness_report(&trial->harness, is_over(trial), "every-game-finishes",
                   "%d of %d games are over", games_over(trial), trial->games);
    harness_report(&trial->harness, cuts_has_every_state(trial->cuts),
                   "every-state-was-cut", "see above");
    harness_report(&trial->harness, cuts_has_every_manner(trial->cuts),
                   "every-way-to-cut-was-used", "see the table");
}

/* --- From the command line --- */

/* Changes the numbers so that each pair plays the same number of games. All pairs
 * together then play the requested number of games, or a few more. */
static void spread(struct trial *trial)
{
    trial->rounds = (trial->games + trial->at_once - 1) / trial->at_once;
    trial->at_once = (trial->games + trial->rounds - 1) / trial->rounds;
    trial->games = trial->at_once * trial->rounds;
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
        harness_check_logs(&trial->harness, trial->bots, trial->forge);
    else
        janggid_kill(&trial->harness.server);
    bots_free(trial->bots);
    cuts_free(trial->cuts);
}

static bool read_options(struct trial *trial, int argc, char **argv)
{
    struct impair_weather *weather = &trial->weather;
    const struct options_row options[] = {
        {"games", .number = &trial->games, .least = 1, .help = "games in all"},
        {"at-once", .number = &trial->at_once, .least = 1, .help = "games at once"},
        {"plies", .number = &trial->plies, .help = "plies of a game"},
        {"think", .number = &trial->think_ms, .help = "ms, on average, for a move"},
        {"delay", .number = &weather->delay_ms, .help = "ms that the network takes"},
        {"jitter", .number = &weather->jitter_ms, .help = "ms more or less"},
        {"patience", .number = &trial->patience_ms, .help = "ms that players wait"},
        {"give-up", .number = &trial->give_up_s, .help = "seconds for all of it"},
        {"cuts", .number = &trial->cutting.wanted, .help = "cuts in each state"},
        {"spare", .text = &trial->cutting.spared, .help = "control: a state"},
        {"never-resumes", .flag = &trial->never_resumes, .help = "control"},
        {"lose", .number = &trial->lose, .help = "control: events that are lost"},
        {"forge", .text = &trial->forge,
         .help = "control: drop, alter, double, clock"}};

    if (!harness_init(&trial->harness, options, ARRAY_LEN(options), argc, argv) ||
        weather->jitter_ms > weather->delay_ms)
        return false;
    weather->seed = trial->harness.seed;
    spread(trial);
    return true;
}

int main(int argc, char **argv)
{
    struct trial trial = {.harness.name = "net-impair",
                          .games = 1000,
                          .at_once = 250,
                          .plies = 60,
                          .think_ms = 20,
                          .patience_ms = 8000,
                          .give_up_s = 1800,
                          .cutting.wanted = 100,
                          .weather = {.delay_ms = 300,
                                      .jitter_ms = 200,
                                      .stalls_per_mille = STALLS_PER_MILLE,
                                      .stall_ms = STALL_MS,
                                      .is_in_pieces = true}};

    if (!read_options(&trial, argc, argv))
        return 2;
    if (harness_make_server(&trial.harness) && janggid_start(&trial.harness.server))
        run(&trial);
    else
        harness_report(&trial.harness, false, "server-starts", "see above");
    harness_remove_files(&trial.harness, trial.harness.failed == 0);
    return harness_end(&trial.harness);
}
