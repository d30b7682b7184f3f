/* See evening_draw.h. */
#include "common/evening/evening_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/evening/evening_table.h"

static void add(struct evening_draw *draw, int first, int second)
{
    draw->pair[draw->pairs].first = first;
    draw->pair[draw->pairs].second = second;
    draw->pairs++;
}

/* --- Round robin --- */

static void move_byes_to_end(struct evening_draw *draw)
{
    struct evening_draw sorted = {0};

    for (int wants_bye = 0; wants_bye < 2; wants_bye++)
        for (int i = 0; i < draw->pairs; i++)
            if ((draw->pair[i].second == 0) == (wants_bye == 1))
                add(&sorted, draw->pair[i].first, draw->pair[i].second);
    *draw = sorted;
}

/* Berger's rule says who moves first in the pair of the places a and b (a < b) in a
 * circle of even size: if b is the last place, a moves first if a is in the lower half.
 * Otherwise a moves first if the sum of a and b is odd. If only one of the two players
 * is here, this player gets a bye. */
static bool draw_circle(const struct evening *evening, struct evening_draw *out)
{
    int circle[EVENING_PLAYERS_MAX + 1]; /* the numbers of its players, ascending */
    int count = 0, size, turns, turn = evening->round, players = 0;

    for (int i = 1; i <= evening->players; i++)
        if (turn == 0 ? evening->player[i - 1].is_here
                      : evening_pair_of(evening, 1, i) != NULL)
            circle[count++] = i;
    size = count + count % 2;
    turns = size - 1;
    if (count < 2 || count > EVENING_CIRCLE_MAX || turn >= turns)
        return false;
    for (int i = 0; i < size / 2; i++) {
        int one = (turn + i) % turns + 1;
        int other = i == 0 ? size : (turn + turns - i) % turns + 1;
        int a = one < other ? one : other, b = one < other ? other : one;
        bool is_a_first = b == size ? a <= size / 2 : (a + b) % 2 != 0;
        int low = circle[a - 1], high = b <= count ? circle[b - 1] : 0;
        bool has_low = evening->player[low - 1].is_here;
        bool has_high = high != 0 && evening->player[high - 1].is_here;

        players += has_low + has_high;
        if (has_low && has_high)
            add(out, is_a_first ? low : high, is_a_first ? high : low);
        else if (has_low || has_high)
            add(out, has_low ? low : high, 0);
    }
    move_byes_to_end(out);
    return players > 1;
}

/* --- Swiss --- */

enum { TRIES_MAX = 20000 };

struct swiss {
    const struct evening *evening;
    int count, order[EVENING_PLAYERS_MAX]; /* the best player first */
    bool is_taken[EVENING_PLAYERS_MAX];    /* indexed like `order` */
    int met_max;                           /* two players are paired only if they have
                                            * met at most this often */
    int tries;                             /* number of pairs that may still be tried */
    /* met[a][b]: how often the players with the numbers a and b have met. Computed
     * once, because the search needs it very often. */
    unsigned char met[EVENING_PLAYERS_MAX + 1][EVENING_PLAYERS_MAX + 1];
    struct evening_draw *out;
};

struct rank {
    int number, wins, seed;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *one = a, *other = b;

    if (one->wins != other->wins)
        return other->wins - one->wins;
    if (one->seed != other->seed)
        return one->seed < other->seed ? 1 : -1;
    return one->number - other->number;
}

/* Pairs all players from index `from` of swiss->order to its end, except the players
 * who are already taken. If no pairing was found, returns false, and `out` and
 * `is_taken` are as before. */
static bool pair_rest(struct swiss *swiss, int from)
{
    while (from < swiss->count && swiss->is_taken[from])
        from++;
    if (from == swiss->count)
        return true;
    for (int i = from + 1; i < swiss->count && swiss->tries > 0; i++) {
        if (swiss->is_taken[i] ||
            swiss->met[swiss->order[from]][swiss->order[i]] > swiss->met_max)
            continue;
        swiss->tries--;
        swiss->is_taken[i] = true;
        add(swiss->out, swiss->order[from], swiss->order[i]);
        if (pair_rest(swiss, from + 1))
            return true;
        swiss->out->pairs--;
        swiss->is_taken[i] = false;
    }
    return false;
}

static bool pair_all(struct swiss *swiss)
{
    swiss->tries = TRIES_MAX;
    swiss->out->pairs = 0;
    return pair_rest(swiss, 0);
}

/* Tries to pair the round with a bye. The bye can go to a player who has had at most
 * `byes_max` byes. Tries these players, the lowest first, until the other players can
 * be paired. Returns false if this fails for each of these players. */
static bool pair_with_bye(struct swiss *swiss, int byes_max)
{
    const struct evening *evening = swiss->evening;

    for (int i = swiss->count - 1; i >= 0; i--) {
        int byes = 0;

        for (int j = 0; j < evening->pairs; j++)
            byes += evening->pair[j].first == swiss->order[i] &&
                    evening->pair[j].second == 0;
        if (byes > byes_max)
            continue;
        memset(swiss->is_taken, 0, sizeof swiss->is_taken);
        swiss->is_taken[i] = true;
        if (pair_all(swiss)) {
            add(swiss->out, swiss->order[i], 0);
            return true;
        }
    }
    return false;
}

/* Returns the number of games in which the player moved first, minus the number of
 * games in which the player moved second. Sets *last for the last game: +1 if the
 * player moved first, -1 if second, 0 if there was no game. */
static int count_firsts(const struct evening *evening, int number, int *last)
{
    int balance = 0;

    *last = 0;
    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];

        if (!evening_was_played(pair) ||
            (pair->first != number && pair->second != number))
            continue;
        *last = pair->first == number ? 1 : -1;
        balance += *last;
    }
    return balance;
}

/* A player's balance is the number of games in which the player moved first, minus the
 * number of games in which the player moved second. The player with the lower balance
 * moves first. If the balances are equal, the last game decides: the player who did not
 * move first in the last game moves first now. If the last game does not decide, the
 * players are swapped on every second board. In the next round, they are swapped on the
 * other boards. */
static bool draw_swiss(const struct evening *evening, const int *seed,
                       struct evening_draw *out)
{
    struct swiss swiss = {.evening = evening, .out = out};
    struct rank rank[EVENING_PLAYERS_MAX];
    int wins[EVENING_PLAYERS_MAX];

    evening_table_wins(evening, wins);
    for (int i = 0; i < evening->players; i++)
        if (evening->player[i].is_here)
            rank[swiss.count++] = (struct rank){
                .number = i + 1, .wins = wins[i], .seed = seed != NULL ? seed[i] : 0};
    qsort(rank, (size_t)swiss.count, sizeof *rank, compare_ranks);
    for (int i = 0; i < swiss.count; i++)
        swiss.order[i] = rank[i].number;
    for (int i = 0; i < evening->pairs; i++) {
        const struct evening_pair *pair = &evening->pair[i];

        if (evening_was_played(pair) || pair->result == EVENING_UNDECIDED ||
            pair->result == EVENING_NO_RESULT) {
            swiss.met[pair->first][pair->second]++;
            swiss.met[pair->second][pair->first]++;
        }
    }
    if (swiss.count < 2)
        return false;
    for (; swiss.met_max <= EVENING_ROUNDS_MAX; swiss.met_max++) {
        memset(swiss.is_taken, 0, sizeof swiss.is_taken);
        if (swiss.count % 2 == 0 ? pair_all(&swiss)
                                 : pair_with_bye(&swiss, swiss.met_max))
            break;
    }
    for (int i = 0; i < out->pairs; i++) {
        int first = out->pair[i].first, second = out->pair[i].second;
        int last_first, last_second, difference;

        if (second == 0)
            continue;
        difference = count_firsts(evening, first, &last_first) -
                     count_firsts(evening, second, &last_second);
        if (difference > 0 || (difference == 0 && last_first > last_second) ||
            (difference == 0 && last_first == last_second &&
             (i + evening->round) % 2 != 0)) {
            out->pair[i].first = second;
            out->pair[i].second = first;
        }
    }
    return true;
}

bool evening_draw_round(const struct evening *evening, const int *seed,
                        struct evening_draw *out)
{
    *out = (struct evening_draw){0};
    if (evening->system == EVENING_ROUND_ROBIN)
        return draw_circle(evening, out);
    return draw_swiss(evening, seed, out);
}

/* --- Pairings by hand --- */

const char *evening_draw_judge(const struct evening *evening,
                               const struct evening_draw *draw)
{
    bool is_paired[EVENING_PLAYERS_MAX + 1] = {false};
    int byes = 0, players = 0;

    for (int i = 0; i < draw->pairs; i++) {
        int pair[2] = {draw->pair[i].first, draw->pair[i].second};

        byes += pair[1] == 0;
        for (int j = 0; j < 2; j++) {
            if (pair[j] == 0)
                continue;
            if (evening_player(evening, pair[j]) == NULL ||
                !evening->player[pair[j] - 1].is_here)
                return "it pairs a player who is not here";
            if (is_paired[pair[j]])
                return "it pairs a player twice";
            is_paired[pair[j]] = true;
            players++;
        }
    }
    if (players != evening_count_here(evening))
        return "it leaves a player out";
    if (byes > 1)
        return "it has more than one bye";
    return NULL;
}

const char *evening_draw_parse(const struct evening *evening, const char *text,
                               struct evening_draw *out)
{
    int first, second, len;

    *out = (struct evening_draw){0};
    for (; *text != '\0'; text += len) {
        if (sscanf(text, "%4d-%4d%n", &first, &second, &len) != 2 || first < 0 ||
            second < 0 || first + second == 0 || first > evening->players ||
            second > evening->players || out->pairs == EVENING_BOARDS_MAX ||
            (text[len] != ' ' && text[len] != '\0'))
            return "pairs are numbers of the table, such as 1-4 3-2 5-0";
        add(out, first != 0 ? first : second, first != 0 ? second : 0);
        len += (int)strspn(text + len, " ");
    }
    move_byes_to_end(out);
    return NULL;
}

void evening_draw_format(char out[EVENING_EVENT_BYTES], const struct evening *evening,
                         const struct evening_draw *draw)
{
    struct text text = text_into(out, EVENING_EVENT_BYTES);

    text_addf(&text, "round %d", evening->round + 1);
    for (int i = 0; i < draw->pairs; i++)
        text_addf(&text, " %d-%d", draw->pair[i].first, draw->pair[i].second);
}
