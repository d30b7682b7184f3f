/* See admission.h. */
#include "server/admission/admission.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "server/admission/bans.h"
#include "server/admission/crowd.h"
#include "server/admission/regulars.h"
#include "server/admission/sources.h"
#include "server/admission/turns.h"
#include "server/base/budget.h"

enum {
    TRUSTED_TIMES = 20,
    WAITING_MAX = 512,
    SHARES = 2, /* number of handshake queues; queue 0: strangers; queue 1: callers from
                 * known sources and trusted networks */
    WAITING_MS = 3000,
    LOG_EVERY_MS = 10000,    /* least time between two log lines about one source */
    LOG_LINES_PER_S = 10,    /* log lines a second about all sources */
    PENALTY_FROM_MS = 15000, /* a smaller penalty has no effect yet */
    PENALTY_MAX_MS = 600 * 1000,
    RETURNS_PER_S = 1,  /* connections a second that a known source may open above its
                           * limits */
    RETURNS_BURST = 8,  /* such connections at once */
    PORCH_PART = 8,     /* the porch is 1/8 of all connections */
    RESERVED_PART = 10, /* 1/10 of the places is reserved for members */
    GUEST_PART = 2,     /* guests may use 1/2 of the places */
    PORCH_MIN = 8
};

static const int penalty_s[] = {
    [ADMISSION_WRONG_PROOF] = 5, [ADMISSION_HANDSHAKE] = 2, [ADMISSION_NO_LOGIN] = 2,
    [ADMISSION_GARBAGE] = 2,     [ADMISSION_FLOOD] = 10,
};

static_assert(ARRAY_LEN(penalty_s) == ADMISSION_FAULTS, "a fault has no penalty");

enum pass_state {
    PASS_WAITING, /* waits for its handshake */
    PASS_LATE,    /* must be refused */
    PASS_PORCH,
    PASS_PLACED,
    PASS_LEAVING /* evicted, or its connection has ended: is neither in the porch nor in
                  * a place */
};

struct pass {
    struct prefix from;
    struct source *source; /* NULL without quotas */
    int times;             /* factor of its budgets: TRUSTED_TIMES if it comes from a
                            * trusted network, otherwise 1 */
    int fd;
    int share; /* index in `turns` of the queue in which it waits for its handshake */
    bool is_extra; /* it was admitted although its source, or a network around it, had
                    * reached the limit of open connections: it can log in as a player,
                    * but not as a guest */
    uint64_t session;
    enum pass_state state;
    enum admission_rank rank;  /* set in the state PASS_PLACED */
    struct turn turn;          /* used in the state PASS_WAITING */
    struct crowd_member porch; /* used in the state PASS_PORCH */
    int64_t heard_ms;          /* last time when a guest was not idle */
    struct pass *prev, *next;  /* in the list of late callers, or of guests */
};

struct admission {
    struct admission_settings settings;
    struct bans *bans;
    struct sources *sources;
    struct regulars *regulars;
    struct turns *turns[SHARES];
    int last_share; /* index of the queue from which the last caller was taken */
    struct budget handshakes;
    struct pass *late;
    struct crowd *porch;
    struct pass *guests; /* longest idle first */
    int guest_count, placed, open;
    struct budget log_lines;
    int64_t refused;
};

struct admission *admission_new(const struct admission_settings *settings)
{
    struct admission *admission = mem_new(sizeof *admission);

    admission->settings = *settings;
    admission->bans = bans_new();
    admission->sources = sources_new(SOURCES_MAX);
    admission->regulars = regulars_new();
    for (int i = 0; i < SHARES; i++)
        admission->turns[i] = turns_new();
    admission->porch = crowd_new();
    return admission;
}

void admission_change(struct admission *admission,
                      const struct admission_settings *settings)
{
    admission->settings = *settings;
}

void admission_free(struct admission *admission)
{
    if (admission == NULL)
        return;
    assert(admission->open == 0);
    bans_free(admission->bans);
    sources_free(admission->sources);
    regulars_free(admission->regulars);
    for (int i = 0; i < SHARES; i++)
        turns_free(admission->turns[i]);
    crowd_free(admission->porch);
    free(admission);
}

bool admission_is_empty(const struct admission *admission)
{
    return admission->open == 0;
}

/* --- Bans --- */

void admission_ban(struct admission *admission, const struct prefix *network,
                   int64_t until_ms)
{
    bans_set(admission->bans, network, until_ms);
}

bool admission_unban(struct admission *admission, const struct prefix *network)
{
    return bans_remove(admission->bans, network);
}

/* --- The log --- */

enum { MINUTE_MS = 60 * 1000 };

static void count_refusal(struct source *source, int64_t now_ms)
{
    if (now_ms - source->refusals_ms >= MINUTE_MS) {
        source->refusals = 0;
        source->refusals_ms = now_ms;
    }
    source->refusals++;
}

void admission_refused(const struct admission *admission, int64_t now_ms,
                       admission_refused_fn *fn, void *arg)
{
    const struct source *s = NULL;

    while ((s = sources_next(admission->sources, s)) != NULL)
        if (s->refusals > 0 && now_ms - s->refusals_ms < 2 * MINUTE_MS)
            fn(arg, &s->network, s->refusals);
}

/* Counts a refusal of the source. Logs at most one line for it in LOG_EVERY_MS, and at
 * most LOG_LINES_PER_S lines a second about all sources. */
static void note_refusal(struct admission *admission, struct source *source,
                         const char *why, int64_t now_ms)
{
    char network[PREFIX_TEXT_BYTES];

    admission->refused++;
    source->repeated++;
    count_refusal(source, now_ms);
    if (now_ms < source->next_log_ms ||
        !budget_spend(&admission->log_lines, rate_of(LOG_LINES_PER_S, LOG_LINES_PER_S),
                      now_ms))
        return;
    prefix_format(network, &source->network);
    log_warn("source=%s refused why=%s repeated=%d", network, why, source->repeated);
    source->next_log_ms = now_ms + LOG_EVERY_MS;
    source->repeated = 0;
}

/* --- The source's own budgets --- */

bool admission_trusts(const struct admission *admission, const struct prefix *from)
{
    return prefix_list_has(&admission->settings.trusted, from);
}

bool admission_trusts_some(const struct admission *admission,
                           const struct prefix *network)
{
    const struct prefix_list *trusted = &admission->settings.trusted;

    for (int i = 0; i < trusted->count; i++)
        if (prefix_contains(network, &trusted->prefixes[i]))
            return true;
    return admission_trusts(admission, network);
}

static struct rate connects_rate(const struct admission *admission,
                                 const struct source *source, int times)
{
    return rate_of((int64_t)admission->settings.connects_per_s * source->weight * times,
                   (int64_t)admission->settings.connects_burst * source->weight *
                       times);
}

static struct rate work_rate(const struct admission *admission,
                             const struct source *source, int times)
{
    return rate_of((int64_t)admission->settings.work_per_s * source->weight * times,
                   (int64_t)admission->settings.work_burst * source->weight * times);
}

static int64_t over_ms(const struct source *source, int64_t now_ms)
{
    int64_t left = source->penalty_ms - now_ms - PENALTY_FROM_MS;

    return left > 0 ? left : 0;
}

static bool is_known(const struct admission *admission, const struct pass *pass,
                     int64_t now_ms)
{
    return pass->times == 1 && pass->source != NULL &&
           regulars_has(admission->regulars, &pass->from, now_ms);
}

static struct rate returns_rate(void)
{
    return rate_of(RETURNS_PER_S, RETURNS_BURST);
}

static int64_t allowed_times(const struct pass *pass, const struct source *source)
{
    return (int64_t)source->weight * pass->times;
}

static bool is_crowded(const struct admission *admission, const struct pass *pass,
                       const struct source *source)
{
    return source->open >= admission->settings.open * allowed_times(pass, source);
}

/* True if the source of the pass, or a network around it, has reached its limit of open
 * connections. */
static bool is_above_open(const struct admission *admission, const struct pass *pass)
{
    for (const struct source *s = pass->source; s != NULL; s = s->parent)
        if (is_crowded(admission, pass, s))
            return true;
    return false;
}

/* Returns the name of the limit that `source` has reached. `source` is the source of
 * the pass or a network around that source. NULL: it has not reached a limit. */
static const char *limit_reached(const struct admission *admission,
                                 const struct pass *pass, const struct source *source,
                                 int64_t now_ms)
{
    struct rate rate = connects_rate(admission, source, pass->times);

    if (pass->times == 1 && over_ms(source, now_ms) > 0)
        return "penalty";
    if (!budget_has(&source->connects, rate, now_ms))
        return "connects";
    if (is_crowded(admission, pass, source))
        return "open";
    if (source->unnamed >= admission->settings.unnamed * allowed_times(pass, source))
        return "not-logged-in";
    return NULL;
}

/* Returns why the connection must be refused because of `source`, which is the source
 * of the pass or a network around it. NULL: `source` is no reason to refuse the
 * connection.
 *
 * A known source may open a few connections in spite of limits and penalties. So a
 * player can come back to a game even if other callers, from the same address or from a
 * network around it, have used up the limits or caused a penalty. */
static const char *objection(const struct admission *admission, const struct pass *pass,
                             const struct source *source, int64_t now_ms)
{
    const char *why = limit_reached(admission, pass, source, now_ms);
    bool may_return = why != NULL && is_known(admission, pass, now_ms) &&
                      budget_has(&pass->source->returns, returns_rate(), now_ms);

    return may_return ? NULL : why;
}

static void charge_connect(const struct admission *admission, struct source *source,
                           int times, int64_t now_ms)
{
    budget_charge(&source->connects, connects_rate(admission, source, times), 1000,
                  now_ms);
}

/* Charges one connection to the source of the pass and to all networks around it. */
static void charge_connects(const struct admission *admission, const struct pass *pass,
                            int64_t now_ms)
{
    bool is_return = false;

    for (struct source *s = pass->source; s != NULL; s = s->parent) {
        is_return = is_return || limit_reached(admission, pass, s, now_ms) != NULL;
        charge_connect(admission, s, pass->times, now_ms);
    }
    if (is_return)
        budget_charge(&pass->source->returns, returns_rate(), 1000, now_ms);
}

/* True: the source of the pass, and all networks around it, have budget. False: one of
 * them refuses the connection, and only that one is charged. If the source of the pass
 * is known, none is charged: the refused attempts of one caller must not use up the
 * connections of a player who comes back from the same address. */
static bool is_welcome(struct admission *admission, const struct pass *pass,
                       int64_t now_ms)
{
    for (struct source *s = pass->source; s != NULL; s = s->parent) {
        const char *why = objection(admission, pass, s, now_ms);

        if (why == NULL)
            continue;
        if (!is_known(admission, pass, now_ms))
            charge_connect(admission, s, pass->times, now_ms);
        note_refusal(admission, s, why, now_ms);
        return false;
    }
    return true;
}

static void count_unnamed(const struct pass *pass, int by)
{
    for (struct source *s = pass->source; s != NULL; s = s->parent)
        s->unnamed += by;
}

static void count_open(const struct pass *pass, int by)
{
    for (struct source *s = pass->source; s != NULL; s = s->parent)
        s->open += by;
}

/* --- Arriving --- */

static void free_pass(struct pass *pass)
{
    if (pass->source != NULL)
        sources_drop(pass->source);
    free(pass);
}

static struct pass *make_pass(struct admission *admission, const struct prefix *from,
                              int fd, int64_t now_ms)
{
    struct pass *pass = mem_new(sizeof *pass);

    pass->from = *from;
    pass->fd = fd;
    pass->times = admission_trusts(admission, from) ? TRUSTED_TIMES : 1;
    if (admission->settings.has_quotas)
        pass->source = sources_use(admission->sources, from, now_ms);
    return pass;
}

static void make_late(struct admission *admission, struct pass *pass)
{
    turns_remove(admission->turns[pass->share], &pass->turn);
    pass->state = PASS_LATE;
    DL_APPEND(admission->late, pass);
}

static struct pass *pass_of_turn(struct turn *turn)
{
    return OWNER_OF(turn, struct pass, turn);
}

static void add_waiting(struct admission *admission, struct pass *pass, int64_t now_ms)
{
    struct turns *turns;

    pass->share =
        pass->times > 1 || regulars_has(admission->regulars, &pass->from, now_ms);
    turns = admission->turns[pass->share];
    turns_add(turns, &pass->from, &pass->turn, now_ms);
    if (turns_count(turns) > WAITING_MAX / SHARES)
        make_late(admission, pass_of_turn(turns_least_entitled(turns)));
}

/* Takes the next caller out of its queue. Alternates between the two queues while both
 * have callers. */
static struct turn *take_turn(struct admission *admission)
{
    int share = (admission->last_share + 1) % SHARES;

    if (turns_count(admission->turns[share]) == 0)
        share = admission->last_share;
    admission->last_share = share;
    return turns_take(admission->turns[share]);
}

static struct turn *oldest_turn(const struct admission *admission)
{
    struct turn *oldest = NULL;

    for (int i = 0; i < SHARES; i++) {
        struct turn *turn = turns_oldest(admission->turns[i]);

        if (turn != NULL && (oldest == NULL || turn->since_ms < oldest->since_ms))
            oldest = turn;
    }
    return oldest;
}

/* Returns the limit of open connections. It is higher with quotas, because then
 * connections are evicted, and each of these counts until it has closed. */
static int open_max(const struct admission *admission)
{
    return admission->settings.connections +
           (admission->settings.has_quotas ? WAITING_MAX : 0);
}

static void count_in(struct admission *admission, const struct pass *pass)
{
    count_open(pass, 1);
    count_unnamed(pass, 1);
    admission->open++;
}

/* Makes the pass of a new connection. The caller of this function adds the pass to the
 * queue or to the porch. NULL: the connection is refused, and the refusal is
 * counted. */
static struct pass *admit(struct admission *admission, const struct prefix *from,
                          int fd, int64_t now_ms)
{
    struct pass *pass;

    if (bans_has(admission->bans, from, now_ms) ||
        admission->open >= open_max(admission)) {
        admission->refused++;
        return NULL;
    }
    pass = make_pass(admission, from, fd, now_ms);
    if (!is_welcome(admission, pass, now_ms)) {
        free_pass(pass);
        return NULL;
    }
    pass->is_extra = is_above_open(admission, pass);
    charge_connects(admission, pass, now_ms);
    count_in(admission, pass);
    return pass;
}

struct pass *admission_arrive(struct admission *admission, const struct prefix *from,
                              int fd, int64_t now_ms)
{
    struct pass *pass = admit(admission, from, fd, now_ms);

    if (pass != NULL)
        add_waiting(admission, pass, now_ms);
    return pass;
}

static void enter_porch(struct admission *admission, struct pass *pass)
{
    struct prefix source = prefix_network(&pass->from, 32, 64);

    pass->state = PASS_PORCH;
    crowd_add(admission->porch, &source, &pass->porch);
}

struct pass *admission_enter(struct admission *admission, const struct prefix *from,
                             int64_t now_ms)
{
    struct pass *pass = admit(admission, from, -1, now_ms);

    if (pass != NULL)
        enter_porch(admission, pass);
    return pass;
}

static struct rate handshake_rate(const struct admission *admission)
{
    int64_t per_s = admission->settings.handshakes_per_s;

    return rate_of(per_s, per_s);
}

struct pass *admission_next(struct admission *admission, int64_t now_ms)
{
    struct rate rate = handshake_rate(admission);
    struct turn *turn = NULL;
    struct pass *pass;

    if (budget_has(&admission->handshakes, rate, now_ms))
        turn = take_turn(admission);
    if (turn == NULL)
        return NULL;
    budget_charge(&admission->handshakes, rate, 1000, now_ms);
    pass = pass_of_turn(turn);
    enter_porch(admission, pass);
    return pass;
}

struct pass *admission_late(struct admission *admission, int64_t now_ms)
{
    struct turn *oldest = oldest_turn(admission);

    if (oldest != NULL && now_ms - oldest->since_ms >= WAITING_MS)
        make_late(admission, pass_of_turn(oldest));
    if (admission->late != NULL && admission->late->source != NULL)
        note_refusal(admission, admission->late->source, "no-turn", now_ms);
    return admission->late;
}

int64_t admission_wait_ms(const struct admission *admission, int64_t now_ms)
{
    const struct turn *oldest = oldest_turn(admission);
    int64_t wait_ms, left_ms;

    if (admission->late != NULL)
        return 0;
    if (oldest == NULL)
        return -1;
    wait_ms = budget_wait_ms(&admission->handshakes, handshake_rate(admission), now_ms);
    left_ms = oldest->since_ms + WAITING_MS - now_ms;
    if (left_ms < wait_ms)
        wait_ms = left_ms > 0 ? left_ms : 0;
    return wait_ms;
}

int pass_fd(const struct pass *pass)
{
    return pass->fd;
}

const struct prefix *pass_from(const struct pass *pass)
{
    return &pass->from;
}

void pass_set_session(struct pass *pass, uint64_t session)
{
    pass->session = session;
}

/* --- The porch and places --- */

/* Removes the pass from its queue or list, and from the count of places or of
 * connections that are not logged in. */
static void give_up(struct admission *admission, struct pass *pass)
{
    turns_remove(admission->turns[pass->share], &pass->turn);
    crowd_remove(admission->porch, &pass->porch);
    if (pass->state == PASS_LATE)
        DL_DELETE(admission->late, pass);
    if (pass->state == PASS_PLACED) {
        admission->placed--;
        if (pass->rank == ADMISSION_GUEST) {
            DL_DELETE(admission->guests, pass);
            admission->guest_count--;
        }
    } else if (pass->state < PASS_PLACED) {
        count_unnamed(pass, -1);
    }
    pass->state = PASS_LEAVING;
}

void admission_leave(struct admission *admission, struct pass *pass)
{
    if (pass == NULL)
        return;
    give_up(admission, pass);
    count_open(pass, -1);
    admission->open--;
    free_pass(pass);
}

static int porch_max(const struct admission *admission)
{
    int part = admission->settings.connections / PORCH_PART;

    return part > PORCH_MIN ? part : PORCH_MIN;
}

uint64_t admission_crowded_out(struct admission *admission)
{
    struct crowd_member *member;
    struct pass *pass;

    if (!admission->settings.has_quotas ||
        crowd_count(admission->porch) <= porch_max(admission))
        return 0;
    member = crowd_oldest_of_most(admission->porch);
    pass = OWNER_OF(member, struct pass, porch);
    admission->refused++;
    give_up(admission, pass);
    return pass->session;
}

int admission_places(const struct admission *admission)
{
    int connections = admission->settings.connections;

    return admission->settings.has_quotas ? connections - connections / PORCH_PART
                                          : connections;
}

int admission_guest_places(const struct admission *admission)
{
    int places = admission_places(admission);

    return admission->settings.has_quotas ? (places + 1) / GUEST_PART : places;
}

static bool has_room(const struct admission *admission, enum admission_rank rank)
{
    int places = admission_places(admission);
    int unreserved =
        places - (admission->settings.has_quotas ? places / RESERVED_PART : 0);

    switch (rank) {
    case ADMISSION_GUEST:
        return admission->guest_count < admission_guest_places(admission) &&
               admission->placed < unreserved;
    case ADMISSION_PLAYER:
        return admission->placed < unreserved;
    default:
        return admission->placed < places;
    }
}

/* Takes the place away from the guest who has been idle longest, and returns the
 * session of this guest. 0: there is no guest. */
static uint64_t evict_guest(struct admission *admission)
{
    struct pass *guest = admission->guests;

    if (guest == NULL)
        return 0;
    give_up(admission, guest);
    return guest->session;
}

bool admission_take_place(struct admission *admission, struct pass *pass,
                          enum admission_rank rank, int64_t now_ms, uint64_t *evicted)
{
    bool is_fitting;

    *evicted = 0;
    if (pass->state == PASS_LEAVING)
        return true; /* the connection is closed already */
    if (pass->state == PASS_PLACED && pass->rank >= rank)
        return true;
    if (pass->is_extra && rank == ADMISSION_GUEST)
        return false;
    if (pass->state == PASS_PLACED) /* it gives up its place as a guest */
        admission->placed--;
    is_fitting = has_room(admission, rank);
    if (pass->state == PASS_PLACED)
        admission->placed++;
    if (!is_fitting && rank != ADMISSION_SEATED)
        return false;
    give_up(admission, pass);
    if (!is_fitting)
        *evicted = evict_guest(admission);
    pass->state = PASS_PLACED;
    pass->rank = rank;
    pass->heard_ms = now_ms;
    admission->placed++;
    if (rank == ADMISSION_GUEST) {
        DL_APPEND(admission->guests, pass);
        admission->guest_count++;
    }
    return true;
}

void admission_note_login(struct admission *admission, const struct pass *pass,
                          int64_t now_ms)
{
    regulars_note(admission->regulars, &pass->from, now_ms);
}

bool admission_is_known(const struct admission *admission, const struct pass *pass,
                        int64_t now_ms)
{
    return regulars_has(admission->regulars, &pass->from, now_ms);
}

void admission_load(struct admission *admission, const char *path, int64_t now_ms,
                    int64_t now_wall_s)
{
    regulars_load(admission->regulars, path, now_ms, now_wall_s);
}

void admission_save(const struct admission *admission, const char *path, int64_t now_ms,
                    int64_t now_wall_s)
{
    (void)regulars_save(admission->regulars, path, now_ms, now_wall_s);
}

void admission_touch(struct admission *admission, struct pass *pass, int64_t now_ms)
{
    if (pass->state != PASS_PLACED || pass->rank != ADMISSION_GUEST)
        return;
    pass->heard_ms = now_ms;
    DL_DELETE(admission->guests, pass);
    DL_APPEND(admission->guests, pass);
}

uint64_t admission_idle_guest(const struct admission *admission, int64_t since_ms)
{
    const struct pass *guest = admission->guests;

    return guest != NULL && guest->heard_ms <= since_ms ? guest->session : 0;
}

/* --- Faults and work --- */

void admission_penalize(const struct pass *pass, enum admission_fault fault,
                        int64_t now_ms)
{
    struct source *source = pass->source;
    int64_t most = now_ms + PENALTY_MAX_MS;

    if (source == NULL || pass->times > 1)
        return;
    if (source->penalty_ms < now_ms)
        source->penalty_ms = now_ms;
    source->penalty_ms += (int64_t)penalty_s[fault] * 1000;
    if (source->penalty_ms > most)
        source->penalty_ms = most;
}

int64_t admission_proof_wait_ms(const struct pass *pass, int64_t now_ms)
{
    if (pass->source == NULL || pass->times > 1)
        return 0;
    return over_ms(pass->source, now_ms);
}

int64_t admission_work_wait_ms(const struct admission *admission,
                               const struct pass *pass, int64_t now_ms)
{
    int64_t longest_ms = 0;

    for (const struct source *s = pass->source; s != NULL; s = s->parent) {
        int64_t wait_ms =
            budget_wait_ms(&s->work, work_rate(admission, s, pass->times), now_ms);

        longest_ms = wait_ms > longest_ms ? wait_ms : longest_ms;
    }
    return longest_ms;
}

static void charge_work(const struct admission *admission, struct source *source,
                        int times, int64_t milli, int64_t now_ms)
{
    budget_charge(&source->work, work_rate(admission, source, times), milli, now_ms);
}

void admission_charge(struct admission *admission, const struct pass *pass,
                      int64_t milli, int64_t now_ms)
{
    for (struct source *s = pass->source; s != NULL; s = s->parent)
        charge_work(admission, s, pass->times, milli, now_ms);
}

void admission_charge_refused(struct admission *admission, const struct pass *pass,
                              int64_t milli, int64_t now_ms)
{
    if (pass->source != NULL)
        charge_work(admission, pass->source, pass->times, milli, now_ms);
}

static struct rate chat_rate(const struct admission *admission,
                             const struct source *source, int times)
{
    const struct admission_settings *settings = &admission->settings;
    int64_t allowed = (int64_t)source->weight * times;

    return (struct rate){.milli_per_s = settings->chat_per_min * 1000 * allowed / 60,
                         .burst = settings->chat_burst * allowed};
}

bool admission_has_chat(const struct admission *admission, const struct pass *pass,
                        int64_t now_ms)
{
    for (const struct source *s = pass->source; s != NULL; s = s->parent)
        if (!budget_has(&s->chat, chat_rate(admission, s, pass->times), now_ms))
            return false;
    return true;
}

void admission_charge_chat(struct admission *admission, const struct pass *pass,
                           int64_t now_ms)
{
    for (struct source *s = pass->source; s != NULL; s = s->parent)
        budget_charge(&s->chat, chat_rate(admission, s, pass->times), 1000, now_ms);
}

/* --- For limits and status --- */

struct admission_counts admission_counts(const struct admission *admission)
{
    return (struct admission_counts){
        .waiting = turns_count(admission->turns[0]) + turns_count(admission->turns[1]),
        .unnamed = crowd_count(admission->porch),
        .guests = admission->guest_count,
        .placed = admission->placed,
        .sources = sources_count(admission->sources),
        .bans = bans_count(admission->bans),
        .refused = admission->refused,
    };
}
