/* Verbs of a session and of a name: login, view, quit; device, devices. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/proto.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ticket.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/lobby/lobby.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- login --- */

/* Returns the stamp (gate.h) of what a login of the account tells: its proofs, its role
 * and its games. */
static uint64_t stamp_of(const struct world *world, const struct account *account)
{
    uint64_t stamp = account->stamp;

    for (int i = 0; i < account->open[QUOTA_GAME]; i++) {
        const struct room *room = rooms_peek(world->rooms, account->game[i]);

        if (room != NULL && room->feed.stamp > stamp)
            stamp = room->feed.stamp;
    }
    return stamp;
}

/* While writes wait, people whose name is on disk still get in, although rows of others
 * wait. account NULL: the answer is about no account. */
static void narrow_in_outage(const struct world *world, struct session *session,
                             const struct account *account)
{
    if (world->has_outage)
        session_narrow(session, account != NULL ? stamp_of(world, account) : GATE_FREE);
}

/* token NULL: none was made for this login. */
static void welcome(struct world *world, struct session *session,
                    struct account *account, const char *token)
{
    char games[GAME_LIST_BYTES];
    enum role role = account_role(account);
    char role_words[32] = "";
    struct text roles = text_into(role_words, sizeof role_words);
    const char *words = "welcome";

    lobby_list_games(world->lobby, account, true, games, sizeof games);
    if (token != NULL)
        words = "welcome; keep the token, it brings you back: login NAME token=...";
    else if (games[0] != '-')
        words = "welcome back; your game goes on: resume GAME 0 shows all of it";
    accounts_come_from(world->accounts, account, wire_peer_address(session->wire),
                       mono_wall_s());
    ban_note_network(account, session);
    session_set_state(session, SESSION_MEMBER);
    narrow_in_outage(world, session, account);
    if (role > ROLE_PLAYER)
        text_addf(&roles, " role=%s", role_name(role));
    session_ok(session, "login name=%s%s%s proof=%s games=%s%s : %s", account->shown,
               token != NULL ? " token=" : "", token != NULL ? token : "",
               account_shown_proof(account) == STORE_PROOF_KEY ? "key" : "token", games,
               role_words, words);
    gate_widen(store_gate(world->store)); /* the rest tells of more than the account */
    lobby_enter(world->lobby, session, account);
    cmd_message_deliver(world, session);
    cmd_people_come(world, session, mono_now_ms());
}

/* A token that a login has made and that has perhaps not been sent yet. */
struct fresh_token {
    int64_t account; /* its number */
    bool is_device;  /* it belongs to a further device; otherwise the name is new */
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t made_ms;
};

enum freshness { FRESH_NAME, FRESH_DEVICE, FRESH_RESET };

/* Welcomes the caller with a fresh token ("": a key proves the name), which must be
 * delivered: see cmd_login_gone(). A reset needs no delivery, because its code can be
 * made again. */
static bool welcome_with(struct call *call, struct account *account,
                         const unsigned char *key, const char *token,
                         enum freshness freshness)
{
    const struct proof *proof = account_find_proof(account, key, token);
    struct fresh_token *fresh;

    account_take_proof(account, proof);
    if (token[0] != '\0' && freshness != FRESH_RESET) {
        fresh = call->from->fresh = mem_new(sizeof *fresh);
        *fresh = (struct fresh_token){
            .account = accounts_number(call->world->accounts, account),
            .is_device = freshness == FRESH_DEVICE,
            .made_ms = call->now_ms};
        memcpy(fresh->digest, proof->digest, sizeof fresh->digest);
        wire_want_drain(call->from->wire);
    }
    welcome(call->world, call->from, account, token[0] != '\0' ? token : NULL);
    return true;
}

void cmd_login_heard(struct session *session)
{
    if (wire_unsent_bytes(session->wire) > 0)
        return;
    free(session->fresh);
    session->fresh = NULL;
}

/* Takes back a token that nobody has. If writes had to wait during the login, the
 * client has perhaps left because of that: then the name is no longer counted against
 * the limit of its network. Otherwise it is still counted, so that a client cannot
 * avoid the limit by closing its connection during each login. */
static void take_back(struct world *world, const struct session *session,
                      const struct fresh_token *fresh)
{
    struct account *account = accounts_find_number(world->accounts, fresh->account);

    if (account == NULL)
        return;
    if (fresh->is_device) {
        accounts_remove_device(world->accounts, account, fresh->digest);
    } else if (account->session == 0) { /* otherwise somebody has shown the token */
        if (account->role < ROLE_MEMBER &&
            rooms_were_held(world->rooms, fresh->made_ms))
            quota_give_back(accounts_quotas(world->accounts), QUOTA_NAME, NULL,
                            wire_peer_address(session->wire), account->made_wall_s);
        entry_unclaim(world, account);
    }
}

void cmd_login_gone(struct world *world, struct session *session)
{
    if (session->fresh != NULL && !session->is_sent && world->accounts != NULL)
        take_back(world, session, session->fresh);
    free(session->fresh);
    session->fresh = NULL;
}

/* Gives the caller the name and the rights in `ticket`, both in one batch. From now on,
 * a key or token proves the name. The name counts against the limit of the caller's
 * network, unless the caller has an invitation to the server or an owner link. */
static bool bind_name(struct call *call, const char *name, const unsigned char *key,
                      const struct entry_ticket *ticket)
{
    struct world *world = call->world;
    int64_t now_wall_s = mono_wall_s();
    struct account *account;
    char token[TOKEN_BYTES] = "";
    int max;

    if (ticket->role < ROLE_MEMBER)
        (void)quota_take(accounts_quotas(world->accounts), QUOTA_NAME, NULL,
                         wire_peer_address(call->from->wire), now_wall_s, &max);
    account = accounts_bind(world->accounts, name, key, token, now_wall_s);
    entry_take_ticket(world, account, ticket);
    return welcome_with(call, account, key, token, FRESH_NAME);
}

/* True if the caller uses a browser, and this server lets browsers only watch. */
static bool is_for_watching(const struct call *call)
{
    return call->from->is_web && config_web(call->world->config) == CONFIG_WEB_WATCH;
}

/* Reserves one of the server's places for logged-in sessions, and evicts a guest if
 * necessary. False: there is no place; the answer was sent. */
static bool take_place(struct call *call, enum admission_rank rank)
{
    struct admission *admission = call->world->admission;
    struct session *evicted;
    uint64_t id;

    if (!admission_take_place(admission, call->from->usage.slot, rank, call->now_ms,
                              &id))
        return session_err(call->from, REPLY_LIMIT,
                           rank == ADMISSION_GUEST
                               ? "what=places#guest max=%d for=guests"
                               : "what=places max=%d",
                           admission_places(admission));
    evicted = id != 0 ? session_find(call->world->sessions, id) : NULL;
    if (evicted != NULL)
        session_close(evicted, "room", NULL);
    return true;
}

static enum admission_rank rank_of(const struct account *account)
{
    return account->open[QUOTA_GAME] > 0 || account_role(account) >= ROLE_MEMBER
               ? ADMISSION_MEMBER
               : ADMISSION_PLAYER;
}

/* Returns how many seconds the caller's network must wait before it may take another
 * new name; 0: it need not wait. Sets *max to the limit. */
static int64_t name_wait_s(const struct call *call, int *max)
{
    return quota_wait_s(accounts_quotas(call->world->accounts), QUOTA_NAME, NULL,
                        wire_peer_address(call->from->wire), mono_wall_s(), max);
}

/* Makes an unused name for a guest. False: the server takes no new name now. */
static bool make_guest_name(const struct call *call, char name[NAME_BYTES])
{
    enum { TRIES = 20 };
    struct account *account;
    int max;

    if (name_wait_s(call, &max) > 0 || lobby_is_storage_full(call->world->lobby))
        return false;
    for (int i = 0; i < TRIES; i++) {
        entry_guest_name(name);
        if (accounts_judge(call->world->accounts, name, NULL, NULL,
                           store_calendar_s(call->world->store),
                           &account) == ACCOUNTS_NEW)
            return true;
    }
    return false;
}

/* Logs the caller in as a guest who may only watch. words: text for people. */
static bool let_watch(struct call *call, const char *words)
{
    struct session *session = call->from;
    struct text name;

    if (!take_place(call, ADMISSION_GUEST))
        return false;
    narrow_in_outage(call->world, session, NULL);
    name = text_into(session->name, sizeof session->name);
    text_addf(&name, "guest%llu", (unsigned long long)(session->id % 1000000));
    session_set_state(session, SESSION_GUEST);
    return session_ok(session, "login name=%s proof=none games=- : %s", session->name,
                      words);
}

static bool login_guest(struct call *call)
{
    const struct access *access = &call->world->access;
    bool may_play = access->guests == GUESTS_PLAY && access->door <= ACCESS_INVITED &&
                    !is_for_watching(call);
    const struct tls_key *peer = wire_peer_key(call->from->wire);
    char name[NAME_BYTES];

    if (!ban_admits(call, NULL) || !entry_admits_guest(call) ||
        (may_play && !ban_admits_new_name(call)))
        return false;
    if (!may_play || call->world->has_outage)
        return let_watch(call, "you may watch: games, watch GAME");
    if (!make_guest_name(call, name))
        return let_watch(call,
                         "you may watch; the server takes no new player from your "
                         "network now, try again later");
    /* a key or token proves the name, like any other */
    return take_place(call, ADMISSION_PLAYER) &&
           bind_name(call, name, peer != NULL ? peer->digest : NULL,
                     &(struct entry_ticket){0});
}

/* Returns the text after key in word; NULL if word does not begin with key. */
static const char *after(const char *word, const char *key)
{
    size_t len = strlen(key);

    return strncmp(word, key, len) == 0 ? word + len : NULL;
}

/* Logs in with a code: one that adds a device, or one of the host that replaces all keys
 * and tokens. Each attempt is charged as one line of chat. The answer to a wrong code
 * does not reveal whether the account has an unused code. */
static bool login_by_code(struct call *call, struct account *account,
                          const unsigned char *key, const char *code)
{
    struct world *world = call->world;
    int64_t now_wall_s = mono_wall_s();
    char token[TOKEN_BYTES] = "";
    struct ticket *device, *reset;

    if (!call_spend_chat(call, "codes") || !entry_may_prove(call) ||
        !ban_admits(call, account))
        return false;
    device =
        tickets_find(world->tickets, TICKET_DEVICE, account->folded, code, now_wall_s);
    if (account->proof_count > DEVICES_MAX)
        device = NULL;
    reset =
        tickets_find(world->tickets, TICKET_RESET, account->folded, code, now_wall_s);
    if (device == NULL && reset == NULL) {
        session_err(call->from, REPLY_NO_SUCH, "why=code minutes=%d",
                    DEVICE_CODE_MINUTES);
        session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
        return false;
    }
    if (!entry_admits(call, account, &(struct entry_ticket){.role = ROLE_GUEST}) ||
        !take_place(call, rank_of(account)))
        return false;
    if (device != NULL) {
        accounts_add_device(world->accounts, account, key, token, now_wall_s);
    } else {
        tickets_use(world->tickets, reset, account);
        accounts_replace_proofs(world->accounts, account, key, token, now_wall_s);
    }
    return welcome_with(call, account, key, token,
                        device != NULL ? FRESH_DEVICE : FRESH_RESET);
}

static bool refuse_reserved(struct call *call)
{
    return session_err(call->from, REPLY_NAME, "why=reserved");
}

static bool refuse_nobody(struct call *call, const char *name)
{
    return session_err(call->from, REPLY_PROOF, "#nobody name=%s how=none", name);
}

/* Refuses a login that does not prove the name. Only a wrong token counts as an attempt
 * to guess. A wrong key does not count: people behind one address often want the same
 * name, and their clients show a key at every login. If the login has the code of an
 * invitation, the answer does not show whether the code is right, so callers cannot
 * guess such codes here. */
static bool refuse_proof(struct call *call, const struct account *account,
                         const char *token)
{
    const char *how = account->proofs[0].kind == STORE_PROOF_KEY ? "key" : "token";

    if (token != NULL && !entry_may_prove(call))
        return false;
    session_err(call->from, REPLY_PROOF, "name=%s how=%s", account->shown, how);
    if (token != NULL)
        session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
    return false;
}

/* Logs in with a name that nobody has. A member's name does not count against the limit
 * of the network. word: as in login_as(). */
static bool login_new(struct call *call, const char *name, const unsigned char *key,
                      const char *word)
{
    bool has_code = after(word, "invite=") != NULL || after(word, "owner=") != NULL;
    struct entry_ticket ticket;
    int64_t wait_s = 0;
    bool is_charged;
    int max = 0;

    if (after(word, "code=") != NULL)
        return refuse_nobody(call, name);
    if (entry_is_guest_name(name))
        return refuse_reserved(call);
    if (lobby_is_storage_full(call->world->lobby))
        return call_refuse_storage(call);
    if (!ban_admits_new_name(call) || (has_code && !entry_may_prove(call)) ||
        !entry_read_ticket(call, NULL, after(word, "invite="), after(word, "owner="),
                           &ticket) ||
        !entry_admits_new_name(call, &ticket))
        return false;
    is_charged = ticket.role < ROLE_MEMBER;
    if (is_charged)
        wait_s = name_wait_s(call, &max);
    if (wait_s > 0)
        return session_err(call->from, REPLY_LIMIT, "what=new-names max=%d in_s=%lld",
                           max, (long long)wait_s);
    return take_place(call, is_charged ? ADMISSION_PLAYER : ADMISSION_MEMBER) &&
           bind_name(call, name, key, &ticket);
}

/* Logs in to the account. The caller has already proved the right to use the account.
 * word: as in login_as(). */
static bool login_known(struct call *call, struct account *account,
                        const unsigned char *key, const char *word)
{
    struct entry_ticket ticket;

    if (!ban_admits(call, account) ||
        (after(word, "owner=") != NULL && !entry_may_prove(call)) ||
        !entry_read_ticket(call, account, after(word, "invite="), after(word, "owner="),
                           &ticket) ||
        !entry_admits(call, account, &ticket) || !take_place(call, rank_of(account)))
        return false;
    /* The source becomes a known one, within a budget of the account: otherwise one
     * account could make many sources known. */
    if (admission_is_known(call->from->usage.slot, call->now_ms) ||
        account_spend_source(account, call->now_ms))
        admission_note_login(call->from->usage.slot, call->now_ms);
    accounts_touch(call->world->accounts, account, mono_wall_s());
    if (ticket.role != ROLE_GUEST)
        entry_take_ticket(call->world, account, &ticket);
    account_take_proof(account,
                       account_find_proof(account, key, after(word, "token=")));
    welcome(call->world, call->from, account, NULL);
    return true;
}

/* Logs in under that name. word: the argument after the name, "token=T", "code=C",
 * "invite=I", "owner=O" or "". */
static bool login_as(struct call *call, const char *name, const char *word)
{
    const struct tls_key *peer = wire_peer_key(call->from->wire);
    const unsigned char *key = peer != NULL ? peer->digest : NULL;
    const char *token = after(word, "token="), *code = after(word, "code=");
    struct account *account;
    enum accounts_verdict verdict =
        accounts_judge(call->world->accounts, name, key, token,
                       store_calendar_s(call->world->store), &account);
    bool must_write = account == NULL || (word[0] != '\0' && token == NULL) ||
                      verdict == ACCOUNTS_NEW;

    if (must_write && !call_can_write(call))
        return false;
    narrow_in_outage(call->world, call->from, account);
    switch (verdict) {
    case ACCOUNTS_WELCOME:
        return login_known(call, account, key, word);
    case ACCOUNTS_NEW:
        return login_new(call, name, key, word);
    case ACCOUNTS_ALIKE:
        return session_err(call->from, REPLY_NAME, "why=alike");
    case ACCOUNTS_FULL:
        return call_err_limit(call, "names", call->world->config->names_max);
    case ACCOUNTS_WRONG:
        return code != NULL ? login_by_code(call, account, key, code)
                            : refuse_proof(call, account, token);
    case ACCOUNTS_NOBODY:
        break;
    }
    return refuse_nobody(call, name);
}

/* True if the caller may not take the name: the name is reserved, and does not belong
 * to an account yet. Some reserved names are for staff (utf8_is_staff_name()). A caller
 * with an owner link may take such a name. */
static bool is_kept_from(const struct call *call, const char *name, const char *word)
{
    bool is_given = after(word, "owner=") != NULL && strlen(name) < NAME_BYTES &&
                    utf8_is_staff_name(name);

    return utf8_is_reserved_name(name) && !is_given &&
           accounts_find(call->world->accounts, name) == NULL;
}

static bool login_run(struct call *call)
{
    const char *word = call->argc > 2 ? call->argv[2] : "";
    char name[NAME_BYTES];

    if (call->argc == 1 && call->from->state == SESSION_HELLO)
        return login_guest(call);
    if (call->argc == 1 ||
        (call->argc > 2 && after(word, "token=") == NULL &&
         after(word, "code=") == NULL && after(word, "invite=") == NULL &&
         after(word, "owner=") == NULL))
        return call_usage(call, "unknown words after login");
    if (is_for_watching(call))
        return session_err(call->from, REPLY_ENTRY, "why=web");
    if (is_kept_from(call, call->argv[1], word))
        return refuse_reserved(call);
    if (!utf8_name(name, call->argv[1]))
        return session_err(call->from, REPLY_NAME, "why=form");
    return login_as(call, name, word);
}

const struct command cmd_login = {
    .usage = "login [NAME [token=T|code=C|invite=I|owner=O]]",
    .group = GROUP_PROGRAM,
    .help = "log in; without a name, only to watch",
    .may_cost_chat = true,
    .cost = 4,
    .states = IN(SESSION_HELLO) | IN(SESSION_GUEST),
    .output = OUTPUT_URGENT,
    .run = login_run,
};

struct account *cmd_login_prove(struct call *call, const char *name, const char *word)
{
    const struct tls_key *peer = wire_peer_key(call->from->wire);
    struct account *account = accounts_find(call->world->accounts, name);
    char valid[NAME_BYTES];

    if (!utf8_name(valid, name))
        session_err(call->from, REPLY_NAME, "why=form#odd");
    else if (!entry_may_prove(call))
        return NULL;
    else if (account == NULL)
        refuse_nobody(call, valid);
    else if (account_find_proof(account, peer != NULL ? peer->digest : NULL,
                                after(word, "token=")) == NULL)
        refuse_proof(call, account, after(word, "token="));
    else if (ban_admits(call, account) &&
             entry_admits(call, account, &(struct entry_ticket){.role = ROLE_GUEST}))
        return account;
    return NULL;
}

/* --- view --- */

static bool view_run(struct call *call)
{
    bool is_board = strcmp(call->argv[1], "board") == 0;

    if (!is_board && strcmp(call->argv[1], "wire") != 0)
        return call_usage(call, "the views are board and wire");
    call->from->wants_board = is_board;
    session_ok(call->from, "view view=%s", call->argv[1]);
    feed_drained(call->from); /* sends each game in the new view */
    return true;
}

const struct command cmd_view = {
    .usage = "view wire|board",
    .group = GROUP_PROGRAM,
    .help = "board: see the board after each event of a game",
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = view_run,
};

/* --- quit --- */

static bool quit_run(struct call *call)
{
    session_ok(call->from, "quit : goodbye");
    session_close(call->from, "quit", NULL);
    return true;
}

const struct command cmd_quit = {
    .usage = "quit",
    .help = "leave; your seats are kept",
    .states = BY_ALL,
    .output = OUTPUT_FREE,
    .run = quit_run,
};

/* --- One name on several devices --- */

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
        return call_err_limit(call, "devices", DEVICES_MAX);
    tickets_make(call->world->tickets, TICKET_DEVICE, me->folded, mono_wall_s(), code);
    call_add_places(&text, call);
    return session_ok(
        call->from,
        "device code=%s minutes=%d%s : on the other device: login %s code=%s", code,
        DEVICE_CODE_MINUTES, places, me->shown, code);
}

const struct command cmd_device = {
    .usage = "device [remove ID]",
    .help = N_("let another device of yours play under your name"),
    .examples = N_("device                  what to type on the other device\n"
                   "device remove 2fX_9aBc  that device may no longer use your name"),
    .cost = 4,
    .run = device_run,
};
