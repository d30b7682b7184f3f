/* See manners.h. */
#include "common/game/manners.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/rules.h"

/* A key and the words that are possible as its value. The first word is the usual
 * value. `member` is the offset of a member of struct manners. This member has one
 * byte, and stores the index of the chosen word. */
enum { WORDS_MOST = 3 };
static const struct choice {
    const char *key;
    size_t member;
    const char *word[WORDS_MOST];
} choices[] = {
    {"private", offsetof(struct manners, is_private), {"no", "yes"}},
    {"takebacks", offsetof(struct manners, bars_takebacks), {"ask", "no"}},
    {"talk", offsetof(struct manners, bars_talk), {"yes", "no"}},
    {"lag", offsetof(struct manners, bars_lag), {"yes", "no"}},
    {"watchers", offsetof(struct manners, watchers), {"all", "members", "none"}},
    {"rated", offsetof(struct manners, is_rated), {"no", "yes"}},
    {"sealed", offsetof(struct manners, is_sealed), {"no", "yes"}},
};
static_assert(sizeof(bool) == 1, "a choice is stored in one byte");

static enum manners_set set_choice(struct manners *manners, const struct choice *choice,
                                   const char *value)
{
    int found = text_find_word(choice->word, WORDS_MOST, value);

    if (found < 0)
        return MANNERS_BAD;
    ((uint8_t *)manners)[choice->member] = (uint8_t)found;
    return MANNERS_SET;
}

/* Sets the agreed line-ups from "NBNB/NBBN": first Red's, then Blue's. */
static enum manners_set set_setup(struct manners *manners, const char *value)
{
    char names[] = "NBNB/NBNB";
    enum lineup red, blue;

    manners->has_setup = false;
    manners->setup[SIDE_RED] = manners->setup[SIDE_BLUE] = 0;
    if (strcmp(value, "none") == 0)
        return MANNERS_SET;
    if (!text_copy(names, sizeof names, value) || strlen(value) != sizeof names - 1 ||
        names[4] != '/')
        return MANNERS_BAD;
    names[4] = '\0';
    if (!lineup_parse(names, &red) || !lineup_parse(names + 5, &blue))
        return MANNERS_BAD;
    manners->has_setup = true;
    manners->setup[SIDE_RED] = (uint8_t)red;
    manners->setup[SIDE_BLUE] = (uint8_t)blue;
    return MANNERS_SET;
}

static enum manners_set set_delay(struct manners *manners, const char *value)
{
    int64_t plies;

    if (!text_to_int(value, 0, DELAY_PLIES_MOST, &plies))
        return MANNERS_BAD;
    manners->delay_plies = (uint8_t)plies;
    return MANNERS_SET;
}

/* Sets claim_s: how long a player must be absent before the opponent may claim the
 * result. value: a time such as "90s", "none" (the opponent may never claim it) or
 * "usual" (the server's setting applies). */
static enum manners_set set_claim(struct manners *manners, const char *value)
{
    char digits[] = "600";
    int64_t seconds = 0;
    size_t len = strcspn(value, "s");

    if (strcmp(value, "none") == 0)
        seconds = CLAIM_NONE;
    else if (strcmp(value, "usual") != 0) {
        if (!text_cut(digits, sizeof digits, value, len) ||
            strcmp(value + len, "s") != 0 ||
            !text_to_int(digits, CLAIM_S_LEAST, CLAIM_S_MOST, &seconds))
            return MANNERS_BAD;
    }
    manners->claim_s = (uint16_t)seconds;
    return MANNERS_SET;
}

/* The letters of the kinds, in the order of enum kind. There is a space in place of the
 * king's letter, because a side cannot begin without its king. */
static const char letters[] = " rnbg cp";
static const uint8_t pieces_most[KINDS] = {0, 2, 2, 2, 2, 0, 2, 5};

/* Sets the handicap. "red:rn": Red begins without a rook and a knight. */
static enum manners_set set_handicap(struct manners *manners, const char *value)
{
    manners->has_odds = false;
    manners->odds_side = 0;
    memset(manners->odds, 0, sizeof manners->odds);
    if (strcmp(value, "none") == 0)
        return MANNERS_SET;
    manners->odds_side = strncmp(value, "blue:", 5) == 0 ? SIDE_BLUE : SIDE_RED;
    if (manners->odds_side == SIDE_RED && strncmp(value, "red:", 4) != 0)
        return MANNERS_BAD;
    for (value = strchr(value, ':') + 1; *value != '\0'; value++) {
        const char *letter = strchr(letters, *value);

        if (letter == NULL || *value == ' ' ||
            manners->odds[letter - letters]++ == pieces_most[letter - letters])
            return MANNERS_BAD;
        manners->has_odds = true;
    }
    return manners->has_odds ? MANNERS_SET : MANNERS_BAD;
}

enum manners_set manners_set(struct manners *manners, const char *key,
                             const char *value)
{
    for (size_t i = 0; i < ARRAY_LEN(choices); i++)
        if (strcmp(key, choices[i].key) == 0)
            return set_choice(manners, &choices[i], value);
    if (strcmp(key, "delay") == 0)
        return set_delay(manners, value);
    if (strcmp(key, "claim") == 0)
        return set_claim(manners, value);
    if (strcmp(key, "setup") == 0)
        return set_setup(manners, value);
    if (strcmp(key, "handicap") == 0)
        return set_handicap(manners, value);
    return MANNERS_UNKNOWN;
}

void manners_format(char out[MANNERS_BYTES], const struct manners *manners)
{
    struct text text = text_into(out, MANNERS_BYTES);

    for (size_t i = 0; i < ARRAY_LEN(choices); i++) {
        uint8_t value = ((const uint8_t *)manners)[choices[i].member];

        if (value != 0)
            text_addf(&text, " %s=%s", choices[i].key, choices[i].word[value]);
    }
    if (manners->delay_plies != 0)
        text_addf(&text, " delay=%d", manners->delay_plies);
    if (manners->claim_s == CLAIM_NONE)
        text_add(&text, " claim=none");
    else if (manners->claim_s != 0)
        text_addf(&text, " claim=%ds", manners->claim_s);
    if (manners->has_setup)
        text_addf(&text, " setup=%s/%s",
                  lineup_name((enum lineup)manners->setup[SIDE_RED]),
                  lineup_name((enum lineup)manners->setup[SIDE_BLUE]));
    if (manners->has_odds)
        text_addf(&text, " handicap=%s:", side_name((enum side)manners->odds_side));
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < manners->odds[kind]; i++)
            text_addf(&text, "%c", letters[kind]);
}

/* Takes one piece of `side` off the board: the leftmost piece of the kind `kind`, as
 * `side` sees the board. */
static void take_leftmost(struct position *position, enum side side, enum kind kind)
{
    for (int file = 0; file < BOARD_FILES; file++)
        for (int row = 0; row < BOARD_ROWS; row++) {
            int at = point_at(side == SIDE_RED ? file : BOARD_FILES - 1 - file, row);

            if (position_kind(position, at) == kind &&
                position_side(position, at) == side) {
                position_take_off(position, at);
                return;
            }
        }
}

bool manners_handicap(const struct manners *manners, const struct ruleset *rules,
                      struct position *out)
{
    if (!manners->has_odds || !manners->has_setup)
        return false;
    position_set_up(out, (enum lineup)manners->setup[SIDE_RED],
                    (enum lineup)manners->setup[SIDE_BLUE], ruleset_first_mover(rules));
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < manners->odds[kind]; i++)
            take_leftmost(out, (enum side)manners->odds_side, (enum kind)kind);
    return true;
}

const char *manners_watchers_name(const struct manners *manners)
{
    static const char *const names[] = {"all", "members", "none"};

    return names[manners->watchers];
}

bool manners_is_same(const struct manners *a, const struct manners *b)
{
    char a_text[MANNERS_BYTES], b_text[MANNERS_BYTES];

    manners_format(a_text, a);
    manners_format(b_text, b);
    return strcmp(a_text, b_text) == 0;
}
