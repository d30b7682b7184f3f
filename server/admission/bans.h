/* Banned networks, each with the time at which its ban ends. A look-up costs one probe
 * for each prefix length that is in use. */
#ifndef SERVER_ADMISSION_BANS_H
#define SERVER_ADMISSION_BANS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

struct bans;

struct bans *bans_new(void) MUST_USE;
/* `bans` may be NULL. */
void bans_free(struct bans *bans);

/* Bans the network until until_ms, in place of an earlier ban of it. */
void bans_set(struct bans *bans, const struct prefix *network, int64_t until_ms);
/* Ends the ban of exactly that network. False: it was not banned. */
bool bans_remove(struct bans *bans, const struct prefix *network);
/* True if a network that contains the address is banned. Also removes a ban that it
 * finds expired. */
bool bans_has(struct bans *bans, const struct prefix *from, int64_t now_ms);
int bans_count(const struct bans *bans);

#endif
