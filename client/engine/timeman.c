/* See timeman.h. */
#include "client/engine/timeman.h"

/* LOST_MS: the time that each move loses on the way between this program and the clock.
 * LEAST_MS, MOST_MS: the limits of the time for one move. MOVES_TO_COME: how many more
 * moves a game is expected to have. */
enum { LOST_MS = 60, LEAST_MS = 10, MOST_MS = 60 * 1000, MOVES_TO_COME = 30 };

static int64_t within(int64_t ms, int64_t most_ms)
{
    if (ms > most_ms)
        ms = most_ms;
    return ms < LEAST_MS ? LEAST_MS : ms;
}

void timeman_allot(struct search_limits *limits, const struct timeman_clock *clock)
{
    int moves =
        clock->moves > 0 && clock->moves < MOVES_TO_COME ? clock->moves : MOVES_TO_COME;
    /* Each move uses most of the period, because the part that it does not use is
     * lost. */
    int64_t spare_ms = clock->period_ms * 3 / 4;
    int64_t share_ms = clock->left_ms / moves + clock->increment_ms * 3 / 4 + spare_ms;
    int64_t edge_ms = clock->left_ms * 2 / (moves < 3 ? 3 : 7) + spare_ms - LOST_MS;

    if (clock->left_ms > 0 && edge_ms > clock->left_ms + clock->period_ms - LOST_MS)
        edge_ms = clock->left_ms + clock->period_ms - LOST_MS;
    limits->hard_ms = within(share_ms * 3, within(edge_ms, MOST_MS));
    /* The search completes the iteration that runs at the soft limit, so it takes 1.4
     * times this limit on average. The soft limit is therefore seven tenths of
     * share_ms; then a move takes about share_ms. */
    limits->soft_ms = within(share_ms * 7 / 10, limits->hard_ms);
}

bool timeman_read_clock(const struct clock *clock, enum side side, int64_t now_ms,
                        struct timeman_clock *out)
{
    int64_t shown_ms = clock_shown_ms(clock, side, now_ms, &(int){0});
    struct time_left left;

    *out = (struct timeman_clock){.increment_ms = clock->terms.increment_ms};
    if (clock->terms.is_untimed)
        return false;
    (void)clock_left(clock, side, now_ms, &left); /* a side whose flag has fallen has no
                                                   * time left */
    if (left.main_ms > 0) {
        out->left_ms = shown_ms;
        out->period_ms = left.periods > 0 ? clock->terms.period_ms : 0;
    } else {
        out->period_ms = shown_ms;
    }
    return true;
}
