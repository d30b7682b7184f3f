/* The host's program of the option --notify-program, and what it is told about players
 * who are not here, for example to send mail. It looks up by itself how it reaches a
 * player. It is started once, without a shell and without arguments, and gets lines on
 * its standard input:
 *
 *   turn account=17 name=hong why=waiting games=2 game=3 left_s=86000
 *   begin account=17 name=hong game=5 left_s=30
 *   round account=17 name=hong evening=4 round=2 board=3 in_s=60
 *
 * "turn": games by correspondence wait for a move. Such a line has why=waiting at most
 * once in REMINDER_HOURS hours. It has why=quarter or why=tenth when that part of the
 * time for a move is left. game and left_s belong to the game with the least time left.
 * "begin": a game with clocks has begun; left_s is the time of its first step.
 * "round": the player was paired, and the game begins in in_s seconds. */
#ifndef SERVER_LOBBY_REMINDERS_H
#define SERVER_LOBBY_REMINDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"

struct account;
struct event_base;
struct notifier;
struct reminders;
struct room;
struct world;

enum {
    REMINDER_HOURS = 6,   /* least time between two lines with why=waiting */
    REMINDER_WAIT_S = 600 /* how long a game waits before the first line about it */
};

/* Starts the program at `path`, which is an absolute path; call it before
 * sandbox_enter(). The output of the program goes to our standard error. If this fails,
 * logs why, sets errno, and returns NULL. */
struct notifier *notifier_start(struct event_base *base, const char *path) MUST_USE;
/* Closes the program's input, so that it ends when it has read everything. Accepts
 * NULL. */
void notifier_stop(struct notifier *notifier);

/* Borrows the modules of `world`, and notifier, which is NULL if there is no program. */
struct reminders *reminders_new(const struct world *world,
                                struct notifier *notifier) MUST_USE;
/* Accepts NULL. */
void reminders_free(struct reminders *reminders);
/* Call it when the running games have been read from the store. */
void reminders_restore(struct reminders *reminders);

/* Call it when a game has begun. */
void reminders_game_begun(struct reminders *reminders, struct room *room);
/* Call it for each player who has a game in a new round. */
void reminders_paired(struct reminders *reminders, const struct account *account,
                      int64_t evening, int round, int board, int64_t in_s);
/* Call it when the gate's `durable` has grown: sends lines whose rows are on disk. */
void reminders_on_durable(struct reminders *reminders);

#endif
