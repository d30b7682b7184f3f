/* Invitations to the server: a visitor who presents the code of an invitation takes a
 * name and becomes a member. Each invitation has a number of uses and an expiry. One
 * that is used up stays on disk until it expires, so that its code is still known: a
 * visitor who presents it is refused, but is not penalized for guessing.
 *
 * An invitation of this module admits people to the server. invites.h has the
 * invitations to a game. */
#ifndef SERVER_LOBBY_DOOR_H
#define SERVER_LOBBY_DOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "server/account/code.h"
#include "server/store/store.h"

struct account;
struct accounts;
struct doors;

enum { DOOR_USES = 20, DOOR_USES_MAX = 1000, DOOR_DAYS = 7, DOOR_DAYS_MAX = 365 };
/* DOORS_MAX: at most this many invitations are open at the same time. Of the
 * invitations that are used up, about DOORS_USED_UP_MAX are kept. If there are more
 * when an invitation is made, the server removes the invitation that was used up
 * first. */
enum { DOORS_MAX = 100, DOORS_USED_UP_MAX = 100 };
/* The most uses that one invitation gets back in a run of the server. It gets a use
 * back when a new member has not received the token of the account. The number is
 * limited because each such case leaves two entries in the audit log, which is kept for
 * good. */
enum { DOOR_GIVES_BACK = 20 };

/* Owned by struct doors. */
struct door {
    char code[CODE_BYTES];
    char maker[NAME_BYTES]; /* shown name, or a word for the server's host */
    int uses, left;
    int given_back; /* uses that the invitation got back since the start of the
                     * server */
    int64_t until_wall_s;
    uint64_t used_up; /* 1 for the first invitation that was used up since the server
                       * started, 2 for the next ...; 0: it was used up before that, or
                       * is not used up */
    UT_hash_handle hh;
};

/* Reads the invitations, and which accounts they admitted. Returns NULL after logging
 * why. */
struct doors *doors_open(struct store *store, struct accounts *accounts) MUST_USE;
/* Accepts NULL. */
void doors_close(struct doors *doors);

/* Makes an invitation. Returns NULL if DOORS_MAX invitations are open. */
struct door *doors_make(struct doors *doors, const char *maker, int uses, int days,
                        int64_t now_wall_s);

/* Writes the beginning of the code, for logs. Nobody can use the invitation with it. */
enum { DOOR_BEGIN_BYTES = 5 };
void door_begin(char out[DOOR_BEGIN_BYTES], const struct door *door);

/* Finds an invitation by any spelling of its code. Returns NULL if it is unknown, used
 * up or expired. */
struct door *doors_find(struct doors *doors, const char *code, int64_t now_wall_s);
/* True if an invitation has this code, even if the invitation is used up. */
bool doors_is_known(struct doors *doors, const char *code);

/* Uses the invitation once, for `account`. Call it in one batch with the write that
 * makes the account a member. */
void doors_use(struct doors *doors, struct door *door, struct account *account);
/* Call it when a new member has not received the token of `account`. Gives the
 * invitation its use back, if the invitation still exists and has got back fewer than
 * DOOR_GIVES_BACK uses. */
void doors_give_back(struct doors *doors, struct account *account);

/* Ends an invitation; members admitted by it remain. */
void doors_end(struct doors *doors, struct door *door);
/* Ends the invitation that admitted the account. Returns false if that invitation has
 * ended already. */
bool doors_end_of(struct doors *doors, const struct account *account);

/* Ends all invitations that `maker` made. Call it when the maker may not invite any
 * more. */
void doors_end_made_by(struct doors *doors, const char *maker);

/* doors_first() drops expired invitations and returns the first open one; doors_next()
 * returns the one after `door`. NULL: there is none. */
const struct door *doors_first(struct doors *doors, int64_t now_wall_s);
const struct door *doors_next(const struct door *door);
/* The same for all invitations that `maker` made, also those that are used up. */
const struct door *doors_first_made_by(struct doors *doors, const char *maker,
                                       int64_t now_wall_s);
const struct door *doors_next_made_by(const struct door *door, const char *maker);

#endif
