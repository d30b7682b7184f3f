/* One account: a name with its proofs, the code for a further device, and what is open of
 * it. It also stores, as plain numbers, its session and the games in which it has a seat,
 * so that the rooms need no second table of players. Nothing here writes to the store:
 * accounts.h does. */
#ifndef SERVER_ACCOUNT_ACCOUNT_H
#define SERVER_ACCOUNT_ACCOUNT_H

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
    unsigned char shown_digest[STORE_DIGEST_BYTES]; /* the proof of its session */
    int64_t seen_wall_s;                            /* last time online */
    int64_t kept_wall_s;                            /* the same, as written to disk */
    int64_t first_game; /* games with a lower number belong to an earlier owner of the
                         * name */
    struct store_accept accepted; /* the last accept; written in one batch with its
                                   * result */
    enum role role;               /* as granted. Use account_role() for checks */
    char door[CODE_BYTES];   /* the invitation that admitted it (lobby/door.h); "" */
    bool is_saved;           /* its proof is on disk; before that it admits no login */
    int64_t ban_ends_wall_s; /* it does not expire before; written by house.c */
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
    struct budget begins;    /* limits how many games it begins, */
    struct budget leaves;  /* and leaves before they are played; written by the lobby */
    struct budget chat;    /* limits what it says; written by the commands */
    struct budget acts;    /* limits its acts of the staff */
    struct window moves;   /* of a second */
    int64_t export_at_ms;  /* when it may export what is kept about it again */
    int64_t sources_at_ms; /* the start of the day in which it came from ... */
    int sources;           /* ... so many sources that were not known */
    struct window reports; /* of an hour */
    int rooms;             /* the number of rooms that point to the account; written
                              * by the rooms */
    uint64_t session;      /* its session now; 0: none */
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

/* --- Proofs --- */

/* True when key or token (either may be NULL) is a proof of the account that is on disk.
 * The session of the account is not affected. */
bool account_is_proved(const struct account *account, const unsigned char *key,
                       const char *token);

/* Notes that the session of the account has shown the proof with that digest: its login
 * was let in. */
void account_take_proof(struct account *account,
                        const unsigned char digest[STORE_DIGEST_BYTES]);
/* The kind of the proof of its session, or of the last one. A key that no longer opens
 * the name counts as a token: it gives no role. */
enum store_proof account_shown_proof(const struct account *account);

/* Returns the role that the account has now; of NULL, that of a guest. A role of the
 * staff needs a key: with a token, staff have the role of a member. */
enum role account_role(const struct account *account);

/* All proofs on disk, the first login's first. Returns their number. */
struct account_proof {
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s; /* 0: since the first login */
};
int account_proofs(const struct account *account,
                   struct account_proof out[DEVICES_MAX + 1]);
/* The number of keys among them. */
int account_keys(const struct account *account);

/* --- The code for a further device --- */

/* Makes a new code in place of an open one. It adds one proof, once, before it expires.
 * Only its digest is kept, in memory. False: the account has DEVICES_MAX further
 * proofs. */
bool account_make_code(struct account *account, char code[CODE_BYTES],
                       int64_t now_ms) MUST_USE;

/* True for the right code, which accounts_add_device() uses up. Wrong codes do not void
 * it: the caller limits how often a source may try. */
bool account_is_code(const struct account *account, const char *code,
                     int64_t now_ms) MUST_USE;

/* --- What is open --- */

/* True when the account is not online, nothing of it is open, and no write is pending. */
bool account_is_idle(const struct account *account);
/* account_sit() returns false when the account has ACCOUNT_GAMES_MAX games. */
bool account_sit(struct account *account, int64_t game) MUST_USE;
void account_rise(struct account *account, int64_t game);
/* True when the two have seats in one running game. */
bool account_plays_with(const struct account *account, const struct account *other);
/* True when the name already belonged to this account when that game began. */
bool account_owns_seat(const struct account *account, int64_t game);

/* --- What it may do --- */

/* Counts a move. False: more than per_s in this second (0: no limit). */
bool account_spend_move(struct account *account, int per_s, int64_t now_ms) MUST_USE;

/* Counts a login from a source that was not known. False: the account came from more than
 * ACCOUNT_SOURCES_MAX of them within a day: it wants to fill the list of known sources. */
enum { ACCOUNT_SOURCES_MAX = 8 };
bool account_spend_source(struct account *account, int64_t now_ms) MUST_USE;

/* Counts an act of the staff, which is kept for good (house.h). False: more than
 * ACCOUNT_ACTS_PER_MIN a minute, after ACCOUNT_ACTS_BURST at once. */
enum { ACCOUNT_ACTS_PER_MIN = 30, ACCOUNT_ACTS_BURST = 60 };
bool account_spend_act(struct account *account, int64_t now_ms) MUST_USE;

/* --- The name --- */

/* True for the account's name, in any spelling. */
bool account_is_name(const struct account *account, const char *name);
/* True when a program plays under the name: the name ends in "-bot", as the names of
 * janggi bot do. */
bool account_is_bot(const struct account *account);

/* --- For accounts.c --- */

/* A further proof. Owned by its account; the oldest first. */
struct device {
    struct device *prev, *next;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t since_wall_s;
    bool is_saved; /* on disk: before that it admits no login */
};

/* Appends a proof without a digest, which is not on disk. */
struct device *account_new_device(struct account *account, enum store_proof proof,
                                  int64_t since_wall_s);
/* The same for a proof that was read from disk. */
void account_append_device(struct account *account, const struct store_device *row);
struct device *account_find_device(struct account *account,
                                   const unsigned char digest[STORE_DIGEST_BYTES]);
/* The successor of the first proof: the oldest key, else the oldest token. NULL: there is
 * none on disk. */
struct device *account_heir(struct account *account);
/* The first frees the code of the account; the second frees the code and all proofs but
 * the first. */
void account_forget_code(struct account *account);
void account_forget_devices(struct account *account);
/* Returns the digest of the valid proof among those presented (either may be NULL);
 * NULL: there is none. *is_saved: the proof is on disk. */
const unsigned char *account_find_proof(const struct account *account,
                                        const unsigned char *key, const char *token,
                                        bool *is_saved);
/* Nothing of the player is open; others may have challenged it. */
bool account_is_at_rest(const struct account *account);

#endif
