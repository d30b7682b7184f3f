/* Decides whether a caller may log in, play and watch. This depends on the settings of
 * access.h, on invitations and on roles. A bool function that returns false has
 * answered. */
#ifndef SERVER_COMMAND_ENTRY_H
#define SERVER_COMMAND_ENTRY_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "server/account/account.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/room/privacy.h"
#include "server/store/store.h"

struct account;
struct call;
struct invite;
struct prefix;
struct session;
struct world;

/* The rights that a code gives to a player at login. */
struct entry_ticket {
    enum role role;        /* the role to give to the account; ROLE_GUEST: none */
    struct ticket *ticket; /* the ticket to use, or NULL */
    struct invite *invite; /* the invitation to a game that waits for a player, or
                            * NULL */
};

/* Makes an invitation to the server (`invite door`) and records that in the audit log,
 * with the beginning of the code only; `maker` is the actor, as in house_act. False:
 * there are TICKETS_MAX invitations already. */
bool entry_make_door(const struct world *world, const char *maker, int uses, int days,
                     char code[TICKET_CODE_BYTES]) MUST_USE;

/* --- At login --- */

/* False if the caller's network has shown too many wrong proofs and must wait before the
 * next: so nobody guesses codes, and the right one stays valid. */
bool entry_may_prove(struct call *call) MUST_USE;

/* Reads the code after invite= or owner= (NULL: none). `account` is the account of the
 * login; NULL: the caller takes a new name. Costs one chat message, from the budget of
 * the account, or from the caller's own budget if `account` is NULL. Does not use up
 * the code; entry_take_ticket() does this. */
bool entry_read_ticket(struct call *call, struct account *account, const char *invite,
                       const char *owner, struct entry_ticket *out) MUST_USE;
/* Uses the ticket: counts one use of the invitation to the server, or one new name for
 * the invitation to a game, or uses up the owner link. Gives the account the role,
 * unless that is ROLE_GUEST. Call this in one turn of the loop with the write of
 * the account. */
void entry_take_ticket(struct world *world, struct account *account,
                       const struct entry_ticket *ticket);
/* Call it when the token of a new name was not delivered. Frees the name as
 * accounts_unclaim() does. If an invitation to the server admitted the name, gives the
 * use back to this invitation. If an invitation to a game admitted the name, does not
 * change the count of this invitation, because the account does not record which
 * invitation it was. */
void entry_unclaim(struct world *world, struct account *account);

/* entry_admits_new_name() is true if the caller may register a name, entry_admits() if
 * the caller may log in to the account, entry_admits_guest() if the caller may log in
 * without a name. A player with a seat in a running game may always log in. */
bool entry_admits_new_name(struct call *call,
                           const struct entry_ticket *ticket) MUST_USE;
bool entry_admits(struct call *call, const struct account *account,
                  const struct entry_ticket *ticket) MUST_USE;
bool entry_admits_guest(struct call *call) MUST_USE;

/* True for the names of guests, in any case: guest7, which has no account, and guest-7;
 * guest-lee is the name of a person. */
bool entry_is_guest_name(const char *name);
/* Makes a random name for a guest who may play: guest-48213. */
void entry_guest_name(char out[NAME_BYTES]);

/* If sessions without a name may not log in now, disconnects all of them. Such a
 * session has no seat, so all players keep their seats. */
void entry_close_guests(const struct world *world);
/* Call it when a setting or the role of an account has changed. Removes from each game
 * the watchers that may not watch it any more, and notifies them. */
void entry_close_watchers(const struct world *world);

/* --- Bans and mutes (house.h) --- */

/* Returns true if the caller may log in to `account`. account NULL: the caller logs in
 * without a name, or with a new name. Returns false, after answering, if the name of
 * the account or the caller's key is banned. If the key belongs to a person of the
 * staff, a ban of the key counts only if an owner or the operator made the ban. */
bool ban_admits(struct call *call, const struct account *account) MUST_USE;
/* Returns true if the network of the caller may register new names. Returns false after
 * answering. */
bool ban_admits_new_name(struct call *call) MUST_USE;
/* Returns true if the caller may talk and challenge. Returns false, after answering, in
 * two cases. First case: the caller is muted. Second case: the caller is a guest, and
 * new names from the guest's network are refused because of a ban. */
bool ban_admits_talk(struct call *call) MUST_USE;

/* Returns the value of until= in an answer: 0 if the ban has no end. */
long long ban_until_s(const struct house_hold *hold);

/* Call it at login: records the network that the account came from. */
void ban_note_network(struct account *account, const struct session *session);
/* Writes the network of the account. If the account is banned, new names from this
 * network are refused too. False: the network is unknown, or the host trusts the
 * network because many people share it. */
bool ban_network_of(const struct world *world, const struct account *account,
                    struct prefix *out) MUST_USE;

/* --- Afterwards --- */

/* True if the caller may offer games and accept open ones. */
bool entry_may_begin(struct call *call) MUST_USE;
/* True if the caller may play a game to which a player invited them by a code, a
 * challenge or a rematch. */
bool entry_may_answer(struct call *call) MUST_USE;
/* Returns true if the session may list running games and past ones. */
bool entry_may_list(const struct world *world, struct session *session) MUST_USE;
/* True if the session may read the game `what`. Its players always may. */
bool entry_may_read(const struct world *world, struct session *session,
                    struct readable what) MUST_USE;

#endif
