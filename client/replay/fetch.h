/* Downloads the record of an ended game from the server where it was played. Logs in as
 * a guest, asks no question (an unknown key is refused), and disconnects after the
 * answer. */
#ifndef CLIENT_REPLAY_FETCH_H
#define CLIENT_REPLAY_FETCH_H

#include <stddef.h>
#include <stdint.h>

#include "client/base/link.h"
#include "client/base/prefs.h"

enum { FETCH_LINK_BYTES = 512 };

/* Splits "LINK/17" into the number of a game and the link. Returns false if text does
 * not have this form. */
bool fetch_cut_game(const char *text, char link[FETCH_LINK_BYTES],
                    int64_t *game) MUST_USE;

/* Returns the text of the record, which the caller frees, and its length. Returns NULL
 * after printing the reason on standard error. */
char *fetch_record(const struct prefs *prefs, const struct link *to, int64_t game,
                   size_t *len) MUST_USE;

#endif
