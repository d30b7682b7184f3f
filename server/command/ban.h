/* Applies the bans and mutes of house.h to one caller, and answers the caller. */
#ifndef SERVER_COMMAND_BAN_H
#define SERVER_COMMAND_BAN_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/account/house.h"

struct account;
struct call;
struct prefix;
struct session;
struct world;

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

#endif
