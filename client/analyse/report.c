/* See report.h. */
#include "client/analyse/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_text.h"
#include "common/words/term.h"

static int percent(double chance)
{
    return (int)lround(100 * chance);
}

/* add_line() shows at most this number of moves of the best play, because a person
 * would not read a longer line. */
enum { LINE_SHOWN = 5 };

/* Adds the first moves of the best play that was possible in place of `move`, such as
 * " C0-D2 E7-E6". */
static void add_line(struct record_text *text, const struct analysis_move *move)
{
    for (int i = 0; i < move->line_plies && i < LINE_SHOWN; i++) {
        char words[TERM_MOVE_BYTES];

        term_move(words, move->line[i]);
        record_text_addf(text, " %s", words);
    }
}

/* --- The graph --- */

enum {
    GRAPH_COLUMNS = 64,
    GRAPH_ROWS = 5,
    GRAPH_STEP = 100 / GRAPH_ROWS,
    GRAPH_LABEL = 16 /* columns from one move number to the next */
};

/* Returns the number of columns of the graph: one for each position, but at most
 * GRAPH_COLUMNS. */
static int columns_of(const struct analysis *analysis)
{
    return analysis->plies + 1 < GRAPH_COLUMNS ? analysis->plies + 1 : GRAPH_COLUMNS;
}

/* Returns the index of the first position that is drawn in the column `column`. */
static int first_of(const struct analysis *analysis, int column)
{
    return column * (analysis->plies + 1) / columns_of(analysis);
}

/* Returns the last position in `column` that was searched; NULL: none of them was. */
static const struct analysis_place *place_of(const struct analysis *analysis,
                                             int column)
{
    for (int i = first_of(analysis, column + 1) - 1; i >= first_of(analysis, column);
         i--)
        if (analysis->place[i].nodes > 0)
            return &analysis->place[i];
    return NULL;
}

/* Returns the character that shows Red's chance in one row of the graph: '#' if the
 * chance fills at least three quarters of the row, '.' if it fills at least one
 * quarter, otherwise ' '. Row 0 is the lowest. */
static char dot_of(const struct analysis_place *place, int row)
{
    int above = place == NULL ? 0 : percent(place->chance) - row * GRAPH_STEP;

    if (above >= GRAPH_STEP * 3 / 4)
        return '#';
    return above >= GRAPH_STEP / 4 ? '.' : ' ';
}

static void add_graph(struct record_text *text, const struct analysis *analysis)
{
    int columns = columns_of(analysis);

    record_text_addf(text,
                     translate_count("Red's chances in percent, %d move:\n\n",
                                     "Red's chances in percent, %d moves:\n\n",
                                     analysis->plies),
                     analysis->plies);
    for (int row = GRAPH_ROWS - 1; row >= 0; row--) {
        char line[GRAPH_COLUMNS + 1];
        int len = columns;

        for (int i = 0; i < len; i++)
            line[i] = dot_of(place_of(analysis, i), row);
        while (len > 0 && line[len - 1] == ' ')
            len--;
        line[len] = '\0';
        record_text_addf(text, " %2d |%s\n", row * GRAPH_STEP, line);
    }
    record_text_add(text, "     "); /* the numbers of moves */
    for (int i = 0; i < columns; i += GRAPH_LABEL)
        record_text_addf(text, "%-*d", i + GRAPH_LABEL < columns ? GRAPH_LABEL : 0,
                         first_of(analysis, i));
    record_text_add(text, "\n");
}

/* --- For a person --- */

enum { SIDE_COLUMNS = 5 };

/* Adds a line like " 28 red A3-B3 ?! 53 -> 35 best C0-D2 E7-E6": the number of the ply,
 * the move and its mark, Red's winning chance in percent before and after the move, and
 * the best play instead. */
static void add_marked(struct record_text *text, int ply,
                       const struct analysis_move *move)
{
    const char *side = term_side(move->side);
    int pad = SIDE_COLUMNS - (int)text_columns(side, strlen(side));
    char words[TERM_MOVE_BYTES];

    term_move(words, move->move);
    record_text_addf(text, "%4d %s%*s%s %-2s %3d -> %d", ply, side, pad > 0 ? pad : 1,
                     "", words, analysis_mark_text(move->mark), percent(move->before),
                     percent(move->after));
    if (move->has_better) {
        record_text_addf(text, "  %s", _("best"));
        add_line(text, move);
    }
    if (move->missed_plies > 0) {
        record_text_add(text, ", ");
        record_text_addf(text, _("wins in %d"), (move->missed_plies + 1) / 2);
    }
    record_text_add(text, "\n");
}

/* Calls `add` for each marked move, and returns how many there are. If moves were
 * judged but none is marked, adds a sentence that says so. */
static int add_all_marked(struct record_text *text, const struct analysis *analysis,
                          void (*add)(struct record_text *text, int ply,
                                      const struct analysis_move *move))
{
    struct analysis_move move;
    int marked = 0, judged = 0;

    for (int ply = 1; ply <= analysis->plies; ply++) {
        if (!analysis_judge(analysis, ply, &move))
            continue;
        judged++;
        if (move.mark == ANALYSIS_UNMARKED)
            continue;
        add(text, ply, &move);
        marked++;
    }
    if (judged > 0 && marked == 0)
        record_text_add(text, _("No mistake was found.\n"));
    return marked;
}

static void add_players(struct record_text *text, const struct analysis *analysis)
{
    for (int side = 0; side < SIDES; side++) {
        struct analysis_player player = analysis_player(analysis, (enum side)side);

        if (player.moves > 0)
            record_text_addf(text,
                             _("%s: accuracy %d percent, %.1f points lost per move\n"),
                             term_side_title((enum side)side),
                             (int)lround(player.accuracy), player.points_lost);
    }
}

static void add_hurry(struct record_text *text, const struct analysis *analysis)
{
    int done = analysis_done(analysis), all = analysis->plies + 1;

    if (done < all)
        record_text_addf(
            text,
            _("Only %d of %d positions were searched well, the rest briefly or not at "
              "all.\n"),
            done, all);
}

char *report_write_text(const struct analysis *analysis)
{
    struct record_text text = {.at = NULL};

    add_graph(&text, analysis);
    record_text_add(&text, "\n");
    if (add_all_marked(&text, analysis, add_marked) > 0)
        record_text_add(&text,
                        _("\n?! doubtful, ? mistake, ?? blunder; 53 -> 35: Red's "
                          "chances before and after\n"));
    record_text_add(&text, "\n");
    add_players(&text, analysis);
    add_hurry(&text, analysis);
    return record_text_take(&text);
}

static void say_marked(struct record_text *text, int ply,
                       const struct analysis_move *move)
{
    static const char *const judgement[] = {
        "",
        N_("Move %d, %s %s, is doubtful: Red's chances change from %d to %d percent."),
        N_("Move %d, %s %s, is a mistake: Red's chances change from %d to %d percent."),
        N_("Move %d, %s %s, is a blunder: Red's chances change from %d to %d "
           "percent.")};
    char words[TERM_MOVE_BYTES];

    term_move(words, move->move);
    record_text_addf(text, _(judgement[move->mark]), ply, term_side(move->side), words,
                     percent(move->before), percent(move->after));
    if (move->missed_plies > 0)
        record_text_addf(text,
                         translate_count(" It misses a win in %d move.",
                                         " It misses a win in %d moves.",
                                         (move->missed_plies + 1) / 2),
                         (move->missed_plies + 1) / 2);
    if (move->has_better) {
        term_move(words, move->line[0]);
        record_text_addf(text, _(" %s was better."), words);
    }
    record_text_add(text, "\n");
}

char *report_write_speech(const struct analysis *analysis)
{
    struct record_text text = {.at = NULL};
    const struct analysis_place *last = &analysis->place[analysis->plies];

    if (analysis->place[0].nodes > 0)
        record_text_addf(&text, _("At the start, Red's chances are %d percent.\n"),
                         percent(analysis->place[0].chance));
    (void)add_all_marked(&text, analysis, say_marked);
    if (last->nodes > 0)
        record_text_addf(&text, _("At the end, Red's chances are %d percent.\n"),
                         percent(last->chance));
    add_players(&text, analysis);
    add_hurry(&text, analysis);
    return record_text_take(&text);
}

/* --- A picture --- */

/* SVG_POINTS and SVG_DOTS limit the number of points on the line and the number of
 * dots, so that the picture stays small. */
enum {
    SVG_WIDTH = 640,
    SVG_HEIGHT = 200,
    SVG_AXIS = 16,   /* the height of the numbers below the graph */
    SVG_NUMBERS = 5, /* move numbers below the graph, at most */
    SVG_POINTS = 200,
    SVG_DOTS = 16
};

/* The marked moves that get a dot, the worst first. */
struct svg_dots {
    int count;
    int ply[SVG_DOTS];
};

static int svg_x(const struct analysis *analysis, int place)
{
    return analysis->plies == 0 ? 0 : place * SVG_WIDTH / analysis->plies;
}

static int svg_y(double chance)
{
    return (int)lround((1 - chance) * SVG_HEIGHT);
}

/* Returns true if the position `place` is a point of the line that the graph draws. In
 * a long game the line has only some of the positions, at equal distances. It always
 * has the last position and the positions with a dot, so that the dots are on the
 * line. */
static bool is_on_line(const struct analysis *analysis, const struct svg_dots *dots,
                       int place)
{
    if (place % (analysis->plies / SVG_POINTS + 1) == 0 || place == analysis->plies)
        return true;
    for (int i = 0; i < dots->count; i++)
        if (dots->ply[i] == place)
            return true;
    return false;
}

/* Adds the labels "Red 100 %" and "Red 0 %" and some move numbers, so that the picture
 * is understood without the text around it. */
static void add_svg_words(struct record_text *text, const struct analysis *analysis)
{
    const char *red = term_side_title(SIDE_RED);
    int numbers = analysis->plies < SVG_NUMBERS ? analysis->plies : SVG_NUMBERS;

    record_text_addf(text,
                     "<g font-size=\"12\" font-family=\"sans-serif\" fill=\"#666\">"
                     "<text x=\"4\" y=\"14\">%s 100 %%</text>"
                     "<text x=\"4\" y=\"%d\">%s 0 %%</text>\n",
                     red, SVG_HEIGHT - 4, red);
    for (int i = 0; i < numbers; i++) {
        int place = (i + 1) * analysis->plies / numbers;

        record_text_addf(text,
                         "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n",
                         svg_x(analysis, place), SVG_HEIGHT + SVG_AXIS - 2, place);
    }
    record_text_add(text, "</g>\n");
}

char *report_write_svg(const struct analysis *analysis)
{
    struct svg_dots dots = {.count = 0};
    struct record_text text = {.at = NULL};
    struct analysis_move move;

    for (int mark = ANALYSIS_BLUNDER; mark > ANALYSIS_UNMARKED; mark--)
        for (int ply = 1; ply <= analysis->plies && dots.count < SVG_DOTS; ply++)
            if (analysis_judge(analysis, ply, &move) && (int)move.mark == mark)
                dots.ply[dots.count++] = ply;
    record_text_addf(
        &text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 %d %d\">\n"
        "<title>",
        SVG_WIDTH + 16, SVG_HEIGHT + SVG_AXIS + 16);
    record_text_addf(&text,
                     translate_count("Red's chances, %d move",
                                     "Red's chances, %d moves", analysis->plies),
                     analysis->plies);
    record_text_addf(&text,
                     "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\" "
                     "stroke=\"#888\"/>\n<path d=\"M0 %dH%d\" stroke=\"#888\"/>\n",
                     SVG_WIDTH, SVG_HEIGHT, SVG_HEIGHT / 2, SVG_WIDTH);
    add_svg_words(&text, analysis);
    record_text_add(&text, "<polyline fill=\"none\" stroke=\"#a00\" stroke-width=\"2\" "
                           "points=\"");
    for (int i = 0; i <= analysis->plies; i++)
        if (analysis->place[i].nodes > 0 && is_on_line(analysis, &dots, i))
            record_text_addf(&text, "%d,%d ", svg_x(analysis, i),
                             svg_y(analysis->place[i].chance));
    record_text_add(&text, "\"/>\n");
    for (int i = 0; i < dots.count; i++) {
        char words[TERM_MOVE_BYTES];

        if (!analysis_judge(analysis, dots.ply[i], &move))
            continue;
        term_move(words, move.move);
        record_text_addf(
            &text,
            "<circle cx=\"%d\" cy=\"%d\" r=\"4\"><title>%d. %s%s %d -&gt; %d"
            "</title></circle>\n",
            svg_x(analysis, dots.ply[i]), svg_y(move.after), dots.ply[i], words,
            analysis_mark_text(move.mark), percent(move.before), percent(move.after));
    }
    record_text_add(&text, "</svg>\n");
    return record_text_take(&text);
}

/* --- For programs --- */

static void add_json_ply(struct record_text *text, const struct analysis *analysis,
                         int ply)
{
    const struct analysis_place *after = &analysis->place[ply];
    struct analysis_move move;
    char words[MOVE_BYTES];

    if (!analysis_judge(analysis, ply, &move))
        return;
    move_format(words, move.move);
    record_text_addf(text,
                     ",\n  {\"ply\": %d, \"side\": \"%s\", \"move\": \"%s\", "
                     "\"points\": %.2f, \"chance\": %.3f, \"mark\": \"%s\"",
                     ply, side_name(move.side), words, after->points, after->chance,
                     analysis_mark_text(move.mark));
    if (move.missed_plies > 0)
        record_text_addf(text, ", \"missed_plies\": %d", move.missed_plies);
    if (move.has_better) {
        record_text_add(text, ", \"best\": [");
        for (int i = 0; i < move.line_plies; i++) {
            move_format(words, move.line[i]);
            record_text_addf(text, "%s\"%s\"", i > 0 ? ", " : "", words);
        }
        record_text_add(text, "]");
    }
    record_text_add(text, "}");
}

char *report_write_json(const struct analysis *analysis)
{
    struct record_text text = {.at = NULL};

    record_text_addf(
        &text,
        "{\"format\": \"janggi-analysis\", \"version\": 1, \"rules\": \"%s\", "
        "\"plies\": %d, \"analysed\": %d,\n",
        ruleset_name(analysis->rules), analysis->plies, analysis_done(analysis));
    for (int side = 0; side < SIDES; side++) {
        struct analysis_player player = analysis_player(analysis, (enum side)side);

        record_text_addf(&text,
                         " \"%s\": {\"moves\": %d, \"accuracy\": %.1f, "
                         "\"points_lost\": %.2f},\n",
                         side_name((enum side)side), player.moves, player.accuracy,
                         player.points_lost);
    }
    record_text_add(&text, " \"moves\": [");
    /* Position 0 is searched before the others. If it was not searched, no move is
     * judged and the list is empty. */
    if (analysis->place[0].nodes > 0)
        record_text_addf(&text, "\n  {\"ply\": 0, \"points\": %.2f, \"chance\": %.3f}",
                         analysis->place[0].points, analysis->place[0].chance);
    for (int ply = 1; ply <= analysis->plies; ply++)
        add_json_ply(&text, analysis, ply);
    record_text_add(&text, "]}\n");
    return record_text_take(&text);
}

/* --- Comments --- */

struct record_note *report_make_notes(const struct analysis *analysis)
{
    static const int glyph_of[] = {0, 6, 2, 4};
    struct record_note *notes = mem_new(((size_t)analysis->plies + 1) * sizeof *notes);
    struct analysis_move move;

    for (int i = 0; i < analysis->plies; i++) {
        struct record_text text = {.at = NULL};
        char *words;

        if (!analysis_judge(analysis, i + 1, &move))
            continue;
        notes[i].glyph = glyph_of[move.mark];
        /* PGN's White is our Blue, so the sign is reversed. */
        snprintf(notes[i].eval, sizeof notes[i].eval, "%.2f",
                 0 - analysis->place[i + 1].points);
        if (move.mark == ANALYSIS_UNMARKED)
            continue;
        /* "W 36 -> 5 %, best C0-D2 E7-E6": not translated, so that programs can read it */
        record_text_addf(&text, "W %d -> %d %%", percent(move.before),
                         percent(move.after));
        if (move.has_better) {
            record_text_add(&text, ", best");
            add_line(&text, &move);
        }
        words = record_text_take(&text);
        text_copy(notes[i].comment, sizeof notes[i].comment, words);
        free(words);
    }
    return notes;
}
