/* See closing.h. */
#include "server/base/closing.h"

#include "common/base/mono.h"

/* A game does not start in the last minute before a shutdown, because the players might
 * not finish its set-up in time. */
enum { LAST_GAME_MS = 60 * 1000 };

bool closing_bars_games(const struct closing *closing, int64_t now_ms)
{
    return closing->is_draining || closing->ends_ms - now_ms <= LAST_GAME_MS;
}

int64_t closing_in_s(const struct closing *closing, int64_t now_ms)
{
    return closing->is_draining ? 0 : mono_whole_s(closing->ends_ms - now_ms);
}
