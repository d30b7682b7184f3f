/* The record of an ended game, from the server where it was played: a visit that asks
 * for one thing and leaves. Needs no name, and asks nobody whether to trust a key. */
#ifndef CLIENT_REPLAY_FETCH_H
#define CLIENT_REPLAY_FETCH_H

#include <stddef.h>
#include <stdint.h>

#include "client/base/link.h"
#include "client/base/prefs.h"

enum { FETCH_LINK_BYTES = 512 };

/* "LINK/17": its game, and the link without it. False: text does not end so. */
bool fetch_cut_game(const char *text, char link[FETCH_LINK_BYTES],
                    int64_t *game) MUST_USE;

/* The text of the record, the caller's to free, and its length; NULL after saying why
 * on standard error. */
char *fetch_record(const struct prefs *prefs, const struct link *to, int64_t game,
                   size_t *len) MUST_USE;

#endif
