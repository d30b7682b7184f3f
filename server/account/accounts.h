/* Names and their proofs. The first login binds a name to a key (of the TLS client
 * certificate) or to a token made by the server; afterwards a login needs that
 * proof. Kept in memory and written through to the store: a new name is valid when
 * it is on disk. A one-time code adds the proof of a further device. A name that has
 * finished no game expires, in memory and on disk, when it has been unused for long.
 *
 * An account also stores, as plain numbers, its session and the games in which it
 * has a seat, so that the rooms need no second table of players. */
#ifndef SERVER_ACCOUNT_ACCOUNTS_H
#define SERVER_ACCOUNT_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "server/account/code.h"
#include "server/account/network.h"
#include "server/account/role.h"
#include "server/base/budget.h"
#include "server/base/deadline.h"
#include "server/base/prefix.h"
#include "server/store/store.h"

enum { TOKEN_BYTES = 33 }; /* 24 random bytes as base64url, and a NUL */
enum { ACCOUNT_GAMES_MAX = 32 };
enum { DEVICES_MAX = 8, DEVICE_CODE_MINUTES = 10 };

struct device;      /* a further proof */
struct device_code; /* a code that can add one */
struct seek;        /* the lobby's */
struct invite;

/* Owned by struct accounts; freed with it, or when it expires. */
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
    enum role role;               /* as granted. Use accounts_role() for checks */
    char door[CODE_BYTES]; /* the invitation that admitted it (lobby/door.h); "" */
    bool is_saved;         /* its proof is on disk; before that it admits no login */
    bool is_kept; /* does not expire, because of an act of the staff: a ban; written by
                   * house.c */
    struct prefix last_network; /* of its last login since the start, */
    bool is_last_known;         /* if there was one */
    struct prefix last_address; /* the same, the whole address, */
    bool is_address_known;      /* if there was one */
    bool is_fresh;              /* has finished no game */
    int64_t number;             /* never reused; 0: an older janggid made it, see
                     * accounts_number() */
    int64_t made_wall_s;        /* 0: an older janggid made it */
    struct deadline deadline;   /* while it is fresh or in a network */
    struct network *network; /* the network that it is counted in, while it is younger
                               * than a day; NULL: unknown, or older */
    struct budget begins;    /* limits how many games it begins; written by the lobby */
    int64_t moves_at_ms;     /* the second in which it made ... */
    int moves;               /* ... so many moves */
    int64_t reports_wall_s;  /* the start of the hour in which it made ... */
    int reports;             /* ... so many reports */
    int rooms;               /* the number of rooms that point to the account; written
                              * by the rooms */
    uint64_t session;        /* its session now; 0: none */
    int logins; /* that wait for the disk, and point to the account; written by login */
    int64_t here_at_ms; /* when others were last notified that it is here; 0: never */
    bool is_unheard;    /* its fresh token was sent on a connection that had ended */
    bool has_unseen;    /* games of this player may have ended unseen; the disk has the
                         * list */
    int games;
    int64_t game[ACCOUNT_GAMES_MAX]; /* running games in which it has a seat */
    struct seek *made;               /* its open seeks and challenges, ... */
    struct seek *asked;              /* ... open challenges to it, ... */
    struct invite *invites; /* the open invitations that the account made or waits in;
                             * written by the lobby */
    int seek_count, challenge_count; /* how many of made are seeks and challenges;
                                      * written by the lobby */
    int asked_count, invite_count;   /* length of asked; how many of invites it made;
                                      * written by the lobby */
    struct account *member_prev, *member_next; /* of a member, or of the staff */
    UT_hash_handle hh, by_number;              /* by_number: in that table unless its
                                                * number is 0 */
};

struct accounts;
struct marks;
struct messages;

struct accounts_settings {
    int names_max;        /* limit of new names */
    int name_days;        /* after which a name that finished no game expires */
    int reports_per_hour; /* of one account; 0: no limit */
    struct network_limits network;
};

/* Reads all names, and which players have not seen the end of a game. NULL after
 * logging. Borrows the store and the deadlines. */
struct accounts *accounts_open(struct store *store, struct deadlines *deadlines,
                               const struct accounts_settings *settings) MUST_USE;
/* Uses these settings from now on. name_days must not change. */
void accounts_change(struct accounts *accounts,
                     const struct accounts_settings *settings);
void accounts_close(struct accounts *accounts);

/* The marks that accounts keep; they live as long as the accounts. */
struct marks *accounts_marks(const struct accounts *accounts);
/* The messages that wait for accounts; the same. */
struct messages *accounts_messages(const struct accounts *accounts);

/* True when some names were made by an older janggid, which admitted every player. They
 * are members, unless another role was given. */
bool accounts_has_older(const struct accounts *accounts);

/* Takes any spelling; NULL: unknown name. */
struct account *accounts_find(struct accounts *accounts, const char *name);
/* The account with that number, or NULL. */
struct account *accounts_find_number(struct accounts *accounts, int64_t number);
/* Every member and every person of the staff, in the order in which they got the role. */
typedef void account_fn(void *arg, const struct account *account);
void accounts_each_member(const struct accounts *accounts, account_fn *see, void *arg);
/* Only for house.c, which knows who gave the role. */
void accounts_set_role(struct accounts *accounts, struct account *account,
                       enum role role);
/* Returns the account that played under name in game; NULL if the name is free or has
 * another owner now. */
struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game);

enum accounts_verdict {
    ACCOUNTS_WELCOME, /* the proof is right */
    ACCOUNTS_NEW,     /* a new name: accounts_bind() it */
    ACCOUNTS_UNSAVED, /* valid, but not on disk yet: accounts_confirm() it first */
    ACCOUNTS_FULL,    /* a new name, but there are too many */
    ACCOUNTS_ALIKE,   /* a new name, but it looks like an existing one */
    ACCOUNTS_WRONG,   /* the name belongs to another proof */
    ACCOUNTS_NOBODY   /* a token for an unknown name */
};

/* Checks name (from utf8_name) against the given key digest or token (either may be
 * NULL). *out gets the account, or NULL. */
enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t now_wall_s, struct account **out);

/* True when key or token (either may be NULL) is a proof of the account that is on disk.
 * The session of the account is not affected. */
bool account_is_proved(const struct account *account, const unsigned char *key,
                       const char *token);

/* The seconds until a caller from that address may register a name; 0: now. *max: the
 * limit that was exceeded. */
int64_t accounts_name_wait_s(struct accounts *accounts, const char *address,
                             int64_t now_wall_s, int *max);
/* Charges a new name to the network of the address. */
void accounts_charge_name(struct accounts *accounts, const char *address,
                          int64_t now_wall_s);
/* The account has logged in from that address: its open items are charged to the
 * network while the account is younger than a day. */
void accounts_come_from(struct accounts *accounts, struct account *account,
                        const char *address, int64_t now_wall_s);

/* Binds a new or expired name to key, or when key is NULL to a fresh token, which is
 * written to token[]. Calls done once that is on disk. Returns the account. */
struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s, store_done_fn *done, void *arg);

/* Calls done once the account's proof is on disk. */
void accounts_confirm(struct accounts *accounts, struct account *account,
                      store_done_fn *done, void *arg);

/* The fresh token was not delivered: frees the name at once, unless a client has
 * presented that token. */
void accounts_unclaim(struct accounts *accounts, struct account *account);

/* --- Further devices --- */

/* Makes a new code in place of an open one. It adds one proof, once, before it expires.
 * Only its digest is kept, in memory. False: the account has DEVICES_MAX further
 * proofs. */
bool accounts_make_code(struct account *account, char code[CODE_BYTES],
                        int64_t now_ms) MUST_USE;

/* True for the right code, which accounts_add_device() uses up. Wrong codes do not void
 * it: the caller limits how often a source may try. */
bool accounts_is_code(const struct account *account, const char *code,
                      int64_t now_ms) MUST_USE;

/* Adds key, or a fresh token when key is NULL, as a further proof, and uses up the open
 * code; otherwise as accounts_bind(). */
void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s, store_done_fn *done, void *arg);

/* Revokes a token of a further device that was not delivered. */
void accounts_remove_token(struct accounts *accounts, struct account *account,
                           const char *token);

/* The kind of the proof of the last login. */
enum store_proof account_shown_proof(const struct account *account);

/* The current role; NULL: a guest. A role of the staff needs a key: with a token, staff
 * have the role of a member. */
enum role accounts_role(const struct account *account);

/* All proofs on disk, the first login's first. Returns their number. */
struct account_proof {
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s; /* 0: since the first login */
};
int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1]);

/* Makes key, or a fresh token when key is NULL, the only proof: all others become
 * invalid. Otherwise as accounts_bind(). */
void accounts_replace_proofs(struct accounts *accounts, struct account *account,
                             const unsigned char *key, char token[TOKEN_BYTES],
                             int64_t now_wall_s, store_done_fn *done, void *arg);

/* Removes the proof with that digest; calls done once that is on disk. False: it is the
 * only proof, or not one of this account. */
bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES],
                           store_done_fn *done, void *arg) MUST_USE;

/* The number of the account; an account of an older janggid gets one now. */
int64_t accounts_number(struct accounts *accounts, struct account *account);

/* A game of the account ends with a result: from now on it does not expire. Call it in
 * one batch with the end (see store_begin_together()). */
void accounts_finish_game(struct accounts *accounts, struct account *account);

/* Removes a name, in memory and on disk, if it may expire. Returns false if it may not. */
bool accounts_expire(struct accounts *accounts, struct account *account,
                     int64_t now_wall_s);

/* True when the account is not online, nothing of it is open, and no write is pending. */
bool accounts_is_idle(const struct account *account);
/* Removes an idle account and its name, in memory and on disk. Call it in one batch with
 * what else is erased. */
void accounts_erase(struct accounts *accounts, struct account *account);
/* True for the account's name, in any spelling. */
bool accounts_is_name(const struct account *account, const char *name);

/* Writes *accepted in one batch with its result (see store_begin_together()). */
void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted);

/* Records that the account is in use, which keeps it from expiring. */
void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s);

/* True when a program plays under the name: the name ends in "-bot", as the names of
 * janggi bot do. */
bool account_is_bot(const struct account *account);

/* True when the account owned its name when that game began. */
bool account_owns_seat(const struct account *account, int64_t game);

/* Counts a move. False: more than per_s in this second (0: no limit). */
bool account_spend_move(struct account *account, int per_s, int64_t now_ms) MUST_USE;

/* The seconds until the account, from that address, may report somebody to the staff; 0:
 * now. *max: the limit that was exceeded. */
int64_t accounts_report_wait_s(struct accounts *accounts, const struct account *account,
                               const char *address, int64_t now_wall_s, int *max);
/* Charges a report to the account and to the network of the address. */
void accounts_charge_report(struct accounts *accounts, struct account *account,
                            const char *address, int64_t now_wall_s);

/* account_sit() returns false when the account has ACCOUNT_GAMES_MAX games. */
bool account_sit(struct account *account, int64_t game) MUST_USE;
void account_rise(struct account *account, int64_t game);

#endif
