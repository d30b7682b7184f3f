/* The wall clock of the server is moved while games are played: an hour on, an hour
 * back, sixty times as fast, standing still, and to another hour while the server is
 * down. Game clocks must not notice: what the server says of them is compared with this
 * program's own monotonic clock, which nobody moves.
 *
 * The server times a move from some moment between the sending and the answer of the
 * one before to some moment between the sending and the answer of this one. So its
 * figure must lie between two bounds, whatever the machine is doing, and 10 ms are
 * allowed on top.
 *
 *   fault_clock --faketime LIBRARIES [--build DIR] [--seed N] [--plies N] [--think MS]
 *               [--only PHASE] [--fake-monotonic] [--keep]
 *
 * LIBRARIES is what LD_PRELOAD has to be for libfaketime. PHASE is the number of one
 * that is listed below, from 0. --fake-monotonic is a control: it moves the server's
 * monotonic clock along, and must be noticed. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/bot.h"
#include "tests/lib/clock_checker.h"
#include "tests/lib/harness.h"
#include "tests/lib/process.h"
#include "tests/lib/random_game.h"
#include "tests/lib/wall_clock.h"

enum {
    PAIRS = 3,
    PLIES_BEFORE_STEP = 4,
    LOOK_MS = 100,
    DOWN_MS = 300,
    PATIENCE_MS = 120000,
    WALL_SLACK_S = 5,
    STARTS = 3,
    HOUR_S = 3600
};

/* What the wall clock does in a phase, in the words of libfaketime, and by how much
 * what was written down in it must be off. */
static const struct phase {
    const char *name;
    const char *wall; /* NULL: it stands still, two hours ago */
    bool has_restart;
    int64_t least_s, most_s;
} phases[] = {
    {"as it is", "+0", false, -WALL_SLACK_S, WALL_SLACK_S},
    {"an hour on", "+3600s", false, HOUR_S - WALL_SLACK_S, HOUR_S + WALL_SLACK_S},
    {"an hour back", "-3600s", false, -HOUR_S - WALL_SLACK_S, -HOUR_S + WALL_SLACK_S},
    {"sixty times as fast", "+0 x60", false, 2 * WALL_SLACK_S, 1000 * HOUR_S},
    {"standing still", NULL, false, -3 * HOUR_S, -2 * HOUR_S},
    {"restart, an hour on", "+3600s", true, HOUR_S - WALL_SLACK_S,
     HOUR_S + WALL_SLACK_S},
    {"restart, an hour back", "-3600s", true, -HOUR_S - WALL_SLACK_S,
     -HOUR_S + WALL_SLACK_S},
};
enum { PHASES = ARRAY_LEN(phases) };

struct trial {
    const char *build, *libraries;
    int plies, think_ms, first, phases; /* which of them are gone through */
    uint64_t seed;
    bool fakes_monotonic, keeps_files;

    struct proof proof;
    struct event_base *base;
    struct janggid server;
    struct bots *bots;
    char directory[JANGGID_PATH_BYTES];
    struct wall wall;
    struct playbook book[PAIRS]; /* games that do not end before their time */
    int phase;
    bool is_waiting;  /* nobody moves */
    bool has_stepped; /* in this phase; before, nobody plays to the end */
    bool has_flag;    /* a game was ended by its clock, which cannot be */
    struct clock_record record[PHASES][PAIRS];
    struct clock_check check;
};

static const char *const terms[PAIRS] = {"time=20m+2s", "time=10m", "time=1s+9x1s"};

/* --- The loop, in pieces --- */

static bool run_until(struct trial *trial, bool (*is_done)(struct trial *trial))
{
    int64_t by_ms = mono_now_ms() + PATIENCE_MS;
    struct timeval look = {.tv_usec = LOOK_MS * 1000};

    while (!is_done(trial)) {
        event_base_loopexit(trial->base, &look);
        event_base_dispatch(trial->base);
        if (mono_now_ms() > by_ms || trial->has_flag ||
            trial->bots->counts.faults > 0 || !janggid_is_up(&trial->server))
            return false;
    }
    return true;
}

/* --- The wall --- */

static void move_wall(const struct trial *trial, const struct phase *phase)
{
    if (phase->wall != NULL)
        wall_set(&trial->wall, phase->wall);
    else
        wall_stop(&trial->wall, 2 * HOUR_S + HOUR_S / 2);
}

/* --- What is seen --- */

static struct clock_record *record_of(struct trial *trial, const struct bot *bot)
{
    return &trial->record[trial->phase][bot->number / 2];
}

static void on_step(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked)
{
    clock_note_step(record_of(arg, bot), bot, step, asked);
}

static void on_clock(void *arg, struct bot *bot, const struct proto_line *line)
{
    clock_note_told(record_of(arg, bot), bot, line);
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct trial *trial = arg;

    (void)fd;
    (void)what;
    for (struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        clock_ask(record_of(trial, bot), bot);
}

static void on_over(void *arg, struct bot *bot, struct bot_match *match)
{
    struct trial *trial = arg;

    record_of(trial, bot)->ended_wall_s = wall_now_s();
    trial->has_flag = trial->has_flag || match->game.reason == REASON_TIME;
}

/* "| game 3 ... ended_s=1795000000" */
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

static struct move choose(void *arg, struct bot *bot, struct bot_match *match)
{
    const struct trial *trial = arg;

    return trial->book[bot->number / 2].move[match->game.plies];
}

static enum lineup choose_lineup(void *arg, struct bot *bot, struct bot_match *match)
{
    const struct trial *trial = arg;

    return trial->book[bot->number / 2].lineup[match->side];
}

static void gather(struct trial *trial)
{
    struct bots_settings settings = {.seed = trial->seed,
                                     .think_ms = trial->think_ms,
                                     .plies_max = trial->plies,
                                     .arg = trial,
                                     .wants_game = wants_game,
                                     .wants_turn = wants_turn,
                                     .choose = choose,
                                     .choose_lineup = choose_lineup,
                                     .on_step = on_step,
                                     .on_clock = on_clock,
                                     .on_block = on_block,
                                     .on_over = on_over};
    char name[BOT_NAME_BYTES];

    trial->bots = bots_new(trial->base, &settings);
    bots_set_server(trial->bots, trial->server.port, trial->server.key);
    for (int i = 0; i < PAIRS; i++) {
        struct bot *maker, *taker;

        playbook_make(&trial->book[i], trial->seed + (uint64_t)i, trial->plies);
        snprintf(name, sizeof name, "sun%d", i);
        maker = bots_add(trial->bots, name);
        snprintf(name, sizeof name, "moon%d", i);
        taker = bots_add(trial->bots, name);
        bots_pair(maker, taker, terms[i]);
    }
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

/* Both players have seen the same, and nothing is on the way. */
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

/* One that trips over what an earlier process of its number left behind gets another
 * number. */
static bool start_server(struct trial *trial)
{
    for (int i = 0; i < STARTS; i++)
        if (janggid_start(&trial->server))
            return true;
    return false;
}

static void kill_server(struct trial *trial)
{
    pid_t pid = trial->server.pid;

    janggid_kill(&trial->server);
    wall_forget(pid);
}

static bool restart(struct trial *trial, const struct phase *phase)
{
    struct timeval down = {.tv_usec = DOWN_MS * 1000};
    bool is_good;

    trial->is_waiting = true;
    is_good = run_until(trial, is_quiet);
    kill_server(trial);
    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next)
        clock_note_outage(record_of(trial, bot), bot);
    event_base_loopexit(trial->base, &down);
    event_base_dispatch(trial->base);
    move_wall(trial, phase);
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
        move_wall(trial, phase);
    else if (!restart(trial, phase))
        return false;
    trial->has_stepped = true;
    act(trial);
    return run_until(trial, is_phase_over);
}

static bool play(struct trial *trial)
{
    struct timeval every = {.tv_usec = LOOK_MS * 1000};
    struct event *look = event_new(trial->base, -1, EV_PERSIST, on_look, trial);
    bool is_good = event_add(look, &every) == 0;

    while (is_good && play_phase(trial, &phases[trial->first + trial->phase])) {
        if (trial->phase + 1 == trial->phases)
            break; /* and nobody begins a new game */
        trial->phase++;
    }
    event_free(look);
    return is_good && is_phase_over(trial) && trial->phase + 1 == trial->phases;
}

/* --- Judgement --- */

static void judge_records(struct trial *trial)
{
    int games = 0;

    for (const struct bot *bot = trial->bots->first; bot != NULL; bot = bot->next) {
        for (int i = 0; i < trial->phases && bot->is_maker; i++) {
            struct clock_record *record = &trial->record[i][bot->number / 2];
            const struct bot_match *match = bot_find_match(bot, record->game);

            if (match == NULL)
                continue;
            games++;
            clock_judge(&trial->check, record, match);
        }
    }
    proof_report(&trial->proof, games == trial->phases * PAIRS && !trial->has_flag,
                 "all-games-were-played", "%d of %d%s", games, trial->phases * PAIRS,
                 trial->has_flag ? ", and a clock ended one" : "");
    proof_report(&trial->proof, trial->check.faults == 0 && trial->check.figures > 0,
                 "clocks-are-those-of-our-own-arithmetic",
                 "%d of %d figures are not, by up to %lld ms", trial->check.faults,
                 trial->check.figures, (long long)trial->check.off_most_ms);
    printf(
        "# %d figures of clocks; a move's bounds were at most %lld.%03lld ms apart; %d "
        "figures could mean two things and were not judged\n",
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

/* Without this, all of it might have been tested with a clock that nobody moved. */
static void judge_wall(struct trial *trial)
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
    proof_report(&trial->proof, is_good, "the-wall-clock-was-moved", "see above");
}

/* --- All of it --- */

static void run(struct trial *trial)
{
    bool is_whole;

    gather(trial);
    is_whole = play(trial);
    proof_report(&trial->proof, is_whole, "every-phase-was-gone-through",
                 "ended in \"%s\"", phases[trial->first + trial->phase].name);
    judge_records(trial);
    if (is_whole)
        judge_wall(trial);
    proof_report(&trial->proof, trial->bots->counts.faults == 0,
                 "protocol-promises-hold", "see above");
    if (is_whole)
        proof_judge(&trial->proof, trial->bots, &trial->server, trial->base, NULL);
    else
        kill_server(trial);
    bots_free(trial->bots);
    event_base_free(trial->base);
    for (int i = 0; i < PAIRS; i++)
        playbook_clear(&trial->book[i]);
}

static bool start(struct trial *trial)
{
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_WARN);
    scratch_make(trial->directory, "clock");
    trial->base = event_base_new();
    if (trial->base == NULL ||
        !janggid_init(&trial->server, trial->build, trial->directory))
        return false;
    wall_init(&trial->wall, trial->directory, trial->libraries, trial->fakes_monotonic);
    return start_server(trial);
}

static bool read_options(struct trial *trial, int argc, char **argv)
{
    static const struct option options[] = {
        {"build", 1, NULL, 'b'},
        {"faketime", 1, NULL, 'f'},
        {"seed", 1, NULL, 's'},
        {"plies", 1, NULL, 'p'},
        {"think", 1, NULL, 't'},
        {"only", 1, NULL, 'o'},
        {"keep", 0, NULL, 'k'},
        {"fake-monotonic", 0, NULL, 'm'},
        {0},
    };
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        int number = optarg != NULL ? (int)strtol(optarg, NULL, 10) : 0;

        switch (c) {
        case 'b':
            trial->build = optarg;
            break;
        case 'f':
            trial->libraries = optarg;
            break;
        case 's':
            trial->seed = (uint64_t)number;
            break;
        case 'p':
            trial->plies = number;
            break;
        case 't':
            trial->think_ms = number;
            break;
        case 'o':
            trial->first = number;
            trial->phases = 1;
            break;
        case 'k':
            trial->keeps_files = true;
            break;
        case 'm':
            trial->fakes_monotonic = true;
            break;
        default:
            return false;
        }
    }
    return optind == argc && trial->libraries != NULL && trial->plies < CLOCK_PLIES &&
           trial->first >= 0 && trial->first < PHASES;
}

int main(int argc, char **argv)
{
    struct trial *trial = mem_new(sizeof *trial);
    int status;

    *trial = (struct trial){.proof = {.area = "fault-clock"},
                            .build = "build",
                            .plies = 12,
                            .phases = PHASES,
                            .think_ms = 300,
                            .seed = (uint64_t)wall_now_s()};
    if (!read_options(trial, argc, argv)) {
        fprintf(stderr, "fault_clock: see the head of tests/proof/fault_clock.c\n");
        return 2;
    }
    if (start(trial))
        run(trial);
    else
        proof_report(&trial->proof, false, "server-starts", "see above");
    if (trial->proof.failed == 0 && !trial->keeps_files)
        scratch_remove(trial->directory);
    else
        printf("# files are in %s\n", trial->directory);
    status = proof_end(&trial->proof);
    free(trial);
    return status;
}
