/* See evening_import.h. Each event is first applied to a copy of the evening, and then
 * passed to the caller. If an event does not fit, the copy does not accept it, and the
 * import fails. */
#include "common/evening/evening_import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/evening/evening_draw.h"

struct import {
    const struct evening_import_calls *calls;
    struct evening_trf_fault *fault;
    struct evening_trf file;
    struct evening made; /* the copy of the evening */
    int rounds_before;   /* rounds that the evening had before the import */
    /* Player n of the file is player number[n - 1] of the evening. */
    int number[EVENING_PLAYERS_MAX];
};

/* Stores what is wrong with the file, and returns false. If the line of one player is
 * wrong, `player` is the number of that player in the file. Otherwise `player` is 0. */
PRINTF_LIKE(3, 4)
static bool refuse(struct import *import, int player, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    import->fault->line = player > 0 ? import->file.line[player - 1] : 0;
    vsnprintf(import->fault->words, sizeof import->fault->words, format, args);
    va_end(args);
    return false;
}

PRINTF_LIKE(2, 3)
static bool give(struct import *import, const char *format, ...)
{
    char text[EVENING_EVENT_BYTES];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0 || len >= (int)sizeof text || !evening_apply(&import->made, text))
        return false;
    import->calls->event(import->calls->arg, text);
    return true;
}

static struct evening copy_of(const struct evening *evening)
{
    struct evening copy = *evening;

    copy.player = mem_resize(NULL, (size_t)copy.players + 1, sizeof *copy.player);
    copy.pair = mem_resize(NULL, (size_t)copy.pairs + 1, sizeof *copy.pair);
    if (copy.players > 0)
        memcpy(copy.player, evening->player,
               (size_t)copy.players * sizeof *copy.player);
    if (copy.pairs > 0)
        memcpy(copy.pair, evening->pair, (size_t)copy.pairs * sizeof *copy.pair);
    return copy;
}

/* --- Players --- */

static bool take_player(struct import *import, int player)
{
    const char *name = evening_player(&import->file.evening, player)->name;
    int number = evening_find_written(&import->made, name);
    int max =
        import->made.system == EVENING_SWISS ? EVENING_PLAYERS_MAX : EVENING_CIRCLE_MAX;

    if (number == 0) {
        number = import->made.players + 1;
        if (number > max)
            return refuse(import, player, "the evening has room for %d players", max);
        if (!give(import, "join %d %s", number, name))
            return refuse(import, player, "%s cannot join this evening", name);
    }
    import->number[player - 1] = number;
    return true;
}

/* If both the file and calls->may_play() allow it, the player takes part in the next
 * round. Otherwise the player does not take part. If this is a change, passes the event
 * "join" or "leave" to the caller. */
static bool take_presence(struct import *import, int player)
{
    int number = import->number[player - 1];
    const struct evening_player *made = evening_player(&import->made, number);
    bool will_play = evening_player(&import->file.evening, player)->is_here &&
                     import->calls->may_play(import->calls->arg, made->name);

    if (made->is_here == will_play)
        return true;
    return will_play ? give(import, "join %d %s", number, made->name)
                     : give(import, "leave %d file", number);
}

/* --- Rounds --- */

static int first_of(const struct import *import, const struct evening_pair *pair)
{
    return import->number[pair->first - 1];
}

static int second_of(const struct import *import, const struct evening_pair *pair)
{
    return pair->second != 0 ? import->number[pair->second - 1] : 0;
}

/* Checks that the evening has the same pair, with the same points. */
static bool compare_pair(struct import *import, const struct evening_pair *pair)
{
    const struct evening_pair *made =
        evening_pair_of(&import->made, pair->round, first_of(import, pair));
    const char *name = evening_player(&import->file.evening, pair->first)->name;

    if (made == NULL || made->first != first_of(import, pair) ||
        made->second != second_of(import, pair))
        return refuse(import, pair->first,
                      "round %d: the evening has another pair for %s", pair->round,
                      name);
    if (evening_halves(made, true) != evening_halves(pair, true) ||
        evening_halves(made, false) != evening_halves(pair, false))
        return refuse(import, pair->first,
                      "round %d: the evening has another result for %s; correct one of "
                      "the two first",
                      pair->round, name);
    return true;
}

/* Returns true if `draw`, the next round of the round robin, has a game between players
 * `first` and `second`. */
static bool is_drawn(const struct evening_draw *draw, int first, int second)
{
    for (int i = 0; i < draw->pairs; i++)
        if ((draw->pair[i].first == first && draw->pair[i].second == second) ||
            (draw->pair[i].first == second && draw->pair[i].second == first))
            return true;
    return false;
}

/* `round` is the next round of the file. In a round robin, the numbers of the players
 * in round 1 decide all later pairs. So this function checks that evening_draw_round()
 * would also make each game of `round`. In a Swiss evening, always returns true. */
static bool judge_circle(struct import *import, const struct evening_draw *round)
{
    struct evening_draw own = {0};

    if (import->made.system != EVENING_ROUND_ROBIN)
        return true;
    if (!evening_draw_round(&import->made, NULL, &own))
        return refuse(import, 0, "round %d: a round robin has no such round",
                      import->made.round + 1);
    for (int i = 0; i < round->pairs; i++)
        if (round->pair[i].second != 0 &&
            !is_drawn(&own, round->pair[i].first, round->pair[i].second))
            return refuse(import, 0,
                          "round %d is not the one that this round robin draws; read "
                          "the file into a Swiss evening",
                          import->made.round + 1);
    return true;
}

static bool give_result(struct import *import, const struct evening_pair *pair,
                        int board)
{
    static const char *const results[] = {
        [EVENING_FIRST_WON] = "result %d %d first host",
        [EVENING_SECOND_WON] = "result %d %d second host",
        [EVENING_DRAWN] = "result %d %d draw host",
        [EVENING_NO_RESULT] = "result %d %d none host",
        [EVENING_SECOND_MISSED] = "miss %d %d second",
        [EVENING_FIRST_MISSED] = "miss %d %d first",
        [EVENING_BOTH_MISSED] = "miss %d %d both",
    };

    if (pair->second == 0)
        return true;
    return give(import, results[pair->result], pair->round, board);
}

static bool take_round(struct import *import, int round)
{
    const struct evening *file = &import->file.evening;
    char text[EVENING_EVENT_BYTES];
    struct evening_draw draw = {0};

    for (int i = 0; i < file->pairs; i++) {
        const struct evening_pair *pair = &file->pair[i];

        if (pair->round != round)
            continue;
        if (round <= import->rounds_before) {
            if (!compare_pair(import, pair))
                return false;
            continue;
        }
        draw.pair[draw.pairs].first = first_of(import, pair);
        draw.pair[draw.pairs++].second = second_of(import, pair);
    }
    if (round <= import->rounds_before)
        return true;
    if (!judge_circle(import, &draw))
        return false;
    evening_draw_format(text, &import->made, &draw);
    if (!give(import, "%s", text))
        return refuse(import, 0, "round %d does not fit this evening", round);
    for (int i = 0; i < file->pairs; i++)
        if (file->pair[i].round == round &&
            !give_result(import, &file->pair[i], file->pair[i].board))
            return refuse(import, 0, "round %d does not fit this evening", round);
    return true;
}

/* Adjusts the player's score by the half points that the file gives for rounds without
 * a game. The score is adjusted because no event can give half a point for a round. */
static bool take_halves(struct import *import, int player)
{
    int halves = evening_player(&import->file.evening, player)->adjusted_halves;
    int draw = evening_table_halves(
        &import->made, &(struct evening_pair){.result = EVENING_DRAWN}, true);

    if (halves == 0)
        return true;
    if (import->rounds_before > 0)
        return refuse(import, player,
                      "half a point without a game can be read only into an evening "
                      "without rounds; leave it out, and use: evening adjust");
    return give(import, "adjust %d %d for rounds without a game",
                import->number[player - 1], halves * draw);
}

/* --- All of it --- */

static bool judge_rounds(struct import *import)
{
    const struct evening *made = &import->made;
    int rounds = import->file.evening.round;

    if (rounds < made->round)
        return refuse(import, 0, "the file has %d rounds, and the evening %d", rounds,
                      made->round);
    if (made->system == EVENING_SWISS && rounds > made->rounds)
        return refuse(import, 0,
                      "the file has %d rounds, and the evening is planned for %d; make "
                      "it with rounds=%d or more",
                      rounds, made->rounds, rounds);
    return true;
}

static bool take_file(struct import *import)
{
    int players = import->file.players, rounds = import->file.evening.round;

    if (!judge_rounds(import))
        return false;
    for (int i = 1; i <= players; i++)
        if (!take_player(import, i))
            return false;
    for (int round = 1; round <= rounds; round++)
        if (!take_round(import, round))
            return false;
    for (int i = 1; i <= players; i++)
        if (!take_halves(import, i))
            return false;
    for (int i = 1; i <= players; i++)
        if (!take_presence(import, i))
            return refuse(import, i, "the player does not fit this evening");
    if (import->rounds_before == 0 && rounds > 0 && !give(import, "pause"))
        return refuse(import, 0, "the evening cannot pause");
    return true;
}

bool evening_import(const struct evening *evening, const char *file,
                    const struct evening_import_calls *calls,
                    struct evening_trf_fault *fault)
{
    struct import import = {
        .calls = calls, .fault = fault, .rounds_before = evening->round};
    bool is_good;

    if (!evening_trf_parse(&import.file, file, fault))
        return false;
    import.made = copy_of(evening);
    is_good = take_file(&import);
    evening_clear(&import.made);
    evening_trf_clear(&import.file);
    return is_good;
}
