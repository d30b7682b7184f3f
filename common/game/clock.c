/* See clock.h. A flag falls when exactly 0 ms are left: a move at that millisecond is
 * too late. */
#include "common/game/clock.h"

#include <string.h>

#include "common/base/text.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR };
enum { MAIN_MOST = DAY, STEP_MOST = 10 * MINUTE, PERIODS_MOST = 10, DAYS_MOST = 30 };

/* --- Terms as text --- */

static const struct {
    char letter;
    int64_t ms;
} units[] = {{'h', HOUR}, {'m', MINUTE}, {'s', SECOND}};

/* Reads at most six digits; advances *text past them. */
static bool take_number(const char **text, int64_t *out)
{
    char digits[7];
    size_t len = strspn(*text, "0123456789");

    if (!text_cut(digits, sizeof digits, *text, len))
        return false;
    *text += len;
    return text_to_int(digits, 0, INT64_MAX, out);
}

/* Reads a span such as "10m". */
static bool take_span(const char **text, int64_t most_ms, int64_t *out)
{
    int64_t number;

    if (!take_number(text, &number))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (**text == units[i].letter) {
            (*text)++;
            *out = number * units[i].ms;
            return *out <= most_ms;
        }
    return false;
}

/* Reads byoyomi periods such as "3x40s". */
static bool take_periods(const char **text, struct time_terms *terms)
{
    int64_t periods;

    if (!take_number(text, &periods) || periods < 1 || periods > PERIODS_MOST)
        return false;
    if (*(*text)++ != 'x')
        return false;
    terms->periods = (int)periods;
    return take_span(text, STEP_MOST, &terms->period_ms) && terms->period_ms > 0;
}

/* Reads correspondence terms such as "3d". */
static bool take_days(const char *word, struct time_terms *terms)
{
    int64_t days;

    if (!take_number(&word, &days) || strcmp(word, "d") != 0 || days < 1 ||
        days > DAYS_MOST)
        return false;
    terms->periods = 1;
    terms->period_ms = days * DAY;
    return true;
}

/* Reads terms such as "10m", "10m+5s" or "20m+3x40s". */
static bool take_spans(const char *word, struct time_terms *terms)
{
    if (!take_span(&word, MAIN_MOST, &terms->main_ms))
        return false;
    if (*word == '+') {
        const char *step = ++word;

        if (!take_span(&word, STEP_MOST, &terms->increment_ms)) {
            terms->increment_ms = 0;
            word = step;
            if (!take_periods(&word, terms))
                return false;
        }
    }
    return *word == '\0' &&
           (terms->main_ms > 0 || terms->increment_ms > 0 || terms->periods > 0);
}

bool time_terms_parse(const char *word, struct time_terms *out)
{
    struct time_terms terms = {.is_untimed = strcmp(word, "none") == 0};

    if (!terms.is_untimed && !take_days(word, &terms) && !take_spans(word, &terms))
        return false;
    *out = terms;
    return true;
}

/* Appends to *out the digits at *typed and the unit after them, and moves *typed past
 * both. If there is no unit, appends `fallback` as the unit. */
static void complete_span(struct text *out, const char **typed, char fallback)
{
    size_t digits = strspn(*typed, "0123456789");

    text_addf(out, "%.*s", (int)digits, *typed);
    *typed += digits;
    if (digits > 0 && (**typed == '\0' || **typed == '+'))
        text_addf(out, "%c", fallback);
    else if (**typed != '\0')
        text_addf(out, "%c", *(*typed)++);
}

/* Names of usual time controls, and the units and signs that people type in place of
 * those of the protocol. */
static const struct {
    const char *typed, *time;
} named[] = {
    {"blitz", "5m+3s"}, {"rapid", "10m+5s"}, {"club", "20m+3x40s"}, {"days", "3d"}};
static const struct {
    const char *typed;
    char letter;
} signs[] = {{"시간", 'h'}, {"분", 'm'}, {"초", 's'}, {"일", 'd'}, {"/", '+'}};

/* Replaces what people type by the letters of the protocol, and adds "+" between a unit
 * and a number: "10분5초" becomes "10m+5s". */
static void spell(struct text *out, const char *typed)
{
    bool is_after_unit = false;

    while (*typed != '\0') {
        char letter = *typed;
        size_t len = 1;

        for (size_t i = 0; i < ARRAY_LEN(signs); i++)
            if (strncmp(typed, signs[i].typed, strlen(signs[i].typed)) == 0) {
                letter = signs[i].letter;
                len = strlen(signs[i].typed);
            }
        text_addf(out, "%s%c",
                  is_after_unit && letter >= '0' && letter <= '9' ? "+" : "", letter);
        is_after_unit = strchr("hms", letter) != NULL;
        typed += len;
    }
}

bool time_terms_parse_typed(const char *typed, struct time_terms *out)
{
    char spelled[TIME_TERMS_BYTES], whole[TIME_TERMS_BYTES];
    const char *at = spelled;
    struct text text = text_into(spelled, sizeof spelled);

    for (size_t i = 0; i < ARRAY_LEN(named); i++)
        if (strcmp(typed, named[i].typed) == 0)
            return time_terms_parse(named[i].time, out);
    spell(&text, typed);
    if (text.is_cut)
        return false;
    text = text_into(whole, sizeof whole);
    complete_span(&text, &at, 'm');
    if (*at == '+') {
        text_addf(&text, "%c", *at++);
        complete_span(&text, &at, 's');
        if (at[-1] == 'x')
            complete_span(&text, &at, 's');
    }
    text_add(&text, at);
    return !text.is_cut && time_terms_parse(whole, out);
}

bool time_terms_is_correspondence(const struct time_terms *terms)
{
    return terms->period_ms >= DAY;
}

bool time_terms_has_clocks(const struct time_terms *terms)
{
    return !terms->is_untimed && !time_terms_is_correspondence(terms);
}

bool time_terms_is_same(const struct time_terms *one, const struct time_terms *other)
{
    return one->is_untimed == other->is_untimed && one->main_ms == other->main_ms &&
           one->increment_ms == other->increment_ms && one->periods == other->periods &&
           one->period_ms == other->period_ms;
}

/* Appends ms to the text, in the largest unit that divides it without remainder. */
static void add_span(struct text *text, int64_t ms)
{
    size_t i = 0;

    while (i + 1 < ARRAY_LEN(units) && (ms == 0 || ms % units[i].ms != 0))
        i++;
    text_addf(text, "%lld%c", (long long)(ms / units[i].ms), units[i].letter);
}

void time_terms_format(char out[TIME_TERMS_BYTES], const struct time_terms *terms)
{
    struct text text = text_into(out, TIME_TERMS_BYTES);

    if (terms->is_untimed) {
        text_add(&text, "none");
        return;
    }
    if (time_terms_is_correspondence(terms)) {
        text_addf(&text, "%lldd", (long long)(terms->period_ms / DAY));
        return;
    }
    add_span(&text, terms->main_ms);
    if (terms->periods > 0) {
        text_addf(&text, "+%dx", terms->periods);
        add_span(&text, terms->period_ms);
    } else if (terms->increment_ms > 0) {
        text_add(&text, "+");
        add_span(&text, terms->increment_ms);
    }
}

/* --- The clock --- */

void clock_init(struct clock *clock, const struct time_terms *terms)
{
    struct time_left full = {.main_ms = terms->main_ms, .periods = terms->periods};

    if (terms->main_ms == 0)
        full.main_ms = terms->increment_ms; /* "0m+5s": the first move also gets 5 s */
    *clock =
        (struct clock){.terms = *terms, .left = {full, full}, .running = SIDE_NONE};
}

void clock_start(struct clock *clock, enum side side, int64_t now_ms)
{
    clock->running = side;
    clock->lag_ms = 0;
    clock->since_ms = now_ms;
}

void clock_allow(struct clock *clock, int lag_ms)
{
    clock->lag_ms = lag_ms;
    clock->since_ms += lag_ms;
}

int clock_used_lag_ms(const struct clock *clock, int64_t now_ms)
{
    int64_t unused_ms = clock->since_ms - now_ms;

    if (unused_ms <= 0)
        return clock->lag_ms;
    return unused_ms < clock->lag_ms ? clock->lag_ms - (int)unused_ms : 0;
}

/* clock->left[side] may still contain time that `side` has already used. Returns this
 * time. The result is never negative. */
static int64_t spent_ms(const struct clock *clock, enum side side, int64_t now_ms)
{
    if (clock->running != side || now_ms < clock->since_ms)
        return clock->used_ms[side];
    return clock->used_ms[side] + now_ms - clock->since_ms;
}

bool clock_left(const struct clock *clock, enum side side, int64_t now_ms,
                struct time_left *out)
{
    int64_t spent = spent_ms(clock, side, now_ms);
    int64_t over;

    *out = clock->left[side];
    if (clock->terms.is_untimed || clock->running != side)
        return true;
    if (spent < out->main_ms) {
        out->main_ms -= spent;
        return true;
    }
    over = spent - out->main_ms;
    out->main_ms = 0;
    if (out->periods > 0 && over / clock->terms.period_ms < out->periods) {
        out->periods -= (int)(over / clock->terms.period_ms);
        return true;
    }
    out->periods = 0;
    return false;
}

struct time_left clock_after_move(const struct clock *clock, enum side side,
                                  int64_t now_ms)
{
    struct time_left left;
    bool is_up = clock_left(clock, side, now_ms, &left);

    if (is_up)
        left.main_ms += clock->terms.increment_ms;
    return left;
}

void clock_stop(struct clock *clock, int64_t now_ms)
{
    enum side side = clock->running;
    int64_t over_ms;
    struct time_left left;

    if (side == SIDE_NONE)
        return;
    over_ms = spent_ms(clock, side, now_ms) - clock->left[side].main_ms;
    if (clock_left(clock, side, now_ms, &left))
        clock->used_ms[side] =
            left.periods > 0 && over_ms > 0 ? over_ms % clock->terms.period_ms : 0;
    else
        clock->used_ms[side] = 0;
    clock->left[side] = left;
    clock->running = SIDE_NONE;
}

int64_t clock_shown_ms(const struct clock *clock, enum side side, int64_t now_ms,
                       int *periods)
{
    struct time_left left;
    bool is_up = clock_left(clock, side, now_ms, &left);
    int64_t over;

    *periods = left.periods;
    if (clock->terms.is_untimed)
        return -1;
    if (!is_up || left.main_ms > 0 || left.periods == 0)
        return left.main_ms;
    over = spent_ms(clock, side, now_ms) - clock->left[side].main_ms;
    return over <= 0 ? clock->terms.period_ms
                     : clock->terms.period_ms - over % clock->terms.period_ms;
}

bool clock_is_in_period(const struct clock *clock, enum side side, int64_t now_ms)
{
    struct time_left left;

    return clock_left(clock, side, now_ms, &left) && left.main_ms == 0 &&
           left.periods > 0;
}

int clock_more_periods(const struct clock *clock, enum side side, int64_t now_ms)
{
    int periods;

    (void)clock_shown_ms(clock, side, now_ms, &periods);
    return periods - clock_is_in_period(clock, side, now_ms);
}

int64_t clock_flag_at_ms(const struct clock *clock)
{
    const struct time_left *left;

    if (clock->terms.is_untimed || clock->running == SIDE_NONE)
        return INT64_MAX;
    left = &clock->left[clock->running];
    return clock->since_ms - clock->used_ms[clock->running] + left->main_ms +
           left->periods * clock->terms.period_ms;
}
