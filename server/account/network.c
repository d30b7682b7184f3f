/* See network.h. */
#include "server/account/network.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "server/base/budget.h"

enum { HOUR_S = 3600, DAY_S = 86400 };
enum { NETWORK_V4_BITS = 24, NETWORK_V6_BITS = 56, SITE_V6_BITS = 48 };

struct entry {
    struct network network; /* the first member: a network is an entry */
    struct prefix key;      /* prefix of the network; ::/0 for an address that cannot be
                             * read */
    struct window hour, day;
    struct window uses[NETWORK_USES]; /* uses in one day */
    struct deadline deadline;         /* a day after the last name or use */
    UT_hash_handle hh;
};

struct networks {
    struct network_limits limits;
    struct entry *entries;
    struct deadlines *deadlines;
    struct deadline_kind expiry;
};

/* --- Limits --- */

int network_max(const struct network *network, int max)
{
    return network != NULL ? max * network->times : 0;
}

int network_reached(int count, int max, int network_count, int network_most)
{
    if (count >= max)
        return max;
    return network_most != 0 && network_count >= network_most ? network_most : 0;
}

/* --- Addresses --- */

/* Writes the network of the address to *key. For an IPv6 address, also writes the /48
 * around it to *site, and returns true. False: do not use *site. */
static bool find_keys(const char *address, struct prefix *key, struct prefix *site)
{
    struct prefix from;

    *key = (struct prefix){.bits = 0};
    if (!prefix_parse(address, &from))
        return false;
    *key = prefix_network(&from, NETWORK_V4_BITS, NETWORK_V6_BITS);
    *site = prefix_cut(from, SITE_V6_BITS);
    return !prefix_is_v4(&from);
}

static int times_of(const struct networks *networks, const char *address)
{
    struct prefix from;

    return prefix_parse(address, &from) &&
                   prefix_list_has(&networks->limits.trusted, &from)
               ? NETWORK_TRUSTED_TIMES
               : 1;
}

/* --- Entries --- */

static struct entry *find(const struct networks *networks, const struct prefix *key)
{
    struct entry *entry;

    HASH_FIND(hh, networks->entries, key, sizeof *key, entry);
    return entry;
}

static struct entry *get(struct networks *networks, const struct prefix *key)
{
    struct entry *entry = find(networks, key);

    if (entry != NULL)
        return entry;
    entry = mem_new(sizeof *entry);
    entry->key = *key;
    HASH_ADD(hh, networks->entries, key, sizeof entry->key, entry);
    return entry;
}

static void entry_free(struct networks *networks, struct entry *entry)
{
    deadlines_remove(networks->deadlines, &entry->deadline);
    HASH_DEL(networks->entries, entry);
    free(entry);
}

static void on_day_over(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct entry *entry = OWNER_OF(deadline, struct entry, deadline);

    (void)now_wall_s;
    if (entry->network.accounts == 0)
        entry_free(arg, entry);
}

/* --- Budgets --- */

static int64_t entry_wait_s(const struct entry *entry, int per_hour, int per_day,
                            int64_t now_wall_s, int *max)
{
    int64_t day_s, hour_s;

    if (entry == NULL)
        return 0;
    day_s = window_wait(&entry->day, DAY_S, per_day, now_wall_s);
    hour_s = window_wait(&entry->hour, HOUR_S, per_hour, now_wall_s);
    if (day_s > 0 || hour_s > 0)
        *max = day_s > 0 ? per_day : per_hour;
    return day_s > hour_s ? day_s : hour_s;
}

int64_t networks_name_wait_s(struct networks *networks, const char *address,
                             int64_t now_wall_s, int *max)
{
    const struct network_limits *limits = &networks->limits;
    int times = times_of(networks, address);
    struct prefix key, site;
    bool has_site = find_keys(address, &key, &site);
    int64_t wait_s = entry_wait_s(find(networks, &key), limits->names_per_hour * times,
                                  limits->names_per_day * times, now_wall_s, max);

    if (wait_s > 0 || !has_site)
        return wait_s;
    return entry_wait_s(find(networks, &site), 0, limits->names_per_site * times,
                        now_wall_s, max);
}

/* Returns the entry of the network. The entry stays for at least a day from now. */
static struct entry *get_for_a_day(struct networks *networks, const struct prefix *key,
                                   int64_t now_wall_s)
{
    struct entry *entry = get(networks, key);

    deadlines_set(networks->deadlines, &entry->deadline, &networks->expiry,
                  now_wall_s + DAY_S);
    return entry;
}

static void count_in(struct networks *networks, const struct prefix *key,
                     int64_t now_wall_s)
{
    struct entry *entry = get_for_a_day(networks, key, now_wall_s);

    window_count(&entry->hour, HOUR_S, now_wall_s);
    window_count(&entry->day, DAY_S, now_wall_s);
}

void networks_count_name(struct networks *networks, const char *address,
                         int64_t now_wall_s)
{
    struct prefix key, site;
    bool has_site = find_keys(address, &key, &site);

    count_in(networks, &key, now_wall_s);
    if (has_site)
        count_in(networks, &site, now_wall_s);
}

static void refund_in(struct networks *networks, const struct prefix *key,
                      int64_t then_wall_s)
{
    struct entry *entry = find(networks, key);

    if (entry == NULL)
        return;
    window_take_back(&entry->hour, then_wall_s);
    window_take_back(&entry->day, then_wall_s);
}

void networks_refund_name(struct networks *networks, const char *address,
                          int64_t then_wall_s)
{
    struct prefix key, site;
    bool has_site = find_keys(address, &key, &site);

    refund_in(networks, &key, then_wall_s);
    if (has_site)
        refund_in(networks, &site, then_wall_s);
}

static int64_t use_wait_s(const struct networks *networks, enum network_use use,
                          const struct prefix *key, int limit, int64_t now_wall_s,
                          int *max)
{
    const struct entry *entry = find(networks, key);

    *max = limit;
    return entry == NULL ? 0 : window_wait(&entry->uses[use], DAY_S, limit, now_wall_s);
}

int64_t networks_use_wait_s(struct networks *networks, enum network_use use,
                            const char *address, int64_t now_wall_s, int *max)
{
    int limit = networks->limits.per_day[use] * times_of(networks, address);
    struct prefix key, site;
    bool has_site = find_keys(address, &key, &site);
    int64_t wait_s = use_wait_s(networks, use, &key, limit, now_wall_s, max);

    if (wait_s > 0 || !has_site)
        return wait_s;
    return use_wait_s(networks, use, &site, limit * NETWORK_SITE_TIMES, now_wall_s,
                      max);
}

static void count_use(struct networks *networks, enum network_use use,
                      const struct prefix *key, int64_t now_wall_s)
{
    window_count(&get_for_a_day(networks, key, now_wall_s)->uses[use], DAY_S,
                 now_wall_s);
}

void networks_count_use(struct networks *networks, enum network_use use,
                        const char *address, int64_t now_wall_s)
{
    struct prefix key, site;
    bool has_site = find_keys(address, &key, &site);

    count_use(networks, use, &key, now_wall_s);
    if (has_site)
        count_use(networks, use, &site, now_wall_s);
}

/* --- Accounts --- */

struct network *networks_join(struct networks *networks, const char *address)
{
    struct prefix key, site;
    struct entry *entry;

    find_keys(address, &key, &site);
    entry = get(networks, &key);
    entry->network.accounts++;
    entry->network.times = times_of(networks, address);
    return &entry->network;
}

void networks_leave(struct networks *networks, struct network *network)
{
    struct entry *entry = (struct entry *)(void *)network;

    network->accounts--;
    if (network->accounts == 0 && entry->deadline.place == 0)
        entry_free(networks, entry);
}

/* --- Life --- */

struct networks *networks_new(struct deadlines *deadlines,
                              const struct network_limits *limits)
{
    struct networks *networks = mem_new(sizeof *networks);

    networks->limits = *limits;
    networks->deadlines = deadlines;
    networks->expiry = (struct deadline_kind){on_day_over, networks};
    return networks;
}

void networks_change_limits(struct networks *networks,
                            const struct network_limits *limits)
{
    networks->limits = *limits;
}

void networks_free(struct networks *networks)
{
    struct entry *entry, *next;

    if (networks == NULL)
        return;
    HASH_ITER (hh, networks->entries, entry, next)
        entry_free(networks, entry);
    free(networks);
}
