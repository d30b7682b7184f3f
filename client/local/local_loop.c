/* The life of a game at one terminal: the loop, the clocks' flags, the computer's
 * turns, and scripts, which go one step at a time. See local_parts.h. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/engine/computer.h"
#include "client/local/local_parts.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

void local_leave(struct local *local, int code)
{
    if (!local->is_leaving)
        local->exit_code = code;
    local->is_leaving = true;
    event_base_loopbreak(local->base);
}

/* --- The computer --- */

void local_stop_thinking(struct local *local)
{
    thinker_cancel(local->thinker);
    local->thought = THOUGHT_NONE;
}

static void start_thought(struct local *local, enum local_thought thought, int level)
{
    struct search_task task;

    local_stop_thinking(local);
    local->seed = local->seed * UINT64_C(6364136223846793005) + 1;
    computer_take_game(&task, &local->game->game, level, local->seed, mono_now_ms());
    thinker_start(local->thinker, &task);
    local->thought = thought;
}

void local_ask_hint(struct local *local)
{
    if (table_turn(local) == SIDE_NONE || local->game->game.phase != GAME_PLAY)
        show_say(local, _("-- nobody is to move now\n"));
    else if (local->thought == THOUGHT_MOVE)
        show_say(local, _("-- the computer thinks about its own move\n"));
    else
        start_thought(local, THOUGHT_HINT, SEARCH_LEVEL_MAX);
}

/* Its line-up comes at once, its move from the thinker. */
static void take_turn(struct local *local)
{
    struct game_news news;

    while (table_is_computers_turn(local) && local->game->game.phase == GAME_SETUP) {
        local->seed = local->seed * UINT64_C(6364136223846793005) + 1;
        if (game_judge_setup(&local->game->game, table_turn(local),
                             computer_lineup(local->seed), &news)
                .code != FAULT_NONE)
            die("local: the computer's line-up is refused");
        table_take(local, &news);
        show_setup_choice(local);
    }
    if (table_is_computers_turn(local) && local->thought != THOUGHT_MOVE)
        start_thought(local, THOUGHT_MOVE, local->wish.level);
}

static void play(struct local *local, const struct search_report *report)
{
    const struct game *game = &local->game->game;
    struct game_news news;
    struct fault fault =
        game_judge_move(game, game_turn(game), report->move, mono_now_ms(), &news);

    local->last_report = *report;
    if (fault.code == FAULT_NONE)
        table_take(local, &news);
    else if (fault.code != FAULT_TIME) /* the flag's timer says that */
        die("local: the computer's move is refused: %s", fault_name(fault.code));
}

static void on_done(void *owner, const struct search_report *report)
{
    struct local *local = owner;
    enum local_thought thought = local->thought;

    local->thought = THOUGHT_NONE;
    if (thought == THOUGHT_MOVE)
        play(local, report);
    else if (thought == THOUGHT_HINT)
        show_hint(local, report);
    local_go_on(local);
}

/* --- Time --- */

static void on_flag(evutil_socket_t fd, short what, void *arg)
{
    struct local *local = arg;
    struct game_news news;

    (void)fd;
    (void)what;
    if (game_judge_flag(&local->game->game, mono_now_ms(), &news)) {
        local_stop_thinking(local);
        table_take(local, &news);
    }
    local_go_on(local);
}

/* One timer at the very moment; if it comes early it is set again. */
static void watch_flag(struct local *local)
{
    int64_t at_ms = clock_flag_at_ms(&local->game->game.clock), left_ms;
    struct timeval left;

    event_del(local->flag);
    if (at_ms == INT64_MAX || local->game->game.phase != GAME_PLAY)
        return;
    left_ms = at_ms - mono_now_ms();
    left_ms = left_ms < 0 ? 0 : left_ms;
    left.tv_sec = left_ms / 1000;
    left.tv_usec = (suseconds_t)(left_ms % 1000 * 1000);
    if (event_add(local->flag, &left) != 0)
        die("local: the loop takes no timer");
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct local *local = arg;

    (void)fd;
    (void)what;
    if (local->prefs.has_tick)
        show_prompt(local);
}

static void on_terminate(evutil_socket_t number, short what, void *arg)
{
    (void)what;
    local_leave(arg, 128 + (int)number);
}

/* --- Scripts --- */

/* The next command of -c, up to the semicolon. */
static void take_script(struct local *local)
{
    char line[PROTO_LINE_MAX + 2]; /* one that is too long stays so, and is refused */
    size_t len = strcspn(local->script, ";");
    const char *at = local->script;

    local->script = at[len] == ';' ? at + len + 1 : NULL;
    snprintf(line, sizeof line, "%.*s", (int)len, at);
    local_on_line(local, line);
}

static void go_on_with_script(struct local *local)
{
    bool is_busy = local->thought != THOUGHT_NONE;

    edit_hold(local->edit, is_busy || local->prefs.script != NULL);
    if (is_busy || local->is_leaving)
        return;
    if (local->script != NULL)
        take_script(local);
    else if (local->is_ended || local->prefs.script != NULL)
        local_leave(local, local->is_refused ? CLIENT_EXIT_MOVE : CLIENT_EXIT_OK);
}

void local_go_on(struct local *local)
{
    if (local->is_leaving)
        return;
    take_turn(local);
    watch_flag(local);
    show_prompt(local);
    if (local->is_script)
        go_on_with_script(local);
}

/* --- Life --- */

static void look_round(struct local *local)
{
    const char *term = getenv("TERM");
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool is_dumb = term == NULL || strcmp(term, "dumb") == 0;

    local->is_screen =
        is_terminal && !local->prefs.is_plain && local->prefs.script == NULL;
    local->is_editing = local->is_screen && !is_dumb && edit_has_readline();
    local->is_script = local->prefs.script != NULL || !isatty(STDIN_FILENO);
    local->script = local->prefs.script;
    local->has_color = prefs_wants_color(&local->prefs, local->is_screen);
}

static void open_keyboard(struct local *local)
{
    static const struct edit_calls calls = {local_on_line, local_on_end,
                                            local_on_interrupt, local_on_complete};
    struct edit_options options = {
        .has_keys = local->is_editing,
        .has_prompt = local->is_screen,
        .history_path = local->prefs.history_path,
    };

    local->edit = edit_open(local->base, &options, &calls, local);
}

static void open_timers(struct local *local)
{
    struct timeval second = {.tv_sec = 1};

    local->flag = event_new(local->base, -1, 0, on_flag, local);
    local->tick = event_new(local->base, -1, EV_PERSIST, on_tick, local);
    if (local->flag == NULL || local->tick == NULL ||
        event_add(local->tick, &second) != 0)
        die("local: the loop takes no timer");
}

static void run_loop(struct local *local)
{
    struct event *term = evsignal_new(local->base, SIGTERM, on_terminate, local);
    struct event *hangup = evsignal_new(local->base, SIGHUP, on_terminate, local);

    event_add(term, NULL);
    event_add(hangup, NULL);
    event_base_dispatch(local->base);
    event_free(hangup);
    event_free(term);
}

/* The game that is asked for. False: it cannot be read. */
static bool begin(struct local *local)
{
    if (local->load_path == NULL)
        table_begin(local);
    else if (!table_load(local, local->load_path))
        return false;
    show_setup_choice(local);
    edit_hold(local->edit, false);
    local_go_on(local);
    return true;
}

int local_live(struct local *local)
{
    static const struct thinker_calls calls = {.on_done = on_done};

    signal(SIGPIPE, SIG_IGN);
    look_round(local);
    local->base = loop_new();
    local->thinker = thinker_new(local->base, COMPUTER_TABLE_MB, &calls, local);
    if (local->thinker == NULL)
        die("local: no thinker");
    open_timers(local);
    open_keyboard(local);
    model_init(&local->model);
    record_init(&local->record);
    if (!begin(local))
        local->exit_code = CLIENT_EXIT_ERROR;
    else if (!local->is_leaving)
        run_loop(local);
    thinker_free(local->thinker);
    edit_close(local->edit);
    event_free(local->flag);
    event_free(local->tick);
    table_clear(local);
    event_base_free(local->base);
    return local->exit_code;
}
