/* Tests a disk that is full for some seconds, during games. Meanwhile all players must
 * be notified, nothing may be acknowledged, and all clocks must stop, also the clock of
 * the side to move. When there is space again, play must continue by itself. In the end
 * every event or OK that a player received must be on disk.
 *
 * Usually tests/proof/fault/preload.c simulates the full disk. With --real DIR, a real
 * disk is full: DIR is a small file system of its own, which this program fills and
 * empties.
 *
 * --never is a negative control: the disk is never full. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "tests/bot/bot.h"
#include "tests/checker/checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"
#include "tests/lib/process.h"

enum {
    LOOK_MS = 5,
    HANG_MS = 120000, /* longest time without a new phase; in the last phase: without a
                       * move */
    NEVER_MS = 3000,
    THINK_MS = 4,
    PLIES = 100,
    IDLE_PLIES = 4, /* after these plies, the idle pair waits until the disk has room
                     * again */
    MOVES_BEFORE = 100,
    CLOCK_WORDS = 60,
    FULL_MOST_MS = 60000, /* the disk is never full for longer */
    FULL_ANSWERS = 20     /* the disk is full for FULL_ANSWERS * slowest_ms or longer;
                           * so delays of a busy machine do not look like a wrong charge
                           * to a clock */
};

enum phase { PHASE_PLAY, PHASE_FILLING, PHASE_FULL, PHASE_FREED, PHASE_END };

/* A game, as noted just before there is room on the disk again. At this moment, either
 * the next move was already sent and waits for room on the disk, or the player is still
 * thinking. */
struct waiting {
    int64_t game; /* 0: none */
    int plies;
};

struct full {
    struct harness harness;
    const char *real;
    int full_s, games;
    bool is_never;

    char flag[PROCESS_PATH_BYTES + 16];
    char preload[PROCESS_PATH_BYTES];
    struct bots *bots;
    struct checker *checker;
    struct bot *idler;               /* the side to move of the idle pair */
    int64_t idle_since_ms, idled_ms; /* idle_since_ms: when the idler began to think;
                                      * idled_ms: how long it had thought when the
                                      * players were notified of the full disk */

    enum phase phase;
    bool has_hung;
    int64_t since_ms;             /* when the phase began */
    int64_t moves_seen, moved_ms; /* time of the latest acknowledged move */
    int64_t slowest_ms;           /* the slowest answer before the disk is full */
    int told_full, told_back, early_answers;
    int64_t moves_at_back, full_ms, told_ms, resumed_ms;
    char first_clock[CLOCK_WORDS], last_clock[CLOCK_WORDS];
    int clocks_asked, clocks_told;
    struct waiting *waiting; /* one for each bot */
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
    is_up = janggid_start(&full->harness.server);
    unsetenv("LD_PRELOAD");
    return is_up;
}

/* --- The players --- */

static bool is_idler(const struct bot *bot)
{
    return bot->number < 2; /* the first pair */
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
    if (full->idler == NULL)
        full->idle_since_ms = mono_now_ms();
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
    full->early_answers += full->phase == PHASE_FULL;
    if (full->phase == PHASE_PLAY && took_us / 1000 > full->slowest_ms)
        full->slowest_ms = took_us / 1000;
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

static void gather(struct full *full)
{
    struct bots_settings settings = {.seed = full->harness.seed,
                                     .think_ms = THINK_MS,
                                     .plies_max = PLIES,
                                     .arg = full,
                                     .wants_game = wants_game,
                                     .wants_turn = wants_turn,
                                     .on_notice = on_notice,
                                     .on_answered = on_answered,
                                     .on_clock = on_clock};

    full->bots = bots_new(full->harness.base, &settings);
    full->checker = checker_new(full->bots, NULL);
    bots_set_server(full->bots, full->harness.server.port, full->harness.server.key);
    bots_add_pairs(full->bots, 1 + full->games, terms, ARRAY_LEN(terms));
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
    bot_sayf(full->idler, "clock %lld", (long long)full->idler->match->history.game);
}

static void see_full(struct full *full)
{
    full->told_ms = mono_now_ms() - full->since_ms;
    full->idled_ms = mono_now_ms() - full->idle_since_ms;
    enter(full, PHASE_FULL);
    ask_clock(full);
}

static int64_t planned_ms(const struct full *full)
{
    int64_t least_ms = (int64_t)full->full_s * 1000;
    int64_t wanted_ms = FULL_ANSWERS * full->slowest_ms;

    if (wanted_ms > FULL_MOST_MS)
        wanted_ms = FULL_MOST_MS;
    return wanted_ms > least_ms ? wanted_ms : least_ms;
}

static void note_waiting(struct full *full)
{
    full->waiting = mem_new((size_t)full->bots->count * sizeof *full->waiting);
    for (const struct bot *bot = full->bots->first; bot != NULL; bot = bot->next)
        if (bot->match != NULL)
            full->waiting[bot->number] =
                (struct waiting){bot->match->history.game, bot->match->game.plies};
}

/* Requests the clocks a second time 500 ms before the planned time ends. Makes room on
 * the disk when the planned time is over and the answer has come. */
static void wait_full(struct full *full, int64_t passed_ms)
{
    int64_t full_ms = planned_ms(full);

    if (full->clocks_asked == 1 && passed_ms > full_ms - 500)
        ask_clock(full);
    if (passed_ms < full_ms || full->clocks_told < full->clocks_asked)
        return;
    full->full_ms = passed_ms + full->told_ms;
    full->moves_at_back = full->bots->counts.moves;
    note_waiting(full);
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
        if (full->idler != NULL && full->bots->counts.moves > MOVES_BEFORE &&
            full->bots->online == full->bots->count) {
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

/* True if the proof makes no progress. In the last phase: no move was acknowledged for
 * HANG_MS. In the other phases: the next phase has not begun for HANG_MS. With the
 * control --never the disk is never full, so the proof is stopped after NEVER_MS. */
static bool has_hung(struct full *full, int64_t now_ms)
{
    int64_t began_ms = full->since_ms;

    if (full->bots->counts.moves != full->moves_seen) {
        full->moves_seen = full->bots->counts.moves;
        full->moved_ms = now_ms;
    }
    if (full->is_never)
        return now_ms - began_ms > NEVER_MS;
    if (full->phase == PHASE_END && full->moved_ms > began_ms)
        began_ms = full->moved_ms;
    if (full->phase == PHASE_FULL)
        began_ms += planned_ms(full);
    return now_ms - began_ms > HANG_MS;
}

static bool must_stop(void *arg)
{
    struct full *full = arg;

    go_on(full);
    full->has_hung = has_hung(full, mono_now_ms());
    return (full->phase == PHASE_END && bots_have_finished(full->bots)) ||
           full->has_hung || full->bots->counts.faults > 0 ||
           !janggid_is_up(&full->harness.server);
}

/* --- Judgement --- */

static int64_t whole_ms(const struct game *game, const struct game_ply *ply, int side)
{
    return ply->left_before[side].main_ms +
           ply->left_before[side].periods * game->clock.terms.period_ms;
}

/* Returns the longest time that a clock was charged for the move that waited for the
 * full disk, or for the move after it. waited: number of plies before that move. A move
 * changes only the clock of its own side, so an unchanged clock is skipped. */
static int64_t dearest_of_game_ms(const struct game *game, int waited)
{
    int64_t most_ms = 0;

    for (int i = waited + 1; i <= waited + 2 && i < game->plies; i++)
        for (int side = 0; side < SIDES && i > 0; side++) {
            int64_t had_ms = whole_ms(game, &game->ply[i - 1], side);
            int64_t has_ms = whole_ms(game, &game->ply[i], side);
            int64_t spent_ms = had_ms + game->clock.terms.increment_ms - has_ms;

            if (has_ms != had_ms && spent_ms > most_ms)
                most_ms = spent_ms;
        }
    return most_ms;
}

/* Returns the longest time that a clock was charged for a move that waited for the full
 * disk, or for the move after it. Other moves are not judged: a busy machine may have
 * delayed their players. *games counts the games with such moves. In the game of the
 * idle pair, the time before the disk was full is charged rightly, so it is
 * subtracted. */
static int64_t dearest_move_ms(const struct full *full, int *games)
{
    int64_t most_ms = 0;

    for (const struct bot *bot = full->bots->first; bot != NULL; bot = bot->next) {
        const struct waiting *waiting = &full->waiting[bot->number];
        const struct bot_match *match =
            waiting->game != 0 ? bot_find_match(bot, waiting->game) : NULL;
        int64_t spent_ms;

        if (match == NULL || match->game.plies < waiting->plies + 2)
            continue;
        *games += 1;
        spent_ms = dearest_of_game_ms(&match->game, waiting->plies);
        if (is_idler(bot))
            spent_ms -= full->idled_ms;
        if (spent_ms > most_ms)
            most_ms = spent_ms;
    }
    return most_ms;
}

static void check(struct full *full)
{
    int64_t dearest_ms;
    int games = 0;
    char why[160];

    snprintf(why, sizeof why, "in phase %d of %d; %d of %d were told that it is full",
             (int)full->phase, (int)PHASE_END, full->told_full, full->bots->count);
    harness_report(&full->harness,
                   full->phase == PHASE_END && bots_have_finished(full->bots) &&
                       !full->has_hung,
                   "play-goes-on-when-there-is-room", "%s", why);
    if (full->phase != PHASE_END)
        return;
    harness_report(&full->harness, full->told_full >= full->bots->count,
                   "everybody-is-told", "%s", why);
    snprintf(why, sizeof why, "%d moves were acknowledged", full->early_answers);
    harness_report(&full->harness, full->early_answers == 0,
                   "nothing-is-acknowledged-meanwhile", "%s", why);
    snprintf(why, sizeof why, "%s, and then %s", full->first_clock, full->last_clock);
    harness_report(&full->harness,
                   full->clocks_told == 2 &&
                       strcmp(full->first_clock, full->last_clock) == 0,
                   "who-thinks-is-not-charged", "%s", why);
    dearest_ms = dearest_move_ms(full, &games);
    snprintf(why, sizeof why, "a move cost %lld ms; %d games went on",
             (long long)dearest_ms, games);
    harness_report(&full->harness, games > 0 && dearest_ms < full->full_ms / 2,
                   "who-waits-is-not-charged", "%s", why);
    (void)!harness_check_database(&full->harness, full->checker);
    printf("# full for %lld ms; all were told after %lld ms; the first move was "
           "acknowledged %lld ms after there was room (goal: 5000); in %d games the "
           "dearest move that waited cost %lld ms; %lld moves\n",
           (long long)full->full_ms, (long long)full->told_ms,
           (long long)full->resumed_ms, games, (long long)dearest_ms,
           (long long)full->bots->counts.moves);
}

/* --- From the command line --- */

static bool start(struct full *full)
{
    struct harness *harness = &full->harness;

    process_allow_preload("");
    if (full->real == NULL
            ? !harness_make_server(harness)
            : !text_copy(harness->directory, sizeof harness->directory, full->real) ||
                  !janggid_init(&harness->server, harness->build, harness->directory))
        return false;
    snprintf(full->flag, sizeof full->flag, "%s/full", harness->directory);
    snprintf(full->preload, sizeof full->preload, "%s/tests/proof/fault/preload.so",
             harness->build);
    return start_server(full);
}

static void run_all(struct full *full)
{
    gather(full);
    enter(full, PHASE_PLAY);
    harness_watch(&full->harness, LOOK_MS, must_stop, full);
    check(full);
    janggid_kill(&full->harness.server);
    checker_free(full->checker);
    bots_free(full->bots);
    free(full->waiting);
}

int main(int argc, char **argv)
{
    struct full full = {.harness.name = "fault-full", .full_s = 4, .games = 8};
    const struct options_row options[] = {
        {"full-s", .number = &full.full_s, .least = 1, .help = "seconds without room"},
        {"games", .number = &full.games, .least = 1, .help = "games at once"},
        {"real", .text = &full.real, .help = "a small file system, mounted there"},
        {"never", .flag = &full.is_never, .help = "control: the disk has room"}};

    if (!harness_init(&full.harness, options, ARRAY_LEN(options), argc, argv))
        return 2;
    if (full.real != NULL)
        full.harness.name = "fault-full-real";
    if (start(&full))
        run_all(&full);
    else
        harness_report(&full.harness, false, "server-starts", "see above");
    if (full.real == NULL)
        harness_remove_files(&full.harness, full.harness.failed == 0);
    return harness_end(&full.harness);
}
