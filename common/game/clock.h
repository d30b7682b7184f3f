/* Computes the thinking times of both sides. Reads no clock and sets no timer: the
 * caller passes the time as now_ms, so a test plays an hour in a microsecond. Pure; no
 * state of its own. */
#ifndef COMMON_GAME_CLOCK_H
#define COMMON_GAME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

/* How a game is timed: a main time, to which an increment for each move or byoyomi
 * periods may be added. After the main time, a move made within a period does not use
 * up that period. Text: "10m+5s", "5m", "90s+2s", "1h", "20m+3x40s", "none". Main time
 * is at most 24 h, increment and period at most 10 min, 1 to 10 periods. Main time may
 * be 0 only with periods or an increment; "0m+5s" gives the first move an increment
 * too. "3d" is correspondence: a single period of 1 to 30 days for each move, and no
 * main time. */
struct time_terms {
    bool is_untimed;
    int64_t main_ms;
    int64_t increment_ms;
    int periods;
    int64_t period_ms;
};

enum { TIME_TERMS_BYTES = 40 };
/* Parses time terms such as "10m+5s". False: word is something else. */
bool time_terms_parse(const char *word, struct time_terms *out) MUST_USE;
/* Like time_terms_parse(), for text that a person types. Without units, main time is in
 * minutes, increments and periods are in seconds. "10+5" is 10m+5s, "20m+3x40" is
 * 20m+3x40s. */
bool time_terms_parse_typed(const char *typed, struct time_terms *out) MUST_USE;
void time_terms_format(char out[TIME_TERMS_BYTES], const struct time_terms *terms);
bool time_terms_is_correspondence(const struct time_terms *terms);
bool time_terms_is_same(const struct time_terms *one, const struct time_terms *other);
/* Reads a list that a person typed, "10m+5s,10+5,3d". Returns the number of its items;
 * 0 if an item is invalid or occurs twice, or if there are more than TIME_LIST_MAX. */
enum { TIME_LIST_MAX = 8, TIME_LIST_BYTES = TIME_LIST_MAX * TIME_TERMS_BYTES };
int time_terms_parse_list(const char *list,
                          struct time_terms out[TIME_LIST_MAX]) MUST_USE;

/* The time of a side: main time, and whole byoyomi periods. When main_ms is 0 and the
 * terms have periods, the side is in byoyomi and its next move starts with a full
 * period. */
struct time_left {
    int64_t main_ms;
    int periods;
};

struct clock {
    struct time_terms terms;
    struct time_left left[SIDES]; /* the time left at since_ms */
    int64_t used_ms[SIDES];       /* the part of the current period that the side had
                                   * used at since_ms; 0 unless the clock was stopped
                                   * inside that period */
    enum side running;            /* SIDE_NONE: neither side is charged */
    int lag_ms;       /* time of this turn for which the running side is not charged */
    int64_t since_ms; /* when the charge of the running side begins */
};

void clock_init(struct clock *clock, const struct time_terms *terms);

/* Begins to charge side at now_ms. */
void clock_start(struct clock *clock, enum side side, int64_t now_ms);
/* Begins the charge of the running side lag_ms later, to make up for the delay of the
 * network. The flag of that side then also falls (its time runs out) lag_ms later. Call
 * it at most once after each clock_start(). The caller ensures that lag_ms is at most
 * CLOCK_LAG_MS_MOST. */
enum { CLOCK_LAG_MS_MOST = 1000 };
void clock_allow(struct clock *clock, int lag_ms);
/* Returns the part of lag_ms that has passed at now_ms in this turn. */
int clock_used_lag_ms(const struct clock *clock, int64_t now_ms);

/* Writes to *out the time that side would have left if it moved at now_ms: main time,
 * and whole periods including the current one, without the increment. False: the flag
 * of side has fallen by then, and *out is all zero. A now_ms before since_ms counts as
 * since_ms. */
bool clock_left(const struct clock *clock, enum side side, int64_t now_ms,
                struct time_left *out);

/* Returns the time that `side` would have after a move at now_ms, with the increment.
 * The flag of `side` must not have fallen. Changes nothing. */
struct time_left clock_after_move(const struct clock *clock, enum side side,
                                  int64_t now_ms);

/* Charges the running side up to now_ms and stops the clock without an increment, for a
 * pause. The part of a period that was used stays used, to the millisecond. */
void clock_stop(struct clock *clock, int64_t now_ms);

/* Returns the milliseconds to show for side: the main time, or the rest of the current
 * period. The result is never below 0, except -1 for an untimed game. *periods gets the
 * number of unused periods, with the current one. */
int64_t clock_shown_ms(const struct clock *clock, enum side side, int64_t now_ms,
                       int *periods);

/* True if clock_shown_ms() is the rest of a period. */
bool clock_is_in_period(const struct clock *clock, enum side side, int64_t now_ms);
/* Returns the number of periods that follow the time of clock_shown_ms(). */
int clock_more_periods(const struct clock *clock, enum side side, int64_t now_ms);

/* Returns the time at which the flag of the running side falls; INT64_MAX if it never
 * falls. */
int64_t clock_flag_at_ms(const struct clock *clock);

#endif
