/* The audit log: every act of the staff, and every report to them, with actor, target,
 * words and time. Acts are appended and never changed, but a person can be erased from
 * them, and old reports lose their words. The present state (roles, bans,
 * mutes, settings) is computed from these acts at the start and after each new one, so
 * the audit and the state always agree. */
#ifndef SERVER_ACCOUNT_HOUSE_H
#define SERVER_ACCOUNT_HOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/account/account.h"
#include "server/base/deadline.h"
#include "server/store/store.h"

struct account;
struct accounts;
struct house;

/* An act. On disk its text is "KIND TARGET key=value ... : words". */
struct house_act {
    int64_t wall_s;
    const char *actor;  /* the shown name of an account, or HOUSE_OPERATOR */
    const char *kind;   /* "role", "kick", "report" ...: a word */
    const char *target; /* the shown name of an account, or another word; "": no
                         * target */
    const char *params; /* "key=value ..." or "" */
    const char *words;  /* the reason or the text, on one or more lines; "": no words */
};
/* The actor of the acts by `janggid ctl`. */
#define HOUSE_OPERATOR "host"
/* The kind of a report. Its words are the text of the player, and then one line for
 * each quoted line of chat: "chat at_s=WALL_S game=N by=NAME : TEXT". */
#define HOUSE_REPORT "report"

/* After this many days a report loses its words. Its actor and its target stay. */
enum { HOUSE_REPORT_DAYS = 90 };

/* Reads the acts from the store, and sets the roles of the accounts and the ends of
 * their bans. Returns NULL after logging why. Borrows its arguments. deadlines may be
 * NULL: then reports keep their words. */
struct house *house_open(struct store *store, struct accounts *accounts,
                         struct deadlines *deadlines) MUST_USE;
/* `house` may be NULL. */
void house_close(struct house *house);

/* Appends the act with the present time, and applies it to the present state: the act
 * is valid when the call returns. Texts are copied. target, params and words may be
 * NULL, which means "". */
void house_record(struct house *house, const struct house_act *act);

/* A person who is erased. `folded` is the name, which `alias` replaces. since_wall_s is
 * when the person got the name: earlier acts are about another person. */
struct house_person {
    const char *folded, *alias;
    int64_t since_wall_s;
};
/* Copies the act to *out, and removes the person from the copy. The texts of *out are in
 * *bytes, which the caller frees. The copy differs from the act as follows:
 *   - If the person is the actor or the target, the alias replaces the name.
 *   - If the reason or text contains the name, the alias replaces the name there.
 *   - If the act is a ban and the person is the target, the copy has no keys= and no
 *     near=.
 *   - If the act is a report about the person, the copy has no lines of chat.
 *   - If the act is a report by the person, the copy has no words.
 * person: a struct house_person. False: the act does not concern the person, or is from
 * before the person got the name. Then *bytes is NULL. */
bool house_person_erase(const struct house_act *act, const void *person,
                        struct house_act *out, char **bytes) MUST_USE;
/* Rewrites the log without the person, in memory and on disk. Call it
 * in one batch with the erasure of the account, and record that erasure as an act
 * afterwards. */
void house_erase(struct house *house, const struct house_person *person);

/* Removes the words of all reports that were made before that time, in memory and on
 * disk. Returns the number of these reports. */
int house_shorten_reports(struct house *house, int64_t before_wall_s);

/* Records that actor gave the account that role. */
void house_give_role(struct house *house, struct account *account, enum role role,
                     const char *actor);

/* --- Bans and mutes --- */

/* A ban or a mute that is in force.
 *
 * A ban is the act "ban TARGET until=WALL_S near=NETWORK keys=ID,ID : reason". TARGET
 * is a name, "key:ID" or "addr:NETWORK". If until is 0, the ban has no end. A ban of a
 * name also bans the keys in `keys`, under any name. It also refuses new names from the
 * network in `near`. A mute is the act "mute NAME until=WALL_S : reason". A new act
 * about the same target replaces the earlier act. */
struct house_hold {
    const struct house_act *act;
    enum role rank; /* role of the actor now; of an erased actor: the last one. The
                           * operator is an owner */
    int64_t until_wall_s; /* INT64_MAX: no end */
};

/* This function and the next three return true, and set *out, if such a ban or mute is
 * in force at now_wall_s. target: written like TARGET in the act `ban`; a name in any
 * spelling. */
bool house_bans(const struct house *house, const char *target, int64_t now_wall_s,
                struct house_hold *out);
/* id: the digest of the key in base64url. If by_owner is true, considers only bans that
 * were made by the operator or by an owner (rank). */
bool house_bans_key(const struct house *house, const char *id, bool by_owner,
                    int64_t now_wall_s, struct house_hold *out);
/* True if a ban of a name also keeps that network from registering new names. */
bool house_bans_near(const struct house *house, const char *network, int64_t now_wall_s,
                     struct house_hold *out);
/* True if the name is muted now, and sets *out. A mute of an earlier owner of the name
 * does not concern the present owner. */
bool house_mutes(const struct house *house, const char *name, int64_t now_wall_s,
                 struct house_hold *out);

/* Calls see() for every ban in force, the oldest first. */
typedef void house_hold_fn(void *arg, const struct house_hold *hold);
void house_each_ban(const struct house *house, int64_t now_wall_s, house_hold_fn *see,
                    void *arg);

/* --- Settings --- */

/* Returns the text of the last act "set KEY : text"; NULL: there is no such act. */
const char *house_setting(const struct house *house, const char *key);

/* --- The log --- */

/* Returns the value of the parameter key= of an act. *len gets the length of the value
 * in bytes. The value does not end with a NUL. NULL: the act does not have this
 * parameter. */
const char *house_param(const struct house_act *act, const char *key, size_t *len);

/* Calls see() for every act, the oldest first. */
typedef void house_act_fn(void *arg, const struct house_act *act);
void house_each(const struct house *house, house_act_fn *see, void *arg);

#endif
