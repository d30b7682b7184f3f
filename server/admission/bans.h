/* Banned networks, each until some time. A look-up costs one probe for each prefix
 * length that is in use. */
#ifndef SERVER_ADMISSION_BANS_H
#define SERVER_ADMISSION_BANS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

struct bans;

struct bans *bans_new(void) MUST_USE;
/* Takes NULL. */
void bans_free(struct bans *bans);

void bans_set(struct bans *bans, const struct prefix *network, int64_t until_ms);
bool bans_remove(struct bans *bans, const struct prefix *network);
/* Also removes a ban that it finds expired. */
bool bans_has(struct bans *bans, const struct prefix *from, int64_t now_ms);
int bans_count(const struct bans *bans);

#endif
