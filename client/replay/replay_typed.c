/* What can be typed in a replay: a table, a function for each word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/replay/replay_parts.h"
#include "client/view/primer.h"
#include "client/view/render.h"
#include "client/view/speech.h"
#include "common/base/mem.h"
#include "common/base/translate.h"
#include "common/words/names.h"
#include "common/words/sentence.h"

static void do_next(struct replay *replay, const char *rest)
{
    (void)rest;
    replay_step(replay);
}

static void go(struct replay *replay, int at)
{
    replay_go(&replay->place, at);
    replay_show_board(replay);
}

/* From the private board to the record, from there to the event before. */
static void do_back(struct replay *replay, const char *rest)
{
    struct replay_place *place = &replay->place;

    (void)rest;
    if (place->tried > 0)
        go(replay, place->at);
    else if (place->at > place->first)
        go(replay, place->at - 1);
    else
        replay_say(replay, _("This is the beginning.\n"));
}

static void do_goto(struct replay *replay, const char *rest)
{
    int most = replay->file.game.plies, at;
    int64_t plies;

    if (!text_to_int(rest, 0, INT32_MAX, &plies)) {
        replay_say(replay, _("goto NUMBER: of the move, 0 for the beginning.\n"));
        return;
    }
    at = replay_find_ply(&replay->place, (int)plies);
    if (at >= 0)
        go(replay, at);
    else
        replay_say(replay,
                   translate_count("The record has %d move.\n",
                                   "The record has %d moves.\n", most),
                   most);
}

static void do_board(struct replay *replay, const char *rest)
{
    (void)rest;
    replay_show_board(replay);
}

static void do_flip(struct replay *replay, const char *rest)
{
    (void)rest;
    replay_flip(&replay->place);
    replay_show_board(replay);
}

static void do_moves(struct replay *replay, const char *rest)
{
    enum { BYTES_A_MOVE = 48, BYTES_MORE = 256 };
    struct model_game *game = replay_game(&replay->place);
    size_t size = (size_t)game->game.plies * BYTES_A_MOVE + BYTES_MORE;
    char *words = mem_new(size);
    struct text text = text_into(words, size);

    (void)rest;
    render_moves(&text, game);
    replay_print(replay, words);
    free(words);
}

/* The point that rest names; POINT_NONE and *is_all when it names none at all. */
static int point_of(struct replay *replay, const char *rest)
{
    int point = strlen(rest) == 2 ? point_parse(rest) : POINT_NONE;

    if (point == POINT_NONE)
        replay_say(replay, _("A point is a letter and a digit: A0 to I9.\n"));
    return point;
}

static void do_legal(struct replay *replay, const char *rest)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);
    int from = rest[0] == '\0' ? POINT_NONE : point_of(replay, rest);

    if (rest[0] != '\0' && from == POINT_NONE)
        return;
    render_legal(&text, replay_game(&replay->place), from);
    replay_print(replay, words);
}

static void do_show(struct replay *replay, const char *rest)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);
    struct render_view view = replay_view(replay);
    int from = point_of(replay, rest);

    if (from == POINT_NONE)
        return;
    render_show(&text, replay_game(&replay->place), from, &view);
    replay_print(replay, words);
}

static void do_describe(struct replay *replay, const char *rest)
{
    char words[RENDER_SCREEN_BYTES];
    struct text text = text_into(words, sizeof words);

    (void)rest;
    speech_describe(&text, replay_game(&replay->place), 0);
    replay_print(replay, words);
}

static void do_last(struct replay *replay, const char *rest)
{
    char words[256];
    struct text text = text_into(words, sizeof words);

    (void)rest;
    speech_last(&text, replay_game(&replay->place));
    replay_print(replay, words);
}

static void do_where(struct replay *replay, const char *rest)
{
    char words[512];
    struct text text = text_into(words, sizeof words);
    enum kind kind = names_find_kind(rest);

    if (kind == KIND_NONE)
        text_add(&text, _("where PIECE: where knights\n"));
    else
        speech_where(&text, &replay_game(&replay->place)->game.position, kind);
    replay_print(replay, words);
}

static void do_scan(struct replay *replay, const char *rest)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    if (!speech_line(&text, &replay_game(&replay->place)->game.position, rest))
        text_add(&text, _("scan FILE or ROW: scan E, scan 3\n"));
    replay_print(replay, words);
}

static void do_try(struct replay *replay, const char *rest)
{
    char words[SENTENCE_BYTES];
    struct fault fault;
    struct move move;

    if (!move_parse(rest, &move, NULL)) {
        replay_say(replay, _("try MOVE: try b0c2\n"));
        return;
    }
    if (replay_try(&replay->place, move, &fault)) {
        replay_show_board(replay);
        return;
    }
    sentence_fault(words, fault);
    replay_say(replay, _("-- not played: %s\n"), words);
}

static void do_play(struct replay *replay, const char *rest)
{
    if (rest[0] != '\0' && !replay_parse_speed(rest, &replay->speed)) {
        replay_say(replay, _("play [FACTOR]: 0.01 to 1000 times as fast as it was.\n"));
        return;
    }
    replay_start(replay);
}

/* The record that is shown stays when the other cannot be read. */
static void do_load(struct replay *replay, const char *rest)
{
    struct records_wish wish = {.number = 1};
    struct records_file file;
    bool is_flipped = replay->place.is_flipped;

    if (rest[0] == '\0' || strcmp(rest, "-") == 0) {
        replay_say(replay, _("load FILE: a record, GIB or PGN\n"));
        return;
    }
    if (!records_read(&file, rest, &wish))
        return;
    replay_place_clear(&replay->place);
    records_clear(&replay->file);
    replay->file = file;
    replay_begin(replay, is_flipped);
}

static void do_pause(struct replay *replay, const char *rest)
{
    (void)replay; /* every word that is typed pauses */
    (void)rest;
}

static void do_quit(struct replay *replay, const char *rest)
{
    (void)rest;
    replay_leave(replay, REPLAY_DONE);
}

static void do_help(struct replay *replay, const char *rest);

static const struct {
    const char *name;
    const char *words; /* what it takes */
    const char *help;
    void (*run)(struct replay *replay, const char *rest);
} commands[] = {
    {"next", "", N_("the next move; so is an empty line"), do_next},
    {"back", "", N_("the move before; from a private board, to the record"), do_back},
    {"goto", " NUMBER", N_("to that move; 0 is the beginning"), do_goto},
    {"play", " [FACTOR]", N_("moves come by themselves; Enter stops that"), do_play},
    {"pause", "", N_("wait for a word again"), do_pause},
    {"board", "", N_("the board"), do_board},
    {"moves", "", N_("all moves so far"), do_moves},
    {"flip", "", N_("turn the board round"), do_flip},
    {"legal", " [POINT]", N_("the legal moves, or those of a piece"), do_legal},
    {"show", " POINT", N_("where the piece there may go, on the board"), do_show},
    {"last", "", N_("the last move, in words"), do_last},
    {"describe", "", N_("whose turn it is, and where all pieces stand"), do_describe},
    {"where", " PIECE", N_("where those pieces stand: where knights"), do_where},
    {"scan", " LINE", N_("what stands on a file or row: scan E, scan 3"), do_scan},
    {"load", " FILE", N_("another game, from that file"), do_load},
    {"try", " MOVE", N_("make a move on a private board"), do_try},
    {"help", " [PIECE]",
     N_("this list, or what a piece does; help names, help xiangqi"), do_help},
    {"quit", "", N_("leave"), do_quit},
};

static void do_help(struct replay *replay, const char *rest)
{
    struct render_view view = replay_view(replay);
    char page[4096];
    struct text text = text_into(page, sizeof page);

    if (primer_tell(&text, rest, view.pieces, view.has_color, view.is_spoken)) {
        replay_print(replay, page);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char usage_words[32];

        snprintf(usage_words, sizeof usage_words, "%s%s", commands[i].name,
                 commands[i].words);
        replay_say(replay, "  %-16s %s\n", usage_words, _(commands[i].help));
    }
}

/* The command that word, len long, is or begins alone; ARRAY_LEN for none. */
static size_t find_command(const char *word, size_t len)
{
    size_t found = ARRAY_LEN(commands);

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strncasecmp(commands[i].name, word, len) != 0)
            continue;
        if (commands[i].name[len] == '\0')
            return i;
        if (found < ARRAY_LEN(commands))
            return ARRAY_LEN(commands);
        found = i;
    }
    return found;
}

static void run_line(struct replay *replay, const char *line)
{
    size_t len = strcspn(line, " "), at = len == 0 ? 0 : find_command(line, len);
    struct move move;

    if (at < ARRAY_LEN(commands)) {
        edit_remember(replay->edit, line);
        commands[at].run(replay, line + len + strspn(line + len, " "));
    } else if (move_parse(line, &move, NULL) && replay->place.tried > 0) {
        do_try(replay, line);
    } else if (move_parse(line, &move, NULL)) {
        replay_say(replay, _("To make a move of your own: try %s\n"), line);
    } else {
        replay_say(replay, _("That is no command; help lists them.\n"));
    }
}

void replay_on_line(void *owner, const char *line)
{
    struct replay *replay = owner;
    bool was_playing = replay->is_playing;
    char copy[256];
    size_t len;

    line += strspn(line, " ");
    snprintf(copy, sizeof copy, "%s", line);
    len = strlen(copy);
    while (len > 0 && copy[len - 1] == ' ')
        copy[--len] = '\0';
    replay_pause(replay);
    if (len > 0 || !was_playing)
        run_line(replay, copy);
    replay_show_prompt(replay);
}

const char *replay_on_complete(void *owner, const char *before, size_t i)
{
    (void)owner;
    return before[0] == '\0' && i < ARRAY_LEN(commands) ? commands[i].name : NULL;
}
