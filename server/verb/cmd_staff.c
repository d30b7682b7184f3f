/* Verbs of the staff against abuse: kick, ban, mute, end. */
#include <stdio.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/account/ticket.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/command/ban.h"
#include "server/command/command.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"
#include "server/lobby/invites.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

enum { BAN_S = 7 * 86400, MUTE_S = 10 * 60, PARAMS_BYTES = 640 };

/* Returns the end of a span that begins now, as wall time in seconds. If span_s is 0,
 * the span has no end, and the result is 0. */
static int64_t until_of(int64_t span_s)
{
    return span_s == 0 ? 0 : mono_wall_s() + span_s;
}

/* --- kick --- */

/* Finds the session of a connected guest by the guest's name; NULL: none. */
static struct session *find_guest(const struct call *call, const char *name)
{
    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = sessions_next(s))
        if (s->state == SESSION_GUEST && strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static void kick_run(struct call *call)
{
    const char *reason = call_text(call, 2), *name = call->argv[1];
    struct session *session;
    struct account *account;

    if (reason == NULL)
        return;
    session = find_guest(call, name);
    if (session == NULL) {
        account = call_account(call, name);
        if (account == NULL)
            return;
        name = account->shown;
        session = session_find(call->world->sessions, account->session);
    }
    if (session == NULL) {
        session_err(call->from, REPLY_NO_SUCH, ": %s is not here", name);
        return;
    }
    if (!call_spend_act(call))
        return;
    call_record(
        call,
        &(struct house_act){.kind = "kick", .target = session->name, .words = reason},
        "kick name=%s : %s was disconnected; the seats in games are kept",
        session->name, session->name);
    session_close(session, "kicked", reason);
}

const struct command cmd_kick = {
    .name = "kick",
    .usage = "kick NAME REASON",
    .help = "disconnect somebody; their seats in games are kept",
    .args_min = 2,
    .args_max = PROTO_WORDS_MAX,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .output = OUTPUT_URGENT,
    .run = kick_run,
};

/* --- ban --- */

/* The keys of an account, as texts. */
struct key_ids {
    char id[DEVICES_MAX + 1][TLS_KEY_TEXT_BYTES];
    int count;
};

static struct key_ids keys_of(const struct account *account)
{
    struct account_proof proof[DEVICES_MAX + 1];
    int count = account_proofs(account, proof);
    struct key_ids keys = {.count = 0};

    for (int i = 0; i < count; i++)
        if (proof[i].proof == STORE_PROOF_KEY)
            text_base64url(keys.id[keys.count++], proof[i].digest,
                           sizeof proof[i].digest);
    return keys;
}

/* Adds the keys to the parameters of an act, as " keys=ID,ID". */
static void add_keys(struct text *params, const struct key_ids *keys)
{
    for (int i = 0; i < keys->count; i++)
        text_addf(params, "%s%s", i == 0 ? " keys=" : ",", keys->id[i]);
}

/* Adds " near=NETWORK": the network from which the account is logged in now, or from
 * which it last logged in since the server's start. Adds nothing if it is unknown. */
static void add_network(struct text *params, const struct world *world,
                        const struct account *account)
{
    char text[PREFIX_TEXT_BYTES];
    struct prefix network;

    if (!ban_network_of(world, account, &network))
        return;
    prefix_format(text, &network);
    text_addf(params, " near=%s", text);
}

/* True if the caller may change the ban `hold`. The caller needs at least the role of
 * the person who made the ban. False: the answer was sent. */
static bool may_change(struct call *call, const struct house_hold *hold)
{
    if (hold->rank <= call->role)
        return true;
    session_err(call->from, REPLY_NOT_NOW,
                "why=rank : %s, %s of this server, has banned that; only an owner may "
                "change it",
                hold->act->actor, role_name(hold->rank));
    return false;
}

/* True if the target is not banned now, or if the caller may replace the ban. False:
 * the answer was sent. */
static bool may_replace(struct call *call, const char *target)
{
    struct house_hold hold;

    return !house_bans_target(call->world->house, target, mono_wall_s(), &hold) ||
           may_change(call, &hold);
}

/* Records the ban, and answers. more: further parameters of the act,
 * with a space before each. */
static void ban(struct call *call, const char *target, int64_t span_s, const char *more,
                const char *reason)
{
    char params[PARAMS_BYTES];
    long long until_s = (long long)until_of(span_s);

    snprintf(params, sizeof params, "until=%lld%s", until_s, more);
    call_record(call,
                &(struct house_act){
                    .kind = "ban", .target = target, .params = params, .words = reason},
                "ban target=%s until=%lld : %s is banned", target, until_s, target);
}

/* The connections that a ban concerns: connections that use a banned key, or that come
 * from a banned network. */
struct banned {
    const char *key;              /* NULL: any */
    const struct prefix *network; /* NULL: any */
};

static bool is_banned(const struct session *session, const struct banned *banned)
{
    const struct tls_key *key = session_peer_key(session);

    if (banned->key != NULL && (key == NULL || !tls_key_matches(key, banned->key)))
        return false;
    return banned->network == NULL ||
           (session->allowance.pass != NULL &&
            prefix_contains(banned->network, pass_from(session->allowance.pass)));
}

/* True for a session of the staff that the ban does not close. A ban of a network does
 * not close sessions of the staff. A ban of a key closes them only if an owner made the
 * ban, because other bans of keys do not stop logins of the staff. The owner who makes
 * the ban stays connected, to be able to correct a mistake. */
static bool stays(const struct call *call, const struct banned *banned,
                  const struct session *session)
{
    return account_role(session->account) >= ROLE_MODERATOR &&
           (banned->key == NULL || call->role < ROLE_OWNER ||
            strcmp(session->name, call->from->name) == 0);
}

/* Closes the connections that the ban concerns, except those for which stays() is
 * true. */
static void close_banned(const struct call *call, const struct banned *banned,
                         const char *reason)
{
    struct session *next;

    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = next) {
        next = sessions_next(s);
        if (is_banned(s, banned) && !stays(call, banned, s))
            session_close(s, "banned", reason);
    }
}

/* Closes the connection of the account, and all connections that show one of its keys
 * under another name or without a name. */
static void close_name(const struct call *call, const struct account *account,
                       const struct key_ids *keys, const char *reason)
{
    struct session *session = session_find(call->world->sessions, account->session);

    if (session != NULL)
        session_close(session, "banned", reason);
    for (int i = 0; i < keys->count; i++)
        close_banned(call, &(struct banned){.key = keys->id[i]}, reason);
}

/* Refuses a ban that would keep out the caller. Always returns false, so that the
 * caller of this function can return it. */
static bool refuse_own(const struct call *call)
{
    session_err(call->from, REPLY_NOT_NOW,
                "why=self : that would lock you out: it is your own name, key or "
                "network. The operator can do it: janggid ctl ban");
    return false;
}

/* True if a ban of the account does not concern the caller: the caller has another name
 * and another key. (A ban of a name also bans its keys.) False: the answer was sent. */
static bool is_other(const struct call *call, const struct account *account)
{
    const struct session *own = call->from;
    const struct tls_key *key = own != NULL ? session_peer_key(own) : NULL;

    if (account_is_name(account, call->from->name) ||
        (key != NULL && account_is_proved(account, key->digest, NULL)))
        return refuse_own(call);
    return true;
}

/* Bans a name and its keys. Ends all invitations that the person has made. Also ends
 * the invitation by which the person came, because others may have its code too. */
static void ban_name(struct call *call, int64_t span_s, const char *reason)
{
    struct account *account = call_account(call, call->argv[1]);
    char more[PARAMS_BYTES];
    struct text text = text_into(more, sizeof more);
    struct key_ids keys;

    if (account == NULL || !is_other(call, account) ||
        !may_replace(call, account->shown) || !call_spend_act(call))
        return;
    keys = keys_of(account);
    add_network(&text, call->world, account);
    add_keys(&text, &keys);
    store_begin_together(call->world->store);
    ban(call, account->shown, span_s, more, reason);
    tickets_remove_of(call->world->tickets, account);
    tickets_remove_made_by(call->world->tickets, account->shown);
    invites_withdraw_all(lobby_invites(call->world->lobby), account, "withdrawn");
    evenings_remove_player(call->world->evenings, account->shown);
    evening_run_changed(call->world->evening_run);
    store_end_together(call->world->store);
    close_name(call, account, &keys, reason);
}

/* Finds a connected player whose key, as text, begins with `begin`, and copies the
 * whole key to `out`. If `begin` is a whole key already, only copies it. False: there
 * is no such key, or `begin` is too short. */
static bool find_key(const struct call *call, const char *begin,
                     char out[TLS_KEY_TEXT_BYTES])
{
    enum { LETTERS_MIN = 8 };
    size_t len = strlen(begin);

    if (len == TLS_KEY_TEXT_BYTES - 1)
        return text_copy(out, TLS_KEY_TEXT_BYTES, begin);
    for (struct session *s = sessions_first(call->world->sessions);
         s != NULL && len >= LETTERS_MIN; s = sessions_next(s)) {
        const struct tls_key *key = session_peer_key(s);

        if (key == NULL)
            continue;
        tls_key_format(out, key);
        if (strncmp(out, begin, len) == 0)
            return true;
    }
    return false;
}

/* True if the ban does not concern the caller's own connection, and does not concern
 * the connection of a person with a higher role. False: the answer was sent. */
static bool may_ban(struct call *call, const struct banned *banned)
{
    const struct session *own = call->from;

    if (own != NULL && is_banned(own, banned))
        return refuse_own(call);
    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = sessions_next(s)) {
        enum role role = account_role(s->account);

        if (role <= call->role || !is_banned(s, banned))
            continue;
        session_err(call->from, REPLY_NOT_NOW,
                    "why=rank : %s, %s of this server, is connected with that; only an "
                    "owner may ban it",
                    s->name, role_name(role));
        return false;
    }
    return true;
}

static void ban_key(struct call *call, int64_t span_s, const char *reason)
{
    char id[TLS_KEY_TEXT_BYTES], target[TLS_KEY_TEXT_BYTES + 8];

    if (!find_key(call, call->argv[1] + 4, id)) {
        session_err(
            call->from, REPLY_NO_SUCH,
            ": write all 43 letters of the key, or at least 8 of one that is here");
        return;
    }
    snprintf(target, sizeof target, "key:%s", id);
    if (!may_ban(call, &(struct banned){.key = id}) || !may_replace(call, target) ||
        !call_spend_act(call))
        return;
    ban(call, target, span_s, "", reason);
    close_banned(call, &(struct banned){.key = id}, reason);
}

/* True for a network that is wider than a /16 of IPv4 or a /32 of IPv6. */
static bool is_wide(const struct prefix *network)
{
    enum { ALL_V4 = 96, V4_BITS = ALL_V4 + 16, V6_BITS = 32 };
    static const struct prefix v4 = {.bytes = {[10] = 0xff, [11] = 0xff},
                                     .bits = ALL_V4};

    return prefix_contains(network, &v4) ||
           network->bits < (prefix_is_v4(network) ? V4_BITS : V6_BITS);
}

/* True for a network with a loopback address. Players on this machine connect from a
 * loopback address. A browser does so too, if its proxy does not report the browser's
 * address. */
static bool is_own(const struct prefix *network)
{
    static const struct prefix v4 = {
        .bytes = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}, .bits = 128};
    static const struct prefix v6 = {.bytes = {[15] = 1}, .bits = 128};

    return prefix_contains(network, &v4) || prefix_contains(network, &v6);
}

/* A search for an account with a role above `role` whose last login came from
 * `network`. */
struct last_seen {
    enum role role;
    const struct prefix *network;
    bool is_found;
};

static void see_last(void *arg, const struct account *account)
{
    struct last_seen *last = arg;

    last->is_found =
        last->is_found || (account->role > last->role && account->is_address_known &&
                           prefix_contains(last->network, &account->last_address));
}

static bool is_of_higher(const struct call *call, const struct prefix *network)
{
    struct last_seen last = {.role = call->role, .network = network};

    accounts_each_member(call->world->accounts, see_last, &last);
    return last.is_found;
}

/* Returns the reason why only owners may ban the network. The answer to the caller has
 * this reason after the words "a network", for example "that is wider than ...". NULL:
 * moderators may ban the network too. The check is needed because admission does not
 * exempt anybody from a ban, not even an owner. */
static const char *why_for_owners(const struct call *call, const struct prefix *network)
{
    if (is_wide(network))
        return "that is wider than a /16 of IPv4 or a /32 of IPv6";
    if (is_own(network))
        return "that contains the server's own machine";
    if (admission_trusts_some(call->world->admission, network))
        return "that the host trusts";
    if (is_of_higher(call, network))
        return "from which an owner came last";
    return NULL;
}

enum { ADDR_TARGET_BYTES = PREFIX_TEXT_BYTES + 8 };

static void format_target(char out[ADDR_TARGET_BYTES], const struct prefix *network)
{
    char text[PREFIX_TEXT_BYTES];

    prefix_format(text, network);
    snprintf(out, ADDR_TARGET_BYTES, "addr:%s", text);
}

/* Bans a network: admission refuses connections from it. The ban is recorded, and
 * admission gets it again after a restart. */
static void ban_network(struct call *call, int64_t span_s, const char *reason)
{
    char target[ADDR_TARGET_BYTES];
    struct prefix network;
    const char *why;

    if (!prefix_parse(call->argv[1] + 5, &network)) {
        call_usage(call, "addr: takes a network, 192.0.2.0/24 or 2001:db8:0:100::/56");
        return;
    }
    format_target(target, &network);
    if (!may_ban(call, &(struct banned){.network = &network}) ||
        !may_replace(call, target))
        return;
    why = call->role < ROLE_OWNER ? why_for_owners(call, &network) : NULL;
    if (why != NULL) {
        session_err(call->from, REPLY_NOT_NOW,
                    "why=rank : only an owner may ban a network %s", why);
        return;
    }
    if (!call_spend_act(call))
        return;
    ban(call, target, span_s, "", reason);
    admission_ban(call->world->admission, &network,
                  span_s == 0 ? INT64_MAX : call->now_ms + span_s * 1000);
    close_banned(call, &(struct banned){.network = &network}, reason);
}

static void ban_run(struct call *call)
{
    int64_t span_s = BAN_S;
    const char *reason = call_timed_text(call, &span_s);

    if (reason == NULL)
        return;
    if (strncmp(call->argv[1], "key:", 4) == 0)
        ban_key(call, span_s, reason);
    else if (strncmp(call->argv[1], "addr:", 5) == 0)
        ban_network(call, span_s, reason);
    else
        ban_name(call, span_s, reason);
}

const struct command cmd_ban = {
    .name = "ban",
    .usage = "ban NAME|key:ID|addr:PREFIX [for=7d] REASON",
    .help = "ban somebody, a key or a network; for=ever has no end",
    .args_min = 2,
    .args_max = PROTO_WORDS_MAX,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = ban_run,
};

/* True if the caller may end the ban. A moderator may not ban another person of the
 * staff, and therefore may not end the ban of such a person. False: the answer was
 * sent. */
static bool may_unban(struct call *call, const struct house_hold *hold)
{
    const char *target = hold->act->target;

    if (!may_change(call, hold))
        return false;
    return accounts_find(call->world->accounts, target) == NULL ||
           call_account(call, target) != NULL;
}

/* Returns the target of a ban for the typed word: "addr:" and a network in the usual
 * spelling, in `out`; any other word as it is. */
static const char *target_of(char out[ADDR_TARGET_BYTES], const char *word)
{
    struct prefix network;

    if (strncmp(word, "addr:", 5) != 0 || !prefix_parse(word + 5, &network))
        return word;
    format_target(out, &network);
    return out;
}

static void unban_run(struct call *call)
{
    struct house_hold hold;
    struct prefix network;
    char bytes[ADDR_TARGET_BYTES];
    const char *target = target_of(bytes, call->argv[1]);

    if (!house_bans_target(call->world->house, target, mono_wall_s(), &hold)) {
        session_err(call->from, REPLY_NO_SUCH,
                    ": there is no such ban; bans lists all of them");
        return;
    }
    if (!may_unban(call, &hold) || !call_spend_act(call))
        return;
    call_record(call, &(struct house_act){.kind = "unban", .target = hold.act->target},
                "unban target=%s : %s is no longer banned", hold.act->target,
                hold.act->target);
    if (strncmp(hold.act->target, "addr:", 5) == 0 &&
        prefix_parse(hold.act->target + 5, &network) &&
        !admission_unban(call->world->admission, &network))
        log_debug("unban target=%s why=\"its time was over\"", hold.act->target);
}

const struct command cmd_unban = {
    .name = "unban",
    .usage = "unban NAME|key:ID|addr:PREFIX",
    .help = "end a ban",
    .args_min = 1,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = unban_run,
};

/* --- bans --- */

struct listing {
    const struct call *call;
    int count, skip;
};

static void count_ban(void *arg, const struct house_hold *hold)
{
    struct listing *listing = arg;

    (void)hold;
    listing->count++;
}

static void list_ban(void *arg, const struct house_hold *hold)
{
    struct listing *listing = arg;

    if (listing->skip-- > 0)
        return;
    session_rowf(listing->call->from, "ban %s since_s=%lld until_s=%lld by=%s : %s",
                 hold->act->target, (long long)hold->act->wall_s, ban_until_s(hold),
                 hold->act->actor, hold->act->words);
}

/* Lists the bans in force, the oldest ban first. If there are more than LIST_ROWS_MAX
 * bans, lists only the newest LIST_ROWS_MAX bans. */
static void bans_run(struct call *call)
{
    struct listing listing = {.call = call};
    int64_t now_wall_s = mono_wall_s();

    house_each_ban(call->world->house, now_wall_s, count_ban, &listing);
    listing.skip = listing.count - LIST_ROWS_MAX;
    house_each_ban(call->world->house, now_wall_s, list_ban, &listing);
    call_ok_count(call, listing.count);
}

const struct command cmd_bans = {
    .name = "bans",
    .usage = "bans",
    .help = "list who is banned, until when, and why",
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = bans_run,
};

/* --- mute --- */

static void mute_run(struct call *call)
{
    int64_t span_s = MUTE_S, until_s;
    const char *reason = call_timed_text(call, &span_s);
    struct account *account = reason != NULL ? call_account(call, call->argv[1]) : NULL;
    struct session *session;
    char params[40];

    if (account == NULL || !call_spend_act(call))
        return;
    until_s = until_of(span_s);
    snprintf(params, sizeof params, "until=%lld", (long long)until_s);
    call_record(call,
                &(struct house_act){.kind = "mute",
                                    .target = account->shown,
                                    .params = params,
                                    .words = reason},
                "mute name=%s until_s=%lld : %s cannot talk or challenge until then",
                account->shown, (long long)until_s, account->shown);
    session = session_find(call->world->sessions, account->session);
    if (session != NULL)
        session_sayf(session, "! notice why=muted until_s=%lld : %s",
                     (long long)until_s, reason);
}

const struct command cmd_mute = {
    .name = "mute",
    .usage = "mute NAME [for=10m] REASON",
    .help = "keep a player from talking and challenging for a while",
    .args_min = 2,
    .args_max = PROTO_WORDS_MAX,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = mute_run,
};

static void unmute_run(struct call *call)
{
    struct account *account = call_account(call, call->argv[1]);
    struct session *session;
    struct house_hold hold;

    if (account == NULL)
        return;
    if (!house_mutes(call->world->house, account->folded, mono_wall_s(), &hold)) {
        session_err(call->from, REPLY_NO_SUCH, ": %s is not muted", account->shown);
        return;
    }
    if (!call_spend_act(call))
        return;
    call_record(call, &(struct house_act){.kind = "unmute", .target = account->shown},
                "unmute name=%s : %s may talk again", account->shown, account->shown);
    session = session_find(call->world->sessions, account->session);
    if (session != NULL)
        session_sayf(session, "! notice why=unmuted : you may talk again");
}

const struct command cmd_unmute = {
    .name = "unmute",
    .usage = "unmute NAME",
    .help = "let a muted player talk again",
    .args_min = 1,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = unmute_run,
};

/* --- end --- */

/* The parsed arguments of `end`. */
struct sentence {
    int64_t game;
    enum outcome outcome;
    bool is_counted; /* the result changes the ratings */
    const char *reason;
};

/* Records the act of the staff, and answers. room NULL: there is none. */
static void record_end(struct call *call, struct room *room,
                       const struct sentence *sentence)
{
    char target[24], params[40];
    struct house_act act = {
        .kind = "end", .target = target, .params = params, .words = sentence->reason};

    snprintf(target, sizeof target, "%lld", (long long)sentence->game);
    snprintf(params, sizeof params, "result=%s%s", outcome_name(sentence->outcome),
             sentence->is_counted ? "" : " rated=no");
    if (room != NULL)
        notice_tell(room, TO_ALL, "! notice why=verdict game=%lld : %s",
                    (long long)room->id, sentence->reason);
    call_record(call, &act, "end game=%lld : game %lld is over",
                (long long)sentence->game, (long long)sentence->game);
}

/* Ends the game with the result of the sentence. The act of the staff and the event of
 * the game are one batch: neither is on disk without the other. */
static void end_game(struct call *call, struct room *room,
                     const struct sentence *sentence)
{
    struct store *store = call->world->store;
    struct fault fault;

    store_begin_together(store);
    if (!sentence->is_counted)
        lobby_exclude_game(call->world->lobby, room->id);
    fault = room_end_by_host(room, sentence->outcome, call->now_ms);
    if (fault.code == FAULT_NONE)
        record_end(call, room, sentence);
    store_end_together(store);
    if (fault.code != FAULT_NONE)
        session_err(call->from, REPLY_NOT_NOW, "why=over game=%lld : game %lld is over",
                    (long long)room->id, (long long)room->id);
}

/* Ends a game that has no room, because its first event is damaged. False: the game has
 * no such damage, and nothing was answered. */
static bool end_unreadable(struct call *call, const struct sentence *sentence)
{
    struct store *store = call->world->store;
    bool is_one;

    store_begin_together(store);
    is_one = room_end_unreadable(call->world->rooms, sentence->game, sentence->outcome);
    if (is_one)
        record_end(call, NULL, sentence);
    store_end_together(store);
    return is_one;
}

/* Parses the argument GAME, "3" or "game=3". False: the answer was sent. */
static bool take_game(const struct call *call, int64_t *game)
{
    const char *word = call->argv[1];

    if (strncmp(word, "game=", 5) == 0)
        word += 5;
    if (text_to_int(word, 0, INT64_MAX, game))
        return true;
    session_err(call->from, REPLY_NO_SUCH, ": there is no running game %.24s", word);
    return false;
}

/* True for a private game that is over. The staff may not learn that there was such a
 * game. */
static bool is_hidden(const struct room *room)
{
    struct readable what = privacy_readable_room(room);

    return what.is_private && (what.is_over || room->is_read_back);
}

/* Finds the room of a game that may be ended. NULL: the answer was sent. */
static struct room *take_room(const struct call *call, int64_t game)
{
    struct room *room = room_find(call->world->rooms, game);

    if (room == NULL || is_hidden(room))
        session_err(call->from, REPLY_NO_SUCH, ": there is no running game %lld",
                    (long long)game);
    else if (room->is_frozen && room->is_read_back)
        session_err(
            call->from, REPLY_NOT_NOW,
            "why=frozen game=%lld : game %lld is damaged, and is over or has lost "
            "its players",
            (long long)room->id, (long long)room->id);
    else if (room->state != ROOM_READY)
        session_err(call->from, REPLY_SLOW_DOWN,
                    "retry=1 : game %lld is being read; repeat the command",
                    (long long)game);
    else
        return room;
    return NULL;
}

/* True if the game is rated and the caller is one of its players. Then the result does
 * not change ratings, because the staff may not decide about their own ratings. */
static bool is_own_rated(const struct call *call, const struct room *room)
{
    const struct account *account =
        accounts_find(call->world->accounts, call->from->name);

    return room->game.manners.is_rated && account != NULL &&
           (account == room->seat[SIDE_RED] || account == room->seat[SIDE_BLUE]);
}

static void end_run(struct call *call)
{
    struct sentence sentence = {.is_counted = strcmp(call->argv[3], "rated=no") != 0};
    struct room *room;

    sentence.reason = call_text(call, sentence.is_counted ? 3 : 4);
    if (sentence.reason == NULL)
        return;
    if (!outcome_parse(call->argv[2], &sentence.outcome)) {
        call_usage(call, "the result is red, blue, draw or none");
        return;
    }
    if (!take_game(call, &sentence.game) || end_unreadable(call, &sentence))
        return;
    room = take_room(call, sentence.game);
    if (room == NULL || !call_spend_act(call))
        return;
    if (is_own_rated(call, room))
        sentence.is_counted = false;
    end_game(call, room, &sentence);
}

const struct command cmd_end = {
    .name = "end",
    .usage = "end GAME red|blue|draw|none [rated=no] REASON",
    .help = "end a game with the result that you give, also one whose log is damaged",
    .args_min = 3,
    .args_max = PROTO_WORDS_MAX,
    .states = BY_STAFF,
    .role = ROLE_MODERATOR,
    .run = end_run,
};
