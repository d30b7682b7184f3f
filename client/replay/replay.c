/* See replay.h: the options, the loop, and the output. */
#include "client/replay/replay.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/replay/fetch.h"
#include "client/replay/replay_parts.h"
#include "client/view/json.h"
#include "client/view/render.h"
#include "client/view/speech.h"
#include "client/view/words.h"
#include "common/base/log.h"
#include "common/base/translate.h"

static const char usage[] = N_(
    "Usage: janggi replay [OPTION...] FILE|-\n"
    "       janggi replay [OPTION...] LINK/NUMBER | HOST[:PORT] NUMBER\n"
    "\n"
    "Shows the game in FILE, a record, GIB or PGN, move by move. Enter is the next\n"
    "move; help at the prompt lists the rest. With the number of a game that has\n"
    "ended, behind a link or a host, its record comes from that server.\n"
    "\n"
    "      --speed FACTOR    moves come by themselves, in the time they took or "
    "FACTOR\n"
    "                        times as fast: 4, 0.5; a second each where it is not "
    "known\n"
    "      --flip            from Blue's side\n"
    "      --pieces SET      letters, hanja or hangul on the board\n"
    "      --speech          sentences in place of boards, to be read aloud\n"
    "      --plain           one event a line, no prompt, no escape codes\n"
    "      --json            the same for scripts: one object a line\n"
    "      --color WHEN      auto, always or never\n"
    "      --from FORMAT     record, gib or pgn, if it cannot be told from the file\n"
    "  -r, --rules RULESET   in place of the one that a GIB or PGN file names, or not\n"
    "      --game N          the Nth game of the file, from 1\n"
    "      --help            print this\n"
    "\n"
    "Exit: 0 ok, 1 cannot be read, 2 usage, 130 interrupted.\n");

/* --- Output --- */

void replay_leave(struct replay *replay, int code)
{
    replay->exit_code = code;
    event_base_loopbreak(replay->base);
}

static void print(struct replay *replay, const char *words)
{
    size_t len = strlen(words);

    if (len > 0 && !edit_print(replay->edit, words, len))
        replay_leave(replay, REPLAY_FAILED); /* nobody reads us any more */
}

void replay_print(struct replay *replay, const char *words)
{
    char object[JSON_BYTES];

    if (!replay->prefs.is_json) {
        print(replay, words);
        return;
    }
    while (*words != '\0') {
        struct text text = text_into(object, sizeof object);

        words = json_say(&text, words);
        print(replay, object);
    }
}

void replay_say(struct replay *replay, const char *format, ...)
{
    char words[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    replay_print(replay, words);
}

struct render_view replay_view(const struct replay *replay)
{
    return (struct render_view){.has_color = replay->has_color,
                                .is_spoken = replay->prefs.is_speech,
                                .tried = replay->place.tried,
                                .pieces = replay->prefs.pieces};
}

void replay_show_board(struct replay *replay)
{
    char board[RENDER_SCREEN_BYTES];
    struct text text = text_into(board, sizeof board);
    struct render_view view = replay_view(replay);

    if (replay->prefs.is_json) {
        json_board(&text, replay_game(&replay->place), 0);
        print(replay, board);
        return;
    }
    if (view.is_spoken) {
        speech_describe(&text, replay_game(&replay->place), 0);
        replay_print(replay, board);
        return;
    }
    text_add(&text, "\n");
    render_screen(&text, &replay->place.model, replay_game(&replay->place), &view);
    replay_print(replay, replay->is_screen ? board : board + 1);
}

static void add_event(struct text *out, const struct replay *replay,
                      const struct model_news *news)
{
    if (replay->prefs.is_json)
        json_event(out, news, 0);
    else if (replay->prefs.is_speech)
        speech_event(out, news, 0);
    else if (replay->is_screen)
        words_event_aside(out, news);
    else
        words_event(out, news, 0);
}

/* An event in the way of the client: a board on a screen, a line elsewhere. */
static void show_event(struct replay *replay, const struct model_news *news)
{
    char words[2048];
    struct text text = text_into(words, sizeof words);

    add_event(&text, replay, news);
    if (replay->prefs.is_json) {
        print(replay, words);
        return;
    }
    if (replay->is_screen && !replay->prefs.is_speech &&
        news->event.kind != EVENT_SETUP)
        replay_show_board(replay);
    replay_print(replay, words);
}

void replay_show_prompt(struct replay *replay)
{
    const struct replay_place *place = &replay->place;
    char prompt[64];

    if (place->tried > 0)
        snprintf(prompt, sizeof prompt, _("try %d> "), place->tried);
    else
        snprintf(prompt, sizeof prompt, "%d/%d%s> ", replay_game(place)->game.plies,
                 replay->file.game.plies, replay->is_playing ? _(" playing") : "");
    if (replay->is_screen)
        edit_prompt(replay->edit, prompt);
}

/* --- By itself --- */

void replay_pause(struct replay *replay)
{
    replay->is_playing = false;
    event_del(replay->timer);
}

static void wait_for_move(struct replay *replay)
{
    double speed = replay->speed > 0 ? replay->speed : 1;
    int64_t wait_ms = (int64_t)((double)replay_took_ms(&replay->place) / speed);
    struct timeval wait = {.tv_sec = wait_ms / 1000,
                           .tv_usec = (suseconds_t)(wait_ms % 1000 * 1000)};

    if (event_add(replay->timer, &wait) != 0)
        die("replay: the loop takes no timer");
}

static bool is_at_end(const struct replay *replay)
{
    return replay->place.at == replay->place.record->events;
}

/* The next event, at once; back to the record first. */
void replay_step(struct replay *replay)
{
    struct replay_place *place = &replay->place;
    struct model_news news;

    if (place->tried > 0)
        replay_go(place, place->at);
    if (!replay_next(place, &news))
        replay_say(replay, _("This is the end of the record.\n"));
    else if (news.took == MODEL_NEW)
        show_event(replay, &news);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct replay *replay = arg;

    (void)fd;
    (void)what;
    replay_step(replay);
    if (is_at_end(replay))
        replay_pause(replay);
    else
        wait_for_move(replay);
    if (is_at_end(replay) && replay->is_ended)
        replay_leave(replay, REPLAY_DONE);
    replay_show_prompt(replay);
}

void replay_start(struct replay *replay)
{
    if (is_at_end(replay)) {
        replay_say(replay, _("This is the end of the record.\n"));
        return;
    }
    if (replay->place.tried > 0)
        replay_go(&replay->place, replay->place.at);
    replay->is_playing = true;
    wait_for_move(replay);
}

static void on_end(void *owner)
{
    struct replay *replay = owner;

    replay->is_ended = true;
    if (!replay->is_playing)
        replay_leave(replay, REPLAY_DONE);
}

static void on_interrupt(void *owner)
{
    replay_leave(owner, REPLAY_INTERRUPTED);
}

/* --- Life --- */

static void look_round(struct replay *replay)
{
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    replay->is_screen = is_terminal && !replay->prefs.is_plain;
    replay->has_color = prefs_wants_color(&replay->prefs, replay->is_screen);
}

static void open_loop(struct replay *replay)
{
    static const struct edit_calls calls = {replay_on_line, on_end, on_interrupt,
                                            replay_on_complete};
    const char *term = getenv("TERM");
    struct edit_options options = {.has_keys = replay->is_screen && term != NULL &&
                                               strcmp(term, "dumb") != 0,
                                   .has_prompt = replay->is_screen};

    replay->base = loop_new();
    replay->timer = event_new(replay->base, -1, 0, on_timer, replay);
    if (replay->timer == NULL)
        die("replay: the loop takes no timer");
    replay->edit = edit_open(replay->base, &options, &calls, replay);
}

static void close_loop(struct replay *replay)
{
    edit_close(replay->edit);
    event_free(replay->timer);
    event_base_free(replay->base);
}

/* What led to the beginning, in words, and the board there. */
static void show_beginning(struct replay *replay)
{
    struct replay_place *place = &replay->place;
    struct model_news news;
    int first = place->first;

    replay_go(place, 0);
    while (place->at < first && replay_next(place, &news)) {
        char words[2048];
        struct text text = text_into(words, sizeof words);

        add_event(&text, replay, &news);
        if (replay->prefs.is_json)
            print(replay, words);
        else
            replay_print(replay, words);
    }
    if (replay->is_screen && !replay->prefs.is_speech)
        replay_show_board(replay);
}

void replay_begin(struct replay *replay, bool is_flipped)
{
    replay_place_init(&replay->place, &replay->file.record);
    if (is_flipped)
        replay_flip(&replay->place);
    show_beginning(replay);
}

static int live(struct replay *replay, bool is_flipped)
{
    look_round(replay);
    open_loop(replay);
    replay_begin(replay, is_flipped);
    if (replay->speed > 0)
        replay_start(replay);
    replay_show_prompt(replay);
    edit_hold(replay->edit, false);
    if (replay->exit_code == REPLAY_DONE)
        event_base_dispatch(replay->base);
    close_loop(replay);
    replay_place_clear(&replay->place);
    return replay->exit_code;
}

/* --- Options --- */

enum {
    OPTION_SPEED = 256,
    OPTION_FLIP,
    OPTION_PLAIN,
    OPTION_SPEECH,
    OPTION_JSON,
    OPTION_PIECES,
    OPTION_COLOR,
    OPTION_FROM,
    OPTION_GAME,
    OPTION_HELP
};

static const struct option options[] = {
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"flip", no_argument, NULL, OPTION_FLIP},
    {"plain", no_argument, NULL, OPTION_PLAIN},
    {"speech", no_argument, NULL, OPTION_SPEECH},
    {"json", no_argument, NULL, OPTION_JSON},
    {"pieces", required_argument, NULL, OPTION_PIECES},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"from", required_argument, NULL, OPTION_FROM},
    {"rules", required_argument, NULL, 'r'},
    {"game", required_argument, NULL, OPTION_GAME},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct wish {
    struct records_wish file;
    bool is_flipped;
    bool wants_help;
};

static bool complain(const char *what, const char *value)
{
    fprintf(stderr, "janggi: replay: %s%s; see janggi replay --help\n", what, value);
    return false;
}

static bool take_option(struct replay *replay, struct wish *wish, int option,
                        const char *value)
{
    char why[PREFS_WHY_BYTES];
    int64_t number = 1;
    bool is_good = true;

    switch (option) {
    case OPTION_SPEED:
        return args_parse_factor(value, &replay->speed);
    case OPTION_PIECES:
        return prefs_set(&replay->prefs, "pieces", value, why);
    case OPTION_COLOR:
        return prefs_set(&replay->prefs, "color", value, why);
    case OPTION_FROM:
        return records_find_format(value, &wish->file.from);
    case OPTION_GAME:
        is_good = text_to_int(value, 1, INT32_MAX, &number);
        wish->file.number = (int)number;
        return is_good;
    case 'r':
        wish->file.rules = ruleset_find(value);
        return wish->file.rules != NULL;
    default:
        wish->is_flipped |= option == OPTION_FLIP;
        wish->wants_help |= option == OPTION_HELP;
        replay->prefs.is_json |= option == OPTION_JSON;
        replay->prefs.is_plain |= option == OPTION_PLAIN || option == OPTION_JSON;
        replay->prefs.is_speech |= option == OPTION_SPEECH;
        return true;
    }
}

static bool take_options(struct replay *replay, struct wish *wish, int argc,
                         char **argv)
{
    int option;

    opterr = 0; /* the program's name in its messages would be "replay" */
    optind = 0;
    while ((option = getopt_long(argc, argv, "r:", options, NULL)) != -1) {
        if (option == '?')
            return complain(_("there is no such option, or its value is missing: "),
                            argv[optind - 1]);
        if (!take_option(replay, wish, option, optarg))
            return complain(_("this value is not known: "), optarg);
    }
    return wish->wants_help || optind == argc - 1 || optind == argc - 2 ||
           complain(_("one FILE, or - for standard input"), "");
}

/* The record of that game from a server. */
static bool fetch(struct replay *replay, const struct wish *wish, const char *where,
                  int64_t game)
{
    char why[LINK_WHY_BYTES], *text;
    struct link to;
    size_t len;

    if (!link_parse(where, &to, why))
        return complain(why, "");
    text = fetch_record(&replay->prefs, &to, game, &len);
    return text != NULL &&
           records_take(&replay->file, _("the record"), text, len, &wish->file);
}

/* words: FILE, LINK/NUMBER, or a host and a number. */
static bool read_game(struct replay *replay, const struct wish *wish, int count,
                      char **words)
{
    char link[FETCH_LINK_BYTES];
    int64_t game;

    if (count == 1 && fetch_cut_game(words[0], link, &game))
        return fetch(replay, wish, link, game);
    if (count == 1)
        return records_read(&replay->file, words[0], &wish->file);
    if (!text_to_int(words[1], 1, INT64_MAX, &game))
        return complain(_("this is no number of a game: "), words[1]);
    return fetch(replay, wish, words[0], game);
}

int replay_run(int argc, char **argv, const struct prefs *prefs)
{
    struct replay replay = {.prefs = *prefs};
    struct wish wish = {.file = {.number = 1}};
    int code;

    if (!take_options(&replay, &wish, argc, argv))
        return REPLAY_USAGE;
    if (wish.wants_help) {
        fputs(_(usage), stdout);
        return REPLAY_DONE;
    }
    if (!read_game(&replay, &wish, argc - optind, argv + optind))
        return REPLAY_FAILED;
    code = live(&replay, wish.is_flipped);
    records_clear(&replay.file);
    return code;
}
