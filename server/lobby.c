/* See lobby.h. */
#include "server/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include <openssl/rand.h>

#include "common/log.h"
#include "common/mem.h"
#include "common/mono.h"
#include "common/text.h"
#include "server/notice.h"
#include "server/session.h"

struct lobby {
    struct store *store;
    struct sessions *sessions;
    struct accounts *accounts;
    struct rooms *rooms;
    struct lobby_limits limits;
    int64_t last_offer;
    int64_t next_game;
    int games; /* that go on */
    int64_t swept_wall_s;
    struct seek *seeks;
    struct invite *invites, *invites_by_game;
};

enum {
    NEWS_BYTES_MAX = 8192, /* a session with more than that unsent gets no news */
    SWEEP_EVERY_S = 600
};

/* --- Seeks and challenges ----------------------------------------------------- */

int64_t lobby_next_offer(struct lobby *lobby)
{
    return ++lobby->last_offer;
}

static int count_seeks(const struct lobby *lobby, const struct account *maker,
                       bool is_challenge)
{
    int count = 0;

    for (const struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        count += s->maker == maker && (s->target != NULL) == is_challenge;
    return count;
}

static struct session *session_of(const struct lobby *lobby,
                                  const struct account *account)
{
    if (account == NULL || account->session == 0)
        return NULL;
    return session_find(lobby->sessions, account->session);
}

/* The account's session, if it can take news now. */
static struct session *listener_of(const struct lobby *lobby,
                                   const struct account *account)
{
    struct session *session = session_of(lobby, account);

    return session != NULL && wire_unsent_bytes(session->wire) <= NEWS_BYTES_MAX
               ? session
               : NULL;
}

static void tell_challenge(struct lobby *lobby, const struct seek *seek)
{
    struct session *session = listener_of(lobby, seek->target);
    char words[TERMS_BYTES];

    if (session == NULL)
        return;
    terms_format(words, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, words, (long long)seek->id,
                 (long long)seek->id);
}

struct seek *lobby_seek(struct lobby *lobby, struct account *maker,
                        struct account *target, const struct terms *terms)
{
    int max = target == NULL ? lobby->limits.seeks_max : lobby->limits.challenges_max;
    struct seek *seek;

    if (count_seeks(lobby, maker, target != NULL) >= max)
        return NULL;
    seek = mem_new(sizeof *seek);
    seek->id = lobby_next_offer(lobby);
    seek->maker = maker;
    seek->target = target;
    seek->terms = *terms;
    HASH_ADD(hh, lobby->seeks, id, sizeof seek->id, seek);
    if (target != NULL)
        tell_challenge(lobby, seek);
    return seek;
}

struct seek *lobby_find_seek(struct lobby *lobby, int64_t id)
{
    struct seek *seek;

    HASH_FIND(hh, lobby->seeks, &id, sizeof id, seek);
    return seek;
}

struct seek *lobby_find_challenge(struct lobby *lobby, const struct account *maker,
                                  const struct account *target)
{
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->maker == maker && s->target == target)
            return s;
    return NULL;
}

struct seek *lobby_first_seek(struct lobby *lobby)
{
    return lobby->seeks;
}

struct seek *lobby_next_seek(struct seek *seek)
{
    return seek->hh.next;
}

static void tell_gone(struct lobby *lobby, const struct account *account, int64_t id,
                      const char *why)
{
    struct session *session = listener_of(lobby, account);

    if (session != NULL)
        session_sayf(session, "! gone %lld why=%s", (long long)id, why);
}

void lobby_drop_seek(struct lobby *lobby, struct seek *seek, const char *why)
{
    if (why != NULL)
        tell_gone(lobby, strcmp(why, "declined") == 0 ? seek->maker : seek->target,
                  seek->id, why);
    HASH_DEL(lobby->seeks, seek);
    free(seek);
}

/* --- The end of an invitation -------------------------------------------------- */

static void forget_invite(struct lobby *lobby, struct invite *invite)
{
    HASH_DEL(lobby->invites, invite);
    if (invite->game != 0)
        HASH_DELETE(by_game, lobby->invites_by_game, invite);
    free(invite);
}

/* From the disk as well. */
static void drop_invite(struct lobby *lobby, struct invite *invite)
{
    store_drop_invite(lobby->store, invite->code);
    forget_invite(lobby, invite);
}

/* --- Ends that a player has missed ----------------------------------------------- */

/* Games that an account has not heard of, on their way from the disk to its session. */
void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, PAST_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s);
}

struct recall {
    struct lobby *lobby;
    uint64_t session;
    int64_t mark;
};

static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    recall->mark = past->mark;
    if (session == NULL)
        return;
    lobby_past_words(words, past, '=');
    session_sayf(session, "! over %s", words);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    struct account *account = session != NULL ? session->account : NULL;

    if (account != NULL && account->session == session->id) {
        account->told_mark = recall->mark;
        account->is_told_all = count < STORE_UNSEEN_MAX;
        account->has_unseen = count > 0;
    }
    free(recall);
}

static void tell_unseen(struct lobby *lobby, struct account *account)
{
    struct recall *recall = mem_new(sizeof *recall);

    *recall = (struct recall){.lobby = lobby, .session = account->session};
    store_read_unseen(lobby->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* Who came back while the end was on its way to the disk is told at once. */
static void note_unseen(struct lobby *lobby, struct account *account)
{
    account->has_unseen = true;
    if (account->session != 0)
        tell_unseen(lobby, account);
}

void lobby_heard(struct lobby *lobby, const struct session *session)
{
    struct account *account = session->account;

    if (account == NULL || account->session != session->id || account->told_mark == 0)
        return;
    store_drop_unseen(lobby->store, account->folded, account->told_mark);
    account->told_mark = 0;
    account->has_unseen = !account->is_told_all;
    if (account->has_unseen)
        tell_unseen(lobby, account);
}

/* --- Games -------------------------------------------------------------------- */

static enum side draw_lots(void)
{
    unsigned char bit;

    if (RAND_bytes(&bit, 1) != 1)
        die("lobby no random numbers");
    return bit & 1 ? SIDE_RED : SIDE_BLUE;
}

enum lobby_start lobby_start(struct lobby *lobby, const struct terms *terms,
                             struct account *maker, struct account *taker,
                             const struct room_origin *origin, const char *verb,
                             uint64_t taker_session, int64_t *game)
{
    enum side side = terms->side == SIDE_NONE ? draw_lots() : terms->side;
    struct account *seat[SIDES];
    struct event start = {
        .kind = EVENT_START, .rules = terms->rules, .terms = terms->time};
    struct asker asker = {.session = taker_session};

    if (maker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_MAKER_FULL;
    if (taker->games == ACCOUNT_GAMES_MAX)
        return LOBBY_TAKER_FULL;
    if (lobby->limits.games_max != 0 && lobby->games >= lobby->limits.games_max)
        return LOBBY_FULL;
    lobby->games++;
    *game = lobby->next_game++;
    seat[side] = maker;
    seat[side_other(side)] = taker;
    for (int i = 0; i < SIDES; i++) {
        text_copy(start.name[i], sizeof start.name[i], seat[i]->shown);
        if (!account_sit(seat[i], *game))
            die("lobby game=%lld no seat", (long long)*game);
    }
    snprintf(asker.words, sizeof asker.words, "%s game=%lld", verb, (long long)*game);
    room_open(lobby->rooms, *game, &start, seat, origin, &asker);
    return LOBBY_STARTED;
}

enum lobby_start lobby_rematch(struct lobby *lobby, struct room *room,
                               struct offer *offer, const char *verb,
                               uint64_t taker_session, int64_t *game)
{
    struct terms terms = {.rules = room->game.rules,
                          .time = room->game.clock.terms,
                          .side = side_other(offer->by)};
    struct room_origin origin = {.room = room->id};
    enum lobby_start start = lobby_start(lobby, &terms, room->seat[offer->by],
                                         room->seat[side_other(offer->by)], &origin,
                                         verb, taker_session, game);

    if (start == LOBBY_STARTED)
        offer->kind = OFFER_NONE;
    return start;
}

void lobby_game_begun(struct lobby *lobby, struct room *room)
{
    struct room *old = room_find(lobby->rooms, room->origin.room);

    if (room->origin.seek != 0)
        notice_tell(room, TO_PLAYERS, "! gone %lld why=accepted",
                    (long long)room->origin.seek);
    if (old != NULL)
        notice_tell(old, TO_ALL, "! rematch game=%lld new=%lld", (long long)old->id,
                    (long long)room->id);
}

void lobby_game_over(struct lobby *lobby, struct room *room)
{
    struct invite *invite;

    log_info("game=%lld over result=%s reason=%s plies=%d", (long long)room->id,
             outcome_name(room->game.outcome), reason_name(room->game.reason),
             room->game.plies);
    for (int side = 0; side < SIDES; side++) {
        if (room->seat[side] != NULL)
            account_rise(room->seat[side], room->id);
        if (room->is_unseen[side])
            note_unseen(lobby, room->seat[side]);
    }
    lobby->games--;
    HASH_FIND(by_game, lobby->invites_by_game, &room->id, sizeof room->id, invite);
    if (invite != NULL)
        drop_invite(lobby, invite);
}

bool lobby_shows(const struct room *room)
{
    bool is_past = room->is_frozen && room->seat[SIDE_RED] == NULL;

    return feed_count(&room->feed) > 0 && room->shown_phase != GAME_OVER && !is_past;
}

void lobby_list_games(struct lobby *lobby, const struct account *account, char *out,
                      size_t size)
{
    struct text text = text_into(out, size);

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room != NULL && lobby_shows(room))
            text_addf(&text, "%s%lld", text.len == 0 ? "" : ",",
                      (long long)account->game[i]);
    }
    if (text.len == 0)
        text_add(&text, "-");
}

/* Sits both players of a game that was read back. False: a name or a place is missing.
 */
static bool seat_again(struct lobby *lobby, const struct room *room,
                       struct account *seat[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        seat[side] = accounts_find(lobby->accounts, room->game.name[side]);
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

        room_restored(r, is_seated ? seat : NULL);
        count++;
    }
    lobby->games += count;
    return count;
}

/* --- Sessions ------------------------------------------------------------------ */

/* Calls take for each game in which account sits. */
static void each_game(struct lobby *lobby, const struct account *account,
                      void (*take)(struct room *room, enum side side,
                                   struct session *session),
                      struct session *session)
{
    for (int i = 0; i < account->games; i++) {
        struct room *room = room_find(lobby->rooms, account->game[i]);

        if (room != NULL)
            take(room, room_side_of(room, session), session);
    }
}

static void tell_mine(struct room *room, enum side side, struct session *session)
{
    if (lobby_shows(room))
        notice_mine(room, side, session, mono_now_ms());
}

void lobby_enter(struct lobby *lobby, struct session *session, struct account *account)
{
    struct session *older = session_of(lobby, account);

    if (older != NULL && older != session) {
        lobby_leave(lobby, older);
        session_close(older, "taken-over", "you have logged in from somewhere else");
    }
    account->session = session->id;
    account->is_unheard = false;
    session->account = account;
    text_copy(session->name, sizeof session->name, account->shown);
    each_game(lobby, account, tell_mine, session);
    each_game(lobby, account, room_arrive, session);
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next)
        if (s->target == account)
            tell_challenge(lobby, s);
    if (account->has_unseen)
        tell_unseen(lobby, account);
}

static void drop_seeks_of(struct lobby *lobby, const struct account *maker)
{
    struct seek *seek, *next;

    HASH_ITER (hh, lobby->seeks, seek, next)
        if (seek->maker == maker)
            lobby_drop_seek(lobby, seek, "left");
}

static void stop_reading(struct session *session)
{
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE2 (session->cursors, cursor, next, session_next)
        room_leave(cursor->feed->owner, session);
}

/* The account is let go of before its rooms are told, which look whether it is here. */
void lobby_leave(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    bool is_users = account != NULL && account->session == session->id;

    if (is_users)
        account->session = 0;
    stop_reading(session);
    if (!is_users)
        return;
    drop_seeks_of(lobby, account);
    account->told_mark = 0;
    if (account->is_unheard)
        accounts_unclaim(lobby->accounts, account);
    else
        accounts_touch(lobby->accounts, account, wall_now_s());
}

/* Rooms, seeks and sessions point at accounts: those must stay. */
void lobby_sweep_names(struct lobby *lobby, int64_t now_wall_s)
{
    if (now_wall_s - lobby->swept_wall_s < SWEEP_EVERY_S)
        return;
    lobby->swept_wall_s = now_wall_s;
    for (struct room *r = rooms_first(lobby->rooms); r != NULL; r = rooms_next(r))
        for (int side = 0; side < SIDES; side++)
            if (r->seat[side] != NULL)
                r->seat[side]->is_wanted = true;
    for (struct seek *s = lobby->seeks; s != NULL; s = s->hh.next) {
        s->maker->is_wanted = true;
        if (s->target != NULL)
            s->target->is_wanted = true;
    }
    for (struct session *s = sessions_first(lobby->sessions); s != NULL;
         s = sessions_next(s))
        if (s->account != NULL)
            s->account->is_wanted = true;
    accounts_sweep(lobby->accounts, now_wall_s);
}

/* --- Invitations ---------------------------------------------------------------- */

/* Letters and digits that are not mistaken for each other when read aloud. */
static const char code_letters[] = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

static void make_code(char code[CODE_BYTES])
{
    for (int i = 0; i < CODE_BYTES - 1; i++) {
        unsigned char random;

        do
            if (RAND_bytes(&random, 1) != 1)
                die("lobby no random numbers");
        while (random >= 256 / (sizeof code_letters - 1) * (sizeof code_letters - 1));
        code[i] = code_letters[random % (sizeof code_letters - 1)];
    }
    code[4] = '-';
    code[CODE_BYTES - 1] = '\0';
}

void lobby_save_invite(struct lobby *lobby, const struct invite *invite,
                       store_done_fn *done, void *arg)
{
    char terms[TERMS_BYTES];
    struct store_invite row = {.code = invite->code,
                               .terms = terms,
                               .maker = invite->maker,
                               .first = invite->first,
                               .made_wall_s = invite->made_wall_s,
                               .game = invite->game};

    terms_format(terms, &invite->terms);
    store_put_invite(lobby->store, &row, done, arg);
}

static bool is_old(const struct invite *invite, int64_t now_wall_s)
{
    return invite->game == 0 &&
           now_wall_s - invite->made_wall_s > (int64_t)INVITE_HOURS * 3600;
}

/* Open ones of one maker. Old ones, whoever made them, go on this occasion. */
static int count_invites(struct lobby *lobby, const char *maker)
{
    int64_t now_wall_s = wall_now_s();
    struct invite *invite, *next;
    int count = 0;

    HASH_ITER (hh, lobby->invites, invite, next) {
        if (is_old(invite, now_wall_s))
            drop_invite(lobby, invite);
        else
            count += invite->game == 0 && strcmp(invite->maker, maker) == 0;
    }
    return count;
}

struct invite *lobby_invite(struct lobby *lobby, const char *maker,
                            const struct terms *terms, store_done_fn *done, void *arg)
{
    struct invite *invite;

    if (count_invites(lobby, maker) >= lobby->limits.invites_max)
        return NULL;
    invite = mem_new(sizeof *invite);
    make_code(invite->code);
    text_copy(invite->maker, sizeof invite->maker, maker);
    invite->terms = *terms;
    invite->made_wall_s = wall_now_s();
    HASH_ADD_STR(lobby->invites, code, invite);
    lobby_save_invite(lobby, invite, done, arg);
    return invite;
}

bool lobby_invite_is_old(const struct invite *invite)
{
    return is_old(invite, wall_now_s());
}

static void set_game(struct lobby *lobby, struct invite *invite, int64_t game)
{
    invite->game = game;
    HASH_ADD(by_game, lobby->invites_by_game, game, sizeof invite->game, invite);
}

void lobby_begin_invite(struct lobby *lobby, struct invite *invite, int64_t game)
{
    set_game(lobby, invite, game);
    lobby_save_invite(lobby, invite, NULL, NULL);
}

struct invite *lobby_standing_invite(struct lobby *lobby)
{
    struct invite *best = NULL;

    for (struct invite *i = lobby->invites; i != NULL; i = i->hh.next) {
        struct room *room = i->game != 0 ? room_find(lobby->rooms, i->game) : NULL;
        bool is_of_use = i->game == 0 ? !lobby_invite_is_old(i)
                                      : room != NULL && room->game.phase != GAME_OVER;

        if (i->maker[0] == '\0' && is_of_use &&
            (best == NULL || i->made_wall_s >= best->made_wall_s))
            best = i;
    }
    return best;
}

struct invite *lobby_find_invite(struct lobby *lobby, const char *code)
{
    char plain[CODE_BYTES];
    struct invite *invite = NULL;
    size_t len = 0;

    for (; *code != '\0' && len < sizeof plain - 1; code++) {
        if (*code == '-')
            continue;
        if (len == 4)
            plain[len++] = '-';
        plain[len++] = (char)(*code >= 'a' && *code <= 'z' ? *code - 'a' + 'A' : *code);
    }
    plain[len] = '\0';
    if (*code == '\0')
        HASH_FIND_STR(lobby->invites, plain, invite);
    return invite;
}

static void remember_invite(void *arg, const struct store_invite *row)
{
    struct lobby *lobby = arg;
    struct invite *invite = mem_new(sizeof *invite);

    if (!text_copy(invite->code, sizeof invite->code, row->code) ||
        !text_copy(invite->maker, sizeof invite->maker, row->maker) ||
        !text_copy(invite->first, sizeof invite->first, row->first) ||
        !terms_parse(row->terms, &invite->terms)) {
        log_warn("invite=%s why=not-readable", row->code);
        free(invite);
        return;
    }
    invite->made_wall_s = row->made_wall_s;
    HASH_ADD_STR(lobby->invites, code, invite);
    if (row->game != 0)
        set_game(lobby, invite, row->game);
}

/* Those of no use to anybody any more. */
static void drop_useless_invites(struct lobby *lobby)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next)
        if (lobby_invite_is_old(invite) ||
            (invite->game != 0 && room_find(lobby->rooms, invite->game) == NULL))
            drop_invite(lobby, invite);
}

/* --- Life ------------------------------------------------------------------------ */

struct lobby *lobby_new(struct store *store, struct sessions *sessions,
                        struct accounts *accounts, struct rooms *rooms,
                        const struct lobby_limits *limits)
{
    struct lobby *lobby = mem_new(sizeof *lobby);

    *lobby = (struct lobby){.store = store,
                            .sessions = sessions,
                            .accounts = accounts,
                            .rooms = rooms,
                            .limits = *limits,
                            .next_game = store_next_game(store)};
    if (!store_load_invites(store, remember_invite, lobby)) {
        lobby_free(lobby);
        return NULL;
    }
    drop_useless_invites(lobby);
    return lobby;
}

void lobby_free(struct lobby *lobby)
{
    struct seek *seek, *next_seek;
    struct invite *invite, *next_invite;

    if (lobby == NULL)
        return;
    HASH_ITER (hh, lobby->seeks, seek, next_seek) {
        HASH_DEL(lobby->seeks, seek);
        free(seek);
    }
    HASH_ITER (hh, lobby->invites, invite, next_invite)
        forget_invite(lobby, invite);
    free(lobby);
}
