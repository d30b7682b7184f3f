/* See evening.h. */
#include "common/evening/evening.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

static const char *const system_names[] = {
    [EVENING_ROUND_ROBIN] = "rr", [EVENING_SWISS] = "swiss"};
static const char *const score_names[] = {
    [EVENING_BY_WINS] = "wins", [EVENING_BY_7421] = "7421"};
static const char *const phase_names[] = {
    [EVENING_OPEN] = "open", [EVENING_PLAYING] = "playing", [EVENING_OVER] = "over"};

const char *evening_system_name(enum evening_system system)
{
    return system_names[system];
}

const char *evening_score_name(enum evening_score score)
{
    return score_names[score];
}

const char *evening_phase_name(enum evening_phase phase)
{
    return phase_names[phase];
}

bool evening_system_parse(const char *word, enum evening_system *out)
{
    int found = text_find_word(system_names, ARRAY_LEN(system_names), word);

    if (found >= 0)
        *out = (enum evening_system)found;
    return found >= 0;
}

bool evening_score_parse(const char *word, enum evening_score *out)
{
    int found = text_find_word(score_names, ARRAY_LEN(score_names), word);

    if (found >= 0)
        *out = (enum evening_score)found;
    return found >= 0;
}

const char *evening_result_name(enum evening_result result)
{
    static const char *const names[] = {[EVENING_UNDECIDED] = "",
                                        [EVENING_FIRST_WON] = "first",
                                        [EVENING_SECOND_WON] = "second",
                                        [EVENING_DRAWN] = "draw",
                                        [EVENING_NO_RESULT] = "none",
                                        [EVENING_SECOND_MISSED] = "first",
                                        [EVENING_FIRST_MISSED] = "second",
                                        [EVENING_BOTH_MISSED] = "none",
                                        [EVENING_BYE] = "first"};

    return names[result];
}

void evening_points_format(char out[EVENING_POINTS_BYTES], int halves)
{
    struct text text = text_into(out, EVENING_POINTS_BYTES);
    int size = halves < 0 ? -halves : halves;

    text_addf(&text, "%s%d%s", halves < 0 ? "-" : "", size / 2,
              size % 2 != 0 ? ".5" : "");
}

/* --- Looking --- */

const struct evening_player *evening_player(const struct evening *evening, int number)
{
    return number >= 1 && number <= evening->players ? &evening->player[number - 1]
                                                     : NULL;
}

int evening_find(const struct evening *evening, const char *name)
{
    char wanted[EVENING_PLAYER_BYTES], found[EVENING_PLAYER_BYTES];

    utf8_fold_name(wanted, name);
    for (int i = 0; i < evening->players && wanted[0] != '\0'; i++) {
        utf8_fold_name(found, evening->player[i].name);
        if (strcmp(wanted, found) == 0)
            return i + 1;
    }
    return 0;
}

static struct evening_pair *find_board(const struct evening *evening, int round,
                                       int board)
{
    for (int i = evening->pairs - 1; i >= 0; i--)
        if (evening->pair[i].round == round && evening->pair[i].board == board)
            return &evening->pair[i];
    return NULL;
}

const struct evening_pair *evening_board(const struct evening *evening, int round,
                                         int board)
{
    return find_board(evening, round, board);
}

const struct evening_pair *evening_board_of_game(const struct evening *evening,
                                                 int64_t game)
{
    for (int i = evening->pairs - 1; i >= 0 && game != 0; i--)
        if (evening->pair[i].game == game)
            return &evening->pair[i];
    return NULL;
}

const struct evening_pair *evening_pair_of(const struct evening *evening, int round,
                                           int number)
{
    for (int i = evening->pairs - 1; i >= 0; i--) {
        const struct evening_pair *pair = &evening->pair[i];

        if (pair->round == round && (pair->first == number || pair->second == number))
            return pair;
    }
    return NULL;
}

int evening_count_here(const struct evening *evening)
{
    int count = 0;

    for (int i = 0; i < evening->players; i++)
        count += evening->player[i].is_here;
    return count;
}

int evening_count_undecided(const struct evening *evening)
{
    int count = 0;

    for (int i = evening->pairs - 1; i >= 0; i--)
        count += evening->pair[i].round == evening->round &&
                 evening->pair[i].result == EVENING_UNDECIDED;
    return count;
}

bool evening_is_complete(const struct evening *evening)
{
    return evening->round > 0 && evening->round >= evening->rounds &&
           evening_count_undecided(evening) == 0;
}

/* --- Points --- */

bool evening_was_played(const struct evening_pair *pair)
{
    return pair->result == EVENING_FIRST_WON || pair->result == EVENING_SECOND_WON ||
           pair->result == EVENING_DRAWN;
}

int evening_halves(const struct evening_pair *pair, bool is_first)
{
    static const int halves[][2] = {
        /* {half points of the second player, half points of the first player} */
        [EVENING_FIRST_WON] = {0, 2},     [EVENING_SECOND_WON] = {2, 0},
        [EVENING_DRAWN] = {1, 1},         [EVENING_NO_RESULT] = {0, 0},
        [EVENING_SECOND_MISSED] = {0, 2}, [EVENING_FIRST_MISSED] = {2, 0},
        [EVENING_BOTH_MISSED] = {0, 0},   [EVENING_BYE] = {0, 2},
    };

    return halves[pair->result][is_first];
}

int evening_table_halves(const struct evening *evening, const struct evening_pair *pair,
                         bool is_first)
{
    enum { WIN = 14, WIN_BY_POINTS = 8, DRAW = 6, LOSS_BY_POINTS = 4 };
    int halves = evening_halves(pair, is_first);
    /* the values of the pieces may have decided, and not mate, time or a resignation */
    bool is_by_points =
        pair->reason == REASON_BIKJANG || pair->reason == REASON_DOUBLE_PASS ||
        pair->reason == REASON_REPETITION || pair->reason == REASON_NO_CAPTURE ||
        pair->reason == REASON_AGREEMENT;
    bool is_close = evening_was_played(pair) && is_by_points;

    if (evening->score == EVENING_BY_WINS)
        return halves;
    if (halves == 1)
        return DRAW;
    if (halves == 2)
        return is_close ? WIN_BY_POINTS : WIN;
    return is_close ? LOSS_BY_POINTS : 0;
}

/* --- Words of an event --- */

enum { WORDS_MAX = EVENING_BOARDS_MAX + 4 };

struct words {
    char text[EVENING_EVENT_BYTES];
    int count;
    char *word[WORDS_MAX];
};

/* Returns the number in word `i` of an event; word 0 is its kind. Returns lo - 1 if the
 * word is missing or is not a number from `lo` to `hi`. */
static int number_at(const struct words *words, int i, int lo, int hi)
{
    int number;

    return i < words->count && text_to_int32(words->word[i], lo, hi, &number) ? number
                                                                              : lo - 1;
}

/* --- new --- */

/* Sets one key=value of a new evening, and skips unknown keys. Returns false if the
 * value is not valid. */
static bool set_key(struct evening *evening, const char *key, const char *value)
{
    if (strcmp(key, "maker") == 0)
        return text_copy(evening->maker, sizeof evening->maker, value);
    if (strcmp(key, "account") == 0)
        return text_to_int(value, 0, INT64_MAX, &evening->maker_account);
    if (strcmp(key, "system") == 0)
        return evening_system_parse(value, &evening->system);
    if (strcmp(key, "score") == 0)
        return evening_score_parse(value, &evening->score);
    if (strcmp(key, "time") == 0)
        return text_copy(evening->time, sizeof evening->time, value);
    if (strcmp(key, "rules") == 0)
        return text_copy(evening->rules, sizeof evening->rules, value);
    if (strcmp(key, "pairs") == 0) {
        evening->is_by_hand = strcmp(value, "hand") == 0;
        return evening->is_by_hand || strcmp(value, "auto") == 0;
    }
    if (strcmp(key, "rated") == 0) {
        evening->is_rated = strcmp(value, "yes") == 0;
        return evening->is_rated || strcmp(value, "no") == 0;
    }
    if (strcmp(key, "first") == 0) {
        evening->first = side_parse(value);
        return evening->first != SIDE_NONE;
    }
    if (strcmp(key, "noshow_s") == 0)
        return text_to_int(value, 0, INT32_MAX, &evening->noshow_s);
    if (strcmp(key, "shown_s") == 0)
        return text_to_int(value, 0, INT32_MAX, &evening->shown_s);
    if (strcmp(key, "at_s") == 0)
        return text_to_int(value, 0, INT64_MAX, &evening->at_s);
    return strcmp(key, "rounds") != 0 ||
           text_to_int32(value, 1, EVENING_ROUNDS_MAX, &evening->rounds);
}

static bool apply_new(struct evening *evening, const struct words *words)
{
    struct evening made = {.rounds = 1,
                           .first = SIDE_RED,
                           .system = EVENING_SWISS,
                           .noshow_s = 300,
                           .shown_s = 60};

    if (evening->events > 0 || words->count < 2 ||
        !text_copy(made.name, sizeof made.name, words->word[1]))
        return false;
    for (int i = 2; i < words->count; i++) {
        char *value = strchr(words->word[i], '=');

        if (value == NULL)
            return false;
        *value = '\0';
        if (!set_key(&made, words->word[i], value + 1))
            return false;
    }
    *evening = made;
    return true;
}

void evening_format_new(char out[EVENING_EVENT_BYTES], const struct evening *evening)
{
    struct text text = text_into(out, EVENING_EVENT_BYTES);

    text_addf(&text, "new %s maker=%s system=%s rounds=%d score=%s time=%s rules=%s",
              evening->name, evening->maker, evening_system_name(evening->system),
              evening->rounds, evening_score_name(evening->score), evening->time,
              evening->rules);
    text_addf(&text, " first=%s noshow_s=%lld shown_s=%lld pairs=%s",
              side_name(evening->first), (long long)evening->noshow_s,
              (long long)evening->shown_s, evening->is_by_hand ? "hand" : "auto");
    if (evening->at_s != 0)
        text_addf(&text, " at_s=%lld", (long long)evening->at_s);
    if (evening->maker_account != 0)
        text_addf(&text, " account=%lld", (long long)evening->maker_account);
    if (evening->is_rated)
        text_add(&text, " rated=yes");
}

/* --- join --- */

static bool apply_join(struct evening *evening, const struct words *words)
{
    int number = number_at(words, 1, 1, evening->players + 1);
    const struct evening_pair *pair;
    struct evening_player *player;

    if (number == 0 || words->count < 3)
        return false;
    if (number > evening->players) {
        struct evening_player fresh = {.is_here = true};

        if (evening->players == EVENING_PLAYERS_MAX ||
            !text_copy(fresh.name, sizeof fresh.name, words->word[2]))
            return false;
        evening->player = mem_resize(evening->player, (size_t)evening->players + 1,
                                     sizeof *evening->player);
        evening->player[evening->players++] = fresh;
        return true;
    }
    player = &evening->player[number - 1];
    if (player->is_here)
        return false;
    player->is_here = true;
    player->missed = 0;
    player->forgiven_round = evening->round;
    pair = evening_pair_of(evening, evening->round, number);
    if (pair != NULL && pair->result == EVENING_UNDECIDED)
        player->forgiven_round--;
    return true;
}

/* --- round, game, result, miss, adjust --- */

static bool has_player(const struct evening_pair *pair, int count, int number)
{
    for (int i = 0; i < count; i++)
        if (pair[i].first == number || pair[i].second == number)
            return true;
    return false;
}

static bool apply_round(struct evening *evening, const struct words *words)
{
    struct evening_pair pair[EVENING_BOARDS_MAX];
    int count = words->count - 2;

    if (number_at(words, 1, 1, EVENING_ROUNDS_MAX) != evening->round + 1 || count < 1 ||
        count > EVENING_BOARDS_MAX || evening_count_undecided(evening) > 0)
        return false;
    for (int i = 0; i < count; i++) {
        char *first = words->word[i + 2], *dash = strchr(first, '-');

        pair[i] = (struct evening_pair){.round = evening->round + 1, .board = i + 1};
        if (dash == NULL)
            return false;
        *dash = '\0';
        if (!text_to_int32(first, 1, evening->players, &pair[i].first) ||
            !text_to_int32(dash + 1, 0, evening->players, &pair[i].second) ||
            pair[i].first == pair[i].second || has_player(pair, i, pair[i].first) ||
            (pair[i].second != 0 && has_player(pair, i, pair[i].second)))
            return false;
        pair[i].result = pair[i].second == 0 ? EVENING_BYE : EVENING_UNDECIDED;
    }
    evening->pair = mem_resize(evening->pair, (size_t)(evening->pairs + count),
                               sizeof *evening->pair);
    memcpy(evening->pair + evening->pairs, pair, (size_t)count * sizeof *pair);
    evening->pairs += count;
    evening->round++;
    evening->is_paused = false;
    evening->phase = EVENING_PLAYING;
    if (evening->round == 1 && evening->system == EVENING_ROUND_ROBIN) {
        int players = 2 * count - (pair[count - 1].second == 0);

        evening->rounds = players % 2 == 0 ? players - 1 : players;
    }
    return true;
}

static bool apply_game(struct evening *evening, const struct words *words)
{
    int board = number_at(words, 1, 1, EVENING_BOARDS_MAX);
    struct evening_pair *pair = find_board(evening, evening->round, board);

    return pair != NULL && pair->result == EVENING_UNDECIDED && words->count >= 3 &&
           text_to_int(words->word[2], 1, INT64_MAX, &pair->game);
}

/* Adds `sign`, +1 or -1, to the number of missed rounds of each player who missed the
 * game of this pair. */
static void count_missed(struct evening *evening, const struct evening_pair *pair,
                         int sign)
{
    bool has[2] = {
        pair->result == EVENING_FIRST_MISSED || pair->result == EVENING_BOTH_MISSED,
        pair->result == EVENING_SECOND_MISSED || pair->result == EVENING_BOTH_MISSED};

    for (int i = 0; i < 2; i++) {
        int number = i == 0 ? pair->first : pair->second;
        struct evening_player *player = &evening->player[number - 1];

        if (!has[i])
            continue;
        player->missed_ever += sign;
        if (pair->round > player->forgiven_round)
            player->missed += sign;
    }
}

static void decide(struct evening *evening, struct evening_pair *pair,
                   enum evening_result result, enum reason reason)
{
    count_missed(evening, pair, -1);
    pair->result = result;
    pair->reason = reason;
    count_missed(evening, pair, +1);
}

/* Returns the pair that an event names. Word 1 of the event is the number of the round,
 * and word 2 is the number of the board. Returns NULL if there is no such pair, if it
 * is a bye, or if the event has fewer than four words. */
static struct evening_pair *named_pair(const struct evening *evening,
                                       const struct words *words)
{
    int round = number_at(words, 1, 1, EVENING_ROUNDS_MAX);
    int board = number_at(words, 2, 1, EVENING_BOARDS_MAX);
    struct evening_pair *pair = find_board(evening, round, board);

    return pair != NULL && pair->second != 0 && words->count >= 4 ? pair : NULL;
}

static bool apply_result(struct evening *evening, const struct words *words)
{
    static const char *const names[] = {"first", "second", "draw", "none"};
    struct evening_pair *pair = named_pair(evening, words);
    int found =
        pair != NULL ? text_find_word(names, ARRAY_LEN(names), words->word[3]) : -1;
    enum reason reason = REASON_HOST;

    if (found < 0 || (words->count > 4 && !reason_parse(words->word[4], &reason)))
        return false;
    decide(evening, pair, EVENING_FIRST_WON + (enum evening_result)found, reason);
    return true;
}

static bool apply_miss(struct evening *evening, const struct words *words)
{
    static const char *const names[] = {"second", "first", "both"};
    struct evening_pair *pair = named_pair(evening, words);
    int found =
        pair != NULL ? text_find_word(names, ARRAY_LEN(names), words->word[3]) : -1;

    if (found < 0)
        return false;
    decide(evening, pair, EVENING_SECOND_MISSED + (enum evening_result)found,
           REASON_ABSENCE);
    return true;
}

static bool apply_adjust(struct evening *evening, const struct words *words)
{
    enum { ADJUST_MAX = 2000 };
    int number = number_at(words, 1, 1, evening->players);
    int halves;
    struct evening_player *player;

    if (number == 0 || words->count < 3 ||
        !text_to_int32(words->word[2], -ADJUST_MAX, ADJUST_MAX, &halves))
        return false;
    player = &evening->player[number - 1];
    if (abs(player->adjusted_halves + halves) > ADJUST_MAX)
        return false;
    player->adjusted_halves += halves;
    return true;
}

/* leave, pause, end */
static bool apply_state(struct evening *evening, const struct words *words)
{
    int number;

    if (strcmp(words->word[0], "pause") == 0) {
        evening->is_paused = true;
    } else if (strcmp(words->word[0], "end") == 0) {
        evening->phase = EVENING_OVER;
    } else {
        number = number_at(words, 1, 1, evening->players);
        if (number == 0 || !evening->player[number - 1].is_here)
            return false;
        evening->player[number - 1].is_here = false;
    }
    return true;
}

/* --- Folding --- */

static const struct {
    const char *kind;
    bool (*apply)(struct evening *evening, const struct words *words);
    bool is_late; /* the event is also allowed after the event "end" */
} kinds[] = {{"new", apply_new, false},     {"join", apply_join, false},
             {"leave", apply_state, false}, {"round", apply_round, false},
             {"game", apply_game, false},   {"result", apply_result, true},
             {"miss", apply_miss, true},    {"adjust", apply_adjust, true},
             {"pause", apply_state, false}, {"end", apply_state, false}};

bool evening_apply(struct evening *evening, const char *text)
{
    struct words words = {.count = 0};
    char *at = words.text, *word;
    int events = evening->events;

    if (!text_copy(words.text, sizeof words.text, text))
        return false;
    while ((word = strsep(&at, " ")) != NULL)
        if (word[0] != '\0' && words.count < WORDS_MAX)
            words.word[words.count++] = word;
    if (words.count == 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strcmp(words.word[0], kinds[i].kind) != 0)
            continue;
        if ((events == 0) != (i == 0) ||
            (evening->phase == EVENING_OVER && !kinds[i].is_late) ||
            !kinds[i].apply(evening, &words))
            return false;
        break;
    }
    if (events == 0 && evening->name[0] == '\0')
        return false; /* the first event must be "new" */
    evening->events = events + 1;
    return true;
}

void evening_clear(struct evening *evening)
{
    free(evening->player);
    free(evening->pair);
    *evening = (struct evening){0};
}
