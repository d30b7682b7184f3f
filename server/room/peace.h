/* Players' filters: whom they ignore, whom they block from their games, and what is
 * muted while they play. Stored as marks of their accounts. */
#ifndef SERVER_ROOM_PEACE_H
#define SERVER_ROOM_PEACE_H

#include <stdbool.h>

#include "common/base/base.h"

struct account;
struct marks;
struct room;
struct rooms;
struct session;

/* The subject of marks about the session's owner: the folded name, or MARK_GUESTS for
 * every guest, because guests' names are temporary. */
const char *peace_subject(const struct session *session);

/* True when listener ignores speaker (listener NULL: a guest). */
bool peace_ignores(const struct marks *marks, const struct account *listener,
                   const struct session *speaker);
/* True when player does not let stranger watch. */
bool peace_blocks(const struct marks *marks, const struct account *player,
                  const struct session *stranger);

/* QUIET_AUTO, the default: quiet during a game with clocks. A quiet player gets no
 * challenges, and sums of the watchers who come and go (readers.c). */
enum quiet { QUIET_AUTO, QUIET_ON, QUIET_OFF };
const char *quiet_name(enum quiet quiet);
bool quiet_parse(const char *word, enum quiet *out) MUST_USE;
enum quiet peace_quiet(const struct marks *marks, const struct account *account);
/* True when one ignores or blocks the other. */
bool peace_avoids(const struct marks *marks, const struct account *one,
                  const struct account *other);
/* True when one of the two ignores or blocks the other. */
bool peace_keeps_apart(const struct marks *marks, const struct account *one,
                       const struct account *other);
/* True when account has a seat in a game with clocks that is going on; correspondence
 * games and adjourned ones do not count. */
bool peace_is_playing(struct rooms *rooms, const struct account *account);
/* Whether account is quiet now. */
bool peace_is_quiet(struct rooms *rooms, const struct account *account);

#endif
