/* See ban.h. */
#include "server/command/ban.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/command/command.h"
#include "server/net/session.h"

enum { NEAR_V4_BITS = 24, NEAR_V6_BITS = 56, TIME_BYTES = 40 };

/* --- Words --- */

/* Copies a reason for use in a quoted value: each " in it becomes '. */
static void quote(char out[CALL_TEXT_MAX + 1], const char *words)
{
    text_copy(out, CALL_TEXT_MAX + 1, words);
    for (char *at = strchr(out, '"'); at != NULL; at = strchr(at, '"'))
        *at = '\'';
}

/* Writes "until 2026-11-29 12:00 UTC", or "for good". */
static void time_words(char out[TIME_BYTES], int64_t wall_s)
{
    time_t at = (time_t)wall_s;
    struct tm parts;

    if (wall_s == INT64_MAX || gmtime_r(&at, &parts) == NULL ||
        strftime(out, TIME_BYTES, "until %Y-%m-%d %H:%M UTC", &parts) == 0)
        snprintf(out, TIME_BYTES, "for good");
}

long long ban_until_s(const struct house_hold *hold)
{
    return hold->until_wall_s == INT64_MAX ? 0 : (long long)hold->until_wall_s;
}

/* Writes the network that contains the address of the session. If a player of a network
 * is banned, new names from this network are refused too. False: the address is
 * unknown. */
static bool network_of(const struct session *session, struct prefix *out)
{
    if (session->allowance.pass == NULL)
        return false;
    *out =
        prefix_network(pass_from(session->allowance.pass), NEAR_V4_BITS, NEAR_V6_BITS);
    return true;
}

void ban_note_network(struct account *account, const struct session *session)
{
    account->is_last_known = network_of(session, &account->last_network);
    account->is_address_known =
        prefix_parse(session_peer_address(session), &account->last_address);
}

bool ban_network_of(const struct world *world, const struct account *account,
                    struct prefix *out)
{
    if (!account->is_last_known || !account->is_address_known ||
        admission_trusts(world->admission, &account->last_address))
        return false;
    *out = account->last_network;
    return true;
}

/* --- Checks --- */

static void refuse(struct call *call, enum reply reply, const char *why,
                   const char *words, const struct house_hold *hold)
{
    char until[TIME_BYTES], reason[CALL_TEXT_MAX + 1];

    time_words(until, hold->until_wall_s);
    quote(reason, hold->act->words);
    session_err(call->from, reply, "why=%s until_s=%lld reason=\"%s\" : %s, %s: %s",
                why, ban_until_s(hold), reason, words, until, hold->act->words);
}

/* Answers that the caller is banned. Returns false, for callers to return. */
static bool refuse_banned(struct call *call, const struct house_hold *hold)
{
    refuse(call, REPLY_ENTRY, "banned", "you are banned from this server", hold);
    return false;
}

/* True if the account belongs to the staff, and `key` is a key with which it may log
 * in. */
static bool is_of_staff(const struct account *account, const struct tls_key *key)
{
    return account != NULL && account->role >= ROLE_MODERATOR &&
           account_is_proved(account, key->digest, NULL);
}

bool ban_admits(struct call *call, const struct account *account)
{
    const struct tls_key *key = session_peer_key(call->from);
    int64_t now_wall_s = mono_wall_s();
    char id[TLS_KEY_TEXT_BYTES];
    struct house_hold hold;

    if (account != NULL &&
        house_bans_name(call->world->house, account->folded, now_wall_s, &hold))
        return refuse_banned(call, &hold);
    if (key == NULL)
        return true;
    tls_key_format(id, key);
    return !house_bans_key(call->world->house, id, is_of_staff(account, key),
                           now_wall_s, &hold) ||
           refuse_banned(call, &hold);
}

/* True if new names from the network of the caller are refused, because a player of
 * this network is banned. Then *out is that ban. */
static bool is_near(const struct call *call, struct house_hold *out)
{
    char text[PREFIX_TEXT_BYTES];
    struct prefix network;

    if (!network_of(call->from, &network) ||
        admission_trusts(call->world->admission, pass_from(call->from->allowance.pass)))
        return false;
    prefix_format(text, &network);
    return house_bans_near(call->world->house, text, mono_wall_s(), out);
}

bool ban_admits_new_name(struct call *call)
{
    struct house_hold hold;

    if (!ban_admits(call, NULL))
        return false;
    if (!is_near(call, &hold))
        return true;
    session_err(call->from, REPLY_ENTRY,
                "why=network until_s=%lld : somebody in your network is banned; until "
                "that ban ends, this server accepts no new names from your network",
                ban_until_s(&hold));
    return false;
}

/* Returns true if the caller, a guest, may talk. A ban or a mute names a player and
 * cannot name a guest, so this depends on the network of the guest. Returns false after
 * answering. */
static bool admits_talk_of_guest(struct call *call)
{
    struct house_hold hold;

    if (!is_near(call, &hold))
        return true;
    session_err(call->from, REPLY_NOT_NOW,
                "why=network until_s=%lld : somebody in your network is banned; until "
                "that ban ends, guests from your network may watch, but not whisper",
                ban_until_s(&hold));
    return false;
}

bool ban_admits_talk(struct call *call)
{
    struct house_hold hold;

    if (call->from->account == NULL)
        return admits_talk_of_guest(call);
    if (!house_mutes(call->world->house, call->from->account->folded, mono_wall_s(),
                     &hold))
        return true;
    refuse(call, REPLY_NOT_NOW, "muted", "the host has muted you", &hold);
    return false;
}
