/* See evening_export.h. */
#include "common/evening/evening_export.h"

#include <string.h>

#include "common/base/text.h"
#include "common/evening/evening_table.h"

/* --- TRF. Columns are characters, not bytes: names may be Hangul. --- */

enum { NAME_COLUMNS = 33 };

static void add_player(struct text *out, const struct evening *evening,
                       const struct evening_place *place, int rank, int rounds,
                       int rating)
{
    static const char letters[][2] = {
        /* {letter of the second player, letter of the first player} */
        [EVENING_UNDECIDED] = {' ', ' '},    [EVENING_FIRST_WON] = {'0', '1'},
        [EVENING_SECOND_WON] = {'1', '0'},   [EVENING_DRAWN] = {'=', '='},
        [EVENING_NO_RESULT] = {'-', '-'},    [EVENING_SECOND_MISSED] = {'-', '+'},
        [EVENING_FIRST_MISSED] = {'+', '-'}, [EVENING_BOTH_MISSED] = {'-', '-'},
        [EVENING_BYE] = {'U', 'U'},
    };
    const struct evening_player *player = evening_player(evening, place->number);
    int pad = NAME_COLUMNS;

    for (const char *at = player->name; *at != '\0'; at++)
        pad -= ((unsigned char)*at & 0xc0) != 0x80; /* characters, not bytes */
    text_addf(out, "001 %4d      %s%*s ", place->number, player->name, pad, "");
    if (rating > 0)
        text_addf(out, "%4d", rating);
    else
        text_add(out, "    ");
    text_addf(out, "%*s%2d.%d %4d", 28, "", place->wins / 2,
              place->wins % 2 != 0 ? 5 : 0, rank);
    for (int round = 1; round <= rounds; round++) {
        const struct evening_pair *pair =
            evening_pair_of(evening, round, place->number);
        bool is_first = pair != NULL && pair->first == place->number;

        if (pair == NULL)
            text_add(out, "  0000 - Z");
        else if (pair->second == 0)
            text_add(out, "  0000 - U");
        else
            text_addf(out, "  %4d %c %c", is_first ? pair->second : pair->first,
                      is_first ? 'w' : 'b', letters[pair->result][is_first]);
    }
    if (evening->phase != EVENING_OVER && rounds < evening->rounds && !player->is_here)
        text_add(out, "  0000 - Z");
    text_add(out, "\n");
}

size_t evening_export_trf(char *out, size_t size, const struct evening *evening,
                          const int *rating)
{
    struct evening_place place[EVENING_PLAYERS_MAX];
    int rounds = evening->round - (evening_count_undecided(evening) > 0);
    struct evening decided = *evening; /* borrows: without the undecided round, whose
                                        * points readers would not find */
    struct text text = text_into(out, size);

    decided.round = rounds;
    while (decided.pairs > 0 && decided.pair[decided.pairs - 1].round > rounds)
        decided.pairs--;
    evening_table(&decided, place);
    text_addf(&text, "012 %s\n", evening->name);
    text_addf(&text, "062 %d\n", evening->players);
    text_addf(&text, "092 Individual: %s\n",
              evening->system == EVENING_SWISS ? "Swiss-System" : "Round-Robin");
    text_addf(&text, "122 %s\n", evening->time);
    text_addf(&text, "XXR %d\nXXC white1\n", evening->rounds);
    for (int number = 1; number <= evening->players; number++)
        for (int i = 0; i < evening->players; i++)
            if (place[i].number == number)
                add_player(&text, evening, &place[i], i + 1, rounds,
                           rating != NULL ? rating[number - 1] : 0);
    return text.len;
}

/* --- HTML --- */

/* Names do not contain the characters <, > and &: the server refuses these characters in
 * a name, or replaces them. Names are escaped here anyway. */
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

/* A cell such as "4r1": met the player in line 4, had Red, and won. */
void evening_export_html(char *out, size_t size, const struct evening *evening)
{
    struct evening_place place[EVENING_PLAYERS_MAX];
    int line_of[EVENING_PLAYERS_MAX + 1] = {0}; /* of the table, by a player's number */
    struct text text = text_into(out, size);

    evening_table(evening, place);
    for (int i = 0; i < evening->players; i++)
        line_of[place[i].number] = i + 1;
    text_add(&text,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_escaped(&text, evening->name);
    text_add(&text, "</title>\n<style>body{font-family:sans-serif;margin:1em}"
                    "table{border-collapse:collapse}td,th{border:1px solid #999;"
                    "padding:.2em .5em;text-align:center}th[scope=row]{text-align:left}"
                    "</style></head><body>\n<h1>");
    add_escaped(&text, evening->name);
    text_addf(&text, "</h1>\n<p>%s, %d of %d rounds, %s, %s</p>\n",
              evening->system == EVENING_SWISS ? "Swiss" : "Round robin",
              evening->round, evening->rounds, evening->time, evening->rules);
    text_add(&text, "<table><thead><tr><th>Place</th><th>Name</th>");
    for (int round = 1; round <= evening->round; round++)
        text_addf(&text, "<th>%d</th>", round);
    text_add(&text, "<th>Points</th><th>Buchholz</th><th>Sonneborn-Berger</th></tr>"
                    "</thead><tbody>\n");
    for (const struct evening_place *p = place; p < place + evening->players; p++) {
        char score[EVENING_POINTS_BYTES], buchholz[EVENING_POINTS_BYTES];

        text_addf(&text, "<tr><td>%d</td><th scope=\"row\">", p->place);
        add_escaped(&text, evening_player(evening, p->number)->name);
        text_add(&text, "</th>");
        for (int round = 1; round <= evening->round; round++) {
            const struct evening_pair *pair =
                evening_pair_of(evening, round, p->number);
            bool is_first = pair != NULL && pair->first == p->number;

            if (pair == NULL)
                text_add(&text, "<td></td>");
            else if (pair->second == 0)
                text_add(&text, "<td>bye</td>");
            else
                text_addf(&text, "<td>%d%s%s</td>",
                          line_of[is_first ? pair->second : pair->first],
                          is_first == (evening->first == SIDE_RED) ? "r" : "b",
                          result_sign(pair, is_first));
        }
        evening_points_format(score, p->score);
        evening_points_format(buchholz, p->buchholz_cut);
        text_addf(&text, "<td>%s</td><td>%s</td><td>%d.%02d</td></tr>\n", score,
                  buchholz, p->sonneborn / 4, p->sonneborn % 4 * 25);
    }
    text_add(&text, "</tbody></table>\n<p>A cell: the line of the opponent, r red or b "
                    "blue, and the result: 1 won, 0 lost, = drawn, + or - without a "
                    "game.</p>\n</body></html>\n");
}
