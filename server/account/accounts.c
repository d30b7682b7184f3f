/* See accounts.h. */
#include "server/account/accounts.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"

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
static void digest_of(unsigned char out[STORE_DIGEST_BYTES], const char *token);
static void make_token(char token[TOKEN_BYTES]);
/* Writes the name's row. done may be NULL. */
static void save(struct accounts *accounts, struct account *account,
                 store_done_fn *done, void *arg);

/* --- Further devices --- */

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

static void append_device(struct account *account, const struct store_device *row)
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

static void forget_devices(struct account *account)
{
    struct device *device, *next;

    forget_code(account);
    DL_FOREACH_SAFE (account->devices, device, next)
        free(device);
    account->devices = NULL;
}

static bool is_held_by_device(const struct account *account)
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
    digest_of(account->code->digest, code);
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
        digest_of(digest, plain);
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
        make_token(token);
        digest_of(device->digest, token);
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
    save(accounts, account, NULL, NULL);
    drop(accounts, account, device, done, arg);
    store_end_together(accounts->store);
    return true;
}

void accounts_remove_token(struct accounts *accounts, struct account *account,
                           const char *token)
{
    unsigned char digest[STORE_DIGEST_BYTES];
    struct device *device;

    digest_of(digest, token);
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

enum {
    TOKEN_RANDOM_BYTES = 24,
    TOKEN_LIFE_S = 7 * 86400, /* unused for so long, a token's name falls free */
    TOUCH_EVERY_S = 3600,     /* how often a use is worth a write */
    UNCLAIMED = 0             /* as seen_wall_s: nobody has the token */
};

static void digest_of(unsigned char out[STORE_DIGEST_BYTES], const char *token)
{
    if (EVP_Digest(token, strlen(token), out, NULL, EVP_sha256(), NULL) != 1)
        die("accounts sha256 is missing");
}

static void remember(void *arg, const struct store_name *name)
{
    struct accounts *accounts = arg;
    struct account *account = mem_new(sizeof *account);

    if (!text_copy(account->folded, sizeof account->folded, name->folded) ||
        !text_copy(account->shown, sizeof account->shown, name->shown)) {
        log_warn("accounts name=%s why=too-long", name->shown);
        free(account);
        return;
    }
    account->proof = name->proof;
    memcpy(account->digest, name->digest, sizeof account->digest);
    account->seen_wall_s = account->kept_wall_s = name->seen_wall_s;
    account->first_game = name->first_game;
    account->accepted = name->accepted;
    account->is_saved = true;
    HASH_ADD_STR(accounts->by_name, folded, account);
}

static void remember_unseen(void *arg, const char *folded)
{
    struct accounts *accounts = arg;
    struct account *account;

    HASH_FIND_STR(accounts->by_name, folded, account);
    if (account != NULL)
        account->has_unseen = true;
}

static void remember_device(void *arg, const struct store_device *row)
{
    struct accounts *accounts = arg;
    struct account *account;

    HASH_FIND_STR(accounts->by_name, row->folded, account);
    if (account != NULL)
        append_device(account, row);
}

struct accounts *accounts_open(struct store *store, int names_max)
{
    struct accounts *accounts = mem_new(sizeof *accounts);

    accounts->store = store;
    accounts->names_max = names_max;
    accounts->started_wall_s = wall_now_s();
    if (store_load_names(store, remember, accounts) &&
        store_load_devices(store, remember_device, accounts) &&
        store_load_unseen(store, remember_unseen, accounts))
        return accounts;
    accounts_close(accounts);
    return NULL;
}

static void account_free(struct account *account)
{
    forget_devices(account);
    free(account);
}

void accounts_close(struct accounts *accounts)
{
    struct account *account, *next;

    if (accounts == NULL)
        return;
    HASH_ITER (hh, accounts->by_name, account, next) {
        HASH_DEL(accounts->by_name, account);
        account_free(account);
    }
    free(accounts);
}

struct account *accounts_find(struct accounts *accounts, const char *name)
{
    char folded[NAME_BYTES];
    struct account *account;

    utf8_fold_name(folded, name);
    HASH_FIND_STR(accounts->by_name, folded, account);
    return account;
}

struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game)
{
    struct account *account = accounts_find(accounts, name);

    return account != NULL && account_owns_seat(account, game) ? account : NULL;
}

/* A token name that nobody used for long, nobody uses now and that sits nowhere. After
 * a crash nobody knows who was here until then: all count as seen at the start. */
static bool has_fallen_free(const struct accounts *accounts,
                            const struct account *account, int64_t now_wall_s)
{
    int64_t seen_wall_s = account->seen_wall_s > accounts->started_wall_s
                              ? account->seen_wall_s
                              : accounts->started_wall_s;

    return account->proof == STORE_PROOF_TOKEN && account->is_saved &&
           !is_held_by_device(account) && account->games == 0 &&
           account->session == 0 &&
           (account->seen_wall_s == UNCLAIMED ||
            now_wall_s - seen_wall_s > TOKEN_LIFE_S);
}

/* Is what was shown this proof? Either may be NULL: nothing of the kind was shown. */
static bool is_proof(enum store_proof proof, const unsigned char *digest,
                     const unsigned char *key, const unsigned char *token)
{
    const unsigned char *shown = proof == STORE_PROOF_KEY ? key : token;

    return shown != NULL && CRYPTO_memcmp(digest, shown, STORE_DIGEST_BYTES) == 0;
}

/* False: nothing that opens the account was shown. *is_saved: what does is on disk. */
static bool proof_fits(struct account *account, const unsigned char *key,
                       const char *token, bool *is_saved)
{
    unsigned char digest[STORE_DIGEST_BYTES], *shown = token != NULL ? digest : NULL;
    const unsigned char *found = NULL;

    if (token != NULL)
        digest_of(digest, token);
    *is_saved = account->is_saved;
    if (is_proof(account->proof, account->digest, key, shown))
        found = account->digest;
    for (struct device *d = account->devices; found == NULL && d != NULL; d = d->next)
        if (is_proof(d->proof, d->digest, key, shown)) {
            found = d->digest;
            *is_saved = account->is_saved && d->is_saved;
        }
    if (found != NULL)
        memcpy(account->shown_digest, found, STORE_DIGEST_BYTES);
    return found != NULL;
}

enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t now_wall_s, struct account **out)
{
    struct account *account = accounts_find(accounts, name);
    bool is_saved;

    *out = account;
    if (account != NULL && proof_fits(account, key, token, &is_saved))
        return is_saved ? ACCOUNTS_WELCOME : ACCOUNTS_UNSAVED;
    if (account != NULL && !has_fallen_free(accounts, account, now_wall_s))
        return ACCOUNTS_WRONG;
    if (token != NULL)
        return ACCOUNTS_NOBODY;
    return account != NULL ||
                   HASH_COUNT(accounts->by_name) < (unsigned)accounts->names_max
               ? ACCOUNTS_NEW
               : ACCOUNTS_FULL;
}

static void save(struct accounts *accounts, struct account *account,
                 store_done_fn *done, void *arg)
{
    struct store_name name = {.folded = account->folded,
                              .shown = account->shown,
                              .proof = account->proof,
                              .seen_wall_s = account->seen_wall_s,
                              .first_game = account->first_game,
                              .accepted = account->accepted};

    memcpy(name.digest, account->digest, sizeof name.digest);
    account->kept_wall_s = account->seen_wall_s;
    store_put_name(accounts->store, &name, done, arg);
}

/* A proof on its way to the disk. */
struct saving {
    struct account *account;
    store_done_fn *done;
    void *arg;
};

static void on_saved(void *arg)
{
    struct saving *saving = arg;

    saving->account->is_saved = true;
    saving->done(saving->arg);
    free(saving);
}

static void make_token(char token[TOKEN_BYTES])
{
    unsigned char random[TOKEN_RANDOM_BYTES];

    if (RAND_bytes(random, sizeof random) != 1)
        die("accounts no random numbers");
    text_base64url(token, random, sizeof random);
}

struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s, store_done_fn *done, void *arg)
{
    struct account *account = accounts_find(accounts, name);

    if (account == NULL) {
        account = mem_new(sizeof *account);
        utf8_fold_name(account->folded, name);
        HASH_ADD_STR(accounts->by_name, folded, account);
    }
    text_copy(account->shown, sizeof account->shown, name);
    account->seen_wall_s = now_wall_s;
    account->first_game = store_next_game(accounts->store);
    account->accepted = (struct store_accept){0};
    account->has_unseen = false; /* what an earlier owner missed is not for this one */
    store_drop_unseen(accounts->store, account->folded, 0);
    forget_devices(account); /* nor are its other devices */
    store_drop_device(accounts->store, account->folded, NULL, NULL, NULL);
    if (key != NULL) {
        account->proof = STORE_PROOF_KEY;
        memcpy(account->digest, key, sizeof account->digest);
    } else {
        account->proof = STORE_PROOF_TOKEN;
        make_token(token);
        digest_of(account->digest, token);
    }
    memcpy(account->shown_digest, account->digest, sizeof account->digest);
    accounts_confirm(accounts, account, done, arg);
    return account;
}

void accounts_confirm(struct accounts *accounts, struct account *account,
                      store_done_fn *done, void *arg)
{
    struct saving *saving = mem_new(sizeof *saving);

    *saving = (struct saving){.account = account, .done = done, .arg = arg};
    account->is_saved = false;
    save(accounts, account, on_saved, saving);
}

void accounts_unclaim(struct accounts *accounts, struct account *account)
{
    account->seen_wall_s = UNCLAIMED;
    save(accounts, account, NULL, NULL);
}

void accounts_sweep(struct accounts *accounts, int64_t now_wall_s)
{
    struct account *account, *next;

    HASH_ITER (hh, accounts->by_name, account, next) {
        bool is_wanted = account->is_wanted;

        account->is_wanted = false;
        if (is_wanted || !has_fallen_free(accounts, account, now_wall_s))
            continue;
        HASH_DEL(accounts->by_name, account);
        account_free(account);
    }
}

void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted)
{
    account->accepted = *accepted;
    save(accounts, account, NULL, NULL);
}

void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s)
{
    account->seen_wall_s = now_wall_s;
    if (now_wall_s - account->kept_wall_s >= TOUCH_EVERY_S)
        save(accounts, account, NULL, NULL);
}

bool account_owns_seat(const struct account *account, int64_t game)
{
    return game >= account->first_game;
}

bool account_sit(struct account *account, int64_t game)
{
    if (account->games == ACCOUNT_GAMES_MAX)
        return false;
    account->game[account->games++] = game;
    return true;
}

void account_rise(struct account *account, int64_t game)
{
    for (int i = 0; i < account->games; i++)
        if (account->game[i] == game) {
            account->game[i] = account->game[--account->games];
            return;
        }
}
