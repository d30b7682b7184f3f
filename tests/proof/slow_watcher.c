/* Watchers that never read. Three rounds of the same games are played: one to get warm,
 * one alone, and one before many watchers who ask for every game and then do not read a
 * byte. The server's memory must not grow with what they do not read, and the players
 * must not wait for them. Afterwards the watchers begin to read, and get whole logs.
 *
 * A watcher asks for several games, because one log of 300 moves would fit into what
 * the kernel holds for a socket and would prove nothing.
 *
 *   slow_watcher [BUILD] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/bot.h"
#include "tests/lib/process.h"
#include "tests/lib/random_game.h"

enum { WARM, ALONE, WATCHED, ROUNDS };
enum {
    GAMES = 60,
    PLIES = 300,
    WATCHERS = 20,
    THINK_MS = 12,
    LINE_HEAD_BYTES = 12, /* "! game 7 41 " */
    LOOK_US = 2000,
    PATIENCE_MS = 120000,
    /* What one reader who stands still may cost: a piece of the log that is queued, the
     * record made of it, the room that buffers keep, 60 cursors. A queue of what it
     * does not read would be a megabyte. */
    WATCHER_BYTES_MAX = 128 * 1024,
    DELAY_TIMES_MAX = 5,
    DELAY_US_MAX = 20000
};

struct round {
    int64_t took_us[GAMES * (PLIES + 1)];
    int count;
    int64_t p50_us, p99_us;
    int64_t before, after; /* RssAnon of the server */
};

struct trial {
    struct event_base *base;
    struct janggid server;
    char directory[JANGGID_PATH_BYTES];
    struct bots *players, *watchers;
    struct playbook book[GAMES];
    struct round round[ROUNDS];
    int at; /* which round; games wanted: at + 1 */
    int watched;
    int passed, failed;
};

static void report(struct trial *trial, bool is_good, const char *name)
{
    printf("%s slow-watcher-%s\n", is_good ? "ok" : "not ok", name);
    *(is_good ? &trial->passed : &trial->failed) += 1;
    fflush(stdout);
}

/* --- Players --- */

static bool wants_game(void *arg, struct bot *bot)
{
    const struct trial *trial = arg;

    return bot->played <= trial->at && trial->players->online == 2 * GAMES;
}

static struct move choose(void *arg, struct bot *bot, struct bot_match *match)
{
    const struct trial *trial = arg;

    return trial->book[bot->number / 2].move[match->game.plies];
}

/* The line-up is the book's, so that its moves are legal. */
static enum lineup choose_lineup(void *arg, struct bot *bot, struct bot_match *match)
{
    const struct trial *trial = arg;

    return trial->book[bot->number / 2].lineup[match->side];
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

static void run_until(struct trial *trial, bool (*is_done)(struct trial *trial),
                      const char *what)
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;
    struct timeval look = {.tv_usec = LOOK_US};

    while (!is_done(trial)) {
        event_base_loopexit(trial->base, &look);
        event_base_dispatch(trial->base);
        if (mono_now_ms() > by_ms || !janggid_is_up(&trial->server)) {
            printf("# waited in vain for %s\n", what);
            report(trial, false, "patience");
            return;
        }
    }
}

static bool are_in(struct trial *trial)
{
    return trial->players->online == 2 * GAMES &&
           trial->watchers->online == trial->watchers->count;
}

static bool is_played(struct trial *trial)
{
    return has_played(trial);
}

/* Every game that has begun is asked for by every watcher, who then stops to read. */
static bool is_played_watched(struct trial *trial)
{
    for (struct bot *bot = trial->players->first; bot != NULL; bot = bot->next) {
        if (!bot->is_maker || bot->match == NULL || bot->played != trial->at ||
            bot_find_match(trial->watchers->first, bot->match->witness.game) != NULL)
            continue;
        for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
            bot_watch(w, bot->match->witness.game);
        trial->watched++;
    }
    for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
        if (trial->watched == GAMES)
            wire_hold(w->wire, true);
    return has_played(trial);
}

static bool have_read(struct trial *trial)
{
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

static void play_round(struct trial *trial, int number,
                       bool (*is_done)(struct trial *trial))
{
    static const char *const names[] = {
        "to get warm:", "nobody watches:", "20 who do not read:"};
    struct round *round = &trial->round[number];

    trial->at = number;
    round->before = process_memory(trial->server.pid, "RssAnon");
    for (struct bot *bot = trial->players->first; bot != NULL; bot = bot->next)
        bot_act(bot);
    run_until(trial, is_done, "the end of a round");
    round->after = process_memory(trial->server.pid, "RssAnon");
    round->p50_us = sample_percentile(round->took_us, round->count, 50);
    round->p99_us = sample_percentile(round->took_us, round->count, 99);
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
                                     .choose = choose,
                                     .choose_lineup = choose_lineup,
                                     .on_answered = on_answered};
    char name[BOT_NAME_BYTES];

    trial->players = bots_new(trial->base, &settings);
    bots_set_server(trial->players, trial->server.port, trial->server.key);
    for (int i = 0; i < GAMES; i++) {
        struct bot *maker, *taker;

        playbook_make(&trial->book[i], (uint64_t)i + 1, PLIES);
        snprintf(name, sizeof name, "maker%d", i);
        maker = bots_add(trial->players, name);
        snprintf(name, sizeof name, "taker%d", i);
        taker = bots_add(trial->players, name);
        bots_pair(maker, taker, "time=20m+3x40s");
    }
}

static void add_watchers(struct trial *trial)
{
    struct bots_settings settings = {.is_narrow = true};

    trial->watchers = bots_new(trial->base, &settings);
    bots_set_server(trial->watchers, trial->server.port, trial->server.key);
}

/* Each watcher's log of each game against the player's. */
static int compare_logs(struct trial *trial)
{
    struct verdict verdict = {0};

    for (const struct bot *player = trial->players->first; player != NULL;
         player = player->next) {
        const struct bot_match *mine = player->matches; /* the newest */
        struct script log;

        script_init(&log, mine->witness.game);
        for (int i = 0; i < mine->game.events; i++)
            script_add(&log, mine->witness.event[i]);
        for (const struct bot *w = trial->watchers->first; w != NULL; w = w->next) {
            const struct bot_match *seen = bot_find_match(w, log.game);

            if (seen == NULL || seen->witness.events != log.count)
                verdict.lost++;
            else
                judge_testimony(&verdict, &seen->witness, &log);
        }
        script_clear(&log);
    }
    printf("# compared %d events that watchers read in the end\n", verdict.checked);
    return verdict_faults(&verdict);
}

/* Bytes that the system holds for connections of the server's port, both ends. What is
 * neither there nor in the server has not been sent: its readers stand still. */
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

/* What watchers asked for and have not read, as text. */
static int64_t bytes_unread(const struct trial *trial)
{
    int64_t sum = 0;

    for (const struct bot *bot = trial->players->first; bot != NULL; bot = bot->next)
        for (int i = 0; bot->is_maker && i < bot->matches->game.events; i++)
            sum += (int64_t)strlen(bot->matches->witness.event[i]) + LINE_HEAD_BYTES;
    return sum * WATCHERS;
}

static void judge_stillness(struct trial *trial)
{
    int64_t unread = bytes_unread(trial);
    int64_t held = bytes_in_kernel(trial->server.port);

    printf("# of %lld KiB that watchers do not read the system holds %lld KiB\n",
           (long long)unread / 1024, (long long)held / 1024);
    report(trial, held < unread / 2, "stands-still");
}

static void judge_memory(struct trial *trial)
{
    const struct round *alone = &trial->round[ALONE], *watched = &trial->round[WATCHED];
    int64_t more = (watched->after - watched->before) - (alone->after - alone->before);

    if (watched->after < 0) {
        printf("# the system does not tell the server's memory: not judged\n");
        return;
    }
    printf("# a watcher who stands still costs %lld bytes (bound %d)\n",
           (long long)more / WATCHERS, WATCHER_BYTES_MAX);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    printf("# a sanitizer keeps what is freed: not judged\n");
    return;
#endif
    report(trial, more < (int64_t)WATCHERS * WATCHER_BYTES_MAX,
           "costs-the-server-no-memory");
}

static void run(struct trial *trial)
{
    int64_t limit_us;

    add_players(trial);
    add_watchers(trial);
    run_until(trial, are_in, "players to log in");
    play_round(trial, WARM, is_played);
    play_round(trial, ALONE, is_played);
    for (int i = 0; i < WATCHERS; i++)
        bots_add(trial->watchers, "");
    run_until(trial, are_in, "watchers to log in");
    play_round(trial, WATCHED, is_played_watched);
    judge_stillness(trial);
    judge_memory(trial);
    limit_us = trial->round[ALONE].p99_us * DELAY_TIMES_MAX + DELAY_US_MAX;
    report(trial,
           trial->round[WATCHED].p50_us < limit_us &&
               trial->round[WATCHED].p99_us < limit_us * 2,
           "delays-no-player");
    for (struct bot *w = trial->watchers->first; w != NULL; w = w->next)
        wire_hold(w->wire, false);
    run_until(trial, have_read, "watchers to read");
    report(trial, compare_logs(trial) == 0, "reads-the-whole-log-in-the-end");
    report(trial, trial->players->counts.faults + trial->watchers->counts.faults == 0,
           "nobody-complains");
    bots_free(trial->watchers);
    bots_free(trial->players);
    report(trial, janggid_stop(&trial->server, trial->base), "server-stops-in-order");
}

int main(int argc, char **argv)
{
    struct trial *trial = mem_new(sizeof *trial);
    int failed;

    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    scratch_make(trial->directory, "slow");
    trial->base = event_base_new();
    if (janggid_init(&trial->server, argc > 1 ? argv[1] : "build", trial->directory) &&
        janggid_start(&trial->server))
        run(trial);
    else
        report(trial, false, "server-starts");
    if (trial->failed == 0)
        scratch_remove(trial->directory);
    event_base_free(trial->base);
    for (int i = 0; i < GAMES; i++)
        playbook_clear(&trial->book[i]);
    printf("%d passed, %d failed\n", trial->passed, trial->failed);
    failed = trial->failed;
    free(trial);
    return failed == 0 ? 0 : 1;
}
