/* See local.h: the options, and the session of a game on a table (table.h), with the
 * computer (thinker.h) as a player. */
#include "client/local/local.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/base/options.h"
#include "client/console/console.h"
#include "client/engine/computer.h"
#include "client/engine/search.h"
#include "client/engine/thinker.h"
#include "client/local/table.h"
#include "client/session/session.h"
#include "client/verb/verbs.h"
#include "client/view/words.h"
#include "common/base/error_words.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/names.h"
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
            log_die("local: the computer's line-up is refused");
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
    const struct game *game = &match->table.game->game;
    enum thought thought = match->thought;
    struct game_news news;
    struct fault fault;

    match->thought = THOUGHT_NONE;
    if (thought == THOUGHT_MOVE) {
        match->last = *report;
        fault =
            game_judge_move(game, game_turn(game), report->move, mono_now_ms(), &news);
        if (fault.code == FAULT_NONE)
            table_take(&match->table, &news);
        else if (fault.code != FAULT_TIME) /* time ran out: the flag's timer ends the
                                            * game */
            log_die("local: the computer's move is refused: %s",
                    fault_name(fault.code));
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

/* Handles a command that an online game would send to the server. */
static void take_line(void *owner, const char *line, int64_t number)
{
    struct match *match = owner;
    struct table *table = &match->table;
    const struct game *game = &table->game->game;
    enum side own = table->game->side;
    const char *word = strrchr(line, ' ');
    char verb[16];
    struct game_news news;
    struct fault fault;
    enum lineup lineup;

    (void)number; /* there is only one game */
    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(line, " "), line);
    if (strcmp(verb, "setup") == 0) {
        if (word != NULL && lineup_parse(word + 1, &lineup))
            take(match, game_judge_setup(game, table_turn(table), lineup, &news),
                 &news);
    } else if (strcmp(verb, "resign") == 0) {
        stop_thinking(match);
        take(match, game_judge_resign(game, own, &news), &news);
    } else if (strcmp(verb, "abort") == 0) {
        stop_thinking(match);
        take(match,
             game_judge_abort(game, table_has_computer(table) ? own : SIDE_NONE, &news),
             &news);
    } else if (strcmp(verb, "draw") == 0) {
        /* two people agree in person; the computer decides by its evaluation */
        fault = game_judge_draw(game, &news);
        if (fault.code == FAULT_NONE && table_has_computer(table) &&
            !computer_takes_draw(game, &match->last)) {
            console_say(match->console, _("-- the computer wants to play on\n"));
            return;
        }
        stop_thinking(match);
        take(match, fault, &news);
    } else if (strcmp(verb, "rematch") == 0 && game->phase != GAME_OVER) {
        refuse(match, _("this game is not over; to give it up and begin another, type "
                        "\"new!\""));
    } else if (strcmp(verb, "rematch") == 0) {
        table_change_seats(table);
        begin_again(match);
    } else if (strcmp(verb, "rules") ==
               0) { /* an unknown page: rules_run() shows others */
        refuse(match,
               _("there is no such page; type for example: rules kja, rules cannon"));
    } else if (strcmp(verb, "quit") == 0) { /* without saving */
        console_finish(match->console);
    } else {
        refuse(match, _("that needs a server; this game is at one terminal"));
    }
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
    const struct model_game *game = match->table.game;
    struct game_news news;

    switch (action->kind) {
    case ACTION_MOVE:
        take(match,
             game_judge_move(&game->game, game->side, action->move, mono_now_ms(),
                             &news),
             &news);
        break;
    case ACTION_CHOOSE:
        session_show_board(&match->session, game);
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
        if (is_at_risk(match, action))
            refuse(match, _("this game is not saved: save it, or type load! FILE to "
                            "discard it"));
        else if (!load(match, action->words))
            console_note_refusal(match->console);
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

/* --- Options --- */

static const char usage[] = N_(
    "Usage: janggi local [OPTION...]      two people at this terminal\n"
    "       janggi computer [OPTION...]   against the computer\n"
    "\n"
    "Opens no connection. Type \"help\" at the prompt for the commands.\n"
    "\n"
    "      --level 1-10      how strong the computer plays (default 5)\n"
    "      --side SIDE       your side (computer only): red (default), blue or any\n"
    "  -r, --rules RULESET   martin (default), courier, vchess or kja\n"
    "      --time TIME       10m+5s, 20m+3x40s, none (default)\n"
    "      --setup RED/BLUE  the line-ups, like NBNB/NBBN (default: you are asked)\n"
    "      --position TEXT   begin from this position, as \"janggi rules\" writes it\n"
    "      --load FILE       continue the game in FILE: a record, GIB or PGN\n"
    "      --flip            show the board from Blue's side\n"
    "  -n, --name NAME       your name; given twice: Red's name and Blue's\n"
    "      --seed N          the computer makes the same random choices each time\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences instead of boards, for screen readers\n"
    "      --plain           one event per line, no prompt, no escape codes\n"
    "      --json            the same for scripts: one JSON object per line\n"
    "      --color WHEN      auto, always or never\n"
    "  -c 'WORDS; WORDS'     run these commands as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 error, 2 usage, 6 something in a script was refused,\n"
    "130 interrupted.\n");

enum option_code {
    OPTION_LEVEL = 256,
    OPTION_SIDE,
    OPTION_TIME,
    OPTION_SETUP,
    OPTION_POSITION,
    OPTION_LOAD,
    OPTION_FLIP,
    OPTION_SEED,
    OPTION_HELP
};

static const struct option_row options[] = {
    {"level", OPTION_LEVEL, "1-10"},
    {"side", OPTION_SIDE, N_("red, blue or any")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"time", OPTION_TIME, N_("10m+5s, 20m+3x40s or none")},
    {"setup", OPTION_SETUP, N_("RED/BLUE, as NBNB/NBBN")},
    {"position", OPTION_POSITION, N_("a position as text")},
    {"load", OPTION_LOAD, N_("a file")},
    {"flip", OPTION_FLIP, NULL},
    {"name", 'n', N_("a name: 2-16 letters, digits, _ or -, or 2-8 Hangul syllables")},
    {"seed", OPTION_SEED, N_("a number, at least 1")},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"json", PREFS_OPTION_JSON, NULL},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

/* The parsed options. */
struct asked_for {
    struct prefs prefs; /* which the command `set` may change */
    struct table_wish table;
    bool is_flipped;
    uint64_t seed;         /* for the computer's random choices */
    const char *load_path; /* continue the game in this file; NULL: start a new one */
    enum side side;        /* SIDE_NONE: any */
    char name[SIDES][EVENT_NAME_BYTES];
    int names;
    const char *position;
    struct options options;
};

/* Applies one option. Returns false if its value is invalid. */
static bool take_option(void *arg, int option, const char *value)
{
    struct asked_for *asked = arg;
    struct table_wish *wish = &asked->table;
    char red[8] = "";
    size_t len;
    int64_t number;

    switch (option) {
    case OPTION_LEVEL:
        return text_to_int32(value, 1, SEARCH_LEVEL_MAX, &wish->level);
    case OPTION_SIDE:
        asked->side = names_find_side(value);
        return asked->side != SIDE_NONE || strcmp(value, "any") == 0;
    case 'r':
        wish->rules = ruleset_find(value);
        return wish->rules != NULL;
    case OPTION_TIME:
        return time_terms_parse_typed(value, &wish->terms) &&
               !time_terms_is_correspondence(&wish->terms);
    case OPTION_SETUP: /* such as "NBNB/NBBN": the orders of knights and bishops */
        len = strcspn(value, "/");
        if (len >= sizeof red || value[len] != '/')
            return false;
        memcpy(red, value, len);
        wish->has_lineup[SIDE_RED] = wish->has_lineup[SIDE_BLUE] = true;
        return lineup_parse(red, &wish->lineup[SIDE_RED]) &&
               lineup_parse(value + len + 1, &wish->lineup[SIDE_BLUE]);
    case OPTION_POSITION:
        asked->position = value;
        return true;
    case OPTION_LOAD:
        asked->load_path = value;
        return value[0] != '\0';
    case 'n':
        return asked->names < SIDES && utf8_name(asked->name[asked->names++], value);
    case OPTION_SEED:
        if (!text_to_int(value, 1, INT64_MAX, &number))
            return false;
        asked->seed = (uint64_t)number;
        return true;
    case OPTION_FLIP:
        asked->is_flipped = true;
        return true;
    default:
        return prefs_take_option(&asked->prefs, option, value);
    }
}

static bool take_position(struct asked_for *asked)
{
    struct table_wish *wish = &asked->table;
    const char *text = asked->position;
    char words[SENTENCE_BYTES];
    struct position_fault fault;

    if (text == NULL)
        return true;
    wish->has_position = true;
    if (position_parse(text, &wish->position, &fault) &&
        rules_position_ok(wish->rules, &wish->position, &fault))
        return true;
    sentence_position(words, &fault);
    return options_complain(&asked->options, _("this position is impossible"), words);
}

/* Names the people. Against the computer, the person has the name of an option, that in
 * the settings, the user's name in the variable USER, or "you". */
static void name_people(struct asked_for *asked, bool has_computer)
{
    struct table_wish *wish = &asked->table;
    enum side own = wish->is_computer[SIDE_RED] ? SIDE_BLUE : SIDE_RED;
    const char *user = getenv("USER");

    if (has_computer && asked->names > 0)
        text_copy(wish->name[own], EVENT_NAME_BYTES, asked->name[0]);
    else if (has_computer && !utf8_name(wish->name[own], asked->prefs.name) &&
             (user == NULL || !utf8_name(wish->name[own], user)))
        text_copy(wish->name[own], EVENT_NAME_BYTES, "you");
    for (int side = 0; side < SIDES && !has_computer; side++)
        if (asked->names > side)
            text_copy(wish->name[side], EVENT_NAME_BYTES, asked->name[side]);
        else
            snprintf(wish->name[side], EVENT_NAME_BYTES, "player-%d", side + 1);
}

static int play(struct asked_for *asked)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_thought};
    static const struct session_referee referee = {.send = take_line,
                                                   .run = run_own,
                                                   .on_flip = on_flip,
                                                   .take_line = take_typed,
                                                   .on_done = settle,
                                                   .is_busy = is_busy};
    struct match match = {.seed = asked->seed};
    int code;

    table_init(&match.table, &asked->table, asked->is_flipped);
    match.table.on_event = on_event;
    match.table.owner = &match;
    match.session =
        (struct session){.prefs = &asked->prefs,
                         .model = &match.table.model,
                         .verbs = &verbs_of_local,
                         .is_against_computer = table_has_computer(&match.table),
                         .referee = &referee,
                         .owner = &match};
    session_begin(&match.session, asked->prefs.history_path);
    match.console = match.session.console;
    match.thinker = thinker_new(console_base(match.console), COMPUTER_TABLE_MB,
                                &thinker_calls, &match);
    if (match.thinker == NULL)
        log_die("local: no thinker");
    match.flag = loop_event(console_base(match.console), -1, 0, on_flag, &match);
    if (asked->load_path == NULL)
        begin_again(&match);
    if (asked->load_path == NULL || load(&match, asked->load_path)) {
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

int local_run(int argc, char **argv, const struct prefs *prefs)
{
    struct asked_for asked = {.prefs = *prefs,
                              .side = SIDE_RED,
                              .seed = (uint64_t)mono_now_us(),
                              .table = {.rules = words_usual_rules(),
                                        .terms = {.is_untimed = true},
                                        .level = COMPUTER_LEVEL_USUAL}};
    struct options *read = &asked.options;
    bool has_computer = strcmp(argv[0], "computer") == 0;
    enum side own;

    if (!options_read(read, options, argc, argv, take_option, &asked) ||
        (!read->wants_help && read->rest != argc &&
         !options_complain(read, _("unexpected argument"), argv[read->rest])))
        return CLIENT_EXIT_USAGE;
    if (read->wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (!take_position(&asked))
        return CLIENT_EXIT_USAGE;
    if (has_computer) {
        own = asked.side != SIDE_NONE      ? asked.side
              : (asked.seed >> 7 & 1) != 0 ? SIDE_RED
                                           : SIDE_BLUE;
        asked.table.is_computer[side_other(own)] = true;
        asked.is_flipped = (own == SIDE_BLUE) != asked.is_flipped;
    }
    name_people(&asked, has_computer);
    return play(&asked);
}
