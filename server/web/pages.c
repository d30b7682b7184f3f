/* See pages.h. All text that people wrote is escaped for HTML here. */
#include "server/web/pages.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_text.h"
#include "common/words/diagram.h"
#include "common/words/sentence.h"
#include "common/words/svg.h"
#include "common/words/term.h"
#include "server/base/access.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/command/meant.h"
#include "server/command/signed_record.h"
#include "server/net/session.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/web/web.h"

enum {
    GAME_COST = 3,    /* cost of a page about a game, in command lines (usage.h) */
    RECORD_COST = 10, /* the same for a record; equal to the cost of the command
                       * "record" */
    LIST_COST = 5,    /* the same for a page about many games */
    LIST_MAX = 100,   /* the most games in the list */
    MOVES_SHOWN = 10, /* how many of the last moves a page shows */
    TITLE_BYTES = 512
};

/* --- HTML --- */

static void add_escaped(struct record_text *out, const char *words)
{
    static const char marks[] = "&<>\"";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};

    for (; *words != '\0'; words++) {
        const char *mark = strchr(marks, *words);

        if (mark != NULL)
            record_text_add(out, names[mark - marks]);
        else
            record_text_addf(out, "%c", *words);
    }
}

/* Sends the page, and frees `text`. */
static void send_page(struct session *session, const char *title,
                      struct record_text *text, int64_t now_ms)
{
    char *html = record_text_take(text);
    struct record_text escaped = {.at = NULL};
    char *title_html;

    add_escaped(&escaped, title);
    title_html = record_text_take(&escaped);
    web_send_page(session, title_html, html, now_ms);
    free(title_html);
    free(html);
}

/* --- A game --- */

/* Adds "hong (red) and kim (blue)". */
static void add_players(struct record_text *out, const struct room *room)
{
    add_escaped(out, room->game.name[SIDE_RED]);
    record_text_add(out, _(" (red) and "));
    add_escaped(out, room->game.name[SIDE_BLUE]);
    record_text_add(out, _(" (blue)"));
}

static void add_clock(struct record_text *out, const struct game *game, enum side side,
                      int64_t now_ms)
{
    int periods, more = clock_more_periods(&game->clock, side, now_ms);
    int64_t left_ms = clock_shown_ms(&game->clock, side, now_ms, &periods);
    long long left_s = (long long)left_ms / 1000;

    if (left_ms < 0)
        return;
    record_text_addf(out, _("%s has %lld:%02lld left"), term_side_title(side),
                     left_s / 60, left_s % 60);
    if (more == 1)
        record_text_add(out, _(" and 1 more period"));
    else if (more > 1)
        record_text_addf(out, _(" and %d more periods"), more);
    record_text_add(out, ". ");
}

static void add_state(struct record_text *out, const struct room *room, int64_t now_ms)
{
    const struct game *game = room_watched_game(room);
    char words[SENTENCE_BYTES];

    record_text_add(out, "<p>");
    if (game->phase == GAME_OVER) {
        sentence_outcome(words, game->outcome, game->reason);
        add_escaped(out, words);
    } else if (game->phase == GAME_SETUP) {
        record_text_add(out, _("The players choose their line-ups. "));
    } else if (game_turn(game) != SIDE_NONE) {
        record_text_addf(out, _("%s to move. "), term_side_title(game_turn(game)));
    }
    if (game->phase == GAME_PLAY) {
        add_clock(out, game, SIDE_RED, now_ms);
        add_clock(out, game, SIDE_BLUE, now_ms);
    }
    record_text_add(out, "</p>\n");
}

static void add_moves(struct record_text *out, const struct game *game)
{
    int from = game->plies > MOVES_SHOWN ? game->plies - MOVES_SHOWN : 0;
    char move[TERM_MOVE_BYTES];

    if (game->plies == 0)
        return;
    record_text_addf(out, "<ol start=\"%d\">\n", from + 1);
    for (int i = from; i < game->plies; i++) {
        record_text_addf(out, "<li>%s %s</li>\n",
                         term_side(game_side_of_ply(game, i + 1)),
                         term_move(move, game->ply[i].move));
    }
    record_text_add(out, "</ol>\n");
}

static void add_game(struct record_text *out, const struct room *room, int64_t now_ms)
{
    char figure[DIAGRAM_BYTES];
    long long id = (long long)room->id;

    record_text_add(out, "<main><h1>");
    record_text_addf(out, _("Game %lld"), id);
    record_text_add(out, "</h1>\n<p>");
    add_players(out, room);
    record_text_add(out, "</p>\n");
    add_state(out, room, now_ms);
    diagram_format(figure, &room_watched_game(room)->position, false, NULL);
    record_text_add(out, "<pre>");
    add_escaped(out, figure);
    record_text_addf(out,
                     "</pre>\n<noscript><img src=\"/game/%lld.svg\" width=\"588\" "
                     "height=\"648\" alt=\"%s\"></noscript>\n",
                     id, _("The same board as a picture"));
    add_moves(out, room_watched_game(room));
    if (room->game.phase != GAME_OVER)
        record_text_addf(out, "<p><a href=\"/game/%lld\">%s</a></p>\n", id,
                         _("The board now"));
    record_text_addf(out,
                     "<p><a href=\"/game/%lld.svg\">%s</a> &middot; <a "
                     "href=\"/game/%lld.txt\">%s</a> &middot; ",
                     id, _("Picture"), id, _("Text"));
    if (room->game.phase == GAME_OVER)
        record_text_addf(out, "<a href=\"/game/%lld.record\">%s</a> &middot; ", id,
                         _("Record"));
    record_text_addf(out, "<a href=\"/\">%s</a></p></main>\n", _("The games"));
}

static void send_game(struct world *world, struct session *session,
                      const struct room *room, int64_t now_ms)
{
    (void)world;
    struct record_text html = {.at = NULL};
    char title[TITLE_BYTES];
    struct text text = text_into(title, sizeof title);

    text_addf(&text, _("%s and %s - game %lld - janggi"), room->game.name[SIDE_RED],
              room->game.name[SIDE_BLUE], (long long)room->id);
    add_game(&html, room, now_ms);
    send_page(session, title, &html, now_ms);
}

static void send_figure(struct world *world, struct session *session,
                        const struct room *room, int64_t now_ms)
{
    char figure[DIAGRAM_BYTES];

    (void)world;

    diagram_format(figure, &room_watched_game(room)->position, false, NULL);
    web_send(session, WEB_TEXT, figure, strlen(figure), now_ms);
}

static void send_picture(struct world *world, struct session *session,
                         const struct room *room, int64_t now_ms)
{
    char *picture = svg_write(&room_watched_game(room)->position, false, NULL);

    (void)world;
    web_send(session, WEB_SVG, picture, strlen(picture), now_ms);
    free(picture);
}

static void on_text(struct world *world, struct session *session, int64_t game,
                    const char *text, bool is_signed)
{
    (void)world;
    (void)game;
    (void)is_signed;
    if (text != NULL)
        web_send(session, WEB_RECORD, text, strlen(text), mono_now_ms());
    else
        web_send_missing(session, mono_now_ms());
}

/* Sends the record of an ended game; a running game has none. The permissions have been
 * checked. */
static void send_record(struct world *world, struct session *session,
                        const struct room *room, int64_t now_ms)
{
    if (room->game.phase == GAME_OVER)
        signed_record_read(world, session, room->id, NULL, on_text);
    else
        web_send_missing(session, now_ms);
}

/* --- Which game --- */

/* The forms in which a path can ask for a game. The end of the path (`suffix`) chooses
 * the form. */
static const struct form {
    const char *suffix;
    void (*send)(struct world *world, struct session *session, const struct room *room,
                 int64_t now_ms);
    int cost; /* what the answer costs, in command lines (see GAME_COST) */
} forms[] = {
    {"", send_game, GAME_COST},
    {".txt", send_figure, GAME_COST},
    {".svg", send_picture, GAME_COST},
    {".record", send_record, RECORD_COST},
};

/* Parses a path such as "/game/17.txt" into *game, here 17. The number has no leading
 * zero. NULL: the path names no game. */
static const struct form *parse_game(const char *path, int64_t *game)
{
    static const char begin[] = "/game/";
    char digits[20];
    const char *number = path + strlen(begin);
    size_t len;

    if (strncmp(path, begin, strlen(begin)) != 0)
        return NULL;
    len = strspn(number, "0123456789");
    if (number[0] == '0' || !text_cut(digits, sizeof digits, number, len) ||
        !text_to_int(digits, 1, INT64_MAX, game))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (strcmp(number + len, forms[i].suffix) == 0)
            return &forms[i];
    return NULL;
}

static bool on_absent(struct session *session, int64_t game)
{
    (void)game;
    web_send_missing(session, mono_now_ms());
    return false;
}

static const struct fetch_calls fetch_calls = {.again = pages_run, .absent = on_absent};

static bool may_read(const struct session *session, const struct room *room)
{
    struct readable what = privacy_readable_room(room);

    return privacy_may_read(room->of, &what, session, NULL);
}

/* Sends the game in that form. A private game is reported as missing. */
static void find_and_send(struct world *world, struct session *session, char *path,
                          const struct form *form, int64_t game, int64_t now_ms)
{
    struct room *room = room_find(world->rooms, game);

    if (room == NULL) {
        meant_fetch(world, session, game, path, NULL, &fetch_calls);
        return;
    }
    session_narrow(session, room->feed.stamp);
    if (!may_read(session, room)) {
        meant_charge_missing(session);
        web_send_missing(session, now_ms);
    } else if (world->has_outage && !room_is_settled(room)) {
        session_narrow(session, GATE_FREE);
        web_send_busy(session, now_ms);
    } else if (!room_wait(room, session, path)) {
        form->send(world, session, room, now_ms);
    }
}

/* --- The list --- */

/* Adds a row for the game to the list. The row has a link only if the session may read
 * the game. */
static void add_row(struct record_text *out, const struct room *room,
                    const struct session *session)
{
    bool is_link = may_read(session, room);

    record_text_add(out, "<li>");
    if (is_link)
        record_text_addf(out, "<a href=\"/game/%lld\">", (long long)room->id);
    record_text_addf(out, _("Game %lld"), (long long)room->id);
    record_text_add(out, is_link ? "</a>: " : ": ");
    add_players(out, room);
    record_text_addf(
        out, _(", move %d"),
        1 + (room->delay != NULL ? room_watched_game(room)->plies : room->game.plies));
    record_text_add(out, "</li>\n");
}

static void add_list(struct record_text *out, const struct rooms *rooms,
                     const struct session *session)
{
    const struct room *room = rooms_first_shown(rooms, false);

    if (room == NULL) {
        record_text_addf(out, "<p>%s</p>\n", _("No game is running."));
        return;
    }
    record_text_add(out, "<ul>\n");
    for (int i = 0; i < LIST_MAX && room != NULL; i++, room = rooms_next_shown(room))
        add_row(out, room, session);
    record_text_add(out, "</ul>\n");
    if (room != NULL)
        record_text_addf(out, "<p>%s</p>\n", _("There are more games."));
}

static void send_list(const struct world *world, struct session *session,
                      int64_t now_ms)
{
    struct record_text html = {.at = NULL};

    record_text_add(&html, "<main><h1>");
    add_escaped(&html, world->config->name);
    record_text_add(&html, "</h1>\n");
    if (world->has_outage) {
        session_narrow(session, GATE_FREE); /* the page must come, without the list */
        record_text_addf(&html, "<p>%s</p>",
                         _("The server cannot store anything at the moment."));
    } else if (access_shows_games(&world->access)) {
        add_list(&html, world->rooms, session);
    } else {
        record_text_addf(&html, "<p>%s</p>",
                         _("This server does not show its games to guests."));
    }
    record_text_add(&html, "</main>\n");
    send_page(session, world->config->name, &html, now_ms);
}

/* Sends the game that is shown to the public, if there is exactly one and the session may
 * read it; otherwise the list. */
static void send_front(struct world *world, struct session *session, char *path,
                       int64_t now_ms)
{
    bool is_only = access_shows_games(&world->access) && !world->has_outage &&
                   rooms_count_shown(world->rooms, false) == 1;
    struct room *room = is_only ? rooms_first_shown(world->rooms, false) : NULL;

    if (room != NULL && may_read(session, room))
        find_and_send(world, session, path, &forms[0], room->id, now_ms);
    else
        send_list(world, session, now_ms);
}

/* --- Paths --- */

void pages_run(struct world *world, struct session *session, char *path, int64_t now_ms)
{
    /* These work only with the script: their links have a code after the "#", and a
     * browser does not send that part of a link to the server. */
    bool needs_script = strcmp(path, "/join") == 0 || strcmp(path, "/watch") == 0 ||
                        strcmp(path, "/enter") == 0;
    struct record_text html = {.at = NULL};
    int64_t game;
    const struct form *form = parse_game(path, &game);

    usage_charge(&session->usage, form != NULL ? form->cost : LIST_COST, now_ms);
    web_language_begin(session->request);
    if (strcmp(path, "/") == 0) {
        send_front(world, session, path, now_ms);
    } else if (needs_script) {
        session_narrow(session, GATE_FREE);
        record_text_addf(&html, "<main><h1>%s</h1>\n<p>%s</p></main>\n", _("Janggi"),
                         _("This link works in a browser with JavaScript."));
        send_page(session, "janggi", &html, now_ms);
    } else if (form != NULL && access_shows_games(&world->access)) {
        find_and_send(world, session, path, form, game, now_ms);
    } else {
        web_send_missing(session, now_ms);
    }
    web_language_end();
}
