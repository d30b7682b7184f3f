/* Plays many concurrent games between scripted players on a server. The server is
 * killed with SIGKILL at random moments, also during its start. After each kill, it is
 * restarted on the same directory and port. Most kills wait until some moves were
 * acknowledged. A player who has finished a game plays another game, until the last
 * kill. At the end every game must be finished, and every event or OK that a player
 * received must be in the log, once and unchanged. Both copies of the log are checked:
 * the log that the server sends to a late watcher, and the log in the database.
 * Finished games are checked during the run, so that a long run needs no more memory
 * than a short run.
 *
 * SIGKILL tests the death of the process. It cannot test a power failure, because the
 * kernel's page cache is not lost when a process is killed.
 *
 * --forge, --lose and --server are negative controls: with each of them the proof must
 * fail. This is tested too. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/bot/bot.h"
#include "tests/checker/checker.h"
#include "tests/checker/forge.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"

enum {
    LOOK_MS = 50,
    KILL_GAP_LEAST_MS = 50,
    BACK_OFF_MOST_MS = 300,
    START_MOST_US = 80000, /* a kill during a start comes less than this time after the
                            * start began */
    CUTS_PER_MILLE = 10,
    CHECK_LEAST = 5,     /* fewest kills between two runs of the checker */
    CHECK_MOST = 50,     /* most kills between two runs of the checker */
    AT_ONCE_OF = 4,      /* one kill in AT_ONCE_OF does not wait for moves */
    PATIENCE_MS = 240000 /* longest time without an acknowledged move; after that, the
                          * proof fails */
};

struct crash {
    struct harness harness;
    int games, kills, lose;
    int plies, think_ms, gap_ms;
    const char *forge;

    struct bots *bots;
    struct bot *dice; /* random numbers that determine the time of the kills */
    struct checker *checker;
    int kills_done, kills_in_start;
    int playing_at_kills; /* sum of the games in play at each kill; kills during a start
                           * do not count */
    int next_check;       /* kills_done at the next run of the checker */
    int64_t *restart_ms;
    int restarts;
    int64_t next_kill_ms, began_ms;
    int64_t next_kill_moves;      /* the next kill waits until bots_counts.moves is this
                                   * number or greater */
    int64_t moves_seen, moved_ms; /* time of the latest acknowledged move */
    bool is_broken;
};

static const char *const terms[] = {"time=none", "time=30m+2s", "time=20m+3x40s"};

/* --- Kills --- */

static int games_in_play(const struct crash *crash)
{
    int count = 0;

    for (const struct bot *bot = crash->bots->first; bot != NULL; bot = bot->next)
        count +=
            bot->is_maker && bot->match != NULL && bot->match->game.phase == GAME_PLAY;
    return count;
}

/* Plans the next kill. Most kills wait for moves. Otherwise, on a busy machine, every
 * kill could come before the players have logged in and made moves. */
static void plan_kill(struct crash *crash)
{
    bool is_at_once = bot_random(crash->dice, AT_ONCE_OF) == 0;

    crash->next_kill_moves = crash->bots->counts.moves;
    if (!is_at_once)
        crash->next_kill_moves += 1 + bot_random(crash->dice, (uint32_t)crash->games);
    crash->next_kill_ms = mono_now_ms() + KILL_GAP_LEAST_MS +
                          bot_random(crash->dice, (uint32_t)crash->gap_ms);
}

static void print_progress(const struct crash *crash)
{
    const struct bots_counts *counts = &crash->bots->counts;

    printf("# %d kills of %d, %d in a start; %d games, %lld moves acknowledged, %lld "
           "events seen; restarted in %lld ms; %lld s\n",
           crash->kills_done, crash->kills, crash->kills_in_start,
           checker_findings(crash->checker)->games, (long long)counts->moves,
           (long long)counts->events, (long long)crash->harness.server.start_took_ms,
           (long long)(mono_now_ms() - crash->began_ms) / 1000);
    fflush(stdout);
}

/* Runs the checker, if it is due. The server must be down. */
static void check_ended(struct crash *crash)
{
    int every = crash->kills / 20;

    if (crash->kills_done < crash->next_check)
        return;
    if (crash->next_check > 0) {
        print_progress(crash);
        if (!checker_check_ended(crash->checker, crash->harness.server.data,
                                 janggid_uptime_ms(&crash->harness.server)))
            crash->is_broken = true;
    }
    every = every < CHECK_LEAST ? CHECK_LEAST : every > CHECK_MOST ? CHECK_MOST : every;
    crash->next_check = crash->kills_done + every;
}

static void restart_server(struct crash *crash)
{
    if (crash->kills_done < crash->kills && bot_random(crash->dice, 4) == 0) {
        janggid_kill_in_start(&crash->harness.server,
                              bot_random(crash->dice, START_MOST_US));
        crash->kills_in_start++;
        crash->kills_done++;
    }
    if (janggid_start(&crash->harness.server))
        crash->restart_ms[crash->restarts++] = crash->harness.server.start_took_ms;
    else
        crash->is_broken = true;
}

static void kill_server(struct crash *crash)
{
    crash->playing_at_kills += games_in_play(crash);
    if (!janggid_is_up(&crash->harness.server)) {
        crash->is_broken = true;
        return;
    }
    janggid_kill(&crash->harness.server);
    crash->kills_done++;
    if (crash->lose > 0)
        forge_loss(crash->harness.server.data, crash->lose);
    check_ended(crash);
    restart_server(crash);
    plan_kill(crash);
}

static bool is_over(const struct crash *crash)
{
    if (crash->kills_done < crash->kills)
        return false;
    for (const struct bot *bot = crash->bots->first; bot != NULL; bot = bot->next)
        if (bot->state != BOT_IN || bot->match != NULL || bot->asking != ASK_NONE ||
            bot->resumes_due > 0)
            return false;
    return true;
}

static void note_moves(struct crash *crash, int64_t now_ms)
{
    if (crash->bots->counts.moves == crash->moves_seen)
        return;
    crash->moves_seen = crash->bots->counts.moves;
    crash->moved_ms = now_ms;
}

static bool is_kill_due(const struct crash *crash, int64_t now_ms)
{
    return crash->next_kill_ms != 0 && now_ms >= crash->next_kill_ms &&
           crash->bots->counts.moves >= crash->next_kill_moves &&
           crash->kills_done < crash->kills;
}

static bool is_stuck(const struct crash *crash, int64_t now_ms)
{
    return now_ms - crash->moved_ms > PATIENCE_MS;
}

static bool must_stop(void *arg)
{
    struct crash *crash = arg;
    int64_t now_ms = mono_now_ms();

    if (crash->next_kill_ms == 0 && games_in_play(crash) == crash->games)
        plan_kill(crash);
    note_moves(crash, now_ms);
    if (is_kill_due(crash, now_ms))
        kill_server(crash);
    if (!crash->is_broken && !janggid_is_up(&crash->harness.server))
        crash->is_broken = true;
    return is_over(crash) || crash->is_broken || crash->bots->counts.faults > 0 ||
           is_stuck(crash, now_ms);
}

static bool wants_game(void *arg, struct bot *bot)
{
    const struct crash *crash = arg;

    return crash->kills_done < crash->kills || bot->matches == NULL;
}

static int64_t server_began_ms(void *arg)
{
    const struct crash *crash = arg;

    return crash->harness.server.began_ms;
}

static void gather(struct crash *crash)
{
    struct bots_settings settings = {.seed = crash->harness.seed,
                                     .think_ms = crash->think_ms,
                                     .plies_max = crash->plies,
                                     .cuts_per_mille = CUTS_PER_MILLE,
                                     .back_off_most_ms = BACK_OFF_MOST_MS,
                                     .arg = crash,
                                     .wants_game = wants_game,
                                     .server_began_ms = server_began_ms};

    crash->bots = bots_new(crash->harness.base, &settings);
    bots_set_server(crash->bots, crash->harness.server.port, crash->harness.server.key);
    bots_add_pairs(crash->bots, crash->games, terms, ARRAY_LEN(terms));
    crash->dice = crash->bots->first;
    crash->checker = checker_new(crash->bots, crash->forge);
    crash->restart_ms =
        mem_resize(NULL, (size_t)crash->kills + 1, sizeof *crash->restart_ms);
    check_ended(crash);
}

static void play(struct crash *crash)
{
    crash->began_ms = crash->moved_ms = mono_now_ms();
    harness_watch(&crash->harness, LOOK_MS, must_stop, crash);
}

static void report_play(struct crash *crash)
{
    const struct bots_counts *counts = &crash->bots->counts;
    char why[160];
    int unfinished = 0;

    for (const struct bot *bot = crash->bots->first; bot != NULL; bot = bot->next)
        unfinished += bot->match != NULL;
    snprintf(why, sizeof why,
             "%d players are in unfinished games, kills %d of %d, the latest move was "
             "%lld s ago",
             unfinished, crash->kills_done, crash->kills,
             (long long)(mono_now_ms() - crash->moved_ms) / 1000);
    harness_report(&crash->harness, is_over(crash) && unfinished == 0,
                   "every-game-finishes", "%s", why);
    snprintf(why, sizeof why, "%lld complaints, see above", (long long)counts->faults);
    harness_report(&crash->harness, counts->faults == 0, "protocol-promises-hold", "%s",
                   why);
}

/* --- Checks --- */

static void check(struct crash *crash)
{
    struct harness *harness = &crash->harness;
    bool is_whole = harness->failed == 0;

    if (!is_whole)
        janggid_kill(&harness->server);
    if (harness_check_database(harness, crash->checker) && is_whole)
        harness_check_watcher(harness, crash->checker);
}

static void check_controls(struct crash *crash)
{
    static const char *const kinds[] = {"drop", "alter", "double", "clock", "charge"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        char name[64];

        snprintf(name, sizeof name, "control-%s-is-detected", kinds[i]);
        harness_report(
            &crash->harness,
            checker_detects(crash->checker, crash->harness.server.data, kinds[i]), name,
            "the checker does not notice it");
    }
}

static void summarise(struct crash *crash)
{
    const struct bots_counts *counts = &crash->bots->counts;
    const struct checker_findings *findings = checker_findings(crash->checker);
    int played = crash->kills_done - crash->kills_in_start;

    harness_print("seed", (int64_t)crash->harness.seed);
    harness_print("games at once", crash->games);
    harness_print("kills", crash->kills_done);
    harness_print("  of them during a start", crash->kills_in_start);
    harness_print("  games in play at one of the others",
                  played > 0 ? crash->playing_at_kills / played : 0);
    harness_print("games", findings->games);
    harness_print("moves acknowledged", counts->moves);
    harness_print("  for each kill",
                  crash->kills_done > 0 ? counts->moves / crash->kills_done : 0);
    harness_print("events seen", counts->events);
    harness_print("moves sent again", counts->resent);
    harness_print("  that had been played", counts->repeats);
    harness_print("logins", counts->logins);
    harness_print("complaints", counts->faults);
    harness_print("events and acknowledgements checked", findings->seen.checked);
    harness_print("events replayed, clocks heard", findings->played.checked);
    harness_print("events told to a late watcher", findings->told.checked);
    harness_print("lost", findings->seen.lost + findings->told.lost);
    harness_print("changed", findings->seen.changed + findings->told.changed);
    harness_print("doubled", findings->seen.doubled);
    harness_print("illegal, clock", findings->played.illegal + findings->played.clock);
    harness_print("restart ms, middle",
                  harness_percentile(crash->restart_ms, crash->restarts, 50));
    harness_print("restart ms, longest",
                  harness_percentile(crash->restart_ms, crash->restarts, 100));
    harness_print("seconds", (mono_now_ms() - crash->began_ms) / 1000);
}

/* --- From the command line --- */

static void run(struct crash *crash)
{
    gather(crash);
    play(crash);
    report_play(crash);
    check(crash);
    if (crash->harness.failed == 0)
        check_controls(crash);
    summarise(crash);
    checker_free(crash->checker);
    free(crash->restart_ms);
    bots_free(crash->bots);
}

int main(int argc, char **argv)
{
    struct crash crash = {.harness.name = "crash-kill9",
                          .games = 200,
                          .kills = 20,
                          .plies = 120,
                          .think_ms = 100,
                          .gap_ms = 1400};
    const struct options_row options[] = {
        {"games", .number = &crash.games, .least = 1, .help = "games at once"},
        {"kills", .number = &crash.kills, .help = "kills"},
        {"plies", .number = &crash.plies, .help = "plies of a game"},
        {"think", .number = &crash.think_ms, .help = "ms, on average, for a move"},
        {"gap", .number = &crash.gap_ms, .least = 1,
         .help = "most ms to the next kill"},
        {"forge", .text = &crash.forge,
         .help = "control: drop, alter, double or clock"},
        {"lose", .number = &crash.lose, .help = "control: events lost at each kill"}};

    if (!harness_init(&crash.harness, options, ARRAY_LEN(options), argc, argv))
        return 2;
    if (harness_make_server(&crash.harness) && janggid_start(&crash.harness.server))
        run(&crash);
    else
        harness_report(&crash.harness, false, "server-starts", "see above");
    harness_remove_files(&crash.harness, crash.harness.failed == 0);
    return harness_end(&crash.harness);
}
