/* Takes a player's name out of the games on disk. An alias replaces the name in the
 * start event of each game and in the row of the game. This changes digests, so they
 * are computed again: the seal of the row, and the link of each event, which covers
 * also all events before it. Backups and published records are not changed, and the
 * unused space of the file may still contain old bytes until it is used again. */
#ifndef SERVER_DATABASE_STORE_ERASE_H
#define SERVER_DATABASE_STORE_ERASE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/database/store_write.h"

struct store_db;

/* Erases the player from all games that are over. Call it in a transaction. False: the
 * disk is full, and the transaction is undone. */
bool store_erase_player(struct store_db *db, struct store_erasure *erasure) MUST_USE;

/* Replaces the name by the alias in the summary of a game. */
void store_erase_rename(struct store_summary *summary,
                        const struct store_erasure *erasure);
/* Copies the start event of a game to `out`, with the alias in place of the name. */
enum { STORE_START_BYTES = 640 };
void store_erase_rename_start(char out[STORE_START_BYTES], const char *start,
                              const struct store_erasure *erasure);

#endif
