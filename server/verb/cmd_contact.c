/* The verb contact: where the host's program can reach a player who is not here. */
#include <string.h>

#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/lobby/contacts.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

static void show_address(struct call *call)
{
    const char *address = contacts_address(call->world->contacts, call->from->account);

    if (address != NULL)
        session_ok(call->from,
                   "contact address=%s : you will be notified there when a game by "
                   "correspondence waits for you; contact none ends that",
                   address);
    else
        session_ok(
            call->from,
            "contact address=- : you have no address here; contact ADDRESS sets one");
}

static void refuse(struct call *call, enum contacts_verdict verdict)
{
    struct session *session = call->from;

    if (verdict == CONTACTS_OFF)
        session_err(session, REPLY_NOT_NOW,
                    "why=off : notifications are off here; \"janggi due\" lists the "
                    "games that wait");
    else if (verdict == CONTACTS_YOUNG)
        session_err(
            session, REPLY_NOT_NOW,
            "why=young : to set a contact address you must be a member, or have "
            "an account that is older than a day; programs may not set one");
    else if (verdict == CONTACTS_EACH)
        session_err(session, REPLY_LIMIT,
                    "what=codes max=%d : you or that address have had enough codes "
                    "today; try again tomorrow",
                    CONTACT_CODES_EACH);
    else if (verdict == CONTACTS_ALL)
        session_err(session, REPLY_LIMIT,
                    "what=codes max=%d : the server sends no more codes today",
                    CONTACT_CODES_ALL);
    else if (verdict == CONTACTS_SLOW)
        session_err(session, REPLY_SLOW_DOWN,
                    "retry=60 : the program that sends codes is busy; try again in a "
                    "minute");
    else if (verdict == CONTACTS_CODE)
        session_err(session, REPLY_NO_SUCH,
                    "why=code : the code is wrong or has expired; contact ADDRESS "
                    "sends a new one");
    else
        act_refuse_marks(call);
}

/* True if a code that the caller asks for also counts towards the limit of the caller's
 * network. The codes of members count only towards the limits of the account, the
 * mailbox and the server, because the members of a club may share one network. */
static bool is_charged(const struct call *call)
{
    return account_role(call->from->account) < ROLE_MEMBER;
}

/* True if the caller may ask for a code. False: the caller's network has had enough
 * codes today, and the answer was sent. */
static bool may_ask(struct call *call)
{
    int max;

    if (!is_charged(call) ||
        accounts_use_wait_s(call->world->accounts, NETWORK_CODE,
                            session_peer_address(call->from), mono_wall_s(), &max) == 0)
        return true;
    session_err(call->from, REPLY_LIMIT,
                "what=codes max=%d : your network has had enough codes today; try "
                "again tomorrow",
                max);
    return false;
}

static void send_code(struct call *call, const char *address)
{
    enum contacts_verdict verdict = contacts_ask(
        call->world->contacts, call->from->account, address, mono_wall_s());

    if (verdict != CONTACTS_DONE) {
        refuse(call, verdict);
        return;
    }
    if (is_charged(call))
        accounts_charge_use(call->world->accounts, NETWORK_CODE,
                            session_peer_address(call->from), mono_wall_s());
    session_ok(call->from,
               "contact asked=%s minutes=%d : a code is on its way there; then "
               "type: contact code=CODE",
               address, CONTACT_CODE_MINUTES);
}

static void ask(struct call *call, const char *address)
{
    if (!contacts_is_address(address))
        call_usage(call, "an address is one word, like hong@example.org");
    else if (may_ask(call))
        send_code(call, address);
}

static void confirm(struct call *call, const char *code)
{
    struct promise *promise = act_promisef(
        call, "contact confirmed=1 : you will be notified there when a game by "
              "correspondence waits for you; contact none ends that");
    enum contacts_verdict verdict = contacts_confirm(
        call->world->contacts, call->from->account, code, order_keep_promise, promise);

    if (verdict == CONTACTS_DONE)
        return;
    store_arg_free(promise);
    refuse(call, verdict);
}

static void drop(struct call *call)
{
    struct promise *promise =
        act_promisef(call, "contact address=- : the address was removed");

    if (contacts_drop(call->world->contacts, call->from->account, order_keep_promise,
                      promise))
        return;
    store_arg_free(promise);
    session_ok(call->from, "contact address=- : there was no address");
}

static void contact_run(struct call *call)
{
    if (call->argc == 1)
        show_address(call);
    else if (strcmp(call->argv[1], "none") == 0)
        drop(call);
    else if (strncmp(call->argv[1], "code=", 5) == 0)
        confirm(call, call->argv[1] + 5);
    else
        ask(call, call->argv[1]);
}

const struct command cmd_contact = {
    .name = "contact",
    .usage = "contact [ADDRESS | code=CODE | none]",
    .help = "set the address for notices about your correspondence games",
    .args_max = 1,
    .cost = 4,
    .run = contact_run,
};
