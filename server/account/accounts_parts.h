/* What the files of the accounts share and nobody else sees.
 *
 *   accounts.c         names and what opens them
 *   accounts_device.c  the proofs of further devices, and the codes that bring them */
#ifndef SERVER_ACCOUNT_ACCOUNTS_PARTS_H
#define SERVER_ACCOUNT_ACCOUNTS_PARTS_H

#include "server/account/accounts.h"

struct accounts {
    struct store *store;
    int names_max;
    int64_t started_wall_s;
    struct account *by_name;
};

/* Owned by its account; the oldest in front. */
struct device {
    struct device *prev, *next;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s;
    bool is_saved; /* on disk: before that it opens nothing */
};

/* Owned by its account. */
struct device_code {
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t until_ms;
    int tries_left;
};

/* SHA-256 of a token or code: what is kept, so that what is stolen opens no seat. */
void accounts_digest(unsigned char out[STORE_DIGEST_BYTES], const char *token);
void accounts_make_token(char token[TOKEN_BYTES]);

/* Writes the name's row. done may be NULL. */
void accounts_save(struct accounts *accounts, struct account *account,
                   store_done_fn *done, void *arg);

void account_remember_device(struct account *account, const struct store_device *row);
/* Frees the further proofs and the code. */
void account_forget_devices(struct account *account);
/* Is there a further proof for whose sake a name does not fall free: a key, or one that
 * is on its way to the disk? */
bool account_is_held_by_device(const struct account *account);

#endif
