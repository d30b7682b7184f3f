/* See evening_trf.h. Columns are characters, not bytes: names may be Hangul. */
#include "common/evening/evening_trf.h"

#include "common/base/text.h"
#include "common/evening/evening_table.h"

enum { NAME_COLUMNS = 33 };

static char result_letter(const struct evening_pair *pair, bool is_first)
{
    static const char letters[][2] = {
        /* {letter of the second player, letter of the first player} */
        [EVENING_UNDECIDED] = {' ', ' '},    [EVENING_FIRST_WON] = {'0', '1'},
        [EVENING_SECOND_WON] = {'1', '0'},   [EVENING_DRAWN] = {'=', '='},
        [EVENING_NO_RESULT] = {'-', '-'},    [EVENING_SECOND_MISSED] = {'-', '+'},
        [EVENING_FIRST_MISSED] = {'+', '-'}, [EVENING_BOTH_MISSED] = {'-', '-'},
        [EVENING_BYE] = {'U', 'U'},
    };

    return letters[pair->result][is_first];
}

static void add_player(struct text *out, const struct evening *evening,
                       const struct evening_place *place, int rank, int rounds,
                       int rating)
{
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
                      is_first ? 'w' : 'b', result_letter(pair, is_first));
    }
    if (evening->phase != EVENING_OVER && rounds < evening->rounds && !player->is_here)
        text_add(out, "  0000 - Z");
    text_add(out, "\n");
}

size_t evening_trf_format(char *out, size_t size, const struct evening *evening,
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
