/* Many games at once between scripted players, and a server that is killed with SIGKILL
 * at random moments and started again on the same directory and port. In the end every
 * game must have finished, and every event that any player saw or was promised must
 * stand in the log, once and unchanged: in what the server tells a late watcher, and in
 * the database file.
 *
 * SIGKILL shows what the death of the process does. It cannot show a loss of power: the
 * kernel's page cache survives it.
 *
 *   storm [--build DIR] [--games N] [--kills N] [--seed N] [--plies N] [--think MS]
 *         [--server FILE] [--forge drop|alter|double|clock] [--lose N] [--keep]
 *
 * --forge changes one event of the log before it is judged, and --lose takes the last
 * event of N games out of the database after each kill; --server is another janggid
 * than the one in DIR. With a lie of any of these kinds the storm must fail, and that
 * is tested too. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <sqlite3.h>

#include "common/log.h"
#include "common/mem.h"
#include "common/mono.h"
#include "common/text.h"
#include "tests/bot.h"
#include "tests/e2e/libledger.h"
#include "tests/process.h"

enum {
    LOOK_MS = 50,
    KILL_GAP_LEAST_MS = 50,
    KILL_GAP_MOST_MS = 1400,
    STUMBLE_MOST_US = 80000, /* into its start */
    CUTS_PER_MILLE = 10,
    PATIENCE_S = 240
};

struct storm {
    const char *build;
    const char *program; /* NULL: janggid of the build */
    int games, kills, lose;
    int plies, think_ms;
    uint64_t seed;
    const char *forge;
    bool keeps_files;

    struct event_base *base;
    struct event *look;
    struct janggid server;
    struct bots *bots;
    struct bot *dice; /* its random numbers say when to kill */
    char directory[JANGGID_PATH_BYTES];
    int kills_done, stumbles;
    int playing_at_kills; /* games in play, summed over the kills */
    int64_t next_kill_ms, give_up_ms, began_ms;
    bool is_broken;
    int passed, failed;
};

static const char *const terms[] = {"time=none", "time=30m+2s", "time=20m+3x40s"};

/* --- Reports -------------------------------------------------------------------- */

static void report(struct storm *storm, bool is_good, const char *name, const char *why)
{
    if (is_good)
        printf("ok %s\n", name);
    else
        printf("not ok %s %s\n", name, why);
    *(is_good ? &storm->passed : &storm->failed) += 1;
    fflush(stdout);
}

/* --- The weather ------------------------------------------------------------------ */

static int games_in_play(const struct storm *storm)
{
    int count = 0;

    for (const struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        count +=
            bot->is_maker && bot->match != NULL && bot->match->game.phase == GAME_PLAY;
    return count;
}

static void plan_kill(struct storm *storm)
{
    storm->next_kill_ms = mono_now_ms() + KILL_GAP_LEAST_MS +
                          bot_random(storm->dice, KILL_GAP_MOST_MS - KILL_GAP_LEAST_MS);
}

static void strike(struct storm *storm)
{
    storm->playing_at_kills += games_in_play(storm);
    if (!janggid_is_up(&storm->server)) {
        storm->is_broken = true;
        return;
    }
    janggid_kill(&storm->server);
    storm->kills_done++;
    if (storm->lose > 0)
        ledger_lose(storm->server.data, storm->lose);
    if (bot_random(storm->dice, 4) == 0) {
        janggid_stumble(&storm->server, bot_random(storm->dice, STUMBLE_MOST_US));
        storm->stumbles++;
    }
    if (!janggid_start(&storm->server))
        storm->is_broken = true;
    plan_kill(storm);
}

static bool is_over(const struct storm *storm)
{
    if (storm->kills_done < storm->kills)
        return false;
    for (const struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        if (bot->state != BOT_IN || bot->match != NULL || bot->asking != ASK_NONE ||
            bot->resumes_due > 0)
            return false;
    return true;
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct storm *storm = arg;
    int64_t now_ms = mono_now_ms();

    (void)fd;
    (void)what;
    if (storm->next_kill_ms == 0 && games_in_play(storm) == storm->games)
        plan_kill(storm);
    if (storm->next_kill_ms != 0 && now_ms >= storm->next_kill_ms &&
        storm->kills_done < storm->kills)
        strike(storm);
    if (!storm->is_broken && !janggid_is_up(&storm->server))
        storm->is_broken = true;
    if (is_over(storm) || storm->is_broken || storm->bots->counts.faults > 0 ||
        now_ms > storm->give_up_ms)
        event_base_loopbreak(storm->base);
}

static bool wants_game(void *arg, struct bot *bot)
{
    const struct storm *storm = arg;

    return storm->kills_done < storm->kills || bot->matches == NULL;
}

static void gather(struct storm *storm)
{
    struct bots_settings settings = {.seed = storm->seed,
                                     .think_ms = storm->think_ms,
                                     .plies_max = storm->plies,
                                     .cuts_per_mille = CUTS_PER_MILLE,
                                     .arg = storm,
                                     .wants_game = wants_game};
    char name[BOT_NAME_BYTES];

    storm->bots = bots_new(storm->base, &settings);
    bots_set_server(storm->bots, storm->server.port, storm->server.key);
    for (int i = 0; i < storm->games; i++) {
        struct bot *maker, *taker;

        snprintf(name, sizeof name, "red%d", i);
        maker = bots_add(storm->bots, name);
        snprintf(name, sizeof name, "blue%d", i);
        taker = bots_add(storm->bots, name);
        bots_pair(maker, taker, terms[(size_t)i % ARRAY_LEN(terms)]);
    }
    storm->dice = storm->bots->first;
}

static void rage(struct storm *storm)
{
    struct timeval every = {.tv_usec = LOOK_MS * 1000};

    storm->began_ms = mono_now_ms();
    storm->give_up_ms =
        storm->began_ms + (int64_t)(PATIENCE_S + 3 * storm->kills) * 1000;
    storm->look = event_new(storm->base, -1, EV_PERSIST, on_look, storm);
    event_add(storm->look, &every);
    event_base_dispatch(storm->base);
    event_free(storm->look);
}

static void report_play(struct storm *storm)
{
    const struct bots_counts *counts = &storm->bots->counts;
    char why[160];
    int unfinished = 0;

    for (const struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        unfinished += bot->match != NULL;
    snprintf(why, sizeof why, "%d players are in unfinished games, kills %d of %d",
             unfinished, storm->kills_done, storm->kills);
    report(storm, is_over(storm) && unfinished == 0, "storm-every-game-finishes", why);
    snprintf(why, sizeof why, "%lld complaints, see above", (long long)counts->faults);
    report(storm, counts->faults == 0, "storm-protocol-promises-hold", why);
}

/* --- Judgement -------------------------------------------------------------------- */

static void report_verdict(struct storm *storm, const char *name,
                           const struct verdict *verdict)
{
    char why[200];

    snprintf(why, sizeof why, "lost=%d changed=%d doubled=%d illegal=%d clock=%d",
             verdict->lost, verdict->changed, verdict->doubled, verdict->illegal,
             verdict->clock);
    report(storm, verdict_faults(verdict) == 0, name, why);
}

/* What a watcher who comes after everything is told. */
static void read_back(struct storm *storm, struct ledger *ledger)
{
    struct janggid *server = &storm->server;

    if (!janggid_stop(server, storm->base) || !janggid_start(server)) {
        report(storm, false, "storm-server-stops-in-order", "see above");
        return;
    }
    ledger_read_server(ledger, storm->base, server->port, server->key);
    report(storm, janggid_stop(server, storm->base), "storm-server-stops-in-order",
           "see above");
}

static void judge(struct storm *storm)
{
    struct ledger *ledger = ledger_new(storm->bots);
    struct verdict seen = {0}, told = {0}, played = {0};
    bool is_whole = storm->failed == 0;

    if (is_whole)
        read_back(storm, ledger);
    else
        janggid_kill(&storm->server);
    if (!ledger_read_database(ledger, storm->server.data)) {
        report(storm, false, "storm-database-reads", "see above");
        ledger_free(ledger);
        return;
    }
    if (storm->forge != NULL)
        ledger_forge(ledger, storm->forge);
    ledger_judge_seen(ledger, &seen);
    report_verdict(storm, "storm-nothing-seen-or-promised-is-lost", &seen);
    if (is_whole) {
        ledger_judge_told(ledger, &told);
        report_verdict(storm, "storm-server-tells-what-the-file-says", &told);
        ledger_judge_played(ledger, janggid_uptime_ms(&storm->server), &played);
        report_verdict(storm, "storm-replay-is-legal-and-clocks-fall", &played);
    }
    printf("# judged %d games: %d events and promises by players, %d by a watcher, %d "
           "in replay\n",
           ledger_count(ledger), seen.checked, told.checked, played.checked);
    ledger_free(ledger);
}

/* A judge that cannot find a fault proves nothing. */
static void try_forgeries(struct storm *storm)
{
    static const char *const kinds[] = {"drop", "alter", "double", "clock"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct ledger *ledger = ledger_new(storm->bots);
        struct verdict verdict = {.is_silent = true};
        char name[64];

        snprintf(name, sizeof name, "storm-control-%s-is-found", kinds[i]);
        if (ledger_read_database(ledger, storm->server.data)) {
            ledger_forge(ledger, kinds[i]);
            ledger_judge_seen(ledger, &verdict);
            ledger_judge_played(ledger, janggid_uptime_ms(&storm->server), &verdict);
        }
        report(storm, verdict_faults(&verdict) > 0, name, "the judge was blind to it");
        ledger_free(ledger);
    }
}

static void summarise(const struct storm *storm)
{
    const struct bots_counts *counts = &storm->bots->counts;

    printf("# storm: seed %llu, %d games at once, %d kills (%d more while starting, %d "
           "games in play at a kill), %lld moves acknowledged, %lld events seen, %lld "
           "logins, %lld moves sent again of which %lld had been played, %lld s\n",
           (unsigned long long)storm->seed, storm->games, storm->kills_done,
           storm->stumbles,
           storm->kills_done > 0 ? storm->playing_at_kills / storm->kills_done : 0,
           (long long)counts->moves, (long long)counts->events,
           (long long)counts->logins, (long long)counts->resent,
           (long long)counts->repeats,
           (long long)(mono_now_ms() - storm->began_ms) / 1000);
}

/* --- From the command line ----------------------------------------------------------
 */

static bool read_options(struct storm *storm, int argc, char **argv)
{
    static const struct option options[] = {
        {"build", 1, NULL, 'b'},
        {"server",   1, NULL, 'S'},
        {"games",       1, NULL, 'g'},
        {"kills",    1, NULL, 'k'},
        {"seed",    1, NULL, 's'},
        {"plies", 1, NULL, 'p'},
        {"think",   1, NULL, 't'},
        {"forge",       1, NULL, 'f'},
        {"lose",   1, NULL, 'l'},
        {"keep",    0, NULL, 'K'},
        {0 }
    };
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        long number = optarg != NULL ? strtol(optarg, NULL, 10) : 0;

        switch (c) {
        case 'b':
            storm->build = optarg;
            break;
        case 'S':
            storm->program = optarg;
            break;
        case 'g':
            storm->games = (int)number;
            break;
        case 'k':
            storm->kills = (int)number;
            break;
        case 's':
            storm->seed = (uint64_t)number;
            break;
        case 'p':
            storm->plies = (int)number;
            break;
        case 't':
            storm->think_ms = (int)number;
            break;
        case 'f':
            storm->forge = optarg;
            break;
        case 'l':
            storm->lose = (int)number;
            break;
        case 'K':
            storm->keeps_files = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc && storm->games > 0;
}

static bool start(struct storm *storm)
{
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    process_raise_files(4096);
    scratch_make(storm->directory, "storm");
    storm->base = event_base_new();
    if (storm->base == NULL ||
        !janggid_init(&storm->server, storm->build, storm->directory))
        return false;
    if (storm->program != NULL &&
        !text_copy(storm->server.program, sizeof storm->server.program, storm->program))
        return false;
    return janggid_start(&storm->server);
}

int main(int argc, char **argv)
{
    struct storm storm = {.build = "build",
                          .games = 200,
                          .kills = 10,
                          .seed = (uint64_t)wall_now_s(),
                          .plies = 120,
                          .think_ms = 100};

    if (!read_options(&storm, argc, argv)) {
        fprintf(stderr, "storm: see the head of tests/e2e/storm.c\n");
        return 2;
    }
    printf("# storm --seed %llu\n", (unsigned long long)storm.seed);
    if (!start(&storm)) {
        report(&storm, false, "storm-server-starts", "see above");
    } else {
        gather(&storm);
        rage(&storm);
        report_play(&storm);
        judge(&storm);
        if (storm.failed == 0)
            try_forgeries(&storm);
        summarise(&storm);
        bots_free(storm.bots);
        event_base_free(storm.base);
    }
    if (storm.failed == 0 && !storm.keeps_files)
        scratch_remove(storm.directory);
    else
        printf("# files are in %s\n", storm.directory);
    printf("%d passed, %d failed\n", storm.passed, storm.failed);
    return storm.failed == 0 ? 0 : 1;
}
