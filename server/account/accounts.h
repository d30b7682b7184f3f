/* Names and their proofs. The first login binds a name to a key (the TLS client
 * certificate's) or to a token that the server makes; afterwards only that proof opens
 * it. Held in memory, written through to the store: a new name counts once it is on
 * disk. A one-time code brings the proofs of further devices (accounts_device.c).
 *
 * An account also remembers, as bare numbers, which session uses it now and in which
 * games it sits, so that the rooms above need no second table of players. */
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
/* Of one name: proofs besides the first, and what a code is good for. */
/* Few enough that nobody guesses a code of eight letters, so many that nobody can keep
 * others from theirs by wrong ones, each of which costs a line of chat. */
enum { DEVICES_MAX = 8, DEVICE_CODE_MINUTES = 10, DEVICE_CODE_TRIES = 1000 };

struct device;      /* a further proof */
struct device_code; /* that may bring one */

/* Owned by struct accounts; lives as long as it, or until accounts_sweep(). */
struct account {
    char folded[NAME_BYTES];
    char shown[NAME_BYTES];
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    struct device *devices;                         /* further proofs */
    struct device_code *code;                       /* NULL: none is open */
    unsigned char shown_digest[STORE_DIGEST_BYTES]; /* the proof last shown */
    int64_t seen_wall_s;                            /* last moment online */
    int64_t kept_wall_s;                            /* the same as the disk has it */
    int64_t first_game; /* a lower number: a game of an earlier owner of the name */
    struct store_accept accepted; /* last; on disk with what it led to */
    bool is_saved;    /* its proof is on disk: before that it opens nothing */
    bool is_wanted;   /* somebody points at it: set before accounts_sweep() */
    uint64_t session; /* the session that uses it now, 0 for none */
    bool is_unheard;  /* its fresh token was sent to somebody who had gone */
    bool has_unseen;  /* there may be ends on disk that it has not seen */
    int games;
    int64_t game[ACCOUNT_GAMES_MAX]; /* running games in which it has a seat */
    UT_hash_handle hh;
};

struct accounts;

/* Reads all names, and who has not heard of some end. NULL after logging. The store is
 * borrowed. New names are taken up to names_max. */
struct accounts *accounts_open(struct store *store, int names_max) MUST_USE;
void accounts_close(struct accounts *accounts);

/* By any spelling; NULL when nobody has the name. */
struct account *accounts_find(struct accounts *accounts, const char *name);
/* The account that played under that name in that game; NULL when the name is free or
 * has another owner now. */
struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game);

enum accounts_verdict {
    ACCOUNTS_WELCOME, /* the proof fits */
    ACCOUNTS_NEW,     /* nobody has the name: accounts_bind() it */
    ACCOUNTS_UNSAVED, /* it fits, and is not on disk: accounts_confirm() it first */
    ACCOUNTS_FULL,    /* new, and there are too many names already */
    ACCOUNTS_WRONG,   /* the name has another proof */
    ACCOUNTS_NOBODY   /* a token was shown, and nobody has the name */
};

/* Judges name (from utf8_name) with the key digest (or NULL) and token (or NULL) shown.
 * *out gets the account, NULL if there is none. */
enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t now_wall_s, struct account **out);

/* Binds a new name, or one that fell free, to key, or to a fresh token when key is
 * NULL; the token goes to token[]. done is called once it is on disk. Returns the
 * account. */
struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s, store_done_fn *done, void *arg);

/* Calls done once a proof that is on its way to the disk is there. */
void accounts_confirm(struct accounts *accounts, struct account *account,
                      store_done_fn *done, void *arg);

/* Its token reached nobody: the name is free again at once, unless somebody comes with
 * that token first. */
void accounts_unclaim(struct accounts *accounts, struct account *account);

/* --- Further devices --- */

/* A fresh code in place of one that is open: who comes with it within its minutes may
 * add a proof, once. It is not kept on disk, and here only as a digest. False: the
 * account has DEVICES_MAX further proofs. */
bool accounts_make_code(struct account *account, char code[CODE_BYTES],
                        int64_t now_ms) MUST_USE;

/* Is this the code? It is used up then; DEVICE_CODE_TRIES wrong ones void it. */
bool accounts_use_code(struct account *account, const char *code,
                       int64_t now_ms) MUST_USE;

/* Key, or a fresh token when key is NULL, opens the account from then on; otherwise as
 * accounts_bind(). */
void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s, store_done_fn *done, void *arg);

/* The fresh token of a further device reached nobody. */
void accounts_remove_token(struct accounts *accounts, struct account *account,
                           const char *token);

/* The kind of the proof last shown. */
enum store_proof account_shown_proof(const struct account *account);

/* All proofs that are on disk, the first login's in front. Returns how many. */
struct account_proof {
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s; /* 0: since the first login */
};
int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1]);

/* What has that digest opens the account no longer; done is called once that is on
 * disk. False: it is the only proof that there is, or none of its. */
bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES],
                           store_done_fn *done, void *arg) MUST_USE;

/* Forgets all names that have fallen free and are not is_wanted, which it clears. */
void accounts_sweep(struct accounts *accounts, int64_t now_wall_s);

/* The account accepts *accepted: written now, in one batch with what it leads to (see
 * store_begin_together()). */
void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted);

/* The account is used now: keeps its token alive. */
void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s);

/* Was the name this owner's when that game began? */
bool account_owns_seat(const struct account *account, int64_t game);

/* Seats. account_sit is false when it sits in ACCOUNT_GAMES_MAX games. */
bool account_sit(struct account *account, int64_t game) MUST_USE;
void account_rise(struct account *account, int64_t game);

#endif
