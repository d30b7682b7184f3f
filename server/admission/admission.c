/* See admission.h. */
#include "server/admission/admission.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/table.h"

enum {
    SOURCES_MAX = 65536, /* 8 MiB; above it, a new source is charged to the network
                          * around it */
    FORGET_AT_ONCE = 4,
    TRUSTED_TIMES = 20,
    WAITING_MAX = 512, /* callers that wait for their handshake: of all, of one */
    WAITING_EACH = 4,
    WAITING_MS = 3000,
    SHARES = 64,             /* see admission_share_milli() */
    RETURNS = 8,             /* connections of a known source above --per-address */
    PENALTY_FROM_MS = 15000, /* a smaller penalty has no effect yet */
    PENALTY_MAX_MS = 600 * 1000,
    KNOWN_MS = 86400 * 1000,
    UNNAMED_PART = 8, /* so many of all connections may wait for their login: 1/8 */
    UNNAMED_MIN = 8,
    LOG_EVERY_MS = 10000, /* least time between two log lines about one source */
    MINUTE_MS = 60 * 1000,
    LENGTHS = 129
};
static const struct rate log_rate = {100, 10}; /* log lines about all sources */

static const int penalty_s[] = {
    [ADMISSION_WRONG_PROOF] = 5, [ADMISSION_HANDSHAKE] = 2, [ADMISSION_NO_LOGIN] = 2,
    [ADMISSION_GARBAGE] = 2,     [ADMISSION_FLOOD] = 10,
};
static_assert(ARRAY_LEN(penalty_s) == ADMISSION_FAULTS, "a fault has no penalty");

struct source {
    struct prefix network;
    int weight; /* divides what is charged: 1 for a source, 2 for a /56, 4 for
                            * a /24 or a /48 */
    struct source *parent; /* the next wider network; NULL: this is the widest */
    struct budget budget;
    int64_t penalty_until_ms;
    int64_t known_until_ms;     /* a day after the last login with a name's proof */
    int open, unnamed, waiting; /* connections: all, not logged in, without handshake */
    int64_t next_log_ms;        /* no log line about it before this time */
    int repeated;               /* refusals since the last log line */
    int refusals;               /* in the minute that began at refusals_ms */
    int64_t refusals_ms;
    int uses;                   /* slots and narrower sources that point to it */
    struct source *prev, *next; /* in the order in which they are checked for removal */
    UT_hash_handle hh;
};

enum slot_state {
    SLOT_WAITING, /* waits for its handshake */
    SLOT_UNNAMED, /* not logged in */
    SLOT_GUEST,
    SLOT_PLACED, /* logged in with a name */
    SLOT_LEAVING /* evicted, or its connection has ended */
};

struct slot {
    struct prefix from;
    struct source *source; /* NULL without quotas */
    int times;             /* TRUSTED_TIMES if it is trusted, otherwise 1 */
    bool is_known;
    bool is_extra; /* above --per-address: for a player, not for a guest */
    int fd;
    uint64_t session;
    enum slot_state state;
    int64_t since_ms;         /* waiting since; a guest: idle since */
    struct slot *prev, *next; /* in the list of its state */
};

struct ban {
    struct prefix network;
    int64_t until_ms;
    UT_hash_handle hh;
};

struct admission {
    struct admission_settings settings;
    struct ban *bans;
    int bans_of_length[LENGTHS]; /* bans, by the length of their prefix */
    struct source *sources, *to_check;
    struct source others; /* of all sources for which the table has no room */
    struct budget handshakes, log_lines;
    struct slot *list[SLOT_PLACED]; /* by state, each in order of arrival; guests:
                                      * longest idle first */
    int count[SLOT_LEAVING + 1];
    int64_t refused;
};

struct admission *admission_new(const struct admission_settings *settings)
{
    struct admission *admission = mem_new(sizeof *admission);

    admission->settings = *settings;
    admission->others = (struct source){.weight = 4, .uses = 1};
    return admission;
}

void admission_change(struct admission *admission,
                      const struct admission_settings *settings)
{
    admission->settings = *settings;
}

bool admission_is_empty(const struct admission *admission)
{
    for (int i = 0; i <= SLOT_LEAVING; i++)
        if (admission->count[i] > 0)
            return false;
    return true;
}

void admission_free(struct admission *admission)
{
    struct source *source, *next;
    struct ban *ban, *next_ban;

    if (admission == NULL)
        return;
    assert(admission_is_empty(admission));
    HASH_ITER (hh, admission->sources, source, next) {
        HASH_DEL(admission->sources, source);
        free(source);
    }
    HASH_ITER (hh, admission->bans, ban, next_ban) {
        HASH_DEL(admission->bans, ban);
        free(ban);
    }
    free(admission);
}

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

/* --- Bans --- */

static struct ban *find_ban(const struct admission *admission,
                            const struct prefix *network)
{
    struct ban *ban;

    HASH_FIND(hh, admission->bans, network, sizeof *network, ban);
    return ban;
}

void admission_ban(struct admission *admission, const struct prefix *network,
                   int64_t until_ms)
{
    struct ban *ban = find_ban(admission, network);

    if (ban == NULL) {
        ban = mem_new(sizeof *ban);
        ban->network = *network;
        admission->bans_of_length[network->bits]++;
        HASH_ADD(hh, admission->bans, network, sizeof ban->network, ban);
    }
    ban->until_ms = until_ms;
}

bool admission_unban(struct admission *admission, const struct prefix *network)
{
    struct ban *ban = find_ban(admission, network);

    if (ban == NULL)
        return false;
    admission->bans_of_length[ban->network.bits]--;
    HASH_DEL(admission->bans, ban);
    free(ban);
    return true;
}

/* One probe for each prefix length that is in use. Removes bans that have ended. */
static bool is_banned(struct admission *admission, const struct prefix *from,
                      int64_t now_ms)
{
    for (int bits = 0; bits <= from->bits && admission->bans != NULL; bits++) {
        struct prefix network = prefix_cut(*from, bits);
        struct ban *ban = NULL;

        if (admission->bans_of_length[bits] > 0)
            ban = find_ban(admission, &network);
        if (ban != NULL && ban->until_ms > now_ms)
            return true;
        if (ban != NULL)
            admission_unban(admission, &network);
    }
    return false;
}

/* --- The table of sources --- */

/* Removes a few sources that are not in use and whose state is as if they were new. If
 * the table is full, also forgets that they were known. */
static void forget_some(struct admission *admission, int64_t now_ms)
{
    bool is_full = HASH_COUNT(admission->sources) >= SOURCES_MAX;

    for (int i = 0; i < FORGET_AT_ONCE && admission->to_check != NULL; i++) {
        struct source *source = admission->to_check;

        DL_DELETE(admission->to_check, source);
        if (source->uses > 0 || source->next_log_ms > now_ms ||
            source->penalty_until_ms > now_ms ||
            source->budget.full_us > now_ms * 1000 ||
            (!is_full && source->known_until_ms > now_ms)) {
            DL_APPEND(admission->to_check, source);
            continue;
        }
        if (source->parent != NULL)
            source->parent->uses--;
        HASH_DEL(admission->sources, source);
        free(source);
    }
}

/* Returns the source of the address, or the narrowest network around it for which the
 * table has room. */
static struct source *use_source(struct admission *admission, const struct prefix *from,
                                 int64_t now_ms)
{
    static const struct {
        int bits, weight;
    } v4[] = {{24, 4}, {32, 1}, {0, 0}}, v6[] = {{48, 4}, {56, 2}, {64, 1}, {0, 0}},
      *level;
    struct source *source = NULL;

    forget_some(admission, now_ms);
    for (level = prefix_is_v4(from) ? v4 : v6; level->bits > 0; level++) {
        struct prefix network = prefix_network(from, level->bits, level->bits);
        struct source *part;

        HASH_FIND(hh, admission->sources, &network, sizeof network, part);
        if (part == NULL && HASH_COUNT(admission->sources) >= SOURCES_MAX)
            break;
        if (part == NULL) {
            part = mem_new(sizeof *part);
            part->network = network;
            part->weight = level->weight;
            part->parent = source;
            if (source != NULL)
                source->uses++;
            HASH_ADD(hh, admission->sources, network, sizeof part->network, part);
            DL_APPEND(admission->to_check, part);
        }
        source = part;
    }
    if (source == NULL)
        source = &admission->others;
    source->uses++;
    return source;
}

/* Counts a refusal of the source. Logs at most one line for it in LOG_EVERY_MS, and few
 * lines about all sources. */
static void note_refusal(struct admission *admission, struct source *source,
                         const char *why, int64_t now_ms)
{
    char network[PREFIX_TEXT_BYTES];

    admission->refused++;
    source->repeated++;
    if (now_ms - source->refusals_ms >= MINUTE_MS) {
        source->refusals = 0;
        source->refusals_ms = now_ms;
    }
    source->refusals++;
    if (now_ms < source->next_log_ms ||
        !budget_spend(&admission->log_lines, log_rate, now_ms))
        return;
    prefix_format(network, &source->network);
    log_warn("source=%s refused why=%s repeated=%d", network, why, source->repeated);
    source->next_log_ms = now_ms + LOG_EVERY_MS;
    source->repeated = 0;
}

int admission_refused(const struct admission *admission, int64_t now_ms,
                      struct admission_refused *most, int max)
{
    int count = 0;

    for (const struct source *s = admission->sources; s != NULL; s = s->hh.next) {
        int at = count;

        if (s->refusals == 0 || now_ms - s->refusals_ms >= 2 * MINUTE_MS)
            continue;
        for (; at > 0; at--) {
            const struct admission_refused *other = &most[at - 1];

            if (s->refusals < other->refusals ||
                (s->refusals == other->refusals &&
                 memcmp(s->network.bytes, other->network.bytes,
                        sizeof s->network.bytes) > 0))
                break;
            if (at < max)
                most[at] = *other;
        }
        if (at < max)
            most[at] = (struct admission_refused){s->network, s->refusals};
        count += count < max;
    }
    return count;
}

static void charge(const struct admission *admission, struct source *source, int times,
                   int64_t milli, int64_t now_ms)
{
    budget_charge(&source->budget, admission->settings.work,
                  milli / (source->weight * times), now_ms);
}

int64_t admission_share_milli(const struct admission *admission)
{
    return admission->settings.work.burst * 1000 / SHARES;
}

static int64_t penalty_left_ms(const struct source *source, int64_t now_ms)
{
    int64_t left_ms = source->penalty_until_ms - now_ms - PENALTY_FROM_MS;

    return left_ms > 0 ? left_ms : 0;
}

/* Returns the name of the limit by which `source`, which is the source of the slot or a
 * network around it, refuses the connection. NULL: it does not refuse. */
static const char *objection(const struct admission *admission, const struct slot *slot,
                             const struct source *source, int64_t now_ms)
{
    int times = source->weight * slot->times;
    int open_max = admission->settings.per_address * times;

    if (slot->is_known)
        open_max += RETURNS;
    else if (slot->times == 1 && penalty_left_ms(source, now_ms) > 0)
        return "penalty";
    if (budget_wait_ms(&source->budget, admission->settings.work, now_ms) > 0)
        return "budget";
    if (source->open >= open_max)
        return "open";
    return source->waiting >= WAITING_EACH * times ? "waiting" : NULL;
}

/* --- From accept to the login --- */

/* Adds `by` to the counts of the slot's source, and of the networks around it, for the
 * state in which the slot is. */
static void count_in_sources(const struct slot *slot, int by)
{
    for (struct source *s = slot->source; s != NULL; s = s->parent) {
        s->open += by;
        if (slot->state <= SLOT_UNNAMED)
            s->unnamed += by;
        if (slot->state == SLOT_WAITING)
            s->waiting += by;
    }
}

static void free_slot(struct slot *slot)
{
    if (slot->source != NULL)
        slot->source->uses--;
    free(slot);
}

/* Moves the slot to another state, to the end of its list. */
static void move_to(struct admission *admission, struct slot *slot,
                    enum slot_state state)
{
    count_in_sources(slot, -1);
    admission->count[slot->state]--;
    if (slot->state < SLOT_PLACED)
        DL_DELETE(admission->list[slot->state], slot);
    slot->state = state;
    if (state < SLOT_PLACED)
        DL_APPEND(admission->list[state], slot);
    admission->count[state]++;
    count_in_sources(slot, 1);
}

/* Makes the slot of a new connection. NULL: the connection is refused. */
static struct slot *admit(struct admission *admission, const struct prefix *from,
                          int fd, enum slot_state state, int64_t now_ms)
{
    int room = admission->settings.connections, open = 0;
    struct slot *slot;

    if (admission->settings
            .has_quotas) /* those that are evicted are open for a while */
        room += WAITING_MAX;
    for (int i = 0; i <= SLOT_LEAVING; i++)
        open += admission->count[i];
    if (open >= room || is_banned(admission, from, now_ms)) {
        admission->refused++;
        return NULL;
    }
    slot = mem_new(sizeof *slot);
    *slot = (struct slot){.from = *from, .times = 1, .fd = fd, .since_ms = now_ms};
    if (admission_trusts(admission, from))
        slot->times = TRUSTED_TIMES;
    if (admission->settings.has_quotas)
        slot->source = use_source(admission, from, now_ms);
    slot->is_known = admission_is_known(slot, now_ms);
    for (struct source *s = slot->source; s != NULL; s = s->parent) {
        const char *why = objection(admission, slot, s, now_ms);

        if (why == NULL || (slot->is_known && s != slot->source))
            continue;
        /* The refused attempts of one caller must not use up what a player needs who
         * comes back from the same address. */
        if (!slot->is_known)
            charge(admission, s, slot->times, admission_share_milli(admission), now_ms);
        note_refusal(admission, s, why, now_ms);
        free_slot(slot);
        return NULL;
    }
    for (struct source *s = slot->source; s != NULL; s = s->parent) {
        slot->is_extra |=
            s->open >= admission->settings.per_address * s->weight * slot->times;
        charge(admission, s, slot->times, admission_share_milli(admission), now_ms);
    }
    slot->state = state;
    DL_APPEND(admission->list[state], slot);
    admission->count[state]++;
    count_in_sources(slot, 1);
    return slot;
}

/* Returns how much the source of a waiting caller, or a network around it, has used: the
 * time when its budget is full again. Known and trusted sources go before all others. */
static int64_t used_us(const struct slot *slot, int64_t now_ms)
{
    int64_t most_us = now_ms * 1000;

    if (slot->is_known || slot->times > 1)
        return 0;
    for (const struct source *s = slot->source; s != NULL; s = s->parent)
        if (s->budget.full_us > most_us)
            most_us = s->budget.full_us;
    return most_us;
}

struct slot *admission_arrive(struct admission *admission, const struct prefix *from,
                              int fd, int64_t now_ms)
{
    struct slot *slot = admit(admission, from, fd, SLOT_WAITING, now_ms), *most = NULL;
    struct slot *other;

    if (slot == NULL || admission->count[SLOT_WAITING] <= WAITING_MAX)
        return slot;
    DL_FOREACH (admission->list[SLOT_WAITING], other)
        if (most == NULL || used_us(other, now_ms) >= used_us(most, now_ms))
            most = other;
    DL_DELETE(admission->list[SLOT_WAITING], most);
    DL_PREPEND(admission->list[SLOT_WAITING], most);
    most->since_ms = now_ms - WAITING_MS; /* admission_late() returns it */
    return slot;
}

struct slot *admission_enter(struct admission *admission, const struct prefix *from,
                             int64_t now_ms)
{
    return admit(admission, from, -1, SLOT_UNNAMED, now_ms);
}

struct slot *admission_next(struct admission *admission, int64_t now_ms)
{
    struct rate rate = admission->settings.handshakes;
    struct slot *least = NULL, *slot;

    if (admission->list[SLOT_WAITING] == NULL ||
        budget_wait_ms(&admission->handshakes, rate, now_ms) > 0)
        return NULL;
    DL_FOREACH (admission->list[SLOT_WAITING], slot)
        if (now_ms - slot->since_ms < WAITING_MS &&
            (least == NULL || used_us(slot, now_ms) < used_us(least, now_ms)))
            least = slot;
    if (least == NULL)
        return NULL;
    budget_charge(&admission->handshakes, rate, 1000, now_ms);
    move_to(admission, least, SLOT_UNNAMED);
    return least;
}

struct slot *admission_late(struct admission *admission, int64_t now_ms)
{
    struct slot *oldest = admission->list[SLOT_WAITING];

    if (oldest == NULL || now_ms - oldest->since_ms < WAITING_MS)
        return NULL;
    if (oldest->source != NULL)
        note_refusal(admission, oldest->source, "waiting", now_ms);
    return oldest;
}

int64_t admission_wait_ms(const struct admission *admission, int64_t now_ms)
{
    const struct slot *oldest = admission->list[SLOT_WAITING];
    int64_t wait_ms, left_ms;

    if (oldest == NULL)
        return -1;
    wait_ms =
        budget_wait_ms(&admission->handshakes, admission->settings.handshakes, now_ms);
    left_ms = oldest->since_ms + WAITING_MS - now_ms;
    if (left_ms < wait_ms)
        wait_ms = left_ms > 0 ? left_ms : 0;
    return wait_ms;
}

void admission_leave(struct admission *admission, struct slot *slot)
{
    if (slot == NULL)
        return;
    move_to(admission, slot, SLOT_LEAVING);
    admission->count[SLOT_LEAVING]--;
    count_in_sources(slot, -1);
    free_slot(slot);
}

int slot_fd(const struct slot *slot)
{
    return slot->fd;
}

const struct prefix *slot_from(const struct slot *slot)
{
    return &slot->from;
}

void slot_set_session(struct slot *slot, uint64_t session)
{
    slot->session = session;
}

uint64_t admission_crowded_out(struct admission *admission)
{
    int part = admission->settings.connections / UNNAMED_PART;
    struct slot *most = NULL, *slot;

    if (!admission->settings.has_quotas ||
        admission->count[SLOT_UNNAMED] <= (part > UNNAMED_MIN ? part : UNNAMED_MIN))
        return 0;
    DL_FOREACH (admission->list[SLOT_UNNAMED], slot)
        if (most == NULL || slot->source->unnamed > most->source->unnamed)
            most = slot;
    admission->refused++;
    move_to(admission, most, SLOT_LEAVING);
    return most->session;
}

/* --- Places --- */

int admission_places(const struct admission *admission)
{
    int connections = admission->settings.connections;

    return connections -
           (admission->settings.has_quotas ? connections / UNNAMED_PART : 0);
}

bool admission_take_place(struct admission *admission, struct slot *slot,
                          enum admission_rank rank, int64_t now_ms, uint64_t *evicted)
{
    int placed = admission->count[SLOT_GUEST] + admission->count[SLOT_PLACED];
    struct slot *guest = admission->list[SLOT_GUEST];

    *evicted = 0;
    if (slot->state >= SLOT_PLACED ||
        (slot->state == SLOT_GUEST && rank == ADMISSION_GUEST))
        return true; /* it has a place, or is closed already */
    if (rank == ADMISSION_GUEST && slot->is_extra)
        return false;
    if (slot->state != SLOT_GUEST && placed >= admission_places(admission)) {
        if (rank == ADMISSION_GUEST || (rank == ADMISSION_PLAYER && guest == NULL))
            return false;
        if (guest != NULL) {
            *evicted = guest->session;
            move_to(admission, guest, SLOT_LEAVING);
        }
    }
    slot->since_ms = now_ms;
    move_to(admission, slot, rank == ADMISSION_GUEST ? SLOT_GUEST : SLOT_PLACED);
    return true;
}

void admission_note_login(const struct slot *slot, int64_t now_ms)
{
    if (slot->source != NULL)
        slot->source->known_until_ms = now_ms + KNOWN_MS;
}

bool admission_is_known(const struct slot *slot, int64_t now_ms)
{
    return slot->source != NULL && slot->source->weight == 1 &&
           slot->source->known_until_ms > now_ms;
}

void admission_touch(struct admission *admission, struct slot *slot, int64_t now_ms)
{
    if (slot == NULL || slot->state != SLOT_GUEST)
        return;
    slot->since_ms = now_ms;
    DL_DELETE(admission->list[SLOT_GUEST], slot);
    DL_APPEND(admission->list[SLOT_GUEST], slot);
}

uint64_t admission_idle_guest(const struct admission *admission, int64_t since_ms)
{
    const struct slot *guest = admission->list[SLOT_GUEST];

    return guest != NULL && guest->since_ms <= since_ms ? guest->session : 0;
}

/* --- Faults and lines --- */

void admission_penalize(const struct slot *slot, enum admission_fault fault,
                        int64_t now_ms)
{
    int64_t until_ms;

    if (slot == NULL || slot->source == NULL || slot->times > 1)
        return;
    until_ms = slot->source->penalty_until_ms;
    until_ms =
        (until_ms > now_ms ? until_ms : now_ms) + penalty_s[fault] * INT64_C(1000);
    if (until_ms > now_ms + PENALTY_MAX_MS)
        until_ms = now_ms + PENALTY_MAX_MS;
    slot->source->penalty_until_ms = until_ms;
}

int64_t admission_proof_wait_ms(const struct slot *slot, int64_t now_ms)
{
    if (slot == NULL || slot->source == NULL || slot->times > 1)
        return 0;
    return penalty_left_ms(slot->source, now_ms);
}

int64_t admission_line_wait_ms(const struct admission *admission,
                               const struct slot *slot, int64_t now_ms)
{
    int64_t longest_ms = 0;

    if (slot == NULL)
        return 0;
    for (const struct source *s = slot->source; s != NULL; s = s->parent) {
        int64_t wait_ms = budget_wait_ms(&s->budget, admission->settings.work, now_ms);

        longest_ms = wait_ms > longest_ms ? wait_ms : longest_ms;
    }
    return longest_ms;
}

void admission_charge(const struct admission *admission, const struct slot *slot,
                      int64_t milli, bool is_refused, int64_t now_ms)
{
    if (slot == NULL)
        return;
    for (struct source *s = slot->source; s != NULL; s = is_refused ? NULL : s->parent)
        charge(admission, s, slot->times, milli, now_ms);
}

/* --- For limits and status --- */

struct admission_counts admission_counts(const struct admission *admission)
{
    return (struct admission_counts){.waiting = admission->count[SLOT_WAITING],
                                     .unnamed = admission->count[SLOT_UNNAMED],
                                     .guests = admission->count[SLOT_GUEST],
                                     .placed = admission->count[SLOT_GUEST] +
                                               admission->count[SLOT_PLACED],
                                     .sources = (int)HASH_COUNT(admission->sources),
                                     .bans = (int)HASH_COUNT(admission->bans),
                                     .refused = admission->refused};
}
