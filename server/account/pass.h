/* One-time codes that the host gives out. If a user opens the owner link, the user
 * becomes an owner. If a player has lost the key, the player can log in again with the
 * reset code. Only the digests of the codes are stored. They are on disk, so that the
 * codes stay valid after a restart. */
#ifndef SERVER_ACCOUNT_PASS_H
#define SERVER_ACCOUNT_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store.h"

struct passes;

enum { PASS_CODE_BYTES = 23 }; /* 128 bits as base64url, and a NUL */
enum { PASS_OWNER_MINUTES = 15, PASS_RESET_HOURS = 24 };

/* Reads the open codes from the store, which is borrowed. Returns NULL after logging
 * why. */
struct passes *passes_open(struct store *store) MUST_USE;
/* `passes` may be NULL. */
void passes_close(struct passes *passes);

/* These two functions make a new code, which replaces an unused one for the same
 * purpose (and the same account). folded is the account's name. */
void passes_make_owner(struct passes *passes, char code[PASS_CODE_BYTES],
                       int64_t now_wall_s);
void passes_make_reset(struct passes *passes, const char *folded,
                       char code[PASS_CODE_BYTES], int64_t now_wall_s);

/* Drops the open code of that name in memory; the caller removes the marks of the name
 * from the disk. */
void passes_forget(struct passes *passes, const char *folded);

/* True if `code` is the open code and has not expired. The code stays open, because the
 * login may still be refused. */
bool passes_is_owner(struct passes *passes, const char *code,
                     int64_t now_wall_s) MUST_USE;
bool passes_is_reset(struct passes *passes, const char *folded, const char *code,
                     int64_t now_wall_s) MUST_USE;
/* These two functions remove the open code. Call them in the batch that writes the new
 * role (owner code) or the new proof (reset code). */
void passes_use_owner(struct passes *passes);
void passes_use_reset(struct passes *passes, const char *folded);

#endif
