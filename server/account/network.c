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

/* Writes the network of the address to key[0], and for an IPv6 address the /48 around
 * it to key[1]. Returns the number of keys. */
enum { KEYS = 2 };
static int find_keys(const char *address, struct prefix key[KEYS])
{
    struct prefix from;

    key[0] = (struct prefix){.bits = 0};
    if (!prefix_parse(address, &from))
        return 1;
    key[0] = prefix_network(&from, NETWORK_V4_BITS, NETWORK_V6_BITS);
    key[1] = prefix_cut(from, SITE_V6_BITS);
    return prefix_is_v4(&from) ? 1 : KEYS;
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

int64_t networks_name_wait_s(struct networks *networks, const char *address,
                             int64_t now_wall_s, int *max)
{
    const struct network_limits *limits = &networks->limits;
    int times = times_of(networks, address);
    struct prefix key[KEYS];
    int keys = find_keys(address, key);

    for (int i = 0; i < keys; i++) {
        const struct entry *entry = find(networks, &key[i]);
        int per_hour = i == 0 ? limits->names_per_hour * times : 0;
        int per_day = (i == 0 ? limits->names_per_day : limits->names_per_site) * times;
        int64_t day_s, hour_s;

        if (entry == NULL)
            continue;
        day_s = window_wait(&entry->day, DAY_S, per_day, now_wall_s);
        hour_s = window_wait(&entry->hour, HOUR_S, per_hour, now_wall_s);
        if (day_s == 0 && hour_s == 0)
            continue;
        *max = day_s > 0 ? per_day : per_hour;
        return day_s > hour_s ? day_s : hour_s;
    }
    return 0;
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

void networks_count_name(struct networks *networks, const char *address,
                         int64_t now_wall_s)
{
    struct prefix key[KEYS];
    int keys = find_keys(address, key);

    for (int i = 0; i < keys; i++) {
        struct entry *entry = get_for_a_day(networks, &key[i], now_wall_s);

        window_count(&entry->hour, HOUR_S, now_wall_s);
        window_count(&entry->day, DAY_S, now_wall_s);
    }
}

void networks_refund_name(struct networks *networks, const char *address,
                          int64_t then_wall_s)
{
    struct prefix key[KEYS];
    int keys = find_keys(address, key);

    for (int i = 0; i < keys; i++) {
        struct entry *entry = find(networks, &key[i]);

        if (entry == NULL)
            continue;
        window_take_back(&entry->hour, then_wall_s);
        window_take_back(&entry->day, then_wall_s);
    }
}

int64_t networks_use_wait_s(struct networks *networks, enum network_use use,
                            const char *address, int64_t now_wall_s, int *max)
{
    int limit = networks->limits.per_day[use] * times_of(networks, address);
    struct prefix key[KEYS];
    int keys = find_keys(address, key);
    int64_t wait_s = 0;

    for (int i = 0; i < keys && wait_s == 0; i++) {
        const struct entry *entry = find(networks, &key[i]);

        *max = i == 0 ? limit : limit * NETWORK_SITE_TIMES;
        if (entry != NULL)
            wait_s = window_wait(&entry->uses[use], DAY_S, *max, now_wall_s);
    }
    return wait_s;
}

void networks_count_use(struct networks *networks, enum network_use use,
                        const char *address, int64_t now_wall_s)
{
    struct prefix key[KEYS];
    int keys = find_keys(address, key);

    for (int i = 0; i < keys; i++)
        window_count(&get_for_a_day(networks, &key[i], now_wall_s)->uses[use], DAY_S,
                     now_wall_s);
}

/* --- Accounts --- */

struct network *networks_join(struct networks *networks, const char *address)
{
    struct prefix key[KEYS];
    struct entry *entry;

    (void)find_keys(address, key);
    entry = get(networks, &key[0]);
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
