/* See replay.h: a cursor on a record, the commands that move it, and their output. The
 * model always gets time 0, so that no clock runs. */
#include "client/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/base/options.h"
#include "client/console/console.h"
#include "client/replay/fetch.h"
#include "client/session/session.h"
#include "client/verb/verbs.h"
#include "client/view/facts.h"
#include "client/view/manner.h"
#include "client/view/model.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

struct replay {
    struct prefs prefs; /* the settings, changed by the options */
    struct records_file file;
    struct model model; /* the game after `at` events, and after the moves tried on the
                         * private board */
    int first;          /* the lowest value of `at`: after the set-up */
    int at;
    int tried; /* moves on the private board; 0: the board of the record is shown */
    bool is_flipped;
    struct session session;
    struct console *console; /* of the session */
    struct event *timer;     /* timer for the next move in automatic play */
    double speed;            /* speed factor of automatic play; 0: not given, moves are
                      * shown step by step */
    bool is_playing;         /* automatic play is on */
};

static const char usage[] = N_(
    "Usage: janggi replay [OPTION...] FILE|-\n"
    "       janggi replay [OPTION...] LINK/NUMBER | HOST[:PORT] NUMBER\n"
    "\n"
    "Shows the game in FILE, a record, GIB or PGN, move by move. Enter shows the next\n"
    "move; help at the prompt lists the rest. With a link or a host, and the number\n"
    "of a game that has ended, it downloads the record from that server.\n"
    "\n"
    "      --speed FACTOR    play the moves automatically, FACTOR times as fast as in\n"
    "                        the game: 1, 4, 0.5; one second each if the file does\n"
    "                        not contain their times\n"
    "      --flip            show the board from Blue's side\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences instead of boards, for screen readers\n"
    "      --plain           one event per line, no prompt, no escape codes\n"
    "      --json            the same for scripts: one JSON object per line\n"
    "      --color WHEN      auto, always or never\n"
    "      --from FORMAT     record, gib or pgn, if the file does not show it\n"
    "  -r, --rules RULESET   the rules of a GIB or PGN file, whatever the file says\n"
    "      --game N          the Nth game of the file, from 1\n"
    "  -c 'WORDS; WORDS'     run these commands as if typed, then leave\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 cannot be read, 2 usage, 6 something in a script was refused,\n"
    "130 interrupted.\n");

/* --- The cursor --- */

static void feed(struct replay *replay, int number, const char *text,
                 struct model_news *news)
{
    int64_t id = replay->file.record.game >= 0 ? replay->file.record.game : 0;

    model_take_event(&replay->model, id, number, text, 0, news);
    replay->model.current = news->game;
    news->is_late = false;
}

static bool is_at_end(const struct replay *replay)
{
    return replay->at == replay->file.record.events;
}

/* Advances by one event and writes its news to *news. Returns false at the end. */
static bool advance(struct replay *replay, struct model_news *news)
{
    if (is_at_end(replay))
        return false;
    feed(replay, replay->at, replay->file.record.event[replay->at], news);
    replay->at++;
    return true;
}

/* Goes to the place `at` and closes the private board. */
static void go_to(struct replay *replay, int at)
{
    int64_t id = replay->file.record.game >= 0 ? replay->file.record.game : 0;
    struct model_news news;

    model_clear(&replay->model);
    replay->at = 0;
    replay->tried = 0;
    replay->session.is_private = false;
    replay->model.current = model_get(&replay->model, id);
    replay->model.current->is_turned = replay->is_flipped;
    while (replay->at < at && advance(replay, &news))
        continue;
}

/* Returns the last place at which exactly `plies` plies were made; if the game ended
 * there, the place before the end event; -1 if there is no such place. */
static int find_ply(const struct replay *replay, int plies)
{
    char why[RECORD_WHY_BYTES];
    int at = 0, found = -1;
    struct game game;

    game_init(&game);
    while (record_step(&replay->file.record, &at, &game, why))
        if (game.plies == plies && at >= replay->first &&
            (game.phase != GAME_OVER || found < 0))
            found = at;
    game_clear(&game);
    return found;
}

enum { UNTOLD_MS = 1000 };

/* Returns how long the player thought about the move that is the next event, in
 * milliseconds; UNTOLD_MS if the clocks do not show it; 0 if the next event is not a
 * move. */
static int64_t took_ms(const struct replay *replay)
{
    const struct clock *clock = &replay->model.current->game.clock;
    const struct time_left *before, *after;
    struct event event;
    int64_t ms;

    if (is_at_end(replay) ||
        event_parse(replay->file.record.event[replay->at], &event) != EVENT_OK ||
        event.kind != EVENT_MOVE)
        return 0;
    before = &clock->left[event.side];
    after = &event.left[event.side];
    if (!event.has_times || before->main_ms == 0)
        return UNTOLD_MS; /* in byoyomi the clock does not show how long a move took */
    ms = before->main_ms - after->main_ms +
         (before->periods - after->periods) * clock->terms.period_ms;
    if (after->main_ms > 0)
        ms += clock->terms.increment_ms;
    return ms > 0 ? ms : 0;
}

/* --- What is shown --- */

static void show_board(struct replay *replay)
{
    session_show_board(&replay->session, replay->model.current);
}

/* Shows an event as in a live game. On a screen, also shows the board if wants_board is
 * true. */
static void show_event(struct replay *replay, const struct model_news *news,
                       bool wants_board)
{
    struct manner_scene scene = {.model = &replay->model,
                                 .view = session_view(&replay->session),
                                 .columns = console_columns(replay->console),
                                 .wants_board = wants_board &&
                                                console_has_boards(replay->console)};
    struct facts facts;

    facts_take_event(&facts, news, 0);
    console_show(replay->console, &scene, &facts);
}

/* Describes the events before the first move. After that, shows the board if games are
 * shown as boards. */
static void begin(struct replay *replay)
{
    struct model_news news;

    go_to(replay, 0);
    while (replay->model.current->game.phase != GAME_PLAY && advance(replay, &news))
        show_event(replay, &news, false);
    replay->first = replay->at;
    if (console_has_boards(replay->console))
        show_board(replay);
}

/* --- Moves that come by themselves --- */

static void pause_moves(struct replay *replay)
{
    replay->is_playing = false;
    event_del(replay->timer);
}

static void wait_for_move(struct replay *replay)
{
    double speed = replay->speed > 0 ? replay->speed : 1;

    loop_add(replay->timer, (int64_t)((double)took_ms(replay) / speed));
}

/* Advances by one event; closes the private board first. */
static void step(struct replay *replay)
{
    struct model_news news;

    if (replay->tried > 0)
        go_to(replay, replay->at);
    if (!advance(replay, &news))
        console_say(replay->console, _("This is the end of the record.\n"));
    else if (news.took == MODEL_NEW)
        show_event(replay, &news, news.event.kind != EVENT_SETUP);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct replay *replay = arg;

    (void)fd;
    (void)what;
    step(replay);
    if (is_at_end(replay)) {
        pause_moves(replay);
        if (console_is_ended(replay->console))
            console_finish(replay->console);
    } else {
        wait_for_move(replay);
    }
    console_go_on(replay->console);
}

static void start_moves(struct replay *replay)
{
    if (is_at_end(replay)) {
        console_say(replay->console, _("This is the end of the record.\n"));
        return;
    }
    if (replay->tried > 0)
        go_to(replay, replay->at);
    replay->is_playing = true;
    wait_for_move(replay);
}

/* --- What can be typed --- */

static void do_go_to(struct replay *replay, const struct action *action)
{
    int most = replay->file.game.plies;
    int at = find_ply(replay, (int)action->number);

    if (at >= 0) {
        go_to(replay, at);
        show_board(replay);
        return;
    }
    console_refusef(replay->console,
                    translate_count("The record has %d move.\n",
                                    "The record has %d moves.\n", most),
                    most);
}

/* Makes `move` on the private board. Directly after the end of the game, the end is
 * removed from the model first, so that moves can be tried after a resignation too. */
static void do_try(struct replay *replay, struct move move)
{
    int at = replay->at;
    char words[SENTENCE_BYTES];
    struct game_news follows;
    struct event event;
    struct fault fault;
    struct game *game;

    if (replay->tried == 0 && at > 0 &&
        event_parse(replay->file.record.event[at - 1], &event) == EVENT_OK &&
        event.kind == EVENT_END)
        go_to(replay, at - 1);
    game = &replay->model.current->game;
    fault = game_judge_move(game, game_turn(game), move, 0, &follows);
    if (fault.code != FAULT_NONE) {
        if (replay->tried == 0)
            go_to(replay, at);
        sentence_fault_of_both(words, fault);
        console_refusef(replay->console, _("-- not played: %s\n"), words);
        return;
    }
    for (int i = 0; i < follows.count; i++) {
        char text[EVENT_BYTES];
        struct model_news news;

        event_format(text, &follows.event[i]);
        feed(replay, replay->model.current->next_event, text, &news);
    }
    replay->at = at;
    replay->tried++;
    replay->session.is_private = true;
    show_board(replay);
}

/* Loads another record. If that fails, the current one stays. */
static void do_load(struct replay *replay, const struct action *action)
{
    struct records_wish wish = {.number = 1};
    struct records_file file;

    if (strcmp(action->words, "-") == 0) {
        console_refuse(replay->console, _("load FILE: a record, GIB or PGN\n"));
        return;
    }
    if (!records_read(&file, action->words, &wish)) {
        console_note_refusal(replay->console);
        return;
    }
    session_clear(&replay->session);
    records_clear(&replay->file);
    replay->file = file;
    begin(replay);
}

static bool carry_out(void *owner, const struct action *action)
{
    struct replay *replay = owner;

    switch (action->kind) {
    case ACTION_NOTHING:
    case ACTION_NEXT:
        step(replay);
        break;
    case ACTION_TRY:
        do_try(replay, action->move);
        break;
    case ACTION_BACK: /* closes the private board, or goes back by one event */
        if (replay->tried == 0 && replay->at == replay->first) {
            console_say(replay->console, _("This is the beginning.\n"));
            break;
        }
        go_to(replay, replay->tried > 0 ? replay->at : replay->at - 1);
        show_board(replay);
        break;
    case ACTION_GO_TO:
        do_go_to(replay, action);
        break;
    case ACTION_PLAY:
        if (action->number > 0)
            replay->speed = (double)action->number / 1000;
        start_moves(replay);
        break;
    case ACTION_ANALYSE:
        session_analyse(&replay->session, &replay->file.game);
        break;
    case ACTION_LOAD:
        do_load(replay, action);
        break;
    case ACTION_QUIT:
        console_finish(replay->console);
        break;
    default:
        return false;
    }
    return true;
}

static void on_flip(void *owner, struct model_game *game)
{
    struct replay *replay = owner;

    replay->is_flipped = game->is_turned;
}

/* --- From the console --- */

/* Every line pauses automatic play; an empty line during automatic play does nothing
 * else. */
static bool take_line(void *owner, const char *line)
{
    struct replay *replay = owner;
    bool was_playing = replay->is_playing;

    pause_moves(replay);
    return was_playing && line[strspn(line, " ")] == '\0';
}

/* Handles the end of the input. If automatic play is on, it continues to the end of the
 * record. */
static void on_end(void *owner)
{
    struct replay *replay = owner;

    if (!replay->is_playing)
        console_finish(replay->console);
}

static void on_interrupt(void *owner)
{
    pause_moves(owner);
}

static void add_prompt(void *owner, struct text *out)
{
    const struct replay *replay = owner;

    if (replay->tried > 0)
        text_addf(out, _("try %d> "), replay->tried);
    else
        text_addf(out, "%d/%d%s> ", replay->model.current->game.plies,
                  replay->file.game.plies, replay->is_playing ? _(" playing") : "");
}

static int live(struct replay *replay)
{
    static const struct session_referee referee = {.run = carry_out,
                                                   .on_flip = on_flip,
                                                   .take_line = take_line,
                                                   .on_end = on_end,
                                                   .on_interrupt = on_interrupt,
                                                   .add_prompt = add_prompt};
    int code;

    replay->session = (struct session){.prefs = &replay->prefs,
                                       .model = &replay->model,
                                       .verbs = &verbs_of_replay,
                                       .referee = &referee,
                                       .owner = replay,
                                       .is_still = true};
    session_begin(&replay->session, NULL);
    replay->console = replay->session.console;
    replay->timer = loop_event(console_base(replay->console), -1, 0, on_timer, replay);
    model_init(&replay->model);
    begin(replay);
    if (replay->speed > 0)
        start_moves(replay);
    console_start(replay->console);
    code = console_run(replay->console);
    event_free(replay->timer);
    session_end(&replay->session);
    model_clear(&replay->model);
    return code;
}

/* --- Options --- */

enum { OPTION_SPEED = 256, OPTION_FLIP, OPTION_HELP };

static const struct option_row options[] = {
    {"speed", OPTION_SPEED, N_("0.01 to 1000")},
    {"flip", OPTION_FLIP, NULL},
    {"plain", PREFS_OPTION_PLAIN, NULL},
    {"speech", PREFS_OPTION_SPEECH, NULL},
    {"json", PREFS_OPTION_JSON, NULL},
    {"pieces", PREFS_OPTION_PIECES, N_("letters, hanja or hangul")},
    {"color", PREFS_OPTION_COLOR, N_("auto, always or never")},
    {"from", FETCH_OPTION_FROM, N_("record, gib or pgn")},
    {"rules", 'r', N_("martin, courier, vchess or kja")},
    {"game", FETCH_OPTION_GAME, N_("a number, at least 1")},
    {"help", OPTION_HELP, NULL},
    {"", 'c', N_("words")},
    {NULL, 0, NULL},
};

struct wish {
    struct replay *replay;
    struct records_wish file;
    struct options options;
};

static bool take_option(void *arg, int option, const char *value)
{
    struct wish *wish = arg;

    switch (option) {
    case OPTION_SPEED:
        return args_parse_factor(value, &wish->replay->speed);
    case OPTION_FLIP:
        wish->replay->is_flipped = true;
        return true;
    default:
        return fetch_take_option(&wish->file, option, value) ||
               prefs_take_option(&wish->replay->prefs, option, value);
    }
}

int replay_run(int argc, char **argv, const struct prefs *prefs)
{
    struct replay replay = {.prefs = *prefs};
    struct wish wish = {.replay = &replay, .file = {.number = 1}};
    int code;

    if (!options_read(&wish.options, options, argc, argv, take_option, &wish) ||
        !fetch_has_file(&wish.options, 2))
        return CLIENT_EXIT_USAGE;
    if (wish.options.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (!fetch_game(&replay.file, &replay.prefs, &wish.file, &wish.options))
        return CLIENT_EXIT_ERROR;
    code = live(&replay);
    records_clear(&replay.file);
    return code;
}
