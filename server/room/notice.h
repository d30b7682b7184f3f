/* Reports about a room that are not in its log: notices, clocks, the board. Sent to the
 * current readers and not stored. Reads the room and never changes it. */
#ifndef SERVER_ROOM_NOTICE_H
#define SERVER_ROOM_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/side.h"

struct account;
struct game;
struct room;
struct rooms;
struct session;

enum audience { TO_PLAYERS = 1, TO_WATCHERS = 2, TO_ALL = 3 };

/* True when `session` accepts a notice now. False: too many bytes are waiting to be
 * sent to it. When they have been sent, on_drain (session.h) is called for it. */
bool notice_fits(struct session *session);
/* Sends one line to the readers that can take it now. */
void notice_tell(struct room *room, enum audience audience, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Sends "! say" to the players who do not ignore the speaker. */
void notice_talk(struct room *room, const struct session *by, const char *text);
/* Sends `! whisper` to the spectators now; the players receive it at the end of the
 * game. Skips everybody who ignores the speaker. Returns the number of bytes that were
 * sent now. */
size_t notice_whisper(struct room *room, const struct session *by, const char *text);
/* Keeps a chat line that the account reads or says, for a report: see chatlog.h.
 * account NULL: a guest, for whom nothing is kept. game 0: the line belongs to no
 * game. */
void notice_log(const struct rooms *rooms, struct account *account, int64_t game,
                const struct session *by, const char *text);
/* True when the session does not ignore the author of `line`, a kept whisper. owner: a
 * struct room (see struct feed_calls). */
bool notice_whisper_is_wanted(void *owner, const struct session *session,
                              const char *line, size_t len);

/* Writes " red_ms=... blue_ms=... running=red" with a space in front, or "" for an
 * untimed game. */
enum { CLOCK_WORDS_BYTES = 136 };
void notice_clock_words(const struct game *game, int64_t now_ms,
                        char out[CLOCK_WORDS_BYTES]);

/* Sends "! clock" to `session`, or, if it is NULL, to all readers who see the game
 * without a delay. Sends nothing if the game is untimed or not in play. */
void notice_clock(struct room *room, struct session *session, int64_t now_ms);
/* Sends `! setup` to `session`, or to all readers if `session` is NULL. The line names
 * the side that must choose a line-up, and the time that is left. If both sides choose
 * at the same time, sends a line for each side. */
void notice_setup(struct room *room, struct session *session, int64_t now_ms);
/* Sends "! setup ... sealed=1" to `session`, or to all readers if it is NULL: `side`
 * has chosen a line-up, which stays hidden until the other side has chosen. */
void notice_sealed(struct room *room, enum side side, struct session *session);

/* Sends "! presence" of the player of `side` to `session`, or to the audience if it is
 * NULL. Includes the claim time when the game waits for the absent player. */
void notice_presence(struct room *room, enum audience audience, enum side side,
                     bool is_here, struct session *session, int64_t now_ms);
/* Sends "! claim" to `session`, or to both players if it is NULL: the opponent of the
 * side `away` may now claim a win or a draw. */
void notice_claim(struct room *room, enum side away, struct session *session);
/* For an arriving player. notice_frozen() sends "! frozen": up to which event a damaged
 * game can be read. notice_mine() sends "! mine": the player's row of the game. */
void notice_frozen(const struct room *room, struct session *session);
void notice_mine(const struct room *room, enum side side, struct session *session,
                 int64_t now_ms);

/* Returns the milliseconds that remain for the side that must move or set up; -1: no
 * limit. */
int64_t notice_left_ms(const struct room *room, int64_t now_ms);

/* notice_row_words() writes a game's row for lists: "red=hong blue=kim rules=martin
 * time=10m+5s phase=play ply=12 turn=red"; is_own: for a player, who sees the game
 * without a delay. notice_own_words() writes what the row of a player has in addition:
 * "side=red here=red,blue left_ms=600000". */
enum { ROW_WORDS_BYTES = 448 };
void notice_row_words(const struct room *room, bool is_own, char out[ROW_WORDS_BYTES]);
void notice_own_words(const struct room *room, enum side side, int64_t now_ms,
                      char out[ROW_WORDS_BYTES]);
/* Writes "away=red claim_ms=61000", or "away=-" when no player is away. */
void notice_away_words(const struct room *room, int64_t now_ms,
                       char out[ROW_WORDS_BYTES]);

/* Draws the board as text, with names and clocks, in "|" lines. The side of the
 * session's player is at the bottom. */
void notice_draw(const struct room *room, struct session *session, int64_t now_ms);

#endif
