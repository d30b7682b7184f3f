/* What is said about a room that does not stand in its log: notices, clocks, the
 * figure. Sent to those who read the room now, and not kept. Reads the room, changes
 * nothing. */
#ifndef SERVER_NOTICE_H
#define SERVER_NOTICE_H

#include <stdint.h>

#include "common/base.h"

struct room;
struct session;

enum audience { TO_PLAYERS = 1, TO_WATCHERS = 2, TO_ALL = 3 };

/* One line to those who read the room; not to one who cannot take it now. */
void notice_tell(struct room *room, enum audience audience, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* " red_ms=... blue_ms=... running=red" with a space in front, or "" in an untimed
 * game. */
enum { CLOCK_WORDS_BYTES = 120 };
void notice_clock_words(const struct room *room, int64_t now_ms,
                        char out[CLOCK_WORDS_BYTES]);

/* "! clock", in a timed game that is being played. */
void notice_clock(struct room *room, int64_t now_ms);
/* "! setup": who chooses a line-up, and how long. */
void notice_setup(struct room *room, int64_t now_ms);

/* Martin's figure with names and clocks, as "|" lines, from the session's side. */
void notice_draw(const struct room *room, struct session *session, int64_t now_ms);

#endif
