/* Verbs for one name on several devices: device, devices. */
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/proto.h"
#include "server/account/accounts.h"
#include "server/account/ticket.h"
#include "server/base/world.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* A device is shown as the first ID_LETTERS letters of its digest. A user must type at
 * least ID_LETTERS_MIN of them. */
enum { DIGEST_TEXT_BYTES = 44, ID_LETTERS = 8, ID_LETTERS_MIN = 4 };

static void id_format(char out[DIGEST_TEXT_BYTES], const struct proof *proof)
{
    text_base64url(out, proof->digest, sizeof proof->digest);
}

/* --- devices --- */

static bool devices_run(struct call *call)
{
    const struct account *me = call->from->account;
    const struct proof *proof = me->proofs;
    int count = me->proof_count;

    for (int i = 0; i < count; i++) {
        char id[DIGEST_TEXT_BYTES], since[40] = "";

        id_format(id, &proof[i]);
        if (proof[i].since_wall_s != 0)
            snprintf(since, sizeof since, " since_s=%lld",
                     (long long)proof[i].since_wall_s);
        session_sayf(
            call->from, "| device %.*s proof=%s%s here=%d", ID_LETTERS, id,
            proof[i].kind == STORE_PROOF_KEY ? "key" : "token", since,
            memcmp(proof[i].digest, me->shown_digest, sizeof proof[i].digest) == 0);
    }
    return session_ok(call->from, "devices count=%d", count);
}

const struct command cmd_devices = {
    .name = "devices",
    .usage = "devices",
    .help = N_("the devices that may use your name here"),
    .run = devices_run,
};

/* --- device --- */

/* False if the caller is of the staff and has logged in with a token; the answer was
 * sent. Such a login has no rights of the staff. It must not add a key, because a login
 * with that key would have these rights. */
static bool has_staff_proof(struct call *call)
{
    const struct account *account = call->from->account;

    return account_role(account) == account->role ||
           session_err(call->from, REPLY_NOT_NOW, "why=token");
}

/* Removes the proof whose ID begins with the typed letters. */
static bool remove_device(struct call *call, const char *typed)
{
    struct account *me = call->from->account;
    const struct proof *proof = me->proofs;
    int count = me->proof_count, found = -1;
    size_t len = strlen(typed);
    char id[DIGEST_TEXT_BYTES];
    bool is_key;

    for (int i = 0; i < count && len >= ID_LETTERS_MIN; i++) {
        id_format(id, &proof[i]);
        if (strncmp(id, typed, len) == 0)
            found = found == -1 ? i : count;
    }
    if (found < 0 || found == count)
        return session_err(call->from, REPLY_NO_SUCH,
                           found == -1 ? "why=unknown#device" : "why=several");
    is_key = proof[found].kind == STORE_PROOF_KEY;
    if (is_key && !has_staff_proof(call))
        return false;
    id_format(id, &proof[found]);
    if (is_key && me->role > ROLE_MEMBER && account_keys(me) <= 1)
        return session_err(call->from, REPLY_NOT_NOW, "why=last-key");
    if (accounts_remove_proof(call->world->accounts, me, proof[found].digest))
        return session_ok(call->from, "device removed=%.*s", ID_LETTERS, id);
    return session_err(call->from, REPLY_NOT_NOW, "why=last");
}

static bool device_run(struct call *call)
{
    struct account *me = call->from->account;
    char code[TICKET_CODE_BYTES], places[PROTO_LINE_MAX / 2] = "";
    struct text text = text_into(places, sizeof places);

    if (call->argc == 3 && strcmp(call->argv[1], "remove") == 0)
        return remove_device(call, call->argv[2]);
    if (call->argc > 1)
        return call_usage(call, "unknown words");
    if (!has_staff_proof(call))
        return false;
    if (me->proof_count > DEVICES_MAX)
        return session_err(call->from, REPLY_LIMIT, "what=devices max=%d", DEVICES_MAX);
    tickets_make(call->world->tickets, TICKET_DEVICE, me->folded, mono_wall_s(), code);
    act_add_places(&text, call);
    return session_ok(
        call->from,
        "device code=%s minutes=%d%s : on the other device: login %s code=%s", code,
        DEVICE_CODE_MINUTES, places, me->shown, code);
}

const struct command cmd_device = {
    .name = "device",
    .usage = "device [remove ID]",
    .help = N_("let another device of yours play under your name"),
    .examples = N_("device                  what to type on the other device\n"
                   "device remove 2fX_9aBc  that device may no longer use your name"),
    .cost = 4,
    .run = device_run,
};
