/* See entry.h. */
#include "server/command/entry.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/room/feed.h"
#include "server/room/room.h"

#define GUEST_PREFIX "guest-"

/* Answers ERR entry. Returns false, for callers to return. */
static bool refuse(struct call *call, const char *why)
{
    return session_err(call->from, REPLY_ENTRY, "why=%s", why);
}

/* --- Bans and mutes --- */

enum { NEAR_V4_BITS = 24, NEAR_V6_BITS = 56 };

long long ban_until_s(const struct house_hold *hold)
{
    return hold->until_wall_s == INT64_MAX ? 0 : (long long)hold->until_wall_s;
}

/* Writes the network that contains the address of the session. If a player of a network
 * is banned, new names from this network are refused too. False: the address is
 * unknown. */
static bool network_of(const struct session *session, struct prefix *out)
{
    if (session->usage.slot == NULL)
        return false;
    *out = prefix_network(slot_from(session->usage.slot), NEAR_V4_BITS, NEAR_V6_BITS);
    return true;
}

void ban_note_network(struct account *account, const struct session *session)
{
    account->is_last_known = network_of(session, &account->last_network);
    account->is_address_known =
        prefix_parse(wire_peer_address(session->wire), &account->last_address);
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

/* Answers with the reason and the end of a ban or mute. Returns false, for callers to
 * return. */
static bool refuse_held(struct call *call, enum reply reply, const char *why,
                        const char *words, const struct house_hold *hold)
{
    char until[40] = "for good", reason[CALL_TEXT_MAX + 1];
    time_t at = (time_t)hold->until_wall_s;
    struct tm parts;

    if (hold->until_wall_s != INT64_MAX && gmtime_r(&at, &parts) != NULL)
        (void)strftime(until, sizeof until, "until %Y-%m-%d %H:%M UTC", &parts);
    text_copy(reason, sizeof reason, hold->act->words);
    for (char *quote = reason; (quote = strchr(quote, '"')) != NULL;)
        *quote = '\''; /* the value is quoted */
    return session_err(call->from, reply,
                       "why=%s until_s=%lld reason=\"%s\" : %s, %s: %s", why,
                       ban_until_s(hold), reason, words, until, hold->act->words);
}

bool ban_admits(struct call *call, const struct account *account)
{
    static const char words[] = "you are banned from this server";
    const struct tls_key *key = wire_peer_key(call->from->wire);
    const struct house *house = call->world->house;
    int64_t now_wall_s = mono_wall_s();
    char id[TLS_KEY_TEXT_BYTES];
    struct house_hold hold;
    bool is_of_staff;

    if (account != NULL && house_bans(house, account->folded, now_wall_s, &hold))
        return refuse_held(call, REPLY_ENTRY, "banned", words, &hold);
    if (key == NULL)
        return true;
    is_of_staff = account != NULL && account->role >= ROLE_MODERATOR &&
                  account_find_proof(account, key->digest, NULL) != NULL;
    tls_key_format(id, key);
    return !house_bans_key(house, id, is_of_staff, now_wall_s, &hold) ||
           refuse_held(call, REPLY_ENTRY, "banned", words, &hold);
}

/* True if new names from the network of the caller are refused, because a player of
 * this network is banned. Then *out is that ban. */
static bool is_near(const struct call *call, struct house_hold *out)
{
    char text[PREFIX_TEXT_BYTES];
    struct prefix network;

    if (!network_of(call->from, &network) ||
        admission_trusts(call->world->admission, slot_from(call->from->usage.slot)))
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
    return session_err(call->from, REPLY_ENTRY, "why=network until_s=%lld",
                       ban_until_s(&hold));
}

/* A ban or a mute names a player and cannot name a guest: so what guests may say depends
 * on their network. */
bool ban_admits_talk(struct call *call)
{
    const struct account *me = call->from->account;
    struct house_hold hold;

    if (me != NULL)
        return !house_mutes(call->world->house, me->folded, mono_wall_s(), &hold) ||
               refuse_held(call, REPLY_NOT_NOW, "muted", "the host has muted you",
                           &hold);
    if (!is_near(call, &hold))
        return true;
    return session_err(call->from, REPLY_NOT_NOW, "why=network until_s=%lld",
                       ban_until_s(&hold));
}

/* --- Tickets --- */

/* Answers that the code is not valid. If the code is not known, counts this as a failed
 * proof against the caller, who may be guessing codes. A known code is not counted, so
 * that a school class that opens one link too often is not locked out. */
static bool refuse_code(struct call *call, bool is_known)
{
    if (is_known)
        return refuse(call, "code#used used=1");
    (void)refuse(call, "code");
    session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
    return false;
}

bool entry_may_prove(struct call *call)
{
    int64_t wait_ms = admission_proof_wait_ms(call->from->usage.slot, call->now_ms);

    return wait_ms <= 0 ||
           session_err(call->from, REPLY_SLOW_DOWN, "#proofs retry=%lld",
                       (long long)mono_whole_s(wait_ms));
}

bool entry_is_guest_name(const char *name)
{
    size_t prefix = strlen(GUEST_PREFIX);
    bool has_dash = strncasecmp(name, GUEST_PREFIX, prefix) == 0;
    const char *digits = name + (has_dash ? prefix : prefix - 1);

    return strncasecmp(name, GUEST_PREFIX, prefix - 1) == 0 &&
           strspn(digits, "0123456789") == strlen(digits);
}

/* True if the owner of that account (NULL: a guest) may begin games now. */
static bool may_begin(const struct access *access, const struct account *account)
{
    enum role role = account_role(account);

    if (access->door == ACCESS_CLOSED)
        return role >= ROLE_MODERATOR;
    return access->door == ACCESS_OPEN || role >= ROLE_MEMBER ||
           (access->door == ACCESS_INVITED && access->guests == GUESTS_PLAY &&
            account != NULL && entry_is_guest_name(account->folded));
}

/* Each code costs one chat message, from the budget of the account, or from the caller's
 * if there is none: so nobody guesses many. The budget of the account does not become
 * full again when somebody logs in to it again. */
bool entry_read_ticket(struct call *call, struct account *account, const char *invite,
                       const char *owner, struct entry_ticket *out)
{
    const struct world *world = call->world;
    const struct access *access = &world->access;
    const struct tls_key *key = wire_peer_key(call->from->wire);
    struct invite *game;

    *out = (struct entry_ticket){.role = ROLE_GUEST};
    if (invite == NULL && owner == NULL)
        return true;
    /* Staff roles are bound to keys; a new name may take any. */
    if (owner != NULL &&
        (key == NULL ||
         (account != NULL && account_find_proof(account, key->digest, NULL) == NULL)))
        return refuse(call, "key");
    /* A member who presents an invitation again, because the answer was lost, is not
     * charged; nor is who needs none, or is admitted by none. */
    if (owner == NULL && (account != NULL ? account->role >= ROLE_MEMBER
                                          : access->door >= ACCESS_MEMBERS))
        return true;
    if (!call_has_chat(call, account, "codes"))
        return false;
    call_charge_chat(call, account);
    if (owner != NULL) {
        out->ticket =
            tickets_find(world->tickets, TICKET_OWNER, "", owner, mono_wall_s());
        out->role = ROLE_OWNER;
        return out->ticket != NULL || refuse_code(call, false);
    }
    out->ticket = tickets_find(world->tickets, TICKET_ENTER, "", invite, mono_wall_s());
    if (out->ticket != NULL) {
        out->role = ROLE_MEMBER;
        return true;
    }
    /* The code of a game admits a few new names while the game has not begun and its
     * maker may begin games; on an open server, any number. */
    game = invites_find(lobby_invites(world->lobby), invite);
    if (game != NULL && game->game == 0 && !invites_is_old(game) &&
        (access->door == ACCESS_OPEN || invites_admits_name(game)) &&
        (game->is_hosts || may_begin(access, game->owner)))
        out->invite = game;
    return out->invite != NULL || account != NULL ||
           refuse_code(call, game != NULL ||
                                 tickets_find_enter(world->tickets, invite) != NULL);
}

void entry_take_ticket(struct world *world, struct account *account,
                       const struct entry_ticket *ticket)
{
    if (ticket->invite != NULL)
        invites_count_name(ticket->invite);
    if (ticket->role != ROLE_GUEST)
        house_give_role(world->house, account, ticket->role,
                        ticket->role == ROLE_OWNER ? HOUSE_OPERATOR
                                                   : ticket->ticket->maker);
    if (ticket->ticket != NULL)
        tickets_use(world->tickets, ticket->ticket, account);
}

/* The audit log keeps the entry that gave the role, and also gets an entry that takes
 * the role away. Such entries cannot fill the log. Each case costs a use of the
 * invitation, and the server gives at most TICKET_GIVES_BACK uses back to one
 * invitation. */
void entry_unclaim(struct world *world, struct account *account)
{
    if (account->door[0] != '\0') {
        tickets_give_back(world->tickets, account);
        house_give_role(world->house, account, ROLE_PLAYER, HOUSE_OPERATOR);
    }
    accounts_unclaim(world->accounts, account);
}

/* --- Invitations to the door --- */

bool entry_make_door(const struct world *world, const char *maker, int uses, int days,
                     char code[TICKET_CODE_BYTES])
{
    const struct ticket *ticket;
    char params[64];

    ticket = tickets_make_enter(world->tickets, maker, uses, days, mono_wall_s(), code);
    if (ticket != NULL) {
        snprintf(params, sizeof params, "door=%s uses=%d days=%d", ticket->begin, uses,
                 days);
        house_record(
            world->house,
            &(struct house_act){.actor = maker, .kind = "invite", .params = params});
    }
    return ticket != NULL;
}

/* --- Login --- */

bool entry_admits_new_name(struct call *call, const struct entry_ticket *ticket)
{
    if (ticket->role == ROLE_OWNER)
        return true;
    switch (call->world->access.door) {
    case ACCESS_OPEN:
        return true;
    case ACCESS_INVITED:
        return ticket->ticket != NULL || ticket->invite != NULL ||
               refuse(call, "invitation");
    case ACCESS_MEMBERS:
        return refuse(call, "members");
    case ACCESS_CLOSED:
        break;
    }
    return refuse(call, "closed");
}

bool entry_admits(struct call *call, const struct account *account,
                  const struct entry_ticket *ticket)
{
    const struct access *access = &call->world->access;
    enum role role = account->role > ticket->role ? account->role : ticket->role;

    if (account->open[QUOTA_GAME] > 0 || role >= ROLE_MODERATOR)
        return true;
    if (access->door == ACCESS_CLOSED)
        return refuse(call, "closed");
    if (access->door == ACCESS_MEMBERS && role < ROLE_MEMBER)
        return refuse(call, "members");
    return !entry_is_guest_name(account->folded) || access->guests == GUESTS_PLAY ||
           refuse(call, "guests");
}

bool entry_admits_guest(struct call *call)
{
    const struct access *access = &call->world->access;

    return (access->guests != GUESTS_NONE && access->door != ACCESS_CLOSED) ||
           refuse(call, "guests");
}

enum { GUEST_NUMBERS = 1000000 };

void entry_guest_name(char out[NAME_BYTES])
{
    uint32_t random;
    struct text text = text_into(out, NAME_BYTES);

    if (RAND_bytes((unsigned char *)&random, sizeof random) != 1)
        log_die("entry no random numbers");
    text_addf(&text, GUEST_PREFIX "%u", (unsigned)(random % GUEST_NUMBERS));
}

/* --- Playing and watching --- */

bool entry_may_begin(struct call *call)
{
    return may_begin(&call->world->access, call->from->account) ||
           refuse(call, "member");
}

bool entry_may_answer(struct call *call)
{
    return call->world->access.door == ACCESS_INVITED || entry_may_begin(call);
}

static bool may_list(const struct world *world, const struct session *session)
{
    return world->access.watching == WATCHING_ALL ||
           account_role(session->account) >= ROLE_MEMBER;
}

bool entry_may_list(const struct world *world, struct session *session)
{
    if (may_list(world, session))
        return true;
    return session_err(session, REPLY_ENTRY, "why=watching");
}

bool entry_may_read(const struct world *world, struct session *session,
                    struct readable what)
{
    return privacy_is_player(&what, session->account) || entry_may_list(world, session);
}

void entry_close_guests(const struct world *world)
{
    if (world->access.guests != GUESTS_NONE && world->access.door != ACCESS_CLOSED)
        return;
    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s))
        if (s->state == SESSION_GUEST)
            session_close(s, "access", NULL);
}

/* The rules are those of meant_game(). */
void entry_close_watchers(const struct world *world)
{
    struct cursor *cursor, *next;

    for (struct room *room = rooms_first(world->rooms); room != NULL;
         room = rooms_next(room))
        DL_FOREACH_SAFE (room->feed.watchers, cursor, next) {
            const struct session *session = cursor->session;
            struct readable what = privacy_readable_room(room);

            if ((!privacy_is_player(&what, session->account) &&
                 !may_list(world, session)) ||
                !privacy_may_read(world->rooms, &what, session, NULL))
                privacy_close_watcher(room, cursor->session);
        }
}
