/* What one client has received about one game: every event by its number, every OK, and
 * the clocks. The texts are stored unchanged, so that after a crash the checker can
 * compare them with the server's log. This module does not use connections. */
#ifndef TESTS_BOT_HISTORY_H
#define TESTS_BOT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/board.h"
#include "common/game/position.h"

/* The clocks that the server reported when the log had `events` events. */
struct history_clock {
    int events;
    int64_t shown_ms[SIDES]; /* main time left; in byoyomi, what is left of the current
                              * period */
    int periods[SIDES];
    enum side running; /* SIDE_NONE: no side is charged */
    int64_t run_ms;    /* how long the server had been running when it reported them */
};

struct history {
    int64_t game;
    char **event; /* by number; NULL for events that were not received */
    int events;   /* the highest event number received, plus 1 */
    int event_room;
    char **ack; /* the first words of each event that an OK has acknowledged, such as
                 * "move 7 red B0-C2" */
    int acks, ack_room;
    struct history_clock *clock;
    int clocks, clock_room;
};

void history_init(struct history *history, int64_t game);
void history_clear(struct history *history);

/* Adds an event that was received. Returns false if this event was already received
 * with another text, or if `number` is not a valid event number. */
bool history_add_event(struct history *history, int number, const char *text);
/* Records that the client has received an OK for an event whose text begins with
 * `words`. */
void history_add_ack(struct history *history, const char *words);
void history_add_clock(struct history *history, const struct history_clock *clock);

/* --- The whole log of a game --- */

struct history_log {
    int64_t game;
    char **text;
    int count, room;
};

void history_log_init(struct history_log *log, int64_t game);
void history_log_clear(struct history_log *log);
void history_log_add(struct history_log *log, const char *text);
void history_log_copy(struct history_log *to, const struct history_log *from);

#endif
