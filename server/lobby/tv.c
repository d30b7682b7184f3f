/* See tv.h. */
#include "server/lobby/tv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/deadline.h"
#include "server/base/world.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"

enum {
    AGAIN_S = 10, /* wait after the end of a game, and between searches for a game */
    BEST_MAX = 8, /* candidates; a session gets the best one that it may read */
    FEW = 200,    /* with at most this many games, all are compared each second */
    MANY_S = 10,  /* with more games than FEW, the best ones are remembered this long */
    WATCHED_MAX = 32
};

/* A session that watches the best game; the session points to this. */
struct tv_watcher {
    struct tv *of;
    struct session *session;
    int pool;                 /* RATING_POOLS: all pools */
    int64_t game;             /* the game that the session watches; 0: none yet */
    struct deadline deadline; /* when to look for a game next */
    struct tv_watcher *prev, *next;
};

/* The best games of a pool, best first. */
struct best {
    int count;
    int64_t game[BEST_MAX];
    int sum[BEST_MAX];
};

struct tv {
    const struct world *world;
    struct deadline_kind kind;
    struct tv_watcher *watchers;
    int64_t best_s; /* mono_now_s() when best was computed */
    bool has_best;
    struct best best[RATING_POOLS + 1];
};

/* --- The best games --- */

/* Inserts a game into the list. The best game comes first. If two games have equal
 * sums, the game that was inserted earlier comes first. */
static void insert(struct best *best, int64_t game, int sum)
{
    int at = best->count < BEST_MAX ? best->count++ : BEST_MAX;

    while (at > 0 && best->sum[at - 1] < sum) {
        if (at < BEST_MAX) {
            best->sum[at] = best->sum[at - 1];
            best->game[at] = best->game[at - 1];
        }
        at--;
    }
    if (at == BEST_MAX)
        return;
    best->sum[at] = sum;
    best->game[at] = game;
}

/* Finds the best games of all pools. Looks at each game only once. So the cost depends
 * neither on the number of watchers nor on the number of pools that the watchers want
 * to see. A game by correspondence is not in the list of all pools. */
static void find_best(struct tv *tv)
{
    int64_t now_wall_s = mono_wall_s();

    memset(tv->best, 0, sizeof tv->best);
    for (struct room *room = rooms_first_shown(tv->world->rooms, false); room != NULL;
         room = rooms_next_shown(room)) {
        enum rating_pool pool =
            ratings_pool_of(room->game.rules, &room->game.clock.terms);
        int sum = 0;

        if (room->kind != ROOM_LIVE && room->kind != ROOM_CORRESPONDENCE)
            continue;
        for (int side = 0; side < SIDES; side++) {
            struct ratings_view view;

            if (room->seat[side] != NULL &&
                ratings_view(tv->world->ratings, room->seat[side]->number, pool,
                             now_wall_s, &view) &&
                view.is_firm)
                sum += view.points;
        }
        insert(&tv->best[pool], room->id, sum);
        if (pool != POOL_DAYS)
            insert(&tv->best[RATING_POOLS], room->id, sum);
    }
    tv->best_s = mono_now_s();
    tv->has_best = true;
}

static struct room *choose(struct tv_watcher *watcher)
{
    struct session *session = watcher->session;
    struct tv *tv = watcher->of;
    const struct best *best = &tv->best[watcher->pool];
    int keep_s = rooms_count_shown(tv->world->rooms, false) > FEW ? MANY_S : 1;

    if (!tv->has_best || mono_now_s() - tv->best_s >= keep_s)
        find_best(tv);
    if (presence_count_watched(session) >= WATCHED_MAX ||
        (tv->world->access.watching != WATCHING_ALL &&
         account_role(session->account) < ROLE_MEMBER))
        return NULL;
    for (int i = 0; i < best->count; i++) {
        struct room *room = room_find(tv->world->rooms, best->game[i]);
        struct readable what;

        if (room == NULL || room->game.phase == GAME_OVER ||
            presence_side_of(room, session) != SIDE_NONE)
            continue; /* not a game that the session plays */
        what = privacy_readable_room(room);
        if (privacy_may_read(tv->world->rooms, &what, session, NULL))
            return room;
    }
    return NULL;
}

/* --- Watching --- */

static void look_again(struct tv_watcher *watcher, int wait_s)
{
    deadlines_set(watcher->of->world->spans, &watcher->deadline, &watcher->of->kind,
                  mono_now_s() + wait_s);
}

void tv_words(char out[TV_WORDS_BYTES], const struct room *room,
              const struct session *session, int64_t now_ms)
{
    char clock[CLOCK_WORDS_BYTES] = "";

    notice_clock_words(room_game_for(room, session), now_ms, clock);
    snprintf(out, TV_WORDS_BYTES, "next=0 events=%d%s", room_events_for(room, session),
             clock);
}

void tv_show(struct room *room, struct session *session)
{
    session->tv->game = room->id;
    if (feed_find(&room->feed, session) != NULL)
        return;
    presence_watch(room, session, 0);
    feed_pump(feed_find(&room->feed, session));
}

static void on_due(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct tv_watcher *watcher = OWNER_OF(deadline, struct tv_watcher, deadline);
    struct session *session = watcher->session;
    struct room *room = NULL;
    char words[TV_WORDS_BYTES];

    (void)arg;
    (void)now_s;
    if (notice_fits(session) &&
        (session->account == NULL ||
         !quiet_is_playing(watcher->of->world->rooms, session->account)))
        room = choose(watcher);
    if (room == NULL) {
        look_again(watcher, AGAIN_S);
        return;
    }
    tv_words(words, room, session, mono_now_ms());
    session_sayf(session, "! tv game=%lld %s : you watch game %lld",
                 (long long)room->id, words, (long long)room->id);
    tv_show(room, session);
}

/* Makes the session a watcher of that pool. The watcher has no game yet, and no search
 * for one is scheduled. */
static struct tv_watcher *enlist(struct tv *tv, struct session *session, int pool)
{
    struct tv_watcher *watcher = session->tv;

    if (watcher == NULL) {
        watcher = session->tv = mem_new(sizeof *watcher);
        watcher->of = tv;
        watcher->session = session;
        DL_APPEND(tv->watchers, watcher);
    }
    deadlines_remove(tv->world->spans, &watcher->deadline);
    watcher->pool = pool;
    watcher->game = 0;
    return watcher;
}

struct room *tv_start(struct tv *tv, struct session *session, int pool)
{
    struct tv_watcher *watcher = enlist(tv, session, pool);
    struct room *room = choose(watcher);

    if (room == NULL)
        look_again(watcher, AGAIN_S);
    return room;
}

bool tv_start_after(struct tv *tv, struct session *session, int pool, int64_t game)
{
    struct tv_watcher *watcher = enlist(tv, session, pool);
    const struct room *room = room_find(tv->world->rooms, game);

    if (room == NULL || room->game.phase == GAME_OVER ||
        feed_find(&room->feed, session) == NULL) {
        look_again(watcher, AGAIN_S);
        return false;
    }
    watcher->game = game;
    return true;
}

bool tv_stop(struct tv *tv, struct session *session)
{
    struct tv_watcher *watcher = session->tv;

    if (watcher == NULL)
        return false;
    deadlines_remove(tv->world->spans, &watcher->deadline);
    DL_DELETE(tv->watchers, watcher);
    free(watcher);
    session->tv = NULL;
    return true;
}

void tv_leave_game(struct tv *tv, struct session *session, const struct room *room)
{
    if (session->tv != NULL && session->tv->game == room->id)
        tv_stop(tv, session);
}

void tv_note_over(struct tv *tv, const struct room *room)
{
    struct tv_watcher *watcher;

    DL_FOREACH (tv->watchers, watcher)
        if (watcher->game == room->id)
            look_again(watcher, AGAIN_S);
}

/* --- Life --- */

struct tv *tv_new(const struct world *world)
{
    struct tv *tv = mem_new(sizeof *tv);

    *tv = (struct tv){.world = world, .kind = {on_due, tv}};
    return tv;
}

void tv_free(struct tv *tv)
{
    if (tv == NULL)
        return;
    while (tv->watchers != NULL)
        tv_stop(tv, tv->watchers->session);
    free(tv);
}
