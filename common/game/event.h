/* Converts an event of a game to text and back. game.h says what an event does to a
 * game. The text is one line. It is the same in the game that a server stores, in the
 * line "! game ID NUMBER TEXT" that it sends, and in a record (the file of one game):
 *
 *   start red=hong blue=kim rules=martin time=10m+5s [MANNERS] [position="..."]
 *   setup red NBNB
 *   move 1 red B0-C2 red_ms=600000 blue_ms=600000 [red_periods=3 blue_periods=3]
 *       [lag_ms=82]
 *   takeback 10 red_ms=600000 blue_ms=600000 [red_periods=3 blue_periods=3]
 *   adjourn red_ms=600000 blue_ms=600000 [red_periods=3 blue_periods=3 [used_ms=700]]
 *   continue
 *   end red checkmate         (red, blue, draw or none; none: a game without a result)
 *   end red resignation by=blue
 *
 * The events of an untimed game have no times. Unknown keys are skipped, so that later
 * versions may add keys. Pure. */
#ifndef COMMON_GAME_EVENT_H
#define COMMON_GAME_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/clock.h"
#include "common/game/manners.h"
#include "common/game/move.h"
#include "common/game/position.h"
#include "common/game/rules.h"

enum event_kind {
    EVENT_START,
    EVENT_SETUP,
    EVENT_MOVE,
    EVENT_TAKEBACK,
    EVENT_ADJOURN,
    EVENT_CONTINUE,
    EVENT_END
};

enum { EVENT_KINDS = EVENT_END + 1 };
/* Returns the name of the kind as in the text: "start", "setup" ... */
const char *event_kind_name(enum event_kind kind);

enum { EVENT_NAME_BYTES = 32, EVENT_BYTES = 512 };

struct event {
    enum event_kind kind;
    /* only in a start event */
    char name[SIDES][EVENT_NAME_BYTES];
    const struct ruleset *rules;
    struct time_terms terms;
    struct manners manners;
    bool has_position; /* true: play starts from `position`, without a set-up */
    struct position position;
    /* setup, move: the side that acts; end: the side whose act or flag ended the game,
     * SIDE_NONE if the rules or both players ended it */
    enum side side;
    enum lineup lineup;
    /* move: the number of the ply, from 1; takeback: the number of plies that remain */
    int ply;
    struct move move;
    struct time_left left[SIDES];
    /* true: `left` is set, as in each move, takeback or adjournment of a timed game;
     * false in all other events */
    bool has_times;
    int lag_ms; /* move: the time of this turn that was not charged (clock.h) */
    /* adjourn: the milliseconds that the side to move has used of its byoyomi period; 0
     * outside a period */
    int64_t used_ms;
    /* only in an end event */
    enum outcome outcome;
    enum reason reason;
};

enum event_parse { EVENT_OK, EVENT_UNKNOWN, EVENT_BAD };

/* Parses text, which has no line end and is not changed. EVENT_UNKNOWN: the kind of
 * event is unknown to this version; a reader may skip the event. EVENT_BAD: the text is
 * not a valid event. */
enum event_parse event_parse(const char *text, struct event *out) MUST_USE;

/* Writes the text of event and a NUL; they always fit. Returns the length of the
 * text. */
size_t event_format(char out[EVENT_BYTES], const struct event *event);

#endif
