/* See replay.h: the options, the commands, and their output. */
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
#include "client/replay/place.h"
#include "client/session/explain.h"
#include "client/verb/complete.h"
#include "client/verb/verbs.h"
#include "client/view/facts.h"
#include "client/view/manner.h"
#include "client/view/render.h"
#include "common/base/mem.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

struct replay {
    struct prefs prefs; /* the settings, changed by the options */
    struct records_file file;
    struct place place;
    struct console *console;
    struct event *timer;      /* timer for the next move in automatic play */
    struct complete complete; /* the words that Tab offers; filled when Tab is
                               * pressed */
    struct explain explain;
    double speed;    /* speed factor of automatic play; 0: not given, moves are
                      * shown step by step */
    bool is_playing; /* automatic play is on */
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

/* --- What is shown --- */

static struct render_view view_of(const struct replay *replay)
{
    return (struct render_view){.has_color = console_has_color(replay->console),
                                .is_spoken = console_is_spoken(replay->console),
                                .is_private = replay->place.tried > 0,
                                .pieces = replay->prefs.pieces};
}

static struct manner_scene make_scene(const struct replay *replay)
{
    return (struct manner_scene){.model = &replay->place.model,
                                 .view = view_of(replay),
                                 .columns = console_columns(replay->console)};
}

static void show_board(struct replay *replay)
{
    struct manner_scene scene = make_scene(replay);
    struct facts facts;

    facts_take_game(&facts, place_game(&replay->place), 0);
    console_show_board(replay->console, &scene, &facts);
}

/* Shows an event as in a live game. On a screen, also shows the board if wants_board is
 * true. */
static void show_event(struct replay *replay, const struct model_news *news,
                       bool wants_board)
{
    struct manner_scene scene = make_scene(replay);
    struct facts facts;

    scene.wants_board = wants_board && console_has_boards(replay->console);
    facts_take_event(&facts, news, 0);
    console_show_event(replay->console, &scene, &facts);
}

/* Describes the events before the first move. After that, shows the board if games are
 * shown as boards. */
static void show_beginning(struct replay *replay)
{
    struct place *place = &replay->place;
    struct model_news news;
    int first = place->first;

    place_go(place, 0);
    while (place->at < first && place_next(place, &news))
        show_event(replay, &news, false);
    if (console_has_boards(replay->console))
        show_board(replay);
}

static void begin(struct replay *replay, bool is_flipped)
{
    place_init(&replay->place, &replay->file.record);
    if (is_flipped)
        place_flip(&replay->place);
    show_beginning(replay);
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

    loop_add(replay->timer, (int64_t)((double)place_took_ms(&replay->place) / speed));
}

static bool is_at_end(const struct replay *replay)
{
    return replay->place.at == replay->place.record->events;
}

/* Advances by one event; closes the private board first. */
static void step(struct replay *replay)
{
    struct place *place = &replay->place;
    struct model_news news;

    if (place->tried > 0)
        place_go(place, place->at);
    if (!place_next(place, &news))
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
    if (is_at_end(replay))
        pause_moves(replay);
    else
        wait_for_move(replay);
    if (is_at_end(replay) && console_is_ended(replay->console))
        console_finish(replay->console);
    console_go_on(replay->console);
}

static void start_moves(struct replay *replay)
{
    if (is_at_end(replay)) {
        console_say(replay->console, _("This is the end of the record.\n"));
        return;
    }
    if (replay->place.tried > 0)
        place_go(&replay->place, replay->place.at);
    replay->is_playing = true;
    wait_for_move(replay);
}

/* --- What can be typed --- */

static void go(struct replay *replay, int at)
{
    place_go(&replay->place, at);
    show_board(replay);
}

/* Closes the private board, or goes back by one event. */
static void do_back(struct replay *replay)
{
    struct place *place = &replay->place;

    if (place->tried > 0)
        go(replay, place->at);
    else if (place->at > place->first)
        go(replay, place->at - 1);
    else
        console_say(replay->console, _("This is the beginning.\n"));
}

static void do_go_to(struct replay *replay, const struct action *action)
{
    int most = replay->file.game.plies;
    int at = place_find_ply(&replay->place, (int)action->number);

    if (at >= 0)
        go(replay, at);
    else
        console_refusef(replay->console,
                        translate_count("The record has %d move.\n",
                                        "The record has %d moves.\n", most),
                        most);
}

static void do_flip(struct replay *replay)
{
    place_flip(&replay->place);
    show_board(replay);
}

static void do_try(struct replay *replay, struct move move)
{
    char words[SENTENCE_BYTES];
    struct fault fault;

    if (place_try(&replay->place, move, &fault)) {
        show_board(replay);
        return;
    }
    sentence_fault_of_both(words, fault);
    console_refusef(replay->console, _("-- not played: %s\n"), words);
}

static void do_play(struct replay *replay, const struct action *action)
{
    if (action->number > 0)
        replay->speed = (double)action->number / 1000;
    start_moves(replay);
}

/* Loads another record. If that fails, the current one stays. */
static void do_load(struct replay *replay, const struct action *action)
{
    struct records_wish wish = {.number = 1};
    struct records_file file;
    bool is_flipped = replay->place.is_flipped;

    if (strcmp(action->words, "-") == 0) {
        console_refuse(replay->console, _("load FILE: a record, GIB or PGN\n"));
        return;
    }
    if (!records_read(&file, action->words, &wish)) {
        console_note_refusal(replay->console);
        return;
    }
    explain_clear(&replay->explain);
    place_clear(&replay->place);
    records_clear(&replay->file);
    replay->file = file;
    begin(replay, is_flipped);
}

static void carry_out(struct replay *replay, const struct action *action)
{
    switch (action->kind) {
    case ACTION_NOTHING:
    case ACTION_NEXT:
        step(replay);
        break;
    case ACTION_REFUSE:
        console_refuse(replay->console, action->words);
        break;
    case ACTION_SAY:
        console_say(replay->console, action->words);
        break;
    case ACTION_BOARD:
        show_board(replay);
        break;
    case ACTION_FLIP:
        do_flip(replay);
        break;
    case ACTION_TRY:
        do_try(replay, action->move);
        break;
    case ACTION_BACK:
        do_back(replay);
        break;
    case ACTION_GO_TO:
        do_go_to(replay, action);
        break;
    case ACTION_PLAY:
        do_play(replay, action);
        break;
    case ACTION_ANALYSE:
        explain_begin(&replay->explain, replay->console, &replay->file.game);
        break;
    case ACTION_LOAD:
        do_load(replay, action);
        break;
    case ACTION_QUIT:
        console_finish(replay->console);
        break;
    default:
        break; /* nothing to do; on_line() has paused automatic play */
    }
}

/* --- From the console --- */

/* Handles a typed line. Every line pauses automatic play; an empty line during
 * automatic play does nothing else. */
static void on_line(void *owner, const char *line)
{
    struct replay *replay = owner;
    struct action *action = mem_new(sizeof *action);
    struct render_view view = view_of(replay);
    bool was_playing = replay->is_playing;

    pause_moves(replay);
    verbs_read(&verbs_of_replay, &replay->place.model, NULL, line, &view, action);
    if (action->kind != ACTION_NOTHING)
        console_remember(replay->console, line);
    if (action->kind != ACTION_NOTHING || !was_playing)
        carry_out(replay, action);
    free(action);
}

/* Handles the end of the input. If automatic play is on, it continues to the end of the
 * record. */
static void on_end(void *owner)
{
    struct replay *replay = owner;

    if (!replay->is_playing)
        console_finish(replay->console);
}

static bool on_interrupt(void *owner, bool is_last)
{
    struct replay *replay = owner;

    if (!is_last)
        pause_moves(replay);
    return explain_stop(&replay->explain);
}

static bool is_busy(void *owner)
{
    const struct replay *replay = owner;

    return explain_is_busy(&replay->explain);
}

static void add_prompt(void *owner, struct text *out)
{
    const struct replay *replay = owner;
    const struct place *place = &replay->place;

    if (place->tried > 0)
        text_addf(out, _("try %d> "), place->tried);
    else
        text_addf(out, "%d/%d%s> ", place_game(place)->game.plies,
                  replay->file.game.plies, replay->is_playing ? _(" playing") : "");
}

static const char *complete(void *owner, const char *before, const char *word, size_t i)
{
    struct replay *replay = owner;

    return complete_word(&replay->complete, &verbs_of_replay, &replay->place.model,
                         NULL, before, word, i);
}

/* --- Life --- */

static void open_console(struct replay *replay)
{
    static const struct console_calls calls = {.on_line = on_line,
                                               .on_end = on_end,
                                               .on_interrupt = on_interrupt,
                                               .is_busy = is_busy,
                                               .add_prompt = add_prompt,
                                               .complete = complete};

    replay->console = console_new(&replay->prefs, NULL, &calls, replay);
    replay->timer = loop_event(console_base(replay->console), -1, 0, on_timer, replay);
}

static int live(struct replay *replay, bool is_flipped)
{
    int code;

    open_console(replay);
    begin(replay, is_flipped);
    if (replay->speed > 0)
        start_moves(replay);
    console_start(replay->console);
    code = console_run(replay->console);
    explain_clear(&replay->explain);
    event_free(replay->timer);
    console_free(replay->console);
    place_clear(&replay->place);
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
    bool is_flipped;
    struct options options;
};

static bool take_option(void *arg, int option, const char *value)
{
    struct wish *wish = arg;

    switch (option) {
    case OPTION_SPEED:
        return args_parse_factor(value, &wish->replay->speed);
    case OPTION_FLIP:
        wish->is_flipped = true;
        return true;
    default:
        return fetch_take_option(&wish->file, option, value) ||
               prefs_take_option(&wish->replay->prefs, option, value);
    }
}

static bool take_options(struct wish *wish, int argc, char **argv)
{
    struct options *read = &wish->options;

    return options_read(read, options, argc, argv, take_option, wish) &&
           fetch_has_file(read, 2);
}

int replay_run(int argc, char **argv, const struct prefs *prefs)
{
    struct replay replay = {.prefs = *prefs};
    struct wish wish = {.replay = &replay, .file = {.number = 1}};
    int code;

    if (!take_options(&wish, argc, argv))
        return CLIENT_EXIT_USAGE;
    if (wish.options.wants_help) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (!fetch_game(&replay.file, &replay.prefs, &wish.file, &wish.options))
        return CLIENT_EXIT_ERROR;
    code = live(&replay, wish.is_flipped);
    records_clear(&replay.file);
    return code;
}
