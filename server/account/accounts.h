/* Names and their proofs. The first login binds a name to a key (of the TLS client
 * certificate) or to a token made by the server; afterwards only that proof opens it.
 * Kept in memory and written through to the store: a new name is valid when it is on
 * disk. A one-time code adds the proof of a further device.
 *
 * An account also remembers, as plain numbers, its session and the games in which it
 * has a seat, so that the rooms need no second table of players. */
#ifndef SERVER_ACCOUNT_ACCOUNTS_H
#define SERVER_ACCOUNT_ACCOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "server/account/code.h"
#include "server/store/store.h"

enum { TOKEN_BYTES = 33 }; /* 24 random bytes as base64url, and a NUL */
enum { ACCOUNT_GAMES_MAX = 32 };
/* Enough tries that wrong codes, each of which costs a line of chat, cannot void the
 * right one; few enough that eight letters cannot be guessed. */
enum { DEVICES_MAX = 8, DEVICE_CODE_MINUTES = 10, DEVICE_CODE_TRIES = 1000 };

struct device;      /* a further proof */
struct device_code; /* a code that can add one */

/* Owned by struct accounts; freed with it or by accounts_sweep(). */
struct account {
    char folded[NAME_BYTES];
    char shown[NAME_BYTES];
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    struct device *devices;                         /* further proofs */
    struct device_code *code;                       /* NULL: no code is open */
    unsigned char shown_digest[STORE_DIGEST_BYTES]; /* the proof of the last login */
    int64_t seen_wall_s;                            /* last time online */
    int64_t kept_wall_s;                            /* the same, as written to disk */
    int64_t first_game; /* games with a lower number belong to an earlier owner of the
                         * name */
    struct store_accept accepted; /* the last accept; written in one batch with its
                                   * result */
    bool is_saved;    /* its proof is on disk; before that it opens nothing */
    bool is_wanted;   /* referred to by others: set before accounts_sweep() */
    uint64_t session; /* its session now; 0: none */
    bool is_unheard;  /* its fresh token was sent on a connection that had ended */
    bool has_unseen;  /* the disk may have ends that it has not seen */
    int games;
    int64_t game[ACCOUNT_GAMES_MAX]; /* running games in which it has a seat */
    UT_hash_handle hh;
};

struct accounts;

/* Reads all names, and which of them have unseen ends. NULL after logging. Borrows the
 * store. Limits new names to names_max. */
struct accounts *accounts_open(struct store *store, int names_max) MUST_USE;
void accounts_close(struct accounts *accounts);

/* Takes any spelling; NULL: unknown name. */
struct account *accounts_find(struct accounts *accounts, const char *name);
/* The account that played under name in game; NULL when the name is free or has another
 * owner now. */
struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game);

enum accounts_verdict {
    ACCOUNTS_WELCOME, /* the proof is right */
    ACCOUNTS_NEW,     /* a new name: accounts_bind() it */
    ACCOUNTS_UNSAVED, /* right, but not on disk yet: accounts_confirm() it first */
    ACCOUNTS_FULL,    /* a new name, but there are too many */
    ACCOUNTS_WRONG,   /* the name belongs to another proof */
    ACCOUNTS_NOBODY   /* a token for a name that does not exist */
};

/* Checks name (from utf8_name) against the given key digest or token (either may be
 * NULL). *out gets the account, or NULL. */
enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t now_wall_s, struct account **out);

/* Binds a new or expired name to key, or when key is NULL to a fresh token, which goes
 * to token[]. Calls done once that is on disk. Returns the account. */
struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s, store_done_fn *done, void *arg);

/* Calls done once the account's proof is on disk. */
void accounts_confirm(struct accounts *accounts, struct account *account,
                      store_done_fn *done, void *arg);

/* The fresh token was not delivered: frees the name at once, unless a client presents
 * that token first. */
void accounts_unclaim(struct accounts *accounts, struct account *account);

/* --- Further devices --- */

/* Makes a fresh code, replacing an open one. Within its minutes it adds one proof,
 * once. Only its digest is kept, in memory. False: the account has DEVICES_MAX further
 * proofs. */
bool accounts_make_code(struct account *account, char code[CODE_BYTES],
                        int64_t now_ms) MUST_USE;

/* True for the right code, which is then used up. After DEVICE_CODE_TRIES wrong ones
 * the code is void. */
bool accounts_use_code(struct account *account, const char *code,
                       int64_t now_ms) MUST_USE;

/* Adds key, or a fresh token when key is NULL, as a further proof; otherwise as
 * accounts_bind(). */
void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s, store_done_fn *done, void *arg);

/* Revokes a token of a further device that was not delivered. */
void accounts_remove_token(struct accounts *accounts, struct account *account,
                           const char *token);

/* The kind of the proof of the last login. */
enum store_proof account_shown_proof(const struct account *account);

/* All proofs on disk, the first login's first. Returns their number. */
struct account_proof {
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s; /* 0: since the first login */
};
int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1]);

/* Removes the proof with that digest; calls done once that is on disk. False: it is the
 * only proof, or not one of this account. */
bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES],
                           store_done_fn *done, void *arg) MUST_USE;

/* Forgets expired names, except those with is_wanted set; clears is_wanted. */
void accounts_sweep(struct accounts *accounts, int64_t now_wall_s);

/* Writes *accepted in one batch with its result (see store_begin_together()). */
void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted);

/* Notes that the account is in use, which keeps its token from expiring. */
void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s);

/* True when the account owned its name when that game began. */
bool account_owns_seat(const struct account *account, int64_t game);

/* account_sit() returns false when the account has ACCOUNT_GAMES_MAX games. */
bool account_sit(struct account *account, int64_t game) MUST_USE;
void account_rise(struct account *account, int64_t game);

#endif
