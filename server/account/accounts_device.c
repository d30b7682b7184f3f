/* See accounts.h, "Further devices". */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/account/accounts_parts.h"

enum { MINUTE_MS = 60000 };

/* --- The list --- */

static struct device *device_new(struct account *account, enum store_proof proof,
                                 int64_t since_wall_s)
{
    struct device *device = mem_new(sizeof *device);

    device->proof = proof;
    device->since_wall_s = since_wall_s;
    DL_APPEND(account->devices, device);
    return device;
}

static struct device *find(struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES])
{
    struct device *device;

    DL_FOREACH (account->devices, device)
        if (memcmp(device->digest, digest, STORE_DIGEST_BYTES) == 0)
            return device;
    return NULL;
}

static int compare_age(struct device *one, struct device *other)
{
    return (one->since_wall_s > other->since_wall_s) -
           (one->since_wall_s < other->since_wall_s);
}

void account_remember_device(struct account *account, const struct store_device *row)
{
    struct device *device = device_new(account, row->proof, row->since_wall_s);

    memcpy(device->digest, row->digest, sizeof device->digest);
    device->is_saved = true;
    DL_SORT(account->devices, compare_age); /* rows come in the order of digests */
}

static void forget_code(struct account *account)
{
    free(account->code);
    account->code = NULL;
}

void account_forget_devices(struct account *account)
{
    struct device *device, *next;

    forget_code(account);
    DL_FOREACH_SAFE (account->devices, device, next)
        free(device);
    account->devices = NULL;
}

bool account_is_held_by_device(const struct account *account)
{
    const struct device *device;

    DL_FOREACH (account->devices, device)
        if (device->proof == STORE_PROOF_KEY || !device->is_saved)
            return true;
    return false;
}

enum store_proof account_shown_proof(const struct account *account)
{
    const struct device *device;

    DL_FOREACH (account->devices, device)
        if (memcmp(device->digest, account->shown_digest, sizeof device->digest) == 0)
            return device->proof;
    return account->proof;
}

int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1])
{
    const struct device *device;
    int count = 1;

    out[0] = (struct account_proof){.proof = account->proof};
    memcpy(out[0].digest, account->digest, sizeof out[0].digest);
    DL_FOREACH (account->devices, device) {
        if (!device->is_saved || count > DEVICES_MAX)
            continue;
        out[count] = (struct account_proof){.proof = device->proof,
                                            .since_wall_s = device->since_wall_s};
        memcpy(out[count++].digest, device->digest, sizeof device->digest);
    }
    return count;
}

/* --- The code --- */

static bool is_full(const struct account *account)
{
    const struct device *device;
    int count;

    DL_COUNT(account->devices, device, count);
    return count >= DEVICES_MAX;
}

bool accounts_make_code(struct account *account, char code[CODE_BYTES], int64_t now_ms)
{
    if (is_full(account))
        return false;
    if (account->code == NULL)
        account->code = mem_new(sizeof *account->code);
    code_make(code);
    accounts_digest(account->code->digest, code);
    account->code->until_ms = now_ms + (int64_t)DEVICE_CODE_MINUTES * MINUTE_MS;
    account->code->tries_left = DEVICE_CODE_TRIES;
    return true;
}

bool accounts_use_code(struct account *account, const char *code, int64_t now_ms)
{
    struct device_code *open = account->code;
    unsigned char digest[STORE_DIGEST_BYTES];
    char plain[CODE_BYTES];
    bool fits = false;

    if (open == NULL)
        return false;
    if (code_plain(plain, code)) {
        accounts_digest(digest, plain);
        fits = now_ms < open->until_ms &&
               CRYPTO_memcmp(open->digest, digest, sizeof digest) == 0;
    }
    if (fits || --open->tries_left == 0)
        forget_code(account);
    return fits && !is_full(account);
}

/* --- More and fewer --- */

/* A further proof on its way to the disk: it may be removed before it is there. */
struct adding {
    struct account *account;
    unsigned char digest[STORE_DIGEST_BYTES];
    store_done_fn *done;
    void *arg;
};

static void on_added(void *arg)
{
    struct adding *adding = arg;
    struct device *device = find(adding->account, adding->digest);

    if (device != NULL)
        device->is_saved = true;
    adding->done(adding->arg);
    free(adding);
}

static void put(struct accounts *accounts, const struct account *account,
                const struct device *device, store_done_fn *done, void *arg)
{
    struct store_device row = {.folded = account->folded,
                               .proof = device->proof,
                               .since_wall_s = device->since_wall_s};

    memcpy(row.digest, device->digest, sizeof row.digest);
    store_put_device(accounts->store, &row, done, arg);
}

void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s, store_done_fn *done, void *arg)
{
    enum store_proof proof = key != NULL ? STORE_PROOF_KEY : STORE_PROOF_TOKEN;
    struct device *device = device_new(account, proof, now_wall_s);
    struct adding *adding = mem_new(sizeof *adding);

    if (key != NULL) {
        memcpy(device->digest, key, sizeof device->digest);
    } else {
        accounts_make_token(token);
        accounts_digest(device->digest, token);
    }
    memcpy(account->shown_digest, device->digest, sizeof device->digest);
    *adding = (struct adding){.account = account, .done = done, .arg = arg};
    memcpy(adding->digest, device->digest, sizeof adding->digest);
    log_info("account name=%s device=added", account->shown);
    put(accounts, account, device, on_added, adding);
}

/* Who takes the place of the first proof: the oldest key, else the oldest token. */
static struct device *heir(struct account *account)
{
    struct device *device, *best = NULL;

    DL_FOREACH (account->devices, device)
        if (device->is_saved && (best == NULL || (best->proof != STORE_PROOF_KEY &&
                                                  device->proof == STORE_PROOF_KEY)))
            best = device;
    return best;
}

static void drop(struct accounts *accounts, struct account *account,
                 struct device *device, store_done_fn *done, void *arg)
{
    store_drop_device(accounts->store, account->folded, device->digest, done, arg);
    DL_DELETE(account->devices, device);
    free(device);
}

/* In one batch: no crash leaves the account with both, or with none. */
static bool remove_first(struct accounts *accounts, struct account *account,
                         store_done_fn *done, void *arg)
{
    struct device *device = heir(account);

    if (device == NULL)
        return false;
    account->proof = device->proof;
    memcpy(account->digest, device->digest, sizeof account->digest);
    store_begin_together(accounts->store);
    accounts_save(accounts, account, NULL, NULL);
    drop(accounts, account, device, done, arg);
    store_end_together(accounts->store);
    return true;
}

void accounts_remove_token(struct accounts *accounts, struct account *account,
                           const char *token)
{
    unsigned char digest[STORE_DIGEST_BYTES];
    struct device *device;

    accounts_digest(digest, token);
    device = find(account, digest);
    if (device != NULL)
        drop(accounts, account, device, NULL, NULL);
}

bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES],
                           store_done_fn *done, void *arg)
{
    struct device *device = find(account, digest);
    bool is_first = memcmp(account->digest, digest, STORE_DIGEST_BYTES) == 0;

    if (device != NULL)
        drop(accounts, account, device, done, arg);
    else if (!is_first || !remove_first(accounts, account, done, arg))
        return false;
    log_info("account name=%s device=removed", account->shown);
    return true;
}
