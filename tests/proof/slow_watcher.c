/* Tests watchers that do not read. Three rounds of the same games are played: one to
 * warm up, one without watchers, and one with many watchers who request every game and
 * then do not read. The server's memory must not grow with the unread data, and the
 * players must not be delayed. Afterwards the watchers begin to read, and get whole
 * logs.
 *
 * A watcher requests several games, because one log of 300 moves would fit into the
 * kernel's socket buffers and would prove nothing. */
#include <stdio.h>
#include <string.h>

#include <event2/event.h>

#include "tests/bot/bot.h"
#include "tests/bot/random_game.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"
#include "tests/lib/process.h"

enum { WARM, ALONE, WATCHED, ALONE_AGAIN, ROUNDS };
enum {
    GAMES = 60,
    PLIES = 300,
    WATCHERS = 20,
    THINK_MS = 12,
    LINE_HEAD_BYTES = 12, /* "! game 7 41 " */
    PATIENCE_MS = 120000,
    /* The most memory that a stalled reader may cost: a queued piece of the log, the
     * TLS record made of it, the capacity of buffers, and a read position in each of 60
     * games. A queue of the unread data would be a megabyte. */
    WATCHER_BYTES_MAX = 128 * 1024,
    DELAY_TIMES_MAX = 5,
    DELAY_US_MAX = 20000
};

struct round {
    int64_t took_us[GAMES * (PLIES + 1)];
    int count;
    int64_t p50_us, p99_us;
    int64_t before, after; /* RssAnon of the server, in bytes */
};

struct trial {
    struct harness harness;
    struct bots *players, *watchers;
    struct random_game book[GAMES];
    struct round round[ROUNDS];
    int at; /* number of the round, from 0; each player plays one game per round */
    int watched;
};

static const char *const terms = "time=20m+3x40s";

/* --- Players --- */

static bool wants_game(void *arg, struct bot *bot)
{
    const struct trial *trial = arg;

    return bot->played <= trial->at && trial->players->online == 2 * GAMES;
}

static void on_answered(void *arg, struct bot *bot, int64_t took_us)
{
    struct trial *trial = arg;
    struct round *round = &trial->round[trial->at];

    (void)bot;
    if (round->count < (int)ARRAY_LEN(round->took_us))
        round->took_us[round->count++] = took_us;
}

static bool has_played(const struct trial *trial)
{
    for (const struct bot *bot = trial->players->first; bot != NULL; bot = bot->next)
        if (bot->played <= trial->at)
            return false;
    return true;
}

/* --- The loop, in pieces --- */

/* Runs the loop until is_done(). Reports a failure when PATIENCE_MS pass without a
 * move. */
static void run_until(struct trial *trial, bool (*is_done)(void *arg), const char *what)
{
    const struct bots_counts *counts = &trial->players->counts;
    int64_t moves;
    bool is_good;

    do {
        moves = counts->moves;
        is_good = harness_run_until(&trial->harness, trial->players, is_done, trial,
                                    PATIENCE_MS);
    } while (!is_good && counts->moves > moves && counts->faults == 0 &&
             janggid_is_up(&trial->harness.server));
    if (!is_good)
        harness_report(&trial->harness, false, "patience", "waited for %s", what);
}

static bool are_in(void *arg)
{
    const struct trial *trial = arg;

    return trial->players->online == 2 * GAMES &&
           trial->watchers->online == trial->watchers->count;
}

static bool is_played(void *arg)
{
    return has_played(arg);
}

/* Makes every watcher request each game that starts. When the watchers have requested
 * all games, they stop reading. Returns true when the round is over. */
static bool is_played_watched(void *arg)
{
    struct trial *trial = arg;

    for (struct bot *bot = trial->players->first; bot != NULL; bot = bot->next) {
        if (!bot->is_maker || bot->match == NULL || bot->played != trial->at ||
            bot_find_match(trial->watchers->first, bot->match->history.game) != NULL)
            continue;
        for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
            bot_watch(w, bot->match->history.game);
        trial->watched++;
    }
    for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
        if (trial->watched == GAMES)
            wire_hold(w->wire, true);
    return has_played(trial);
}

static bool have_read(void *arg)
{
    const struct trial *trial = arg;

    for (const struct bot *w = trial->watchers->first; w != NULL; w = w->next) {
        int whole = 0;

        for (const struct bot_match *m = w->matches; m != NULL; m = m->next)
            whole += m->game.phase == GAME_OVER;
        if (whole < GAMES)
            return false;
    }
    return true;
}

/* --- The trial --- */

static void play_round(struct trial *trial, int number, bool (*is_done)(void *arg))
{
    static const char *const names[] = {"to get warm:", "nobody watches:",
                                        "20 who do not read:", "nobody watches again:"};
    struct round *round = &trial->round[number];

    trial->at = number;
    round->before = process_memory(trial->harness.server.pid, "RssAnon");
    for (struct bot *bot = trial->players->first; bot != NULL; bot = bot->next)
        bot_act(bot);
    run_until(trial, is_done, "the end of a round");
    round->after = process_memory(trial->harness.server.pid, "RssAnon");
    round->p50_us = harness_percentile(round->took_us, round->count, 50);
    round->p99_us = harness_percentile(round->took_us, round->count, 99);
    printf(
        "# %-21s %d moves, send to OK p50 %lld us, p99 %lld us, server memory %lld -> "
        "%lld KiB\n",
        names[number], round->count, (long long)round->p50_us, (long long)round->p99_us,
        (long long)round->before / 1024, (long long)round->after / 1024);
}

static void add_players(struct trial *trial)
{
    struct bots_settings settings = {.think_ms = THINK_MS,
                                     .plies_max = PLIES,
                                     .arg = trial,
                                     .wants_game = wants_game,
                                     .script = trial->book,
                                     .scripts = GAMES,
                                     .on_answered = on_answered};

    for (int i = 0; i < GAMES; i++)
        random_game_init(&trial->book[i], trial->harness.seed + (uint64_t)i, PLIES);
    trial->players = bots_new(trial->harness.base, &settings);
    bots_set_server(trial->players, trial->harness.server.port,
                    trial->harness.server.key);
    bots_add_pairs(trial->players, GAMES, &terms, 1);
}

static void add_watchers(struct trial *trial)
{
    struct bots_settings settings = {.is_narrow = true};

    trial->watchers = bots_new(trial->harness.base, &settings);
    bots_set_server(trial->watchers, trial->harness.server.port,
                    trial->harness.server.key);
}

/* Compares each watcher's log of each game with the player's. */
static int compare_logs(struct trial *trial)
{
    struct verdict verdict = {0};

    for (const struct bot *player = trial->players->first; player != NULL;
         player = player->next) {
        const struct bot_match *mine = player->matches; /* the newest */
        struct history_log log;

        history_log_init(&log, mine->history.game);
        for (int i = 0; i < mine->game.events; i++)
            history_log_add(&log, mine->history.event[i]);
        for (const struct bot *w = trial->watchers->first; w != NULL; w = w->next) {
            const struct bot_match *seen = bot_find_match(w, log.game);

            if (seen == NULL || seen->history.events != log.count)
                verdict.lost++;
            else
                verdict_check_history(&verdict, &seen->history, &log);
        }
        history_log_clear(&log);
    }
    printf("# compared %d events that watchers read in the end\n", verdict.checked);
    return verdict_faults(&verdict);
}

/* Returns the number of bytes in the kernel's buffers of all connections to the
 * server's port, at both ends. Data that the server has sent and a watcher has not read
 * is in these buffers. If they have few bytes, the server has held the data back. */
static int64_t bytes_in_kernel(int port)
{
    FILE *file = fopen("/proc/net/tcp", "r");
    unsigned local, remote, sent, received;
    int64_t sum = 0;
    char line[256];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, " %*d: %*8x:%4x %*8x:%4x %*2x %8x:%8x", &local, &remote, &sent,
                   &received) == 4 &&
            (local == (unsigned)port || remote == (unsigned)port))
            sum += (int64_t)sent + received;
    if (file != NULL)
        fclose(file);
    return sum;
}

/* Returns how many bytes of text the watchers have requested and not read. */
static int64_t bytes_unread(const struct trial *trial)
{
    int64_t sum = 0;

    for (const struct bot *bot = trial->players->first; bot != NULL; bot = bot->next)
        for (int i = 0; bot->is_maker && i < bot->matches->game.events; i++)
            sum += (int64_t)strlen(bot->matches->history.event[i]) + LINE_HEAD_BYTES;
    return sum * WATCHERS;
}

static void check_stillness(struct trial *trial)
{
    int64_t unread = bytes_unread(trial);
    int64_t held = bytes_in_kernel(trial->harness.server.port);

    printf("# of %lld KiB that watchers do not read the system holds %lld KiB\n",
           (long long)unread / 1024, (long long)held / 1024);
    harness_report(&trial->harness, held < unread / 2, "stands-still", "see above");
}

static void check_memory(struct trial *trial)
{
    const struct round *alone = &trial->round[ALONE], *watched = &trial->round[WATCHED];
    int64_t more = (watched->after - watched->before) - (alone->after - alone->before);

    if (watched->after < 0) {
        printf("# the system does not tell the server's memory: not checked\n");
        return;
    }
    printf("# a watcher who stands still costs %lld bytes (bound %d)\n",
           (long long)more / WATCHERS, WATCHER_BYTES_MAX);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    printf("# a sanitizer keeps what is freed: not checked\n");
    return;
#endif
    harness_report(&trial->harness, more < (int64_t)WATCHERS * WATCHER_BYTES_MAX,
                   "costs-the-server-no-memory", "see above");
}

static bool is_quick(const struct round *round, int64_t p99_us)
{
    return round->p50_us < p99_us * DELAY_TIMES_MAX + DELAY_US_MAX;
}

/* Compares how long the players waited for answers with watchers and without. If they
 * waited too long with watchers, plays once more without: the machine may have become
 * slower. */
static void check_delay(struct trial *trial)
{
    const struct round *round = trial->round;
    int64_t p99_us = round[ALONE].p99_us;

    if (!is_quick(&round[WATCHED], p99_us)) {
        play_round(trial, ALONE_AGAIN, is_played);
        if (round[ALONE_AGAIN].p99_us > p99_us)
            p99_us = round[ALONE_AGAIN].p99_us;
    }
    harness_report(&trial->harness, is_quick(&round[WATCHED], p99_us),
                   "delays-no-player", "see above");
}

static void run(struct trial *trial)
{
    add_players(trial);
    add_watchers(trial);
    run_until(trial, are_in, "players to log in");
    play_round(trial, WARM, is_played);
    play_round(trial, ALONE, is_played);
    for (int i = 0; i < WATCHERS; i++)
        bots_add(trial->watchers, "");
    run_until(trial, are_in, "watchers to log in");
    play_round(trial, WATCHED, is_played_watched);
    check_stillness(trial);
    check_memory(trial);
    for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
        wire_hold(w->wire, false);
    run_until(trial, have_read, "watchers to read");
    harness_report(&trial->harness, compare_logs(trial) == 0,
                   "reads-the-whole-log-in-the-end", "see above");
    check_delay(trial);
    harness_report(&trial->harness,
                   trial->players->counts.faults + trial->watchers->counts.faults == 0,
                   "nobody-complains", "see above");
    bots_free(trial->watchers);
    bots_free(trial->players);
    harness_report(&trial->harness,
                   janggid_stop(&trial->harness.server, trial->harness.base),
                   "server-stops-in-order", "see above");
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"--limits", "slow-reader-s=0", NULL};
    static struct trial trial = {.harness = {.name = "slow-watcher", .words = words}};

    if (!harness_init(&trial.harness, NULL, 0, argc, argv))
        return 2;
    if (harness_make_server(&trial.harness) && janggid_start(&trial.harness.server))
        run(&trial);
    else
        harness_report(&trial.harness, false, "server-starts", "see above");
    harness_remove_files(&trial.harness, trial.harness.failed == 0);
    for (int i = 0; i < GAMES; i++)
        random_game_clear(&trial.book[i]);
    return harness_end(&trial.harness);
}
