/* Kills a server with SIGKILL while many players are in running games, and restarts it.
 * Then all players reconnect in the same way as the real client: each player tries
 * again after about one second, then after two seconds, four seconds and so on. A
 * player is seated again when the player has resumed the game. Measures how long it
 * takes until all players are seated again, and how much CPU time this costs; these
 * values are printed and not checked. Checks that all players are seated again, that no
 * clock was charged for the time without a server, and that all games are played to
 * their ends without loss.
 *
 * The server has the default limits, except for new names, seeks and seats. Each client
 * has an address of its own. --wide lifts the limits. There are two negative controls.
 * With --lose N, up to N games lose their last event at the kill. With --forge-clock,
 * one second is added to the charges on the clocks before they are checked. */
#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/bot/bot.h"
#include "tests/bot/cost.h"
#include "tests/bot/random_game.h"
#include "tests/checker/forge.h"
#include "tests/lib/harness.h"
#include "tests/lib/janggid.h"
#include "tests/lib/process.h"

enum {
    PLIES_BEFORE = 6, /* after these plies, all players wait for the kill */
    PLIES_MAX = 14,   /* after the restart they play to this ply */
    THINK_MS = 20,
    LINGER_MS = 1500, /* time between the last move and the kill, in which clocks run */
    BOOKS = 20,
    SLACK_MS = 2,
    FORGED_MS = 1000
};

/* One player and its reconnection. */
struct way {
    int64_t login_ms, in_ms, seated_ms; /* login sent, login answered, player seated; 0:
                                         * not yet */
    int64_t asked_ms;                   /* when the clocks were requested */
    int connections;                    /* attempts that received a greeting */
    bool is_checked;
};

struct storm {
    struct harness harness;
    int clients, down_ms, bound_s, lose;
    bool is_wide, forges_clock;

    struct bots *bots;
    struct way *way;
    struct random_game book[BOOKS]; /* moves of games that do not end early */
    bool is_waiting;                /* no player moves */
    int64_t killed_ms;
    int seated, clocks_checked, clocks_wrong;
    struct process_cpu before, after;
};

static const char *const terms[] = {"time=30m+2s", "time=20m+3x40s", "time=15m"};

/* Runs the loop until is_done(). False: that took longer than bound_s, or there is
 * another fault. */
static bool run_until(struct storm *storm, bool (*is_done)(void *arg))
{
    return harness_run_until(&storm->harness, storm->bots, is_done, storm,
                             (int64_t)storm->bound_s * 1000);
}

/* --- Players --- */

static bool wants_game(void *arg, struct bot *bot)
{
    (void)arg;
    return bot->matches == NULL;
}

static bool wants_turn(void *arg, struct bot *bot)
{
    const struct storm *storm = arg;

    return !storm->is_waiting || bot->match->game.plies < PLIES_BEFORE;
}

static void on_step(void *arg, struct bot *bot, enum bot_step step, enum bot_ask asked)
{
    struct storm *storm = arg;
    struct way *way = &storm->way[bot->number];

    if (step == BOT_GREETED)
        way->connections++;
    else if (step == BOT_ASKS && asked == ASK_LOGIN)
        way->login_ms = mono_now_ms();
    else if (step == BOT_ANSWERED && asked == ASK_LOGIN)
        way->in_ms = mono_now_ms();
    else if (step == BOT_ANSWERED && asked == ASK_RESUME && storm->killed_ms != 0 &&
             way->seated_ms == 0) {
        way->seated_ms = mono_now_ms();
        storm->seated++;
    }
}

/* Checks the clocks of a game after the restart. `bot` is the player to move. The bot's
 * clock must run again from the moment when the login of the bot reached the server.
 * This moment lies between login_ms and in_ms. The other clock must not be charged. */
static void judge_clock(struct storm *storm, const struct bot *bot,
                        const int64_t shown_ms[SIDES])
{
    const struct way *way = &storm->way[bot->number];
    const struct game *game = &bot->match->game;
    enum side side = bot->match->side, other = side_other(side);
    int64_t had_ms = game->clock.left[side].main_ms;
    int64_t least_ms = had_ms - (mono_now_ms() - way->login_ms) - SLACK_MS;
    int64_t most_ms = had_ms - (way->asked_ms - way->in_ms) + SLACK_MS;

    storm->clocks_checked++;
    if (shown_ms[side] >= least_ms && shown_ms[side] <= most_ms &&
        shown_ms[other] == game->clock.left[other].main_ms)
        return;
    if (storm->clocks_wrong++ < 10)
        printf("# %s: had %lld ms and is said to have %lld, not %lld to %lld; the "
               "other had %lld and has %lld\n",
               bot->name, (long long)had_ms, (long long)shown_ms[side],
               (long long)least_ms, (long long)most_ms,
               (long long)game->clock.left[other].main_ms, (long long)shown_ms[other]);
}

static void on_clock(void *arg, struct bot *bot, const struct proto_line *line)
{
    struct storm *storm = arg;
    struct way *way = &storm->way[bot->number];
    int64_t shown_ms[SIDES] = {[SIDE_RED] = proto_line_number(line, "red_ms", -1),
                               [SIDE_BLUE] = proto_line_number(line, "blue_ms", -1)};

    if (bot->match == NULL || way->is_checked)
        return;
    way->is_checked = true;
    if (storm->forges_clock)
        shown_ms[bot->match->side] -= FORGED_MS;
    judge_clock(storm, bot, shown_ms);
}

static void gather(struct storm *storm)
{
    struct bots_settings settings = {.seed = storm->harness.seed,
                                     .think_ms = THINK_MS,
                                     .plies_max = PLIES_MAX,
                                     .has_client_back_off = true,
                                     .is_from_all_over = true,
                                     .arg = storm,
                                     .wants_game = wants_game,
                                     .wants_turn = wants_turn,
                                     .script = storm->book,
                                     .scripts = BOOKS,
                                     .on_step = on_step,
                                     .on_clock = on_clock};

    for (int i = 0; i < BOOKS; i++)
        random_game_init(&storm->book[i], storm->harness.seed + (uint64_t)i, PLIES_MAX);
    storm->bots = bots_new(storm->harness.base, &settings);
    storm->way = mem_new((size_t)storm->clients * sizeof *storm->way);
    bots_set_server(storm->bots, storm->harness.server.port, storm->harness.server.key);
    bots_add_pairs(storm->bots, storm->clients / 2, terms, ARRAY_LEN(terms));
}

/* --- The storm --- */

static bool is_waiting(const struct bot *bot)
{
    return bot->state == BOT_IN && bot->match != NULL && bot->asking == ASK_NONE &&
           bot->match->game.plies >= PLIES_BEFORE &&
           bot->answered_ply <= bot->match->game.plies;
}

static bool are_all_waiting(void *arg)
{
    const struct storm *storm = arg;

    for (const struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        if (!is_waiting(bot))
            return false;
    return true;
}

static bool are_all_seated(void *arg)
{
    const struct storm *storm = arg;

    return storm->seated == storm->clients;
}

static bool are_clocks_checked(void *arg)
{
    const struct storm *storm = arg;

    return storm->clocks_checked == storm->clients / 2;
}

static bool is_all_over(void *arg)
{
    const struct storm *storm = arg;

    for (const struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        if (bot->match != NULL || bot->matches == NULL || bot->asking != ASK_NONE)
            return false;
    return true;
}

static bool kill_and_restart(struct storm *storm)
{
    for (int i = 0; i < storm->clients; i++)
        storm->way[i] = (struct way){.connections = 0};
    storm->killed_ms = mono_now_ms();
    janggid_kill(&storm->harness.server);
    if (storm->lose > 0)
        forge_loss(storm->harness.server.data, storm->lose);
    if (storm->down_ms > 0)
        harness_run_for(&storm->harness, storm->down_ms);
    return janggid_start(&storm->harness.server) &&
           process_cpu(storm->harness.server.pid, &storm->before);
}

static void ask_clocks(struct storm *storm)
{
    for (struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next) {
        if (bot->match == NULL || game_turn(&bot->match->game) != bot->match->side)
            continue;
        storm->way[bot->number].asked_ms = mono_now_ms();
        bot_ask_clock(bot, bot->match->history.game);
    }
}

static void play_on(struct storm *storm)
{
    storm->is_waiting = false;
    for (struct bot *bot = storm->bots->first; bot != NULL; bot = bot->next)
        bot_act(bot);
}

/* --- Figures --- */

static void print_limits(const struct storm *storm)
{
    printf("# %d clients from as many addresses, in %d games; limits:", storm->clients,
           storm->clients / 2);
    if (storm->is_wide)
        printf(" none that matter");
    else
        cost_print_limits(&storm->harness.server);
    printf("; clients come back after 1 s, doubled to 30 s, x 3/4..5/4\n");
}

static void print_seats(const struct storm *storm)
{
    int64_t *after_ms = mem_new((size_t)storm->clients * sizeof *after_ms);
    int64_t first_ms, last_ms;
    int connections = 0;

    for (int i = 0; i < storm->clients; i++) {
        after_ms[i] = storm->way[i].seated_ms - storm->killed_ms;
        connections += storm->way[i].connections;
    }
    printf("# kill to seated     p50 %lld ms, p99 %lld ms, ",
           (long long)harness_percentile(after_ms, storm->clients, 50),
           (long long)harness_percentile(after_ms, storm->clients, 99));
    first_ms = after_ms[0]; /* harness_percentile() has sorted them */
    last_ms = after_ms[storm->clients - 1];
    printf("first %lld ms, ALL %lld ms (goal 15000)\n", (long long)first_ms,
           (long long)last_ms);
    printf("# seats a second     %lld, over %d connections that were greeted\n",
           (long long)storm->clients * 1000 / (last_ms - first_ms + 1), connections);
    free(after_ms);
}

static void print_costs(struct storm *storm)
{
    int64_t all_us = (storm->after.all_ns - storm->before.all_ns) / 1000;
    int64_t greeting_us = cost_of_greeting_us(
        storm->harness.base, &storm->harness.server, storm->clients, storm->bound_s);
    int64_t resume_us =
        cost_of_resume_us(storm->bots, &storm->harness.server, storm->bound_s);

    printf("# restart to listen  %lld ms\n",
           (long long)storm->harness.server.start_took_ms);
    printf("# server CPU         %lld ms for all, %lld us a reconnection\n",
           (long long)all_us / 1000, (long long)all_us / storm->clients);
    printf("# its parts, alone   TLS, greeting and hanging up %lld us, resume of a "
           "whole game %lld us\n",
           (long long)greeting_us, (long long)resume_us);
}

/* --- All of it --- */

static bool blow(struct storm *storm)
{
    bool is_good;

    storm->is_waiting = true;
    is_good = run_until(storm, are_all_waiting);
    harness_report(&storm->harness, is_good, "everybody-is-in-a-game", "see above");
    if (!is_good)
        return false;
    harness_run_for(&storm->harness, LINGER_MS);
    is_good = kill_and_restart(storm) && run_until(storm, are_all_seated) &&
              process_cpu(storm->harness.server.pid, &storm->after);
    harness_report(&storm->harness, is_good, "everybody-is-seated-again",
                   "%d of %d within %d s", storm->seated, storm->clients,
                   storm->bound_s);
    return is_good;
}

static void settle(struct storm *storm)
{
    bool is_good;

    ask_clocks(storm);
    is_good = run_until(storm, are_clocks_checked);
    harness_report(&storm->harness, is_good && storm->clocks_wrong == 0,
                   "no-clock-was-charged-for-the-outage", "%d of %d were, %d were told",
                   storm->clocks_wrong, storm->clients / 2, storm->clocks_checked);
    print_limits(storm);
    print_seats(storm);
    print_costs(storm);
    play_on(storm);
    harness_report(&storm->harness, run_until(storm, is_all_over), "every-game-goes-on",
                   "not to its end");
    harness_report(&storm->harness, storm->bots->counts.faults == 0,
                   "protocol-promises-hold", "see above");
}

static void run(struct storm *storm)
{
    gather(storm);
    if (blow(storm))
        settle(storm);
    storm->harness.server.has_usual_limits = false; /* one watcher reads all games */
    if (storm->harness.failed == 0)
        harness_check_logs(&storm->harness, storm->bots, NULL);
    else
        janggid_kill(&storm->harness.server);
    bots_free(storm->bots);
    free(storm->way);
    for (int i = 0; i < BOOKS; i++)
        random_game_clear(&storm->book[i]);
}

/* Lifts the limits on new names, seeks and seats, because all players come from one
 * machine. All other limits have their defaults. */
static const char *const new_names[] = {
    "--limits", "new-names-per-hour=0", "--limits", "new-names-per-day=0",
    "--limits", "new-names-per-site=0", "--limits", "new-seeks=0",
    "--limits", "new-seats=0",          NULL};

static bool start(struct storm *storm)
{
    process_raise_files(storm->clients * 2 + 1000);
    storm->harness.words = new_names;
    if (!harness_make_server(&storm->harness))
        return false;
    storm->harness.server.has_usual_limits = !storm->is_wide;
    return janggid_start(&storm->harness.server);
}

int main(int argc, char **argv)
{
    struct storm storm = {
        .harness.name = "reconnect-storm", .clients = 1000, .bound_s = 180};
    const struct options_row options[] = {
        {"clients", .number = &storm.clients, .least = 2, .help = "players"},
        {"down", .number = &storm.down_ms, .help = "ms without a server"},
        {"wide", .flag = &storm.is_wide, .help = "the server has no limits"},
        {"bound", .number = &storm.bound_s, .help = "seconds until all are back"},
        {"lose", .number = &storm.lose, .help = "control: events that are lost"},
        {"forge-clock", .flag = &storm.forges_clock, .help = "control"}};

    if (!harness_init(&storm.harness, options, ARRAY_LEN(options), argc, argv))
        return 2;
    storm.clients -= storm.clients % 2;
    if (start(&storm))
        run(&storm);
    else
        harness_report(&storm.harness, false, "server-starts", "see above");
    harness_remove_files(&storm.harness, storm.harness.failed == 0);
    return harness_end(&storm.harness);
}
