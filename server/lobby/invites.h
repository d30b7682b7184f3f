/* Invitations to a game. The maker sends the code of the invitation to a friend, and
 * the game begins when the friend joins. The store keeps the invitations. */
#ifndef SERVER_LOBBY_INVITES_H
#define SERVER_LOBBY_INVITES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/account/accounts.h"
#include "server/account/code.h"
#include "server/base/deadline.h"
#include "server/lobby/terms.h"
#include "server/store/store.h"

struct invites;
struct world;

/* INVITES_NAMES: a code can offer one or two seats. For each seat, this many people may
 * take a new name on the server with the code. One name is not enough, because a friend
 * may mistype a name, or lose the token of a name. */
enum { INVITES_HOURS = 24, INVITES_NAMES = 3 };

/* Owned by the invites. */
struct invite {
    char code[CODE_BYTES];
    struct terms terms;
    struct account *owner; /* the maker, or, if the host is the maker, the first player
                            * who has come; NULL: nobody has come yet, or the game has
                            * started */
    bool is_hosts;         /* the host made it for two players */
    int64_t made_wall_s;
    int64_t game; /* 0: its game has not begun */
    int names;    /* how many new names were taken with the code since the server
                   * started */
    struct deadline deadline;
    UT_hash_handle hh, by_game;
    struct invite *owner_prev, *owner_next; /* in the list of the owner */
};

/* Reads the invitations from disk. Returns NULL after logging why that failed. */
struct invites *invites_new(const struct world *world) MUST_USE;
/* Accepts NULL. */
void invites_free(struct invites *invites);

/* Makes an invitation. maker NULL: the host. Returns NULL when a quota, *max, is
 * reached. */
struct invite *invites_open(struct invites *invites, struct account *maker,
                            const struct terms *terms, int *max);
/* Finds an invitation by any spelling of its code: either case, with or without the
 * dash. Returns NULL if there is none. */
struct invite *invites_find(struct invites *invites, const char *code);
/* Returns the newest invitation of the host that players can still use: its game is
 * running, or has not begun and the invitation has not expired. NULL: there is none.
 * Scans all invitations, so call it only at startup. */
struct invite *invites_find_standing(struct invites *invites);
/* True if INVITES_HOURS are over and the game of the invitation has not begun. */
bool invites_is_old(const struct invite *invite);
/* Returns false if INVITES_NAMES new names for each seat were already taken with the
 * code. */
bool invites_admits_name(const struct invite *invite);
/* Call it when a person has taken a new name on the server with the code. */
void invites_count_name(struct invite *invite);

/* Makes `account` the first player of an invitation that the host made. `account` then
 * waits for the second player. */
void invites_wait_in(struct invites *invites, struct invite *invite,
                     struct account *account);
/* Call it when the game of an invitation has begun. Until the game ends, the code leads
 * the two players back to their seats. */
void invites_begin(struct invites *invites, struct invite *invite, int64_t game);
/* Call it when `game` is over: drops the invitation that started it, if any. */
void invites_end(struct invites *invites, int64_t game);

/* Withdraws the account's invitation. If the host made the invitation and the account
 * waits in it, removes only the account from it. Returns false if the account has no
 * invitation with that code, or if the game of the invitation has started. */
bool invites_withdraw(struct invites *invites, const struct account *account,
                      const char *code);
/* Withdraws all invitations that `account` made. If `account` waits in an invitation of
 * the host, removes only `account` from that invitation. */
void invites_withdraw_all(struct invites *invites, struct account *account,
                          const char *why);
/* Drops the invitations that are no longer valid. Call it after a restart, when the
 * server has read the stored accounts, games and invitations. */
void invites_drop_useless(struct invites *invites);

#endif
