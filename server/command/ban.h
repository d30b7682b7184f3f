/* What a ban or a mute of house.h means for one caller, and how it is told. */
#ifndef SERVER_COMMAND_BAN_H
#define SERVER_COMMAND_BAN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "server/account/house.h"

struct account;
struct call;
struct session;

/* May the caller log in as account (NULL: without a name, or with a new one)? A ban of
 * the name or of the caller's key says no. False: has answered. */
bool ban_admits(struct call *call, const struct account *account) MUST_USE;
/* May the caller take a new name from where they are? False: has answered. */
bool ban_admits_new_name(struct call *call) MUST_USE;
/* The caller may talk and challenge. False: has answered. */
bool ban_admits_talk(struct call *call) MUST_USE;

/* "until 2026-11-29 12:00 UTC", or "for good". */
enum { BAN_TIME_BYTES = 40 };
void ban_time_words(char out[BAN_TIME_BYTES], int64_t wall_s);
/* 0 for no end: as until= is written. */
long long ban_until_s(const struct house_hold *hold);

/* Remembers from which network the account logs in: a ban of it concerns new names from
 * there. */
void ban_note_network(struct account *account, const struct session *session);

#endif
