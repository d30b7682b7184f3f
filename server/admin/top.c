/* See top.h. Visits all sessions, but only when the host requests this list. */
#include "server/admin/top.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/admin/control.h"
#include "server/admission/admission.h"
#include "server/base/budget.h"
#include "server/base/prefix.h"
#include "server/net/session.h"

enum { KEY_BYTES = 64 };

/* The total cost of the sessions of one source, or of one account. */
struct share {
    char key[KEY_BYTES];
    int connections;
    struct meter_sum sum;
    UT_hash_handle hh;
};

static void add(struct share **shares, const char *key, struct meter_sum sum)
{
    struct share *share;

    HASH_FIND_STR(*shares, key, share);
    if (share == NULL) {
        share = mem_new(sizeof *share);
        if (!text_copy(share->key, sizeof share->key, key)) {
            free(share);
            return;
        }
        HASH_ADD_STR(*shares, key, share);
    }
    share->connections++;
    share->sum.lines += sum.lines;
    share->sum.bytes += sum.bytes;
    share->sum.milli += sum.milli;
}

static int by_cost(const struct share *a, const struct share *b)
{
    uint64_t first = meter_cost(a->sum), second = meter_cost(b->sum);

    return first == second ? strcmp(a->key, b->key) : first < second ? 1 : -1;
}

/* Sends a row for each of the shares with the greatest cost, and frees all shares. */
static void say(struct talk *talk, const char *what, struct share *shares)
{
    struct share *share, *next;
    int rows = 0;

    HASH_SORT(shares, by_cost);
    HASH_ITER (hh, shares, share, next) {
        if (rows++ < TOP_ROWS)
            control_sayf(talk, "%s %s connections=%d lines=%llu bytes=%llu cost=%llu",
                         what, share->key, share->connections,
                         (unsigned long long)share->sum.lines,
                         (unsigned long long)share->sum.bytes,
                         (unsigned long long)meter_cost(share->sum));
        HASH_DEL(shares, share);
        free(share);
    }
}

/* --- Who is refused --- */

struct refused {
    struct prefix network;
    int refusals;
};

/* The sources that were refused most often, in descending order of their refusals. */
struct refused_list {
    struct refused row[TOP_ROWS];
    int count;
};

static void add_refused(void *arg, const struct prefix *network, int refusals)
{
    struct refused_list *list = arg;
    int at = list->count < TOP_ROWS ? list->count++ : TOP_ROWS - 1;

    if (at == TOP_ROWS - 1 && list->row[at].refusals >= refusals)
        return;
    while (at > 0 && list->row[at - 1].refusals < refusals) {
        list->row[at] = list->row[at - 1];
        at--;
    }
    list->row[at] = (struct refused){*network, refusals};
}

static void say_refused(struct talk *talk, const struct admission *admission,
                        int64_t now_ms)
{
    struct refused_list list = {.count = 0};

    admission_refused(admission, now_ms, add_refused, &list);
    for (int i = 0; i < list.count; i++) {
        char network[PREFIX_TEXT_BYTES];

        prefix_format(network, &list.row[i].network);
        control_sayf(talk, "refused %s connections=%d", network, list.row[i].refusals);
    }
}

void top_say(struct talk *talk, struct sessions *sessions,
             const struct admission *admission, int64_t now_ms)
{
    struct share *sources = NULL, *accounts = NULL;

    for (struct session *s = sessions_first(sessions); s != NULL;
         s = sessions_next(s)) {
        struct meter_sum sum = meter_read(&s->allowance.meter, now_ms);

        if (sum.lines + sum.bytes == 0)
            continue;
        add(&sources, session_peer_address(s), sum);
        if (s->account != NULL)
            add(&accounts, s->name, sum);
    }
    say(talk, "source", sources);
    say(talk, "account", accounts);
    say_refused(talk, admission, now_ms);
}
