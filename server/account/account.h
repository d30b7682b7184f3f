/* One account: a name, its proofs (the keys and tokens that can log in to it), the code
 * for a further device, and its open items (seeks, challenges, invitations). It also
 * stores the id of its session and the numbers of its running games, so that the code
 * of the games does not need a second table of players. The functions here do not write
 * to the store. The functions of accounts.h do. */
#ifndef SERVER_ACCOUNT_ACCOUNT_H
#define SERVER_ACCOUNT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "server/account/code.h"
#include "server/base/budget.h"
#include "server/base/config.h"
#include "server/base/deadline.h"
#include "server/base/prefix.h"
#include "server/store/store.h"

/* --- Roles --- */

/* Guests watch, players play, members were admitted by the host, moderators keep order,
 * owners are the host. In ascending order: each role includes the rights of those
 * before it. */
enum role { ROLE_GUEST, ROLE_PLAYER, ROLE_MEMBER, ROLE_MODERATOR, ROLE_OWNER };
enum { ROLES = ROLE_OWNER + 1 };

/* Returns "guest", "player", "member", "moderator" or "owner". */
const char *role_name(enum role role);
/* Reads the name of a role. False: unknown role; *out is unchanged. */
bool role_parse(const char *word, enum role *out) MUST_USE;

/* --- Accounts --- */

enum { ACCOUNT_GAMES_MAX = 32 };
enum { DEVICES_MAX = 8, ACCOUNT_DOOR_BYTES = 17 };

struct seek; /* an open seek or challenge (lobby/seeks.h) */
struct invite;
struct source;

/* A key or a token that logs in to an account. */
struct proof {
    enum store_proof kind;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s; /* when it was added; 0 for the first proof */
};

/* Owned by struct accounts. Freed with that struct, or when the account expires or is
 * erased. */
struct account {
    char folded[NAME_BYTES];
    char look[NAME_BYTES]; /* utf8_look_of_name() */
    char shown[NAME_BYTES];
    struct proof *proofs; /* the first one, and those of further devices, the oldest
                           * first; at most DEVICES_MAX + 1 */
    int proof_count;
    unsigned char shown_digest[STORE_DIGEST_BYTES]; /* digest of the proof that its
                                                     * session showed */
    int64_t seen_wall_s;                            /* last time online */
    int64_t kept_wall_s;                            /* seen_wall_s as last written to
                                                     * disk */
    int64_t first_game; /* games with a lower number belong to an earlier owner of the
                         * name */
    struct store_accept accepted; /* the seek, challenge or offer that it accepted last;
                                   * written in one batch with the game or the
                                   * agreement that follows */
    enum role role;               /* the role that was granted. Use account_role() for
                                   * checks */
    char door[ACCOUNT_DOOR_BYTES]; /* the first letters of the digest of the ticket that
                                    * admitted it (ticket.h); "": none did */
    uint64_t stamp;          /* number (gate.h) of the row that last changed its proofs
                              * or its role */
    int64_t ban_ends_wall_s; /* the account expires only after this time; set by
                              * house.c */
    struct prefix last_network; /* network of its last login since the server started */
    bool is_last_known;         /* last_network is set */
    struct prefix last_address; /* whole address of its last login since the server
                                 * started */
    bool is_address_known;      /* last_address is set */
    bool is_fresh;              /* has finished no game */
    int64_t number;             /* never reused; 0: an older janggid made the account,
                                 * see accounts_number() */
    int64_t made_wall_s;        /* 0: an older janggid made it */
    struct deadline deadline;   /* set while `is_fresh` is true or `source` is not
                                 * NULL */
    struct source *source;      /* counts what the account has open, while it is younger
                                 * than a day; NULL: none does */
    int open[QUOTA_OPEN];       /* how many of each kind it has open (quota.h) */
    struct window hourly[QUOTA_KINDS - QUOTA_OPEN]; /* what it made in an hour */
    struct budget begins;  /* limits how many games it begins; written by the lobby */
    struct budget leaves;  /* limits how many games it leaves before they are played;
                            * written by the lobby */
    struct budget chat;    /* limits what it says; written by the commands */
    struct budget acts;    /* limits its acts as staff */
    struct window moves;   /* counts its moves in one second */
    int64_t export_at_ms;  /* when it may next export the data kept about it */
    int64_t sources_at_ms; /* the start of the 24 hours in which `sources` counts */
    int sources;           /* number of logins in these 24 hours from addresses without
                            * a recent login */
    int rooms;             /* the number of rooms that point to the account; written by
                            * the rooms */
    uint64_t session;      /* id of its present session; 0: none */
    int64_t here_at_ms; /* when others were last notified that it is online; 0: never */
    bool has_unseen;    /* false: the player was told about the end of every game. true:
                      * perhaps not; store_read_unseen() reads the ends that the player
                      * may not know */
    int64_t due_ms;     /* when its next game of an evening begins, on the clock of
                          * mono_now_ms(), if that game has clocks; a time that is past
                          * means nothing. evening_run.c writes it */
    int64_t due_evening;             /* the number of that evening */
    int64_t game[ACCOUNT_GAMES_MAX]; /* running games in which it has a seat:
                                      * open[QUOTA_GAME] of them */
    struct seek *made;               /* its open seeks and challenges */
    struct seek *asked;              /* open challenges to it */
    struct invite *invites; /* the open invitations that the account made, and the
                             * host's invitations in which the account waits for an
                             * opponent; written by the lobby */
    int asked_count;        /* length of `asked`; written by the lobby */
    struct account *member_prev, *member_next; /* in the list of members and staff */
    UT_hash_handle hh, by_look,
        by_number; /* by_number: handle for the table of account numbers;
                                   * unused while `number` is 0 */
};

/* --- Proofs --- */

/* Returns the proof of the account that is `key` (the digest of a public key) or
 * `token`; either may be NULL. NULL: neither is. The session of the account is not
 * affected. */
const struct proof *account_find_proof(const struct account *account,
                                       const unsigned char *key, const char *token);

/* Call it only when a login has succeeded: records that the account's session has shown
 * this proof of the account. Before that, the account may still have another session,
 * which showed another proof. */
void account_take_proof(struct account *account, const struct proof *proof);
/* Returns the kind of the proof that the account's session showed. If the account has
 * no session, returns the kind of the proof that was shown last. If the account does
 * not have that proof any more, returns STORE_PROOF_TOKEN; then account_role() gives
 * staff only the role of a member. */
enum store_proof account_shown_proof(const struct account *account);

/* Returns the role that the account has now; account NULL: ROLE_GUEST. A role of the
 * staff needs a key: with a token, staff have the role of a member. */
enum role account_role(const struct account *account);

/* Returns the number of keys among the account's proofs. */
int account_keys(const struct account *account);

/* --- What is open --- */

/* True when nothing uses the account. The account is not online, and does not have
 * games, rooms or invitations. Other accounts do not have open challenges to it. */
bool account_is_idle(const struct account *account);
/* Notes that the account has taken or left a seat in that game. account_sit() returns
 * false when the account has ACCOUNT_GAMES_MAX games. */
bool account_sit(struct account *account, int64_t game) MUST_USE;
void account_rise(struct account *account, int64_t game);
/* True when both accounts have seats in one running game. */
bool account_plays_with(const struct account *account, const struct account *other);
/* True when the name already belonged to this account when that game began. */
bool account_owns_seat(const struct account *account, int64_t game);

/* --- What it may do --- */

/* Counts a move. False: the account has already made per_s moves in this second, and
 * the move is not counted. per_s 0: no limit. */
bool account_spend_move(struct account *account, int per_s, int64_t now_ms) MUST_USE;

/* Counts a login from a source that is not known (admission.h). False: the account had
 * more than ACCOUNT_SOURCES_MAX such logins within a day, so its login does not make the
 * source known: one account must not pass for many people. */
enum { ACCOUNT_SOURCES_MAX = 8 };
bool account_spend_source(struct account *account, int64_t now_ms) MUST_USE;

/* Counts an act of the staff. False: the account has used up its budget, which is
 * ACCOUNT_ACTS_BURST acts at once, and ACCOUNT_ACTS_PER_MIN more in each minute. Acts
 * are limited because the audit log (house.h) never deletes one. */
enum { ACCOUNT_ACTS_PER_MIN = 30, ACCOUNT_ACTS_BURST = 60 };
bool account_spend_act(struct account *account, int64_t now_ms) MUST_USE;

/* --- The name --- */

/* True if `name` is the account's name, in any spelling. */
bool account_is_name(const struct account *account, const char *name);
/* True when a program plays under the name. Such a name ends in "-bot"; the program
 * "janggi bot" makes sure of this for its names. */
bool account_is_bot(const struct account *account);

/* --- For accounts.c --- */

/* Adds a proof. The first one stays, and the others are in the order of age. */
void account_add_proof(struct account *account, enum store_proof kind,
                       const unsigned char digest[STORE_DIGEST_BYTES],
                       int64_t since_wall_s);
/* True when the account is idle, except that others may have challenged it. */
bool account_is_at_rest(const struct account *account);

#endif
