/* What is said about a room that does not stand in its log: notices, clocks, the
 * figure. Sent to those who read the room now, and not kept. Reads the room, changes
 * nothing. */
#ifndef SERVER_ROOM_NOTICE_H
#define SERVER_ROOM_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/board.h"

struct room;
struct session;

enum audience { TO_PLAYERS = 1, TO_WATCHERS = 2, TO_ALL = 3 };

/* session can take a notice now. False: too much waits for it already, and its on_drain
 * is called when it has read that. */
bool notice_fits(struct session *session);
/* One line to those who read the room; not to one who cannot take it now. */
void notice_tell(struct room *room, enum audience audience, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* "! whisper": to the watchers now, to the players at the end. */
void notice_whisper(struct room *room, const char *by, const char *text);

/* " red_ms=... blue_ms=... running=red" with a space in front, or "" in an untimed
 * game. */
enum { CLOCK_WORDS_BYTES = 120 };
void notice_clock_words(const struct room *room, int64_t now_ms,
                        char out[CLOCK_WORDS_BYTES]);

/* "! clock", in a timed game that is being played. */
void notice_clock(struct room *room, int64_t now_ms);
/* "! setup": who chooses a line-up, and how long. */
void notice_setup(struct room *room, int64_t now_ms);

/* "! presence": to all, or to session alone. A game that waits for who is away says how
 * much longer. */
void notice_presence(struct room *room, enum side side, bool is_here,
                     struct session *session, int64_t now_ms);
/* "! claim": away has been away too long; to both players, or to session alone. */
void notice_claim(struct room *room, enum side away, struct session *session);
/* "! frozen" and "! mine", to one who has just come. */
void notice_frozen(const struct room *room, struct session *session);
void notice_mine(const struct room *room, enum side side, struct session *session,
                 int64_t now_ms);

/* Milliseconds that the side to move, or to set up, has left, as far as the disk has
 * it; -1 for no limit. */
int64_t notice_left_ms(const struct room *room, int64_t now_ms);

/* Rows of lists: "red=hong blue=kim rules=martin time=10m+5s phase=play ply=12
 * turn=red", and what a player wants to know besides: "side=red here=red,blue
 * left_ms=600000". */
enum { ROW_WORDS_BYTES = 240 };
void notice_row_words(const struct room *room, char out[ROW_WORDS_BYTES]);
void notice_own_words(const struct room *room, enum side side, int64_t now_ms,
                      char out[ROW_WORDS_BYTES]);
/* "away=red claim_ms=61000"; away=- for nobody. */
void notice_away_words(const struct room *room, int64_t now_ms,
                       char out[ROW_WORDS_BYTES]);

/* Martin's figure with names and clocks, as "|" lines, from the session's side. */
void notice_draw(const struct room *room, struct session *session, int64_t now_ms);

#endif
