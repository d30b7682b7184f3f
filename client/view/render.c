/* See render.h. */
#include "client/view/render.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/view/figure.h"
#include "client/view/manner.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* The escape codes of the prompt. */
#define SGR_RED "\033[1;31m"
#define SGR_OFF "\033[0m"

/* --- Lines that fit the terminal --- */

enum { WRAP_INDENT = 3 };

/* Returns the width of the first len bytes of line; escape sequences take no
 * columns. */
static int columns_of(const char *line, size_t len)
{
    char shown[RENDER_LINE_BYTES];
    size_t to = 0;

    for (size_t i = 0; i < len && to + 1 < sizeof shown; i++)
        if (line[i] == '\033')
            i += strcspn(line + i, "m");
        else
            shown[to++] = line[i];
    shown[to] = '\0';
    return utf8_width(shown);
}

/* Returns how many of the first `len` bytes of `line` to print on one line of `columns`
 * columns. If all of them fit, returns `len`. Otherwise the line is cut before a space,
 * so that the part before this space fits. If there is no such space after the first
 * WRAP_INDENT bytes, the line cannot be cut. Then the function returns `len`, and the
 * line is too wide. */
static size_t fit(const char *line, size_t len, int columns)
{
    size_t cut = len;

    while (columns_of(line, cut) > columns) {
        do
            cut--;
        while (cut > WRAP_INDENT && line[cut] != ' ');
        if (cut <= WRAP_INDENT)
            return len;
    }
    return cut;
}

void render_wrapped(struct text *out, const char *words, int columns)
{
    if (columns == 0) {
        text_add(out, words);
        return;
    }
    for (const char *line = words; *line != '\0';) {
        size_t len = strcspn(line, "\n"), done = fit(line, len, columns);

        text_addf(out, "%.*s\n", (int)done, line);
        while (done < len) {
            const char *rest = line + done + 1;
            size_t more = fit(rest, len - done - 1, columns - WRAP_INDENT);

            text_addf(out, "%*s%.*s\n", WRAP_INDENT, "", (int)more, rest);
            done += 1 + more;
        }
        line += len + (line[len] == '\n');
    }
}

/* --- The panel --- */

enum {
    PANEL_COLUMNS_USUAL = 38,
    PANEL_COLUMNS_LEAST = 28,
    PANEL_LINE_BYTES = 256,
    PANEL_NAME_BYTES = EVENT_NAME_BYTES + MODEL_RATING_BYTES,
    SIDE_COLUMNS = 6
};

/* The lines beside the figure. They have the width that the figure leaves: at most 38
 * columns, or 34 beside a figure with hanja or hangul. If the terminal leaves less than
 * PANEL_COLUMNS_LEAST, the lines are above the figure. */
struct panel {
    char line[DIAGRAM_LINES][PANEL_LINE_BYTES];
    int lines;
    int columns;
};

/* Returns the column in which the panel begins. */
static int panel_at(enum look_pieces pieces)
{
    return figure_columns(pieces) + (pieces == LOOK_LETTERS ? 4 : 2);
}

static void panel_add(struct panel *panel, const char *format, ...) PRINTF_LIKE(2, 3);

/* Adds a line, cut to the width of the panel between characters. */
static void panel_add(struct panel *panel, const char *format, ...)
{
    char *line = panel->line[panel->lines];
    size_t len;
    va_list args;

    if (panel->lines == DIAGRAM_LINES)
        return;
    panel->lines++;
    va_start(args, format);
    vsnprintf(line, PANEL_LINE_BYTES, format, args);
    va_end(args);
    for (len = strlen(line); len > 0 && utf8_width(line) > panel->columns;) {
        do
            len--;
        while (len > 0 && ((unsigned char)line[len] & 0xC0) == 0x80);
        line[len] = '\0';
    }
}

static void panel_title(struct panel *panel, const struct model_game *game)
{
    char terms[WORDS_TERMS_BYTES], title[PANEL_LINE_BYTES];
    struct text text = text_into(title, sizeof title);

    text_addf(&text, _("Game %lld   red %s  vs  blue %s"), (long long)game->id,
              game->game.name[SIDE_RED], game->game.name[SIDE_BLUE]);
    if (utf8_width(title) > panel->columns)
        panel_add(panel, _("Game %lld"), (long long)game->id);
    else
        panel_add(panel, "%s", title);
    words_terms(terms, &game->game.clock.terms);
    panel_add(panel, _("%s, rules: %s"), terms, ruleset_name(game->game.rules));
    panel_add(panel, "%s", "");
}

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

enum { CLOCK_COLUMNS = 9, BYOYOMI_COLUMNS = 13, AWAY_COLUMNS = 5 };

/* Writes "hong 1512 4k", or only "hong" if the rating of either side does not fit
 * before the clock. */
static void name_player(char out[PANEL_NAME_BYTES], const struct model_game *game,
                        enum side side, int columns)
{
    const struct time_terms *terms = &game->clock.terms;
    int widest = 0, clock = /* such as " 20:00 +3x40s" or " 10:02" */
                    terms->periods > 0 && !time_terms_is_correspondence(terms)
                        ? BYOYOMI_COLUMNS
                        : CLOCK_COLUMNS;

    for (int i = 0; i < SIDES; i++)
        widest = max_of(widest,
                        utf8_width(game->game.name[i]) + utf8_width(game->rating[i]));
    snprintf(out, PANEL_NAME_BYTES, "%s%s", game->game.name[side],
             widest + SIDE_COLUMNS + clock + AWAY_COLUMNS <= columns
                 ? game->rating[side]
                 : "");
}

/* Adds one side with its clock. Adds the pieces that the side has captured on the same
 * line if there is room, otherwise on a line below. */
static void panel_side(struct panel *panel, const struct model_game *game,
                       enum side side, const char *name, int name_width, int64_t now_ms)
{
    char clock[WORDS_CLOCK_BYTES], taken[MODEL_TAKEN_BYTES], line[PANEL_LINE_BYTES];
    struct text text = text_into(line, sizeof line);
    int used;

    words_clock(clock, game, side, now_ms);
    model_taken(game, side, taken);
    text_addf(&text, "%s%*s%s", term_side_title(side),
              max_of(0, SIDE_COLUMNS - utf8_width(term_side_title(side))), "", name);
    if (!game->clock.terms.is_untimed)
        text_addf(&text, "%*s %7s", name_width - utf8_width(name), "", clock);
    if (game->is_away[side])
        text_add(&text, _(" away"));
    used = utf8_width(line);
    if (taken[0] != '\0' && used + 9 + (int)strlen(taken) <= panel->columns) {
        panel_add(panel, _("%s   took: %s"), line, taken);
        return;
    }
    panel_add(panel, "%s", line);
    if (taken[0] != '\0')
        panel_add(panel, _("      took: %s"), taken);
}

static void panel_turn(struct panel *panel, const struct model_game *game)
{
    char words[SENTENCE_BYTES];
    enum check check;

    if (game->game.phase == GAME_OVER) {
        sentence_outcome(words, game->game.outcome, game->game.reason);
        panel_add(panel, "%s", words);
        return;
    }
    if (game->game.is_adjourned) {
        panel_add(panel, "%s", _("Adjourned; \"continue\" asks to go on."));
        return;
    }
    if (game_turn(&game->game) == SIDE_NONE)
        return; /* the end event follows */
    panel_add(panel, _("Move %d, %s to play.%s"),
              game_number_of_ply(&game->game, game->game.plies + 1),
              term_side(game_turn(&game->game)),
              !model_is_our_turn(game)               ? ""
              : panel->columns < PANEL_COLUMNS_USUAL ? _(" YOUR MOVE")
                                                     : _("   YOUR MOVE"));
    check = rules_check(&game->game.position);
    if (check == CHECK_PIECE || check == CHECK_BOTH)
        panel_add(panel, _("%s is in check!"), term_side_title(game_turn(&game->game)));
    if (check == CHECK_KINGS || check == CHECK_BOTH)
        panel_add(panel, _("The kings are bare."));
}

/* Says that the opponent is absent, and what the player can do. */
static void panel_away(struct panel *panel, const struct model_game *game,
                       int64_t now_ms)
{
    char left[WORDS_CLOCK_BYTES];
    struct text text = text_into(left, sizeof left);
    int64_t left_ms;

    if (!model_claim_left(game, now_ms, &left_ms))
        return;
    if (left_ms > 0) {
        words_time(&text, left_ms);
        panel_add(panel, _("%s is away."), game->game.name[side_other(game->side)]);
        panel_add(panel, _("You may \"claim\" in %s."), left);
        return;
    }
    panel_add(panel, _("%s has been away too long: wait, or"),
              game->game.name[side_other(game->side)]);
    if (game->game.is_adjourned)
        panel_add(panel, "%s", _("claim draw"));
    else if (game->is_never_adjourned)
        panel_add(panel, "%s", _("claim win, claim draw"));
    else
        panel_add(panel, "%s", _("claim win, claim draw, adjourn"));
}

static void format_ply(char out[TERM_MOVE_BYTES], const struct model_game *game,
                       int index)
{
    const struct game_ply *ply = &game->game.ply[index];

    term_move(out, ply->move);
    if (!move_is_pass(ply->move) && ply->undo.captured != 0)
        out[2] = 'x';
}

/* Shows the last move, with the pieces if there is room. */
static void panel_last(struct panel *panel, const struct model_game *game)
{
    char words[WORDS_MOVE_BYTES], line[PANEL_LINE_BYTES];
    struct text text = text_into(line, sizeof line);
    struct game_last last;

    if (!game_last(&game->game, &last))
        return;
    words_move(words, &last);
    text_addf(&text, _("Last: %s %s"), term_side(last.side), words);
    if (utf8_width(line) > panel->columns) {
        format_ply(words, game, game->game.plies - 1);
        panel_add(panel, _("Last: %s %s"), term_side(last.side), words);
        return;
    }
    panel_add(panel, "%s", line);
}

/* Writes both plies of a numbered move as one line: " 7. A5-B5     A0-A3". One of them
 * is the ply at `index`. Returns the index of the next ply. */
static int format_pair(char *out, size_t size, const struct model_game *game, int index)
{
    char first[TERM_MOVE_BYTES] = "...", second[TERM_MOVE_BYTES] = "";
    int number = game_number_of_ply(&game->game, index + 1), next = index;
    enum side mover = ruleset_first_mover(game->game.rules);
    struct text text = text_into(out, size);

    if (game_side_of_ply(&game->game, next + 1) == mover)
        format_ply(first, game, next++);
    if (next < game->game.plies && game_side_of_ply(&game->game, next + 1) != mover)
        format_ply(second, game, next++);
    text_addf(&text, "%3d. %s%*s %s", number, first,
              (int)(9 - text_columns(first, strlen(first))), "", second);
    while (text.len > 0 && out[text.len - 1] == ' ')
        out[--text.len] = '\0';
    return next;
}

enum { PANEL_PAIRS = 4 };

static void panel_moves(struct panel *panel, const struct model_game *game)
{
    char line[PANEL_LINE_BYTES];
    int last = game->game.plies - 1, from = 0;

    if (last < 0)
        return;
    panel_add(panel, "%s", "");
    while (game_number_of_ply(&game->game, last + 1) -
               game_number_of_ply(&game->game, from + 1) >=
           PANEL_PAIRS)
        from++;
    while (from <= last) {
        from = format_pair(line, sizeof line, game, from);
        panel_add(panel, "%s", line);
    }
}

static void panel_watchers(struct panel *panel, const struct model_game *game)
{
    char line[PANEL_LINE_BYTES];
    struct text text = text_into(line, sizeof line);

    if (game->watchers == 0 && game->unnamed_watchers == 0)
        return;
    panel_add(panel, "%s", "");
    text_addf(&text, _("Watching: %lld"),
              (long long)game->watchers + game->unnamed_watchers);
    for (int i = 0; i < game->watchers; i++)
        text_addf(&text, "%s%s", i > 0 ? ", " : " (", game->watcher[i]);
    if (game->watchers > 0)
        text_add(&text, game->unnamed_watchers > 0 ? ", ...)" : ")");
    panel_add(panel, "%s", line);
}

static void make_panel(struct panel *panel, const struct model *model,
                       const struct model_game *game, int64_t now_ms)
{
    const struct model_offer *offer = model_offer_to_us(model, game);
    char red[PANEL_NAME_BYTES], blue[PANEL_NAME_BYTES], points[POINTS_BYTES];
    char words[PANEL_LINE_BYTES];
    struct text text = text_into(words, sizeof words);
    int width;

    name_player(red, game, SIDE_RED, panel->columns);
    name_player(blue, game, SIDE_BLUE, panel->columns);
    width = max_of(utf8_width(red), utf8_width(blue));
    panel->lines = 0;
    panel_title(panel, game);
    panel_side(panel, game, SIDE_RED, red, width, now_ms);
    panel_side(panel, game, SIDE_BLUE, blue, width, now_ms);
    panel_add(panel, "%s", "");
    panel_turn(panel, game);
    panel_away(panel, game, now_ms);
    panel_last(panel, game);
    if (*words_after_pass(&game->game) != '\0')
        panel_add(panel, "%s", words_after_pass(&game->game));
    if (ruleset_counts_points(game->game.rules)) {
        /* where they do not decide the game, the command `score` shows them */
        rules_points_format(points, game->game.rules, &game->game.position);
        panel_add(panel, _("Points, red/blue: %s"), points);
    }
    panel_moves(panel, game);
    if (offer != NULL && game->is_ours) {
        panel_add(panel, "%s", "");
        told_offer(&text, NULL, &(struct model_open){offer, game}, "=proposal");
        panel_add(panel, "%s", words);
    }
    panel_watchers(panel, game);
}

/* --- The figure --- */

static struct figure figure_of(const struct model_game *game,
                               const struct render_view *view)
{
    const struct game_ply *last =
        game->game.plies > 0 ? &game->game.ply[game->game.plies - 1] : NULL;

    return (struct figure){.position = &game->game.position,
                           .last = last != NULL ? last->move : move_pass(),
                           .pieces = view->pieces,
                           .is_flipped = model_is_flipped(game),
                           .has_color = view->has_color};
}

/* Returns false during the set-up, and for a game that ended during it. */
static bool has_board(const struct model_game *game)
{
    return game->game.phase == GAME_PLAY ||
           (game->game.phase == GAME_OVER && game->game.first_number > 0);
}

void render_screen(struct text *out, const struct model *model,
                   const struct model_game *game, const struct render_view *view)
{
    struct figure figure = figure_of(game, view);
    int columns = view->columns == 0 || view->columns > RENDER_COLUMNS ? RENDER_COLUMNS
                                                                       : view->columns;
    struct panel panel = {.columns = columns - panel_at(view->pieces)};
    bool is_beside = panel.columns >= PANEL_COLUMNS_LEAST;

    if (!has_board(game)) {
        text_add(out, _("There is no board before both sides have set up.\n"));
        return;
    }
    if (!is_beside)
        panel.columns = columns;
    make_panel(&panel, model, game, view->now_ms);
    for (int line = 0; line < panel.lines && !is_beside; line++)
        text_addf(out, "%s\n", panel.line[line]);
    for (int line = 0; line < DIAGRAM_LINES; line++) {
        int used = figure_line(out, &figure, line);

        if (is_beside && line < panel.lines && panel.line[line][0] != '\0')
            text_addf(out, "%*s%s", panel_at(view->pieces) - used, "",
                      panel.line[line]);
        text_add(out, "\n");
    }
}

bool render_wants_board(const struct model_game *game, enum look_board board)
{
    if (board == LOOK_BOARD_OFF || !has_board(game))
        return false;
    if (game->game.phase == GAME_OVER)
        return true;
    if (game->game.is_adjourned)
        return model_is_first_seen(game);
    if (game_turn(&game->game) == SIDE_NONE)
        return false; /* the end event follows, and shows the board */
    return board != LOOK_BOARD_MINE || !game->is_ours || model_is_our_turn(game);
}

/* --- The prompt --- */

/* Adds the time of both sides; while a set-up is chosen, the time for that. */
static void prompt_time(struct text *out, const struct model_game *game,
                        const struct render_view *view)
{
    enum side other = side_other(game->side);
    char own[WORDS_CLOCK_BYTES], clock[WORDS_CLOCK_BYTES];
    int64_t left_ms = game->setup_until_ms - view->now_ms;
    bool is_short;

    if (game->game.phase == GAME_SETUP && game->setup_until_ms != 0) {
        text_add(out, "[");
        if (!model_is_our_turn(game))
            text_addf(out, "%s ", term_side(other));
        words_time(out, left_ms > 0 ? left_ms : 0);
        text_add(out, "] ");
    } else if (game->game.phase != GAME_SETUP && game->game.is_adjourned) {
        text_add(out, _("[adjourned] "));
    } else if (game->game.phase != GAME_SETUP && !game->clock.terms.is_untimed) {
        is_short = clock_shown_ms(&game->clock, game->side, view->now_ms, &(int){0}) <
                   RENDER_LOW_MS;
        words_clock(own, game, game->side, view->now_ms);
        words_clock(clock, game, other, view->now_ms);
        text_addf(out,
                  is_short && view->has_color && view->is_marked
                      ? "[\001" SGR_RED "\002%s\001" SGR_OFF "\002, %s %s] "
                      : "[%s, %s %s] ",
                  own, term_side(other), clock);
    }
}

static void prompt_away(struct text *out, const struct model_game *game, int64_t now_ms)
{
    const char *name = game->game.name[side_other(game->side)];
    char left[WORDS_CLOCK_BYTES];
    struct text text = text_into(left, sizeof left);
    int64_t left_ms;

    if (!model_claim_left(game, now_ms, &left_ms))
        return;
    words_time(&text, left_ms);
    if (left_ms > 0)
        text_addf(out, _("(%s away, claim in %s)"), name, left);
    else
        text_addf(out, _("(%s away, claim now)"), name);
    text_add(out, " ");
}

void render_prompt(struct text *out, const struct model *model,
                   const struct render_view *view)
{
    const struct model_game *game = model->current, *next;
    char words[96];
    struct text text = text_into(words, sizeof words);
    enum side turn;

    if (model->restart_at_ms != 0) {
        words_time(&text, model->restart_at_ms > view->now_ms
                              ? model->restart_at_ms - view->now_ms
                              : 0);
        text_addf(out, _("(restart in %s)"), words);
        text_add(out, " ");
        text = text_into(words, sizeof words);
    }
    if (game == NULL || game->game.phase == GAME_EMPTY ||
        (game->game.phase == GAME_OVER && !view->is_private)) {
        /* without this, the player would not notice that the clock of another game of
         * ours runs */
        next = model_next_game(model, view->now_ms);
        if (next != NULL && !view->is_spoken) {
            words_standing(&text, next, view->now_ms);
            text_addf(out, _("[game %lld: %s]"), (long long)next->id, words);
            text_add(out, " ");
        }
        text_add(out, "janggi> ");
        return;
    }
    if (!game->is_ours && !view->is_private) {
        text_addf(out, _("%lld watch> "), (long long)game->id);
        return;
    }
    if (model_is_playing(game)) {
        prompt_away(out, game, view->now_ms);
        if (!view->is_spoken) /* a screen reader would read it every second */
            prompt_time(out, game, view);
    }
    if (view->is_private) {
        if (!game->is_ours)
            text_addf(out, "%lld ", (long long)game->id);
        if (view->tried > 0)
            text_addf(out, _("try %d> "), view->tried);
        else
            text_addf(out, _("replay %d/%d> "), view->at, game->game.plies);
        return;
    }
    text_addf(out, "%d %s",
              game->game.phase == GAME_SETUP
                  ? 1
                  : game_number_of_ply(&game->game, game->game.plies + 1),
              term_side(game->side));
    turn = model_turn(game);
    if (turn != SIDE_NONE && turn != game->side && !game->game.is_adjourned)
        text_addf(out, _(" (%s's turn)"), term_side(turn));
    text_add(out, "> ");
}

/* --- Asked for --- */

/* Writes the pieces of the back row as text, "R N B G - G B N R". The order is from
 * left to right, as the player of `side` sees the board. */
static void format_back_row(char out[BOARD_FILES * 2], enum lineup lineup,
                            enum side side)
{
    const char *name = lineup_name(lineup);
    const char row[] = {'R', name[0], name[1], 'G', '-', 'G', name[2], name[3], 'R'};

    for (int i = 0; i < BOARD_FILES; i++) {
        out[i * 2] = row[side == SIDE_BLUE ? BOARD_FILES - 1 - i : i];
        out[i * 2 + 1] = ' ';
    }
    out[BOARD_FILES * 2 - 1] = '\0';
    if (side == SIDE_BLUE)
        text_lower(out);
}

void render_setup_proposal(struct text *out, const struct model *model,
                           const struct model_game *game)
{
    enum lineup usual = game_usual_lineup(&game->game);
    enum side other = side_other(game->side);

    if (game->game.has_lineup[other])
        text_addf(
            out,
            _("%s has %s. Martin advises you to use the same files: setup same.\n"),
            term_side_title(other), lineup_name(usual));
    else
        text_addf(
            out,
            _("setup %d is figure 2 of Martin's rules, and the default of the program "
              "JANGKI.\n"),
            (int)usual + 1);
    if (game_is_sealed(&game->game))
        text_add(out, _("Your opponent chooses at the same time. Neither sees the "
                        "other's choice before both have chosen.\n"));
    if (game == model->current)
        text_addf(out, _("Enter chooses setup %d.\n"), (int)usual + 1);
}

static void say_setup_choice(struct text *out, const struct model *model,
                             const struct model_game *game, int64_t now_ms)
{
    static const char *const words[LINEUPS] = {
        N_("knights outside, bishops inside"),
        N_("bishops on B and G, knights on C and H"),
        N_("knights on B and G, bishops on C and H"),
        N_("bishops outside, knights inside"),
    };
    int64_t left_ms = game->setup_until_ms - now_ms;
    char left[WORDS_CLOCK_BYTES];
    struct text text = text_into(left, sizeof left);

    text_add(out, _("Choose how your knights and bishops stand (files B, C, G and "
                    "H):\n"));
    for (int i = 0; i < LINEUPS; i++) {
        const char *named = _(words[i]);
        char row[BOARD_FILES * 2];

        /* In Korean these two are named from left to right as their player sees them. */
        if (game->side == SIDE_BLUE && i == LINEUP_BNBN)
            named = C_("seen by blue", "bishops on B and G, knights on C and H");
        else if (game->side == SIDE_BLUE && i == LINEUP_NBNB)
            named = C_("seen by blue", "knights on B and G, bishops on C and H");
        format_back_row(row, (enum lineup)i, game->side);
        text_addf(out, _("  setup %d   %s   %s   %s\n"), i + 1,
                  lineup_name((enum lineup)i), row, named);
    }
    render_setup_proposal(out, model, game);
    if (left_ms <= 0)
        return;
    if (mono_whole_s(left_ms) <= 2 * 60)
        text_addf(&text, _("%d s"), (int)mono_whole_s(left_ms));
    else
        words_time(&text, left_ms);
    text_addf(out, _("You have %s; then setup %d is chosen for you.\n"), left,
              (int)game_usual_lineup(&game->game) + 1);
}

void render_moves(struct text *out, const struct model_game *game)
{
    char line[PANEL_LINE_BYTES];

    if (game->game.plies == 0)
        text_add(out, _("No move has been made yet.\n"));
    for (int at = 0; at < game->game.plies;) {
        at = format_pair(line, sizeof line, game, at);
        text_addf(out, "%s\n", line);
    }
}

/* If there is a piece on the point `from`, finds the legal moves of the side that has
 * this piece, even if the other side is to move. If `from` is POINT_NONE, finds the
 * legal moves of the side to move. If there is nothing to show, adds the reason and
 * returns false. */
static bool find_moves(struct text *out, const struct model_game *game, int from,
                       struct move_list *legal)
{
    struct position position = game->game.position;
    char name[POINT_BYTES];
    enum side side;

    if (game->game.phase == GAME_SETUP) {
        text_add(out, _("No piece can move before both sides have set up.\n"));
        return false;
    }
    if (game->game.phase != GAME_PLAY || game_turn(&game->game) == SIDE_NONE) {
        text_add(out, _("It is nobody's turn now.\n"));
        return false;
    }
    side = from == POINT_NONE ? game_turn(&game->game) : position_side(&position, from);
    if (side == SIDE_NONE) {
        side_format_point(name, from);
        text_addf(out, _("There is no piece on %s.\n"), name);
        return false;
    }
    if (side != game_turn(&game->game)) {
        position_turn_over(&position);
        text_addf(out, _("If it were %s's turn:\n"), term_side(side));
    }
    rules_legal_moves(game->game.rules, &position, legal);
    return true;
}

static void add_targets(struct text *out, const struct model_game *game,
                        const struct move_list *legal, int from)
{
    char name[POINT_BYTES];
    bool is_first = true;

    for (int i = 0; i < legal->count; i++) {
        if (move_is_pass(legal->move[i]) || legal->move[i].from != from)
            continue;
        if (is_first) {
            side_format_point(name, from);
            text_addf(out, "%s %s",
                      term_piece(position_kind(&game->game.position, from),
                                 position_side(&game->game.position, from)),
                      name);
        }
        side_format_point(name, legal->move[i].to);
        text_addf(out, "%s%s%s", is_first ? ": " : " ",
                  position_kind(&game->game.position, legal->move[i].to) != KIND_NONE
                      ? "x"
                      : "",
                  name);
        is_first = false;
    }
    if (!is_first)
        text_add(out, "\n");
}

/* Adds the moves of the piece on the point `from`; POINT_NONE: of all pieces. */
static void add_all_targets(struct text *out, const struct model_game *game,
                            const struct move_list *legal, int from)
{
    size_t before = out->len;

    for (int point = 0; point < BOARD_POINTS; point++)
        if (from == POINT_NONE || point == from)
            add_targets(out, game, legal, point);
    if (from == POINT_NONE && legal->count > 0 &&
        move_is_pass(legal->move[legal->count - 1]))
        text_add(out, _("pass\n"));
    if (out->len == before)
        text_add(out, _("It has no legal move.\n"));
}

void render_legal(struct text *out, const struct model_game *game, int from)
{
    struct move_list legal;

    if (find_moves(out, game, from, &legal))
        add_all_targets(out, game, &legal, from);
}

void render_show(struct text *out, const struct model_game *game, int from,
                 const struct render_view *view)
{
    struct figure figure = figure_of(game, view);
    bool marks[BOARD_POINTS] = {false};
    struct move_list legal;

    if (view->is_spoken) {
        render_legal(out, game, from);
        return;
    }
    if (!find_moves(out, game, from, &legal))
        return;
    for (int i = 0; i < legal.count; i++)
        if (!move_is_pass(legal.move[i]) && legal.move[i].from == from)
            marks[legal.move[i].to] = true;
    figure.marks = marks;
    figure_rows(out, &figure, 0, BOARD_ROWS - 1);
    add_all_targets(out, game, &legal, from);
}

/* --- The manner --- */

/* Adds the board. Its lines are not wrapped. */
static void screen_board(struct text *out, const struct manner_scene *scene,
                         const struct facts *facts)
{
    text_add(out, "\n");
    render_screen(out, scene->model, facts->game, &scene->view);
}

static void screen_event(struct text *out, const struct manner_scene *scene,
                         const struct facts *facts)
{
    const struct model_game *game = facts->game;
    enum event_kind kind = facts->event->kind;
    long long id = game->id;
    bool is_at_terminal = scene->columns > 0;
    char words[RENDER_LINE_BYTES];
    struct text text = text_into(words, sizeof words);

    /* A pipe gets all events of the game, so it has seen who plays. */
    if (is_at_terminal && kind == EVENT_ADJOURN && model_is_first_seen(game))
        words_start(&text, game);
    words_event(&text, scene->model, facts, scene->wants_board);
    if (is_at_terminal && kind == EVENT_MOVE && game != scene->model->current &&
        facts->is_our_turn)
        text_addf(&text, _("-- your move in game %lld: \"game %lld\" goes there\n"), id,
                  id);
    if (scene->wants_board && kind == EVENT_END)
        screen_board(out, scene, facts);
    render_wrapped(out, words, scene->columns);
    if (scene->wants_board && kind != EVENT_END)
        screen_board(out, scene, facts);
    if (is_at_terminal && kind == EVENT_END && scene->after_end != NULL)
        render_wrapped(out, scene->after_end, scene->columns);
}

const struct manner render_manner = {
    .name = "screen",
    .event = screen_event,
    .board = screen_board,
    .setup_choice = say_setup_choice,
    .say = render_wrapped,
};
