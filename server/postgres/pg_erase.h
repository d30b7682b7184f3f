/* Takes a player's name out of the ended games: see server/database/store_erase.h. */
#ifndef SERVER_POSTGRES_PG_ERASE_H
#define SERVER_POSTGRES_PG_ERASE_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_write.h"
#include "server/postgres/pg_read.h"

/* Reads the player's games, and appends the calls that write them again with an alias
 * instead of the name. False: the connection is lost. */
bool pg_erase_player(struct pg_reader *reader, struct store_erasure *erasure,
                     struct pg_calls *calls) MUST_USE;

#endif
