/* See quota.h. */
#include "server/account/quota.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "server/account/account.h"
#include "server/base/budget.h"

enum { SOURCE_V4_BITS = 24, SOURCE_V6_BITS = 56, SITE_V6_BITS = 48 };

/* What is made is counted in two windows. */
enum { HOUR, DAY, WINDOWS };
static const int span_s[WINDOWS] = {[HOUR] = 3600, [DAY] = DAY_S};

struct source {
    struct prefix key; /* ::/0 for an address that cannot be read */
    struct quotas *of;
    int accounts; /* that have joined and not left */
    int times;    /* factor of the limits of what is open */
    int open[QUOTA_OPEN];
    struct window made[QUOTA_KINDS - QUOTA_OPEN][WINDOWS];
    struct deadline deadline; /* a day after something was made */
    UT_hash_handle hh;
};

struct quotas {
    struct quota_limits limits;
    struct source *sources;
    struct deadlines *deadlines;
    struct deadline_kind expiry;
};

/* --- Sources --- */

/* Writes the network of the address to key[0], and for an IPv6 address the site around
 * it to key[1]. Returns the number of keys. *times: the factor of its limits. */
enum { KEYS = 2 };
static int find_keys(const struct quotas *quotas, const char *address,
                     struct prefix key[KEYS], int *times)
{
    struct prefix from;

    key[0] = (struct prefix){.bits = 0};
    *times = 1;
    if (!prefix_parse(address, &from))
        return 1;
    if (prefix_list_has(&quotas->limits.trusted, &from))
        *times = QUOTA_TRUSTED_TIMES;
    key[0] = prefix_network(&from, SOURCE_V4_BITS, SOURCE_V6_BITS);
    key[1] = prefix_cut(from, SITE_V6_BITS);
    return prefix_is_v4(&from) ? 1 : KEYS;
}

static struct source *find(const struct quotas *quotas, const struct prefix *key)
{
    struct source *source;

    HASH_FIND(hh, quotas->sources, key, sizeof *key, source);
    return source;
}

static struct source *get(struct quotas *quotas, const struct prefix *key)
{
    struct source *source = find(quotas, key);

    if (source != NULL)
        return source;
    source = mem_new(sizeof *source);
    source->key = *key;
    source->of = quotas;
    HASH_ADD(hh, quotas->sources, key, sizeof source->key, source);
    return source;
}

static void source_free(struct source *source)
{
    deadlines_remove(source->of->deadlines, &source->deadline);
    HASH_DEL(source->of->sources, source);
    free(source);
}

static void on_day_over(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct source *source = OWNER_OF(deadline, struct source, deadline);

    (void)arg;
    (void)now_wall_s;
    if (source->accounts == 0)
        source_free(source);
}

void quota_join(struct quotas *quotas, struct account *account, const char *address)
{
    struct prefix key[KEYS];
    int times;

    (void)find_keys(quotas, address, key, &times);
    account->source = get(quotas, &key[0]);
    account->source->accounts++;
    account->source->times = times;
    for (int i = 0; i < QUOTA_OPEN; i++)
        account->source->open[i] += account->open[i];
}

void quota_leave(struct account *account)
{
    struct source *source = account->source;

    if (source == NULL)
        return;
    account->source = NULL;
    for (int i = 0; i < QUOTA_OPEN; i++)
        source->open[i] -= account->open[i];
    if (--source->accounts == 0 && source->deadline.place == 0)
        source_free(source);
}

/* --- What is open --- */

enum quota_state quota_judge(const struct quotas *quotas, enum quota_kind kind,
                             const struct account *account, int *max)
{
    const struct quota_limit *limit = &quotas->limits.of[kind];

    *max = limit->account;
    if (account == NULL)
        return QUOTA_FREE;
    if (*max != 0 && account->open[kind] >= *max)
        return QUOTA_ACCOUNT_FULL;
    if (account->source == NULL || limit->source == 0)
        return QUOTA_FREE;
    *max = limit->source * account->source->times;
    return account->source->open[kind] >= *max ? QUOTA_SOURCE_FULL : QUOTA_FREE;
}

void quota_count(struct account *account, enum quota_kind kind, int by)
{
    account->open[kind] += by;
    if (account->source != NULL)
        account->source->open[kind] += by;
}

/* --- What is made --- */

int64_t quota_wait_s(const struct quotas *quotas, enum quota_kind kind,
                     const struct account *account, const char *address,
                     int64_t now_wall_s, int *max)
{
    const struct quota_limit *limit = &quotas->limits.of[kind];
    struct prefix key[KEYS];
    int times, keys = find_keys(quotas, address, key, &times);
    int64_t longest_s = 0;

    *max = limit->account;
    if (account != NULL)
        longest_s = window_wait(&account->hourly[kind - QUOTA_OPEN], span_s[HOUR], *max,
                                now_wall_s);
    for (int i = 0; i < keys; i++) {
        const int most[WINDOWS] = {[HOUR] = i == 0 ? limit->per_hour * times : 0,
                                   [DAY] =
                                       (i == 0 ? limit->source : limit->site) * times};
        const struct source *source = find(quotas, &key[i]);

        for (int w = 0; source != NULL && w < WINDOWS; w++) {
            int64_t wait_s = window_wait(&source->made[kind - QUOTA_OPEN][w], span_s[w],
                                         most[w], now_wall_s);

            if (wait_s > longest_s) {
                longest_s = wait_s;
                *max = most[w];
            }
        }
    }
    return longest_s;
}

int64_t quota_take(struct quotas *quotas, enum quota_kind kind, struct account *account,
                   const char *address, int64_t now_wall_s, int *max)
{
    int64_t wait_s = quota_wait_s(quotas, kind, account, address, now_wall_s, max);
    struct prefix key[KEYS];
    int times, keys = find_keys(quotas, address, key, &times);

    if (wait_s > 0)
        return wait_s;
    if (account != NULL)
        window_count(&account->hourly[kind - QUOTA_OPEN], span_s[HOUR], now_wall_s);
    for (int i = 0; i < keys; i++) {
        struct source *source = get(quotas, &key[i]);

        for (int w = 0; w < WINDOWS; w++)
            window_count(&source->made[kind - QUOTA_OPEN][w], span_s[w], now_wall_s);
        deadlines_set(quotas->deadlines, &source->deadline, &quotas->expiry,
                      now_wall_s + span_s[DAY]);
    }
    return 0;
}

void quota_give_back(struct quotas *quotas, enum quota_kind kind,
                     struct account *account, const char *address, int64_t then_wall_s)
{
    struct prefix key[KEYS];
    int times, keys = find_keys(quotas, address, key, &times);

    if (account != NULL)
        window_take_back(&account->hourly[kind - QUOTA_OPEN], then_wall_s);
    for (int i = 0; i < keys; i++) {
        struct source *source = find(quotas, &key[i]);

        for (int w = 0; source != NULL && w < WINDOWS; w++)
            window_take_back(&source->made[kind - QUOTA_OPEN][w], then_wall_s);
    }
}

/* --- Life --- */

struct quotas *quotas_new(struct deadlines *deadlines,
                          const struct quota_limits *limits)
{
    struct quotas *quotas = mem_new(sizeof *quotas);

    *quotas = (struct quotas){
        .limits = *limits, .deadlines = deadlines, .expiry = {on_day_over, quotas}};
    return quotas;
}

void quotas_change(struct quotas *quotas, const struct quota_limits *limits)
{
    quotas->limits = *limits;
}

void quotas_free(struct quotas *quotas)
{
    struct source *source, *next;

    if (quotas == NULL)
        return;
    HASH_ITER (hh, quotas->sources, source, next)
        source_free(source);
    free(quotas);
}
