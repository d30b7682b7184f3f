/* The latest lines of chat that each player has said or received, for a report to the
 * staff. The lines are only in memory. The log of a player has at most CHATLOG_LINES
 * lines and CHATLOG_BYTES bytes. There are at most CHATLOG_PLAYERS logs. If another
 * player needs a log, the log that has had no new line for the longest time is
 * dropped. */
#ifndef SERVER_ROOM_CHATLOG_H
#define SERVER_ROOM_CHATLOG_H

#include <stdint.h>

#include "common/base/base.h"
#include "common/base/utf8.h"

struct chatlogs;

enum { CHATLOG_LINES = 12, CHATLOG_BYTES = 3000, CHATLOG_PLAYERS = 2000 };

struct chat_line {
    int64_t game;
    int64_t wall_s;
    char by[NAME_BYTES]; /* in its shown spelling */
    const char *text;    /* as it was sent */
};

struct chatlogs *chatlogs_new(void) MUST_USE;
/* Accepts NULL. */
void chatlogs_free(struct chatlogs *logs);

/* Adds a line that the player with that account number has said or received. */
void chatlogs_add(struct chatlogs *logs, int64_t player, const struct chat_line *line);

/* chatlogs_between() calls `see` for lines in the log of `player`, the oldest line
 * first. It calls `see` for each line that `other` said. It also calls `see` for each
 * line that the player (`name`) said in a game, if the log has a line that `other` said
 * in the same game. */
typedef void chat_line_fn(void *arg, const struct chat_line *line);
void chatlogs_between(const struct chatlogs *logs, int64_t player, const char *name,
                      const char *other, chat_line_fn *see, void *arg);

#endif
