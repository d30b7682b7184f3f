/* The wall clock of the server is changed while games are played: it is set an hour
 * ahead, set an hour back, runs sixty times as fast, or stops. It is also set to
 * another hour while the server is down. Game clocks must not be affected: the server's
 * values are compared with this program's own monotonic clock, which is not changed.
 *
 * The server starts to measure a move between two moments: when the previous move was
 * sent, and when the answer to the previous move came. It stops between two other
 * moments: when this move was sent, and when the answer to this move came. So even on a
 * busy machine, the measured time must lie between two bounds. 10 ms more or less are
 * allowed.
 *
 * --fake-monotonic is a negative control: it changes the server's monotonic clock
 * too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "tests/bot/bot.h"
#include "tests/bot/random_game.h"
#include "tests/checker/clock_checker.h"
#include "tests/clock/wall_clock.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"

enum {
    PAIRS = 3,
    PLIES_BEFORE_STEP = 4,
    LOOK_MS = 100,
    DOWN_MS = 300,
    PATIENCE_MS = 120000,
    WALL_SLACK_S = 5,
    WALL_LATE_S =
        600, /* a game's end time may be so much before ours, because the server's disk
              * may be slow */
    STARTS = 3,
    HOUR_S = 3600
};

/* How the wall clock runs in a phase, in libfaketime's notation. The server stores the
 * time at which a game ended. In this phase, that time minus our own time of the end
 * must be between least_s and most_s. */
static const struct phase {
    const char *name;
    const char *wall; /* NULL: stopped, at the time 2.5 hours before now */
    bool has_restart;
    int64_t least_s, most_s;
} phases[] = {
    {"as it is", "+0", false, -WALL_LATE_S, WALL_SLACK_S},
    {"an hour on", "+3600s", false, HOUR_S - WALL_LATE_S, HOUR_S + WALL_SLACK_S},
    {"an hour back", "-3600s", false, -HOUR_S - WALL_LATE_S, -HOUR_S + WALL_SLACK_S},
    {"sixty times as fast", "+0 x60", false, 2 * WALL_SLACK_S, 1000 * HOUR_S},
    {"standing still", NULL, false, -3 * HOUR_S, -2 * HOUR_S},
    {"restart, an hour on", "+3600s", true, HOUR_S - WALL_LATE_S,
     HOUR_S + WALL_SLACK_S},
    {"restart, an hour back", "-3600s", true, -HOUR_S - WALL_LATE_S,
     -HOUR_S + WALL_SLACK_S},
};
enum { PHASES = ARRAY_LEN(phases) };

struct trial {
    struct harness harness;
    const char *libraries;
    int plies, think_ms, first, phases; /* `phases` phases are played, from number
                                         * `first` on */
    bool fakes_monotonic;

    struct bots *bots;
    struct wall_clock wall_clock;
    struct random_game book[PAIRS]; /* moves of games that do not end early */
    int phase;
    bool is_waiting;  /* no player moves */
    bool has_stepped; /* the clock was changed in this phase; before that, no game is
                       * finished */
    bool has_flag;    /* a game was ended by its clock, which must not happen */
    struct clock_record record[PHASES][PAIRS];
    struct clock_check check;
};

static const char *const terms[PAIRS] = {"time=20m+2s", "time=10m", "time=1s+9x1s"};

/* --- The loop, in pieces --- */

static bool run_until(struct trial *trial, bool (*is_done)(struct trial *trial))
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;

    while (!is_done(trial)) {
        harness_run_for(&trial->harness, LOOK_MS);
        if (mono_now_ms() > by_ms || trial->has_flag ||
            trial->bots->counts.faults > 0 || !janggid_is_up(&trial->harness.server))
            return false;
    }
    return true;
}

/* --- The wall clock --- */

static void move_wall_clock(const struct trial *trial, const struct phase *phase)
{
    if (phase->wall != NULL)
        wall_clock_set(&trial->wall_clock, phase->wall);
    else
        wall_clock_stop(&trial->wall_clock, 2 * HOUR_S + HOUR_S / 2);
}

/* --- What is seen --- */

static struct clock_record *record_of(struct trial *trial, const struct bot *bot)
{
    return &trial->record[trial->phase][bot->number / 2];
}

static void on_step(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked)
{
    clock_checker_note_step(record_of(arg, bot), bot, step, asked);
}

static void on_clock(void *arg, struct bot *bot, const struct proto_line *line)
{
    clock_checker_note_told(record_of(arg, bot), bot, line);
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct trial *trial = arg;

    (void)fd;
    (void)what;
    for (struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        clock_checker_ask(record_of(trial, bot), bot);
}

static void on_over(void *arg, struct bot *bot, struct bot_match *match)
{
    struct trial *trial = arg;

    record_of(trial, bot)->ended_wall_s = mono_wall_s();
    trial->has_flag = trial->has_flag || match->game.reason == REASON_TIME;
}

/* Reads the end of a game from an answer to `history`: "| game 3 ...
 * ended_s=1795000000" */
static void on_block(void *arg, struct bot *bot, const char *line)
{
    struct trial *trial = arg;
    const char *ended = strstr(line, " ended_s=");
    long long game;

    (void)bot;
    if (ended == NULL || sscanf(line, "| game %lld ", &game) != 1)
        return;
    for (int i = 0; i < trial->phases; i++)
        for (int pair = 0; pair < PAIRS; pair++)
            if (trial->record[i][pair].game == game)
                trial->record[i][pair].written_wall_s =
                    strtoll(ended + strlen(" ended_s="), NULL, 10);
}

/* --- Play --- */

static bool wants_game(void *arg, struct bot *bot)
{
    const struct trial *trial = arg;

    return bot->played <= trial->phase;
}

static bool wants_turn(void *arg, struct bot *bot)
{
    const struct trial *trial = arg;

    return !trial->is_waiting &&
           (trial->has_stepped || bot->match->game.plies < PLIES_BEFORE_STEP);
}

static void gather(struct trial *trial)
{
    struct bots_settings settings = {.seed = trial->harness.seed,
                                     .think_ms = trial->think_ms,
                                     .plies_max = trial->plies,
                                     .arg = trial,
                                     .wants_game = wants_game,
                                     .wants_turn = wants_turn,
                                     .script = trial->book,
                                     .scripts = PAIRS,
                                     .on_step = on_step,
                                     .on_clock = on_clock,
                                     .on_block = on_block,
                                     .on_over = on_over};

    for (int i = 0; i < PAIRS; i++)
        random_game_init(&trial->book[i], trial->harness.seed + (uint64_t)i,
                         trial->plies);
    trial->bots = bots_new(trial->harness.base, &settings);
    bots_set_server(trial->bots, trial->harness.server.port, trial->harness.server.key);
    bots_add_pairs(trial->bots, PAIRS, terms, PAIRS);
}

static bool is_phase_over(struct trial *trial)
{
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        if (bot->played <= trial->phase)
            return false;
    return true;
}

static bool is_time_to_step(struct trial *trial)
{
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        if (bot->match == NULL || bot->match->game.plies < PLIES_BEFORE_STEP)
            return false;
    return true;
}

/* True if both players have received the same events, and no request is unanswered. */
static bool is_quiet(struct trial *trial)
{
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next) {
        const struct bot_match *mine = bot->match, *theirs = bot->partner->match;

        if (bot->is_thinking || bot->asking != ASK_NONE ||
            (mine == NULL) != (theirs == NULL) ||
            (mine != NULL && (bot->answered_ply > mine->game.plies ||
                              mine->game.events != theirs->game.events)))
            return false;
    }
    return true;
}

static void act(struct trial *trial)
{
    for (struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        bot_act(bot);
}

/* Starts the server, with up to STARTS attempts. A start can fail because of files of
 * libfaketime that an earlier process with the same id has left; the next attempt has
 * another id. */
static bool start_server(struct trial *trial)
{
    for (int i = 0; i < STARTS; i++)
        if (janggid_start(&trial->harness.server))
            return true;
    return false;
}

static void kill_server(struct trial *trial)
{
    pid_t pid = trial->harness.server.pid;

    janggid_kill(&trial->harness.server);
    wall_clock_forget(pid);
}

static bool restart(struct trial *trial, const struct phase *phase)
{
    bool is_good;

    trial->is_waiting = true;
    is_good = run_until(trial, is_quiet);
    kill_server(trial);
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        clock_checker_note_outage(record_of(trial, bot), bot);
    harness_run_for(&trial->harness, DOWN_MS);
    move_wall_clock(trial, phase);
    trial->is_waiting = false;
    return is_good && start_server(trial);
}

static bool play_phase(struct trial *trial, const struct phase *phase)
{
    trial->has_stepped = false;
    act(trial);
    if (!run_until(trial, is_time_to_step))
        return false;
    if (!phase->has_restart)
        move_wall_clock(trial, phase);
    else if (!restart(trial, phase))
        return false;
    trial->has_stepped = true;
    act(trial);
    return run_until(trial, is_phase_over);
}

static bool play(struct trial *trial)
{
    struct timeval every = {.tv_usec = LOOK_MS * 1000};
    struct event *look = event_new(trial->harness.base, -1, EV_PERSIST, on_look, trial);
    bool is_good = event_add(look, &every) == 0;

    while (is_good && play_phase(trial, &phases[trial->first + trial->phase])) {
        if (trial->phase + 1 == trial->phases)
            break; /* no bot begins a new game */
        trial->phase++;
    }
    event_free(look);
    return is_good && is_phase_over(trial) && trial->phase + 1 == trial->phases;
}

/* --- Judgement --- */

static void check_records(struct trial *trial)
{
    int games = 0;

    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next) {
        for (int i = 0; i < trial->phases && bot->is_maker; i++) {
            struct clock_record *record = &trial->record[i][bot->number / 2];
            const struct bot_match *match = bot_find_match(bot, record->game);

            if (match == NULL)
                continue;
            games++;
            clock_checker_check(&trial->check, record, match);
        }
    }
    harness_report(&trial->harness, games == trial->phases * PAIRS && !trial->has_flag,
                   "all-games-were-played", "%d of %d%s", games, trial->phases * PAIRS,
                   trial->has_flag ? ", and a clock ended one" : "");
    harness_report(&trial->harness,
                   trial->check.faults == 0 && trial->check.figures > 0,
                   "clocks-are-those-of-our-own-arithmetic",
                   "%d of %d figures are not, by up to %lld ms", trial->check.faults,
                   trial->check.figures, (long long)trial->check.off_most_ms);
    printf(
        "# %d figures of clocks; a move's bounds were at most %lld.%03lld ms apart; %d "
        "figures could mean two things and were not checked\n",
        trial->check.figures, (long long)trial->check.widest_us / 1000,
        (long long)trial->check.widest_us % 1000, trial->check.skipped);
}

/* --- Judging the wall --- */

static bool is_history_read(struct trial *trial)
{
    for (int i = 0; i < trial->phases; i++)
        for (int pair = 0; pair < PAIRS; pair++)
            if (trial->record[i][pair].written_wall_s == 0)
                return false;
    return true;
}

/* Checks that the wall clock was really changed; without that the test would prove
 * nothing. */
static void check_wall_clock(struct trial *trial)
{
    char line[40];
    bool is_good;

    for (struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next) {
        snprintf(line, sizeof line, "history %s", bot->name);
        if (bot->is_maker && bot->state == BOT_IN)
            bot_say(bot, line);
    }
    is_good = run_until(trial, is_history_read);
    for (int i = 0; i < trial->phases && is_good; i++) {
        const struct phase *phase = &phases[trial->first + i];
        const struct clock_record *record = &trial->record[i][0];
        int64_t off_s = record->written_wall_s - record->ended_wall_s;

        printf("# wall clock %-22s the end was written down %lld s off\n", phase->name,
               (long long)off_s);
        is_good = off_s >= phase->least_s && off_s <= phase->most_s;
    }
    harness_report(&trial->harness, is_good, "the-wall-clock-was-moved", "see above");
}

/* --- All of it --- */

static void run(struct trial *trial)
{
    bool is_whole;

    gather(trial);
    is_whole = play(trial);
    harness_report(&trial->harness, is_whole, "every-phase-was-gone-through",
                   "ended in \"%s\"", phases[trial->first + trial->phase].name);
    check_records(trial);
    if (is_whole)
        check_wall_clock(trial);
    harness_report(&trial->harness, trial->bots->counts.faults == 0,
                   "protocol-promises-hold", "see above");
    if (is_whole)
        harness_check_logs(&trial->harness, trial->bots, NULL);
    else
        kill_server(trial);
    bots_free(trial->bots);
    for (int i = 0; i < PAIRS; i++)
        random_game_clear(&trial->book[i]);
}

static bool start(struct trial *trial)
{
    if (!harness_make_server(&trial->harness))
        return false;
    wall_clock_init(&trial->wall_clock, trial->harness.directory, trial->libraries,
                    trial->fakes_monotonic);
    return start_server(trial);
}

static bool read_options(struct trial *trial, int argc, char **argv)
{
    int only = -1;
    const struct options_row options[] = {
        {"faketime", .text = &trial->libraries, .help = "LD_PRELOAD of libfaketime"},
        {"plies", .number = &trial->plies, .least = 1, .help = "plies of a game"},
        {"think", .number = &trial->think_ms, .help = "ms, on average, for a move"},
        {"only", .number = &only, .help = "only the phase of that number, from 0"},
        {"fake-monotonic", .flag = &trial->fakes_monotonic, .help = "control"}};

    if (!harness_init(&trial->harness, options, ARRAY_LEN(options), argc, argv))
        return false;
    if (only >= 0) {
        trial->first = only;
        trial->phases = 1;
    }
    return trial->libraries != NULL && trial->plies < CLOCK_PLIES &&
           trial->first < PHASES;
}

int main(int argc, char **argv)
{
    static struct trial trial = {
        .harness.name = "fault-clock", .plies = 12, .phases = PHASES, .think_ms = 300};

    if (!read_options(&trial, argc, argv))
        return 2;
    if (start(&trial))
        run(&trial);
    else
        harness_report(&trial.harness, false, "server-starts", "see above");
    harness_remove_files(&trial.harness, trial.harness.failed == 0);
    return harness_end(&trial.harness);
}
