/* See data.h. */
#include "server/data.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include <event2/event.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/ratings.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/deadline.h"
#include "server/base/prefix.h"
#include "server/base/timer.h"
#include "server/base/world.h"
#include "server/command/meant.h"
#include "server/command/signed_record.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/lobby/reminders.h"
#include "server/lobby/tv.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"
#include "server/web/pages.h"

/* --- Games that begin and end --- */

static void on_begun(void *arg, struct room *room)
{
    struct world *world = arg;

    lobby_game_begun(world->lobby, room);
    cmd_people_begin(world, room);
    reminders_game_begun(world->reminders, room);
}

static void on_ending(void *arg, struct room *room)
{
    struct world *world = arg;

    lobby_game_ending(world->lobby, room);
    evening_run_game_ending(world->evening_run, room);
}

static void on_over(void *arg, struct room *room)
{
    struct world *world = arg;

    lobby_game_over(world->lobby, room);
    tv_note_over(world->tv, room);
    evening_run_game_over(world->evening_run, room);
}

/* A game of an evening's round may not be adjourned before it has a result. An
 * adjourned game has no deadline, and the other players of the round would have to wait
 * for its result. */
static bool may_adjourn(void *arg, const struct room *room)
{
    const struct world *world = arg;

    return !evenings_await(world->evenings, room->id);
}

static void on_retry(void *arg, struct session *session, char *raw, int64_t now_ms)
{
    struct world *world = arg;

    if (session->state == SESSION_REQUEST)
        pages_run(world, session, raw, now_ms);
    else
        verbs_run(world, session, raw, now_ms);
}

static const struct room_calls room_calls = {.on_begun = on_begun,
                                             .on_ending = on_ending,
                                             .on_over = on_over,
                                             .may_adjourn = may_adjourn,
                                             .on_retry = on_retry};

/* --- The disk --- */

static void on_trouble(void *arg, enum store_trouble trouble)
{
    static const char *const news[] = {
        [STORE_OK_AGAIN] = "why=storage-back",
        [STORE_FULL] = "why=storage-full",
        [STORE_SLOW] = "why=storage-slow",
        [STORE_AWAY] = "why=storage-away",
    };
    static const char *const words[] = {[STORE_OK_AGAIN] = "good",
                                        [STORE_FULL] = "full",
                                        [STORE_SLOW] = "slow",
                                        [STORE_AWAY] = "away"};
    struct data *data = arg;
    struct world *world = data->world;

    sessions_add_to_greeting(
        world->sessions,
        trouble == STORE_OK_AGAIN || trouble == STORE_LOST ? NULL : news[trouble]);
    world->has_outage = trouble != STORE_OK_AGAIN;
    sessions_set_outage(world->sessions, world->has_outage);
    if (!world->has_outage)
        rooms_release(world->rooms, mono_now_ms());
    else
        rooms_hold(world->rooms, mono_now_ms());
    if (trouble == STORE_LOST) {
        data->calls->on_lost(data->arg);
        return;
    }
    data->calls->on_disk(data->arg, words[trouble]);
    gate_narrow(store_gate(world->store), GATE_FREE);
    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s))
        if (s->state >= SESSION_HELLO && s->state < SESSION_LEAVING)
            session_notice(s, "%s", news[trouble]);
    gate_widen(store_gate(world->store));
}

static void on_durable(void *arg)
{
    struct data *data = arg;

    rooms_on_durable(data->world->rooms);
    reminders_on_durable(data->world->reminders);
    wire_release(sessions_hub(data->world->sessions));
}

/* --- A loop that stood still --- */

enum { BEAT_MS = 250, LATE_MS = 1000 };

/* If this process did not run for more than LATE_MS (SIGSTOP, a paused virtual
 * machine), the players are not charged for it: as during trouble with the disk, all
 * clocks are stopped from the last beat on. They run again at the next beat. By then,
 * the lines that have arrived in the meantime are read. This timer has priority over
 * all other events, so that no flag falls and no line is judged before it. */
static void on_beat(evutil_socket_t fd, short what, void *arg)
{
    struct data *data = arg;
    int64_t now_ms = mono_now_ms(), ticks_ms = mono_ticks_ms();
    int64_t late_ms = ticks_ms - data->beat_ticks_ms - BEAT_MS;

    (void)fd;
    (void)what;
    if (late_ms > LATE_MS) {
        log_warn("loop late_ms=%lld", (long long)late_ms);
        rooms_hold(data->world->rooms, data->beat_ms);
    } else if (!data->world->has_outage) {
        rooms_release(data->world->rooms, now_ms);
    }
    data->beat_ms = now_ms;
    data->beat_ticks_ms = ticks_ms;
}

/* --- The greeting --- */

/* Writes the greeting. The greeting contains the name of the server: the setting
 * "name", if the staff have set it, otherwise the option "name". */
void data_make_greeting(struct data *data)
{
    struct text text = text_into(data->greeting, sizeof data->greeting);
    const char *name = house_setting(data->world->house, "name");

    text_addf(&text, "* janggi/1 server=\"%s\" rules=",
              name != NULL ? name : data->world->config->name);
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        text_addf(&text, "%s%s", i == 0 ? "" : ",", ruleset_name(ruleset_at(i)));
    text_add(&text, " : welcome; type help");
}

/* --- Who may enter --- */

/* Reads an access setting from a mark. Before schema 5, `janggid ctl access` stored
 * these settings as marks; now they are acts. */
static void on_access_mark(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    struct data *data = arg;

    if (mark->owner[0] == '\0' && strcmp(mark->kind, "access") == 0 &&
        !access_set(&data->world->access, mark->subject, mark->value))
        log_warn("setting=%s value=%s why=unknown", mark->subject, mark->value);
}

/* Sets who may enter, play and watch. An option has priority over the setting that the
 * verb `access` stored. If neither the option nor the setting is set, a new server
 * admits only people with an invitation, but a server with names from an older janggid
 * admits everybody. Returns false after logging why the settings cannot be read. */
static bool set_access(struct data *data)
{
    const struct config *config = data->world->config;
    const char *const words[][2] = {{"access", config->access},
                                    {"guests", config->guests},
                                    {"watching", config->watching}};
    struct access *access = &data->world->access;
    bool is_older = accounts_has_older(data->world->accounts);
    char text[ACCESS_BYTES];

    *access = (struct access){.door = is_older ? ACCESS_OPEN : ACCESS_INVITED,
                              .guests = GUESTS_WATCH};
    if (!store_load(data->world->store, STORE_MARK, on_access_mark, data))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const char *word = house_setting(data->world->house, words[i][0]);

        if (word != NULL && !access_set(access, words[i][0], word))
            log_warn("setting=%s value=%s why=unknown", words[i][0], word);
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i][1][0] != '\0' && !access_set(access, words[i][0], words[i][1]))
            log_die("server setting=%s", words[i][0]); /* checked by config.c */
    access_format(text, access);
    log_info("start %s : %s", text, access_door_words(access->door));
    return true;
}

/* Passes a ban of a network to admission, which keeps bans only in memory. */
static void on_ban(void *arg, const struct house_hold *hold)
{
    struct data *data = arg;
    int64_t left_s = hold->until_wall_s - mono_wall_s(), now_ms = mono_now_ms();
    struct prefix network;

    if (strncmp(hold->act->target, "addr:", 5) == 0 &&
        prefix_parse(hold->act->target + 5, &network))
        admission_ban(data->world->admission, &network,
                      hold->until_wall_s == INT64_MAX ? INT64_MAX
                                                      : now_ms + left_s * 1000);
}

/* --- Settings of the parts --- */

enum { HOUR_MS = 3600 * 1000 };
enum { SITE_TIMES = 4 }; /* an IPv6 /48 makes so many times as much as a source in it */

static struct room_settings room_settings(const struct config *config)
{
    return (struct room_settings){
        .setup_ms = (int64_t)config->setup_s * 1000,
        .grace_ms = (int64_t)config->grace_s * 1000,
        .keep_ms = (int64_t)config->keep_s * 1000,
        .absence_ms = (int64_t)config->absence_s * 1000,
        .aborted_keep_ms = config->has_quotas ? 0 : (int64_t)config->keep_s * 1000,
        .unmoved_ms = config->has_quotas ? (int64_t)CONFIG_UNMOVED_HOURS * HOUR_MS : 0,
        .ended_bytes = (int64_t)config->ended_mb << 20,
        .lag_ms = config->lag_max_ms,
        .adjourned_ms = (int64_t)CONFIG_ADJOURNED_DAYS * DAY_MS};
}

static struct accounts_settings accounts_settings(const struct config *config)
{
    struct accounts_settings settings = {.names_max = config->names_max,
                                         .name_days = CONFIG_NAME_DAYS};
    struct quota_limit *of = settings.quotas.of;

    for (int i = 0; i < QUOTA_KINDS; i++)
        if (config->has_quotas)
            of[i] = config->quota[i];
        else if (i < QUOTA_OPEN)
            of[i].account = config->quota[i].account;
    of[QUOTA_REPORT].site = SITE_TIMES * of[QUOTA_REPORT].source;
    of[QUOTA_MESSAGE].site = SITE_TIMES * of[QUOTA_MESSAGE].source;
    (void)prefix_list_parse(config->trusted, &settings.quotas.trusted);
    return settings;
}

/* Leaves bytes_max unset, because it depends on the disk. */
static struct lobby_limits lobby_limits(const struct config *config)
{
    return (struct lobby_limits){.games_per_min =
                                     config->has_quotas ? CONFIG_GAMES_PER_MIN : 0,
                                 .leaves_max = config->has_quotas ? LEAVES_MAX : 0,
                                 .games_max = config->games_max,
                                 .may_be_near = config->rates_same_address};
}

void data_change(struct data *data)
{
    const struct config *config = data->world->config;
    struct accounts_settings names = accounts_settings(config);
    struct lobby_limits limits = lobby_limits(config);

    accounts_change(data->world->accounts, &names);
    lobby_change_limits(data->world->lobby, &limits);
    data_make_greeting(data);
}

/* --- Opening --- */

/* Returns the limit of the size of the database, in bytes: the option db-max, or by
 * default the present size plus half of the free space. 0: no limit. */
static int64_t storage_max(const struct data *data)
{
    const struct config *config = data->world->config;
    int64_t used = store_counts(data->world->store).bytes;
    struct statvfs disk;

    if (config_bytes(config->db_max) > 0)
        return config_bytes(config->db_max);
    if (config->store[0] != '\0')
        return 0; /* the database is on the disk of another machine */
    if (statvfs(config->data, &disk) != 0)
        return 0;
    return used + (int64_t)disk.f_bavail * (int64_t)disk.f_frsize / 2;
}

/* Opens the store. Returns NULL after logging why. Then data->is_away is true if a
 * later attempt can succeed. This is so in three cases: the database server is
 * restarting; the database server has not yet noticed that an earlier janggid has
 * ended; this machine now has too little room on its disk, too little memory or too few
 * threads. */
static struct store *open_store(struct data *data)
{
    const struct config *config = data->world->config;
    const struct store_place place = store_place_of(config);
    bool is_shared = config->store[0] != '\0';
    struct store *store = is_shared ? store_open_at(data->base, &place)
                                    : store_open(data->base, config->data);

    data->is_away = store == NULL && (errno == EAGAIN || errno == ENOSPC ||
                                      errno == ENOMEM || (is_shared && errno == EBUSY));
    return store;
}

static void on_stored_event(void *arg, const struct store_event *event)
{
    struct data *data = arg;

    if (room_restore(data->world->rooms, event))
        return;
    if (event->number == 0)
        room_note_unreadable(data->world->rooms, event->game);
    else
        log_debug("game=%lld event=%d dropped", (long long)event->game, event->number);
}

/* Uses the stored ratings as they are; "janggid verify" computes them again. */
static void on_stored_rating(void *arg, const void *stored)
{
    const struct store_rating *row = stored;
    struct data *data = arg;
    const char *wrong = ratings_take(data->world->ratings, row, false);

    if (wrong != NULL)
        log_warn("rating=%lld game=%lld why=\"%s\"", (long long)row->seq,
                 (long long)row->game, wrong);
}

/* Reads accounts, ratings, games and invitations from the log. */
static bool load_data(struct data *data)
{
    const struct config *config = data->world->config;
    struct accounts_settings names = accounts_settings(config);
    struct room_settings rooms = room_settings(config);
    struct lobby_limits limits = lobby_limits(config);
    struct world *world = data->world;

    world->deadlines = deadlines_new(data->base, mono_wall_s);
    world->spans = deadlines_new(data->base, mono_now_s);
    world->accounts = accounts_open(world->store, world->deadlines, &names);
    if (world->accounts == NULL)
        return false;
    world->tickets = accounts_tickets(world->accounts);
    world->ratings = ratings_new();
    if (!store_load(world->store, STORE_RATING, on_stored_rating, data) ||
        (world->house = house_open(world->store, world->accounts, world->deadlines)) ==
            NULL ||
        !set_access(data))
        return false;
    house_each_ban(world->house, mono_wall_s(), on_ban, data);
    data_make_greeting(data);
    world->rooms = rooms_new(data->base, world->store, world->sessions, world->accounts,
                             &rooms, &room_calls, world);
    if (!store_load_running(world->store, on_stored_event, data))
        return false;
    if (config->has_quotas)
        limits.bytes_max = storage_max(data);
    world->lobby = lobby_new(world, &limits);
    if (world->lobby == NULL)
        return false;
    world->tv = tv_new(world);
    world->reminders = reminders_new(world, data->notifier);
    world->evenings = evenings_open(world->store);
    if (world->evenings == NULL)
        return false;
    world->evening_run = evening_run_new(world, data->base);
    privacy_init(world->accounts);
    if (config->has_quotas)
        store_keep_aborted(world->store, (int64_t)CONFIG_ABORTED_HOURS * 3600);
    store_keep_reserve(world->store, (int64_t)config->reserve_mb << 20);
    log_info("start games=%d", lobby_restore_games(world->lobby));
    reminders_restore(world->reminders);
    evening_run_restore(world->evening_run);
    return true;
}

bool data_open(struct data *data)
{
    struct store *store = open_store(data);

    data->world->store = store;
    data->world->has_outage = false;
    if (store == NULL)
        return false;
    store_on_trouble(store, on_trouble, data);
    store_on_durable(store, on_durable, data);
    sessions_set_gate(data->world->sessions, store_gate(store));
    if (load_data(data)) {
        data->beat_ms = mono_now_ms();
        data->beat_ticks_ms = mono_ticks_ms();
        data->beat = timer_repeat(data->base, BEAT_MS, on_beat, data);
        if (event_priority_set(data->beat, 0) != 0)
            log_die("server no priority");
        return true;
    }
    data->is_away = store_is_away(store);
    return false;
}

/* --- Closing --- */

void data_close(struct data *data, void (*close_store)(struct store *store))
{
    struct world *world = data->world;

    if (data->beat != NULL)
        event_free(data->beat);
    data->beat = NULL;
    sessions_add_to_greeting(world->sessions, NULL);
    if (world->sessions != NULL)
        sessions_set_gate(world->sessions, NULL);
    close_store(world->store);
    reminders_free(world->reminders);
    tv_free(world->tv);
    read_turn_forget(world);
    signed_record_forget(world);
    rooms_free(world->rooms);
    evening_run_free(world->evening_run);
    evenings_close(world->evenings);
    lobby_free(world->lobby);
    ratings_free(world->ratings);
    house_close(world->house);
    accounts_close(world->accounts);
    deadlines_free(world->deadlines);
    deadlines_free(world->spans);
    world->deadlines = world->spans = NULL;
    world->store = NULL;
    world->evening_run = NULL;
    world->ratings = NULL;
    world->evenings = NULL;
    world->rooms = NULL;
    world->lobby = NULL;
    world->tv = NULL;
    world->reminders = NULL;
    world->tickets = NULL;
    world->house = NULL;
    world->accounts = NULL;
}
