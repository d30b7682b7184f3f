/* Takes a player's name out of the games on disk. The name in the start event of each
 * game becomes an alias, and so do the names in the row of the game; then every link of
 * the log, which continues the one before it, and the seal of the row are made anew.
 * Backups and published records are not changed, and the unused space of the file may
 * hold old bytes until it is used again. */
#ifndef SERVER_DATABASE_STORE_ERASE_H
#define SERVER_DATABASE_STORE_ERASE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_write.h"

struct store_db;

/* Call it in a transaction. Only erases the player from games that are over. False: the
 * disk is full, and the transaction is undone. */
bool store_erase_player(struct store_db *db, struct store_erasure *erasure) MUST_USE;

/* Writes the alias in place of the name in a game's row. */
void store_erase_rename(struct store_summary *summary,
                        const struct store_erasure *erasure);
/* The start event of a game, with the alias in place of the name. */
enum { STORE_START_BYTES = 640 };
void store_erase_rename_start(char out[STORE_START_BYTES], const char *start,
                              const struct store_erasure *erasure);

#endif
