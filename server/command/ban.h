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

/* Returns true if the caller may log in as account (NULL: without a name, or with a new
 * one). A ban of the name or of the caller's key forbids it; the staff is refused only by
 * a key that an owner has banned. Returns false after answering. */
bool ban_admits(struct call *call, const struct account *account) MUST_USE;
/* Returns true if the network of the caller may register new names. Returns false after
 * answering. */
bool ban_admits_new_name(struct call *call) MUST_USE;
/* Returns true if the caller may talk and challenge: is not muted, and is no guest from a
 * network that takes no new names. Returns false after answering. */
bool ban_admits_talk(struct call *call) MUST_USE;

/* The value of until=: 0 if the ban has no end. */
long long ban_until_s(const struct house_hold *hold);

/* Call it at login: records the network that the account came from. */
void ban_note_network(struct account *account, const struct session *session);
/* *out: the network from which a ban of the account also refuses new names. False: the
 * network is unknown, or the host trusts it, because many people share it. */
bool ban_network_of(const struct world *world, const struct account *account,
                    struct prefix *out) MUST_USE;

#endif
