/* See account.h. */
#include "server/account/account.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <utlist.h>

#include "common/base/mem.h"
#include "server/account/quota.h"

enum { DAY_MS = 86400 * 1000 };

static_assert((int)STORE_DIGEST_BYTES == CODE_DIGEST_BYTES, "a digest does not fit");

/* --- Roles --- */

static const char *const role_names[] = {"guest", "player", "member", "moderator",
                                         "owner"};
static_assert(ARRAY_LEN(role_names) == ROLES, "a role has no name");

const char *role_name(enum role role)
{
    return role_names[role];
}

bool role_parse(const char *word, enum role *out)
{
    for (size_t i = 0; i < ARRAY_LEN(role_names); i++)
        if (strcmp(role_names[i], word) == 0) {
            *out = (enum role)i;
            return true;
        }
    return false;
}

/* --- Proofs --- */

/* `proof` is a kind of proof, and `digest` is its digest. Returns true if the player
 * has presented this proof. `key` and `token` are the digests that the player has
 * presented; NULL: not presented. */
static bool is_proof(enum store_proof proof, const unsigned char *digest,
                     const unsigned char *key, const unsigned char *token)
{
    const unsigned char *shown = proof == STORE_PROOF_KEY ? key : token;

    return shown != NULL && CRYPTO_memcmp(digest, shown, STORE_DIGEST_BYTES) == 0;
}

const unsigned char *account_find_proof(const struct account *account,
                                        const unsigned char *key, const char *token)
{
    unsigned char digest[STORE_DIGEST_BYTES], *shown = token != NULL ? digest : NULL;
    const unsigned char *found = NULL;

    if (token != NULL)
        code_digest(digest, token);
    if (is_proof(account->proof, account->digest, key, shown))
        found = account->digest;
    for (struct device *d = account->devices; found == NULL && d != NULL; d = d->next)
        if (is_proof(d->proof, d->digest, key, shown))
            found = d->digest;
    return found;
}

bool account_is_proved(const struct account *account, const unsigned char *key,
                       const char *token)
{
    return account_find_proof(account, key, token) != NULL;
}

void account_take_proof(struct account *account,
                        const unsigned char digest[STORE_DIGEST_BYTES])
{
    memcpy(account->shown_digest, digest, sizeof account->shown_digest);
}

enum store_proof account_shown_proof(const struct account *account)
{
    const unsigned char *shown = account->shown_digest;
    const struct device *device;

    if (memcmp(account->digest, shown, sizeof account->digest) == 0)
        return account->proof;
    DL_FOREACH (account->devices, device)
        if (memcmp(device->digest, shown, sizeof device->digest) == 0)
            return device->proof;
    return STORE_PROOF_TOKEN;
}

enum role account_role(const struct account *account)
{
    if (account == NULL)
        return ROLE_GUEST;
    return account->role > ROLE_MEMBER &&
                   account_shown_proof(account) != STORE_PROOF_KEY
               ? ROLE_MEMBER
               : account->role;
}

int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1])
{
    const struct device *device;
    int count = 1;

    out[0] = (struct account_proof){.proof = account->proof};
    memcpy(out[0].digest, account->digest, sizeof out[0].digest);
    DL_FOREACH (account->devices, device) {
        if (count > DEVICES_MAX)
            break;
        out[count] = (struct account_proof){.proof = device->proof,
                                            .since_wall_s = device->since_wall_s};
        memcpy(out[count++].digest, device->digest, sizeof device->digest);
    }
    return count;
}

int account_keys(const struct account *account)
{
    struct account_proof proof[DEVICES_MAX + 1];
    int count = account_proofs(account, proof), keys = 0;

    for (int i = 0; i < count; i++)
        keys += proof[i].proof == STORE_PROOF_KEY;
    return keys;
}

/* --- Further devices --- */

struct device *account_new_device(struct account *account, enum store_proof proof,
                                  int64_t since_wall_s)
{
    struct device *device = mem_new(sizeof *device);

    device->proof = proof;
    device->since_wall_s = since_wall_s;
    DL_APPEND(account->devices, device);
    return device;
}

struct device *account_find_device(struct account *account,
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

void account_append_device(struct account *account, const struct store_device *row)
{
    struct device *device = account_new_device(account, row->proof, row->since_wall_s);

    memcpy(device->digest, row->digest, sizeof device->digest);
    DL_SORT(account->devices, compare_age); /* the rows are read in the order of their
                                             * digests */
}

struct device *account_heir(struct account *account)
{
    struct device *device, *best = NULL;

    DL_FOREACH (account->devices, device)
        if (best == NULL ||
            (best->proof != STORE_PROOF_KEY && device->proof == STORE_PROOF_KEY))
            best = device;
    return best;
}

void account_forget_devices(struct account *account)
{
    struct device *device, *next;

    DL_FOREACH_SAFE (account->devices, device, next)
        free(device);
    account->devices = NULL;
}

bool account_has_room(const struct account *account)
{
    const struct device *device;
    int count;

    DL_COUNT(account->devices, device, count);
    return count < DEVICES_MAX;
}

/* --- What is open --- */

bool account_is_at_rest(const struct account *account)
{
    return account->session == 0 && account->open[QUOTA_GAME] == 0 &&
           account->rooms == 0 && account->invites == NULL;
}

bool account_is_idle(const struct account *account)
{
    return account_is_at_rest(account) && account->asked == NULL;
}

bool account_sit(struct account *account, int64_t game)
{
    if (account->open[QUOTA_GAME] == ACCOUNT_GAMES_MAX)
        return false;
    account->game[account->open[QUOTA_GAME]] = game;
    quota_count(account, QUOTA_GAME, 1);
    return true;
}

void account_rise(struct account *account, int64_t game)
{
    for (int i = 0; i < account->open[QUOTA_GAME]; i++)
        if (account->game[i] == game) {
            quota_count(account, QUOTA_GAME, -1);
            account->game[i] = account->game[account->open[QUOTA_GAME]];
            return;
        }
}

bool account_plays_with(const struct account *account, const struct account *other)
{
    for (int i = 0; i < account->open[QUOTA_GAME]; i++)
        for (int k = 0; k < other->open[QUOTA_GAME]; k++)
            if (account->game[i] == other->game[k])
                return true;
    return false;
}

bool account_owns_seat(const struct account *account, int64_t game)
{
    return game >= account->first_game;
}

/* --- What it may do --- */

bool account_spend_source(struct account *account, int64_t now_ms)
{
    if (account->sources == 0 || now_ms - account->sources_at_ms >= DAY_MS) {
        account->sources_at_ms = now_ms;
        account->sources = 0;
    }
    if (account->sources >= ACCOUNT_SOURCES_MAX)
        return false;
    account->sources++;
    return true;
}

bool account_spend_move(struct account *account, int per_s, int64_t now_ms)
{
    if (window_wait(&account->moves, 1000, per_s, now_ms) > 0)
        return false;
    window_count(&account->moves, 1000, now_ms);
    return true;
}

bool account_spend_act(struct account *account, int64_t now_ms)
{
    static const struct rate rate = {60000 / ACCOUNT_ACTS_PER_MIN, ACCOUNT_ACTS_BURST};

    return budget_spend(&account->acts, rate, now_ms);
}

/* --- The name --- */

bool account_is_name(const struct account *account, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return strcmp(account->folded, folded) == 0;
}

bool account_is_bot(const struct account *account)
{
    static const char ending[] = "-bot";
    size_t len = strlen(account->folded), tail = strlen(ending);

    return len > tail && strcmp(account->folded + len - tail, ending) == 0;
}
