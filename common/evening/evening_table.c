/* See evening_table.h. */
#include "common/evening/evening_table.h"

#include <stdlib.h>

#include "common/base/mem.h"

void evening_table_wins(const struct evening *evening, int *half)
{
    for (int i = 0; i < evening->players; i++)
        half[i] = 0;
    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];

        half[pair->first - 1] += evening_halves(pair, true);
        if (pair->second != 0)
            half[pair->second - 1] += evening_halves(pair, false);
    }
}

/* Adds the points that the player gets from this pair. */
static void add_pair(const struct evening *evening, const struct evening_pair *pair,
                     bool is_first, struct evening_place *place)
{
    bool was_played = evening_was_played(pair);

    place->score += evening_table_halves(evening, pair, is_first);
    place->played += was_played;
    place->won += was_played && evening_halves(pair, is_first) == 2;
}

/* Computes the Buchholz and Sonneborn-Berger sums of a player from the points of the
 * opponents. For a round without a game, the player's own points count. */
static void count_opponents(const struct evening *evening, const int *wins,
                            struct evening_place *place)
{
    int own = wins[place->number - 1], lowest = -1;

    for (int round = 1; round <= evening->round; round++) {
        const struct evening_pair *pair =
            evening_pair_of(evening, round, place->number);
        bool was_played = pair != NULL && evening_was_played(pair);
        bool is_first = pair != NULL && pair->first == place->number;
        int other =
            was_played ? wins[(is_first ? pair->second : pair->first) - 1] : own;

        place->buchholz_cut += other;
        if (lowest < 0 || other < lowest)
            lowest = other;
        if (pair != NULL)
            place->sonneborn += evening_halves(pair, is_first) * other;
    }
    if (lowest > 0)
        place->buchholz_cut -= lowest;
}

/* Compares the scores, and then whether a player missed a round. The result is positive
 * when b is ahead of a, and 0 when they are equal. */
static int compare_points(const struct evening_place *a, const struct evening_place *b)
{
    return a->score != b->score ? b->score - a->score : (int)a->missed - (int)b->missed;
}

static int compare(const struct evening_place *a, const struct evening_place *b)
{
    const int differences[] = {compare_points(a, b), b->direct - a->direct,
                               b->buchholz_cut - a->buchholz_cut,
                               b->sonneborn - a->sonneborn, b->won - a->won};

    for (size_t i = 0; i < ARRAY_LEN(differences); i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

static int compare_all(const void *a, const void *b)
{
    const struct evening_place *one = a, *other = b;
    int difference = compare(one, other);

    return difference != 0 ? difference : one->number - other->number;
}

/* Sets the member `direct` of the `count` players in `group`, but only if each of them
 * has met all others. */
static void count_direct(const struct evening *evening, struct evening_place *group,
                         int count)
{
    /* A player has at most EVENING_ROUNDS_MAX opponents. So in a larger group, some
     * players have not met. */
    enum { GROUP_MAX = EVENING_ROUNDS_MAX + 1 };
    int direct[GROUP_MAX] = {0};

    if (count < 2 || count > GROUP_MAX)
        return;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int one = group[i].number, other = group[j].number, k = 0;
            const struct evening_pair *pair = evening->pair;

            while (k < evening->pairs &&
                   (!evening_was_played(&pair[k]) ||
                    !((pair[k].first == one && pair[k].second == other) ||
                      (pair[k].first == other && pair[k].second == one))))
                k++;
            if (i != j && k == evening->pairs)
                return;
            if (i != j)
                direct[i] += evening_halves(&pair[k], pair[k].first == one);
        }
    for (int i = 0; i < count; i++)
        group[i].direct = direct[i];
}

void evening_table(const struct evening *evening, struct evening_place *out)
{
    int wins[EVENING_PLAYERS_MAX], count = evening->players;

    evening_table_wins(evening, wins);
    for (int i = 0; i < count; i++)
        out[i] = (struct evening_place){.number = i + 1,
                                        .wins = wins[i],
                                        .score = evening->player[i].adjusted_halves,
                                        .missed = evening->player[i].missed_ever > 0};
    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];

        add_pair(evening, pair, true, &out[pair->first - 1]);
        if (pair->second != 0)
            add_pair(evening, pair, false, &out[pair->second - 1]);
    }
    for (int i = 0; i < count; i++)
        count_opponents(evening, wins, &out[i]);
    if (count == 0)
        return;
    qsort(out, (size_t)count, sizeof *out, compare_all);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_points(&out[i], &out[end]) == 0;)
            end++;
        count_direct(evening, out + i, end - i);
    }
    qsort(out, (size_t)count, sizeof *out, compare_all);
    for (int i = 0; i < count; i++)
        out[i].place =
            i > 0 && compare(&out[i - 1], &out[i]) == 0 ? out[i - 1].place : i + 1;
}
