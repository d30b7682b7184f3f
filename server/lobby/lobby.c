/* See lobby.h. */
#include "server/lobby/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/code.h"
#include "server/lobby/market.h"
#include "server/lobby/pairs.h"
#include "server/lobby/seek_news.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/readers.h"

enum {
    REFUSAL_MS = 5 * 60 * 1000, /* for which a declined challenge is not repeated */
    MET_MS = 60 * 60 * 1000,    /* for which other opponents come before one just met */
    GAP_MOST = 300,             /* between firm ratings, in the first ... */
    GAP_MS = 30000,             /* ... of a seek */
    LOOK_AGAIN_S = 31
};

struct farewell; /* gone notices that wait for the start of a new game */

struct lobby {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct ratings *ratings;
    struct lobby_limits limits;
    int64_t next_game;
    int games;          /* running */
    int64_t excluded;   /* the game that the host ends, which does not count; 0: none */
    struct seek *seeks; /* and challenges */
    struct market *market;
    struct seek_news *news;
    struct farewell *farewells;
    struct invite *invites, *invites_by_game;
    int hosts_invites; /* open ones that the host made */
    struct deadlines *deadlines;
    struct deadline_kind invite_expiry;
    struct deadline_kind wait_expiry;
    struct pairs *refusals; /* maker and target of a declined challenge */
    struct pairs *met;      /* two who have begun a game, in the order of their names */
};

/* The contents of a gone notice. */
struct gone {
    char id[24];         /* a number or a code */
    const char *kind;    /* "seek", "challenge", "invite", or an offer's: "rematch" */
    char by[NAME_BYTES]; /* name of the maker; "" for the host */
    const char *why;
    int64_t next; /* the challenge that takes its place; 0: none */
};

/* The present session of account; NULL if it has none or account is NULL. */
static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account);
/* Sends a gone notice to the session that received the seek, challenge or invitation;
 * session 0: to none. If a new game is the reason (game is not 0), the notice waits
 * until the start of that game is on disk. */
static void tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                      int64_t game);
/* Sends the notices that waited for the start of game, which is on disk now. */
static void say_farewell(struct lobby *lobby, int64_t game);
static void forget_farewells(struct lobby *lobby);
/* Removes the seek and frees it; tells nobody. */
static void free_seek(struct lobby *lobby, struct seek *seek);
/* Removes a seek that taker has accepted; game is being written to the disk. */
static void take_seek(struct lobby *lobby, struct seek *seek,
                      const struct account *taker, int64_t game);
static void drop_seeks_of(struct lobby *lobby, struct account *maker, const char *why,
                          int64_t game);
/* Ends the wait of a player who has waited for WAIT_MINUTES. */
static void on_wait_due(void *arg, struct deadline *deadline, int64_t now_wall_s);
/* Withdraws the invitations that account made, and removes it from an invitation of the
 * host. */
static void withdraw_invites(struct lobby *lobby, struct account *account,
                             int64_t game);
/* Its game has begun: until the end, the code leads its two players back to their
 * seats. */
static void begin_invite(struct lobby *lobby, struct invite *invite, int64_t game);
/* forget_invite removes it from memory, drop_invite from the disk as well. */
static void forget_invite(struct lobby *lobby, struct invite *invite);
static void drop_invite(struct lobby *lobby, struct invite *invite);
/* At startup: restores one invitation from disk. */
static void remember_invite(void *arg, const struct store_invite *row);

/* --- Seeks and challenges --- */

/* A gone notice that names a game whose start is not on disk yet. */
struct parting {
    uint64_t session;
    struct gone gone;
    struct parting *prev, *next;
};

/* Those of one game. */
struct farewell {
    int64_t game;
    struct parting *partings;
    UT_hash_handle hh;
};

/* --- Notices to sessions --- */

/* A slow reader gets it from lobby_tell_open(), if it is still open then. */
static void tell_challenge(struct lobby *lobby, struct seek *seek)
{
    struct session *session = session_of(lobby, seek->target);
    char words[TERMS_BYTES], rating[RATINGS_WORDS_BYTES];

    if (session == NULL || !notice_fits(session))
        return;
    terms_format(words, &seek->terms);
    lobby_rating_words(rating, lobby, seek->maker, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, rating, words,
                 (long long)seek->id, (long long)seek->id);
    seek->told = session->id;
}

/* Sends the challenges that were not sent to the session yet, and moves them to the end
 * of the list. */
static void tell_challenges(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    struct seek *seek;

    while ((seek = account->asked) != NULL && seek->told != session->id) {
        tell_challenge(lobby, seek);
        if (seek->told != session->id)
            return;
        DL_DELETE2(account->asked, seek, asked_prev, asked_next);
        DL_APPEND2(account->asked, seek, asked_prev, asked_next);
    }
}

static void say_gone(struct lobby *lobby, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(lobby->sessions, id);
    char next[32] = "";

    if (gone->next != 0)
        snprintf(next, sizeof next, " new=%lld", (long long)gone->next);
    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by, next);
}

static struct farewell *get_farewell(struct lobby *lobby, int64_t game)
{
    struct farewell *farewell;

    HASH_FIND(hh, lobby->farewells, &game, sizeof game, farewell);
    if (farewell != NULL)
        return farewell;
    farewell = mem_new(sizeof *farewell);
    farewell->game = game;
    HASH_ADD(hh, lobby->farewells, game, sizeof farewell->game, farewell);
    return farewell;
}

static void tell_gone(struct lobby *lobby, uint64_t session, const struct gone *gone,
                      int64_t game)
{
    struct farewell *farewell;
    struct parting *parting;

    if (game == 0) {
        say_gone(lobby, session, gone);
        return;
    }
    farewell = get_farewell(lobby, game);
    parting = mem_new(sizeof *parting);
    *parting = (struct parting){.session = session, .gone = *gone};
    DL_APPEND(farewell->partings, parting);
}

static void free_farewell(struct lobby *lobby, struct farewell *farewell)
{
    struct parting *parting, *next;

    DL_FOREACH_SAFE (farewell->partings, parting, next)
        free(parting);
    HASH_DEL(lobby->farewells, farewell);
    free(farewell);
}

static void say_farewell(struct lobby *lobby, int64_t game)
{
    struct farewell *farewell;
    const struct parting *parting;

    HASH_FIND(hh, lobby->farewells, &game, sizeof game, farewell);
    if (farewell == NULL)
        return;
    DL_FOREACH (farewell->partings, parting)
        say_gone(lobby, parting->session, &parting->gone);
    free_farewell(lobby, farewell);
}

static void forget_farewells(struct lobby *lobby)
{
    struct farewell *farewell, *next;

    HASH_ITER (hh, lobby->farewells, farewell, next)
        free_farewell(lobby, farewell);
}

/* --- Seeks and challenges --- */

/* Puts a challenge that the target has not received before the others. */
static void list_challenge(struct lobby *lobby, struct seek *seek)
{
    seek->maker->challenge_count++;
    tell_challenge(lobby, seek);
    if (seek->told != 0)
        DL_APPEND2(seek->target->asked, seek, asked_prev, asked_next);
    else
        DL_PREPEND2(seek->target->asked, seek, asked_prev, asked_next);
    seek->target->asked_count++;
}

static void count_seek(struct account *maker, int sign)
{
    maker->seek_count += sign;
    if (maker->network != NULL)
        maker->network->seeks += sign;
}

static void list_seek(struct lobby *lobby, struct seek *seek)
{
    DL_APPEND2(seek->maker->made, seek, made_prev, made_next);
    if (seek->target != NULL) {
        list_challenge(lobby, seek);
        return;
    }
    count_seek(seek->maker, +1);
    market_add(lobby->market, seek);
    seek_news_note(lobby->news);
}

static void unlist_seek(struct lobby *lobby, struct seek *seek)
{
    struct account *maker = seek->maker, *target = seek->target;

    HASH_DEL(lobby->seeks, seek);
    DL_DELETE2(maker->made, seek, made_prev, made_next);
    if (target == NULL) {
        count_seek(maker, -1);
        market_remove(lobby->market, seek);
        return;
    }
    maker->challenge_count--;
    target->asked_count--;
    DL_DELETE2(target->asked, seek, asked_prev, asked_next);
}

static void free_seek(struct lobby *lobby, struct seek *seek)
{
    unlist_seek(lobby, seek);
    deadlines_remove(lobby->deadlines, &seek->deadline);
    free(seek->wish);
    free(seek);
}

/* The first limit reached: max for one player, or network_max for the accounts of a
 * network. */
static int reached(int count, int max, int network_count, int network_max)
{
    if (count >= max)
        return max;
    return network_max != 0 && network_count >= network_max ? network_max : 0;
}

/* The limit of the account's network; 0: none. */
static int network_max(const struct network *network, int max)
{
    return network != NULL ? max * network->times : 0;
}

int lobby_seek_limit(const struct lobby *lobby, const struct account *maker,
                     const struct account *target)
{
    const struct lobby_limits *limits = &lobby->limits;
    const struct network *network = maker->network;

    if (target != NULL)
        return reached(maker->challenge_count, limits->challenges_max, 0, 0);
    return reached(maker->seek_count, limits->seeks_max,
                   network != NULL ? network->seeks : 0,
                   network_max(network, limits->network_seeks_max));
}

/* Opens a seek. wish may be NULL; the seek owns it. */
static struct seek *open_seek(struct lobby *lobby, int64_t id, struct account *maker,
                              struct account *target, const struct terms *terms,
                              const struct range *range, struct wish *wish)
{
    struct seek *seek = mem_new(sizeof *seek);

    seek->id = id;
    seek->maker = maker;
    seek->target = target;
    seek->terms = *terms;
    seek->wish = wish;
    seek->made_ms = mono_now_ms();
    if (range != NULL)
        seek->range = *range;
    HASH_ADD(hh, lobby->seeks, id, sizeof seek->id, seek);
    if (target != NULL)
        pairs_drop(lobby->refusals, target->folded, maker->folded);
    list_seek(lobby, seek);
    return seek;
}

struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms,
                        const struct range *range)
{
    if (lobby_seek_limit(lobby, maker, target) != 0)
        return NULL;
    return open_seek(lobby, lobby_next_offer(lobby), maker, target, terms, range, NULL);
}

struct seek *lobby_find_seek(struct lobby *lobby, int64_t id)
{
    struct seek *seek;

    HASH_FIND(hh, lobby->seeks, &id, sizeof id, seek);
    return seek;
}

struct seek *lobby_find_challenge(const struct account *maker,
                                  const struct account *target)
{
    struct seek *seek;

    DL_FOREACH2 (maker->made, seek, made_next)
        if (seek->target == target)
            return seek;
    return NULL;
}

struct seek *lobby_first_seek(const struct lobby *lobby)
{
    return market_first(lobby->market);
}

struct seek *lobby_next_seek(const struct seek *seek)
{
    return seek->open_next;
}

int lobby_count_seeks(const struct lobby *lobby)
{
    return market_count(lobby->market);
}

const struct seek *lobby_fitting_seek(const struct lobby *lobby,
                                      const struct seek *mine)
{
    return market_find_fit(lobby->market, mine);
}

void lobby_seek_words(char out[WISH_WORDS_BYTES], const struct seek *seek)
{
    static_assert((int)TERMS_BYTES + (int)RATED_RANGE_BYTES <= (int)WISH_WORDS_BYTES,
                  "room for either");
    char words[TERMS_BYTES], range[RATED_RANGE_BYTES];

    if (seek->wish != NULL) {
        wish_format(out, seek->wish);
        return;
    }
    terms_format(words, &seek->terms);
    rated_format_range(range, &seek->range);
    snprintf(out, WISH_WORDS_BYTES, "%s%s", words, range);
}

void lobby_rating_words(char out[RATINGS_WORDS_BYTES], const struct lobby *lobby,
                        const struct account *account, const struct terms *terms)
{
    ratings_words(out, lobby->ratings, account->number,
                  ratings_pool_of(terms->rules, &terms->time), mono_wall_s());
}

void lobby_listen(struct lobby *lobby, struct session *session, bool wants)
{
    seek_news_listen(lobby->news, session, wants);
}

/* Notifies its maker and the session that received it. next: the challenge that takes
 * its place, or 0. */
static void drop_for(struct lobby *lobby, struct seek *seek, const char *why,
                     int64_t game, int64_t next)
{
    struct gone gone = {
        .kind = seek->target == NULL ? "seek" : "challenge", .why = why, .next = next};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)seek->id);
    text_copy(gone.by, sizeof gone.by, seek->maker->shown);
    tell_gone(lobby, seek->maker->session, &gone, game);
    tell_gone(lobby, seek->told, &gone, game);
    free_seek(lobby, seek);
}

static void drop(struct lobby *lobby, struct seek *seek, const char *why, int64_t game)
{
    drop_for(lobby, seek, why, game, 0);
}

struct seek *lobby_counter(struct lobby *lobby, struct seek *challenge,
                           const struct terms *terms)
{
    struct account *maker = challenge->target, *target = challenge->maker;
    int counters = challenge->counters + 1;
    struct seek *seek;
    int64_t id;

    if (lobby_seek_limit(lobby, maker, target) != 0)
        return NULL;
    id = lobby_next_offer(lobby);
    drop_for(lobby, challenge, "countered", 0, id);
    seek = open_seek(lobby, id, maker, target, terms, NULL, NULL);
    seek->counters = counters;
    return seek;
}

void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why)
{
    drop(lobby, seek, why, 0);
}

void lobby_decline(struct lobby *lobby, struct seek *challenge, int64_t now_ms)
{
    pairs_add(lobby->refusals, challenge->maker->folded, challenge->target->folded,
              now_ms);
    drop(lobby, challenge, "declined", 0);
}

int64_t lobby_declined_ms(const struct lobby *lobby, const struct account *maker,
                          const struct account *target, int64_t now_ms)
{
    return pairs_left_ms(lobby->refusals, maker->folded, target->folded, now_ms);
}

static void take_seek(struct lobby *lobby, struct seek *seek,
                      const struct account *taker, int64_t game)
{
    seek->told = taker->session;
    drop(lobby, seek, "accepted", game);
}

static void drop_seeks_of(struct lobby *lobby, struct account *maker, const char *why,
                          int64_t game)
{
    struct seek *seek, *next;

    DL_FOREACH_SAFE2 (maker->made, seek, next, made_next)
        drop(lobby, seek, why, game);
}

/* --- Invitations --- */

static void count_invite(struct account *maker, int sign)
{
    maker->invite_count += sign;
    if (maker->network != NULL)
        maker->network->invites += sign;
}

/* Adds an open invitation to the list of its owner. */
static void own_invite(struct invite *invite, struct account *owner)
{
    invite->owner = owner;
    DL_APPEND2(owner->invites, invite, owner_prev, owner_next);
    if (!invite->is_hosts)
        count_invite(owner, +1);
}

static void disown_invite(struct invite *invite)
{
    struct account *owner = invite->owner;

    if (owner == NULL)
        return;
    DL_DELETE2(owner->invites, invite, owner_prev, owner_next);
    if (!invite->is_hosts)
        count_invite(owner, -1);
}

/* Removes it from the open invitations. */
static void close_invite(struct lobby *lobby, struct invite *invite)
{
    deadlines_remove(lobby->deadlines, &invite->deadline);
    lobby->hosts_invites -= invite->is_hosts;
    disown_invite(invite);
}

static void forget_invite(struct lobby *lobby, struct invite *invite)
{
    HASH_DEL(lobby->invites, invite);
    if (invite->game == 0) {
        close_invite(lobby, invite);
    } else {
        /* uthash's macros mislead the analyzer: a table that contains invite is not
         * empty. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        HASH_DELETE(by_game, lobby->invites_by_game, invite);
    }
    free(invite);
}

/* Removes it from the disk as well. */
static void drop_invite(struct lobby *lobby, struct invite *invite)
{
    store_drop_invite(lobby->store, invite->code);
    forget_invite(lobby, invite);
}

static void save_invite(struct lobby *lobby, const struct invite *invite,
                        store_done_fn *done, void *arg)
{
    const char *owner = invite->owner != NULL ? invite->owner->folded : "";
    char terms[TERMS_BYTES];
    struct store_invite row = {.code = invite->code,
                               .terms = terms,
                               .maker = invite->is_hosts ? "" : owner,
                               .first = invite->is_hosts ? owner : "",
                               .made_wall_s = invite->made_wall_s,
                               .game = invite->game};

    terms_format(terms, &invite->terms);
    store_put_invite(lobby->store, &row, done, arg);
}

enum { INVITE_LIFE_S = INVITE_HOURS * 3600 };

bool lobby_invite_is_old(const struct invite *invite)
{
    return invite->game == 0 && mono_wall_s() - invite->made_wall_s > INVITE_LIFE_S;
}

static void on_invite_due(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    (void)now_wall_s;
    drop_invite(arg, DEADLINE_OWNER(deadline, struct invite, deadline));
}

/* Adds it to the open invitations; owner NULL: no player yet. */
static void open_invite(struct lobby *lobby, struct invite *invite,
                        struct account *owner)
{
    lobby->hosts_invites += invite->is_hosts;
    if (owner != NULL)
        own_invite(invite, owner);
    deadlines_set(lobby->deadlines, &invite->deadline, &lobby->invite_expiry,
                  invite->made_wall_s + INVITE_LIFE_S + 1);
}

int lobby_invite_limit(const struct lobby *lobby, const struct account *maker)
{
    const struct lobby_limits *limits = &lobby->limits;
    const struct network *network = maker != NULL ? maker->network : NULL;

    return reached(maker != NULL ? maker->invite_count : lobby->hosts_invites,
                   limits->invites_max, network != NULL ? network->invites : 0,
                   network_max(network, limits->network_invites_max));
}

struct invite *lobby_invite(struct lobby *lobby, struct account *maker,
                            const struct terms *terms, store_done_fn *done, void *arg)
{
    struct invite *invite;

    if (lobby_invite_limit(lobby, maker) != 0)
        return NULL;
    invite = mem_new(sizeof *invite);
    code_make(invite->code);
    invite->is_hosts = maker == NULL;
    invite->terms = *terms;
    invite->made_wall_s = mono_wall_s();
    HASH_ADD_STR(lobby->invites, code, invite);
    open_invite(lobby, invite, maker);
    save_invite(lobby, invite, done, arg);
    return invite;
}

void lobby_wait_in(struct lobby *lobby, struct invite *invite, struct account *account,
                   store_done_fn *done, void *arg)
{
    if (invite->owner == NULL)
        own_invite(invite, account);
    save_invite(lobby, invite, done, arg);
}

static void set_game(struct lobby *lobby, struct invite *invite, int64_t game)
{
    invite->game = game;
    HASH_ADD(by_game, lobby->invites_by_game, game, sizeof invite->game, invite);
}

static void begin_invite(struct lobby *lobby, struct invite *invite, int64_t game)
{
    close_invite(lobby, invite);
    set_game(lobby, invite, game);
    save_invite(lobby, invite, NULL, NULL);
    invite->owner = NULL;
}

static void withdraw(struct lobby *lobby, struct invite *invite,
                     const struct account *account, const char *why, int64_t game)
{
    struct gone gone = {.kind = "invite", .why = why};

    text_copy(gone.id, sizeof gone.id, invite->code);
    text_copy(gone.by, sizeof gone.by, invite->is_hosts ? "" : account->shown);
    tell_gone(lobby, account->session, &gone, game);
    if (invite->is_hosts) {
        disown_invite(invite);
        invite->owner = NULL;
        save_invite(lobby, invite, NULL, NULL);
    } else {
        drop_invite(lobby, invite);
    }
}

static void withdraw_invites(struct lobby *lobby, struct account *account, int64_t game)
{
    struct invite *invite, *next;

    DL_FOREACH_SAFE2 (account->invites, invite, next, owner_next)
        withdraw(lobby, invite, account, "playing", game);
}

bool lobby_withdraw_invite(struct lobby *lobby, const struct account *account,
                           const char *code)
{
    struct invite *invite = lobby_find_invite(lobby, code);

    if (invite == NULL || invite->owner != account || invite->game != 0)
        return false;
    withdraw(lobby, invite, account, "withdrawn", 0);
    return true;
}

struct invite *lobby_standing_invite(struct lobby *lobby)
{
    struct invite *best = NULL;

    for (struct invite *i = lobby->invites; i != NULL; i = i->hh.next) {
        struct room *room =
            i->is_hosts && i->game != 0 ? room_find(lobby->rooms, i->game) : NULL;
        bool is_of_use = i->game == 0 ? !lobby_invite_is_old(i)
                                      : room != NULL && room->game.phase != GAME_OVER;

        if (i->is_hosts && is_of_use &&
            (best == NULL || i->made_wall_s >= best->made_wall_s))
            best = i;
    }
    return best;
}

struct invite *lobby_find_invite(struct lobby *lobby, const char *code)
{
    char plain[CODE_BYTES];
    struct invite *invite = NULL;

    if (code_plain(plain, code))
        HASH_FIND_STR(lobby->invites, plain, invite);
    return invite;
}

static void remember_invite(void *arg, const struct store_invite *row)
{
    struct lobby *lobby = arg;
    bool is_hosts = row->maker[0] == '\0';
    const char *whose = is_hosts ? row->first : row->maker;
    struct account *owner =
        whose[0] != '\0' ? accounts_find(lobby->accounts, whose) : NULL;
    struct invite *invite = mem_new(sizeof *invite);

    if (!text_copy(invite->code, sizeof invite->code, row->code) ||
        !terms_parse(row->terms, &invite->terms)) {
        log_warn("invite=%s why=not-readable", row->code);
        free(invite);
        return;
    }
    invite->is_hosts = is_hosts;
    invite->made_wall_s = row->made_wall_s;
    HASH_ADD_STR(lobby->invites, code, invite);
    if (row->game != 0)
        set_game(lobby, invite, row->game);
    else if (is_hosts || owner != NULL)
        open_invite(lobby, invite, owner);
}

/* Drops invitations that are no longer valid: old ones, and those whose game has ended
 * or whose maker's name was freed. */
static void drop_useless_invites(struct lobby *lobby)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next) {
        bool is_begun = invite->game != 0;
        bool is_lost = !is_begun && !invite->is_hosts && invite->owner == NULL;

        if (lobby_invite_is_old(invite) || is_lost ||
            (is_begun && rooms_peek(lobby->rooms, invite->game) == NULL))
            drop_invite(lobby, invite);
    }
}

/* --- Ends that a player may not have seen --- */

void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, PAST_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld%s",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s,
             past->is_private ? " private=yes" : "");
}

/* --- Ends that a session was sent --- */

static bool was_sent(const struct session *session, int64_t game)
{
    for (int i = 0; i < session->end_count; i++)
        if (session->ends[i] == game)
            return true;
    return false;
}

static void note_sent(struct session *session, int64_t game)
{
    if (session->end_count == session->end_room) {
        session->end_room = session->end_room == 0 ? 4 : session->end_room * 2;
        session->ends =
            mem_resize(session->ends, (size_t)session->end_room, sizeof *session->ends);
    }
    session->ends[session->end_count++] = game;
}

/* True for a slow reader to whom the end has not been sent yet. */
static bool is_on_its_way(const struct lobby *lobby, const struct session *session,
                          int64_t game)
{
    const struct room *room = room_find(lobby->rooms, game);
    const struct cursor *cursor = room != NULL ? feed_find(&room->feed, session) : NULL;

    return cursor != NULL && feed_offset(cursor) < cursor->feed->visible;
}

static void note_end(struct lobby *lobby, struct account *account, int64_t game)
{
    struct session *session = session_of(lobby, account);

    account->has_unseen = true;
    if (session != NULL)
        note_sent(session, game);
}

/* --- Ends from the disk --- */

/* Unseen ends that are being read for a session. */
struct recall {
    struct lobby *lobby;
    uint64_t session;
};

/* The end event of a game that ended after the login may have been sent meanwhile. */
static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    if (session == NULL || was_sent(session, past->game))
        return;
    lobby_past_words(words, past, '=');
    session_sayf(session, "! over %s", words);
    note_sent(session, past->game);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);

    if (session != NULL && session->account != NULL) {
        session->has_more_ends = count == STORE_UNSEEN_MAX;
        if (count == 0 && session->account != NULL)
            session->account->has_unseen = false;
    }
    free(recall);
}

static void tell_unseen(struct lobby *lobby, struct account *account)
{
    struct recall *recall = mem_new(sizeof *recall);

    *recall = (struct recall){.lobby = lobby, .session = account->session};
    store_read_unseen(lobby->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* --- Confirmation --- */

void lobby_heard(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    int kept = 0;

    if (session->end_count == 0 || session_unsent_bytes(session) > 0)
        return;
    store_begin_together(lobby->store);
    for (int i = 0; i < session->end_count; i++)
        if (is_on_its_way(lobby, session, session->ends[i]))
            session->ends[kept++] = session->ends[i];
        else
            store_drop_unseen(lobby->store, account->folded, session->ends[i]);
    store_end_together(lobby->store);
    session->end_count = kept;
    if (session->has_more_ends)
        tell_unseen(lobby, account);
    session->has_more_ends = false;
}

int64_t lobby_next_offer(struct lobby *lobby)
{
    return store_next_number(lobby->store);
}

static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->sessions, account->session);
}

/* --- Games --- */

static enum side draw_lots(void)
{
    unsigned char bit;

    if (RAND_bytes(&bit, 1) != 1)
        log_die("lobby no random numbers");
    return bit & 1 ? SIDE_RED : SIDE_BLUE;
}

/* The origin of a new game: exactly one of these. */
struct origin {
    struct seek *seek;
    struct invite *invite;
    struct seek *waiting; /* of the taker, who waited for that seek; or NULL */
    struct room *room;    /* the room of the offer, for a rematch */
    const struct offer *offer;
    bool is_by_number; /* the seek or offer was accepted by its number */
};

bool lobby_is_storage_full(const struct lobby *lobby)
{
    int64_t max = lobby->limits.bytes_max;

    return max != 0 && store_counts(lobby->store).bytes >= max;
}

static bool is_network_full(const struct lobby *lobby, const struct account *account)
{
    int max = network_max(account->network, lobby->limits.network_seats_max);

    return max != 0 && account->network->seats >= max;
}

/* Even a game that is resigned at once stays on disk for good, so a player's starts are
 * limited. */
static struct rate begin_rate(const struct lobby *lobby)
{
    enum { AT_ONCE = 2 * ACCOUNT_GAMES_MAX };

    return (struct rate){.milli_per_s =
                             (int64_t)lobby->limits.games_per_min * 1000 / 60,
                         .burst = AT_ONCE};
}

static bool may_begin(const struct lobby *lobby, const struct account *account)
{
    return budget_has(&account->begins, begin_rate(lobby), mono_now_ms());
}

static void charge_begin(const struct lobby *lobby, struct account *account)
{
    budget_charge(&account->begins, begin_rate(lobby), 1000, mono_now_ms());
}

static enum lobby_start judge_start(const struct lobby *lobby,
                                    const struct account *maker,
                                    const struct account *taker)
{
    if (maker->games >= lobby->limits.seats_max)
        return LOBBY_MAKER_FULL;
    if (taker->games >= lobby->limits.seats_max)
        return LOBBY_TAKER_FULL;
    if (!may_begin(lobby, maker) || !may_begin(lobby, taker))
        return LOBBY_TOO_FAST;
    if (is_network_full(lobby, maker) || is_network_full(lobby, taker))
        return LOBBY_NETWORK_FULL;
    if (lobby_is_storage_full(lobby))
        return LOBBY_STORAGE_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    return LOBBY_STARTED;
}

static enum lobby_start judge_rated(const struct account *maker,
                                    const struct account *taker)
{
    int64_t now_wall_s = mono_wall_s();

    if (!rated_may_play(taker, now_wall_s))
        return LOBBY_TAKER_UNRATED;
    return rated_may_play(maker, now_wall_s) ? LOBBY_STARTED : LOBBY_MAKER_UNRATED;
}

static struct ratings_view view_of(const struct lobby *lobby,
                                   const struct account *account,
                                   const struct terms *terms)
{
    struct ratings_view view;

    ratings_view(lobby->ratings, account->number,
                 ratings_pool_of(terms->rules, &terms->time), mono_wall_s(), &view);
    return view;
}

/* Whether the maker of the seek accepts that opponent. */
static enum lobby_start judge_range(const struct lobby *lobby, const struct seek *seek,
                                    const struct terms *terms,
                                    const struct account *taker)
{
    struct ratings_view mine, theirs;

    if (seek->range.high == 0 && !seek->range.wants_firm)
        return LOBBY_STARTED;
    mine = view_of(lobby, seek->maker, terms);
    theirs = view_of(lobby, taker, terms);
    switch (rated_judge_range(&seek->range, &mine, &theirs)) {
    case RATED_NOT_FIRM:
        return LOBBY_NOT_FIRM;
    case RATED_OUT_OF_RANGE:
        return LOBBY_OUT_OF_RANGE;
    case RATED_FITS:
        break;
    }
    return LOBBY_STARTED;
}

/* Withdraws an offer; its players are notified when game has begun. */
static void withdraw_offer(struct lobby *lobby, struct room *room, struct offer *offer,
                           int64_t game)
{
    struct gone gone = {.kind = offer_kind_name(offer->kind), .why = "playing"};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)offer->id);
    text_copy(gone.by, sizeof gone.by, room->game.name[offer->by]);
    for (int side = 0; side < SIDES; side++)
        tell_gone(lobby, offer->told[side], &gone, game);
    offer->kind = OFFER_NONE;
}

/* A rematch, and a game that continues, also start play at once. */
static void withdraw_offers(struct lobby *lobby, const struct account *account,
                            int64_t game)
{
    struct session *session = session_of(lobby, account);
    struct cursor *cursor;

    DL_FOREACH2 (session != NULL ? session->cursors : NULL, cursor, session_next) {
        struct room *room = cursor->feed->owner;
        enum side side = presence_side_of(room, session);
        struct offer *offer;

        while ((offer = offer_find_call_to_play(room, side)) != NULL)
            withdraw_offer(lobby, room, offer, game);
    }
}

/* A timed game starts, or continues (game 0): withdraws everything that its players
 * have open. */
static void withdraw_all(struct lobby *lobby, const struct room *room, int64_t game)
{
    const struct time_terms *terms = &room->game.clock.terms;

    if (terms->is_untimed || time_terms_is_correspondence(terms))
        return;
    for (int side = 0; side < SIDES; side++) {
        drop_seeks_of(lobby, room->seat[side], "playing", game);
        withdraw_invites(lobby, room->seat[side], game);
        withdraw_offers(lobby, room->seat[side], game);
    }
}

/* The side of maker. */
static enum side choose_side(const struct lobby *lobby, const struct terms *terms,
                             const struct account *maker, const struct account *taker)
{
    enum side side = terms->side;

    if (side == SIDE_NONE && terms->manners.is_rated)
        side = rated_side(lobby->ratings, terms, maker, taker);
    if (side == SIDE_NONE && terms->is_by_rank)
        side = rated_side_by_rank(lobby->ratings, terms, maker, taker, mono_wall_s());
    return side == SIDE_NONE ? draw_lots() : side;
}

static void note_near(struct lobby *lobby, struct room *room)
{
    bool is_known, is_near = rated_is_near(lobby->sessions, room->seat[SIDE_RED],
                                           room->seat[SIDE_BLUE], &is_known);

    if (is_known)
        room_set_near(room, is_near);
}

static struct room *open_room(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum side side = choose_side(lobby, terms, maker, taker);
    struct account *seat[SIDES];
    struct event start;
    struct asker asker = {.session = verb != NULL ? taker->session : 0};
    struct text words = text_into(asker.words, sizeof asker.words);
    int64_t game = lobby->next_game++;

    terms_start(terms, &start);
    seat[side] = maker;
    seat[side_other(side)] = taker;
    for (int i = 0; i < SIDES; i++) {
        text_copy(start.name[i], sizeof start.name[i], seat[i]->shown);
        if (!account_sit(seat[i], game))
            log_die("lobby game=%lld no seat", (long long)game);
    }
    text_addf(&words, "%s game=%lld", verb != NULL ? verb : "", (long long)game);
    if (origin->is_by_number && origin->offer != NULL)
        text_addf(&words, " offer=%lld", (long long)origin->offer->id);
    return room_open(lobby->rooms, game, &start, seat,
                     origin->room != NULL ? origin->room->id : 0, &asker);
}

/* Remembers the answer for a repeated accept; it is written in one batch with the
 * game. */
static void remember_accept(struct lobby *lobby, struct account *taker,
                            const struct origin *origin, int64_t game)
{
    struct store_accept accepted = {.number = origin->seek != NULL ? origin->seek->id
                                                                   : origin->offer->id,
                                    .game = game,
                                    .is_offer = origin->seek == NULL};

    accounts_accept(lobby->accounts, taker, &accepted);
}

static bool is_first_name(const struct account *one, const struct account *other)
{
    return strcmp(one->folded, other->folded) < 0;
}

static void note_met(struct lobby *lobby, const struct account *one,
                     const struct account *other)
{
    bool is_first = is_first_name(one, other);

    pairs_add(lobby->met, is_first ? one->folded : other->folded,
              is_first ? other->folded : one->folded, mono_now_ms());
}

static bool has_met(const struct lobby *lobby, const struct account *one,
                    const struct account *other)
{
    bool is_first = is_first_name(one, other);

    return pairs_left_ms(lobby->met, is_first ? one->folded : other->folded,
                         is_first ? other->folded : one->folded, mono_now_ms()) > 0;
}

/* Writes the game, and the changes to invitations and offers, in one batch, which a
 * crash cannot split. Returns its number. */
static int64_t begin_now(struct lobby *lobby, const struct terms *terms,
                         struct account *maker, struct account *taker,
                         const struct origin *origin, const char *verb)
{
    struct room *room;

    lobby->games++;
    charge_begin(lobby, maker);
    charge_begin(lobby, taker);
    note_met(lobby, maker, taker);
    store_begin_together(lobby->store);
    room = open_room(lobby, terms, maker, taker, origin, verb);
    note_near(lobby, room);
    if (origin->is_by_number)
        remember_accept(lobby, taker, origin, room->id);
    if (origin->seek != NULL)
        take_seek(lobby, origin->seek, taker, room->id);
    if (origin->waiting != NULL)
        drop(lobby, origin->waiting, "accepted", room->id);
    if (origin->invite != NULL)
        begin_invite(lobby, origin->invite, room->id);
    withdraw_all(lobby, room, room->id);
    store_end_together(lobby->store);
    return room->id;
}

static enum lobby_start begin(struct lobby *lobby, const struct terms *terms,
                              struct account *maker, struct account *taker,
                              const struct origin *origin, const char *verb)
{
    enum lobby_start start = judge_start(lobby, maker, taker);

    if (start == LOBBY_STARTED && terms->manners.is_rated)
        start = judge_rated(maker, taker);
    if (start == LOBBY_STARTED && origin->seek != NULL)
        start = judge_range(lobby, origin->seek, terms, taker);
    if (start == LOBBY_STARTED)
        (void)begin_now(lobby, terms, maker, taker, origin, verb);
    return start;
}

int64_t lobby_pair(struct lobby *lobby, const struct terms *terms,
                   struct account *maker, struct account *taker)
{
    static const struct origin origin = {0};

    if (maker->games == ACCOUNT_GAMES_MAX || taker->games == ACCOUNT_GAMES_MAX ||
        lobby_is_storage_full(lobby) ||
        (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max))
        return 0;
    return begin_now(lobby, terms, maker, taker, &origin, NULL);
}

enum lobby_start lobby_accept(struct lobby *lobby, struct seek *seek,
                              const struct terms *terms, struct account *taker,
                              bool is_by_number, const char *verb)
{
    struct origin origin = {.seek = seek, .is_by_number = is_by_number};

    return begin(lobby, terms, seek->maker, taker, &origin, verb);
}

/* --- A game in one word --- */

enum lobby_start lobby_judge_player(const struct lobby *lobby,
                                    const struct account *account)
{
    enum lobby_start start = judge_start(lobby, account, account);

    return start == LOBBY_MAKER_FULL ? LOBBY_TAKER_FULL : start;
}

/* The player who looks for an opponent; wish NULL: by a seek. */
struct suitor {
    const struct lobby *lobby;
    struct account *account;
    const struct wish *wish;
    const struct range *range; /* of the opponent's rating */
};

static bool takes_bots(const struct account *account, const struct wish *wish)
{
    return account_is_bot(account) || (wish != NULL && wish->takes_bots);
}

static bool may_be_bots(const struct suitor *suitor, const struct seek *seek)
{
    return (!account_is_bot(seek->maker) ||
            takes_bots(suitor->account, suitor->wish)) &&
           (!account_is_bot(suitor->account) || takes_bots(seek->maker, seek->wish));
}

/* Whether each accepts the rating of the other and, in a rated game, both may play
 * rated games. In a seek's first 30 s, firm ratings may differ by at most 300. */
static bool is_level(const struct suitor *suitor, const struct seek *seek,
                     int *distance)
{
    const struct range *range = suitor->range;
    struct ratings_view mine = view_of(suitor->lobby, suitor->account, &seek->terms);
    struct ratings_view theirs = view_of(suitor->lobby, seek->maker, &seek->terms);

    if (seek->terms.manners.is_rated &&
        judge_rated(seek->maker, suitor->account) != LOBBY_STARTED)
        return false;
    *distance = abs(mine.points - theirs.points);
    if (mine.is_firm && theirs.is_firm && *distance > GAP_MOST &&
        mono_now_ms() - seek->made_ms < GAP_MS)
        return false;
    return rated_judge_range(&seek->range, &theirs, &mine) == RATED_FITS &&
           rated_judge_range(range, &mine, &theirs) == RATED_FITS;
}

static enum suit judge_suit(void *arg, const struct seek *seek, int *distance)
{
    const struct suitor *suitor = arg;
    const struct lobby *lobby = suitor->lobby;

    if (seek->maker == suitor->account || !may_be_bots(suitor, seek) ||
        !is_level(suitor, seek, distance) ||
        peace_keeps_apart(accounts_marks(lobby->accounts), suitor->account,
                          seek->maker) ||
        judge_start(lobby, seek->maker, suitor->account) != LOBBY_STARTED)
        return SUIT_NOT;
    return has_met(lobby, suitor->account, seek->maker) ? SUIT_LATER : SUIT_WELL;
}

struct seek *lobby_find_match(struct lobby *lobby, struct account *account,
                              const struct wish *wish, struct terms *terms)
{
    struct suitor suitor = {
        .lobby = lobby, .account = account, .wish = wish, .range = &wish->range};
    struct seek *seek = market_find_match(lobby->market, wish, judge_suit, &suitor);

    if (seek == NULL)
        return NULL;
    *terms = seek->terms;
    if (seek->wish != NULL && !wish_meet(seek->wish, wish, terms))
        log_die("lobby seek=%lld bug=\"in the wrong pool\"", (long long)seek->id);
    return seek;
}

struct seek *lobby_wait(struct lobby *lobby, struct account *account,
                        const struct wish *wish)
{
    struct terms first = wish_terms(wish, 0, 0);
    struct wish *own;
    struct seek *seek;

    if (lobby_seek_limit(lobby, account, NULL) != 0)
        return NULL;
    own = mem_new(sizeof *own);
    *own = *wish;
    seek = open_seek(lobby, lobby_next_offer(lobby), account, NULL, &first,
                     &wish->range, own);
    deadlines_set(lobby->deadlines, &seek->deadline, &lobby->wait_expiry,
                  mono_wall_s() + LOOK_AGAIN_S);
    return seek;
}

/* Later, the gap between ratings does not matter: a player whose rating was too far
 * away may still be waiting. */
static void look_again(struct lobby *lobby, struct seek *seek)
{
    struct terms terms;
    struct seek *other = lobby_find_match(lobby, seek->maker, seek->wish, &terms);
    struct origin origin = {.seek = other, .waiting = seek};
    int64_t waited_s = (mono_now_ms() - seek->made_ms) / 1000;

    seek->has_looked_again = true;
    if (waited_s >= WAIT_MINUTES * 60) {
        drop(lobby, seek, "expired", 0);
        return;
    }
    deadlines_set(lobby->deadlines, &seek->deadline, &lobby->wait_expiry,
                  mono_wall_s() + WAIT_MINUTES * 60 - waited_s);
    if (other != NULL)
        (void)begin(lobby, &terms, other->maker, seek->maker, &origin, NULL);
}

static void on_wait_due(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct seek *seek = DEADLINE_OWNER(deadline, struct seek, deadline);

    (void)now_wall_s;
    if (seek->has_looked_again)
        drop(arg, seek, "expired", 0);
    else
        look_again(arg, seek);
}

void lobby_end_wait(struct lobby *lobby, struct account *account, const char *why)
{
    struct seek *seek, *next;

    DL_FOREACH_SAFE2 (account->made, seek, next, made_next)
        if (seek->wish != NULL)
            drop(lobby, seek, why, 0);
}

void lobby_meet_waiting(struct lobby *lobby, struct seek *seek)
{
    struct suitor suitor = {
        .lobby = lobby, .account = seek->maker, .range = &seek->range};
    struct seek *waiting =
        market_find_waiting(lobby->market, &seek->terms, judge_suit, &suitor);
    struct origin origin = {.seek = seek, .waiting = waiting};

    if (waiting != NULL)
        (void)begin(lobby, &seek->terms, seek->maker, waiting->maker, &origin, NULL);
}

enum lobby_start lobby_join(struct lobby *lobby, struct invite *invite,
                            struct account *taker, const char *verb)
{
    struct origin origin = {.invite = invite};

    return begin(lobby, &invite->terms, invite->owner, taker, &origin, verb);
}

struct terms lobby_rematch_terms(const struct room *room, enum side side)
{
    const struct game *game = &room->game;
    struct terms terms = {.rules = game->rules,
                          .time = game->clock.terms,
                          .side = side_other(side),
                          .manners = game->manners};

    if (game_starts_from_position(game)) {
        struct position start = game_start(game);

        terms.side = side;
        if (!game->manners.has_odds)
            position_format(terms.position, &start);
    }
    return terms;
}

enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, bool is_by_number, const char *verb)
{
    struct terms terms = lobby_rematch_terms(room, offer->by);
    struct origin origin = {.room = room, .offer = offer, .is_by_number = is_by_number};
    enum lobby_start start;

    offer->is_taken = true; /* so that its own game does not withdraw it */
    start = begin(lobby, &terms, room->seat[offer->by],
                  room->seat[side_other(offer->by)], &origin, verb);
    offer->is_taken = false;
    if (start == LOBBY_STARTED)
        offer->kind = OFFER_NONE;
    return start;
}

void lobby_game_begun(struct lobby *lobby, struct room *room)
{
    struct room *old = room_find(lobby->rooms, room->rematch_of);

    if (room->last == EVENT_CONTINUE) {
        withdraw_all(lobby, room, 0);
        return;
    }
    say_farewell(lobby, room->id);
    if (old != NULL)
        notice_tell(old, TO_ALL, "! rematch game=%lld new=%lld", (long long)old->id,
                    (long long)room->id);
}

void lobby_game_ending(struct lobby *lobby, struct room *room)
{
    const struct rated_end end = {.ratings = lobby->ratings,
                                  .store = lobby->store,
                                  .accounts = lobby->accounts,
                                  .sessions = lobby->sessions,
                                  .may_be_near = lobby->limits.may_be_near,
                                  .is_excluded = lobby->excluded == room->id,
                                  .now_wall_s = mono_wall_s()};

    lobby->excluded = 0;
    if (room->game.reason == REASON_ABORTED)
        return;
    rated_write(&end, room);
    for (int side = 0; side < SIDES; side++)
        if (room->seat[side] != NULL)
            accounts_finish_game(lobby->accounts, room->seat[side]);
}

void lobby_exclude_game(struct lobby *lobby, int64_t game)
{
    lobby->excluded = game;
}

void lobby_game_over(struct lobby *lobby, struct room *room)
{
    struct invite *invite;

    log_info("game=%lld over result=%s reason=%s plies=%d", (long long)room->id,
             outcome_name(room->game.outcome), reason_name(room->game.reason),
             room->game.plies);
    rated_tell(lobby->ratings, room, mono_wall_s());
    for (int side = 0; side < SIDES; side++) {
        if (room->seat[side] == NULL)
            continue;
        account_rise(room->seat[side], room->id);
        note_end(lobby, room->seat[side], room->id);
    }
    lobby->games--;
    HASH_FIND(by_game, lobby->invites_by_game, &room->id, sizeof room->id, invite);
    if (invite != NULL)
        drop_invite(lobby, invite);
}

bool lobby_shows(const struct room *room)
{
    return room->kind != ROOM_HIDDEN;
}

int lobby_list_games(struct lobby *lobby, const struct account *account,
                     bool with_private, char *out, size_t size)
{
    struct text text = text_into(out, size);
    int hidden = 0;

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room == NULL || !lobby_shows(room))
            continue;
        if (room->game.manners.is_private && !with_private)
            hidden++;
        else
            text_addf(&text, "%s%lld", text.len == 0 ? "" : ",",
                      (long long)account->game[i]);
    }
    if (text.len == 0)
        text_add(&text, "-");
    return hidden;
}

/* Seats both players of a game that was read from disk. False: a name or a free place
 * is missing. */
static bool seat_again(struct lobby *lobby, const struct room *room,
                       struct account *seat[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        seat[side] =
            accounts_find_player(lobby->accounts, room->game.name[side], room->id);
        if (seat[side] == NULL || !account_sit(seat[side], room->id)) {
            log_warn("game=%lld side=%s why=no-such-name", (long long)room->id,
                     side_name((enum side)side));
            if (side > 0)
                account_rise(seat[0], room->id);
            return false;
        }
    }
    return true;
}

int lobby_restore_games(struct lobby *lobby)
{
    int count = 0;

    for (struct room *r = rooms_first(lobby->rooms); r != NULL; r = rooms_next(r)) {
        struct account *seat[SIDES] = {NULL, NULL};
        bool is_seated = seat_again(lobby, r, seat);

        room_restored_asleep(r, is_seated ? seat : NULL);
        count++;
    }
    lobby->games += count;
    drop_useless_invites(lobby);
    rooms_wake(lobby->rooms);
    return count;
}

/* --- Sessions --- */

/* Calls take for each game in which account has a seat. */
static void each_game(struct lobby *lobby, const struct account *account,
                      void (*take)(struct room *room, enum side side,
                                   struct session *session),
                      struct session *session)
{
    for (int i = 0; i < account->games; i++) {
        struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room != NULL)
            take(room, presence_side_of(room, session), session);
    }
}

static void tell_mine(struct room *room, enum side side, struct session *session)
{
    if (lobby_shows(room))
        notice_mine(room, side, session, mono_now_ms());
}

void lobby_tell_open(struct lobby *lobby, struct session *session)
{
    const struct account *account = session->account;
    struct cursor *cursor;

    if (account == NULL || account->session != session->id)
        return;
    tell_challenges(lobby, session);
    DL_FOREACH2 (session->cursors, cursor, session_next)
        offer_tell(cursor->feed->owner, session);
}

void lobby_enter(struct lobby *lobby, struct session *session, struct account *account)
{
    struct session *older = session_of(lobby, account);

    account->is_unheard = false; /* set before the older session, which never received
                                  * the token, is closed */
    if (older != NULL && older != session) {
        lobby_leave(lobby, older);
        session_close(
            older, "taken-over",
            "you logged in from another place, so this connection was closed");
    }
    account->session = session->id;
    session->account = account;
    text_copy(session->name, sizeof session->name, account->shown);
    each_game(lobby, account, tell_mine, session);
    each_game(lobby, account, readers_arrive, session);
    lobby_tell_open(lobby, session);
    if (account->has_unseen)
        tell_unseen(lobby, account);
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        readers_leave(cursor->feed->owner, session);
}

/* Detaches the account first: its rooms check it for presence. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;

    seek_news_listen(lobby->news, session, false);

    if (is_users)
        account->session = 0;
    stop_reading(session);
    session->account = NULL; /* the connection may still be open when it is freed */
    if (!is_users)
        return;
    drop_seeks_of(lobby, account, "left", 0);
    if (account->is_unheard)
        accounts_unclaim(lobby->accounts, account);
    else
        accounts_touch(lobby->accounts, account, mono_wall_s());
}

void lobby_forget(struct lobby *lobby, struct account *account)
{
    struct session *session = session_find(lobby->sessions, account->session);
    struct invite *invite, *next;

    if (session != NULL)
        session_close(session, "erased", "the host has erased what is kept about you");
    DL_FOREACH_SAFE2 (account->invites, invite, next, owner_next)
        withdraw(lobby, invite, account, "withdrawn", 0);
    for (session = sessions_first(lobby->sessions); session != NULL;
         session = sessions_next(session))
        if (session->account == account)
            session->account = NULL; /* it has left, and closes */
}

/* --- Life --- */

struct lobby *lobby_new(const struct lobby_parts *parts,
                        const struct lobby_limits *limits)
{
    struct lobby *lobby = mem_new(sizeof *lobby);

    *lobby = (struct lobby){.store = parts->store,
                            .sessions = parts->sessions,
                            .accounts = parts->accounts,
                            .rooms = parts->rooms,
                            .ratings = parts->ratings,
                            .deadlines = parts->deadlines,
                            .limits = *limits,
                            .market = market_new(),
                            .invite_expiry = {on_invite_due, lobby},
                            .next_game = store_next_game(parts->store),
                            .wait_expiry = {on_wait_due, lobby},
                            .refusals = pairs_new(REFUSAL_MS),
                            .met = pairs_new(MET_MS)};
    lobby->news =
        seek_news_new(lobby->deadlines, lobby->market, lobby->rooms, lobby->ratings);
    if (!store_load_invites(lobby->store, remember_invite, lobby)) {
        lobby_free(lobby);
        return NULL;
    }
    return lobby;
}

void lobby_change_limits(struct lobby *lobby, const struct lobby_limits *limits)
{
    int64_t bytes_max = lobby->limits.bytes_max;

    lobby->limits = *limits;
    lobby->limits.bytes_max = bytes_max;
}

void lobby_free(struct lobby *lobby)
{
    struct seek *seek, *next_seek;
    struct invite *invite, *next_invite;

    if (lobby == NULL)
        return;
    HASH_ITER (hh, lobby->seeks, seek, next_seek) {
        free_seek(lobby, seek);
    }
    HASH_ITER (hh, lobby->invites, invite, next_invite)
        forget_invite(lobby, invite);
    forget_farewells(lobby);
    seek_news_free(lobby->news);
    market_free(lobby->market);
    pairs_free(lobby->refusals);
    pairs_free(lobby->met);
    free(lobby);
}
