/* The final logs of all games that a crowd of bots has played, from two sources: told
 * by the server to a late watcher, and read from the database file. They are compared
 * with each other and with what the bots have witnessed. */
#ifndef TESTS_LIB_LEDGER_H
#define TESTS_LIB_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "tests/lib/bot.h"
#include "tests/lib/history.h"

struct event_base;
struct ledger;

/* bots is borrowed; their games are the ones of the ledger. */
struct ledger *ledger_new(const struct bots *bots) MUST_USE;
void ledger_free(struct ledger *ledger);
int ledger_count(const struct ledger *ledger);

/* Logs in as a guest and watches every game from its beginning. What did not come
 * within the time is missed by ledger_judge_told(). */
void ledger_read_server(struct ledger *ledger, struct event_base *base, int port,
                        const char *key);
/* The server must have stopped. False after printing why: it does not open, it is not
 * in order, or it has other games than the bots. */
bool ledger_read_database(struct ledger *ledger, const char *data) MUST_USE;

/* Changes one event of what was read from the database: the control. */
void ledger_forge(struct ledger *ledger, const char *kind);
/* The same to one log: drop, alter, double or clock. False: there is nothing to do it
 * to. */
bool ledger_forge_log(struct script *log, const char *kind) MUST_USE;
/* Takes the last event of so many running games out of the database: a server that lies
 * about its disk. */
void ledger_lose(const char *data, int games);

/* Every bot's testimony against the database. */
void ledger_judge_seen(const struct ledger *ledger, struct verdict *verdict);
/* The watcher's log against the database. */
void ledger_judge_told(const struct ledger *ledger, struct verdict *verdict);
/* Rules and clocks. */
void ledger_judge_played(const struct ledger *ledger, int64_t uptime_ms,
                         struct verdict *verdict);

#endif
