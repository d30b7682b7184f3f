/* See account.h. */
#include "server/account/account.h"

#include <assert.h>
#include <string.h>

#include <openssl/crypto.h>

#include "common/base/mem.h"
#include "server/account/quota.h"

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

const struct proof *account_find_proof(const struct account *account,
                                       const unsigned char *key, const char *token)
{
    unsigned char digest[STORE_DIGEST_BYTES];

    if (token != NULL)
        code_digest(digest, token);
    for (int i = 0; i < account->proof_count; i++) {
        const struct proof *proof = &account->proofs[i];
        const unsigned char *shown = proof->kind == STORE_PROOF_KEY ? key
                                     : token != NULL                ? digest
                                                                    : NULL;

        if (shown != NULL && CRYPTO_memcmp(proof->digest, shown, sizeof digest) == 0)
            return proof;
    }
    return NULL;
}

void account_take_proof(struct account *account, const struct proof *proof)
{
    memcpy(account->shown_digest, proof->digest, sizeof account->shown_digest);
}

enum store_proof account_shown_proof(const struct account *account)
{
    for (int i = 0; i < account->proof_count; i++)
        if (memcmp(account->proofs[i].digest, account->shown_digest,
                   STORE_DIGEST_BYTES) == 0)
            return account->proofs[i].kind;
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

int account_keys(const struct account *account)
{
    int keys = 0;

    for (int i = 0; i < account->proof_count; i++)
        keys += account->proofs[i].kind == STORE_PROOF_KEY;
    return keys;
}

void account_add_proof(struct account *account, enum store_proof kind,
                       const unsigned char digest[STORE_DIGEST_BYTES],
                       int64_t since_wall_s)
{
    int at = account->proof_count++;
    struct proof *proofs =
        mem_resize(account->proofs, (size_t)account->proof_count, sizeof *proofs);

    account->proofs = proofs;
    for (; at > 1 && proofs[at - 1].since_wall_s > since_wall_s; at--)
        proofs[at] = proofs[at - 1];
    proofs[at] = (struct proof){.kind = kind, .since_wall_s = since_wall_s};
    memcpy(proofs[at].digest, digest, sizeof proofs[at].digest);
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
