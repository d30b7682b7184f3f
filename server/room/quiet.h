/* Tells which players are quiet. A quiet player does not get challenges, and gets only
 * few lines about spectators who come and go (comings.h). The setting is stored with
 * the account (marks.h). */
#ifndef SERVER_ROOM_QUIET_H
#define SERVER_ROOM_QUIET_H

#include <stdbool.h>

#include "common/base/base.h"

struct account;
struct marks;
struct rooms;

/* QUIET_AUTO, the default: quiet during a game with clocks. */
enum quiet { QUIET_AUTO, QUIET_ON, QUIET_OFF };
const char *quiet_name(enum quiet quiet);
bool quiet_parse(const char *word, enum quiet *out) MUST_USE;
/* Returns what the player has set with the verb `quiet`. */
enum quiet quiet_setting(const struct marks *marks, const struct account *account);

/* True when `account` plays in a running game with clocks. Correspondence games and
 * adjourned games do not count. */
bool quiet_is_playing(struct rooms *rooms, const struct account *account);
/* True when `account` is quiet now. */
bool quiet_is_now(struct rooms *rooms, const struct account *account);

#endif
