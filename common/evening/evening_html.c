/* See evening_html.h. Names do not contain the characters <, > and &: the server
 * refuses these characters in a name, or replaces them. Names are escaped here
 * anyway. */
#include "common/evening/evening_html.h"

#include <string.h>

#include "common/base/text.h"
#include "common/evening/evening_table.h"

static void add_escaped(struct text *out, const char *words)
{
    for (; *words != '\0'; words++)
        if (strchr("<>&\"'", *words) != NULL)
            text_addf(out, "&#%d;", *words);
        else
            text_add_bytes(out, words, 1);
}

static const char *result_sign(const struct evening_pair *pair, bool is_first)
{
    if (pair->result == EVENING_UNDECIDED)
        return "";
    if (pair->result == EVENING_BYE)
        return "+";
    if (pair->result == EVENING_DRAWN)
        return "=";
    if (!evening_was_played(pair))
        return evening_halves(pair, is_first) == 2 ? "+" : "-";
    return evening_halves(pair, is_first) == 2 ? "1" : "0";
}

/* Finds the player with this number in the table, and returns the number of the line.
 * The first line is 1. Returns 0 if the player is not in the table. */
static int find_place(const struct evening_place *place, int count, int number)
{
    for (int i = 0; i < count; i++)
        if (place[i].number == number)
            return i + 1;
    return 0;
}

/* Adds a cell such as "4r1": met the player in line 4, had Red, and won. */
static void add_cell(struct text *out, const struct evening *evening,
                     const struct evening_place *place, int number, int round)
{
    const struct evening_pair *pair = evening_pair_of(evening, round, number);
    bool is_first = pair != NULL && pair->first == number;
    bool is_red = is_first == (evening->first == SIDE_RED);

    text_add(out, "<td>");
    if (pair != NULL && pair->second == 0)
        text_add(out, "bye");
    else if (pair != NULL)
        text_addf(
            out, "%d%s%s",
            find_place(place, evening->players, is_first ? pair->second : pair->first),
            is_red ? "r" : "b", result_sign(pair, is_first));
    text_add(out, "</td>");
}

static void add_row(struct text *out, const struct evening *evening,
                    const struct evening_place *place, int i)
{
    char score[EVENING_POINTS_BYTES], buchholz[EVENING_POINTS_BYTES];

    evening_points_format(score, place[i].score);
    evening_points_format(buchholz, place[i].buchholz_cut);
    text_addf(out, "<tr><td>%d</td><th scope=\"row\">", place[i].place);
    add_escaped(out, evening_player(evening, place[i].number)->name);
    text_add(out, "</th>");
    for (int round = 1; round <= evening->round; round++)
        add_cell(out, evening, place, place[i].number, round);
    text_addf(out, "<td>%s</td><td>%s</td><td>%d.%02d</td></tr>\n", score, buchholz,
              place[i].sonneborn / 4, place[i].sonneborn % 4 * 25);
}

static void add_head(struct text *out, const struct evening *evening)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_escaped(out, evening->name);
    text_add(out, "</title>\n<style>body{font-family:sans-serif;margin:1em}"
                  "table{border-collapse:collapse}td,th{border:1px solid #999;"
                  "padding:.2em .5em;text-align:center}th[scope=row]{text-align:left}"
                  "</style></head><body>\n<h1>");
    add_escaped(out, evening->name);
    text_addf(out, "</h1>\n<p>%s, %d of %d rounds, %s, %s</p>\n",
              evening->system == EVENING_SWISS ? "Swiss" : "Round robin",
              evening->round, evening->rounds, evening->time, evening->rules);
    text_add(out, "<table><thead><tr><th>Place</th><th>Name</th>");
    for (int round = 1; round <= evening->round; round++)
        text_addf(out, "<th>%d</th>", round);
    text_add(out, "<th>Points</th><th>Buchholz</th><th>Sonneborn-Berger</th></tr>"
                  "</thead><tbody>\n");
}

void evening_html_format(char *out, size_t size, const struct evening *evening)
{
    struct evening_place place[EVENING_PLAYERS_MAX];
    struct text text = text_into(out, size);

    evening_table(evening, place);
    add_head(&text, evening);
    for (int i = 0; i < evening->players; i++)
        add_row(&text, evening, place, i);
    text_add(&text, "</tbody></table>\n<p>A cell: the line of the opponent, r red or b "
                    "blue, and the result: 1 won, 0 lost, = drawn, + or - without a "
                    "game.</p>\n</body></html>\n");
}
