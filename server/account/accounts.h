/* Names and their proofs. The first login binds a name to a key (of the TLS client
 * certificate) or to a token made by the server. Afterwards a login needs that proof.
 * Names are kept in memory, and each change is also written to the store. A one-time
 * code adds the proof of a further device. An account expires, in memory and on disk,
 * if it has not been used for a long time, has not finished a game, and does not have a
 * higher role than player. */
#ifndef SERVER_ACCOUNT_ACCOUNTS_H
#define SERVER_ACCOUNT_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/account/account.h"
#include "server/account/quota.h"
#include "server/base/deadline.h"
#include "server/store/store.h"

enum { TOKEN_BYTES = 33 }; /* 24 random bytes as base64url, and a NUL */

struct accounts;
struct marks;
struct messages;
struct tickets;

struct accounts_settings {
    int names_max; /* no new name when there are this many names */
    int name_days; /* an account that has finished no game expires after this
                           * many days without use */
    struct quota_limits quotas;
};

/* Reads all accounts from the store, with their proofs, marks and messages. Returns
 * NULL after logging why. Borrows the store and the deadlines. */
struct accounts *accounts_open(struct store *store, struct deadlines *deadlines,
                               const struct accounts_settings *settings) MUST_USE;
/* Uses these settings from now on. name_days must not change. */
void accounts_change(struct accounts *accounts,
                     const struct accounts_settings *settings);
void accounts_close(struct accounts *accounts);

/* Returns the quotas. They are freed by accounts_close(). */
struct quotas *accounts_quotas(const struct accounts *accounts);
/* Returns the tickets (ticket.h). They are freed by accounts_close(). */
struct tickets *accounts_tickets(const struct accounts *accounts);
/* Returns the table of marks (small stored facts about accounts, such as whom a player
 * blocks). It is freed by accounts_close(). */
struct marks *accounts_marks(const struct accounts *accounts);
/* Returns the messages that wait for accounts. They are freed by accounts_close(). */
struct messages *accounts_messages(const struct accounts *accounts);

/* True when some accounts were made by an older janggid, which admitted every player.
 * Such an account is a member, unless it was given another role. */
bool accounts_has_older(const struct accounts *accounts);

/* Returns the account with that name, in any spelling. NULL: the name is unknown. */
struct account *accounts_find(struct accounts *accounts, const char *name);
/* Returns the account with that number, or NULL. */
struct account *accounts_find_number(struct accounts *accounts, int64_t number);
/* Calls see() for every member and every person of the staff, in the order in which
 * they got the role. */
typedef void account_fn(void *arg, const struct account *account);
void accounts_each_member(const struct accounts *accounts, account_fn *see, void *arg);
/* Sets the role; a role of the staff voids the open code of the account. Only for
 * house.c, which knows who gave the role. */
void accounts_set_role(struct accounts *accounts, struct account *account,
                       enum role role);
/* Returns the account that played the game number `game` under `name`. NULL: the name
 * is free now, or has another owner. */
struct account *accounts_find_player(struct accounts *accounts, const char *name,
                                     int64_t game);

enum accounts_verdict {
    ACCOUNTS_WELCOME, /* the proof is right */
    ACCOUNTS_NEW,     /* a new name: call accounts_bind() */
    ACCOUNTS_FULL,    /* a new name, but there are too many */
    ACCOUNTS_ALIKE,   /* a new name, but it looks like an existing one */
    ACCOUNTS_WRONG,   /* the name belongs to another proof */
    ACCOUNTS_NOBODY   /* a token for an unknown name */
};

/* Checks name (from utf8_name) against the given key digest or token (either may be
 * NULL). calendar_s: see store_calendar_s(). *out gets the account, or NULL. */
enum accounts_verdict accounts_judge(struct accounts *accounts, const char *name,
                                     const unsigned char *key, const char *token,
                                     int64_t calendar_s, struct account **out);

/* Call it when the account has logged in from that address. While the account is younger
 * than a day, what it has open is counted in one source. This is the source of its first
 * login since the server started. */
void accounts_come_from(struct accounts *accounts, struct account *account,
                        const char *address, int64_t now_wall_s);

/* Binds a new or expired name to `key`. key NULL: binds it to a fresh token, which is
 * written to token[]. Returns the account. */
struct account *accounts_bind(struct accounts *accounts, const char *name,
                              const unsigned char *key, char token[TOKEN_BYTES],
                              int64_t now_wall_s);

/* Call it when the fresh token was not delivered: frees the name at once, unless a
 * client has presented that token. */
void accounts_unclaim(struct accounts *accounts, struct account *account);

/* --- Further devices --- */

/* Adds a further proof and uses up the open code. The proof is `key`; if `key` is NULL,
 * a fresh token. token[] is as for accounts_bind(). */
void accounts_add_device(struct accounts *accounts, struct account *account,
                         const unsigned char *key, char token[TOKEN_BYTES],
                         int64_t now_wall_s);

/* Removes a further proof, because its token was not delivered. */
void accounts_remove_device(struct accounts *accounts, struct account *account,
                            const unsigned char digest[STORE_DIGEST_BYTES]);

/* Replaces all proofs of the account by one: `key`, or a fresh token if `key` is NULL.
 * token[] is as for accounts_bind(). */
void accounts_replace_proofs(struct accounts *accounts, struct account *account,
                             const unsigned char *key, char token[TOKEN_BYTES],
                             int64_t now_wall_s);

/* Removes the proof with that digest, and voids the open code. False: the account does
 * not have this proof, or has no other one. */
bool accounts_remove_proof(struct accounts *accounts, struct account *account,
                           const unsigned char digest[STORE_DIGEST_BYTES]) MUST_USE;

/* Returns the number of the account. An account that an older janggid made has none,
 * and gets one now. */
int64_t accounts_number(struct accounts *accounts, struct account *account);

/* Call it when a game of the account ends with a result, in the same turn of the loop as
 * the write of that end. From now on the account does not expire. */
void accounts_finish_game(struct accounts *accounts, struct account *account);

/* A function of the lobby that drops all open challenges to an account. It is called
 * before the account's name expires, or gets a new owner. Open challenges to an account
 * do not keep its name from expiring, because anybody can challenge an account that
 * never comes back. */
typedef void accounts_challenges_fn(void *arg, struct account *account);
void accounts_set_challenges(struct accounts *accounts,
                             accounts_challenges_fn *drop_all, void *arg);
/* Removes an account and its name, in memory and on disk, if the account has expired.
 * False: it has not. */
bool accounts_expire(struct accounts *accounts, struct account *account,
                     int64_t calendar_s);

/* Removes an idle account and its name, in memory and on disk. Call it in one
 * turn of the loop with the removal of the account's other data. */
void accounts_erase(struct accounts *accounts, struct account *account);
/* Stores *accepted, the seek, challenge or offer that the account has just accepted.
 * Call it in one turn of the loop with the other writes of this accept, for example of the
 * new game. */
void accounts_accept(struct accounts *accounts, struct account *account,
                     const struct store_accept *accepted);

/* Records that the account is in use, which keeps it from expiring. */
void accounts_touch(struct accounts *accounts, struct account *account,
                    int64_t now_wall_s);

#endif
