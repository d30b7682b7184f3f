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
 * one). A ban of the name forbids it, and so does a ban of the caller's key; for the
 * key of a person of the staff, only bans by an owner count. Returns false after
 * answering. */
bool ban_admits(struct call *call, const struct account *account) MUST_USE;
/* Returns true if the network of the caller may register new names. Returns false after
 * answering. */
bool ban_admits_new_name(struct call *call) MUST_USE;
/* Returns true if the caller may talk and challenge: a muted player may not, nor may a
 * guest from a network whose new names are refused because of a ban. Returns false
 * after answering. */
bool ban_admits_talk(struct call *call) MUST_USE;

/* Returns the value of until= in an answer: 0 if the ban has no end. */
long long ban_until_s(const struct house_hold *hold);

/* Call it at login: records the network that the account came from. */
void ban_note_network(struct account *account, const struct session *session);
/* Writes the network from which a ban of the account also refuses new names. False: the
 * network is unknown, or the host trusts it, because many people share it. */
bool ban_network_of(const struct world *world, const struct account *account,
                    struct prefix *out) MUST_USE;

#endif
