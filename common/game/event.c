/* See event.h. */
#include "common/game/event.h"

#include <assert.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"

/* Upper limit of the time on a clock: a year. No clock can show more, even with the
 * longest main time and increment. */
static const int64_t left_most_ms = INT64_C(1000) * 60 * 60 * 24 * 365;
enum { PERIODS_MOST = 10, PLIES_MOST = 100000 };

/* --- Reading --- */

/* A line that next_word() reads word by word. */
struct words {
    const char *rest;
    char word[EVENT_BYTES]; /* the word that was read last */
    char *value;            /* points into word, after its '='; NULL without '=' */
};

/* Reads the next word and splits it at '='. A value may be quoted; the quotes are
 * removed, and only a quoted value may contain spaces. False at the end of the line or
 * on a syntax error. */
static bool next_word(struct words *words)
{
    size_t len = 0;
    bool is_quoted = false;

    words->value = NULL;
    words->rest += strspn(words->rest, " ");
    for (; *words->rest != '\0' && (is_quoted || *words->rest != ' '); words->rest++) {
        char c = *words->rest;

        if ((unsigned char)c < ' ' || len == sizeof words->word - 1)
            return false;
        if (c == '"') {
            if (!is_quoted && (words->value == NULL || words->value[0] != '\0'))
                return false; /* quotes must enclose the whole value */
            is_quoted = !is_quoted;
            if (!is_quoted && words->rest[1] != ' ' && words->rest[1] != '\0')
                return false;
            continue;
        }
        words->word[len++] = c;
        words->word[len] = '\0';
        if (c == '=' && words->value == NULL) {
            words->word[len - 1] = '\0';
            words->value = words->word + len;
        }
    }
    words->word[len] = '\0';
    return words->word[0] != '\0' && !is_quoted;
}

static bool is_at_end(const struct words *words)
{
    return words->rest[strspn(words->rest, " ")] == '\0';
}

/* Reads a word that has no '='. */
static bool next_plain(struct words *words)
{
    return next_word(words) && words->value == NULL;
}

static bool next_side(struct words *words, enum side *out)
{
    if (!next_plain(words))
        return false;
    *out = side_parse(words->word);
    return *out != SIDE_NONE;
}

/* Parses a number from lo to hi; lo is at least 0. Accepts a number only as the
 * functions below write it: without leading zeros and without a minus sign. */
static bool take_number(const char *word, int64_t lo, int64_t hi, int64_t *out)
{
    return word[0] != '-' && (word[0] != '0' || word[1] == '\0') &&
           text_to_int(word, lo, hi, out);
}

static bool take_small_number(const char *word, int lo, int hi, int *out)
{
    int64_t number;

    if (!take_number(word, lo, hi, &number))
        return false;
    *out = (int)number;
    return true;
}

static bool next_ply(struct words *words, int lo, int *out)
{
    return next_plain(words) && take_small_number(words->word, lo, PLIES_MOST, out);
}

/* Stores the value of a key in event. Ignores a key that this kind of event does not
 * have. Returns false for a bad value. */
typedef bool take_key(struct event *event, const char *key, const char *value);

/* Reads the rest of the line as key=value words. take: NULL if this kind of event has
 * no keys. */
static bool read_keys(struct words *words, struct event *event, take_key *take)
{
    while (!is_at_end(words))
        if (!next_word(words) || words->value == NULL ||
            (take != NULL && !take(event, words->word, words->value)))
            return false;
    return true;
}

/* Copies a name. A name is not quoted in a line, so it must not contain a space. */
static bool take_name(char name[EVENT_NAME_BYTES], const char *value)
{
    return strchr(value, ' ') == NULL && text_copy(name, EVENT_NAME_BYTES, value);
}

static bool take_start_key(struct event *event, const char *key, const char *value)
{
    if (strcmp(key, "red") == 0)
        return take_name(event->name[SIDE_RED], value);
    if (strcmp(key, "blue") == 0)
        return take_name(event->name[SIDE_BLUE], value);
    if (strcmp(key, "time") == 0) {
        event->has_times = true;
        return time_terms_parse(value, &event->terms);
    }
    if (strcmp(key, "rules") == 0) {
        event->rules = ruleset_find(value);
        return event->rules != NULL;
    }
    if (strcmp(key, "position") == 0) {
        event->has_position = true;
        return position_parse(value, &event->position, NULL);
    }
    return manners_set(&event->manners, key, value) != MANNERS_BAD;
}

static bool read_start(struct words *words, struct event *event)
{
    bool is_whole =
        read_keys(words, event, take_start_key) && event->name[SIDE_RED][0] != '\0' &&
        event->name[SIDE_BLUE][0] != '\0' && event->rules != NULL && event->has_times;

    event->has_times = false; /* take_start_key() set it only to show that time= was
                               * there */
    return is_whole;
}

static bool read_setup(struct words *words, struct event *event)
{
    return next_side(words, &event->side) && next_plain(words) &&
           lineup_parse(words->word, &event->lineup) &&
           strcmp(words->word, lineup_name(event->lineup)) == 0 &&
           read_keys(words, event, NULL);
}

/* The value of a time before the keys of an event are read. The text of an event cannot
 * contain -1. So if a time is still -1 after reading, the event does not have this
 * time. */
static const struct time_left no_time = {.main_ms = -1, .periods = -1};

static bool take_times_key(struct event *event, const char *key, const char *value)
{
    static const struct {
        const char *key;
        enum side side;
        bool is_periods;
    } keys[] = {{"red_ms", SIDE_RED, false},
                {"blue_ms", SIDE_BLUE, false},
                {"red_periods", SIDE_RED, true},
                {"blue_periods", SIDE_BLUE, true}};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct time_left *left = &event->left[keys[i].side];

        if (strcmp(key, keys[i].key) == 0)
            return keys[i].is_periods
                       ? take_small_number(value, 0, PERIODS_MOST, &left->periods)
                       : take_number(value, 0, left_most_ms, &left->main_ms);
    }
    return true;
}

/* Checks that both sides have times or neither has, and that there are no periods
 * without times. Sets has_times, and sets missing times to 0. */
static bool settle_times(struct event *event)
{
    const struct time_left *red = &event->left[SIDE_RED],
                           *blue = &event->left[SIDE_BLUE];

    if ((red->main_ms < 0) != (blue->main_ms < 0) ||
        (red->periods < 0) != (blue->periods < 0))
        return false;
    event->has_times = red->main_ms >= 0;
    if (!event->has_times && red->periods >= 0)
        return false;
    for (int side = 0; side < SIDES; side++) {
        struct time_left *left = &event->left[side];

        left->main_ms = left->main_ms < 0 ? 0 : left->main_ms;
        left->periods = left->periods < 0 ? 0 : left->periods;
    }
    return true;
}

static bool read_times(struct words *words, struct event *event, take_key *take)
{
    event->left[SIDE_RED] = event->left[SIDE_BLUE] = no_time;
    return read_keys(words, event, take) && settle_times(event);
}

/* Reads the text of a move. Accepts only the spelling of move_format(), so that each
 * move has only one spelling in a stored game. */
static bool next_move(struct words *words, struct move *out)
{
    char text[MOVE_BYTES];

    if (!next_plain(words) || !move_parse(words->word, out, NULL))
        return false;
    move_format(text, *out);
    return strcmp(text, words->word) == 0;
}

static bool take_move_key(struct event *event, const char *key, const char *value)
{
    if (strcmp(key, "lag_ms") == 0)
        return take_small_number(value, 0, CLOCK_LAG_MS_MOST, &event->lag_ms);
    return take_times_key(event, key, value);
}

/* Reads a move event. It may have lag_ms= only in a timed game. */
static bool read_move(struct words *words, struct event *event)
{
    return next_ply(words, 1, &event->ply) && next_side(words, &event->side) &&
           next_move(words, &event->move) && read_times(words, event, take_move_key) &&
           (event->lag_ms == 0 || event->has_times);
}

static bool read_takeback(struct words *words, struct event *event)
{
    return next_ply(words, 0, &event->ply) && read_times(words, event, take_times_key);
}

static bool take_adjourn_key(struct event *event, const char *key, const char *value)
{
    if (strcmp(key, "used_ms") == 0)
        return take_number(value, 0, left_most_ms, &event->used_ms);
    return take_times_key(event, key, value);
}

/* Reads an adjournment. used_ms is possible only in a game with periods. */
static bool read_adjourn(struct words *words, struct event *event)
{
    return read_times(words, event, take_adjourn_key) &&
           (event->used_ms == 0 || event->left[SIDE_RED].periods > 0 ||
            event->left[SIDE_BLUE].periods > 0);
}

static bool read_continue(struct words *words, struct event *event)
{
    return read_keys(words, event, NULL);
}

/* Stores the value of by=, and ignores other keys. A line may lack by=, because games
 * stored by version 0.1 do not have it. */
static bool take_end_key(struct event *event, const char *key, const char *value)
{
    if (strcmp(key, "by") == 0)
        event->side = side_parse(value);
    return strcmp(key, "by") != 0 || event->side != SIDE_NONE;
}

static bool read_end(struct words *words, struct event *event)
{
    event->side = SIDE_NONE;
    return next_plain(words) && outcome_parse(words->word, &event->outcome) &&
           next_plain(words) && reason_parse(words->word, &event->reason) &&
           read_keys(words, event, take_end_key);
}

/* --- Writing --- */

static void write_start(struct text *text, const struct event *event)
{
    char time[TIME_TERMS_BYTES], manners[MANNERS_BYTES], position[POSITION_BYTES];

    time_terms_format(time, &event->terms);
    manners_format(manners, &event->manners);
    text_addf(text, " red=%s blue=%s rules=%s time=%s%s", event->name[SIDE_RED],
              event->name[SIDE_BLUE], ruleset_name(event->rules), time, manners);
    if (event->has_position) {
        position_format(position, &event->position);
        text_addf(text, " position=\"%s\"", position);
    }
}

static void add_word(struct text *text, const char *word)
{
    text_add(text, " ");
    text_add(text, word);
}

static void add_number(struct text *text, const char *before, int64_t number)
{
    text_add(text, before);
    text_add_int(text, number);
}

static void write_setup(struct text *text, const struct event *event)
{
    add_word(text, side_name(event->side));
    add_word(text, lineup_name(event->lineup));
}

static void write_times(struct text *text, const struct event *event)
{
    const struct time_left *red = &event->left[SIDE_RED],
                           *blue = &event->left[SIDE_BLUE];

    if (!event->has_times)
        return;
    add_number(text, " red_ms=", red->main_ms);
    add_number(text, " blue_ms=", blue->main_ms);
    if (red->periods == 0 && blue->periods == 0)
        return;
    add_number(text, " red_periods=", red->periods);
    add_number(text, " blue_periods=", blue->periods);
}

static void write_move(struct text *text, const struct event *event)
{
    char move[MOVE_BYTES];

    move_format(move, event->move);
    add_number(text, " ", event->ply);
    add_word(text, side_name(event->side));
    add_word(text, move);
    write_times(text, event);
    if (event->lag_ms != 0)
        add_number(text, " lag_ms=", event->lag_ms);
}

static void write_takeback(struct text *text, const struct event *event)
{
    add_number(text, " ", event->ply);
    write_times(text, event);
}

static void write_adjourn(struct text *text, const struct event *event)
{
    write_times(text, event);
    if (event->used_ms > 0)
        add_number(text, " used_ms=", event->used_ms);
}

static void write_end(struct text *text, const struct event *event)
{
    add_word(text, outcome_name(event->outcome));
    add_word(text, reason_name(event->reason));
    if (event->side != SIDE_NONE)
        text_addf(text, " by=%s", side_name(event->side));
}

/* --- The kinds --- */

static const struct {
    const char *name;
    bool (*read)(struct words *words, struct event *event);
    void (*write)(struct text *text, const struct event *event);
} kinds[] = {
    [EVENT_START] = {"start", read_start, write_start},
    [EVENT_SETUP] = {"setup", read_setup, write_setup},
    [EVENT_MOVE] = {"move", read_move, write_move},
    [EVENT_TAKEBACK] = {"takeback", read_takeback, write_takeback},
    [EVENT_ADJOURN] = {"adjourn", read_adjourn, write_adjourn},
    [EVENT_CONTINUE] = {"continue", read_continue, NULL},
    [EVENT_END] = {"end", read_end, write_end},
};

static_assert(ARRAY_LEN(kinds) == EVENT_KINDS, "a kind of event is missing");

const char *event_kind_name(enum event_kind kind)
{
    return kinds[kind].name;
}

enum event_parse event_parse(const char *text, struct event *out)
{
    struct words words = {.rest = text};
    struct event event = {.kind = EVENT_START};

    if (!next_plain(&words))
        return EVENT_BAD;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strcmp(words.word, kinds[i].name) != 0)
            continue;
        event.kind = (enum event_kind)i;
        if (!kinds[i].read(&words, &event))
            return EVENT_BAD;
        *out = event;
        return EVENT_OK;
    }
    return EVENT_UNKNOWN;
}

size_t event_format(char out[EVENT_BYTES], const struct event *event)
{
    struct text text = text_into(out, EVENT_BYTES);

    text_add(&text, kinds[event->kind].name);
    if (kinds[event->kind].write != NULL)
        kinds[event->kind].write(&text, event);
    return text.len;
}
