/* See accounts.h. */
#include "server/account/accounts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/account/ticket.h"

struct accounts {
    struct store *store;
    struct accounts_settings settings;
    struct account *by_name, *by_number;
    struct account *by_look; /* names that look alike have the same look */
    struct account *members; /* members and staff, in the order in which they got the
                              * role */
    struct quotas *quotas;
    struct deadlines *deadlines;
    struct deadline_kind expiry;
    struct marks *marks;
    struct tickets *tickets;
    struct messages *messages;
    accounts_challenges_fn *drop_challenges; /* NULL: not set */
    void *challenges_arg;
    int64_t last_number; /* the highest number that any account has had */
    int64_t kept_number; /* the last_number that is on disk, in a mark. The mark remains
                          * when all names are removed */
    bool has_older;      /* some names were stored by an older janggid */
};

/* The kind of the server's own mark that stores last_number. */
static const char number_kind[] = "last-account";

enum { TOKEN_RANDOM_BYTES = 24 };
static_assert(TOKEN_BYTES == (TOKEN_RANDOM_BYTES * 4 + 2) / 3 + 1,
              "a token does not fit");

/* Writes the name's row. */
static void save(struct accounts *accounts, struct account *account)
{
    struct store_name name = {.folded = account->folded,
                              .shown = account->shown,
                              .proof = account->proofs[0].kind,
                              .seen_wall_s = account->seen_wall_s,
                              .first_game = account->first_game,
                              .accepted = account->accepted,
                              .number = account->number,
                              .made_wall_s = account->made_wall_s,
                              .is_fresh = account->is_fresh};

    memcpy(name.digest, account->proofs[0].digest, sizeof name.digest);
    account->kept_wall_s = account->seen_wall_s;
    store_put(accounts->store, STORE_NAME, &name);
}

/* Makes a proof: `key`, or a fresh token if `key` is NULL. Writes the digest of the
 * proof to digest[], and returns the kind of the proof. */
static enum store_proof make_proof(unsigned char digest[STORE_DIGEST_BYTES],
                                   const unsigned char *key, char token[TOKEN_BYTES])
{
    if (key != NULL) {
        memcpy(digest, key, STORE_DIGEST_BYTES);
        return STORE_PROOF_KEY;
    }
    code_make_secret(token, TOKEN_RANDOM_BYTES);
    code_digest(digest, token);
    return STORE_PROOF_TOKEN;
}

/* --- Further devices --- */

/* Call it when the rows that change the account's proofs are queued: whoever shows a
 * proof must not learn of the change before it is on disk. */
static void note_proofs(const struct accounts *accounts, struct account *account)
{
    account->stamp = store_gate(accounts->store)->newest;
}

void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s)
{
    unsigned char digest[STORE_DIGEST_BYTES];
    enum store_proof proof = make_proof(digest, key, token);
    struct store_device row = {
        .folded = account->folded, .proof = proof, .since_wall_s = now_wall_s};

    tickets_void(accounts->tickets, TICKET_DEVICE, account->folded);
    account_add_proof(account, proof, digest, now_wall_s);
    log_info("account name=%s device=added", account->shown);
    memcpy(row.digest, digest, sizeof row.digest);
    store_put(accounts->store, STORE_DEVICE, &row);
    note_proofs(accounts, account);
}

static int find_proof(const struct account *account,
                      const unsigned char digest[STORE_DIGEST_BYTES])
{
    int at = account->proof_count - 1;

    while (at >= 0 &&
           memcmp(account->proofs[at].digest, digest, STORE_DIGEST_BYTES) != 0)
        at--;
    return at;
}

/* Drops proof number `at`, which is not the first. */
static void drop(struct accounts *accounts, struct account *account, int at)
{
    struct proof *proofs = account->proofs;
    struct store_device row = {.folded = account->folded};

    memcpy(row.digest, proofs[at].digest, sizeof row.digest);
    store_drop(accounts->store, STORE_DEVICE, &row, 2);
    note_proofs(accounts, account);
    memmove(proofs + at, proofs + at + 1,
            (size_t)(--account->proof_count - at) * sizeof *proofs);
}

void accounts_remove_device(struct accounts *accounts, struct account *account,
                            const unsigned char digest[STORE_DIGEST_BYTES])
{
    int at = find_proof(account, digest);

    if (at > 0)
        drop(accounts, account, at);
}

bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES])
{
    struct proof *proofs = account->proofs;
    int at = find_proof(account, digest);
    bool is_first = at == 0;

    /* the heir of the first proof: the oldest further key, or else the oldest one */
    for (int i = 1; is_first && i < account->proof_count; i++)
        if (at == 0 ||
            (proofs[at].kind != STORE_PROOF_KEY && proofs[i].kind == STORE_PROOF_KEY))
            at = i;
    if (at <= 0)
        return false;
    /* One batch stores an heir as the first proof and removes it from the further
     * proofs. So after a crash, the account has a first proof, and the heir is not
     * stored twice. */
    if (is_first) {
        proofs[0] = proofs[at];
        proofs[0].since_wall_s = 0;
        save(accounts, account);
    }
    drop(accounts, account, at);
    /* the removed device may have made the code */
    tickets_void(accounts->tickets, TICKET_DEVICE, account->folded);
    log_info("account name=%s device=removed", account->shown);
    return true;
}

enum {
    TOUCH_EVERY_S = 3600, /* how often seen_wall_s is written */
    UNCLAIMED = 0         /* value of seen_wall_s: the token was never delivered */
};

/* --- Names --- */

/* Adds an account that has a number to the table by number. */
static void add_number(struct accounts *accounts, struct account *account)
{
    HASH_ADD(by_number, accounts->by_number, number, sizeof account->number, account);
}

static void remove_number(struct accounts *accounts, struct account *account)
{
    if (account->number == 0)
        return;
    /* uthash's macros mislead the analyzer: a table that contains account is not
     * empty. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    HASH_DELETE(by_number, accounts->by_number, account);
    account->number = 0;
}

static void add_name(struct accounts *accounts, struct account *account)
{
    HASH_ADD_STR(accounts->by_name, folded, account);
    utf8_look_of_name(account->look, account->folded);
    HASH_ADD(by_look, accounts->by_look, look, strlen(account->look), account);
}

/* Sets the time of the next on_expiry() for the account. If the account cannot expire
 * and is counted in no source, removes the account's deadline. */
static void look_again(struct accounts *accounts, struct account *account,
                       int64_t due_wall_s)
{
    if (account->is_fresh || account->source != NULL)
        deadlines_set(accounts->deadlines, &account->deadline, &accounts->expiry,
                      due_wall_s);
    else
        deadlines_remove(accounts->deadlines, &account->deadline);
}

static int64_t expires_wall_s(const struct accounts *accounts,
                              const struct account *account)
{
    return account->seen_wall_s == UNCLAIMED
               ? 0
               : account->seen_wall_s + (int64_t)accounts->settings.name_days * DAY_S +
                     1;
}

/* --- Reading --- */

static void remember(void *arg, const void *row)
{
    const struct store_name *name = row;
    struct accounts *accounts = arg;
    struct account *account = mem_new(sizeof *account);

    if (!text_copy(account->folded, sizeof account->folded, name->folded) ||
        !text_copy(account->shown, sizeof account->shown, name->shown)) {
        log_warn("accounts name=%s why=too-long", name->shown);
        free(account);
        return;
    }
    account_add_proof(account, name->proof, name->digest, 0);
    account->seen_wall_s = account->kept_wall_s = name->seen_wall_s;
    account->first_game = name->first_game;
    account->accepted = name->accepted;
    accounts_set_role(accounts, account,
                      name->made_wall_s == 0 ? ROLE_MEMBER : ROLE_PLAYER);
    accounts->has_older = accounts->has_older || name->made_wall_s == 0;
    account->number = name->number;
    account->made_wall_s = name->made_wall_s;
    account->is_fresh = name->is_fresh;
    if (name->number > accounts->last_number)
        accounts->last_number = name->number;
    add_name(accounts, account);
    if (account->number != 0)
        add_number(accounts, account);
    look_again(accounts, account, expires_wall_s(accounts, account));
}

static void remember_unseen(void *arg, const void *row)
{
    const char *folded = ((const struct store_unseen *)row)->folded;
    struct accounts *accounts = arg;
    struct account *account;

    HASH_FIND_STR(accounts->by_name, folded, account);
    if (account != NULL)
        account->has_unseen = true;
}

static void remember_device(void *arg, const void *stored)
{
    const struct store_device *row = stored;
    struct accounts *accounts = arg;
    struct account *account;

    HASH_FIND_STR(accounts->by_name, row->folded, account);
    if (account != NULL && account->proof_count <= DEVICES_MAX)
        account_add_proof(account, row->proof, row->digest, row->since_wall_s);
}

static void on_expiry(void *arg, struct deadline *deadline, int64_t now_wall_s);

static void remember_number(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    struct accounts *accounts = arg;

    if (mark->owner[0] != '\0' || strcmp(mark->kind, number_kind) != 0 ||
        !text_to_int(mark->value, 0, INT64_MAX, &accounts->kept_number))
        return;
    if (accounts->kept_number > accounts->last_number)
        accounts->last_number = accounts->kept_number;
}

static struct account *find_folded(void *arg, const char *folded)
{
    return accounts_find(arg, folded);
}

struct accounts *accounts_open(struct store *store, struct deadlines *deadlines,
                               const struct accounts_settings *settings)
{
    struct accounts *accounts = mem_new(sizeof *accounts);

    accounts->store = store;
    accounts->settings = *settings;
    accounts->deadlines = deadlines;
    accounts->quotas = quotas_new(deadlines, &settings->quotas);
    accounts->expiry = (struct deadline_kind){on_expiry, accounts};
    if (store_load(store, STORE_NAME, remember, accounts) &&
        store_load(store, STORE_MARK, remember_number, accounts) &&
        store_load(store, STORE_DEVICE, remember_device, accounts) &&
        store_load(store, STORE_UNSEEN, remember_unseen, accounts) &&
        (accounts->marks = marks_open(store)) != NULL &&
        (accounts->messages = messages_open(store, deadlines)) != NULL &&
        (accounts->tickets = tickets_open(store, find_folded, accounts)) != NULL)
        return accounts;
    accounts_close(accounts);
    return NULL;
}

/* --- Quotas --- */

static bool is_young(const struct account *account, int64_t now_wall_s)
{
    return now_wall_s - account->made_wall_s < DAY_S;
}

void accounts_come_from(struct accounts *accounts, struct account *account,
                        const char *address, int64_t now_wall_s)
{
    if (!is_young(account, now_wall_s)) {
        quota_leave(account);
        return;
    }
    if (account->source != NULL)
        return;
    quota_join(accounts->quotas, account, address);
    look_again(accounts, account, now_wall_s + DAY_S);
}

/* --- All accounts --- */

static void account_free(struct accounts *accounts, struct account *account)
{
    quota_leave(account);
    accounts_set_role(accounts, account, ROLE_GUEST);
    HASH_DEL(accounts->by_name, account);
    HASH_DELETE(by_look, accounts->by_look, account);
    remove_number(accounts, account);
    deadlines_remove(accounts->deadlines, &account->deadline);
    free(account->proofs);
    free(account);
}

/* Drops the open challenges to the account, because it will never answer them. */
static void drop_challenges(const struct accounts *accounts, struct account *account)
{
    if (account->asked != NULL && accounts->drop_challenges != NULL)
        accounts->drop_challenges(accounts->challenges_arg, account);
}

void accounts_change(struct accounts *accounts,
                     const struct accounts_settings *settings)
{
    accounts->settings = *settings;
    quotas_change(accounts->quotas, &settings->quotas);
}

void accounts_close(struct accounts *accounts)
{
    struct account *account, *next;

    if (accounts == NULL)
        return;
    HASH_ITER (hh, accounts->by_name, account, next)
        account_free(accounts, account);
    marks_close(accounts->marks);
    messages_close(accounts->messages);
    tickets_close(accounts->tickets);
    quotas_free(accounts->quotas);
    free(accounts);
}

struct quotas *accounts_quotas(const struct accounts *accounts)
{
    return accounts->quotas;
}

struct tickets *accounts_tickets(const struct accounts *accounts)
{
    return accounts->tickets;
}

struct marks *accounts_marks(const struct accounts *accounts)
{
    return accounts->marks;
}

struct messages *accounts_messages(const struct accounts *accounts)
{
    return accounts->messages;
}

bool accounts_has_older(const struct accounts *accounts)
{
    return accounts->has_older;
}

struct account *accounts_find(struct accounts *accounts, const char *name)
{
    char folded[NAME_BYTES];
    struct account *account;

    utf8_fold_name(folded, name);
    HASH_FIND_STR(accounts->by_name, folded, account);
    return account;
}

struct account *accounts_find_number(struct accounts *accounts, int64_t number)
{
    struct account *account;

    HASH_FIND(by_number, accounts->by_number, &number, sizeof number, account);
    return account;
}

void accounts_each_member(const struct accounts *accounts, account_fn *see, void *arg)
{
    const struct account *account;

    DL_FOREACH2 (accounts->members, account, member_next)
        see(arg, account);
}

void accounts_set_role(struct accounts *accounts, struct account *account,
                       enum role role)
{
    bool was_member = account->role >= ROLE_MEMBER, is_member = role >= ROLE_MEMBER;

    account->role = role;
    if (role > ROLE_MEMBER) /* void the open code: a session that logged in with a token
                             * may have made it, and must not add a key to an account of
                             * the staff */
        tickets_void(accounts->tickets, TICKET_DEVICE, account->folded);
    if (is_member && !was_member)
        DL_APPEND2(accounts->members, account, member_prev, member_next);
    else if (was_member && !is_member)
        DL_DELETE2(accounts->members, account, member_prev, member_next);
}

struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game)
{
    struct account *account = accounts_find(accounts, name);

    return account != NULL && account_owns_seat(account, game) ? account : NULL;
}

void accounts_set_challenges(struct accounts *accounts,
                             accounts_challenges_fn *drop_all, void *arg)
{
    accounts->drop_challenges = drop_all;
    accounts->challenges_arg = arg;
}

static bool has_expired(const struct accounts *accounts, const struct account *account,
                        int64_t calendar_s)
{
    return account->is_fresh && account->role <= ROLE_PLAYER &&
           account_is_at_rest(account) && calendar_s >= account->ban_ends_wall_s &&
           calendar_s >= expires_wall_s(accounts, account);
}

/* --- Proofs of the login --- */

enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t calendar_s, struct account **out)
{
    struct account *account = accounts_find(accounts, name), *alike;
    char look[NAME_BYTES];

    *out = account;
    if (account != NULL && account_find_proof(account, key, token) != NULL)
        return ACCOUNTS_WELCOME;
    if (account != NULL && !has_expired(accounts, account, calendar_s))
        return ACCOUNTS_WRONG;
    if (token != NULL)
        return ACCOUNTS_NOBODY;
    if (account != NULL)
        return ACCOUNTS_NEW;
    utf8_look_of_name(look, name);
    HASH_FIND(by_look, accounts->by_look, look, strlen(look), alike);
    if (alike != NULL)
        return ACCOUNTS_ALIKE;
    return HASH_COUNT(accounts->by_name) < (unsigned)accounts->settings.names_max
               ? ACCOUNTS_NEW
               : ACCOUNTS_FULL;
}

/* Removes all proofs of the account, and gives it one new proof: `key`, or a fresh
 * token if `key` is NULL. The caller then saves the account. */
static void set_only_proof(struct accounts *accounts, struct account *account,
                           const unsigned char *key, char token[TOKEN_BYTES])
{
    unsigned char digest[STORE_DIGEST_BYTES];
    enum store_proof kind = make_proof(digest, key, token);

    account->proof_count = 0;
    account_add_proof(account, kind, digest, 0);
    tickets_void(accounts->tickets, TICKET_DEVICE, account->folded);
    store_drop(accounts->store, STORE_DEVICE,
               &(struct store_device){.folded = account->folded}, 1);
}

struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s)
{
    struct account *account = accounts_find(accounts, name);

    if (account == NULL) {
        account = mem_new(sizeof *account);
        utf8_fold_name(account->folded, name);
        add_name(accounts, account);
    }
    drop_challenges(accounts, account); /* challenges to an earlier owner, whose name
                                         * has expired */
    quota_leave(account);
    text_copy(account->shown, sizeof account->shown, name);
    accounts_set_role(accounts, account, ROLE_PLAYER);
    account->ban_ends_wall_s = 0;
    account->is_fresh = true;
    remove_number(accounts, account);
    account->number = ++accounts->last_number;
    add_number(accounts, account);
    account->made_wall_s = account->seen_wall_s = now_wall_s;
    account->first_game = store_next_game(accounts->store);
    account->accepted = (struct store_accept){0};
    account->has_unseen = false; /* the new owner must not be told about the ends of an
                                  * earlier owner's games */
    store_drop(accounts->store, STORE_UNSEEN,
               &(struct store_unseen){account->folded, 0}, 1);
    account->door[0] = '\0'; /* drop the invitation, marks and messages of an earlier
                              * owner */
    marks_forget(accounts->marks, account->folded);
    messages_forget(accounts->messages, account->folded);
    tickets_void(accounts->tickets, TICKET_RESET, account->folded);
    store_drop(accounts->store, STORE_MARK,
               &(struct store_mark){.owner = account->folded}, 1);
    set_only_proof(accounts, account, key, token);
    look_again(accounts, account, now_wall_s + DAY_S);
    save(accounts, account);
    note_proofs(accounts, account);
    return account;
}

void accounts_replace_proofs(struct accounts *accounts, struct account *account,
                             const unsigned char *key, char token[TOKEN_BYTES],
                             int64_t now_wall_s)
{
    account->seen_wall_s = now_wall_s;
    log_info("account name=%s proof=replaced", account->shown);
    set_only_proof(accounts, account, key, token);
    save(accounts, account);
    note_proofs(accounts, account);
}

void accounts_unclaim(struct accounts *accounts, struct account *account)
{
    account->seen_wall_s = UNCLAIMED;
    save(accounts, account);
    look_again(accounts, account, 0);
}

/* --- Expiry --- */

static void remove_account(struct accounts *accounts, struct account *account)
{
    char value[24];
    struct text text = text_into(value, sizeof value);
    struct store_mark highest = {
        .owner = "", .kind = number_kind, .subject = "", .value = value};

    if (accounts->kept_number != accounts->last_number) {
        /* no new account may get the number of a removed one */
        text_addf(&text, "%lld", (long long)accounts->last_number);
        store_put(accounts->store, STORE_MARK, &highest);
        accounts->kept_number = accounts->last_number;
    }
    store_drop_name(accounts->store, account->folded);
    marks_forget(accounts->marks, account->folded);
    messages_forget(accounts->messages, account->folded);
    tickets_void(accounts->tickets, TICKET_DEVICE, account->folded);
    tickets_void(accounts->tickets, TICKET_RESET, account->folded);
    account_free(accounts, account);
}

void accounts_erase(struct accounts *accounts, struct account *account)
{
    assert(account_is_idle(account));
    log_info("account number=%lld erased", (long long)account->number);
    remove_account(accounts, account);
}

bool accounts_expire(struct accounts *accounts, struct account *account,
                     int64_t calendar_s)
{
    if (!has_expired(accounts, account, calendar_s))
        return false;
    log_info("account name=%s number=%lld expired", account->shown,
             (long long)account->number);
    drop_challenges(accounts, account);
    remove_account(accounts, account);
    return true;
}

/* Checks whether an account has expired, or is too old for its source. Is called a day
 * after the last login or logout of the account, daily while the account is online, and
 * when the account may expire. If the account is online, also stores that the account
 * is in use. */
static void on_expiry(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct accounts *accounts = arg;
    struct account *account = OWNER_OF(deadline, struct account, deadline);
    int64_t due_wall_s;

    if (accounts_expire(accounts, account, store_calendar_s(accounts->store)))
        return;
    if (!is_young(account, now_wall_s))
        quota_leave(account);
    if (account->session != 0) {
        accounts_touch(accounts, account, now_wall_s);
        return;
    }
    due_wall_s = expires_wall_s(accounts, account);
    look_again(accounts, account,
               due_wall_s > now_wall_s ? due_wall_s : now_wall_s + DAY_S);
}

int64_t accounts_number(struct accounts *accounts, struct account *account)
{
    if (account->number == 0) {
        account->number = ++accounts->last_number;
        add_number(accounts, account);
        save(accounts, account);
    }
    return account->number;
}

void accounts_finish_game(struct accounts *accounts, struct account *account)
{
    if (!account->is_fresh)
        return;
    account->is_fresh = false;
    if (account->source == NULL)
        deadlines_remove(accounts->deadlines, &account->deadline);
    save(accounts, account);
}

void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted)
{
    account->accepted = *accepted;
    save(accounts, account);
}

void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s)
{
    account->seen_wall_s = now_wall_s;
    if (now_wall_s - account->kept_wall_s >= TOUCH_EVERY_S)
        save(accounts, account);
    look_again(accounts, account, now_wall_s + DAY_S);
}
