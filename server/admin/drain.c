/* See drain.h. */
#include "server/admin/drain.h"

#include <stdlib.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/base/timer.h"
#include "server/base/world.h"
#include "server/net/listener.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum {
    /* Time limit of each step of the shutdown. It is longer than the farewell_ms of a
     * wire (common/net/wire.h), so that connections whose peers never close are closed
     * before the loop stops. */
    FAREWELL_MS = 6000,
    END_LOOK_MS = 20,
    GAMES_LOOK_MS = 1000
};

/* When one of these numbers of seconds is left before a shutdown, the announcement is
 * repeated. */
static const int told_at_s[] = {600, 300, 60, 30, 10, 5};

struct drain {
    struct event_base *base;
    struct world *world;
    struct listener *listener;
    enum drain_state state;
    int64_t due_ms;      /* DRAIN_TIMED: the start of the shutdown; DRAIN_ENDING: the
                          * limit of the present step */
    int64_t next_told_s; /* DRAIN_TIMED: how many seconds before the shutdown the next
                          * announcement comes */
    const char *why;     /* why the server ends: a code for the
                              * sessions */
    bool has_said_goodbye;
    struct event *timer;
};

/* --- Notices to the players --- */

/* Sends the notice with these keys to everybody who has logged in. */
static void tell_all(const struct drain *drain, const char *keys)
{
    for (struct session *s = sessions_first(drain->world->sessions); s != NULL;
         s = sessions_next(s))
        if (s->state == SESSION_MEMBER || s->state == SESSION_GUEST)
            session_notice(s, "%s", keys);
}

static void tell_restart(const struct drain *drain, int64_t in_s)
{
    char keys[48];

    snprintf(keys, sizeof keys, "why=restart in_s=%lld", (long long)in_s);
    tell_all(drain, keys);
}

void drain_greet(struct drain *drain, struct session *session)
{
    if (drain->state == DRAIN_GAMES)
        session_notice(session, "why=draining");
    else if (drain->state == DRAIN_TIMED)
        session_notice(session, "why=restart in_s=%lld",
                       (long long)drain_left_s(drain, mono_now_ms()));
}

/* --- The end --- */

/* Takes the next step of a shutdown: wait for the disk, hand the games over to another
 * node, close all sessions, stop the loop. A step that is not finished at due_ms is
 * aborted. */
static void go_on_ending(struct drain *drain)
{
    const struct world *world = drain->world;
    struct sessions *sessions = world->sessions;
    struct gate *gate = world->store != NULL ? store_gate(world->store) : NULL;
    bool is_late = mono_now_ms() > drain->due_ms;
    bool is_answered =
        (gate == NULL || gate->durable == gate->newest) && !sessions_has_held(sessions);

    if (!drain->has_said_goodbye &&
        (((is_answered || is_late) &&
          world->calls->on_shutdown(world->calls_arg, &drain->why)) ||
         is_late)) {
        sessions_set_gate(sessions, NULL); /* if it is late: drops what still waits */
        sessions_close_all(sessions, drain->why, NULL);
        drain->has_said_goodbye = true;
        drain->due_ms = mono_now_ms() + FAREWELL_MS;
        is_late = false;
    }
    if (sessions_count(sessions) == 0 || is_late)
        event_base_loopbreak(drain->base);
    else
        timer_start(drain->timer, END_LOOK_MS);
}

static void end(struct drain *drain, const char *why)
{
    log_info("stopping why=%s", why);
    drain->state = DRAIN_ENDING;
    drain->due_ms = mono_now_ms() + FAREWELL_MS;
    drain->why = why;
    listener_close(drain->listener);
    sessions_stop(drain->world->sessions);
    go_on_ending(drain);
}

void drain_now(struct drain *drain)
{
    if (drain->state == DRAIN_ENDING)
        event_base_loopbreak(drain->base); /* requested twice */
    else
        end(drain, "shutdown");
}

/* --- When the games are over --- */

/* True if the game delays the shutdown, because its players can be expected to finish
 * it. An untimed game delays it only while both players are present, because one player
 * alone might wait for ever. */
static bool holds_up(const struct room *room)
{
    const struct game *game = &room->game;
    int here = presence_is_here(room, SIDE_RED) + presence_is_here(room, SIDE_BLUE);

    if (game->phase == GAME_OVER || room->is_frozen || game->is_adjourned ||
        time_terms_is_correspondence(&game->clock.terms))
        return false;
    if (game->clock.terms.is_untimed)
        return here == SIDES;
    return here > 0 && room->clock != ROOM_CLOCK_WAITS;
}

int drain_games_left(const struct drain *drain)
{
    struct rooms *rooms = drain->world->rooms; /* NULL: this node is a standby */
    int count = 0;

    for (struct room *r = rooms != NULL ? rooms_first(rooms) : NULL; r != NULL;
         r = rooms_next(r))
        count += holds_up(r);
    return count;
}

void drain_for_games(struct drain *drain)
{
    if (drain->state == DRAIN_GAMES || drain->state == DRAIN_ENDING)
        return;
    log_info("drain why=games left=%d", drain_games_left(drain));
    drain->state = DRAIN_GAMES;
    drain->world->closing.is_draining = true;
    drain->world->closing.ends_ms = INT64_MAX;
    tell_all(drain, "why=draining");
    timer_start(drain->timer, 0); /* not now: first answer the request */
}

/* --- When the time has come --- */

int64_t drain_left_s(const struct drain *drain, int64_t now_ms)
{
    return mono_whole_s(drain->due_ms - now_ms);
}

/* Returns the largest element of told_at_s that is less than left_s. 0: all elements
 * are at least left_s. */
static int64_t next_told_s(int64_t left_s)
{
    for (size_t i = 0; i < ARRAY_LEN(told_at_s); i++)
        if (told_at_s[i] < left_s)
            return told_at_s[i];
    return 0;
}

/* If the time of the shutdown has come, begins the shutdown. Otherwise, if the time of
 * the next announcement has come, announces the shutdown again. Then starts the timer
 * for the next step. If the timer has fired slightly early, this function only starts
 * the timer again. */
static void look_at_time(struct drain *drain)
{
    int64_t now_ms = mono_now_ms();
    int64_t next_ms = drain->due_ms - drain->next_told_s * 1000;

    if (now_ms >= drain->due_ms) {
        end(drain, "restart");
        return;
    }
    if (now_ms >= next_ms) {
        tell_restart(drain, drain_left_s(drain, now_ms));
        drain->next_told_s = next_told_s(drain_left_s(drain, now_ms));
        next_ms = drain->due_ms - drain->next_told_s * 1000;
    }
    timer_start(drain->timer, next_ms > now_ms ? next_ms - now_ms : 0);
}

void drain_in(struct drain *drain, int64_t in_s, int64_t now_ms)
{
    if (drain->state == DRAIN_ENDING)
        return;
    log_info("drain why=time in_s=%lld", (long long)in_s);
    drain->state = DRAIN_TIMED;
    drain->world->closing.is_draining = false;
    drain->due_ms = now_ms + in_s * 1000;
    drain->world->closing.ends_ms = drain->due_ms;
    drain->next_told_s = next_told_s(in_s);
    tell_restart(drain, in_s);
    timer_start(drain->timer, 0);
}

/* --- Life --- */

bool drain_stay(struct drain *drain)
{
    if (drain->state != DRAIN_GAMES && drain->state != DRAIN_TIMED)
        return false;
    log_info("drain why=stays");
    drain->state = DRAIN_NONE;
    drain->world->closing.is_draining = false;
    drain->world->closing.ends_ms = INT64_MAX;
    event_del(drain->timer);
    tell_all(drain, "why=stays");
    return true;
}

enum drain_state drain_state(const struct drain *drain)
{
    return drain->state;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct drain *drain = arg;

    (void)fd;
    (void)what;
    if (drain->state == DRAIN_GAMES && drain_games_left(drain) == 0)
        end(drain, "shutdown");
    else if (drain->state == DRAIN_GAMES)
        timer_start(drain->timer, GAMES_LOOK_MS);
    else if (drain->state == DRAIN_TIMED)
        look_at_time(drain);
    else if (drain->state == DRAIN_ENDING)
        go_on_ending(drain);
}

struct drain *drain_new(struct event_base *base, struct world *world,
                        struct listener *listener)
{
    struct drain *drain = mem_new(sizeof *drain);

    drain->base = base;
    drain->world = world;
    world->closing.ends_ms = INT64_MAX;
    drain->listener = listener;
    drain->timer = timer_new(base, on_timer, drain);
    return drain;
}

void drain_free(struct drain *drain)
{
    if (drain == NULL)
        return;
    event_free(drain->timer);
    free(drain);
}
