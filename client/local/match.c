/* See match.h. */
#include "client/local/match.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/console/console.h"
#include "client/engine/computer.h"
#include "client/engine/thinker.h"
#include "client/session/session.h"
#include "client/verb/verbs.h"
#include "common/base/error_words.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* What the thinker searches for. */
enum thought { THOUGHT_NONE, THOUGHT_MOVE, THOUGHT_HINT };

struct match {
    struct table table;
    struct session session;
    struct console *console;
    struct event *flag; /* fires when the side to move runs out of time */
    struct thinker *thinker;
    enum thought thought;
    struct search_report last; /* of the search for the computer's last move */
    uint64_t seed;
};

/* --- What is shown --- */

static const char after_end[] =
    N_("Type \"new\" or \"rematch\", \"analyse\", \"replay\", \"takeback\", "
       "\"save FILE\" or \"quit\".\n");

static void refuse(struct match *match, const char *words)
{
    console_refusef(match->console, "-- %s\n", words);
}

static void show_setup_choice(struct match *match)
{
    const struct table *table = &match->table;
    char head[128];
    struct text text = text_into(head, sizeof head);

    if (table->game->game.phase != GAME_SETUP || table_is_computers_turn(table))
        return;
    text_addf(&text, _("%s sets up:\n"), term_side_title(table_turn(table)));
    session_show_setup_choice(&match->session, table->game, head);
}

static void on_event(void *owner, const struct model_news *news)
{
    struct match *match = owner;

    session_follow(&match->session, news->game);
    session_check_target(&match->session);
    session_show_event(&match->session, news, mono_now_ms(), _(after_end));
}

/* --- The computer --- */

static uint64_t next_seed(struct match *match)
{
    match->seed = match->seed * UINT64_C(6364136223846793005) + 1;
    return match->seed;
}

/* Cancels the search, so that on_thought() is not called. */
static void stop_thinking(struct match *match)
{
    thinker_cancel(match->thinker);
    match->thought = THOUGHT_NONE;
}

/* Searches for the side to move; on_thought() gets the result. */
static void think(struct match *match, enum thought thought, int level)
{
    struct search_task task;

    stop_thinking(match);
    computer_take_game(&task, &match->table.game->game, level, next_seed(match),
                       mono_now_ms());
    thinker_start(match->thinker, &task);
    match->thought = thought;
}

static void forget_game(struct match *match)
{
    stop_thinking(match);
    thinker_forget(match->thinker);
    match->last = (struct search_report){.has_move = false};
    trial_end(&match->session.trial);
}

/* --- Turns and time --- */

/* Lets the computer act if it is its turn: it chooses its line-up at once, or starts the
 * search for its move. Sets the timer that ends the game when the side to move runs out
 * of time; if the timer fires early, on_flag() sets it again. Call it after any change
 * that may affect whose turn it is. */
static void settle(void *owner)
{
    struct match *match = owner;
    struct table *table = &match->table;
    struct game_news news;
    int64_t at_ms, now_ms = mono_now_ms();

    if (console_is_leaving(match->console))
        return;
    while (table_is_computers_turn(table) && table->game->game.phase == GAME_SETUP) {
        if (game_judge_setup(&table->game->game, table_turn(table),
                             computer_lineup(next_seed(match)), &news)
                .code != FAULT_NONE)
            log_die("match: the computer's line-up is refused");
        table_take(table, &news);
        show_setup_choice(match);
    }
    if (table_is_computers_turn(table) && match->thought != THOUGHT_MOVE)
        think(match, THOUGHT_MOVE, table->wish.level);
    event_del(match->flag);
    at_ms = clock_flag_at_ms(&table->game->game.clock);
    if (at_ms != INT64_MAX && table->game->game.phase == GAME_PLAY)
        loop_add(match->flag, at_ms < now_ms ? 0 : at_ms - now_ms);
}

static void on_flag(evutil_socket_t fd, short what, void *arg)
{
    struct match *match = arg;
    struct game_news news;

    (void)fd;
    (void)what;
    if (game_judge_flag(&match->table.game->game, mono_now_ms(), &news)) {
        stop_thinking(match);
        table_take(&match->table, &news);
    }
    settle(match);
    console_go_on(match->console);
}

/* --- Results of the computer's search --- */

static void play_computers_move(struct match *match, struct move move)
{
    const struct game *game = &match->table.game->game;
    struct game_news news;
    struct fault fault =
        game_judge_move(game, game_turn(game), move, mono_now_ms(), &news);

    if (fault.code == FAULT_NONE)
        table_take(&match->table, &news);
    else if (fault.code != FAULT_TIME) /* time ran out: the flag's timer ends the
                                        * game */
        log_die("match: the computer's move is refused: %s", fault_name(fault.code));
}

enum { HINT_PLIES = 5 };

static void show_hint(struct match *match, const struct search_report *report)
{
    int tenths = (report->score < 0 ? -report->score : report->score) / 10;
    char words[256], move[TERM_MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!report->has_move) {
        console_say(match->console, _("-- there is no legal move\n"));
        return;
    }
    text_addf(&text, _("-- hint: %s ("), term_move(move, report->move));
    if (report->end_plies > 0)
        text_addf(&text, _("wins in %d"), (report->end_plies + 1) / 2);
    else if (report->end_plies < 0)
        text_addf(&text, _("loses in %d"), -report->end_plies / 2);
    else
        text_addf(&text, _("%s%d.%d points"), report->score < 0 ? "-" : "+",
                  tenths / 10, tenths % 10);
    for (int i = 1; i < report->line_plies && i < HINT_PLIES; i++)
        text_addf(&text, "%s%s", i == 1 ? _("; then ") : " ",
                  term_move(move, report->line[i]));
    text_add(&text, ")\n");
    console_say(match->console, words);
}

static void on_thought(void *owner, const struct search_report *report)
{
    struct match *match = owner;
    enum thought thought = match->thought;

    match->thought = THOUGHT_NONE;
    if (thought == THOUGHT_MOVE) {
        match->last = *report;
        play_computers_move(match, report->move);
    } else {
        show_hint(match, report);
    }
    settle(match);
    console_go_on(match->console);
}

/* --- The referee, in place of a server --- */

static void begin_again(struct match *match)
{
    forget_game(match);
    table_begin(&match->table);
    show_setup_choice(match);
}

/* If fault.code is FAULT_NONE, applies the events in `news`. Otherwise, prints why the
 * command is refused. */
static void take(struct match *match, struct fault fault, const struct game_news *news)
{
    char words[SENTENCE_BYTES];

    if (fault.code == FAULT_NONE) {
        table_take(&match->table, news);
        show_setup_choice(match);
        return;
    }
    sentence_fault(words, fault);
    refuse(match, words);
}

static void do_setup(struct match *match, const char *line)
{
    const char *word = strrchr(line, ' ');
    struct game_news news;
    enum lineup lineup;

    if (word != NULL && lineup_parse(word + 1, &lineup))
        take(match,
             game_judge_setup(&match->table.game->game, table_turn(&match->table),
                              lineup, &news),
             &news);
}

static void do_resign(struct match *match, const char *line)
{
    struct game_news news;
    struct fault fault =
        game_judge_resign(&match->table.game->game, match->table.game->side, &news);

    (void)line;
    stop_thinking(match);
    take(match, fault, &news);
}

static void do_abort(struct match *match, const char *line)
{
    enum side by =
        table_has_computer(&match->table) ? match->table.game->side : SIDE_NONE;
    struct game_news news;
    struct fault fault = game_judge_abort(&match->table.game->game, by, &news);

    (void)line;
    stop_thinking(match);
    take(match, fault, &news);
}

/* Handles `draw`: two people agree in person; the computer decides by its evaluation of
 * the position. */
static void do_draw(struct match *match, const char *line)
{
    struct game_news news;
    struct fault fault = game_judge_draw(&match->table.game->game, &news);

    (void)line;
    if (fault.code == FAULT_NONE && table_has_computer(&match->table) &&
        !computer_takes_draw(&match->table.game->game, &match->last)) {
        console_say(match->console, _("-- the computer wants to play on\n"));
        return;
    }
    stop_thinking(match);
    take(match, fault, &news);
}

/* The player wants to leave without saving. */
static void do_quit(struct match *match, const char *line)
{
    (void)line;
    console_finish(match->console);
}

/* Handles a `rules` command with an unknown page name: prints that there is no such
 * page. For all other names, rules_run() in verb_find.c has already shown the page. */
static void do_rules(struct match *match, const char *line)
{
    (void)line;
    refuse(match,
           _("there is no such page; type for example: rules kja, rules cannon"));
}

static void do_rematch(struct match *match, const char *line)
{
    (void)line;
    if (match->table.game->game.phase != GAME_OVER) {
        refuse(
            match,
            _("this game is not over; to give it up and begin another, type \"new!\""));
        return;
    }
    table_change_seats(&match->table);
    begin_again(match);
}

/* Handles a command that an online game would send to the server. */
static void take_line(void *owner, const char *line, int64_t game)
{
    static const struct {
        const char *verb;
        void (*run)(struct match *match, const char *line);
    } known[] = {
        {"setup", do_setup}, {"resign", do_resign},   {"abort", do_abort},
        {"draw", do_draw},   {"rematch", do_rematch}, {"rules", do_rules},
        {"quit", do_quit},
    };
    struct match *match = owner;
    size_t len = strcspn(line, " ");

    (void)game; /* there is only one game */
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strlen(known[i].verb) == len && strncmp(known[i].verb, line, len) == 0) {
            known[i].run(match, line);
            return;
        }
    refuse(match, _("that needs a server; this game is at one terminal"));
}

static void do_move(struct match *match, const struct action *action)
{
    const struct model_game *game = match->table.game;
    struct game_news news;

    take(match,
         game_judge_move(&game->game, game->side, action->move, mono_now_ms(), &news),
         &news);
}

/* --- Commands only for a game at one terminal --- */

/* Returns true if the command would discard a running game that is not saved, and the
 * user has not confirmed this. */
static bool is_at_risk(const struct match *match, const struct action *action)
{
    return !match->table.is_saved && table_is_running(&match->table) &&
           !action->is_certain;
}

static void do_take_back(struct match *match, const struct action *action)
{
    enum table_back back;

    stop_thinking(match);
    back = table_take_back(&match->table, (int)action->number);
    if (back == TABLE_BACK_NONE)
        refuse(match, _("there is no such move to take back"));
    else
        trial_end(&match->session.trial); /* trial_is_of() compares only the event
                                           * counts, which can become equal again */
    if (back != TABLE_BACK_REOPENED)
        return;
    console_say(match->console,
                _("-- the end of the game was taken back; the game goes on\n"));
    if (console_is_screen(match->console))
        session_show_board(&match->session, match->table.game);
}

static void do_save(struct match *match, const struct action *action)
{
    const char *path =
        action->words[0] != '\0' ? action->words : match->table.save_path;
    bool is_other = strcmp(path, match->table.save_path) != 0;

    if (path[0] == '\0')
        refuse(match, _("\"save\" needs the name of a file: save FILE"));
    else if (strlen(path) >= PATH_MAX)
        refuse(match, _("that path is too long"));
    else if (is_other && !action->is_certain && access(path, F_OK) == 0)
        refuse(match, _("that file exists; save! FILE replaces it"));
    else if (!table_save(&match->table, path))
        console_refusef(match->console, _("-- not saved: %s: %s\n"), path,
                        error_words(errno));
    else
        console_sayf(match->console, _("-- saved in %s\n"), path);
}

/* Replaces the current game by the one in the file. Returns false after printing the
 * reason. */
static bool load(struct match *match, const char *path)
{
    const struct table *table = &match->table;

    stop_thinking(match);
    if (!table_load(&match->table, path))
        return false;
    forget_game(match);
    if (!console_is_screen(match->console))
        console_sayf(match->console, _("-- %s is loaded: %d plies\n"), path,
                     table->game->game.plies);
    else if (table->game->game.phase != GAME_SETUP)
        session_show_board(&match->session, table->game);
    show_setup_choice(match);
    return true;
}

static void do_load(struct match *match, const struct action *action)
{
    if (is_at_risk(match, action))
        refuse(match,
               _("this game is not saved: save it, or type load! FILE to discard it"));
    else if (!load(match, action->words))
        console_note_refusal(match->console);
}

static void do_hint(struct match *match)
{
    const struct game *game = &match->table.game->game;

    if (game->phase == GAME_SETUP)
        console_say(match->console, _("-- no hint now: first both sides choose their "
                                      "line-ups (setup 1 to 4)\n"));
    else if (table_turn(&match->table) == SIDE_NONE)
        console_say(match->console, _("-- it is nobody's turn now\n"));
    else if (match->thought == THOUGHT_MOVE)
        console_say(match->console,
                    _("-- no hint now: the computer is thinking about its own move\n"));
    else
        think(match, THOUGHT_HINT, SEARCH_LEVEL_MAX);
    if (match->thought == THOUGHT_HINT && console_is_screen(match->console))
        console_say(match->console,
                    _("-- the computer is looking for a move for you\n"));
}

static bool run_own(void *owner, const struct action *action)
{
    struct match *match = owner;

    switch (action->kind) {
    case ACTION_MOVE:
        do_move(match, action);
        break;
    case ACTION_CHOOSE:
        session_show_board(&match->session, match->table.game);
        break;
    case ACTION_HINT:
        do_hint(match);
        break;
    case ACTION_TAKEBACK:
        do_take_back(match, action);
        break;
    case ACTION_SAVE:
        do_save(match, action);
        break;
    case ACTION_LOAD:
        do_load(match, action);
        break;
    case ACTION_NEW:
        if (is_at_risk(match, action))
            refuse(match, _("this game is not over; to give it up and begin another, "
                            "type \"new!\""));
        else
            begin_again(match);
        break;
    case ACTION_LEVEL:
        if (action->number > 0)
            match->table.wish.level = (int)action->number;
        console_sayf(match->console, _("-- the computer plays at level %d of %d\n"),
                     match->table.wish.level, SEARCH_LEVEL_MAX);
        break;
    case ACTION_QUIT:
        if (console_is_screen(match->console) && is_at_risk(match, action))
            session_ask(&match->session, "quit",
                        _("Leave without saving (yes or no)? "));
        else
            console_finish(match->console);
        break;
    default:
        return false;
    }
    return true;
}

static void on_flip(void *owner, struct model_game *game)
{
    struct match *match = owner;

    match->table.is_flipped = game->is_turned != (game->side == SIDE_BLUE);
}

/* --- From the console --- */

/* A new line cancels the search for a hint. */
static bool take_typed(void *owner, const char *line)
{
    struct match *match = owner;

    (void)line;
    if (match->thought == THOUGHT_HINT)
        stop_thinking(match);
    return false;
}

static bool is_busy(void *owner)
{
    const struct match *match = owner;

    return match->thought != THOUGHT_NONE;
}

/* --- Life --- */

int match_run(struct prefs *prefs, const struct match_wish *wish)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_thought};
    static const struct session_referee referee = {.send = take_line,
                                                   .run = run_own,
                                                   .on_flip = on_flip,
                                                   .take_line = take_typed,
                                                   .on_done = settle,
                                                   .is_busy = is_busy};
    struct match match = {.seed = wish->seed};
    int code;

    table_init(&match.table, &wish->table, wish->is_flipped);
    match.table.on_event = on_event;
    match.table.owner = &match;
    match.session =
        (struct session){.prefs = prefs,
                         .model = &match.table.model,
                         .verbs = &verbs_of_local,
                         .is_against_computer = table_has_computer(&match.table),
                         .referee = &referee,
                         .owner = &match};
    session_begin(&match.session, prefs->history_path);
    match.console = match.session.console;
    match.thinker = thinker_new(console_base(match.console), COMPUTER_TABLE_MB,
                                &thinker_calls, &match);
    if (match.thinker == NULL)
        log_die("match: no thinker");
    match.flag = loop_event(console_base(match.console), -1, 0, on_flag, &match);
    if (wish->load_path == NULL)
        begin_again(&match);
    if (wish->load_path == NULL || load(&match, wish->load_path)) {
        settle(&match);
        console_start(match.console);
    } else {
        console_leave(match.console, CLIENT_EXIT_ERROR);
    }
    code = console_run(match.console);
    thinker_free(match.thinker);
    event_free(match.flag);
    session_end(&match.session);
    table_clear(&match.table);
    return code;
}
