/* See accounts.h. */
#include "server/accounts.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "common/log.h"
#include "common/mem.h"
#include "common/text.h"

enum {
    TOKEN_RANDOM_BYTES = 24,
    TOKEN_LIFE_S = 7 * 86400, /* unused for so long, a token's name falls free */
    TOUCH_EVERY_S = 3600,     /* how often a use is worth a write */
    ACCOUNTS_MAX = 1000000
};

struct accounts {
    struct store *store;
    struct account *by_name;
};

/* SHA-256 of a token: what is stored, so that a stolen database opens no seat. */
static void token_digest(unsigned char out[STORE_DIGEST_BYTES], const char *token)
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
    account->seen_wall_s = name->seen_wall_s;
    HASH_ADD_STR(accounts->by_name, folded, account);
}

struct accounts *accounts_open(struct store *store)
{
    struct accounts *accounts = mem_new(sizeof *accounts);

    accounts->store = store;
    if (store_load_names(store, remember, accounts))
        return accounts;
    accounts_close(accounts);
    return NULL;
}

void accounts_close(struct accounts *accounts)
{
    struct account *account, *next;

    if (accounts == NULL)
        return;
    HASH_ITER(hh, accounts->by_name, account, next)
    {
        HASH_DEL(accounts->by_name, account);
        free(account);
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

/* A token name that nobody used for long, nobody uses now and that sits nowhere. */
static bool has_fallen_free(const struct account *account, int64_t now_wall_s)
{
    return account->proof == STORE_PROOF_TOKEN && account->games == 0 &&
           account->session == 0 && now_wall_s - account->seen_wall_s > TOKEN_LIFE_S;
}

static bool proof_fits(const struct account *account, const unsigned char *key,
                       const char *token)
{
    unsigned char digest[STORE_DIGEST_BYTES];

    if (account->proof == STORE_PROOF_KEY)
        return key != NULL && CRYPTO_memcmp(account->digest, key, sizeof digest) == 0;
    if (token == NULL)
        return false;
    token_digest(digest, token);
    return CRYPTO_memcmp(account->digest, digest, sizeof digest) == 0;
}

enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t now_wall_s, struct account **out)
{
    struct account *account = accounts_find(accounts, name);

    *out = account;
    if (account == NULL)
        return HASH_COUNT(accounts->by_name) < ACCOUNTS_MAX ? ACCOUNTS_NEW
                                                            : ACCOUNTS_FULL;
    if (proof_fits(account, key, token))
        return ACCOUNTS_WELCOME;
    return has_fallen_free(account, now_wall_s) ? ACCOUNTS_NEW : ACCOUNTS_WRONG;
}

static void save(struct accounts *accounts, const struct account *account,
                 store_done_fn *done, void *arg)
{
    struct store_name name = {.folded = account->folded,
                              .shown = account->shown,
                              .proof = account->proof,
                              .seen_wall_s = account->seen_wall_s};

    memcpy(name.digest, account->digest, sizeof name.digest);
    store_put_name(accounts->store, &name, done, arg);
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
    if (key != NULL) {
        account->proof = STORE_PROOF_KEY;
        memcpy(account->digest, key, sizeof account->digest);
    } else {
        account->proof = STORE_PROOF_TOKEN;
        make_token(token);
        token_digest(account->digest, token);
    }
    save(accounts, account, done, arg);
    return account;
}

void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s)
{
    if (now_wall_s - account->seen_wall_s < TOUCH_EVERY_S)
        return;
    account->seen_wall_s = now_wall_s;
    save(accounts, account, NULL, NULL);
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
