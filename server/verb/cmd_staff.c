/* Verbs of the staff against abuse: kick, ban, mute, end. */
#include <stdio.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/tls.h"
#include "server/account/accounts.h"
#include "server/account/ticket.h"
#include "server/admission/admission.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/command/entry.h"
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

enum { BAN_S = 7 * DAY_S, MUTE_S = 10 * 60, PARAMS_BYTES = 640 };

/* Returns the end of a span that begins now, as wall time in seconds. If span_s is 0,
 * the span has no end, and the result is 0. */
static int64_t until_of(int64_t span_s)
{
    return span_s == 0 ? 0 : mono_wall_s() + span_s;
}

/* --- kick --- */

static bool kick_run(struct call *call)
{
    const char *reason = call_text(call, 2), *name = call->argv[1];
    struct session *session = sessions_first(call->world->sessions);
    struct account *account;

    if (reason == NULL)
        return false;
    while (session != NULL && /* a guest has no account */
           (session->state != SESSION_GUEST || strcmp(session->name, name) != 0))
        session = sessions_next(session);
    if (session == NULL) {
        account = call_account(call, name);
        if (account == NULL)
            return false;
        name = account->shown;
        session = session_find(call->world->sessions, account->session);
    }
    if (session == NULL)
        return session_err(call->from, REPLY_NO_SUCH, "#away");
    if (!call_spend_act(call))
        return false;
    call_record(
        call,
        &(struct house_act){.kind = "kick", .target = session->name, .words = reason},
        "kick name=%s : %s was disconnected; the seats in games are kept",
        session->name, session->name);
    session_close(session, "kicked", reason);
    return true;
}

const struct command cmd_kick = {
    .usage = "kick NAME REASON",
    .help = N_("disconnect somebody; their seats in games are kept"),
    .examples = N_("kick kim please calm down"),
    .role = ROLE_MODERATOR,
    .output = OUTPUT_URGENT,
    .run = kick_run,
};

/* --- ban --- */

/* The connections that a ban concerns: those that show a banned key, or that come from a
 * banned network. */
struct banned {
    const char *key;              /* NULL: any */
    const struct prefix *network; /* NULL: any */
};

static bool is_banned(const struct session *session, const struct banned *banned)
{
    const struct tls_key *key = wire_peer_key(session->wire);

    if (session->state == SESSION_HOST ||
        (banned->key != NULL && (key == NULL || !tls_key_matches(key, banned->key))))
        return false;
    return banned->network == NULL ||
           (session->usage.slot != NULL &&
            prefix_contains(banned->network, slot_from(session->usage.slot)));
}

/* Closes the connections that the ban concerns. A ban of a network spares the staff. A
 * ban of a key spares them unless an owner made it, because other bans of keys do not
 * stop logins of the staff. The owner who makes the ban stays connected, to be able to
 * correct a mistake. */
static void close_banned(const struct call *call, const struct banned *banned,
                         const char *reason)
{
    struct session *next;

    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = next) {
        bool is_staff = account_role(s->account) >= ROLE_MODERATOR;

        next = sessions_next(s);
        if (is_banned(s, banned) &&
            !(is_staff &&
              (banned->key == NULL || call->role < ROLE_OWNER || s == call->from)))
            session_close(s, "banned", reason);
    }
}

/* Always returns false, for callers to return. */
static bool refuse_own(const struct call *call)
{
    return session_err(call->from, REPLY_NOT_NOW, "why=self");
}

/* True if the ban concerns neither the caller's own connection, nor that of a person with
 * a higher role. False: the answer was sent. */
static bool may_ban(struct call *call, const struct banned *banned)
{
    if (is_banned(call->from, banned))
        return refuse_own(call);
    for (struct session *s = sessions_first(call->world->sessions); s != NULL;
         s = sessions_next(s)) {
        enum role role = account_role(s->account);

        if (role <= call->role || !is_banned(s, banned))
            continue;
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=rank#connected name=%s role=%s", s->name,
                           role_name(role));
    }
    return true;
}

/* True if the target is not banned now, or if the caller has at least the role of the
 * person who banned it. False: the answer was sent. */
static bool may_change(struct call *call, const char *target)
{
    struct house_hold hold;

    if (!house_bans(call->world->house, target, mono_wall_s(), &hold) ||
        hold.rank <= call->role)
        return true;
    return session_err(call->from, REPLY_NOT_NOW, "why=rank#ban name=%s role=%s",
                       hold.act->actor, role_name(hold.rank));
}

/* Records the ban, and answers. more: further parameters of the act,
 * with a space before each. */
static bool record_ban(struct call *call, const char *target, int64_t span_s,
                       const char *more, const char *reason)
{
    char params[PARAMS_BYTES];
    long long until_s = (long long)until_of(span_s);

    snprintf(params, sizeof params, "until=%lld%s", until_s, more);
    return call_record(
        call,
        &(struct house_act){
            .kind = "ban", .target = target, .params = params, .words = reason},
        "ban target=%s until=%lld : %s is banned", target, until_s, target);
}

/* Bans a name and its keys, and new names from the network from which it came last. Ends
 * all invitations that the person has made, and the one by which the person came,
 * because others may have its code too. Closes the person's connection, and all that
 * show one of the keys under another name or without a name. */
static bool ban_name(struct call *call, int64_t span_s, const char *reason)
{
    struct world *world = call->world;
    struct account *account = call_account(call, call->argv[1]);
    const struct tls_key *own = wire_peer_key(call->from->wire);
    char more[PARAMS_BYTES], key[DEVICES_MAX + 1][TLS_KEY_TEXT_BYTES];
    char network[PREFIX_TEXT_BYTES];
    struct text text = text_into(more, sizeof more);
    struct prefix near;
    struct session *session;
    int keys = 0;

    if (account == NULL)
        return false;
    if (account == call->from->account ||
        (own != NULL && account_find_proof(account, own->digest, NULL) != NULL))
        return refuse_own(call);
    if (!may_change(call, account->shown) || !call_spend_act(call))
        return false;
    if (ban_network_of(world, account, &near)) {
        prefix_format(network, &near);
        text_addf(&text, " near=%s", network);
    }
    for (int i = 0; i < account->proof_count; i++) {
        const struct proof *proof = &account->proofs[i];

        if (proof->kind != STORE_PROOF_KEY)
            continue;
        text_base64url(key[keys], proof->digest, sizeof proof->digest);
        text_addf(&text, "%s%s", keys == 0 ? " keys=" : ",", key[keys]);
        keys++;
    }
    record_ban(call, account->shown, span_s, text.at, reason);
    tickets_remove_of(world->tickets, account);
    tickets_remove_made_by(world->tickets, account->shown);
    invites_withdraw_all(lobby_invites(world->lobby), account, "withdrawn");
    evenings_remove_player(world->evenings, account->shown);
    evening_run_changed(world->evening_run);
    session = session_find(world->sessions, account->session);
    if (session != NULL)
        session_close(session, "banned", reason);
    for (int i = 0; i < keys; i++)
        close_banned(call, &(struct banned){.key = key[i]}, reason);
    return true;
}

/* Writes the whole key, of which the word has all letters, or at least the first 8 if it is
 * connected. False: there is no such key; the answer was sent. */
static bool find_key(const struct call *call, const char *word,
                     char out[TLS_KEY_TEXT_BYTES])
{
    enum { LETTERS_MIN = 8, LETTERS = TLS_KEY_TEXT_BYTES - 1 };
    size_t len = strlen(word);

    if (len == LETTERS)
        return text_copy(out, TLS_KEY_TEXT_BYTES, word);
    for (struct session *s = sessions_first(call->world->sessions);
         s != NULL && len >= LETTERS_MIN && len < LETTERS; s = sessions_next(s)) {
        const struct tls_key *key = wire_peer_key(s->wire);

        if (key == NULL)
            continue;
        tls_key_format(out, key);
        if (strncmp(out, word, len) == 0)
            return true;
    }
    return session_err(call->from, REPLY_NO_SUCH, "#key");
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

/* Returns why only owners may ban the network: X of the message "not-now/rank#X".
 * NULL: moderators may ban it too. The check is needed because admission does
 * not exempt anybody from a ban, not even an owner. Players on this machine, and
 * browsers whose proxy does not report their address, come from a loopback address. */
static const char *why_for_owners(const struct call *call, const struct prefix *network)
{
    enum { ALL_V4 = 96, V4_BITS = ALL_V4 + 16, V6_BITS = 32 };
    static const struct prefix all_v4 = {.bytes = {[10] = 0xff, [11] = 0xff},
                                         .bits = ALL_V4};
    static const struct prefix own_v4 = {
        .bytes = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}, .bits = 128};
    static const struct prefix own_v6 = {.bytes = {[15] = 1}, .bits = 128};
    struct last_seen last = {.role = call->role, .network = network};

    if (prefix_contains(network, &all_v4) ||
        network->bits < (prefix_is_v4(network) ? V4_BITS : V6_BITS))
        return "wide";
    if (prefix_contains(network, &own_v4) || prefix_contains(network, &own_v6))
        return "own";
    if (admission_trusts_some(call->world->admission, network))
        return "trusted";
    accounts_each_member(call->world->accounts, see_last, &last);
    return last.is_found ? "last" : NULL;
}

enum { TARGET_BYTES = PREFIX_TEXT_BYTES + TLS_KEY_TEXT_BYTES + 8 };

/* Writes the target of a ban of the network in its usual spelling. False: the word is no
 * such target. */
static bool read_network(const char *word, struct prefix *network,
                         char target[TARGET_BYTES])
{
    char text[PREFIX_TEXT_BYTES];

    if (strncmp(word, "addr:", 5) != 0 || !prefix_parse(word + 5, network))
        return false;
    prefix_format(text, network);
    snprintf(target, TARGET_BYTES, "addr:%s", text);
    return true;
}

/* The ban of a network is recorded, and admission, which refuses its connections, gets it
 * again after a restart. */
static bool ban_run(struct call *call)
{
    int64_t span_s = BAN_S;
    const char *reason = call_timed_text(call, &span_s), *word = call->argv[1], *why;
    char key[TLS_KEY_TEXT_BYTES], target[TARGET_BYTES];
    struct banned banned = {.key = NULL};
    struct prefix network;

    if (reason == NULL)
        return false;
    if (strncmp(word, "key:", 4) == 0) {
        if (!find_key(call, word + 4, key))
            return false;
        snprintf(target, sizeof target, "key:%s", key);
        banned.key = key;
    } else if (strncmp(word, "addr:", 5) == 0) {
        if (!read_network(word, &network, target))
            return call_usage(
                call, "addr: takes a network, 192.0.2.0/24 or 2001:db8:0:100::/56");
        banned.network = &network;
    } else {
        return ban_name(call, span_s, reason);
    }
    if (!may_ban(call, &banned) || !may_change(call, target))
        return false;
    why = banned.network != NULL && call->role < ROLE_OWNER
              ? why_for_owners(call, &network)
              : NULL;
    if (why != NULL)
        return session_err(call->from, REPLY_NOT_NOW, "why=rank#%s", why);
    if (!call_spend_act(call))
        return false;
    record_ban(call, target, span_s, "", reason);
    if (banned.network != NULL)
        admission_ban(call->world->admission, &network,
                      span_s == 0 ? INT64_MAX : call->now_ms + span_s * 1000);
    close_banned(call, &banned, reason);
    return true;
}

const struct command cmd_ban = {
    .usage = "ban NAME|key:ID|addr:PREFIX [for=7d] REASON",
    .help = N_("keep somebody, a key or a network out of this server"),
    .examples = N_("ban kim insults             for 7 days\n"
                   "ban kim for=12h insults     for 12 hours\n"
                   "ban kim for=ever insults    for good"),
    .role = ROLE_MODERATOR,
    .run = ban_run,
};

/* A moderator may not ban another person of the staff, and therefore may not end the ban
 * of such a person. */
static bool unban_run(struct call *call)
{
    const struct world *world = call->world;
    struct house_hold hold;
    struct prefix network;
    char bytes[TARGET_BYTES];
    bool is_network = read_network(call->argv[1], &network, bytes);
    const char *target = is_network ? bytes : call->argv[1];

    if (!house_bans(world->house, target, mono_wall_s(), &hold))
        return session_err(call->from, REPLY_NO_SUCH, "#ban");
    target = hold.act->target;
    if (!may_change(call, target) ||
        (accounts_find(world->accounts, target) != NULL &&
         call_account(call, target) == NULL) ||
        !call_spend_act(call))
        return false;
    call_record(call, &(struct house_act){.kind = "unban", .target = target},
                "unban target=%s : %s is no longer banned", target, target);
    if (is_network && !admission_unban(world->admission, &network))
        log_debug("unban target=%s why=\"its time was over\"", target);
    return true;
}

const struct command cmd_unban = {
    .usage = "unban NAME|key:ID|addr:PREFIX",
    .help = N_("end a ban"),
    .examples = "unban kim",
    .role = ROLE_MODERATOR,
    .run = unban_run,
};

/* --- bans --- */

struct listing {
    const struct call *call; /* NULL: only count */
    int count, skip;
};

static void list_ban(void *arg, const struct house_hold *hold)
{
    struct listing *listing = arg;

    if (listing->call == NULL)
        listing->count++;
    else if (listing->skip-- <= 0)
        session_rowf(listing->call->from, "ban %s since_s=%lld until_s=%lld by=%s : %s",
                     hold->act->target, (long long)hold->act->wall_s, ban_until_s(hold),
                     hold->act->actor, hold->act->words);
}

/* Lists the bans in force, the oldest ban first. If there are more than LIST_ROWS_MAX
 * bans, lists only the newest LIST_ROWS_MAX bans. */
static bool bans_run(struct call *call)
{
    struct listing listing = {.count = 0};
    int64_t now_wall_s = mono_wall_s();

    house_each_ban(call->world->house, now_wall_s, list_ban, &listing);
    listing.call = call;
    listing.skip = listing.count - LIST_ROWS_MAX;
    house_each_ban(call->world->house, now_wall_s, list_ban, &listing);
    return call_ok_count(call, listing.count, "");
}

const struct command cmd_bans = {
    .usage = "bans",
    .help = N_("who is banned, until when, and why"),
    .role = ROLE_MODERATOR,
    .run = bans_run,
};

/* --- mute --- */

static bool mute_run(struct call *call)
{
    int64_t span_s = MUTE_S, until_s;
    const char *reason = call_timed_text(call, &span_s);
    struct account *account = reason != NULL ? call_account(call, call->argv[1]) : NULL;
    struct session *session;
    char params[40];

    if (account == NULL || !call_spend_act(call))
        return false;
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
        session_notice(session, "why=muted until_s=%lld : %s", (long long)until_s,
                       reason);
    return true;
}

const struct command cmd_mute = {
    .usage = "mute NAME [for=10m] REASON",
    .help = N_("keep a player from talking and challenging for a while"),
    .examples = N_("mute kim please stop           for 10 minutes\n"
                   "mute kim for=2h please stop"),
    .role = ROLE_MODERATOR,
    .run = mute_run,
};

static bool unmute_run(struct call *call)
{
    struct account *account = call_account(call, call->argv[1]);
    struct session *session;
    struct house_hold hold;

    if (account == NULL)
        return false;
    if (!house_mutes(call->world->house, account->folded, mono_wall_s(), &hold))
        return session_err(call->from, REPLY_NO_SUCH, "#muted name=%s", account->shown);
    if (!call_spend_act(call))
        return false;
    call_record(call, &(struct house_act){.kind = "unmute", .target = account->shown},
                "unmute name=%s : %s may talk again", account->shown, account->shown);
    session = session_find(call->world->sessions, account->session);
    if (session != NULL)
        session_notice(session, "why=unmuted");
    return true;
}

const struct command cmd_unmute = {
    .usage = "unmute NAME",
    .help = N_("let a muted player talk again"),
    .examples = "unmute kim",
    .role = ROLE_MODERATOR,
    .run = unmute_run,
};

/* --- end --- */

/* Finds the room of a game that may be ended. The staff may not learn that there was a
 * private game that is over. NULL: the answer was sent. */
static struct room *take_room(const struct call *call, int64_t game)
{
    struct room *room = room_find(call->world->rooms, game);
    struct readable what = {.is_private = false};

    if (room != NULL)
        what = privacy_readable_room(room);
    if (room == NULL || (what.is_private && (what.is_over || room->is_read_back)))
        call_err_game(call, REPLY_NO_SUCH, "#running-game", game);
    else if (room->is_frozen && room->is_read_back)
        call_err_game(call, REPLY_NOT_NOW, "why=frozen#end", room->id);
    else if (room->state != ROOM_READY)
        session_err(call->from, REPLY_SLOW_DOWN, "#read retry=1 game=%lld",
                    (long long)game);
    else
        return room;
    return NULL;
}

/* The act of the staff and the event of the game are one batch: neither is on disk
 * without the other. */
static bool end_run(struct call *call)
{
    bool is_counted = strcmp(call->argv[2], "rated=no") != 0;
    const char *reason = call_text(call, is_counted ? 2 : 3);
    const struct account *me = call->from->account;
    enum outcome outcome;
    struct room *room;
    char words[48];

    if (reason == NULL)
        return false;
    if (!outcome_parse(call->argv[1], &outcome))
        return call_usage(call, "the result is red, blue, draw or none");
    snprintf(words, sizeof words, "game %lld is over", (long long)call->game);
    if (room_end_unreadable(call->world->rooms, call->game, outcome)) {
        /* it has no room, because its first event is damaged */
        return call_record_end(call, call->game, outcome, is_counted, reason, words);
    }
    room = take_room(call, call->game);
    if (room == NULL || !call_spend_act(call))
        return false;
    if (me != NULL && (me == room->seat[SIDE_RED] || me == room->seat[SIDE_BLUE]) &&
        room->game.manners.is_rated)
        is_counted = false; /* staff do not decide about their own ratings */
    if (!is_counted)
        lobby_exclude_game(call->world->lobby, room->id);
    if (room_end_by_host(room, outcome, call->now_ms).code != FAULT_NONE)
        return call_err_game(call, REPLY_NOT_NOW, "why=over", room->id);
    notice_tell(room, TO_ALL, "! notice why=verdict game=%lld : %s",
                (long long)room->id, reason);
    return call_record_end(call, room->id, outcome, is_counted, reason, words);
}

const struct command cmd_end = {
    .usage = "end GAME red|blue|draw|none [rated=no] REASON",
    .help = N_("end a game with the result that you give, by decision of the host"),
    .examples = N_("end 3 blue hong has left the evening"),
    .role = ROLE_MODERATOR,
    .run = end_run,
};
