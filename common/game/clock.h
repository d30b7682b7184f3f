/* Computes the thinking times of both sides. Reads no clock and sets no timer: the
 * caller passes the time as now_ms, so a test plays an hour in a microsecond. Pure; no
 * state of its own. */
#ifndef COMMON_GAME_CLOCK_H
#define COMMON_GAME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

/* The time limits of a game. Each side has a main time. In addition, there may be
 * either an increment for each move or byoyomi periods. The periods begin when the main
 * time is used up. A period is lost only if the side does not move within it. Text:
 * "10m+5s", "5m", "90s+2s", "1h", "20m+3x40s", "none". The main time is at most 24 h.
 * An increment or a period is at most 10 min. There may be 1 to 10 periods. The main
 * time may be 0 only if there are periods or an increment. With "0m+5s", the first move
 * gets an increment too. "3d" means correspondence: each move has a single period of 3
 * days (1 to 30 are possible), and the main time is 0. */
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
/* Like time_terms_parse(), for text that a person types, in small letters. Without
 * units, main time is in minutes, increments and periods are in seconds: "10+5",
 * "10/5", "10m5s" and "10분+5초" are 10m+5s. "blitz", "rapid", "club" and "days" are
 * usual times. */
bool time_terms_parse_typed(const char *typed, struct time_terms *out) MUST_USE;
void time_terms_format(char out[TIME_TERMS_BYTES], const struct time_terms *terms);
bool time_terms_is_correspondence(const struct time_terms *terms);
/* Returns true if the players play at one time against clocks: the terms are neither
 * untimed nor those of a game by correspondence. */
bool time_terms_has_clocks(const struct time_terms *terms);
bool time_terms_is_same(const struct time_terms *one, const struct time_terms *other);

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
    int64_t since_ms; /* from this time on, the running side is charged */
};

void clock_init(struct clock *clock, const struct time_terms *terms);

/* Begins to charge side at now_ms. */
void clock_start(struct clock *clock, enum side side, int64_t now_ms);
/* Begins to charge the running side lag_ms later, to make up for the delay of the
 * network. The time of that side then also runs out (its flag falls) lag_ms later. Call
 * this function at most once after each clock_start(). The caller ensures that lag_ms
 * is at most CLOCK_LAG_MS_MOST. */
enum { CLOCK_LAG_MS_MOST = 1000 };
void clock_allow(struct clock *clock, int lag_ms);
/* Returns the part of lag_ms that has passed at now_ms in this turn. */
int clock_used_lag_ms(const struct clock *clock, int64_t now_ms);

/* Computes the time that `side` has left at now_ms, without the increment for a move.
 * *out gets the main time and the number of periods, including the current period.
 * False: the flag of `side` has fallen by then, and *out is all zero. If now_ms is
 * before since_ms, the function uses since_ms instead. */
bool clock_left(const struct clock *clock, enum side side, int64_t now_ms,
                struct time_left *out);

/* Returns the time that `side` would have after a move at now_ms, with the increment.
 * The flag of `side` must not have fallen. Changes nothing. */
struct time_left clock_after_move(const struct clock *clock, enum side side,
                                  int64_t now_ms);

/* Charges the running side up to now_ms and stops the clock for a pause, without an
 * increment. clock->used_ms keeps the used part of the current period, so that the side
 * does not get a full period after the pause. */
void clock_stop(struct clock *clock, int64_t now_ms);

/* Returns the milliseconds to show for side: the main time, or the rest of the current
 * period. The result is never below 0, except -1 for an untimed game. *periods gets the
 * number of periods that are left, including the current period. */
int64_t clock_shown_ms(const struct clock *clock, enum side side, int64_t now_ms,
                       int *periods);

/* True if clock_shown_ms() is the rest of a period. */
bool clock_is_in_period(const struct clock *clock, enum side side, int64_t now_ms);
/* Returns the number of periods that `side` has left, without the current period. */
int clock_more_periods(const struct clock *clock, enum side side, int64_t now_ms);

/* Returns the time at which the flag of the running side falls; INT64_MAX if it never
 * falls. */
int64_t clock_flag_at_ms(const struct clock *clock);

#endif
