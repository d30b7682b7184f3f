/* See entry.h. */
#include "server/command/entry.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/admission/admission.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/room/feed.h"
#include "server/room/room.h"

#define GUEST_PREFIX "guest-"

/* Answers ERR entry. Returns false, for callers to return. */
static bool refuse(struct call *call, const char *why, const char *words)
{
    session_err(call->from, REPLY_ENTRY, "why=%s : %s", why, words);
    return false;
}

/* True if an invitation to a game or to the server has this code, even if the
 * invitation is used up. */
static bool is_known(const struct call *call, const char *code)
{
    return invites_find(lobby_invites(call->world->lobby), code) != NULL ||
           tickets_find_enter(call->world->tickets, code) != NULL;
}

/* Answers that the code is not valid. If the code is not known, counts this as a failed
 * proof against the caller, who may be guessing codes. A known code is not counted, so
 * that a school class that opens one link too often is not locked out. */
static bool refuse_code(struct call *call, const char *code)
{
    if (code != NULL && is_known(call, code))
        return refuse(call, "code used=1",
                      "that link has been used already, or is too old; ask for a new "
                      "link");
    (void)refuse(
        call, "code",
        "this server does not know that link, or no longer; ask for a new link");
    session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
    return false;
}

/* --- Tickets --- */

/* True if the caller has shown a key that belongs to the account. account NULL (for a
 * new name): true for every key. Staff roles are bound to keys. */
static bool has_key(const struct call *call, const struct account *account)
{
    const struct tls_key *key = session_peer_key(call->from);

    return key != NULL &&
           (account == NULL || account_is_proved(account, key->digest, NULL));
}

/* Charges one chat message to the account, or to the caller if `account` is NULL. So a
 * caller cannot guess many codes. The budget of the account does not become full again
 * when somebody logs in to the account again. False: has answered. */
static bool spend_code(struct call *call, struct account *account)
{
    if (!call_has_chat(call, account, "too many codes at once"))
        return false;
    call_charge_chat(call, account);
    return true;
}

bool entry_must_wait(struct call *call)
{
    int64_t wait_ms = admission_proof_wait_ms(call->from->allowance.pass, call->now_ms);

    if (wait_ms > 0)
        session_err(call->from, REPLY_SLOW_DOWN,
                    "retry=%lld : too many wrong proofs from your address",
                    (long long)mono_whole_s(wait_ms));
    return wait_ms > 0;
}

static bool read_owner(struct call *call, struct account *account, const char *code,
                       struct entry_ticket *out)
{
    if (!has_key(call, account))
        return refuse(
            call, "key",
            "an owner needs a key: open the link with janggi, which makes one");
    if (!spend_code(call, account))
        return false;
    out->ticket =
        tickets_find(call->world->tickets, TICKET_OWNER, "", code, mono_wall_s());
    if (out->ticket == NULL)
        return refuse_code(call, NULL);
    out->role = ROLE_OWNER;
    return true;
}

/* True if the code of the invitation may admit one more new name. Each code admits only
 * a few new names. On an open server the result is always true, because a new name does
 * not need a code there. */
static bool admits_name(const struct call *call, const struct invite *invite)
{
    return call->world->access.door == ACCESS_OPEN || invites_admits_name(invite);
}

/* True if the account has a name that entry_guest_name() makes, such as guest-7.
 * guest-lee is the name of a person. */
static bool is_guests(const struct account *account)
{
    const char *name = account->folded;
    size_t prefix = strlen(GUEST_PREFIX);

    return strncmp(name, GUEST_PREFIX, prefix) == 0 &&
           strspn(name + prefix, "0123456789") == strlen(name + prefix);
}

/* True if the owner of that account (NULL: a guest) may begin games now. */
static bool may_begin(const struct access *access, const struct account *account)
{
    enum role role = account_role(account);

    if (access->door == ACCESS_CLOSED)
        return role >= ROLE_MODERATOR;
    return access->door == ACCESS_OPEN || role >= ROLE_MEMBER ||
           (access->door == ACCESS_INVITED && access->guests == GUESTS_PLAY &&
            account != NULL && is_guests(account));
}

/* True if the code admits a new name now: its game has not begun, and its maker is
 * still allowed to begin games. */
static bool is_open(const struct call *call, const struct invite *invite)
{
    return invite->game == 0 && !invites_is_old(invite) && admits_name(call, invite) &&
           (invite->is_hosts || may_begin(&call->world->access, invite->owner));
}

static struct invite *find_open_game(struct call *call, const char *code)
{
    struct invite *invite = invites_find(lobby_invites(call->world->lobby), code);

    return invite != NULL && is_open(call, invite) ? invite : NULL;
}

/* Reads the code after invite=. A member who presents an invitation again, because the
 * answer was lost, is not charged. */
static bool read_invite(struct call *call, struct account *account, const char *code,
                        struct entry_ticket *out)
{
    if (account != NULL ? account->role >= ROLE_MEMBER
                        : call->world->access.door >= ACCESS_MEMBERS)
        return true; /* ignore the code: it is not needed, or it cannot admit a new name
                      * here */
    if (!spend_code(call, account))
        return false;
    out->ticket =
        tickets_find(call->world->tickets, TICKET_ENTER, "", code, mono_wall_s());
    if (out->ticket != NULL)
        out->role = ROLE_MEMBER;
    else
        out->invite = find_open_game(call, code);
    return out->role != ROLE_GUEST || out->invite != NULL || account != NULL ||
           refuse_code(call, code);
}

bool entry_read_ticket(struct call *call, struct account *account, const char *invite,
                       const char *owner, struct entry_ticket *out)
{
    *out = (struct entry_ticket){.role = ROLE_GUEST};
    if (owner != NULL)
        return read_owner(call, account, owner, out);
    return invite == NULL || read_invite(call, account, invite, out);
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
    store_begin_together(world->store);
    if (account->door[0] != '\0') {
        tickets_give_back(world->tickets, account);
        house_give_role(world->house, account, ROLE_PLAYER, HOUSE_OPERATOR);
    }
    accounts_unclaim(world->accounts, account);
    store_end_together(world->store);
}

/* --- Invitations to the door --- */

bool entry_make_door(const struct world *world, const char *maker, int uses, int days,
                     char code[TICKET_CODE_BYTES])
{
    const struct ticket *ticket;
    char params[64];

    store_begin_together(world->store);
    ticket = tickets_make_enter(world->tickets, maker, uses, days, mono_wall_s(), code);
    if (ticket != NULL) {
        snprintf(params, sizeof params, "door=%s uses=%d days=%d", ticket->begin, uses,
                 days);
        house_record(
            world->house,
            &(struct house_act){.actor = maker, .kind = "invite", .params = params});
    }
    store_end_together(world->store);
    return ticket != NULL;
}

/* --- Login --- */

static bool refuse_members(struct call *call)
{
    return refuse(call, "members",
                  "this server accepts no new names; only its members play here");
}

static bool refuse_closed(struct call *call)
{
    return refuse(call, "closed", "this server is closed; only its staff may log in");
}

static bool refuse_guests(struct call *call)
{
    return refuse(call, "guests",
                  "you need a name to enter this server (janggi -n NAME, or login NAME "
                  "without janggi)");
}

bool entry_admits_new_name(struct call *call, const struct entry_ticket *ticket)
{
    if (ticket->role == ROLE_OWNER)
        return true;
    switch (call->world->access.door) {
    case ACCESS_OPEN:
        return true;
    case ACCESS_INVITED:
        return ticket->ticket != NULL || ticket->invite != NULL ||
               refuse(call, "invitation",
                      "a new name needs an invitation here: ask the host for a link "
                      "(without janggi: login NAME invite=CODE)");
    case ACCESS_MEMBERS:
        return refuse_members(call);
    case ACCESS_CLOSED:
        break;
    }
    return refuse_closed(call);
}

bool entry_admits(struct call *call, const struct account *account,
                  const struct entry_ticket *ticket)
{
    const struct access *access = &call->world->access;
    enum role role = account->role > ticket->role ? account->role : ticket->role;

    if (account->games > 0 || role >= ROLE_MODERATOR)
        return true;
    if (access->door == ACCESS_CLOSED)
        return refuse_closed(call);
    if (access->door == ACCESS_MEMBERS && role < ROLE_MEMBER)
        return refuse_members(call);
    return !is_guests(account) || access->guests == GUESTS_PLAY || refuse_guests(call);
}

bool entry_admits_guest(struct call *call)
{
    const struct access *access = &call->world->access;

    return (access->guests != GUESTS_NONE && access->door != ACCESS_CLOSED) ||
           refuse_guests(call);
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
           refuse(
               call, "member",
               "only members begin games here: a member can invite or challenge you, "
               "and the host can make you a member");
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
    session_err(session, REPLY_ENTRY,
                "why=watching : only members of this server may watch its games");
    return false;
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
            session_close(s, "access", "you need a name to enter this server now");
}

/* True if the session, which watches the room already, may read it; the rules are those
 * of meant_game(). */
static bool may_watch(const struct world *world, struct room *room,
                      const struct session *session)
{
    struct readable what = privacy_readable_room(room);

    return (privacy_is_player(&what, session->account) || may_list(world, session)) &&
           privacy_may_read(world->rooms, &what, session, NULL);
}

void entry_close_watchers(const struct world *world)
{
    struct cursor *cursor, *next;

    for (struct room *room = rooms_first(world->rooms); room != NULL;
         room = rooms_next(room))
        DL_FOREACH_SAFE (room->feed.watchers, cursor, next)
            if (!may_watch(world, room, cursor->session))
                privacy_close_watcher(room, cursor->session);
}
