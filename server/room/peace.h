/* Tells whom players ignore, and whom they block from their games. Both lists are
 * stored with their accounts (marks.h). */
#ifndef SERVER_ROOM_PEACE_H
#define SERVER_ROOM_PEACE_H

#include <stdbool.h>

#include "common/base/base.h"

struct account;
struct marks;
struct session;

/* True when `listener` ignores `speaker`. listener NULL: a guest, who ignores
 * nobody. */
bool peace_ignores(const struct marks *marks, const struct account *listener,
                   const struct session *speaker);
/* True when `player` blocks `stranger` from watching. */
bool peace_blocks(const struct marks *marks, const struct account *player,
                  const struct session *stranger);

/* True when `one` ignores or blocks `other`. */
bool peace_avoids(const struct marks *marks, const struct account *one,
                  const struct account *other);
/* True when either account ignores or blocks the other one. */
bool peace_keeps_apart(const struct marks *marks, const struct account *one,
                       const struct account *other);

#endif
