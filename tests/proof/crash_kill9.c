/* Many games at once between scripted players, and a server that is killed with SIGKILL
 * at random moments, in its start too, and started again on the same directory and
 * port. Who has finished a game plays another, until the last kill. In the end every
 * game must have finished, and every event that any player saw or was promised must
 * stand in the log, once and unchanged: in what the server tells a late watcher, and in
 * the database file. What is over is judged on the way, so that a long storm needs no
 * more memory than a short one.
 *
 * SIGKILL shows what the death of the process does. It cannot show a loss of power: the
 * kernel's page cache survives it.
 *
 *   storm [--build DIR] [--games N] [--kills N] [--seed N] [--plies N] [--think MS]
 *         [--gap MS] [--server FILE] [--forge drop|alter|double|clock] [--lose N]
 * [--keep]
 *
 * A kill comes after at most --gap ms.
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

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/lib/bot.h"
#include "tests/lib/checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/ledger.h"
#include "tests/lib/process.h"
#include "tests/lib/random_game.h"

enum {
    LOOK_MS = 50,
    KILL_GAP_LEAST_MS = 50,
    BACK_OFF_MOST_MS = 300,
    STUMBLE_MOST_US = 80000, /* into its start */
    CUTS_PER_MILLE = 10,
    SIT_LEAST = 5,       /* kills between two sessions of the court, */
    SIT_MOST = 50,       /* each of which prints a line */
    PATIENCE_MS = 240000 /* without a move */
};

struct storm {
    const char *build;
    const char *program; /* NULL: janggid of the build */
    int games, kills, lose;
    int plies, think_ms, gap_ms;
    uint64_t seed;
    const char *forge;
    bool keeps_files;

    struct event_base *base;
    struct event *look;
    struct janggid server;
    struct bots *bots;
    struct bot *dice; /* its random numbers say when to kill */
    char directory[JANGGID_PATH_BYTES];
    struct court *court;
    int kills_done, stumbles; /* stumbles: kills of a server that starts */
    int playing_at_kills;     /* games in play, summed over the other kills */
    int next_session;         /* of the court: after so many kills */
    int64_t *restart_ms;
    int restarts;
    int64_t next_kill_ms, began_ms;
    int64_t moves_seen, moved_ms; /* the last time that a move was acknowledged */
    bool is_broken;
    struct proof proof;
};

static const char *const terms[] = {"time=none", "time=30m+2s", "time=20m+3x40s"};

/* --- Reports --- */

/* --- The weather --- */

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
                          bot_random(storm->dice, (uint32_t)storm->gap_ms);
}

static void print_progress(const struct storm *storm)
{
    const struct bots_counts *counts = &storm->bots->counts;

    printf("# %d kills of %d, %d in a start; %d games, %lld moves acknowledged, %lld "
           "events seen; restarted in %lld ms; %lld s\n",
           storm->kills_done, storm->kills, storm->stumbles,
           court_findings(storm->court)->games, (long long)counts->moves,
           (long long)counts->events, (long long)storm->server.start_took_ms,
           (long long)(mono_now_ms() - storm->began_ms) / 1000);
    fflush(stdout);
}

/* The server is down. */
static void sit(struct storm *storm)
{
    int every = storm->kills / 20;

    if (storm->kills_done < storm->next_session)
        return;
    if (storm->next_session > 0) {
        print_progress(storm);
        if (!court_sit(storm->court, storm->server.data,
                       janggid_uptime_ms(&storm->server)))
            storm->is_broken = true;
    }
    every = every < SIT_LEAST ? SIT_LEAST : every > SIT_MOST ? SIT_MOST : every;
    storm->next_session = storm->kills_done + every;
}

static void rise(struct storm *storm)
{
    if (storm->kills_done < storm->kills && bot_random(storm->dice, 4) == 0) {
        janggid_stumble(&storm->server, bot_random(storm->dice, STUMBLE_MOST_US));
        storm->stumbles++;
        storm->kills_done++;
    }
    if (janggid_start(&storm->server))
        storm->restart_ms[storm->restarts++] = storm->server.start_took_ms;
    else
        storm->is_broken = true;
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
    sit(storm);
    rise(storm);
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

/* Nobody has moved for long: something hangs. */
static bool is_becalmed(struct storm *storm)
{
    int64_t now_ms = mono_now_ms();

    if (storm->bots->counts.moves != storm->moves_seen) {
        storm->moves_seen = storm->bots->counts.moves;
        storm->moved_ms = now_ms;
    }
    return now_ms - storm->moved_ms > PATIENCE_MS;
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
        is_becalmed(storm))
        event_base_loopbreak(storm->base);
}

static bool wants_game(void *arg, struct bot *bot)
{
    const struct storm *storm = arg;

    return storm->kills_done < storm->kills || bot->matches == NULL;
}

static int64_t server_began_ms(void *arg)
{
    const struct storm *storm = arg;

    return storm->server.began_ms;
}

static void gather(struct storm *storm)
{
    struct bots_settings settings = {.seed = storm->seed,
                                     .think_ms = storm->think_ms,
                                     .plies_max = storm->plies,
                                     .cuts_per_mille = CUTS_PER_MILLE,
                                     .back_off_most_ms = BACK_OFF_MOST_MS,
                                     .arg = storm,
                                     .wants_game = wants_game,
                                     .server_began_ms = server_began_ms};
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
    storm->court = court_new(storm->bots, storm->forge);
    storm->restart_ms =
        mem_resize(NULL, (size_t)storm->kills + 1, sizeof *storm->restart_ms);
    sit(storm);
}

static void rage(struct storm *storm)
{
    struct timeval every = {.tv_usec = LOOK_MS * 1000};

    storm->began_ms = storm->moved_ms = mono_now_ms();
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
    proof_report(&storm->proof, is_over(storm) && unfinished == 0,
                 "every-game-finishes", "%s", why);
    snprintf(why, sizeof why, "%lld complaints, see above", (long long)counts->faults);
    proof_report(&storm->proof, counts->faults == 0, "protocol-promises-hold", "%s",
                 why);
}

/* --- Judgement --- */

/* The file first; what a watcher who comes after everything is told, is compared with
 * it. */
static void judge(struct storm *storm)
{
    struct janggid *server = &storm->server;
    const struct court_findings *findings = court_findings(storm->court);
    bool is_whole = storm->proof.failed == 0;

    if (!is_whole)
        janggid_kill(server);
    else
        proof_report(&storm->proof, janggid_stop(server, storm->base),
                     "server-stops-in-order", "see above");
    if (!court_close(storm->court, server->data, janggid_uptime_ms(server))) {
        proof_report(&storm->proof, false, "database-reads", "see above");
        return;
    }
    proof_verdict(&storm->proof, "nothing-seen-or-promised-is-lost", &findings->seen);
    if (!is_whole)
        return;
    proof_verdict(&storm->proof, "replay-is-legal-and-clocks-fall", &findings->played);
    if (janggid_start(server)) {
        court_hear_watcher(storm->court, storm->base, server->port, server->key);
        is_whole = janggid_stop(server, storm->base);
    }
    proof_report(&storm->proof, is_whole, "server-starts-once-more", "see above");
    proof_verdict(&storm->proof, "server-tells-what-the-file-says", &findings->told);
}

/* A judge that cannot find a fault proves nothing. */
static void try_forgeries(struct storm *storm)
{
    static const char *const kinds[] = {"drop", "alter", "double", "clock", "charge"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        char name[64];

        snprintf(name, sizeof name, "control-%s-is-found", kinds[i]);
        proof_report(&storm->proof,
                     court_finds(storm->court, storm->server.data, kinds[i]), name,
                     "the judge was blind to it");
    }
}

static void summarise(struct storm *storm)
{
    const struct bots_counts *counts = &storm->bots->counts;
    const struct court_findings *findings = court_findings(storm->court);
    int played = storm->kills_done - storm->stumbles;

    proof_row("seed", (int64_t)storm->seed);
    proof_row("games at once", storm->games);
    proof_row("kills", storm->kills_done);
    proof_row("  of them during a start", storm->stumbles);
    proof_row("  games in play at one of the others",
              played > 0 ? storm->playing_at_kills / played : 0);
    proof_row("games", findings->games);
    proof_row("moves acknowledged", counts->moves);
    proof_row("  for each kill",
              storm->kills_done > 0 ? counts->moves / storm->kills_done : 0);
    proof_row("events seen", counts->events);
    proof_row("moves sent again", counts->resent);
    proof_row("  that had been played", counts->repeats);
    proof_row("logins", counts->logins);
    proof_row("complaints", counts->faults);
    proof_row("events and promises judged", findings->seen.checked);
    proof_row("events replayed, clocks heard", findings->played.checked);
    proof_row("events told to a late watcher", findings->told.checked);
    proof_row("lost", findings->seen.lost + findings->told.lost);
    proof_row("changed", findings->seen.changed + findings->told.changed);
    proof_row("doubled", findings->seen.doubled);
    proof_row("illegal, clock", findings->played.illegal + findings->played.clock);
    proof_row("restart ms, middle",
              sample_percentile(storm->restart_ms, storm->restarts, 50));
    proof_row("restart ms, longest",
              sample_percentile(storm->restart_ms, storm->restarts, 100));
    proof_row("seconds", (mono_now_ms() - storm->began_ms) / 1000);
}

/* --- From the command line --- */

static bool read_options(struct storm *storm, int argc, char **argv)
{
    static const struct option options[] = {
        {"build", 1, NULL, 'b'}, {"server", 1, NULL, 'S'}, {"games", 1, NULL, 'g'},
        {"kills", 1, NULL, 'k'}, {"seed", 1, NULL, 's'},   {"plies", 1, NULL, 'p'},
        {"think", 1, NULL, 't'}, {"gap", 1, NULL, 'G'},    {"forge", 1, NULL, 'f'},
        {"lose", 1, NULL, 'l'},  {"keep", 0, NULL, 'K'},   {0}};
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
        case 'G':
            storm->gap_ms = (int)number;
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
    return optind == argc && storm->games > 0 && storm->gap_ms > 0;
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
    struct storm storm = {.proof.area = "storm",
                          .build = "build",
                          .games = 200,
                          .kills = 20,
                          .seed = (uint64_t)wall_now_s(),
                          .plies = 120,
                          .think_ms = 100,
                          .gap_ms = 1400};

    if (!read_options(&storm, argc, argv)) {
        fprintf(stderr, "storm: see the head of tests/proof/crash_kill9.c\n");
        return 2;
    }
    printf("# storm --seed %llu\n", (unsigned long long)storm.seed);
    if (!start(&storm)) {
        proof_report(&storm.proof, false, "server-starts", "see above");
    } else {
        gather(&storm);
        rage(&storm);
        report_play(&storm);
        judge(&storm);
        if (storm.proof.failed == 0)
            try_forgeries(&storm);
        summarise(&storm);
        court_free(storm.court);
        free(storm.restart_ms);
        bots_free(storm.bots);
        event_base_free(storm.base);
    }
    if (storm.proof.failed == 0 && !storm.keeps_files)
        scratch_remove(storm.directory);
    else
        printf("# files are in %s\n", storm.directory);
    return proof_end(&storm.proof);
}
