/* Verbs of a session: login, view, quit. */
#include <string.h>
#include <strings.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/pass.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/command/act.h"
#include "server/command/ban.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/lobby/lobby.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- login --- */

/* A login that waits until its key or token is on disk. The key or token proves the
 * name. */
struct binding {
    struct world *world;
    uint64_t session;
    struct account *account;
    unsigned char proof[STORE_DIGEST_BYTES]; /* the digest of the key or token of this
                                              * login */
    char token[TOKEN_BYTES];                 /* "" when no token was made */
    bool is_device;                          /* the token belongs to a further device */
    bool is_reset;                           /* the token replaces a lost key or
                                              * token */
    char charged[PREFIX_TEXT_BYTES];         /* the caller's address, if charge_name()
                                              * was called; otherwise "" */
    int64_t charged_wall_s;
    int64_t held_ms; /* rooms_held_ms() when the name was counted */
};

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
    accounts_come_from(world->accounts, account, session_peer_address(session),
                       mono_wall_s());
    ban_note_network(account, session);
    session_set_state(session, SESSION_MEMBER);
    if (role > ROLE_PLAYER)
        text_addf(&roles, " role=%s", role_name(role));
    session_ok(session, "login name=%s%s%s proof=%s games=%s%s : %s", account->shown,
               token != NULL ? " token=" : "", token != NULL ? token : "",
               account_shown_proof(account) == STORE_PROOF_KEY ? "key" : "token", games,
               role_words, words);
    lobby_enter(world->lobby, session, account);
    cmd_message_deliver(world, session);
    cmd_people_come(world, session, mono_now_ms());
}

/* True if this login binds a new name to a token. This token is then the only proof of
 * the name. */
static bool is_new_name(const struct binding *binding)
{
    return binding->token[0] != '\0' && !binding->is_device && !binding->is_reset;
}

/* Counts the new name against the limit of the caller's network, and notes this for
 * refund_name(). */
static void charge_name(const struct call *call, struct binding *binding)
{
    text_copy(binding->charged, sizeof binding->charged,
              session_peer_address(call->from));
    binding->charged_wall_s = mono_wall_s();
    binding->held_ms = rooms_held_ms(call->world->rooms);
    accounts_charge_name(call->world->accounts, session_peer_address(call->from),
                         binding->charged_wall_s);
}

/* Called when the token of a new name was not delivered. If writes to the disk had to
 * wait during the login (rooms_hold()), the client has perhaps left because of this
 * wait. Then the name is no longer counted against the limit of its network. Otherwise
 * the name is still counted, so that a client cannot avoid the limit by closing its
 * connection during each login. */
static void refund_name(const struct binding *binding)
{
    const struct world *world = binding->world;

    if (binding->charged[0] != '\0' && rooms_held_ms(world->rooms) > binding->held_ms)
        accounts_refund_name(world->accounts, binding->charged,
                             binding->charged_wall_s);
}

/* Revokes a token that was not delivered. */
static void take_back(struct binding *binding)
{
    if (binding->is_device) {
        accounts_remove_token(binding->world->accounts, binding->account,
                              binding->token);
    } else if (is_new_name(binding)) {
        entry_unclaim(binding->world, binding->account);
        refund_name(binding);
    }
}

/* Returns the session that waits for the binding. NULL: the session has left; or the
 * name was banned meanwhile, and the session was closed. */
static struct session *find_waiting(const struct binding *binding)
{
    struct session *session = session_find(binding->world->sessions, binding->session);
    struct house_hold hold;

    if (session == NULL || session->state == SESSION_LEAVING)
        return NULL;
    if (!house_bans_name(binding->world->house, binding->account->folded, mono_wall_s(),
                         &hold))
        return session;
    session_close(session, "banned", hold.act->words);
    return NULL;
}

static void on_bound(void *arg)
{
    struct binding *binding = arg;
    struct session *session = find_waiting(binding);
    const char *token = binding->token[0] != '\0' ? binding->token : NULL;

    if (session != NULL) {
        account_take_proof(binding->account, binding->proof);
        welcome(binding->world, session, binding->account, token);
        binding->account->is_unheard =
            is_new_name(binding) && session_peer_has_gone(session);
        if (binding->account->is_unheard)
            refund_name(binding);
    } else if (token != NULL) {
        take_back(binding);
    }
    binding->account->logins--;
    if (binding->account->waiting == binding->session)
        binding->account->waiting = 0;
    store_arg_free(binding);
}

/* Notes the account and the digest of the login's key or token in the binding. The
 * digest is not yet set in the account: until on_bound() is called, another session may
 * be logged in to the account with another key or token. Increments account->logins, so
 * that the account is not freed before on_bound() is called. */
static void bind_to(struct binding *binding, struct account *account)
{
    binding->account = account;
    memcpy(binding->proof, accounts_claimed_proof(binding->world->accounts),
           sizeof binding->proof);
    account->logins++;
}

static struct binding *binding_new(struct call *call)
{
    struct binding *binding = store_arg_new(call->world->store, sizeof *binding, NULL);

    binding->world = call->world;
    binding->session = call->from->id;
    session_hold(call->from);
    return binding;
}

/* Gives the caller the name and the rights in `ticket`, both in one batch. From now on,
 * a key or token proves the name. The name counts against the limit of the caller's
 * network, unless the caller has an invitation to the server or an owner link. If an
 * earlier owner of the name has an unused code to reset the key, makes this code
 * void. */
static void bind_name(struct call *call, const char *name, const unsigned char *key,
                      const struct ticket *ticket)
{
    struct binding *binding = binding_new(call);

    if (ticket->role < ROLE_MEMBER)
        charge_name(call, binding);
    store_begin_together(call->world->store);
    bind_to(binding, accounts_bind(call->world->accounts, name, key, binding->token,
                                   mono_wall_s(), on_bound, binding));
    binding->account->waiting = binding->session;
    passes_forget(call->world->passes, binding->account->folded);
    entry_take_ticket(call->world, binding->account, ticket, NULL, NULL);
    store_end_together(call->world->store);
}

/* Gives an existing account the role of its invitation or owner link. */
static void promote(struct call *call, struct account *account,
                    const struct ticket *ticket)
{
    struct binding *binding = binding_new(call);

    bind_to(binding, account);
    store_begin_together(call->world->store);
    entry_take_ticket(call->world, account, ticket, on_bound, binding);
    store_end_together(call->world->store);
}

/* Lets the login wait until the name is on disk. If an earlier login with the same name
 * and key is still waiting, closes the session of the earlier login. So each name has
 * at most one waiting session, even if the disk is full for a long time. */
static void await_name(struct call *call, struct account *account)
{
    struct session *older = session_find(call->world->sessions, account->waiting);
    struct binding *binding = binding_new(call);

    if (older != NULL && older != call->from)
        session_close_for_later(older);

    bind_to(binding, account);
    account->waiting = binding->session;
    accounts_confirm(call->world->accounts, account, on_bound, binding);
}

/* Adds a further device to a name that has an owner. */
static void add_device(struct call *call, struct account *account,
                       const unsigned char *key)
{
    struct binding *binding = binding_new(call);

    binding->is_device = true;
    accounts_add_device(call->world->accounts, account, key, binding->token,
                        mono_wall_s(), on_bound, binding);
    bind_to(binding, account);
}

/* Replaces all keys and tokens of the account by one new key or token, because the host
 * has allowed a reset. If a session is logged in to the account, closes this older
 * session. Otherwise the older session could make a code for another device while the
 * new key or token is being written to the disk. */
static void reset_proof(struct call *call, struct account *account,
                        const unsigned char *key)
{
    struct session *older = session_find(call->world->sessions, account->session);
    struct binding *binding = binding_new(call);

    if (older != NULL)
        session_close_for_later(older);
    binding->is_reset = true;
    store_begin_together(call->world->store);
    passes_use_reset(call->world->passes, account->folded);
    accounts_replace_proofs(call->world->accounts, account, key, binding->token,
                            mono_wall_s(), on_bound, binding);
    bind_to(binding, account);
    store_end_together(call->world->store);
}

/* True if the caller uses a browser, and this server lets browsers only watch. */
static bool is_for_watching(const struct call *call)
{
    return call->from->is_web && config_web(call->world->config) == CONFIG_WEB_WATCH;
}

/* True for names that the server generates: guest1, guest-2 ... */
static bool is_guest_name(const char *name)
{
    const char *digits = name + (strncasecmp(name, "guest-", 6) == 0 ? 6 : 5);

    return strncasecmp(name, "guest", 5) == 0 &&
           strspn(digits, "0123456789") == strlen(digits);
}

static void refuse_place(const struct call *call, enum admission_rank rank)
{
    const struct admission *admission = call->world->admission;

    if (rank == ADMISSION_GUEST)
        session_err(
            call->from, REPLY_LIMIT,
            "what=places max=%d for=guests : no place for a guest now: all are "
            "taken, or too many connections come from your network; log in with "
            "a name, or try again in a while",
            admission_guest_places(admission));
    else
        session_err(call->from, REPLY_LIMIT,
                    "what=places max=%d : the server is full; try again in a while",
                    admission_places(admission));
}

/* Reserves one of the server's places for logged-in sessions, and evicts a guest if
 * necessary. False: there is no place; the answer was sent. */
static bool take_place(struct call *call, enum admission_rank rank)
{
    struct admission *admission = call->world->admission;
    struct session *evicted;
    uint64_t id;

    if (!admission_take_place(admission, call->from->allowance.pass, rank, call->now_ms,
                              &id)) {
        refuse_place(call, rank);
        return false;
    }
    evicted = id != 0 ? session_find(call->world->sessions, id) : NULL;
    if (evicted != NULL)
        session_close(evicted, "room",
                      "a player needs your place; come back later to watch");
    return true;
}

static enum admission_rank rank_of(const struct account *account)
{
    if (account->games > 0)
        return ADMISSION_SEATED;
    return account_role(account) >= ROLE_MEMBER ? ADMISSION_MEMBER : ADMISSION_PLAYER;
}

/* Returns how many seconds the caller's network must wait before it may take another
 * new name; 0: it need not wait. Sets *max to the limit. */
static int64_t name_wait_s(const struct call *call, int *max)
{
    return accounts_name_wait_s(call->world->accounts, session_peer_address(call->from),
                                mono_wall_s(), max);
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

/* Logs the caller in as a guest who may play. Such a guest has a name that is proved by
 * a key or token, like any other account. */
static void bind_guest(struct call *call, const char *name)
{
    const struct tls_key *peer = session_peer_key(call->from);

    if (take_place(call, ADMISSION_PLAYER))
        bind_name(call, name, peer != NULL ? peer->digest : NULL, &(struct ticket){0});
}

/* Logs the caller in as a guest who may only watch. words: text for people. */
static void let_watch(struct call *call, const char *words)
{
    struct session *session = call->from;
    struct text name;

    if (!take_place(call, ADMISSION_GUEST))
        return;
    name = text_into(session->name, sizeof session->name);
    text_addf(&name, "guest%llu", (unsigned long long)(session->id % 1000000));
    session_set_state(session, SESSION_GUEST);
    session_ok(session, "login name=%s proof=none games=- : %s", session->name, words);
}

static void login_guest(struct call *call)
{
    const struct access *access = &call->world->access;
    bool may_play = access->guests == GUESTS_PLAY && access->door <= ACCESS_INVITED &&
                    !is_for_watching(call);
    char name[NAME_BYTES];

    if (!ban_admits(call, NULL) || !entry_admits_guest(call) ||
        (may_play && !ban_admits_new_name(call)))
        return;
    if (!may_play)
        let_watch(call, "you may watch: games, watch GAME");
    else if (make_guest_name(call, name))
        bind_guest(call, name);
    else
        let_watch(call, "you may watch; the server takes no new player from your "
                        "network now, try again later");
}

/* Returns the text after key in word; NULL if word does not begin with key. */
static const char *after(const char *word, const char *key)
{
    size_t len = strlen(key);

    return strncmp(word, key, len) == 0 ? word + len : NULL;
}

/* True if the caller's network has made too many failed attempts and must wait before
 * the next attempt; the answer was sent. The wait prevents people from guessing codes.
 * Failed attempts do not make the right code void. */
static bool must_wait(struct call *call)
{
    int64_t wait_ms = admission_proof_wait_ms(call->from->allowance.pass, call->now_ms);

    if (wait_ms > 0)
        session_err(call->from, REPLY_SLOW_DOWN,
                    "retry=%lld : too many wrong proofs from your address",
                    (long long)mono_whole_s(wait_ms));
    return wait_ms > 0;
}

/* True if the account is allowed to log in now without an invitation, and a place of
 * rank `rank` was reserved for it. False: the answer was sent. */
static bool may_come_in(struct call *call, const struct account *account,
                        enum admission_rank rank)
{
    return entry_admits(call, account, &(struct ticket){.role = ROLE_GUEST}) &&
           take_place(call, rank);
}

/* Logs in with a code: either a code to add a device, or a code to reset a key. Each
 * attempt is charged as one line of chat. The answer to a wrong code does not reveal
 * whether the account has an unused code. */
static void login_by_code(struct call *call, struct account *account,
                          const unsigned char *key, const char *code)
{
    if (!call_spend_chat(call, "too many codes at once") || must_wait(call) ||
        !ban_admits(call, account))
        return;
    if (account_is_code(account, code, call->now_ms)) {
        if (may_come_in(call, account, rank_of(account)))
            add_device(call, account, key);
        return;
    }
    if (passes_is_reset(call->world->passes, account->folded, code, mono_wall_s())) {
        if (may_come_in(call, account, rank_of(account)))
            reset_proof(call, account, key);
        return;
    }
    session_err(call->from, REPLY_NO_SUCH,
                "why=code : the code is wrong, was used, or is older than %d minutes; "
                "type device where you play for a new one",
                DEVICE_CODE_MINUTES);
    session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
}

static void refuse_reserved(struct call *call)
{
    session_err(call->from, REPLY_NAME,
                "why=reserved : that name is reserved; choose another one");
}

static void refuse_nobody(struct call *call, const char *name)
{
    session_err(call->from, REPLY_PROOF,
                "name=%s how=none : nobody here has the name %s", name, name);
}

/* Refuses a login that does not prove the name. Only a wrong token counts as an attempt
 * to guess. A wrong key does not count: people behind one address often want the same
 * name, and their clients show a key at every login. If the login has the code of an
 * invitation, the answer does not show whether the code is right, so callers cannot
 * guess such codes here. */
static void refuse_proof(struct call *call, const struct account *account,
                         const char *token)
{
    const char *how = account->proof == STORE_PROOF_KEY ? "key" : "token";

    if (token != NULL && must_wait(call))
        return;
    session_err(
        call->from, REPLY_PROOF,
        "name=%s how=%s : that name is taken, and its %s is not yours; choose "
        "another name. If it is yours, get a code: type \"device\" where you use "
        "that name; or ask the host to reset it",
        account->shown, how, how);
    if (token != NULL)
        session_blame(call->from, ADMISSION_WRONG_PROOF, call->now_ms);
}

/* True if the caller's network may take another new name. False: the answer was
 * sent. */
static bool may_take_name(struct call *call)
{
    int max = 0;
    int64_t wait_s = name_wait_s(call, &max);

    if (wait_s > 0)
        session_err(
            call->from, REPLY_LIMIT,
            "what=new-names max=%d in_s=%lld : too many new names from your network; "
            "try again in %lld min, or log in with a name that you have",
            max, (long long)wait_s, (long long)(wait_s + 59) / 60);
    return wait_s == 0;
}

/* True if the caller is allowed to take a new name, and a place was reserved for the
 * session. False: the answer was sent. */
static bool admits_new_name(struct call *call, const struct ticket *ticket)
{
    bool is_charged = ticket->role < ROLE_MEMBER;

    return entry_admits_new_name(call, ticket) &&
           (!is_charged || may_take_name(call)) &&
           take_place(call, is_charged ? ADMISSION_PLAYER : ADMISSION_MEMBER);
}

/* Logs in with a name that nobody has. word: as in login_as(). */
static void login_new(struct call *call, const char *name, const unsigned char *key,
                      const char *word)
{
    bool has_code = after(word, "invite=") != NULL || after(word, "owner=") != NULL;
    struct ticket ticket;

    if (after(word, "code=") != NULL)
        refuse_nobody(call, name);
    else if (is_guest_name(name))
        refuse_reserved(call);
    else if (lobby_is_storage_full(call->world->lobby))
        act_refuse_storage(call);
    else if (ban_admits_new_name(call) && (!has_code || !must_wait(call)) &&
             entry_read_ticket(call, NULL, after(word, "invite="),
                               after(word, "owner="), &ticket) &&
             admits_new_name(call, &ticket))
        bind_name(call, name, key, &ticket);
}

/* Adds the network of the login to the known networks, within a budget of the account.
 * Without a budget, one account could log in from many networks and push all others off
 * the list. */
static void note_source(const struct call *call, struct account *account)
{
    struct admission *admission = call->world->admission;

    if (admission_is_known(admission, call->from->allowance.pass, call->now_ms) ||
        account_spend_source(account, call->now_ms))
        admission_note_login(admission, call->from->allowance.pass, call->now_ms);
}

/* Logs in to the account. The caller has already proved the right to use the account.
 * word: as in login_as(). */
static void login_known(struct call *call, struct account *account, const char *word)
{
    struct ticket ticket;

    if (!ban_admits(call, account) ||
        (after(word, "owner=") != NULL && must_wait(call)) ||
        !entry_read_ticket(call, account, after(word, "invite="), after(word, "owner="),
                           &ticket) ||
        !entry_admits(call, account, &ticket) || !take_place(call, rank_of(account)))
        return;
    note_source(call, account);
    accounts_touch(call->world->accounts, account, mono_wall_s());
    if (ticket.role != ROLE_GUEST) {
        promote(call, account, &ticket);
    } else {
        account_take_proof(account, accounts_claimed_proof(call->world->accounts));
        welcome(call->world, call->from, account, NULL);
    }
}

/* Logs in under that name. word: the argument after the name, "token=T", "code=C",
 * "invite=I", "owner=O" or "". */
static void login_as(struct call *call, const char *name, const char *word)
{
    const struct tls_key *peer = session_peer_key(call->from);
    const unsigned char *key = peer != NULL ? peer->digest : NULL;
    const char *token = after(word, "token="), *code = after(word, "code=");
    struct account *account;

    switch (accounts_judge(call->world->accounts, name, key, token,
                           store_calendar_s(call->world->store), &account)) {
    case ACCOUNTS_WELCOME:
        login_known(call, account, word);
        break;
    case ACCOUNTS_NEW:
        login_new(call, name, key, word);
        break;
    case ACCOUNTS_UNSAVED:
        if (ban_admits(call, account) && may_come_in(call, account, ADMISSION_PLAYER))
            await_name(call, account);
        break;
    case ACCOUNTS_ALIKE:
        session_err(call->from, REPLY_NAME,
                    "why=alike : that name looks like another player's; choose one "
                    "that cannot be mistaken for it");
        break;
    case ACCOUNTS_FULL:
        session_err(
            call->from, REPLY_LIMIT,
            "what=names max=%d : this server is full: it accepts no more new names",
            call->world->config->names_max);
        break;
    case ACCOUNTS_WRONG:
        if (code != NULL)
            login_by_code(call, account, key, code);
        else
            refuse_proof(call, account, token);
        break;
    case ACCOUNTS_NOBODY:
        refuse_nobody(call, name);
        break;
    }
}

static bool is_login_word(const char *word)
{
    return after(word, "token=") != NULL || after(word, "code=") != NULL ||
           after(word, "invite=") != NULL || after(word, "owner=") != NULL;
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

static void login_run(struct call *call)
{
    const char *word = call->argc > 2 ? call->argv[2] : "";
    char name[NAME_BYTES];

    if (call->argc == 1 && call->from->state == SESSION_HELLO) {
        login_guest(call);
        return;
    }
    if (call->argc == 1 || (call->argc > 2 && !is_login_word(word))) {
        call_usage(call, "unknown words after login");
        return;
    }
    if (is_for_watching(call)) {
        session_err(
            call->from, REPLY_ENTRY,
            "why=web : in a browser this server lets people watch only; to play, "
            "install janggi");
        return;
    }
    if (is_kept_from(call, call->argv[1], word)) {
        refuse_reserved(call);
        return;
    }
    if (!utf8_name(name, call->argv[1])) {
        session_err(call->from, REPLY_NAME,
                    "why=form : a name is 2-16 letters, digits, _ or -, not beginning "
                    "with -, or 2-8 Hangul syllables");
        return;
    }
    login_as(call, name, word);
}

const struct command cmd_login = {
    .name = "login",
    .usage = "login [NAME [token=T|code=C|invite=I|owner=O]]",
    .help = "log in; without a name, only to watch",
    .args_max = 2,
    .may_cost_chat = true,
    .cost = 4,
    .states = IN(SESSION_HELLO) | IN(SESSION_GUEST),
    .run = login_run,
};

struct account *cmd_login_prove(struct call *call, const char *name, const char *word)
{
    const struct tls_key *peer = session_peer_key(call->from);
    struct account *account = accounts_find(call->world->accounts, name);
    char valid[NAME_BYTES];

    if (!utf8_name(valid, name))
        session_err(call->from, REPLY_NAME, "why=form : that cannot be a name");
    else if (must_wait(call))
        return NULL;
    else if (account == NULL)
        refuse_nobody(call, valid);
    else if (!account_is_proved(account, peer != NULL ? peer->digest : NULL,
                                after(word, "token=")))
        refuse_proof(call, account, after(word, "token="));
    else if (ban_admits(call, account) &&
             entry_admits(call, account, &(struct ticket){.role = ROLE_GUEST}))
        return account;
    return NULL;
}

/* --- view --- */

static void view_run(struct call *call)
{
    bool is_board = strcmp(call->argv[1], "board") == 0;

    if (!is_board && strcmp(call->argv[1], "wire") != 0) {
        call_usage(call, "the views are board and wire");
        return;
    }
    call->from->wants_board = is_board;
    session_ok(call->from, "view view=%s", call->argv[1]);
    feed_drained(call->from); /* sends each game in the new view */
}

const struct command cmd_view = {
    .name = "view",
    .usage = "view wire|board",
    .help = "board: see the board after each event of a game",
    .args_min = 1,
    .states = BY_ALL,
    .run = view_run,
};

/* --- quit --- */

static void quit_run(struct call *call)
{
    session_ok(call->from, "quit : goodbye");
    session_close(call->from, "quit", "your seats are kept");
}

const struct command cmd_quit = {
    .name = "quit",
    .usage = "quit",
    .help = "leave; your seats are kept",
    .states = BY_ALL,
    .run = quit_run,
};
